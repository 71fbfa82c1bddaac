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

/**
 * Collects return addresses, innermost first.
 *
 * @param at        where the first return address lies.
 * @param frame     the frame pointer (rbp) that its owner had.
 * @param low,high  the task's stack; nothing outside it is read.
 * @return their number, at most `capacity`.
 */
size_t unwind_stack(uintptr_t at, uintptr_t frame, uintptr_t low, uintptr_t high,
                    uintptr_t *addresses, size_t capacity);

/** From where a return address lies, and the frame pointer that its owner had, to the next ones outwards. */
bool unwind_step(uintptr_t *at, uintptr_t *frame);

#endif
