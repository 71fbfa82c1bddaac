// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_STACKS_H
#define SNOOPI_AGENT_STACKS_H

/**
 * @file
 * Native stacks of roots: who called inference. Addresses are written when the root begins, so a killed
 * process keeps them; what they are is asked of Julia when the root has ended, once per address: first
 * of what the JIT made, which is cheap, then of images, as far as a budget goes. That allocates in
 * Julia's heap, which is harmless there, between two pieces of compilation, and nowhere else.
 */
#include <stdint.h>

#include "machine/unwind.h"
#include "record/frames.h"

/** Finds what is needed. Without it no stacks are written, and the segment says so. */
void stacks_prepare(void);

/** Writes the stack of the root that is about to begin on `thread`; `from` is the call of the hooked function. */
void stacks_write(struct thread *thread, struct unwind_place from, uint64_t now);

/** Looks up what the last root's addresses are. To be called after its END, outside all locks. */
void stacks_look_up(struct thread *thread);

#endif
