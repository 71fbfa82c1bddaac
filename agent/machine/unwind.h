// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_UNWIND_H
#define SNOOPI_AGENT_UNWIND_H

/**
 * @file
 * Walks the native stack by the compiler's unwind tables (DWARF call frame information). How to step
 * over a return address is worked out once and kept, in 32 bits: a walk over known addresses costs
 * some ten nanoseconds a frame, whatever the number of objects that the JIT has made.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Finds what is needed in the process. False when no stack can be walked. */
int unwind_prepare(void);

/** A call on a stack that is being walked. */
struct unwind_place {
    uintptr_t at;    /* where its return address lies */
    uintptr_t stack; /* the stack pointer that the caller had */
    uintptr_t frame; /* and its frame pointer */
};

/**
 * Collects return addresses, innermost first.
 *
 * @param low,high  the task's stack; nothing outside it is read.
 * @return their number, at most `capacity`.
 */
size_t unwind_stack(struct unwind_place from, uintptr_t low, uintptr_t high, uintptr_t *addresses,
                    size_t capacity);

/** From a call to the one in which its caller was called. */
bool unwind_step(struct unwind_place *place);

#endif
