// SPDX-License-Identifier: MIT
// An open-addressing hash table that shrinks its runs on removal. See taskmap.h.
#include "taskmap.h"

#include <stdlib.h>

enum { SLOTS_MIN = 16 };

void snoopi__taskmap_clear(snoopi__taskmap *map)
{
    free(map->slots);
    *map = (snoopi__taskmap){0};
}

static size_t home_of(uint64_t key, size_t capacity)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (capacity - 1);
}

// The slot that has the key, or the free one where it belongs.
static snoopi__task *probe(snoopi__task *slots, size_t capacity, uint64_t key)
{
    size_t i = home_of(key, capacity);
    while (slots[i].key != 0 && slots[i].key != key) {
        i = (i + 1) & (capacity - 1);
    }
    return &slots[i];
}

snoopi__task *snoopi__taskmap_find(const snoopi__taskmap *map, uint64_t key)
{
    if (map->count == 0) {
        return NULL;
    }
    snoopi__task *task = probe(map->slots, map->capacity, key);
    return task->key ? task : NULL;
}

static int grow(snoopi__taskmap *map)
{
    const size_t capacity = map->capacity ? map->capacity * 2 : SLOTS_MIN;
    snoopi__task *slots = calloc(capacity, sizeof *slots);
    if (!slots) {
        return -1;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].key) {
            *probe(slots, capacity, map->slots[i].key) = map->slots[i];
        }
    }
    free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    return 0;
}

snoopi__task *snoopi__taskmap_add(snoopi__taskmap *map, uint64_t key)
{
    if (map->count >= map->capacity / 4 * 3 && grow(map) < 0) {
        return NULL;
    }
    snoopi__task *task = probe(map->slots, map->capacity, key);
    if (task->key == 0) {
        *task = (snoopi__task){.key = key};
        map->count++;
    }
    return task;
}

void snoopi__taskmap_remove(snoopi__taskmap *map, snoopi__task *task)
{
    const size_t mask = map->capacity - 1;
    size_t hole = (size_t)(task - map->slots);
    size_t i = hole;
    for (;;) {
        i = (i + 1) & mask;
        const uint64_t key = map->slots[i].key;
        if (key == 0) {
            break;
        }
        // What lies behind the hole moves into it, unless its home is between the two.
        const size_t home = home_of(key, map->capacity);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole] = (snoopi__task){0};
    map->count--;
}

snoopi__task *snoopi__taskmap_any(const snoopi__taskmap *map, size_t *position)
{
    for (; *position < map->capacity; (*position)++) {
        if (map->slots[*position].key) {
            return &map->slots[*position];
        }
    }
    return NULL;
}
