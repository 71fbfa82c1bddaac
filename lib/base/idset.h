// SPDX-License-Identifier: MIT
#ifndef SNOOPI_IDSET_H
#define SNOOPI_IDSET_H

/**
 * @file
 * A table from byte strings to numbers, which tells equal ones apart from new ones: the base of hash-consing.
 *
 * Kept are 128-bit hashes (XXH3), not the strings. Two strings that differ collide by chance once in 2^64 tables;
 * who makes such a pair on purpose only garbles the trace that he wrote himself.
 */
#include <stddef.h>
#include <stdint.h>

struct idset_slot;

/** Zero-initialize it to begin. */
typedef struct {
    struct idset_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} snoopi__idset;

/** Frees the table; it is empty then, and usable. */
void snoopi__idset_clear(snoopi__idset *set);

/**
 * Finds the number of the bytes, which are of the kind `seed` (equal bytes of two kinds differ).
 *
 * @return where the number is stored; it reads 0 for bytes that were not known, and the caller then gives them theirs.
 *         Valid until the next call. NULL when memory is short.
 */
uint32_t *snoopi__idset_find(snoopi__idset *set, uint64_t seed, const void *bytes, size_t size);

#endif
