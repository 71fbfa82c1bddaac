// SPDX-License-Identifier: MIT
// snoopi list: flat sums by a key.
#include <stdio.h>

#include <snoopi/aggregate.h>

#include "cmd.h"
#include "listing.h"
#include "progress.h"
#include "rowcols.h"
#include "say.h"
#include "text.h"
#include "view.h"

typedef struct {
    int by;
    cli_rows_args rows;
    snoopi_filter filter;
    cli_scope_args scope;
} list_args;

static const list_args defaults = {
    .by = SNOOPI_BY_INSTANCE, .rows = CLI_ROWS_DEFAULT, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {{"by", 0, CLI_OPT_CHOICE, "KEY", "what is one row (instance)",
                                      offsetof(list_args, by), snoopi_by_name},
                                     {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_rows_options, offsetof(list_args, rows)},
                                          {cli_filter_options, offsetof(list_args, filter)},
                                          {cli_scope_options, offsetof(list_args, scope)},
                                          {0}};

static int print(const list_args *args, const snoopi_aggregate *aggregate)
{
    const snoopi_totals *const totals = snoopi_aggregate_totals(aggregate);
    const snoopi_totals *const scope = snoopi_aggregate_scope_totals(aggregate);
    const size_t n = snoopi_aggregate_n_rows(aggregate);
    const uint64_t n_found = snoopi_aggregate_n_found(aggregate);
    cli_column columns[CLI_ROW_COLUMNS];

    cli_progress_end();
    cli_row_columns(columns, (snoopi_by)args->by, totals->gc_ns > 0);
    cli_listing *const listing = cli_listing_begin((cli_format)args->rows.format, "snoopi.list/1",
                                                   "rows", columns, CLI_ROW_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        snoopi_json_member_string(json, "by", snoopi_by_name(args->by));
        snoopi_json_member_string(json, "sort", snoopi_sort_name(args->rows.sort));
        snoopi_json_member_uint(json, "found", n_found);
        snoopi_json_totals(json, totals, scope);
    }
    for (size_t i = 0; i < n && cli_row_put(listing, snoopi_aggregate_row(aggregate, i), totals);
         i++) {
    }
    cli_listing_end_rows(listing);
    if (args->rows.format == CLI_FORMAT_TABLE) {
        char more[CLI_TEXT_SIZE];
        if (n_found > n) {
            (void)printf("… %s more rows; --limit=0 shows all\n",
                         cli_text_count(more, n_found - n));
        } else if (n == 0) {
            (void)printf("no rows\n");
        }
        cli_totals_print(totals, scope);
    }
    return cli_listing_end(listing);
}

static int run_list(const void *payload, int n_operands, char **operands)
{
    const list_args *const args = payload;
    snoopi_aggregate *aggregate = NULL;
    snoopi_error err = {0};
    int status = CLI_FAILED;

    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    const snoopi_aggregate_options aggregate_options = {
        .by = (snoopi_by)args->by,
        .sort = (snoopi_sort)args->rows.sort,
        .tmin_ns = args->rows.tmin_ns,
        .limit = cli_limit(&args->rows),
        .scope = cli_scope(&args->scope),
        .filter = args->filter,
    };
    if (snoopi_aggregate_new(&aggregate, trace, &aggregate_options, &err) < 0) {
        (void)cli_fail("%s", err.text);
    } else {
        status = print(args, aggregate);
        cli_trace_warn(trace);
    }
    snoopi_aggregate_free(aggregate);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_list = {
    .name = "list",
    .operands = "[FILE]",
    .summary = "sums of inference time by instance, method, function, module, file and more",
    .about =
        "SELF is the time in the frames of a row alone; over all rows it adds up to the inference of the recording. TOTAL counts\n"
        "what they called as well, once where a row calls itself. --module, --package and --file keep what matches\n"
        "(by root: roots that match); shares and totals stay those of the whole recording.",
    .groups = groups,
    .args_size = sizeof(list_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_list,
};
