// SPDX-License-Identifier: MIT
// From nodes as they came to pre-order: mark what is kept, put siblings side by side and in order, walk down. Each step is linear in
// the number of nodes but the sorting of siblings, of which there are few.
#include "nodes.h"

#include <stdlib.h>

#include "base/fail.h"
#include "rowheap.h"

typedef struct {
    const snoopi__nodes *nodes;
    snoopi_sort sort;
    uint32_t *key_ranks; // by key: its place in the order of names
    bool *is_kept;       // by node
    uint32_t *first;     // by node: where its children begin in `placed`; one more at the end
    uint32_t *placed;    // children of the first node, of the second, …; then the outermost nodes
    uint32_t *work;
} laying;

static uint64_t sort_key_of(const snoopi__node *node, snoopi_sort sort)
{
    const snoopi_row row = {.self_ns = node->self_ns,
                            .total_ns = node->total_ns,
                            .gc_ns = node->gc_ns,
                            .count = node->count};
    return snoopi__row_sort_key(&row, sort);
}

static int compare_keys(const void *a, const void *b, void *keys)
{
    const snoopi_row row_a = snoopi__keys_row(keys, *(const uint32_t *)a);
    const snoopi_row row_b = snoopi__keys_row(keys, *(const uint32_t *)b);
    return snoopi__row_compare(&row_a, &row_b, SNOOPI_SORT_NAME);
}

// Names are compared here, once for each key, and nowhere else.
static bool rank_keys(laying *l, snoopi__keys *keys)
{
    uint32_t *const order = calloc(keys->n_keys + 1, sizeof *order);
    l->key_ranks = calloc(keys->n_keys + 1, sizeof *l->key_ranks);
    if (order && l->key_ranks) {
        for (size_t i = 0; i < keys->n_keys; i++) {
            order[i] = (uint32_t)i;
        }
        qsort_r(order, keys->n_keys, sizeof *order, compare_keys, keys);
        for (size_t i = 0; i < keys->n_keys; i++) {
            l->key_ranks[order[i]] = (uint32_t)i;
        }
    }
    free(order);
    return order && l->key_ranks;
}

// The order of siblings, and of nodes that compete for a place: greatest first, then by name, then as they came.
static int compare_nodes(const void *a, const void *b, void *laying_of_them)
{
    const laying *const l = laying_of_them;
    const uint32_t number_a = *(const uint32_t *)a;
    const uint32_t number_b = *(const uint32_t *)b;
    const snoopi__node *const node_a = &l->nodes->nodes[number_a];
    const snoopi__node *const node_b = &l->nodes->nodes[number_b];
    const uint64_t key_a = sort_key_of(node_a, l->sort);
    const uint64_t key_b = sort_key_of(node_b, l->sort);
    if (key_a != key_b) {
        return key_a > key_b ? -1 : 1;
    }
    if (node_a->key != node_b->key) {
        return l->key_ranks[node_a->key] < l->key_ranks[node_b->key] ? -1 : 1;
    }
    return number_a < number_b ? -1 : number_a > number_b;
}

// ---- what is kept

