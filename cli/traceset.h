// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_TRACESET_H
#define SNOOPI_CLI_TRACESET_H

/**
 * @file
 * Recordings that belong together: one file, or the FILE.1, FILE.2, … that `record --repeat` wrote.
 */
#include <stddef.h>

#include <snoopi/trace.h>

typedef struct {
    snoopi_trace **traces;
    size_t n;
    size_t capacity;
} cli_traceset;

#define CLI_TRACESET_NONE ((cli_traceset){NULL, 0, 0})

/** Name of a repetition, from 1: "FILE.1". To be freed; NULL when memory is short. */
char *cli_repeat_name(const char *file, size_t number);

/** Opens `file`, or its repetitions when there is no such file. Returns CLI_OK or CLI_FAILED, having said why. */
int cli_traceset_open(cli_traceset *set, const char *file);

/** Says on stderr what could not be read. */
void cli_traceset_warn(const cli_traceset *set);

void cli_traceset_close(cli_traceset *set);

#endif
