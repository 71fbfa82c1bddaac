// SPDX-License-Identifier: MIT
// snoopi export: the trace in a format of other tools.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <snoopi/export.h>

#include "cmd.h"
#include "progress.h"
#include "say.h"
#include "view.h"

typedef struct {
    int to; // −1: not given
    const char *output;
    snoopi_filter filter;
    cli_scope_args scope;
} export_args;

static const export_args defaults = {.to = -1, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {{"to", 0, CLI_OPT_CHOICE, "FORMAT", "the format (needed)",
                                      offsetof(export_args, to), snoopi_export_format_name},
                                     {"output", 'o', CLI_OPT_TEXT, "OUT",
                                      "the file to write (needed); -: standard output",
                                      offsetof(export_args, output), NULL},
                                     {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_filter_options, offsetof(export_args, filter)},
                                          {cli_scope_options, offsetof(export_args, scope)},
                                          {0}};

static int run_export(const void *payload, int n_operands, char **operands)
{
    const export_args *const args = payload;
    snoopi_error err = {0};

    if (args->to < 0) {
        return cli_usage("export", "--to is needed, as in --to=folded");
    }
    if (!args->output || !*args->output) {
        return cli_usage("export", "-o is needed; -o - is standard output");
    }
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    snoopi_export_options export_options = {.format = (snoopi_export_format)args->to,
                                            .scope = cli_scope(&args->scope),
                                            .filter = args->filter};
    const bool is_stdout = strcmp(args->output, "-") == 0;
    if (is_stdout && isatty(STDOUT_FILENO)) {
        export_options.scope.progress = NULL;
    }
    int status = is_stdout ? snoopi_export_stream(trace, stdout, &export_options, &err)
                           : snoopi_export_file(trace, args->output, &export_options, &err);
    cli_progress_end();
    if (status < 0 && err.sys_errno == EPIPE) {
        status = CLI_OK; // whoever reads has had enough
    } else if (status < 0) {
        status = cli_fail("%s", err.text);
    } else {
        status = CLI_OK;
        cli_trace_warn(trace);
    }
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_export = {
    .name = "export",
    .operands = "[FILE]",
    .summary = "write the frames in a format of other tools",
    .about =
        "folded: a line for each path and its self time in ns, for flamegraph.pl, inferno and speedscope. jsonl: a line of JSON\n"
        "for each frame. json, csv: the same as one document, and as a table.\n"
        "OUT is replaced when the export is whole.",
    .groups = groups,
    .args_size = sizeof(export_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_export,
};
