// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_PRECOMPILECHECK_H
#define SNOOPI_CLI_PRECOMPILECHECK_H

/**
 * @file
 * Whether directives hold, and what they save: the recorded program is run two more times, in a fresh julia that loads the modules
 * first. The second one runs the directives, too, before the program begins. What is inferred after that is compared.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snoopi/precompile.h>

/** What a directive came to. */
typedef struct {
    bool is_held;
    char *why; /* it is not */
} cli_check_result;

/** Zero-initialize it. */
typedef struct {
    char *julia;
    cli_check_result *results; /* of all modules' directives, in order */
    size_t n_results;
    size_t n_held;
    uint64_t without_ns; /* inference of the program, the modules being loaded */
    uint64_t without_frames;
    uint64_t with_ns; /* the same after the directives */
    uint64_t with_frames;
} cli_check;

/**
 * Checks what was written into `folder`. Returns CLI_OK, or CLI_FAILED having said why.
 *
 * @param trace  it names the julia, unless --julia does, the program with its arguments, and its folder: it is to be trusted.
 */
int cli_check_run(cli_check *check, const snoopi_precompile *precompile, const snoopi_trace *trace,
                  const char *folder);
void cli_check_clear(cli_check *check);

#endif
