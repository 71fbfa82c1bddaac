// SPDX-License-Identifier: MIT
#ifndef SNOOPI_NODES_H
#define SNOOPI_NODES_H

/**
 * @file
 * The nodes of a merged tree while it grows, and the order they are shown in. A node has a higher number than the one above it.
 */
#include <snoopi/tree.h>

#include "base/idset.h"
#include "keys.h"

#define SNOOPI__NODE_TOP UINT32_MAX /* what outermost nodes hang on */

typedef struct {
    uint32_t above;
    uint32_t key;
    uint32_t depth;
    uint64_t self_ns;
    uint64_t total_ns;
    uint64_t gc_ns;
    uint64_t count;
    uint64_t roots;
} snoopi__node;

/** Zero-initialize it to begin. */
typedef struct {
    snoopi__node *nodes;
    size_t n;
    size_t capacity;
    snoopi__idset set; /* (above, key) → number + 1 */
} snoopi__nodes;

void snoopi__nodes_clear(snoopi__nodes *nodes);

/** The number of the node of a key below another, made if it is new. False when memory is short. */
bool snoopi__nodes_find(snoopi__nodes *nodes, uint32_t above, uint32_t key, uint32_t *number);

/** The number of the node of a key below another; SNOOPI__NODE_TOP if there is none. False when memory is short. */
bool snoopi__nodes_look(snoopi__nodes *nodes, uint32_t above, uint32_t key, uint32_t *number);

/**
 * Gives up the deepest levels, so that at most `n` nodes are left, but the first level always is.
 *
 * @param map  an array of the caller's to free: by number of a node the one that it has now, SNOOPI__NODE_TOP if it is gone.
 * @return levels that are left; 0 when memory is short.
 */
uint32_t snoopi__nodes_cut(snoopi__nodes *nodes, size_t n, uint32_t **map);

/** The row of a node, without id and parent. */
snoopi_row snoopi__nodes_row(const snoopi__nodes *nodes, const snoopi__keys *keys, uint32_t number);

/** The nodes that are shown. */
typedef struct {
    uint32_t *order;    /* numbers of nodes, in pre-order */
    uint32_t *position; /* of a node in `order` */
    size_t n;
    uint64_t n_found; /* before the limit */
} snoopi__layout;

/** Chooses and orders. Returns 0 or SNOOPI_E_NOMEM. To be cleared also after a failure. */
int snoopi__layout_init(snoopi__layout *layout, const snoopi__nodes *nodes, snoopi__keys *keys,
                        snoopi_sort sort, uint64_t tmin_ns, uint64_t limit, snoopi_error *err);
void snoopi__layout_clear(snoopi__layout *layout);

#endif
