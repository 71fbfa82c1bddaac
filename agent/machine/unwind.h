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

enum { UNWIND_MAX = 64 };

/** A call that was walked over. */
struct unwind_call {
    struct unwind_place place;
    uintptr_t address; /* the return address */
    uintptr_t saved;   /* where the frame pointer was read; 0: the call before had the same */
    uint32_t note;     /* of whoever walks; 0 where `before` did not have the call */
};

/** The calls of a stack, innermost first. */
struct unwind_walk {
    uintptr_t low, high; /* the stack */
    uint32_t n;          /* set last, so that a jump out of a walk leaves an empty one */
    bool is_whole;       /* nothing is known further out */
    struct unwind_call calls[UNWIND_MAX];
};

/**
 * Walks a stack. What `before` has of it, and is still so, is taken from there: most of a root's stack is that of the root before.
 *
 * @param low,high  the task's stack; nothing outside it is read.
 */
void unwind_stack(struct unwind_place from, uintptr_t low, uintptr_t high,
                  const struct unwind_walk *before, struct unwind_walk *walk);

/** From a call to the one in which its caller was called. */
bool unwind_step(struct unwind_place *place);

#endif
