// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_INSTALL_H
#define SNOOPI_AGENT_INSTALL_H

/**
 * @file
 * Which functions of the compiler are hooked.
 */
#include <stdbool.h>

#include "record/frames.h"

/**
 * Finds and patches the compiler's functions; again when the compiler was replaced, for its new
 * copies. False with a reason when one could not be.
 */
bool hook_install(const char **reason);

/** What was patched, as text: "typeinf*2". */
const char *hook_text(void);

/** Copies of the compiler that are not hooked, so that what they infer is not recorded; bits. */
enum hook_missed {
    MISSED_NONE = 0,
    MISSED_FOREIGN = 1, /* of an interpreter that a package brought */
    MISSED_OWN =
        2 /* of the compiler's own, compiled anew, or run in another world: somebody replaced it */
};
unsigned hook_misses_copies(void);

/** What stands for jl_set_typeinf_func, to hear that the compiler is switched; NULL if Julia has none. */
void *hook_switch(void);

/** Whether all jumps are still in place. */
bool hook_is_in_place(void);

/**
 * Whether the hooked function was called by one through which inference is entered; `sp` is where
 * its return address lies.
 */
bool hook_is_entrance(struct thread *thread, uintptr_t sp);

/**
 * Name of the function at `address`, a return address, if it is one through which inference is entered, or
 * the wrapper of one; else NULL.
 */
const char *hook_entrance_name(uintptr_t address);

#endif
