// SPDX-License-Identifier: MIT
// snoopi triggers: who caused inference.
#include <stdio.h>
#include <stdlib.h>

#include <snoopi/triggers.h>

#include "cmd.h"
#include "listing.h"
#include "progress.h"
#include "say.h"
#include "text.h"
#include "triggercols.h"
#include "view.h"

typedef struct {
    int by;
    bool is_all;
    bool has_stack;
    cli_rows_args rows;
    snoopi_filter filter;
    cli_scope_args scope;
} triggers_args;

static const triggers_args defaults = {
    .rows = {.sort = SNOOPI_TRIGGERS_SORT_TOTAL, .limit = CLI_LIMIT_NONE}, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {
    {"by", 0, CLI_OPT_CHOICE, "KEY", "what is one row (pair)", offsetof(triggers_args, by),
     snoopi_triggers_by_name},
    {"stack", 0, CLI_OPT_SET, NULL, "the whole stack of the first root of each row",
     offsetof(triggers_args, has_stack), NULL},
    {"all", 0, CLI_OPT_SET, NULL,
     "take eval, include, invokelatest, Test and the like for callers too",
     offsetof(triggers_args, is_all), NULL},
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how rows are printed (table)",
     offsetof(triggers_args, rows.format), cli_format_word},
    {"sort", 0, CLI_OPT_CHOICE, "KEY", "order of rows (total)", offsetof(triggers_args, rows.sort),
     snoopi_triggers_sort_name},
    {"tmin", 0, CLI_OPT_TIME, "TIME", "rows whose total is at least TIME",
     offsetof(triggers_args, rows.tmin_ns), NULL},
    {"limit", 0, CLI_OPT_NUMBER, "N", "at most N rows; 0: all (table: 30, others: all)",
     offsetof(triggers_args, rows.limit), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_filter_options, offsetof(triggers_args, filter)},
                                          {cli_scope_options, offsetof(triggers_args, scope)},
                                          {0}};

static void print_end(const snoopi_triggers *triggers)
{
    const snoopi_totals *scope = snoopi_triggers_scope_totals(triggers);
    const size_t n = snoopi_triggers_n_rows(triggers);
    const uint64_t n_found = snoopi_triggers_n_found(triggers);
    const uint64_t n_stacks = snoopi_triggers_n_stacks(triggers);
    char count[CLI_TEXT_SIZE];
    if (n_found > n) {
        (void)printf("… %s more rows; --limit=0 shows all\n", cli_text_count(count, n_found - n));
    } else if (n == 0) {
        (void)printf("no rows\n");
    }
    if (n > 0 && n_stacks == 0) {
        (void)printf("no stacks were recorded: callers are not known\n");
    } else if (n_stacks < scope->roots) {
        (void)printf("stacks were recorded of %s", cli_text_count(count, n_stacks));
        (void)printf(" of %s roots\n", cli_text_count(count, scope->roots));
    }
    cli_totals_print(snoopi_triggers_totals(triggers), scope);
}

// Rows with their stacks, for people: a row is a paragraph.
static int print_stacks(snoopi_trace *trace, const snoopi_triggers *triggers)
{
    for (size_t i = 0; i < snoopi_triggers_n_rows(triggers); i++) {
        const snoopi_trigger_row *row = snoopi_triggers_row(triggers, i);
        const char *word = snoopi_trigger_class_name((int)row->trigger_class);
        char time[CLI_TEXT_SIZE];
        char count[CLI_TEXT_SIZE];
        char *site = cli_trigger_site(row);
        (void)printf("%s in %s roots: ", cli_text_time(time, row->total_ns),
                     cli_text_count(count, row->count));
        cli_text_put(stdout, row->callee ? row->callee : "calls");
        (void)fputs(" from ", stdout);
        cli_text_put(stdout, cli_trigger_caller(row));
        (void)fputs(site && *site ? " at " : "", stdout);
        cli_text_put(stdout, site ? site : "");
        (void)printf("%s%s%s\n", word ? " (" : "", word ? word : "", word ? ")" : "");
        free(site);
        cli_trigger_print_stack(trace, row);
        (void)putchar('\n');
    }
    print_end(triggers);
    return fflush(stdout) == 0 ? CLI_OK : cli_fail("stdout: cannot write");
}

static int print(const triggers_args *args, snoopi_trace *trace, const snoopi_triggers *triggers)
{
    const snoopi_totals *const totals = snoopi_triggers_totals(triggers);
    const size_t n = snoopi_triggers_n_rows(triggers);
    cli_column columns[CLI_TRIGGER_COLUMNS];

    cli_progress_end();
    if (args->has_stack && args->rows.format == CLI_FORMAT_TABLE) {
        return print_stacks(trace, triggers);
    }
    cli_trigger_columns(columns, (snoopi_triggers_by)args->by, args->has_stack);
    cli_listing *const listing = cli_listing_begin(
        (cli_format)args->rows.format, "snoopi.triggers/1", "rows", columns, CLI_TRIGGER_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        snoopi_json_member_string(json, "by", snoopi_triggers_by_name(args->by));
        snoopi_json_member_string(json, "sort", snoopi_triggers_sort_name(args->rows.sort));
        snoopi_json_member_uint(json, "found", snoopi_triggers_n_found(triggers));
        snoopi_json_member_uint(json, "roots_with_stack", snoopi_triggers_n_stacks(triggers));
        snoopi_json_totals(json, totals, snoopi_triggers_scope_totals(triggers));
    }
    for (size_t i = 0;
         i < n && cli_trigger_put(listing, trace, snoopi_triggers_row(triggers, i), i, totals);
         i++) {
    }
    cli_listing_end_rows(listing);
    if (args->rows.format == CLI_FORMAT_TABLE) {
        print_end(triggers);
    }
    return cli_listing_end(listing);
}

static int run_triggers(const void *payload, int n_operands, char **operands)
{
    const triggers_args *const args = payload;
    snoopi_triggers *triggers = NULL;
    snoopi_error err = {0};
    int status = CLI_FAILED;

    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    const snoopi_triggers_options triggers_options = {
        .by = (snoopi_triggers_by)args->by,
        .sort = (snoopi_triggers_sort)args->rows.sort,
        .is_all = args->is_all,
        .tmin_ns = args->rows.tmin_ns,
        .limit = cli_limit(&args->rows),
        .scope = cli_scope(&args->scope),
        .filter = args->filter,
    };
    if (snoopi_triggers_new(&triggers, trace, &triggers_options, &err) < 0) {
        (void)cli_fail("%s", err.text);
    } else {
        status = print(args, trace, triggers);
        cli_trace_warn(trace);
    }
    snoopi_triggers_free(triggers);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_triggers = {
    .name = "triggers",
    .operands = "[FILE]",
    .summary = "who caused inference: the calls that entered the compiler",
    .about =
        "TOTAL is the time of the roots that the calls caused; over all pairs it adds up to the inference of the recording.\n"
        "--module, --package and --file keep triggers whose callee or caller matches.",
    .groups = groups,
    .args_size = sizeof(triggers_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_triggers,
};
