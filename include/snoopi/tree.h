// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TREE_H
#define SNOOPI_TREE_H

/**
 * @file
 * Call trees of inference.
 *
 * Merged: frames with the same key and the same path above them are one node. self adds up to inference over all nodes.
 * Inverted: frames are merged by key, and below each stand those that caused it: what a node says (self, total, count)
 * is about the frames of its outermost node, as far as they were reached this way.
 * In the order of time: each frame for itself, streamed.
 *
 * Memory follows the number of nodes, about 120 bytes for each. When there are more than `max_nodes` the deepest levels are given up, so that
 * half of that are left, and the rest of the frames is merged without them: what is kept is exact, and snoopi_tree_levels() tells. In the order
 * of time memory is constant.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate.h"

SNOOPI_BEGIN_DECLS

/** Nodes that a merged tree may have unless it is told otherwise: 500 MB. */
#define SNOOPI_TREE_NODES_MAX 4194304

/** Begin with SNOOPI_TREE_INIT. */
typedef struct {
    snoopi_by by;     /* key of a node: instance, method, function, module, package or file */
    snoopi_sort sort; /* order of siblings */
    bool is_inverted;
    uint32_t depth; /* levels kept; 0: all */
    const char *
        root; /* only below frames of this name (a pattern); inverted: only callers of such; NULL: all */
    uint64_t
        tmin_ns; /* nodes whose sort key is less are left out, unless one below is kept; by count and name: whose total is */
    uint64_t
        limit; /* nodes kept, those with the greatest sort keys, and what is above them; 0: all */
    uint64_t max_nodes; /* beyond it the deepest levels are given up, down to the first */
    snoopi_scope scope;
    snoopi_filter
        filter; /* frames that do not match are passed over: what is below them hangs on what is above them */
} snoopi_tree_options;

// clang-format off
#define SNOOPI_TREE_INIT \
    {SNOOPI_BY_INSTANCE, SNOOPI_SORT_TOTAL, false, 0, NULL, 0, 0, SNOOPI_TREE_NODES_MAX, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}}
// clang-format on

/** A merged tree: nodes in pre-order, siblings sorted. */
typedef struct snoopi_tree snoopi_tree;

/**
 * Builds the merged tree of a trace.
 *
 * @param out  NULL on failure; free with snoopi_tree_free(), before the trace is closed.
 * @param options  NULL: SNOOPI_TREE_INIT.
 * @return as snoopi_scan_open() and snoopi_scan_next(); SNOOPI_E_INVALID for a key that makes no tree.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_tree_new(snoopi_tree **out, snoopi_trace *trace,
                                                 const snoopi_tree_options *options,
                                                 snoopi_error *err);

SNOOPI_API void snoopi_tree_free(snoopi_tree *tree);

/** Nodes that are kept; how many there would be without a limit. */
SNOOPI_API size_t snoopi_tree_n_nodes(const snoopi_tree *tree);
SNOOPI_API uint64_t snoopi_tree_n_found(const snoopi_tree *tree);

/** Levels that were kept when the tree had too many nodes; 0: it never had. */
SNOOPI_API uint32_t snoopi_tree_levels(const snoopi_tree *tree);

/** The node of an index below that: `id` is the index, `parent` that of the node above or −1, `depth` is 0 at the top. */
SNOOPI_API void snoopi_tree_node(const snoopi_tree *tree, size_t index, snoopi_row *node);

SNOOPI_API const snoopi_totals *snoopi_tree_totals(const snoopi_tree *tree);
SNOOPI_API const snoopi_totals *snoopi_tree_scope_totals(const snoopi_tree *tree);

/** Called for each frame; returns false to end the walk. The row is valid for the call. */
typedef bool snoopi_tree_visitor(void *payload, const snoopi_row *frame);

/**
 * Visits the frames of a tree in the order of time. Heeds depth, root, tmin (of total), limit, scope and filter; by, sort and
 * is_inverted do not matter. `id` and `parent` are those of frames: the parent is the frame above that was visited, or −1.
 *
 * @param totals  filled with the sums of the recording, of what was walked over; may be NULL.
 * @param scope_totals  likewise of the scope.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_tree_visit(snoopi_trace *trace,
                                                   const snoopi_tree_options *options,
                                                   snoopi_tree_visitor *visitor, void *payload,
                                                   snoopi_totals *totals,
                                                   snoopi_totals *scope_totals, snoopi_error *err);

SNOOPI_END_DECLS
#endif
