// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_HOOK_H
#define SNOOPI_AGENT_HOOK_H

/**
 * @file
 * Moments that are recorded. Begin and end of a frame come in through entry.h.
 */
#include <stdint.h>

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
