// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_TEXT_H
#define SNOOPI_CLI_TEXT_H

/**
 * @file
 * Text for people: names that are safe on a terminal, and numbers with units.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Space that holds any text of the functions below. */
enum { CLI_TEXT_SIZE = 48 };

/** A copy in which control characters are escaped ("\e", "\n", "\x9b") and bad bytes replaced. NULL when memory is short. */
char *cli_text_escape(const char *text);

/** The same, written to `out`. */
void cli_text_put(FILE *out, const char *text);

/** A word as a POSIX shell reads it: in single quotes where that is needed. */
void cli_shell_quote(FILE *out, const char *word);

/** Columns that valid, escaped text takes on a terminal. */
size_t cli_text_width(const char *text);

/** "1.23 s", "45.6 ms", "789 µs", "12 ns". Returns `out`. */
char *cli_text_time(char out[CLI_TEXT_SIZE], uint64_t ns);

/** "1,234,567". Returns `out`. */
char *cli_text_count(char out[CLI_TEXT_SIZE], uint64_t n);

/** "1,234 frames", "1 frame". Returns `out`. */
char *cli_text_counted(char out[CLI_TEXT_SIZE], uint64_t n, const char *thing);

/** "1.2 MB", by thousands. Returns `out`. */
char *cli_text_size(char out[CLI_TEXT_SIZE], uint64_t bytes);

/** "41 %", "0.3 %"; "–" of nothing. Returns `out`. */
char *cli_text_share(char out[CLI_TEXT_SIZE], uint64_t part, uint64_t whole);

#endif
