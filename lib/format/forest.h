// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FOREST_H
#define SNOOPI_FOREST_H

/**
 * @file
 * The frames of a process while they are put together from events.
 *
 * Events come in order of time, for any task. Each task has a stack of open frames, one of which runs: the parent of what
 * begins. What is charged to a frame is summed up when it ends, and added to its parent. A root goes out whole, in pre-order,
 * when it and all roots that began before it have ended; until then its frames lie in the scratch:
 *
 *     root ─first→ frame ─next→ frame ─next→ …            (in pre-order)
 *       └─next→ root ─first→ …
 */
#include <stdbool.h>
#include <stdint.h>

#include "gcspans.h"
#include "scratch.h"
#include "snoopi/error.h"
#include "snoopi/trace.h"

/** A frame that ended, as it goes out. */
typedef struct {
    uint64_t begin_ns;
    uint64_t span_ns;
    uint64_t total_ns;
    uint64_t self_ns;
    uint64_t gc_ns;
    uint32_t instance;
    uint32_t flags;
    uint32_t depth;
    uint32_t thread; /* this and the rest down to line: of its root */
    uint32_t task;
    uint32_t line_file;
    uint32_t line;
    uint32_t n_args;
    uint32_t n_stack; /* codes; of roots only, as are stack_flags */
    uint32_t stack_flags;
    const snoopi_arg *args;
    const uint32_t *stack;
} snoopi__whole_frame;

/** Takes a frame; returns 0 or a negative status, which ends the work. */
typedef int snoopi__frame_sink(void *payload, const snoopi__whole_frame *frame, snoopi_error *err);

/** A task that has open frames. */
typedef struct {
    uint64_t key;
    size_t top;       /* its innermost open frame: the last that began */
    size_t running;   /* the open frame that runs; 0: none is open */
    uint64_t seen_ns; /* time of its last event */
    uint64_t seen_gc; /* gc(seen_ns) */
    size_t root;
} snoopi__task;

/** What the roots that went out so far sum up to. */
typedef struct {
    uint64_t frames;
    uint64_t roots;
    uint64_t inference_ns;
    uint64_t busy_ns;
    uint64_t gc_ns;
} snoopi__sums;

typedef struct {
    snoopi__scratch scratch;
    snoopi__gcspans *gc; /* borrowed */
    snoopi__frame_sink *sink;
    void *payload;
    size_t first_root; /* of those that did not go out */
    size_t last_root;
    uint64_t busy_until;      /* end of the intervals in sums.busy_ns */
    uint64_t outside_tool_ns; /* tool time that no frame was charged with */
    snoopi__sums sums;
} snoopi__forest;

/** What a BEGIN tells. `thread`, `task`, the line and the stack count for a root only. */
typedef struct {
    uint64_t time_ns;
    uint32_t instance;
    uint32_t flags;
    uint32_t n_args;
    const snoopi_arg *args;
    uint32_t thread;
    uint32_t task;
    uint32_t line_file;
    uint32_t line;
    uint32_t n_stack;
    uint32_t stack_flags; /* WIRE_STACK_* */
    const uint32_t *stack;
} snoopi__begin;

void snoopi__forest_init(snoopi__forest *forest, const char *dir, snoopi__gcspans *gc,
                         snoopi__frame_sink *sink, void *payload);
void snoopi__forest_clear(snoopi__forest *forest);

/** Opens a frame in `task`. Returns 0, 1 if it would be too deep (nothing was done), or a negative status. */
int snoopi__forest_begin(snoopi__forest *forest, snoopi__task *task, const snoopi__begin *begin,
                         snoopi_error *err);

/** Charges tool time to the frame of `task` that runs; `task` may be NULL: none is open. */
void snoopi__forest_charge(snoopi__forest *forest, const snoopi__task *task, uint64_t tool_ns);

/** Tells that something was seen in `task` at that time: the frame that runs ran until then. */
void snoopi__forest_touch(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns);

/** Lets the open frame that has `n` open ones inside it run from now on. Returns 1 if there is none. */
int snoopi__forest_run(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns, uint64_t n);

/** Ends the innermost open frame of `task` now, adding `flags`. If it ran, its parent runs. */
int snoopi__forest_end(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns, uint32_t flags,
                       snoopi_error *err);

/** Ends the innermost open frame of `task` when something was last seen inside it, adding `flags`. */
int snoopi__forest_cut(snoopi__forest *forest, snoopi__task *task, uint32_t flags,
                       snoopi_error *err);

#endif
