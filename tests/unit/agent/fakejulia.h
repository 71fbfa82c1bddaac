// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FAKEJULIA_H
#define SNOOPI_FAKEJULIA_H

/**
 * @file
 * What stands around hook.c, frames.c, turns.c and segment_writer.c in the unit tests: a Julia of a few functions, and
 * descriptions of frames that are a number, or, where frames take turns, begin with it. The instance of frame n is the toplevel
 * thunk at line n.
 */
#include <snoopi/trace.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/machine/patch.h"

/** The list of what the collector finds on the stack, as Julia keeps it. */
struct gc_frame {
    uintptr_t n_roots;
    struct gc_frame *below;
};

extern _Thread_local struct gc_frame *fake_gc_stack;
extern _Thread_local void *fake_current_task;
extern struct julia_row fake_row;
extern struct hook fake_hook;

/** Makes `julia` the fake, and a segment in a new folder. */
void fake_begin(char folder[64]);

/** Removes the folder. */
void fake_end(const char *folder);

/** Packs what was recorded in the folder, which has to be whole, and opens the trace and a walk over it. */
void fake_open(const char *folder, snoopi_trace **trace, snoopi_walk **walk);

/** A call of agent_frame_begin() for frame n. */
void fake_frame_begin(uint32_t n, uintptr_t sp);

#endif
