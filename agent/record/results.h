// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_RESULTS_H
#define SNOOPI_AGENT_RESULTS_H

/**
 * @file
 * What instances were inferred to return.
 *
 * It is read where the compiler keeps it once inference is over, in a CodeInstance of the instance, and not in the frame: so it is
 * the final one, and a type. What is not kept (a limited recursion, a thunk, a frame of code_typed) has no result here.
 */
#include <stdbool.h>
#include <stdint.h>

#include "record/frames.h"

/** The instance whose return type a frame of `instance` with these flags infers; 0 if that is what one call with constant arguments returns. */
static inline uint32_t results_of(uint32_t instance, uint64_t flags)
{
    return (flags & (WIRE_FLAG_CONSTPROP | WIRE_FLAG_SEMICONCRETE)) == 0 ? instance : 0;
}

/**
 * Writes the result of `instance` (0: none), whose frame ended and was closed, with `depth` frames still open in the task.
 *
 * @param is_finished  false: a frame above finishes it, which is when its result is written.
 */
void results_write(struct thread *thread, uint32_t instance, uint32_t depth, bool is_finished);

#endif
