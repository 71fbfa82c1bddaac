// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TASKMAP_H
#define SNOOPI_TASKMAP_H

/**
 * @file
 * The tasks that have open frames, by key. A program may run millions of tasks, of which few infer at a time: memory
 * follows those few.
 */
#include <stddef.h>
#include <stdint.h>

#include "forest.h"

/** Zero-initialize it to begin. */
typedef struct {
    snoopi__task *slots; /* key 0: free */
    size_t capacity;     /* a power of two, or 0 */
    size_t count;
} snoopi__taskmap;

void snoopi__taskmap_clear(snoopi__taskmap *map);

/** The task of that key, which is not 0; NULL if it is not there. Valid until the map changes. */
snoopi__task *snoopi__taskmap_find(const snoopi__taskmap *map, uint64_t key);

/** The same, but puts it there. NULL when memory is short. */
snoopi__task *snoopi__taskmap_add(snoopi__taskmap *map, uint64_t key);

void snoopi__taskmap_remove(snoopi__taskmap *map, snoopi__task *task);

/** Any task that is there; NULL if none is. */
snoopi__task *snoopi__taskmap_any(const snoopi__taskmap *map, size_t *position);

#endif
