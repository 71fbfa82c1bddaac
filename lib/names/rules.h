// SPDX-License-Identifier: MIT
#ifndef SNOOPI_RULES_H
#define SNOOPI_RULES_H

/**
 * @file
 * How the versions of Julia differ in what `show` prints. A difference is a field here, and a version a row of the table in
 * rules.c; nowhere else is a version asked for.
 */
#include <stdbool.h>
#include <stdint.h>

typedef struct snoopi__rules {
    uint16_t major;
    uint16_t minor; /* the first version that the row describes */

    const struct snoopi__syntax *syntax;
    const char *parameter_separator; /* Array{Int64,1} or Array{Int64, 1} */
    bool has_strided_unions;         /* StridedArray{T,N} for the union that it is */
    bool has_aliases;           /* Vector{Int64}; and Vector{<:Real}, Pair{T, S} where {T, S} */
    bool has_tuple_tails;       /* Tuple{Int64, Vararg{Any, 4}} */
    bool has_named_tuple_macro; /* @NamedTuple{a::Int64} */
    bool qualifies_functions;   /* Base.f(::Int64) */
    bool quotes_functions;      /* var"odd name"(::Int64) */
    bool calls_open_types;      /* Dict{K, V}() where {K, V}, not (::Type{Dict{K,V}})() */
    bool parenthesizes_callees; /* (Vector{T} where T<:Real)(::Int64) */
    bool wraps_float16_zero;    /* Float16(0.0), not 0.0 */
    bool has_thunk_place;       /* Toplevel MethodInstance thunk from Main starting at file:1 */
} snoopi__rules;

/** The row for a version ("1.5.3", "1.12.0-DEV"): the newest that is not newer, or the oldest; never NULL. */
const snoopi__rules *snoopi__rules_of(const char *julia_version);

#endif
