// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_WAKE_H
#define SNOOPI_AGENT_WAKE_H

/**
 * @file
 * The steps of a start, for a session that wants to be recorded long after Julia's.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether the caller is to start the recording: true once. */
bool agent_claim_start(void);

/**
 * Opens the segment in agent_options.dir; from here on it tells of every trouble. False when that failed, with the reason.
 */
bool agent_open_segment(char *reason, size_t size);

/**
 * Binds Julia and sets the hook. No other thread may be inside of Julia code.
 *
 * @param begin  when the start began.
 */
void agent_set_hook(uint64_t begin);

/** Whether the hook is set and works. */
bool agent_is_able(void);

/** Adds to the number of those that something is recorded for. */
void agent_add_window(int change);

#endif
