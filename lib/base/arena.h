// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ARENA_H
#define SNOOPI_ARENA_H

/**
 * @file
 * Memory that is given back all at once. What hangs on a handle lives in the handle's arena; nothing is freed singly.
 * Built with SNOOPI_ARENA_DEBUG each allocation is a malloc of its own, so that sanitizers see where it ends.
 */
#include <stddef.h>

struct arena_block;

typedef struct snoopi__arena {
    struct arena_block *blocks; /* newest first */
    size_t left;                /* bytes free in the newest */
    size_t total;               /* bytes asked from malloc */
} snoopi__arena;

/** An arena may also be zero-initialized. */
void snoopi__arena_init(snoopi__arena *arena);

/** Frees all that was allocated; the arena is empty then, and usable. */
void snoopi__arena_clear(snoopi__arena *arena);

/** `size` bytes, aligned for any type, not zeroed. NULL when memory is short. */
void *snoopi__arena_alloc(snoopi__arena *arena, size_t size);

/** `count` × `size` bytes; NULL also when the product overflows. */
void *snoopi__arena_array(snoopi__arena *arena, size_t count, size_t size);

/** A copy of `size` bytes with a NUL behind them. */
char *snoopi__arena_text(snoopi__arena *arena, const void *bytes, size_t size);

#endif
