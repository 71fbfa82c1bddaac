// SPDX-License-Identifier: MIT
// See invalidations.h.
#include "invalidations.h"

#include <stdlib.h>

struct snoopi__invalidated_entry {
    uint32_t process;
    uint32_t instance;
    uint32_t number; // in the trace
    bool is_taken;   // by a frame
    uint64_t world;
};

static int compare_numbers(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int compare_entries(const void *a, const void *b)
{
    const snoopi__invalidated_entry *left = a;
    const snoopi__invalidated_entry *right = b;
    int order = compare_numbers(left->process, right->process);
    order = order ? order : compare_numbers(left->instance, right->instance);
    return order ? order : compare_numbers(left->number, right->number);
}

static int compare_items(const void *a, const void *b)
{
    const snoopi__invalidation *left = a;
    const snoopi__invalidation *right = b;
    const int order = compare_numbers(left->process, right->process);
    return order ? order : compare_numbers(left->world, right->world);
}

bool snoopi__invalidations_begin(snoopi__invalidations *list, const snoopi_trace *trace)
{
    const uint32_t n = snoopi_trace_n_invalidated(trace);
    if (n == 0) {
        return true;
    }
    list->items = calloc(n, sizeof *list->items);
    list->entries = calloc(n, sizeof *list->entries);
    if (!list->items || !list->entries) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_invalidated *told = snoopi_trace_invalidated(trace, i);
        list->items[i] = (snoopi__invalidation){.process = told->process, .world = told->world};
        list->entries[i] = (snoopi__invalidated_entry){.process = told->process,
                                                       .instance = told->instance,
                                                       .number = i,
                                                       .world = told->world};
    }
    qsort(list->items, n, sizeof *list->items, compare_items);
    qsort(list->entries, n, sizeof *list->entries, compare_entries);
    list->n_entries = n;
    for (uint32_t i = 0; i < n; i++) {
        if (list->n == 0 || compare_items(&list->items[i], &list->items[list->n - 1]) != 0) {
            list->items[list->n++] = list->items[i];
        }
    }
    return true;
}

static snoopi__invalidation *find_item(snoopi__invalidations *list, uint32_t process,
                                       uint64_t world)
{
    const snoopi__invalidation wanted = {.process = process, .world = world};
    return bsearch(&wanted, list->items, list->n, sizeof wanted, compare_items);
}

// What the trace tells of a frame with the flag: of an instance that has several, each is told by one entry, in order.
static snoopi__invalidated_entry *take_entry(snoopi__invalidations *list, const snoopi_frame *frame)
{
    size_t low = 0;
    size_t high = list->n_entries;
    const snoopi__invalidated_entry wanted = {.process = frame->process,
                                              .instance = frame->instance};
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_entries(&list->entries[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < list->n_entries && list->entries[low].process == frame->process &&
           list->entries[low].instance == frame->instance;
         low++) {
        if (!list->entries[low].is_taken) {
            list->entries[low].is_taken = true;
            return &list->entries[low];
        }
    }
    return NULL;
}

// Whether the frame is of a method that was defined in the world behind one that ended something.
static void note_definer(snoopi__invalidations *list, const snoopi__defs *defs,
                         const snoopi_frame *frame)
{
    const uint32_t method = defs->instances[frame->instance].method;
    const uint64_t world = method ? defs->methods[method].world : 0;
    snoopi__invalidation *item = world > 0 ? find_item(list, frame->process, world - 1) : NULL;
    if (item && item->definer == 0) {
        item->definer = frame->instance;
    } else if (item && defs->instances[item->definer].method != method) {
        item->has_others = true;
    }
}

void snoopi__invalidations_add(snoopi__invalidations *list, const snoopi__defs *defs,
                               const snoopi_frame *frame)
{
    if (list->n == 0) {
        return;
    }
    note_definer(list, defs, frame);
    snoopi__invalidated_entry *entry =
        frame->flags & SNOOPI_FRAME_INVALIDATED ? take_entry(list, frame) : NULL;
    snoopi__invalidation *item = entry ? find_item(list, frame->process, entry->world) : NULL;
    if (!item) {
        return;
    }
    item->frames++;
    item->self_ns += frame->self_ns;
    if (item->most == 0 || frame->self_ns > item->most_self_ns) {
        item->most = frame->instance;
        item->most_self_ns = frame->self_ns;
    }
}

void snoopi__invalidations_clear(snoopi__invalidations *list)
{
    free(list->items);
    free(list->entries);
    *list = (snoopi__invalidations){0};
}
