// SPDX-License-Identifier: MIT
// snoopi list: flat sums by a key.
#include <stdio.h>
#include <stdlib.h>

#include <snoopi/aggregate.h>

#include "cmd.h"
#include "listing.h"
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

// Columns of all rows, then those that frames, processes and threads have besides.
enum {
    C_SELF,
    C_SHARE,
    C_TOTAL,
    C_COUNT,
    C_ROOTS,
    C_GC,
    C_NAME,
    C_MODULE,
    C_PACKAGE,
    C_FILE,
    C_LINE,
    C_PLACE,
    C_PROCESS,
    C_THREAD,
    C_ID,
    C_PARENT,
    C_DEPTH,
    C_BEGIN,
    C_END,
    C_FLAGS,
    N_COLUMNS
};

static const cli_column all_columns[N_COLUMNS] = {
    [C_SELF] = {"self_ns", "SELF", CLI_CELL_TIME},
    [C_SHARE] = {NULL, "SHARE", CLI_CELL_TEXT},
    [C_TOTAL] = {"total_ns", "TOTAL", CLI_CELL_TIME},
    [C_COUNT] = {"count", "COUNT", CLI_CELL_COUNT},
    [C_ROOTS] = {"roots", NULL, CLI_CELL_COUNT},
    [C_GC] = {"gc_ns", "GC", CLI_CELL_TIME},
    [C_NAME] = {"name", "NAME", CLI_CELL_NAME},
    [C_MODULE] = {"module", "MODULE", CLI_CELL_TEXT},
    [C_PACKAGE] = {"package", NULL, CLI_CELL_TEXT},
    [C_FILE] = {"file", NULL, CLI_CELL_TEXT},
    [C_LINE] = {"line", NULL, CLI_CELL_ID},
    [C_PLACE] = {NULL, "WHERE", CLI_CELL_NAME},
    [C_PROCESS] = {"process", NULL, CLI_CELL_ID},
    [C_THREAD] = {"thread", NULL, CLI_CELL_ID},
    [C_ID] = {"id", NULL, CLI_CELL_ID},
    [C_PARENT] = {"parent", NULL, CLI_CELL_ID},
    [C_DEPTH] = {"depth", NULL, CLI_CELL_ID},
    [C_BEGIN] = {"begin_ns", NULL, CLI_CELL_TIME},
    [C_END] = {"end_ns", NULL, CLI_CELL_TIME},
    [C_FLAGS] = {"flags", NULL, CLI_CELL_VALUE},
};

// Columns that say nothing about this kind of row are left out.
static void choose_columns(cli_column *columns, snoopi_by by, bool has_gc)
{
    for (size_t i = 0; i < N_COLUMNS; i++) {
        columns[i] = all_columns[i];
    }
    const bool has_place = by <= SNOOPI_BY_METHOD || by == SNOOPI_BY_ROOT;
    const bool has_module = has_place || by == SNOOPI_BY_FUNCTION;
    if (!has_place) {
        columns[C_PLACE].title = NULL;
    }
    if (!has_module) {
        columns[C_MODULE].title = NULL;
    }
    if (!has_gc) {
        columns[C_GC].title = NULL;
    }
    if (by == SNOOPI_BY_ROOT) {
        columns[C_ROOTS].title = "ROOTS";
    }
    const bool is_frame = by == SNOOPI_BY_FRAME;
    for (size_t i = C_PROCESS; i < N_COLUMNS; i++) {
        const bool is_of_process = i == C_PROCESS || i == C_THREAD;
        if (!is_frame && !(is_of_process && by >= SNOOPI_BY_PROCESS)) {
            columns[i] = (cli_column){0};
        }
    }
    if (is_frame) {
        columns[C_COUNT].title = NULL;
    }
}

static cli_cell number_or_null(int64_t number)
{
    return number < 0 ? CLI_NULL : CLI_NUMBER(number);
}

static bool put_row(cli_listing *listing, const snoopi_row *row, const snoopi_totals *of)
{
    char share[CLI_TEXT_SIZE];
    char flags[CLI_FLAGS_SIZE];
    char *const place = cli_place(row->file, row->line);
    cli_flags_text(flags, row->flags);

    const cli_cell cells[N_COLUMNS] = {
        [C_SELF] = CLI_NUMBER(row->self_ns),
        [C_SHARE] = CLI_TEXT(cli_text_share(share, row->self_ns, of->inference_ns)),
        [C_TOTAL] = CLI_NUMBER(row->total_ns),
        [C_COUNT] = CLI_NUMBER(row->count),
        [C_ROOTS] = CLI_NUMBER(row->roots),
        [C_GC] = CLI_NUMBER(row->gc_ns),
        [C_NAME] = CLI_TEXT(row->name),
        [C_MODULE] = CLI_TEXT(row->module),
        [C_PACKAGE] = CLI_TEXT(row->package),
        [C_FILE] = CLI_TEXT(row->file),
        [C_LINE] = row->line > 0 ? CLI_NUMBER(row->line) : CLI_NULL,
        [C_PLACE] = CLI_TEXT(place),
        [C_PROCESS] = number_or_null(row->process),
        [C_THREAD] = number_or_null(row->thread),
        [C_ID] = CLI_NUMBER(row->id),
        [C_PARENT] = number_or_null(row->parent),
        [C_DEPTH] = CLI_NUMBER(row->depth),
        [C_BEGIN] = CLI_NUMBER(row->begin_ns),
        [C_END] = CLI_NUMBER(row->end_ns),
        [C_FLAGS] = {.text = flags, .put = cli_flags_json, .value = &row->flags},
    };
    const bool is_put = place && cli_listing_row(listing, cells);
    free(place);
    return is_put;
}

static int print(const list_args *args, const snoopi_aggregate *aggregate)
{
    const snoopi_totals *const totals = snoopi_aggregate_totals(aggregate);
    const snoopi_totals *const scope = snoopi_aggregate_scope_totals(aggregate);
    const size_t n = snoopi_aggregate_n_rows(aggregate);
    const uint64_t n_found = snoopi_aggregate_n_found(aggregate);
    cli_column columns[N_COLUMNS];

    choose_columns(columns, (snoopi_by)args->by, totals->gc_ns > 0);
    cli_listing *const listing = cli_listing_begin((cli_format)args->rows.format, "snoopi.list/1",
                                                   "rows", columns, N_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        snoopi_json_key(json, "by");
        snoopi_json_string(json, snoopi_by_name(args->by));
        snoopi_json_key(json, "sort");
        snoopi_json_string(json, snoopi_sort_name(args->rows.sort));
        snoopi_json_key(json, "found");
        snoopi_json_uint(json, n_found);
        cli_totals_json(json, totals, scope);
    }
    for (size_t i = 0; i < n && put_row(listing, snoopi_aggregate_row(aggregate, i), totals); i++) {
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
