// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SHAPES_H
#define SNOOPI_SHAPES_H

/**
 * @file
 * Argument types of instances, off the type graph: what varies between the instances of one method.
 */
#include "findings.h"

/** Argument types of an instance, the function itself first. `n` is 0 for thunks and what was lost. */
typedef struct {
    const uint32_t *types; /* nodes */
    uint32_t n;
} snoopi__arguments;

snoopi__arguments snoopi__arguments_of(const snoopi__defs *defs, uint32_t instance);

/** How many different values `of` has over the instances. Sorts `scratch`, which has room for n. */
uint32_t snoopi__count_distinct(uint32_t *scratch, size_t n);

/**
 * A part of a type that is abstract: Any of `Tuple{Array{Any,1}}`, 0 if there is none.
 *
 * @param holder  the type that has it as a parameter, `Array{Any,1}`; the part itself if that is the whole.
 */
uint32_t snoopi__abstract_part(const snoopi__defs *defs, uint32_t node, uint32_t *holder);

/** Whether a caller is given, or gives on, anything abstract: an argument, or a part of one. */
bool snoopi__has_abstract(const snoopi__defs *defs, uint32_t instance);

/** Whether an argument itself is abstract. */
bool snoopi__takes_abstract(const snoopi__defs *defs, uint32_t instance);

/**
 * Whether the compiler can't tell the type of a value of `type`, not even by trying a few: it is abstract, a Union of more than
 * four, or a tuple that holds such.
 */
bool snoopi__is_loose(const snoopi__defs *defs, uint32_t type);

/** Whether a value of the concrete type `value` may be one of `type`, or come out of a tuple of it, as far as names of types tell. */
bool snoopi__may_be(const snoopi__defs *defs, uint32_t value, uint32_t type);

/** Whether a type is Any. */
bool snoopi__is_any(const snoopi__defs *defs, uint32_t type);

/** Types of the argument at a position (0: the function itself), each once, over the instances; to be freed. NULL when memory is short. */
uint32_t *snoopi__types_at(snoopi__findings *findings, const uint32_t *instances, size_t n,
                           uint32_t position, uint32_t *n_types);

/** One more than the last position that any of the instances has, of those that are looked at. */
uint32_t snoopi__count_positions(const snoopi__findings *findings, const uint32_t *instances,
                                 size_t n);

/** Of an instance of a closure's method: names of the captured variables that are in boxes; NULL: none. */
const char *snoopi__boxes_of(const snoopi__defs *defs, uint32_t instance);

/** The names of a NamedTuple type: a node that is the same for the same names; 0 if it is none. */
uint32_t snoopi__keyword_names(const snoopi__defs *defs, uint32_t node);

/** A type for people, cut where it is long. In static memory of `findings`' arena. */
const char *snoopi__type_text(snoopi__findings *findings, uint32_t node);

/**
 * Adds a line of evidence for each argument whose type varies over the instances: which types, and how many.
 *
 * @return number of arguments that vary.
 */
uint32_t snoopi__tell_varying(snoopi__findings *findings, snoopi__finding *finding,
                              const uint32_t *instances, size_t n, const char *verb);

/** Positions, from 1, of the arguments that vary, as "2" or "1, 3"; "" if none does. */
const char *snoopi__varying_positions(snoopi__findings *findings, const uint32_t *instances,
                                      size_t n);

#endif
