// SPDX-License-Identifier: MIT
// An open-addressing hash table keyed by 128-bit hashes. See idset.h.
#include "idset.h"

#include <stdlib.h>

#define XXH_INLINE_ALL // no symbol of a library that the host may have too
#include <xxhash.h>

struct idset_slot {
    uint64_t low;
    uint64_t high;
    uint32_t number;
    uint32_t is_used;
};

enum { SLOTS_MIN = 64 };

void snoopi__idset_clear(snoopi__idset *set)
{
    free(set->slots);
    *set = (snoopi__idset){0};
}

static struct idset_slot *probe(struct idset_slot *slots, size_t capacity, uint64_t low,
                                uint64_t high)
{
    size_t i = (size_t)low & (capacity - 1);
    while (slots[i].is_used && (slots[i].low != low || slots[i].high != high)) {
        i = (i + 1) & (capacity - 1);
    }
    return &slots[i];
}

static int rehash(snoopi__idset *set)
{
    const size_t capacity = set->capacity ? set->capacity * 2 : SLOTS_MIN;
    struct idset_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots) {
        return -1;
    }
    for (size_t i = 0; i < set->capacity; i++) {
        const struct idset_slot *old = &set->slots[i];
        if (old->is_used) {
            *probe(slots, capacity, old->low, old->high) = *old;
        }
    }
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    return 0;
}

uint32_t *snoopi__idset_find(snoopi__idset *set, uint64_t seed, const void *bytes, size_t size)
{
    if (set->count >= set->capacity / 4 * 3 && rehash(set) < 0) {
        return NULL;
    }
    // Not as XXH3's seed: in strings of 4 to 8 bytes that one is added to the bytes, so that two kinds could meet.
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    hash.low64 ^= seed * 0x9e3779b97f4a7c15;
    struct idset_slot *slot = probe(set->slots, set->capacity, hash.low64, hash.high64);
    if (!slot->is_used) {
        *slot = (struct idset_slot){.low = hash.low64, .high = hash.high64, .is_used = 1};
        set->count++;
    }
    return &slot->number;
}
