// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PATH_H
#define SNOOPI_PATH_H

/**
 * @file
 * The path from the root to the frame that a walk stands at, kept as frames come in pre-order.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buffer.h"

/** A frame on the path: what its owner wants to know of it. */
typedef struct {
    uint32_t depth;
    uint64_t number; /* of a key, a node or a frame */
} snoopi__path_item;

/** Zero-initialize it to begin. */
typedef struct {
    snoopi__path_item *items;
    size_t n;
    size_t capacity;
} snoopi__path;

static inline void snoopi__path_clear(snoopi__path *path)
{
    free(path->items);
    *path = (snoopi__path){0};
}

/** Whether the innermost item is not an ancestor of a frame of this depth; it is to be popped then. */
static inline bool snoopi__path_has_left(const snoopi__path *path, uint32_t depth)
{
    return path->n > 0 && path->items[path->n - 1].depth >= depth;
}

static inline snoopi__path_item snoopi__path_pop(snoopi__path *path)
{
    return path->items[--path->n];
}

/** False when memory is short. */
static inline bool snoopi__path_push(snoopi__path *path, uint32_t depth, uint64_t number)
{
    if (path->n == path->capacity) {
        snoopi__path_item *const grown =
            snoopi__grow(path->items, &path->capacity, path->n + 1, sizeof *grown);
        if (!grown) {
            return false;
        }
        path->items = grown;
    }
    path->items[path->n++] = (snoopi__path_item){depth, number};
    return true;
}

#endif
