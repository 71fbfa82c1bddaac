// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_INTERN_H
#define SNOOPI_AGENT_INTERN_H

/**
 * @file
 * Maps from a word to an id: addresses of Julia's objects, and hashes of what was written. Open addressing in memory of its own
 * (mmap), which doubles as it fills. The caller holds a lock. An entry appears by one store that comes last, and a grown
 * table is filled before it replaces the old one, so a jump out of here loses entries at worst: what they stood for is written again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An entry. `check` guards against an address that was freed and used again: it must still hold the same. */
struct intern_entry {
    uint64_t key; /* 0: free */
    uint64_t check;
    uint32_t id;
    uint32_t kind;
};

struct intern_table {
    struct intern_entry *entries; /* NULL before the first use */
    uint64_t mask;
    uint64_t count;
};

/** The id for (`key`, `kind`), or 0 when it is not there or `check` differs. `key` must not be 0. */
uint32_t intern_find(const struct intern_table *table, uint64_t key, uint32_t kind, uint64_t check);

/** Adds or replaces an entry. False when memory is short: the thing will be written again when it is met again. */
bool intern_put(struct intern_table *table, uint64_t key, uint32_t kind, uint64_t check, uint32_t id);

/** A 64-bit hash of `size` bytes (MurmurHash64A by Austin Appleby, public domain). */
uint64_t intern_hash(const void *bytes, size_t size);

#endif
