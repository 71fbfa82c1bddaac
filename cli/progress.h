// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_PROGRESS_H
#define SNOOPI_CLI_PROGRESS_H

/**
 * @file
 * How far a long walk has come, on stderr, when that is a terminal and it takes long enough to wonder.
 */
#include <stdint.h>

/** For snoopi_scope.progress. */
void cli_progress(void *payload, uint64_t done, uint64_t frames);

/** Takes the line away. To be called before anything else is printed. */
void cli_progress_end(void);

#endif
