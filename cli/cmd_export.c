// SPDX-License-Identifier: MIT
// snoopi export: the trace in a format of other tools.
#include <unistd.h>

#include "cmd.h"
#include "exporting.h"
#include "say.h"

typedef struct {
    int to; // −1: not given
    const char *output;
    const char *base;
    bool has_stacks;
    cli_export_args choice;
    snoopi_filter filter;
    cli_scope_args scope;
} export_args;

static const export_args defaults = {.to = -1, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {{"to", 0, CLI_OPT_CHOICE, "FORMAT", "the format (needed)",
                                      offsetof(export_args, to), cli_export_format_word},
                                     {"output", 'o', CLI_OPT_TEXT, "OUT",
                                      "the file to write (needed); -: standard output",
                                      offsetof(export_args, output), NULL},
                                     {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_export_options, offsetof(export_args, choice)},
                                          {cli_stacks_options, offsetof(export_args, has_stacks)},
                                          {cli_base_options, offsetof(export_args, base)},
                                          {cli_filter_options, offsetof(export_args, filter)},
                                          {cli_scope_options, offsetof(export_args, scope)},
                                          {0}};

static int run_export(const void *payload, int n_operands, char **operands)
{
    const export_args *const args = payload;
    if (args->to < 0) {
        return cli_usage("export", "--to is needed, as in --to=folded");
    }
    if (!args->output || !*args->output) {
        return cli_usage("export", "-o is needed; -o - is standard output");
    }
    snoopi_export_options chosen = cli_export_choice(&args->choice, &args->filter, &args->scope);
    if (args->has_stacks && args->to != (int)SNOOPI_EXPORT_PPROF) {
        return cli_usage("export", "--stacks is for --to=pprof");
    }
    chosen.has_stacks = args->has_stacks;
    return cli_export(&chosen, args->base, args->to, args->output, n_operands, operands);
}

const cli_command cli_cmd_export = {
    .name = "export",
    .operands = "[FILE]",
    .summary = "write the frames in a format of other tools",
    .about =
        "folded: a line for each path and its self time in ns, for flamegraph.pl, inferno and speedscope. jsonl: a line of JSON\n"
        "for each frame. json, csv: the same as one document, and as a table. chrome: frames on the time axis, for Perfetto.\n"
        "speedscope: the same for speedscope. pprof: for Google's pprof. svg: a flame graph. html: the page of view. sqlite: a database (docs/sqlite.md).\n"
        "OUT is replaced when the export is whole.",
    .groups = groups,
    .args_size = sizeof(export_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_export,
};
