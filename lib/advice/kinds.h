// SPDX-License-Identifier: MIT
#ifndef SNOOPI_KINDS_H
#define SNOOPI_KINDS_H

/**
 * @file
 * The kinds of advice, each a look at what was gathered. docs/advice.md says how each is decided.
 */
#include "findings.h"
#include "gather.h"
#include "tree/keys.h"

/**
 * Functions that return what is not concrete, where that is then called with by dispatch. Sets `at_fault` of those sites.
 */
void snoopi__advise_results(snoopi__findings *findings, snoopi__gathered *gathered);

/** Calls by dispatch, but for those of snoopi__advise_results(). */
void snoopi__advise_calls(snoopi__findings *findings, const snoopi__gathered *gathered);

/** Instances of one method: `instances` are the ids of those that have frames, n at least 1. */
void snoopi__advise_method(snoopi__findings *findings, const snoopi__gathered *gathered,
                           const uint32_t *instances, size_t n);

/** Packages that could be precompiled. `packages` has the number of each instance's package. */
void snoopi__advise_packages(snoopi__findings *findings, const snoopi__gathered *gathered);

/** Definitions that invalidated inferred code. */
void snoopi__advise_invalidations(snoopi__findings *findings, const snoopi__gathered *gathered);

#endif
