// SPDX-License-Identifier: MIT
#ifndef SNOOPI_MERGEDSTACKS_H
#define SNOOPI_MERGEDSTACKS_H

/**
 * @file
 * Distinct stacks, for the formats that merge frames: a node is a frame with all that is above it, and what was left out by tmin
 * counts as the own time of what called it. Memory follows the number of nodes.
 */
#include <snoopi/export.h>

#include "base/arena.h"
#include "base/idset.h"
#include "tree/nodes.h"
#include "tree/path.h"
#include "tree/select.h"

/** What belongs to a node itself. */
typedef struct {
    uint64_t self_ns;
    uint64_t count;
    uint64_t n_constprop; /* of these, the frames with constants */
    uint32_t flags;       /* that any of them had */
} snoopi__stack_own;

/** What a sample says of itself, apart from its stack. */
typedef struct {
    uint32_t process;
    uint32_t thread;
    uint32_t flags;
    uint32_t root_stack; /* number + 1 of what called its root; 0: none, or not asked for */
} snoopi__stack_labels;

/** Codes of a native stack, innermost first. */
typedef struct {
    const uint32_t *codes;
    uint32_t n;
} snoopi__root_stack;

/** Frames of one node with the same labels. */
typedef struct {
    uint32_t node;
    uint32_t labels; /* number */
    uint64_t self_ns;
    uint64_t count; /* 0: the sample was left out */
} snoopi__stack_sample;

/** Fields are to be read; nodes.nodes[i].total_ns and .count are those of the node with all below it. */
typedef struct {
    snoopi__select select;
    snoopi__path path;
    snoopi__nodes nodes;
    snoopi__stack_own *own; /* by node */
    size_t own_capacity;
    snoopi__layout layout; /* nodes that are kept, in pre-order */
    uint64_t total_ns;     /* of all that are kept */
    uint64_t count;
    snoopi_totals totals; /* of the recording */
    snoopi_totals scope_totals;

    /* with samples only */
    bool has_samples;
    snoopi__idset sample_set;
    snoopi__stack_sample *samples;
    size_t n_samples;
    size_t samples_capacity;
    snoopi__idset labels_set;
    snoopi__stack_labels *labels;
    size_t n_labels;
    size_t labels_capacity;

    /* if the options ask for stacks: those of roots */
    snoopi__arena arena;
    snoopi__idset root_stack_set;
    snoopi__root_stack *root_stacks;
    size_t n_root_stacks;
    size_t root_stacks_capacity;
    uint32_t root_stack; /* of the root that frames are of: number + 1 */
} snoopi__stacks;

/**
 * Gathers the stacks that the options ask for.
 *
 * @param sort  order of siblings: by name, or by what is heavier.
 * @return as snoopi_export_stream(). To be cleared also after a failure.
 */
int snoopi__stacks_init(snoopi__stacks *stacks, snoopi_trace *trace,
                        const snoopi_export_options *options, snoopi_sort sort, bool has_samples,
                        snoopi_error *err);
void snoopi__stacks_clear(snoopi__stacks *stacks);

/** What a node, or a key, weighs. */
static inline uint64_t snoopi__stacks_weight(const snoopi_export_options *options, uint64_t ns,
                                             uint64_t count)
{
    return options->weight == SNOOPI_WEIGHT_COUNT ? count : ns;
}

#endif
