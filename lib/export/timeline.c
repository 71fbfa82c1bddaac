// SPDX-License-Identifier: MIT
// Openings and closings. Frames come root by root in the order of their begins, so a lane is free for a root when the last one on it
// has ended; the rest is a stack of ends. What a damaged trace says is cut to nest.
#include "timeline.h"

#include <stdlib.h>

#include "base/buffer.h"

void snoopi__timeline_clear(snoopi__timeline *t)
{
    free(t->lanes);
    free(t->ends);
    *t = (snoopi__timeline){0};
}

static bool is_counted(const snoopi__export *x)
{
    return x->options->weight == SNOOPI_WEIGHT_COUNT;
}

static void close_to(snoopi__export *x, snoopi__timeline *t, size_t n_open)
{
    while (t->n_open > n_open) {
        snoopi__lane *const lane = &t->lanes[t->lane];
        const uint64_t end = t->ends[--t->n_open];
        if (!is_counted(x) && end > lane->at) {
            lane->at = end;
        }
        t->ops->close(x, lane, (uint32_t)t->n_open);
    }
}

static void end_process(snoopi__export *x, snoopi__timeline *t)
{
    close_to(x, t, 0);
    if (t->has_process && t->ops->process_end) {
        t->ops->process_end(x);
    }
    t->n_lanes = 0;
}

// The lane for a root that begins now. With counts there is no time that says which one is free: the first one of the thread.
static bool find_lane(snoopi__export *x, snoopi__timeline *t, const snoopi_frame *root)
{
    uint32_t index = 0;
    for (size_t i = 0; i < t->n_lanes; i++) {
        if (t->lanes[i].thread != root->thread) {
            continue;
        }
        if (is_counted(x) || t->lanes[i].at <= root->begin_ns) {
            t->lane = i;
            return true;
        }
        index++;
    }
    if (t->n_lanes == SNOOPI__LANES_MAX) {
        t->lane = t->n_lanes - 1;
        return true;
    }
    snoopi__lane *const grown =
        snoopi__grow(t->lanes, &t->lanes_capacity, t->n_lanes + 1, sizeof *grown);
    if (!grown) {
        return false;
    }
    t->lanes = grown;
    t->lane = t->n_lanes++;
    t->lanes[t->lane] = (snoopi__lane){.process = root->process,
                                       .number = (uint32_t)t->lane,
                                       .thread = root->thread,
                                       .index = index};
    t->ops->lane(x, &t->lanes[t->lane]);
    return true;
}

static uint64_t end_within(const snoopi__timeline *t, uint64_t end)
{
    return t->n_open > 0 && end > t->ends[t->n_open - 1] ? t->ends[t->n_open - 1] : end;
}

static void open_frame(snoopi__export *x, snoopi__timeline *t, const snoopi__export_frame *exported)
{
    snoopi__lane *const lane = &t->lanes[t->lane];
    const uint64_t begin = end_within(t, exported->frame->begin_ns);
    if (!is_counted(x) && begin > lane->at) {
        lane->at = begin;
    }
    const uint64_t end = end_within(t, exported->frame->end_ns);
    lane->end = end > lane->at ? end : lane->at;
    t->ops->open(x, lane, exported);
    t->ends[t->n_open++] = lane->end;
    if (is_counted(x)) {
        lane->at++; // before what it called, so that each frame has a step of its own
    }
}

void snoopi__timeline_frame(snoopi__export *x, snoopi__timeline *t,
                            const snoopi__export_frame *exported)
{
    const snoopi_frame *const frame = exported->frame;
    if (!t->has_process || t->process != frame->process) {
        end_process(x, t);
        t->has_process = true;
        t->process = frame->process;
    }
    close_to(x, t, exported->depth);
    uint64_t *const grown =
        snoopi__grow(t->ends, &t->ends_capacity, (size_t)exported->depth + 1, sizeof *grown);
    if (grown) {
        t->ends = grown;
    }
    if (!grown || (exported->depth == 0 && !find_lane(x, t, frame))) {
        x->has_failed = true;
        return;
    }
    open_frame(x, t, exported);
}

void snoopi__timeline_end(snoopi__export *x, snoopi__timeline *t)
{
    end_process(x, t);
}
