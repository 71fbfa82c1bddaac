// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_JUMP_H
#define SNOOPI_AGENT_JUMP_H

/**
 * @file
 * The machine instructions of a patch. No register that a function is given anything in, or must keep, is changed by them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/patch.h"

enum {
    JUMP_MAX = 20,  /* bytes of a jump over a function */
    SLOT_SIZE = 128 /* of the agent's own text, for what each hook needs there */
};

struct jump {
    uint8_t over[JUMP_MAX]; /* what replaces the function's first instructions */
    size_t size;
    uint8_t slot[SLOT_SIZE]; /* the moved instructions, then a jump to what follows them */
    size_t moved;            /* where in there they begin */
};

/**
 * Makes the patch of `hook->code`, of which `readable` bytes may be looked at. False when it begins with what can't be moved.
 *
 * @param slot  where the slot will lie.
 */
bool jump_make(struct jump *jump, const struct hook *hook, const uint8_t *slot, size_t readable);

/** Whether a jump of this kind stands at `code`; whose, does not matter. */
bool jump_is_at(const uint8_t *code);

/** Whether the jump of `hook`, which is installed, stands where it was put. */
bool jump_is_in_place(const struct hook *hook);

#endif
