// SPDX-License-Identifier: MIT
// snoopi flamegraph: a short way to a picture.
#include <string.h>

#include "cmd.h"
#include "exporting.h"
#include "say.h"

typedef struct {
    const char *output;
    const char *base;
    cli_export_args choice;
    snoopi_filter filter;
    cli_scope_args scope;
} flamegraph_args;

static const char default_output[] = "flamegraph.svg";

static const flamegraph_args defaults = {.output = default_output, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {
    {"output", 'o', CLI_OPT_TEXT, "OUT",
     "the file to write, .svg or .html (flamegraph.svg); -: standard output",
     offsetof(flamegraph_args, output), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_export_options, offsetof(flamegraph_args, choice)},
                                          {cli_base_options, offsetof(flamegraph_args, base)},
                                          {cli_filter_options, offsetof(flamegraph_args, filter)},
                                          {cli_scope_options, offsetof(flamegraph_args, scope)},
                                          {0}};

// The ending of the name tells which of the two pictures is meant.
static snoopi_export_format format_of(const char *path)
{
    const size_t length = strlen(path);
    const bool is_html = length > 5 && strcmp(path + length - 5, ".html") == 0;
    return is_html ? SNOOPI_EXPORT_HTML : SNOOPI_EXPORT_SVG;
}

static int run_flamegraph(const void *payload, int n_operands, char **operands)
{
    const flamegraph_args *const args = payload;
    if (!*args->output) {
        return cli_usage("flamegraph", "-o needs a file; -o - is standard output");
    }
    snoopi_export_options chosen = cli_export_choice(&args->choice, &args->filter, &args->scope);
    const int status = cli_export(&chosen, args->base, (int)format_of(args->output), args->output,
                                  n_operands, operands);
    if (status == CLI_OK && strcmp(args->output, "-") != 0) {
        cli_say("%s is there; a browser shows it", args->output);
    }
    return status;
}

const cli_command cli_cmd_flamegraph = {
    .name = "flamegraph",
    .operands = "[FILE]",
    .summary = "a picture of the call tree: the wider, the more time",
    .about =
        "An SVG that zooms and searches in a browser, without network. Orange is constant propagation, the other colours are those\n"
        "of packages. The same as: snoopi export --to=svg -o flamegraph.svg\n"
        "If OUT ends with .html, it is the viewer, with more views: snoopi export --to=html.",
    .groups = groups,
    .args_size = sizeof(flamegraph_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_flamegraph,
};
