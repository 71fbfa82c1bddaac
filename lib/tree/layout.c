// SPDX-License-Identifier: MIT
// From nodes as they came to pre-order: mark what is kept, sort siblings together, walk down.
#include "nodes.h"

#include <stdlib.h>

#include "base/fail.h"
#include "rows.h"

typedef struct {
    const snoopi__nodes *nodes;
    const snoopi__keys *keys;
    snoopi_sort sort;
} sorting;

static uint64_t node_sort_key(const snoopi__node *node, snoopi_sort sort)
{
    const snoopi_row row = {.self_ns = node->self_ns,
                            .total_ns = node->total_ns,
                            .gc_ns = node->gc_ns,
                            .count = node->count};
    return snoopi__row_sort_key(&row, sort);
}

static int compare_nodes(uint32_t a, uint32_t b, const sorting *s)
{
    const uint64_t key_a = node_sort_key(&s->nodes->nodes[a], s->sort);
    const uint64_t key_b = node_sort_key(&s->nodes->nodes[b], s->sort);
    if (key_a != key_b) {
        return key_a > key_b ? -1 : 1;
    }
    const snoopi_row row_a = snoopi__nodes_row(s->nodes, s->keys, a);
    const snoopi_row row_b = snoopi__nodes_row(s->nodes, s->keys, b);
    const int order = snoopi__row_compare(&row_a, &row_b, s->sort);
    return order ? order : (a > b) - (a < b);
}

static int by_rank(const void *a, const void *b, void *s)
{
    return compare_nodes(*(const uint32_t *)a, *(const uint32_t *)b, s);
}

// Siblings side by side: outermost nodes last, since they hang on the greatest number.
static int by_place(const void *a, const void *b, void *s)
{
    const uint32_t above_a = ((const sorting *)s)->nodes->nodes[*(const uint32_t *)a].above;
    const uint32_t above_b = ((const sorting *)s)->nodes->nodes[*(const uint32_t *)b].above;
    if (above_a != above_b) {
        return above_a < above_b ? -1 : 1;
    }
    return by_rank(a, b, s);
}

// What is not below the minimum, and all above it. Returns how many.
static size_t keep_wanted(bool *is_kept, const sorting *s, uint64_t tmin_ns)
{
    size_t n = 0;
    for (size_t i = s->nodes->n; i-- > 0;) {
        const snoopi__node *const node = &s->nodes->nodes[i];
        const snoopi_row row = {.self_ns = node->self_ns,
                                .total_ns = node->total_ns,
                                .gc_ns = node->gc_ns,
                                .count = node->count};
        is_kept[i] = is_kept[i] || snoopi__row_is_wanted(&row, s->sort, tmin_ns);
        n += is_kept[i];
        if (is_kept[i] && node->above != SNOOPI__NODE_TOP) {
            is_kept[node->above] = true;
        }
    }
    return n;
}

// Of the nodes in `ranked`, the first ones that fit into `limit` together with what is above them.
static void keep_first(bool *is_kept, const uint32_t *ranked, size_t n, const snoopi__node *nodes,
                       uint64_t limit)
{
    uint64_t left = limit;
    for (size_t i = 0; i < n; i++) {
        is_kept[ranked[i]] = false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t needed = 0;
        for (uint32_t at = ranked[i]; at != SNOOPI__NODE_TOP && !is_kept[at];
             at = nodes[at].above) {
            needed++;
        }
        if (needed > left) {
            return;
        }
        for (uint32_t at = ranked[i]; at != SNOOPI__NODE_TOP && !is_kept[at];
             at = nodes[at].above) {
            is_kept[at] = true;
        }
        left -= needed;
    }
}

static size_t collect(uint32_t *numbers, const bool *is_kept, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_kept[i]) {
            numbers[count++] = (uint32_t)i;
        }
    }
    return count;
}

// `placed` holds siblings side by side. Walks down from the outermost nodes, whose run is the last one. first[i]: where the run of
// node i's children begins in `placed`.
static void walk_down(snoopi__layout *layout, const uint32_t *placed, size_t n,
                      const uint32_t *first, const snoopi__node *nodes, uint32_t *stack)
{
    size_t n_stack = 0;
    for (size_t i = n; i-- > 0 && nodes[placed[i]].above == SNOOPI__NODE_TOP;) {
        stack[n_stack++] = placed[i];
    }
    while (n_stack > 0) {
        const uint32_t node = stack[--n_stack];
        layout->position[node] = (uint32_t)layout->n;
        layout->order[layout->n++] = node;
        size_t end = first[node];
        while (end < n && nodes[placed[end]].above == node) {
            end++;
        }
        while (end-- > first[node]) { // the last one first, so that the first is taken next
            stack[n_stack++] = placed[end];
        }
    }
}

static void find_first(uint32_t *first, const uint32_t *placed, size_t n, const snoopi__node *nodes,
                       size_t n_nodes)
{
    for (size_t i = 0; i < n_nodes; i++) {
        first[i] = (uint32_t)n;
    }
    for (size_t i = n; i-- > 0;) {
        if (nodes[placed[i]].above != SNOOPI__NODE_TOP) {
            first[nodes[placed[i]].above] = (uint32_t)i;
        }
    }
}

int snoopi__layout_init(snoopi__layout *layout, const snoopi__nodes *nodes,
                        const snoopi__keys *keys, snoopi_sort sort, uint64_t tmin_ns,
                        uint64_t limit, snoopi_error *err)
{
    sorting s = {nodes, keys, sort};
    const size_t room = nodes->n + 1; // never 0
    int status = SNOOPI_OK;

    *layout = (snoopi__layout){0};
    bool *const is_kept = calloc(room, sizeof *is_kept);
    uint32_t *const placed = calloc(room, sizeof *placed);
    uint32_t *const first = calloc(room, sizeof *first);
    uint32_t *const stack = calloc(room, sizeof *stack);
    layout->order = calloc(room, sizeof *layout->order);
    layout->position = calloc(room, sizeof *layout->position);
    if (!is_kept || !placed || !first || !stack || !layout->order || !layout->position) {
        status = snoopi__fail_nomem(err);
        goto out;
    }
    size_t n = keep_wanted(is_kept, &s, tmin_ns);
    layout->n_found = n;
    n = collect(placed, is_kept, nodes->n);
    if (limit > 0 && n > limit) {
        qsort_r(placed, n, sizeof *placed, by_rank, &s);
        keep_first(is_kept, placed, n, nodes->nodes, limit);
        n = collect(placed, is_kept, nodes->n);
    }
    if (n > 0) {
        qsort_r(placed, n, sizeof *placed, by_place, &s);
        find_first(first, placed, n, nodes->nodes, nodes->n);
        walk_down(layout, placed, n, first, nodes->nodes, stack);
    }
out:
    free(is_kept);
    free(placed);
    free(first);
    free(stack);
    return status;
}

void snoopi__layout_clear(snoopi__layout *layout)
{
    free(layout->order);
    free(layout->position);
    *layout = (snoopi__layout){0};
}
