// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_TURNS_H
#define SNOOPI_AGENT_TURNS_H

/**
 * @file
 * Frames of Julia 1.12, which take turns.
 *
 * One call of `typeinf`, the loop, works on a frame and on all that are inferred for it: on the innermost one, or by turns
 * on those of a cycle. So a frame is no call: it begins when it is worked on for the first time, and ends when one of
 * the functions returns that finish it. In between the loop calls for each turn one that has the frame among its arguments.
 *
 *     typeinf(f) ── step f · step g · finish g · step f · finish f          g is inferred for f
 *                     └─ typeinf(h) ── step h · finish h                    constant propagation, a generator
 *
 * Time is that of the frame that ran last. What frames call each other by is the compiler's own stack, in which each has a parent.
 */
#include <stdbool.h>
#include <stdint.h>

#include "machine/patch.h"
#include "record/frames.h"

/** Whether the frame that `hook` is about runs already, so that there is nothing to do. Looks at no clock. */
bool turns_runs_already(const struct thread *thread, const struct hook *hook,
                        void *const *registers);

/** A function was entered that works on frames: any of the kinds from TARGET_LOOP on, or TARGET_SEMICONCRETE. */
void turns_begin(struct thread *thread, struct task *task, const struct hook *hook,
                 void *const *registers, uintptr_t sp, uint64_t now);

/** It returned. */
void turns_end(struct thread *thread, struct task *task, const struct hook *hook, uintptr_t sp,
               uint64_t now);

#endif
