// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_INTERN_H
#define SNOOPI_AGENT_INTERN_H

/**
 * @file Maps 64-bit keys to ids. A key is a hash of what makes a thing what it is (its address and
 * the words that identify it, or its content), so two things of one key are taken as one: at a
 * million things the chance that any two of them meet is 3 in 10^8.
 *
 * Open addressing in memory of its own (mmap), which doubles as it fills. The caller holds a lock.
 * An entry appears by one store that comes last, and a grown table is filled before it replaces
 * the old one, so a jump out of here loses entries at worst: what they stood for is written again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intern_entry {
    uint64_t key; /* 0: free */
    uint64_t id;
};

struct intern_table {
    struct intern_entry *entries; /* NULL before the first use */
    uint64_t mask;
    uint64_t count;
    uint64_t first_entries; /* a power of two; 0: what most programs need of definitions */
};

/** The id of `key`, or 0 when it is not there. */
uint32_t intern_find(const struct intern_table *table, uint64_t key);

/** Has the processor fetch what intern_find() will look at, if the table has entries. */
static inline void intern_expect(const struct intern_table *table, uint64_t key)
{
    __builtin_prefetch(&table->entries[key & table->mask]);
}

/** Makes room ahead of the first entry, at a time when that may take a while. */
bool intern_reserve(struct intern_table *table);

/**
 * Adds an entry. False when memory is short: the thing will be written again when it is met again.
 */
bool intern_put(struct intern_table *table, uint64_t key, uint32_t id);

/**
 * Two words as one: both halves of their product, after wyhash by Wang Yi (public domain). What is
 * mixed here has structure (a type lies at the same distance from its name as a thousand others
 * do), and sums and xors of multiples let such pairs meet.
 */
static inline uint64_t intern_mix(uint64_t a, uint64_t b)
{
    __extension__ const unsigned __int128 product =
        (unsigned __int128)(a ^ 0xa0761d6478bd642fu) * (b ^ 0xe7037ed1a0b428dbu);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/**
 * The key of an object: its address, what kind of thing it is taken for, and a word that changes
 * when it becomes another.
 */
static inline uint64_t intern_key(const void *object, uint32_t kind, uint64_t check)
{
    const uint64_t h = intern_mix(intern_mix((uintptr_t)object, check), kind);
    return h == 0 ? 1 : h;
}

/** The key of `size` bytes (MurmurHash64A by Austin Appleby, public domain), never 0. */
uint64_t intern_hash(const void *bytes, size_t size, uint32_t kind);

#endif
