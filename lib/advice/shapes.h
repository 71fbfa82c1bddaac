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
