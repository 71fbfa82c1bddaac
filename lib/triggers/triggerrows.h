// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TRIGGERROWS_H
#define SNOOPI_TRIGGERROWS_H

/**
 * @file
 * Rows of triggers while they are gathered, and how they are put in order.
 */
#include <snoopi/triggers.h>

/** Zero-initialize it. */
typedef struct {
    snoopi_trigger_row *rows;
    size_t n;
    size_t capacity;
    uint64_t n_found; /* without the limit; once finished */
} snoopi__triggerrows;

/** A new row behind the last, not initialized; moves them all. NULL when memory is short. */
snoopi_trigger_row *snoopi__triggerrows_add(snoopi__triggerrows *rows);

/**
 * Sorts the rows, and drops those that are not asked for. Rows of a tree are laid out in pre-order, their parents are
 * numbers of rows before and after. False when memory is short.
 */
bool snoopi__triggerrows_finish(snoopi__triggerrows *rows, const snoopi_triggers_options *options);

void snoopi__triggerrows_clear(snoopi__triggerrows *rows);

#endif
