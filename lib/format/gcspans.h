// SPDX-License-Identifier: MIT
#ifndef SNOOPI_GCSPANS_H
#define SNOOPI_GCSPANS_H

/**
 * @file
 * The garbage collections of a process: intervals in which all its threads stood still. What of them falls into a span
 * [a, b] is gc(b) − gc(a), gc(t) being the time collected up to t.
 */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t begin;
    uint64_t end;
} snoopi__span;

/** Zero-initialize it to begin. */
typedef struct {
    snoopi__span *spans;
    size_t count;
    size_t capacity;
    size_t next;   /* first span that does not lie whole before the last time asked for */
    uint64_t past; /* sum of those before */
} snoopi__gcspans;

void snoopi__gcspans_clear(snoopi__gcspans *gc);

/** Adds a collection. Returns 0 or SNOOPI_E_NOMEM. */
int snoopi__gcspans_add(snoopi__gcspans *gc, uint64_t end_ns, uint64_t duration_ns);

/** Sorts them and joins those that overlap. To be called after the last was added. */
void snoopi__gcspans_sort(snoopi__gcspans *gc);

/** gc(t). Times must be asked for in ascending order. */
uint64_t snoopi__gcspans_until(snoopi__gcspans *gc, uint64_t time_ns);

#endif
