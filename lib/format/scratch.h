// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SCRATCH_H
#define SNOOPI_SCRATCH_H

/**
 * @file
 * Memory that may grow to many gigabytes: it begins anonymous, and becomes a file without a name when it is large, so that
 * the system can write it out. Things in it are named by their offset, since it moves when it grows.
 */
#include <stddef.h>
#include <stdint.h>

#include "snoopi/error.h"

enum { SNOOPI__SCRATCH_FIRST = 64 }; /* offset of the first thing, so that 0 can mean "none" */

typedef struct {
    unsigned char *base;
    size_t size;
    size_t capacity;
    int fd;          /* −1 while it is anonymous */
    const char *dir; /* where the file goes; borrowed; NULL: the folder of temporary files */
} snoopi__scratch;

void snoopi__scratch_init(snoopi__scratch *scratch, const char *dir);
void snoopi__scratch_clear(snoopi__scratch *scratch);

/** Takes `size` bytes, aligned for 64-bit numbers, not zeroed. Returns their offset, or 0 on failure. */
size_t snoopi__scratch_alloc(snoopi__scratch *scratch, size_t size, snoopi_error *err);

/** Gives all back that was taken; the memory stays for what comes. */
void snoopi__scratch_reset(snoopi__scratch *scratch);

static inline void *snoopi__scratch_at(const snoopi__scratch *scratch, size_t offset)
{
    return scratch->base + offset;
}

#endif
