// SPDX-License-Identifier: MIT
// An arena is a list of blocks; allocations are cut from the end of the newest. See arena.h.
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGN = 16, BLOCK_MIN = 4096, BLOCK_MAX = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size; // bytes behind this header
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

void snoopi__arena_init(snoopi__arena *arena)
{
    *arena = (snoopi__arena){0};
}

void snoopi__arena_clear(snoopi__arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    snoopi__arena_init(arena);
}

static struct arena_block *push_block(snoopi__arena *arena, size_t size)
{
    struct arena_block *block = malloc(sizeof *block + size);
    if (!block) {
        return NULL;
    }
    block->next = arena->blocks;
    block->size = size;
    arena->blocks = block;
    arena->total += sizeof *block + size;
    return block;
}

#ifdef SNOOPI_ARENA_DEBUG

void *snoopi__arena_alloc(snoopi__arena *arena, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_block)) {
        return NULL;
    }
    struct arena_block *block = push_block(arena, size);
    return block ? block->bytes : NULL;
}

#else

// Blocks grow with the arena, so that a small handle stays small and a large one asks malloc seldom.
static size_t block_size(const snoopi__arena *arena, size_t size)
{
    size_t wanted = arena->total < BLOCK_MIN ? BLOCK_MIN : arena->total;
    if (wanted > BLOCK_MAX) {
        wanted = BLOCK_MAX;
    }
    return size > wanted ? size : wanted;
}

void *snoopi__arena_alloc(snoopi__arena *arena, size_t size)
{
    if (size > PTRDIFF_MAX - sizeof(struct arena_block) - ARENA_ALIGN) {
        return NULL;
    }
    size = (size + ARENA_ALIGN) & ~(size_t)(ARENA_ALIGN - 1); // never 0, so that NULL means failure
    if (size > arena->left) {
        const struct arena_block *block = push_block(arena, block_size(arena, size));
        if (!block) {
            return NULL;
        }
        arena->left = block->size;
    }
    struct arena_block *block = arena->blocks;
    void *result = block->bytes + (block->size - arena->left);
    arena->left -= size;
    return result;
}

#endif

void *snoopi__arena_array(snoopi__arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    return snoopi__arena_alloc(arena, bytes);
}

char *snoopi__arena_text(snoopi__arena *arena, const void *bytes, size_t size)
{
    char *text = size < SIZE_MAX ? snoopi__arena_alloc(arena, size + 1) : NULL;
    if (text) {
        if (size > 0) {
            memcpy(text, bytes, size);
        }
        text[size] = '\0';
    }
    return text;
}
