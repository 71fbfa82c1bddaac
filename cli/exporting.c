// SPDX-License-Identifier: MIT
#include "exporting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "say.h"
#include "sqlite_export.h"
#include "traceset.h"

// Keys that frames have: all between frame and root.
static const char *by_word(int index)
{
    return index + 1 < SNOOPI_BY_ROOT ? snoopi_by_name(index + 1) : NULL;
}

const cli_option cli_export_options[] = {
    {"by", 0, CLI_OPT_CHOICE, "KEY", "what a frame is called by (instance)",
     offsetof(cli_export_args, by), by_word},
    {"weight", 0, CLI_OPT_CHOICE, "WHAT", "what widths and weights are (time)",
     offsetof(cli_export_args, weight), snoopi_weight_name},
    {"tmin", 0, CLI_OPT_TIME, "TIME",
     "leave out what took less, with all that it called; it counts as its caller's own",
     offsetof(cli_export_args, tmin_ns), NULL},
    {0}};

const cli_option cli_stacks_options[] = {
    {"stacks", 0, CLI_OPT_SET, NULL,
     "in pprof: what called into the compiler stands above the frames", 0, NULL},
    {0}};

const cli_option cli_base_options[] = {
    {"base", 0, CLI_OPT_TEXT, "OLD",
     "compare to another recording, in svg and html: red grew, blue shrank", 0, NULL},
    {0}};

snoopi_export_options cli_export_choice(const cli_export_args *args, const snoopi_filter *filter,
                                        const cli_scope_args *scope)
{
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    options.by = (snoopi_by)(args->by + 1);
    options.weight = (snoopi_weight)args->weight;
    options.tmin_ns = args->tmin_ns;
    options.filter = *filter;
    options.scope = cli_scope(scope);
    return options;
}

// The formats of the library come first.
static bool is_sqlite(int format)
{
    return format > 0 && !snoopi_export_format_name(format) &&
           snoopi_export_format_name(format - 1);
}

const char *cli_export_format_word(int format)
{
    return is_sqlite(format) ? "sqlite" : snoopi_export_format_name(format);
}

static int put(snoopi_trace *trace, const snoopi_export_options *options, const char *output,
               bool is_stdout, snoopi_error *err)
{
    if (is_sqlite((int)options->format)) {
        return cli_sqlite_export(trace, options, output, is_stdout, err);
    }
    return is_stdout ? snoopi_export_stream(trace, stdout, options, err)
                     : snoopi_export_file(trace, output, options, err);
}

int cli_export(snoopi_export_options *options, const char *base, int format, const char *output,
               int n_operands, char **operands)
{
    snoopi_error err = {0};
    cli_traceset old = CLI_TRACESET_NONE;
    if (base && format != (int)SNOOPI_EXPORT_SVG && format != (int)SNOOPI_EXPORT_HTML) {
        return cli_usage("export", "--base is for --to=svg and --to=html");
    }
    if (base && cli_traceset_open(&old, base) != CLI_OK) {
        return CLI_FAILED;
    }
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        cli_traceset_close(&old);
        return CLI_FAILED;
    }
    options->base = old.n > 0 ? old.traces[0] : NULL;
    const bool is_stdout = strcmp(output, "-") == 0;
    if (is_stdout && isatty(STDOUT_FILENO)) {
        options->scope.progress = NULL;
    }
    options->format = (snoopi_export_format)format;
    int status = put(trace, options, output, is_stdout, &err);
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
    cli_traceset_close(&old);
    return status;
}
