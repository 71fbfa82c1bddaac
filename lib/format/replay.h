// SPDX-License-Identifier: MIT
#ifndef SNOOPI_REPLAY_H
#define SNOOPI_REPLAY_H

/**
 * @file
 * The second pass over a segment: its events, of all threads in order of time, become frames.
 */
#include <stdint.h>

#include "defpool.h"
#include "facts.h"
#include "forest.h"
#include "framewriter.h"
#include "segment.h"

typedef struct {
    uint64_t time_ns;
    uint32_t name; /* string of the trace */
} snoopi__replay_mark;

typedef struct {
    uint32_t instance; /* of the trace */
    uint64_t world;
} snoopi__replay_invalidated;

/** What came of it, beside the frames. */
typedef struct {
    snoopi__sums sums;
    uint64_t instances;       /* distinct ones that have frames */
    uint64_t event_tool_ns;   /* tool time of all events */
    uint64_t outside_tool_ns; /* of it: charged to no frame */
    snoopi__replay_mark *marks;
    size_t n_marks;
    snoopi__replay_invalidated *invalidated; /* in order of their frames' begin */
    size_t n_invalidated;
} snoopi__replay_result;

/**
 * Puts the frames of a process together and writes them.
 *
 * @param dir     where large temporary files go; NULL: the folder of temporary files.
 * @param result  its lists are to be freed by the caller, also on failure.
 */
int snoopi__replay(snoopi__segment *segment, snoopi__facts *facts, snoopi__defpool *pool,
                   const snoopi__remap *remap, snoopi__framewriter *writer, const char *dir,
                   snoopi__replay_result *result, snoopi_error *err);

#endif
