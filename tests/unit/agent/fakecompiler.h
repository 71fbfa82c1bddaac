// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FAKECOMPILER_H
#define SNOOPI_FAKECOMPILER_H

/**
 * @file
 * A compiler of Julia 1.12, played to the agent call by call: frames have numbers, and the depth of a call is where it lies on the
 * stack. The clock stands still but for what passes here, so that times are exact.
 */
#include <stddef.h>
#include <stdint.h>

#include "agent/machine/patch.h"

enum { STATES_MAX = 16 };

/** A Vector */
struct array {
    void *data;
    size_t length;
};

/** An InferenceState or an IRInterpretationState, and its InferenceResult */
struct state {
    uint32_t n; /* what the fake of describe.c reads */
    struct array *callstack;
    uint64_t parentid;
    char result;
    void *result_of;
};

extern struct state states[STATES_MAX];
extern struct array callstack, no_callstack;
extern char fake_task;
extern struct hook loop, step_hook, optimize, finish_hook, finish_cycle, semiconcrete, entrance;

/** Setup and teardown of a test: *state is the folder of a new segment. */
int set_up(void **state);
int tear_down(void **state);

/** Plays on a thread of its own, since a thread stays with its segment. */
void apart(void (*play)(void));

void pass(uint64_t ns);

/** A call of a hooked function; `next` is the argument behind the one that the hook reads. */
void call(struct hook *hook, int depth, void *argument, uint64_t next);
void leave(const struct hook *hook, int depth);

void begin_typeinf(int depth, int n);
void end_typeinf(int depth);

/** A turn of frame n, of `ns`. */
void step(int depth, int n, uint64_t ns);

/** Its last one. */
void finish(int depth, int n, uint64_t ns);

/** Puts frame n on the compiler's stack, as inferred for `parent` (0: nobody). */
void push(int n, int parent);
void pop(void);

#endif
