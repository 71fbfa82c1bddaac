// SPDX-License-Identifier: MIT
//
// Key → id. Linear probing at a load of one half at most.

#include "intern.h"

#include <string.h>

#include "agent.h"
#include "memory.h"

enum {
    FIRST_ENTRIES = 128 << 10, /* enough for most programs: growing takes milliseconds */
    HUGE_PAGE = 2 << 20
};

/* The slot that holds `key`, or the free one where it belongs. */
static struct intern_entry *slot_of(struct intern_entry *entries, uint64_t mask, uint64_t key)
{
    for (uint64_t i = key;; i++) {
        struct intern_entry *const entry = &entries[i & mask];
        if (entry->key == 0 || entry->key == key) {
            return entry;
        }
    }
}

/*
 * Room for `n` entries, on huge pages if they fill one. Entries are met at random while the compiler has emptied every cache, so
 * each page of its own would cost a fault and, later, a miss of the address translation.
 */
static struct intern_entry *map_entries(uint64_t n)
{
    const size_t size = n * sizeof(struct intern_entry);
    char *const whole = memory_map(size + HUGE_PAGE);
    if (whole == NULL) {
        return NULL;
    }
    const size_t before = (HUGE_PAGE - ((uintptr_t)whole & (HUGE_PAGE - 1))) & (HUGE_PAGE - 1);
    char *const at = whole + before;
    if (before > 0) {
        (void)munmap(whole, before);
    }
    (void)munmap(at + size, HUGE_PAGE - before);
    if (size >= HUGE_PAGE) {
        (void)madvise(at, size, MADV_HUGEPAGE);
    }
    for (size_t i = 0; i < size; i += 4096) {
        *(volatile char *)(at + i) = 0;
    }
    return (struct intern_entry *)(void *)at;
}

RARELY static bool grow(struct intern_table *table)
{
    const uint64_t first = table->first_entries != 0 ? table->first_entries : FIRST_ENTRIES;
    const uint64_t n = table->entries == NULL ? first : (table->mask + 1) * 2;
    struct intern_entry *const entries = map_entries(n);
    struct intern_entry *const old = table->entries;

    if (entries == NULL) {
        return false;
    }
    for (uint64_t i = 0; old != NULL && i <= table->mask; i++) {
        if (old[i].key != 0) {
            *slot_of(entries, n - 1, old[i].key) = old[i];
        }
    }
    /* A jump between these stores leaves a small mask over the large array: entries are missed
     * and written again, no more. */
    const uint64_t old_n = old == NULL ? 0 : table->mask + 1;
    table->entries = entries;
    table->mask = n - 1;
    if (old != NULL) {
        (void)munmap(old, old_n * sizeof *old);
    }
    return true;
}

uint32_t intern_find(const struct intern_table *table, uint64_t key)
{
    return table->entries == NULL ? 0 : (uint32_t)slot_of(table->entries, table->mask, key)->id;
}

bool intern_reserve(struct intern_table *table)
{
    return table->entries != NULL || grow(table);
}

bool intern_put(struct intern_table *table, uint64_t key, uint32_t id)
{
    if (table->entries == NULL || table->count * 2 >= table->mask) {
        if (!grow(table)) {
            return false;
        }
    }
    struct intern_entry *const entry = slot_of(table->entries, table->mask, key);
    table->count += entry->key == 0 ? 1 : 0;
    entry->id = id;
    __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
    return true;
}

uint64_t intern_hash(const void *bytes, size_t size, uint32_t kind)
{
    const uint64_t m = 0xc6a4a7935bd1e995u;
    const uint8_t *at = bytes;
    uint64_t h = kind ^ (size * m);

    for (; size >= 8; size -= 8, at += 8) {
        uint64_t k;
        memcpy(&k, at, 8);
        k *= m;
        k ^= k >> 47;
        k *= m;
        h = (h ^ k) * m;
    }
    if (size > 0) {
        uint64_t k = 0;
        memcpy(&k, at, size);
        h = (h ^ k) * m;
    }
    h ^= h >> 47;
    h *= m;
    h ^= h >> 47;
    return h == 0 ? 1 : h;
}
