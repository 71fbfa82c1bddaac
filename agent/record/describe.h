// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_DESCRIBE_H
#define SNOOPI_AGENT_DESCRIBE_H

/**
 * @file What a frame of inference is about, read from the compiler's own InferenceState. Takes the
 * lock on the definitions.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/frames.h"

/** What follows dt and tool in a BEGIN: instance, flags, constant arguments. */
struct description {
    size_t size;
    uint32_t result_of; /* the instance whose return type the frame infers; 0: none (results.h) */
    uint8_t tail[EVENT_TAIL_MAX];
};

/** `flags` are those that the frame itself does not tell. False when the instance could not be written. */
bool describe_frame(struct thread *thread, enum target_kind kind, jl_any frame, uint64_t flags,
                    struct description *description);

/**
 * Whether `frame`, which may be anything, is an object of the compiler's that describe_frame() can read. Asked of the first that a
 * hook is given.
 */
bool describe_is_frame(enum target_kind kind, jl_any frame);

/** Has the processor fetch what describe_frame() will look for: the caches are the compiler's. */
void describe_expect(enum target_kind kind, jl_any frame);

/** Writes where the interpreter is in toplevel code, when that changed. */
void describe_line(struct thread *thread);

#endif
