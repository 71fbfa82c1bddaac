// SPDX-License-Identifier: MIT
// snoopi diff: what changed between two recordings, and whether that is too much.
#include <stdio.h>
#include <string.h>

#include <snoopi/diff.h>
#include <snoopi/gate.h>

#include "change.h"
#include "cmd.h"
#include "progress.h"
#include "say.h"
#include "traceset.h"
#include "view.h"

enum { MARKDOWN_LIMIT = 20 };

typedef struct {
    int by; /* + 1 is the snoopi_by: rows that are frames cannot be compared */
    int format;
    int sort;
    uint64_t limit;
    uint64_t tmin_ns;
    const char *fail_if;
    snoopi_filter filter;
    cli_scope_args scope;
} diff_args;

static const diff_args defaults = {
    .by = SNOOPI_BY_INSTANCE - 1, .limit = CLI_LIMIT_NONE, .scope = CLI_SCOPE_ALL};

static const char *by_word(int index)
{
    return snoopi_by_name(index + 1);
}

static const char *format_word(int index)
{
    return index == CLI_FORMAT_MARKDOWN ? "markdown" : cli_format_word(index);
}

static const cli_option options[] = {
    {"by", 0, CLI_OPT_CHOICE, "KEY", "what is one row (instance)", offsetof(diff_args, by),
     by_word},
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how it is printed (table)", offsetof(diff_args, format),
     format_word},
    {"sort", 0, CLI_OPT_CHOICE, "KEY", "order of rows (delta-self)", offsetof(diff_args, sort),
     snoopi_diff_sort_name},
    {"tmin", 0, CLI_OPT_TIME, "TIME", "rows whose self time changed by at least TIME",
     offsetof(diff_args, tmin_ns), NULL},
    {"limit", 0, CLI_OPT_NUMBER, "N",
     "at most N rows; 0: all (table: 30, markdown: 20, others: all)", offsetof(diff_args, limit),
     NULL},
    {"fail-if", 0, CLI_OPT_TEXT, "EXPR",
     "exit with status 3 if EXPR holds: 'instances>+0 or frames>+5%'", offsetof(diff_args, fail_if),
     NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_filter_options, offsetof(diff_args, filter)},
                                          {cli_scope_options, offsetof(diff_args, scope)},
                                          {0}};

// Shows the text of a gate with a pointer below the place where it cannot be read.
static int say_bad_gate(const char *text, size_t at, const char *why)
{
    (void)cli_usage("diff", "--fail-if: at character %zu: %s", at + 1, why);
    cli_say("  %s", text);
    cli_say("  %*s^", (int)at, "");
    return CLI_USAGE;
}

static uint64_t limit_of(const diff_args *args)
{
    if (args->limit != CLI_LIMIT_NONE) {
        return args->limit;
    }
    return args->format == CLI_FORMAT_TABLE      ? (uint64_t)CLI_TABLE_LIMIT
           : args->format == CLI_FORMAT_MARKDOWN ? (uint64_t)MARKDOWN_LIMIT
                                                 : 0;
}

static int print(const diff_args *args, const snoopi_gate *gate, const snoopi_diff *diff)
{
    const cli_change_options change = {.format = args->format,
                                       .by = (snoopi_by)(args->by + 1),
                                       .sort = (snoopi_diff_sort)args->sort,
                                       .gate_text = args->fail_if,
                                       .gate = gate};
    cli_progress_end();
    return args->format == CLI_FORMAT_MARKDOWN ? cli_change_markdown(diff, &change)
                                               : cli_change_list(diff, &change);
}

static void say_unsteady(const snoopi_diff *diff)
{
    const bool is_steady =
        snoopi_diff_before(diff)->is_steady && snoopi_diff_after(diff)->is_steady;
    if (!is_steady) {
        cli_say("frames, roots or instances differ between recordings of one side: a gate on them "
                "can go either way; medians are compared");
    }
}

