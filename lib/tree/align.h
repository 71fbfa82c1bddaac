// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ALIGN_H
#define SNOOPI_ALIGN_H

/**
 * @file
 * Aligning two sequences: pairs that keep the order of both and whose scores sum up to the most.
 */
#include <stddef.h>
#include <stdint.h>

#define SNOOPI__ALIGN_NONE UINT32_MAX

/** How well the i-th of the first fits the j-th of the second; above 0, and at most about 1000. */
typedef unsigned snoopi__align_score(void *payload, size_t i, size_t j);

/**
 * Aligns n to m.
 *
 * Where n × m is beyond a bound, the first min(n, m) of each are paired as they come.
 *
 * @param partner  of n; gets the index in the second, or SNOOPI__ALIGN_NONE.
 * @return 0 or SNOOPI_E_NOMEM.
 */
int snoopi__align(uint32_t *partner, size_t n, size_t m, snoopi__align_score *score, void *payload);

#endif
