// SPDX-License-Identifier: MIT
#ifndef SNOOPI_STACKTRIE_H
#define SNOOPI_STACKTRIE_H

/**
 * @file
 * Stacks of callers, each a path from the outermost one: who was called from where a call had been triggered before lies
 * below it.
 */
#include <snoopi/trace.h>

#include "base/idset.h"

#define SNOOPI__NO_ROW UINT32_MAX

/** Zero-initialize it. */
typedef struct {
    snoopi__idset set;  /* node and code → node */
    uint32_t *last_row; /* by node: the row that was last triggered from there, or SNOOPI__NO_ROW */
    size_t n;
    size_t capacity;
} snoopi__stacktrie;

void snoopi__stacktrie_clear(snoopi__stacktrie *trie);

/**
 * Walks down the stack of `root` to the code at `depth`.
 *
 * @param node   that code's node.
 * @param above  row that was last triggered from the nearest node above it, or SNOOPI__NO_ROW.
 * @return false when memory is short.
 */
bool snoopi__stacktrie_find(snoopi__stacktrie *trie, const snoopi_frame *root, uint32_t depth,
                            uint32_t *node, uint32_t *above);

#endif
