// SPDX-License-Identifier: MIT
#ifndef SNOOPI_BASESTACKS_H
#define SNOOPI_BASESTACKS_H

/**
 * @file
 * What stacks weighed in another recording: keys match as in snoopi/diff.h, and a node is the one below the same path.
 */
#include "mergedstacks.h"

typedef struct {
    snoopi__node
        *nodes; /* by node of the stacks that are compared: what it was; zeros if it was not */
    uint64_t total_ns; /* of all that was */
    uint64_t count;
    uint64_t gone_ns; /* of paths that are no more, and what they had below them */
    uint64_t gone_count;
} snoopi__basestacks;

/**
 * Matches the keys of two recordings.
 *
 * @param of_base  by number of a key of the base: the number of the other's, UINT32_MAX if it is gone. To be freed, also after a failure.
 * @param base, trace  borrowed for the call, with the places where they stand.
 * @return 0 or SNOOPI_E_NOMEM.
 */
int snoopi__base_match(uint32_t **of_base, const snoopi__keys *base_keys, snoopi_trace *const *base,
                       const snoopi__keys *keys, snoopi_trace *const *trace, snoopi_by by);

/**
 * Gathers the stacks of `base` with the same options, and finds them in `stacks`.
 *
 * @return as snoopi_export_stream(). To be cleared also after a failure.
 */
int snoopi__basestacks_init(snoopi__basestacks *was, snoopi__stacks *stacks, snoopi_trace *trace,
                            snoopi_trace *base, const snoopi_export_options *options,
                            snoopi_error *err);
void snoopi__basestacks_clear(snoopi__basestacks *was);

#endif
