// SPDX-License-Identifier: MIT
#include "nodes.h"

#include <stdlib.h>

#include "base/buffer.h"

void snoopi__nodes_clear(snoopi__nodes *nodes)
{
    free(nodes->nodes);
    snoopi__idset_clear(&nodes->set);
    *nodes = (snoopi__nodes){0};
}

bool snoopi__nodes_find(snoopi__nodes *nodes, uint32_t above, uint32_t key, uint32_t *number)
{
    const uint32_t place[2] = {above, key};
    uint32_t *const known = snoopi__idset_find(&nodes->set, 0, place, sizeof place);
    if (!known) {
        return false;
    }
    if (*known == 0) {
        if (nodes->n == nodes->capacity) {
            snoopi__node *const grown =
                snoopi__grow(nodes->nodes, &nodes->capacity, nodes->n + 1, sizeof *grown);
            if (!grown || nodes->n >= SNOOPI__NODE_TOP - 1) {
                return false;
            }
            nodes->nodes = grown;
        }
        const uint32_t depth = above == SNOOPI__NODE_TOP ? 0 : nodes->nodes[above].depth + 1;
        nodes->nodes[nodes->n++] = (snoopi__node){.above = above, .key = key, .depth = depth};
        *known = (uint32_t)nodes->n;
    }
    *number = *known - 1;
    return true;
}

bool snoopi__nodes_look(snoopi__nodes *nodes, uint32_t above, uint32_t key, uint32_t *number)
{
    const uint32_t place[2] = {above, key};
    const uint32_t *const known = snoopi__idset_find(&nodes->set, 0, place, sizeof place);
    *number = known && *known ? *known - 1 : SNOOPI__NODE_TOP;
    return known != NULL;
}

// The most levels that have no more than `n` nodes, at least one; 0 when memory is short.
static uint32_t levels_of(const snoopi__nodes *nodes, size_t n)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < nodes->n; i++) {
        deepest = nodes->nodes[i].depth > deepest ? nodes->nodes[i].depth : deepest;
    }
    size_t *const on_level = calloc((size_t)deepest + 1, sizeof *on_level);
    if (!on_level) {
        return 0;
    }
    for (size_t i = 0; i < nodes->n; i++) {
        on_level[nodes->nodes[i].depth]++;
    }
    uint32_t levels = 1;
    size_t sum = on_level[0];
    while (levels <= deepest && sum + on_level[levels] <= n) {
        sum += on_level[levels++];
    }
    free(on_level);
    return levels;
}

uint32_t snoopi__nodes_cut(snoopi__nodes *nodes, size_t n, uint32_t **map)
{
    const uint32_t levels = levels_of(nodes, n);
    const size_t n_before = nodes->n;
    uint32_t *const now = levels ? malloc((n_before + 1) * sizeof *now) : NULL;
    *map = now;
    if (!now) {
        return 0;
    }
    snoopi__idset_clear(&nodes->set);
    nodes->n = 0;
    for (size_t i = 0; i < n_before; i++) {
        const snoopi__node node = nodes->nodes[i];
        now[i] = SNOOPI__NODE_TOP;
        if (node.depth >= levels) {
            continue;
        }
        // Found anew among those before it, which leaves it where it is or moves it down.
        const uint32_t above = node.above == SNOOPI__NODE_TOP ? SNOOPI__NODE_TOP : now[node.above];
        if (!snoopi__nodes_find(nodes, above, node.key, &now[i])) {
            free(now);
            *map = NULL;
            return 0;
        }
        nodes->nodes[now[i]] = node;
        nodes->nodes[now[i]].above = above;
    }
    return levels;
}

snoopi_row snoopi__nodes_row(const snoopi__nodes *nodes, const snoopi__keys *keys, uint32_t number)
{
    const snoopi__node *const node = &nodes->nodes[number];
    snoopi_row row = snoopi__keys_row(keys, node->key);
    row.self_ns = node->self_ns;
    row.total_ns = node->total_ns;
    row.gc_ns = node->gc_ns;
    row.count = node->count;
    row.roots = node->roots;
    row.depth = node->depth;
    return row;
}
