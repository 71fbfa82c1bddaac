// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_HOOK_H
#define SNOOPI_AGENT_HOOK_H

/**
 * @file
 * Begin and end of frames. Open frames belong to the task that runs them, and are told apart by where their return address lies on
 * the task's stack: one that is above the stack pointer of a later event was left by a jump.
 */
#include <stdbool.h>
#include <stdint.h>

/**
 * Finds and patches the compiler's functions; again when the compiler was replaced, for its new copies.
 * False with a reason when one could not be.
 */
bool hook_install(const char **reason);

/** What was patched, as text: "typeinf ×2". */
const char *hook_text(void);

/** Whether all jumps are still in place. */
bool hook_is_in_place(void);

/** Called before a collection and after it, on the thread that collects. */
void hook_gc_begin(int full);
void hook_gc_end(int full);

/** Closes what the current task left, and marks the end of the process. */
void hook_process_end(void);

/** Writes an INFO record. */
void hook_info(const char *key, const char *value, uint64_t size);

/** Writes a MARK record. */
void hook_mark(const char *name);

#endif
