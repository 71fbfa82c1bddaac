// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_SAY_H
#define SNOOPI_CLI_SAY_H

/**
 * @file
 * What the command line says to people: lines on stderr that begin with "snoopi: ". Whatever bytes they quote, control
 * characters reach the terminal as escapes.
 */

/** Exit statuses of snoopi's own; those of `record` are with its runner. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_GATE = 3 /* a --fail-if held */ };

/** Prints one line. */
__attribute__((format(printf, 1, 2))) void cli_say(const char *format, ...);

/** Prints one line and returns CLI_FAILED. */
__attribute__((format(printf, 1, 2))) int cli_fail(const char *format, ...);

/** Prints one line, and where help is to be had; returns CLI_USAGE. `command` may be NULL. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

#endif
