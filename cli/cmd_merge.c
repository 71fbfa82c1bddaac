// SPDX-License-Identifier: MIT
// snoopi merge: many recordings to one.
#include <snoopi/merge.h>

#include "cmd.h"
#include "say.h"
#include "summary.h"

typedef struct {
    const char *output;
} merge_args;

static const cli_option options[] = {{"output", 'o', CLI_OPT_TEXT, "FILE",
                                      "the trace to write; what is there becomes FILE.old",
                                      offsetof(merge_args, output), NULL},
                                     {0}};

static const cli_option_group groups[] = {{options, 0}, {0}};

static int run_merge(const void *payload, int n_operands, char **operands)
{
    const merge_args *const args = payload;
    snoopi_pack_result result = {0};
    snoopi_error err = {0};
    if (!args->output || !*args->output) {
        return cli_usage("merge", "-o is needed: the file to write");
    }
    if (snoopi_merge((const char *const *)operands, (size_t)n_operands, args->output, &result,
                     &err) < 0) {
        return cli_fail("%s", err.text);
    }
    cli_summary_print(args->output, 0, &result);
    return CLI_OK;
}

const cli_command cli_cmd_merge = {
    .name = "merge",
    .operands = "FILE…",
    .summary = "many recordings to one, their processes side by side",
    .about =
        "Sums of the result are the sums of its parts; --process tells them apart. Equal definitions are kept once.",
    .groups = groups,
    .args_size = sizeof(merge_args),
    .min_operands = 1,
    .max_operands = -1,
    .run = run_merge,
};