// What is not below the minimum, and all above it. Returns how many.
static size_t keep_wanted(const laying *l, uint64_t tmin_ns)
{
    size_t n = 0;
    for (size_t i = l->nodes->n; i-- > 0;) {
        const snoopi__node *const node = &l->nodes->nodes[i];
        const snoopi_row row = {.self_ns = node->self_ns,
                                .total_ns = node->total_ns,
                                .gc_ns = node->gc_ns,
                                .count = node->count};
        l->is_kept[i] = l->is_kept[i] || snoopi__row_is_wanted(&row, l->sort, tmin_ns);
        n += l->is_kept[i];
        if (l->is_kept[i] && node->above != SNOOPI__NODE_TOP) {
            l->is_kept[node->above] = true;
        }
    }
    return n;
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

// Puts the first `limit` of the order in front, themselves in no order (quickselect).
static void select_first(laying *l, uint32_t *numbers, size_t n, size_t limit)
{
    size_t low = 0;
    size_t high = n;
    while (high - low > 1) {
        const uint32_t pivot = numbers[low + (high - low) / 2];
        size_t i = low;
        size_t j = high - 1;
        for (;;) {
            while (compare_nodes(&numbers[i], &pivot, l) < 0) {
                i++;
            }
            while (compare_nodes(&numbers[j], &pivot, l) > 0) {
                j--;
            }
            if (i >= j) {
                break;
            }
            const uint32_t swapped = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = swapped;
        }
        // Now low … j are not after the pivot, and j + 1 … high − 1 not before it.
        if (limit <= j) {
            high = j + 1 < high ? j + 1 : high - 1;
        } else {
            low = j + 1 > low ? j + 1 : low + 1;
        }
    }
}

// Of the nodes in `ranked`, the first ones that fit into `limit` together with what is above them.
static void keep_first(const laying *l, const uint32_t *ranked, size_t n, uint64_t limit)
{
    const snoopi__node *const nodes = l->nodes->nodes;
    uint64_t left = limit;
    for (size_t i = 0; i < n; i++) {
        uint64_t needed = 0;
        for (uint32_t at = ranked[i]; at != SNOOPI__NODE_TOP && !l->is_kept[at];
             at = nodes[at].above) {
            needed++;
        }
        if (needed > left) {
            return;
        }
        for (uint32_t at = ranked[i]; at != SNOOPI__NODE_TOP && !l->is_kept[at];
             at = nodes[at].above) {
            l->is_kept[at] = true;
        }
        left -= needed;
    }
}

static void keep_within(laying *l, uint64_t limit)
{
    const size_t n = collect(l->work, l->is_kept, l->nodes->n);
    if (limit == 0 || n <= limit) {
        return;
    }
    select_first(l, l->work, n, (size_t)limit);
    qsort_r(l->work, (size_t)limit, sizeof *l->work, compare_nodes, l);
    for (size_t i = 0; i < l->nodes->n; i++) {
        l->is_kept[i] = false;
    }
    keep_first(l, l->work, (size_t)limit, limit);
}

// ---- their order

// Where the children of a node stand: the outermost nodes hang on one that is behind the last.
static size_t slot_of(const laying *l, uint32_t above)
{
    return above == SNOOPI__NODE_TOP ? l->nodes->n : above;
}

// Counts children, then gives each node its run.
static void place_siblings(laying *l)
{
    const size_t n = l->nodes->n;
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        l->first[slot_of(l, l->nodes->nodes[i].above)] += l->is_kept[i];
    }
    for (size_t slot = 0; slot <= n; slot++) {
        sum += l->first[slot];
        l->first[slot] = sum; // the end of the run; filling it from behind makes that its beginning
    }
    l->first[n + 1] = sum;
    for (size_t i = n; i-- > 0;) {
        if (l->is_kept[i]) {
            l->placed[--l->first[slot_of(l, l->nodes->nodes[i].above)]] = (uint32_t)i;
        }
    }
    for (size_t slot = 0; slot <= n; slot++) {
        const size_t length = l->first[slot + 1] - l->first[slot];
        if (length > 1) {
            qsort_r(&l->placed[l->first[slot]], length, sizeof *l->placed, compare_nodes, l);
        }
    }
}

static void push_children(const laying *l, size_t slot, size_t *n_stack)
{
    for (size_t i = l->first[slot + 1];
         i-- > l->first[slot];) { // the last one first: the first is taken next
        l->work[(*n_stack)++] = l->placed[i];
    }
}

static void walk_down(snoopi__layout *layout, const laying *l)
{
    size_t n_stack = 0;
    push_children(l, l->nodes->n, &n_stack);
    while (n_stack > 0) {
        const uint32_t node = l->work[--n_stack];
        layout->position[node] = (uint32_t)layout->n;
        layout->order[layout->n++] = node;
        push_children(l, node, &n_stack);
    }
}

int snoopi__layout_init(snoopi__layout *layout, const snoopi__nodes *nodes, snoopi__keys *keys,
                        snoopi_sort sort, uint64_t tmin_ns, uint64_t limit, snoopi_error *err)
{
    laying l = {.nodes = nodes, .sort = sort};
    const size_t room = nodes->n + 2;
    int status = SNOOPI_OK;

    *layout = (snoopi__layout){0};
    l.is_kept = calloc(room, sizeof *l.is_kept);
    l.first = calloc(room, sizeof *l.first);
    l.placed = calloc(room, sizeof *l.placed);
    l.work = calloc(room, sizeof *l.work);
    layout->order = calloc(room, sizeof *layout->order);
    layout->position = calloc(room, sizeof *layout->position);
    if (!l.is_kept || !l.first || !l.placed || !l.work || !layout->order || !layout->position ||
        !rank_keys(&l, keys)) {
        status = snoopi__fail_nomem(err);
        goto out;
    }
    layout->n_found = keep_wanted(&l, tmin_ns);
    keep_within(&l, limit);
    place_siblings(&l);
    walk_down(layout, &l);
out:
    free(l.key_ranks);
    free(l.is_kept);
    free(l.first);
    free(l.placed);
    free(l.work);
    return status;
}

void snoopi__layout_clear(snoopi__layout *layout)
{
    free(layout->order);
    free(layout->position);
    *layout = (snoopi__layout){0};
}
