// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_EXPORTING_H
#define SNOOPI_CLI_EXPORTING_H

/**
 * @file
 * What `export` and its short ways share: options, and the writing of a trace to where it is wanted.
 */
#include <snoopi/export.h>

#include "view.h"

/** What is exported. */
typedef struct {
    int by; /* without SNOOPI_BY_FRAME: index + 1 */
    int weight;
    uint64_t tmin_ns;
} cli_export_args;

extern const cli_option cli_export_options[];

extern const cli_option cli_stacks_options[]; /* of a bool */
extern const cli_option cli_base_options[];   /* of a const char *: the file that is compared to */

/** Options of the library for these; its format is to be set. */
snoopi_export_options cli_export_choice(const cli_export_args *args, const snoopi_filter *filter,
                                        const cli_scope_args *scope);

/** A format, by number: those of the library, then sqlite. NULL after the last. */
const char *cli_export_format_word(int format);

/**
 * Writes the trace that the operands name to `output` in a format of cli_export_format_word(). `output` may be "-".
 *
 * @param options  its format is set, and its base if `base` is not NULL: the file that it is compared to.
 * @return status to exit with; what went wrong was said.
 */
int cli_export(snoopi_export_options *options, const char *base, int format, const char *output,
               int n_operands, char **operands);

#endif
