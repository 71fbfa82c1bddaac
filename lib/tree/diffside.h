// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DIFFSIDE_H
#define SNOOPI_DIFFSIDE_H

/**
 * @file
 * One side of a diff: the rows of its recordings, each key once, with medians.
 */
#include <snoopi/diff.h>

#include "base/buffer.h"
#include "base/idset.h"
#include "keys.h"

/** What a recording says of a key, or of itself. */
typedef struct {
    uint64_t self_ns;
    uint64_t total_ns;
    uint64_t gc_ns;
    uint64_t count;
    uint64_t roots;
} snoopi__diff_numbers;

typedef struct {
    snoopi_row row; /* text of the recording that has it first */
    size_t recording;
    size_t number; /* in the order of its taking */
    snoopi_spread self;
    uint32_t bucket;      /* of rows whose keys match, from 1 */
    uint32_t name_bucket; /* likewise but for their files */
    bool is_paired;
} snoopi__diff_entry;

/** Zero-initialize it to begin. */
typedef struct {
    snoopi_trace *const *traces; /* borrowed */
    size_t n_traces;
    snoopi_aggregate **aggregates; /* keep the texts of the rows */
    snoopi__diff_entry *entries;
    size_t n;
    size_t capacity;
    snoopi__diff_entry *left;      /* copies of those that no row in the same file was found for */
    snoopi__diff_numbers *numbers; /* of an entry in each recording */
    size_t numbers_capacity;
    snoopi__idset set;
    snoopi__buffer key;
    snoopi_diff_side sums;
} snoopi__diffside;

void snoopi__diffside_clear(snoopi__diffside *side);

/** Adds up the recordings of a side. Returns as snoopi_aggregate_new(). To be cleared also after a failure. */
int snoopi__diffside_gather(snoopi__diffside *side, snoopi_trace *const *traces, size_t n_traces,
                            const snoopi_diff_options *options, snoopi_error *err);

/**
 * Makes a side of the keys of one trace, without numbers: entry.number is that of the key.
 *
 * @param trace  borrowed, with the place where it stands, for as long as the side.
 * @return 0 or SNOOPI_E_NOMEM. To be cleared also after a failure.
 */
int snoopi__diffside_of_keys(snoopi__diffside *side, snoopi_trace *const *trace,
                             const snoopi__keys *keys);

#endif
