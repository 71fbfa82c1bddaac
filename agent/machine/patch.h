// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_PATCH_H
#define SNOOPI_AGENT_PATCH_H

/**
 * @file
 * Puts a jump over the first instructions of a compiled function: to hook.stub (entry.S), with the hook in a scratch register. It
 * calls hook.moved: the instructions that stood there, then a jump to what follows them. jump_*.c has the code.
 *
 * No page is ever writable and executable: text is written through /proc/self/mem, which the
 * kernel copies for this process alone. The moved instructions lie in the agent's own text, which
 * has room for them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "julia/julia.h"

enum { HOOKS_MAX = 64 };

/** A patched copy of a function. entry.S knows the offsets of the first two members. */
struct hook {
    void (*stub)(void);
    void *moved;
    uint8_t *code;
    enum target_kind kind;
    int frame_register;
    bool is_tooling;
    bool is_tried; /* what it is given was seen to be a frame */
};

/**
 * Patches `hook->code`; `hook` must stay where it is for good. Nothing is changed on failure.
 * False with a reason (static text).
 */
bool patch_install(struct hook *hook, const char **reason);

/** Whether the jump is still there. */
bool patch_is_in_place(const struct hook *hook);

#endif
