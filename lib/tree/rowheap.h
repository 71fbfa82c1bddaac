// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ROWHEAP_H
#define SNOOPI_ROWHEAP_H

/**
 * @file
 * The rows that a listing keeps: all, or the first `limit` of the order, and then no more memory than these take.
 */
#include <snoopi/aggregate.h>

typedef struct {
    snoopi_row *rows; /* with a limit: a heap with the last of the kept ones on top */
    size_t n;
    size_t capacity;
    uint64_t limit; /* 0: none */
    uint64_t n_found;
    uint64_t tmin_ns;
    snoopi_sort sort;
} snoopi__rows;

void snoopi__rows_init(snoopi__rows *rows, snoopi_sort sort, uint64_t tmin_ns, uint64_t limit);
void snoopi__rows_clear(snoopi__rows *rows);

/** Takes a row, if its sort key is not below the minimum. False when memory is short. */
bool snoopi__rows_add(snoopi__rows *rows, const snoopi_row *row);

/**
 * Negative if `a` comes before `b`. Rows that the sort key does not tell apart go by what they are of, so the order is the same
 * each time.
 */
int snoopi__row_compare(const snoopi_row *a, const snoopi_row *b, snoopi_sort sort);

/** What a row has of the sort key; 0 when that is the name. */
uint64_t snoopi__row_sort_key(const snoopi_row *row, snoopi_sort sort);

/** Whether a row with this sort key and total is not below the minimum. */
bool snoopi__row_is_wanted(const snoopi_row *row, snoopi_sort sort, uint64_t tmin_ns);

/** Puts the rows in order. None may be added after that. */
void snoopi__rows_finish(snoopi__rows *rows);

#endif
