// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_SUMMARY_H
#define SNOOPI_CLI_SUMMARY_H

/**
 * @file
 * What is said on stderr when something was packed, and what a recording lacks.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <snoopi/pack.h>
#include <snoopi/trace.h>

/** What of a recording's lacks fits beside other things: many processes may have been cut alike. */
enum { CLI_LACKS_MOST = 8 };

/** Says how many processes, frames and seconds are in `file`, and what is not. `elapsed_ns` 0: not known. */
void cli_summary_print(const char *file, uint64_t elapsed_ns, const snoopi_pack_result *result);

/** Says that no julia process was seen, and why that can be. `command` may be NULL. */
void cli_summary_no_julia(const char *file, const char *command);

/**
 * Calls `tell` with a sentence for each thing that the recording lacks: a process that was cut, frames that were dropped, a hook
 * that could not be set, inference that was off, damage of the file. Nothing is called when it is whole.
 *
 * @param most  sentences, and one that counts the others; 0: all.
 * @return number of things.
 */
unsigned cli_summary_lacks(const snoopi_trace *trace, unsigned most,
                           void (*tell)(void *payload, const char *sentence), void *payload);

#endif
