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
