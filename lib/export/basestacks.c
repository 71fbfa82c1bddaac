// SPDX-License-Identifier: MIT
// See basestacks.h. A node has a higher number than the one above it, so one pass in the order of numbers finds all.
#include "basestacks.h"

#include <stdlib.h>

#include "base/fail.h"
#include "tree/match.h"

// The number of a key in the new recording, by its number in the base; UINT32_MAX: it is gone.
typedef struct {
    uint32_t *of_base;
} key_map;

static void note_pair(void *payload, const snoopi__diff_entry *before,
                      const snoopi__diff_entry *after)
{
    const key_map *const map = payload;
    if (before) {
        map->of_base[before->number] = after ? (uint32_t)after->number : UINT32_MAX;
    }
}

int snoopi__base_match(uint32_t **of_base, const snoopi__keys *base_keys, snoopi_trace *const *base,
                       const snoopi__keys *keys, snoopi_trace *const *trace, snoopi_by by)
{
    snoopi__diffside sides[2] = {{0}, {0}};
    key_map map = {calloc(base_keys->n_keys + 1, sizeof *map.of_base)};
    int status = map.of_base ? SNOOPI_OK : SNOOPI_E_NOMEM;
    if (status == SNOOPI_OK) {
        status = snoopi__diffside_of_keys(&sides[0], base, base_keys);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__diffside_of_keys(&sides[1], trace, keys);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__match(sides, by, note_pair, &map);
    }
    snoopi__diffside_clear(&sides[0]);
    snoopi__diffside_clear(&sides[1]);
    *of_base = map.of_base;
    return status;
}

// Finds the nodes of the base; `of_base` gets the number + 1 of each in the new stacks, or 0. False when memory is short.
static bool find_nodes(snoopi__basestacks *was, const snoopi__nodes *base,
                       const uint32_t *key_of_base, snoopi__nodes *nodes, uint32_t *of_base)
{
    for (size_t i = 0; i < base->n; i++) {
        const snoopi__node *const node = &base->nodes[i];
        const bool is_top = node->above == SNOOPI__NODE_TOP;
        const uint32_t key = key_of_base[node->key];
        uint32_t number = SNOOPI__NODE_TOP;
        if (!is_top && of_base[node->above] == 0) {
            continue; // it is gone with the one above
        }
        if (key != UINT32_MAX &&
            !snoopi__nodes_look(nodes, is_top ? SNOOPI__NODE_TOP : of_base[node->above] - 1, key,
                                &number)) {
            return false;
        }
        if (number == SNOOPI__NODE_TOP) {
            was->gone_ns += node->total_ns;
            was->gone_count += node->count;
        } else {
            of_base[i] = number + 1;
            was->nodes[number] = *node;
        }
    }
    return true;
}

int snoopi__basestacks_init(snoopi__basestacks *was, snoopi__stacks *stacks, snoopi_trace *trace,
                            snoopi_trace *base, const snoopi_export_options *options,
                            snoopi_error *err)
{
    snoopi__stacks old = {0};
    uint32_t *key_of_base = NULL;
    uint32_t *of_base = NULL;
    *was = (snoopi__basestacks){0};
    int status = snoopi__stacks_init(&old, base, options, SNOOPI_SORT_NAME, false, err);
    if (status == SNOOPI_OK) {
        was->nodes = calloc(stacks->nodes.n + 1, sizeof *was->nodes);
        of_base = calloc(old.nodes.n + 1, sizeof *of_base);
        was->total_ns = old.total_ns;
        was->count = old.count;
        const bool is_found =
            was->nodes && of_base &&
            snoopi__base_match(&key_of_base, &old.select.keys, &base, &stacks->select.keys, &trace,
                               options->by) == SNOOPI_OK &&
            find_nodes(was, &old.nodes, key_of_base, &stacks->nodes, of_base);
        status = is_found ? SNOOPI_OK : snoopi__fail_nomem(err);
    }
    free(of_base);
    free(key_of_base);
    snoopi__stacks_clear(&old);
    return status;
}

void snoopi__basestacks_clear(snoopi__basestacks *was)
{
    free(was->nodes);
    *was = (snoopi__basestacks){0};
}
