// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TIMELINE_H
#define SNOOPI_TIMELINE_H

/**
 * @file
 * Frames as openings and closings on lanes, for the formats that show time: on each lane they nest and times never go back, which
 * is what their readers insist on.
 *
 * A lane is a thread. Only where a task was left in the midst of a root, and another one inferred meanwhile on its thread, a
 * thread has more than one.
 *
 * The time axis is that of the clock, or, when frames are weighed by count, one step for each frame of the lane.
 */
#include "exporter.h"

/** More lanes of one process are drawn on its last one, where times are cut to fit. Formats may keep a file open for each. */
enum { SNOOPI__LANES_MAX = 200 };

typedef struct {
    uint32_t process;
    uint32_t number; /* within the process, from 0 */
    uint32_t thread;
    uint32_t index; /* among the lanes of the thread, from 0 */
    uint64_t at;    /* of the last event */
    uint64_t end;   /* of the frame that is opened, when the axis is the clock's */
} snoopi__lane;

typedef struct {
    void (*lane)(snoopi__export *x, const snoopi__lane *lane); /* a new one */
    void (*open)(snoopi__export *x, const snoopi__lane *lane, const snoopi__export_frame *frame);
    void (*close)(snoopi__export *x, const snoopi__lane *lane, uint32_t depth);
    void (*process_end)(snoopi__export *x); /* no more lanes of this one; may be NULL */
} snoopi__timeline_ops;

/** Begin with the ops set and the rest zero. */
typedef struct {
    const snoopi__timeline_ops *ops;
    bool has_process;
    uint32_t process;
    snoopi__lane *lanes; /* of the process */
    size_t n_lanes;
    size_t lanes_capacity;
    size_t lane;    /* of the open frames */
    uint64_t *ends; /* of the open frames, by depth */
    size_t n_open;
    size_t ends_capacity;
} snoopi__timeline;

void snoopi__timeline_frame(snoopi__export *x, snoopi__timeline *timeline,
                            const snoopi__export_frame *frame);
void snoopi__timeline_end(snoopi__export *x, snoopi__timeline *timeline);
void snoopi__timeline_clear(snoopi__timeline *timeline);

#endif
