// SPDX-License-Identifier: MIT
#ifndef SNOOPI_VARRANKS_H
#define SNOOPI_VARRANKS_H

/**
 * @file
 * Ranks of type variables, and what they were declared with: what tells those of a process apart that have the same name and
 * bounds (format.md 1.2).
 *
 * Most of these may become one, the `T` of Vector and the `T` of Set. One that is bound within the reach of another may not:
 * of `Pair{T, S} where S where T`, where both are called `T`, `Pair{T, T}` would be left.
 */
#include "defs.h"

/** For each node that is a type variable a number that tells it apart, by id; 0 elsewhere. To be freed; NULL: no memory. */
uint32_t *snoopi__variable_marks(const snoopi__defs *defs);

#endif
