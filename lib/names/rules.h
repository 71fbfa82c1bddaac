// SPDX-License-Identifier: MIT
#ifndef SNOOPI_RULES_H
#define SNOOPI_RULES_H

/**
 * @file
 * How the versions of Julia differ in what `show` prints, and in what a package keeps when it is precompiled. A difference is a field here, and a version a row of the table in
 * rules.c; nowhere else is a version asked for.
 */
#include <stdbool.h>
#include <stdint.h>

#include "julia_tables.h"

/** Whether a function that is called is shown with its module: `Base.f(::Int64)`. */
typedef enum {
    QUALIFY_NEVER,
    QUALIFY_UNLESS_VISIBLE, /* unless Base or Core, whichever it lies in, exports it */
    QUALIFY_UNLESS_EXPORTED /* unless its own module exports it */
} qualify_rule;

typedef struct snoopi__rules {
    uint16_t major;
    uint16_t minor; /* the first version that the row describes */

    snoopi__syntax syntax;
    const char *parameter_separator; /* Array{Int64,1} or Array{Int64, 1} */
    const char *unknown_place;       /* of a thunk; NULL: thunks are shown without a place */
    qualify_rule qualifies;
    bool has_strided_unions; /* StridedArray{T,N} for the union that it is */
    bool has_aliases;        /* Vector{Int64}; and Pair{T, S} where {T, S} */
    bool has_core_aliases;   /* those of Core count beside Base's */
    bool sorts_aliases;      /* Union{Matrix{T}, Vector{T}}; else as the module's table has them */
    bool elides_wheres;      /* Vector{<:Real} */
    bool has_open_aliases;   /* Union{Int64, VecOrMat{T}} where T<:Real */
    bool has_tuple_tails;    /* Tuple{Int64, Vararg{Any, 4}} */
    bool has_vararg_ntuples; /* NTuple{N, T}, not Tuple{Vararg{T, N}} */
    bool has_named_tuple_macro; /* @NamedTuple{a::Int64} */
    bool quotes_named_tuples;   /* @NamedTuple{var"odd name"::Int64} */
    bool quotes_functions;      /* var"odd name"(::Int64) */
    bool calls_open_types;      /* Dict{K, V}() where {K, V}, not (::Type{Dict{K,V}})() */
    bool parenthesizes_callees; /* (Vector{T} where T<:Real)(::Int64) */
    bool
        shows_visible_functions; /* as values without their module, whichever module makes them visible */
    bool wraps_float16_zero; /* Float16(0.0), not 0.0 */
    bool shows_type_of_uuid; /* Base.UUID("…"), as it shows the type */
    bool calls_pointers;     /* Ptr{Nothing}(0x…), not Ptr{Nothing} @0x… */
    bool
        keeps_foreign_methods; /* a package keeps what it precompiled of methods that are not its own */
} snoopi__rules;

/** The row for a version ("1.5.3", "1.12.0-DEV"): the newest that is not newer, or the oldest; never NULL. */
const snoopi__rules *snoopi__rules_of(const char *julia_version);

#endif