// Says which conditions hold; whether any does.
static bool judge(const diff_args *args, const snoopi_gate *gate, const snoopi_diff *diff)
{
    const snoopi_totals *const before = &snoopi_diff_before(diff)->part;
    const snoopi_totals *const after = &snoopi_diff_after(diff)->part;
    bool holds = false;
    for (size_t i = 0; i < gate->n; i++) {
        const snoopi_condition *const c = &gate->conditions[i];
        char was[CLI_TEXT_SIZE];
        char is[CLI_TEXT_SIZE];
        if (snoopi_condition_holds(c, before, after)) {
            cli_say("gate: %.*s holds: %s was %s, is %s", (int)c->size, args->fail_if + c->at,
                    snoopi_metric_name((int)c->metric),
                    cli_metric_text(was, c->metric, snoopi_metric_of(c->metric, before)),
                    cli_metric_text(is, c->metric, snoopi_metric_of(c->metric, after)));
            holds = true;
        }
    }
    return holds;
}

static int compare(const diff_args *args, const snoopi_gate *gate, const cli_traceset *before,
                   const cli_traceset *after)
{
    const bool is_for_people =
        args->format == CLI_FORMAT_TABLE || args->format == CLI_FORMAT_MARKDOWN;
    const snoopi_diff_options diff_options = {.by = (snoopi_by)(args->by + 1),
                                              .sort = (snoopi_diff_sort)args->sort,
                                              .tmin_ns = args->tmin_ns,
                                              .is_changed_only = is_for_people,
                                              .limit = limit_of(args),
                                              .scope = cli_scope(&args->scope),
                                              .filter = args->filter};
    snoopi_diff *diff = NULL;
    snoopi_error err = {0};
    if (snoopi_diff_new(&diff, before->traces, before->n, after->traces, after->n, &diff_options,
                        &err) < 0) {
        return cli_fail("%s", err.text);
    }
    int status = print(args, gate, diff);
    cli_traceset_warn(before);
    cli_traceset_warn(after);
    say_unsteady(diff);
    if (status == CLI_OK && judge(args, gate, diff)) {
        status = CLI_GATE;
    }
    snoopi_diff_free(diff);
    return status;
}

static int run_diff(const void *payload, int n_operands, char **operands)
{
    const diff_args *const args = payload;
    snoopi_gate gate = {0};
    snoopi_error err = {0};
    size_t at = 0;
    (void)n_operands;
    if (args->fail_if && snoopi_gate_parse(&gate, args->fail_if, &at, &err) < 0) {
        return say_bad_gate(args->fail_if, at, err.text);
    }
    cli_traceset before = CLI_TRACESET_NONE;
    cli_traceset after = CLI_TRACESET_NONE;
    int status = cli_traceset_open(&before, operands[0]);
    if (status == CLI_OK) {
        status = cli_traceset_open(&after, operands[1]);
    }
    if (status == CLI_OK) {
        status = compare(args, &gate, &before, &after);
    }
    cli_traceset_close(&before);
    cli_traceset_close(&after);
    return status;
}

const cli_command cli_cmd_diff = {
    .name = "diff",
    .operands = "OLD NEW",
    .summary = "what changed between two recordings; a gate for CI",
    .about =
        "Rows match by module, name and file; lines may have moved, and numbers in the names of closures may differ. OLD and NEW\n"
        "are files, or what record --repeat was given: FILE.1, FILE.2, … are then compared by their medians.\n"
        "EXPR has conditions joined by 'or'. Each is one of frames, instances, roots (counts that are the same each time) or\n"
        "inference, then >, >=, < or <=, and a signed change: +0, -5%, +200ms. Exit status: 0; 3 if EXPR holds; 1 on failure.",
    .groups = groups,
    .args_size = sizeof(diff_args),
    .defaults = &defaults,
    .min_operands = 2,
    .max_operands = 2,
    .run = run_diff,
};
