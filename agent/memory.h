// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_MEMORY_H
#define SNOOPI_AGENT_MEMORY_H

/**
 * @file
 * Memory of the agent's own: never the host's heap, which the host may be inside of.
 */
#include <stddef.h>
#include <sys/mman.h>

/** Zeroed address space, of which only what is touched takes memory; NULL when there is none. */
static inline void *memory_map(size_t size)
{
    void *const at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

#endif
