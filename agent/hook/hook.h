// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_HOOK_H
#define SNOOPI_AGENT_HOOK_H

/**
 * @file
 * Moments that are recorded. Begin and end of a frame come in through entry.h.
 */
#include <stdbool.h>
#include <stdint.h>

/** Called before a collection and after it, on the thread that collects. */
void hook_gc_begin(int full);
void hook_gc_end(int full);

/** Closes what the current task left, and marks the end of the process. */
void hook_process_end(void);

/** Writes an INFO record. */
void hook_info(const char *key, const char *value, uint64_t size);

/** Writes a MARK record; its time, or 0 when nothing records. */
uint64_t hook_mark(const char *name);

/**
 * From here on, until it is told otherwise, the calling thread does work of the tool's own: what is inferred for it is not recorded, and the
 * time is the tool's. Its task must not switch meanwhile.
 */
void hook_own(bool is_own);

#endif
