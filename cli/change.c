// SPDX-License-Identifier: MIT
// Changes as text, and as a table, JSON, CSV and TSV.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "say.h"
#include "view.h"

char *cli_metric_text(char out[CLI_TEXT_SIZE], snoopi_metric metric, uint64_t number)
{
    return metric == SNOOPI_METRIC_INFERENCE ? cli_text_time(out, number)
                                             : cli_text_count(out, number);
}

char *cli_change_text(char out[CLI_TEXT_SIZE], bool is_time, uint64_t before, uint64_t after)
{
    char size[CLI_TEXT_SIZE];
    const uint64_t distance = before > after ? before - after : after - before;
    (void)(is_time ? cli_text_time(size, distance) : cli_text_count(size, distance));
    (void)snprintf(out, CLI_TEXT_SIZE, "%s%.24s",
                   distance == 0    ? ""
                   : after > before ? "+"
                                    : "−",
                   distance == 0 ? "0" : size);
    return out;
}

char *cli_percent_text(char out[CLI_TEXT_SIZE], uint64_t before, uint64_t after)
{
    if (before == 0) {
        (void)snprintf(out, CLI_TEXT_SIZE, "%s", after == 0 ? "" : "new");
        return out;
    }
    const double percent = 100.0 * ((double)after - (double)before) / (double)before;
    const double size = percent < 0 ? -percent : percent;
    (void)snprintf(out, CLI_TEXT_SIZE, size >= 9.95 || size == 0 ? "%s%.0f %%" : "%s%.1f %%",
                   percent > 0   ? "+"
                   : percent < 0 ? "−"
                                 : "",
                   size);
    return out;
}

static bool has_spread(const snoopi_diff *diff)
{
    return snoopi_diff_before(diff)->n_recordings > 1 && snoopi_diff_after(diff)->n_recordings > 1;
}

bool cli_change_is_clear(const snoopi_diff *diff, const snoopi_diff_row *row)
{
    return has_spread(diff) && (row->after_self.min_ns > row->before_self.max_ns ||
                                row->after_self.max_ns < row->before_self.min_ns);
}

// ---- columns

enum {
    C_STATE,
    C_OLD_SELF,
    C_NEW_SELF,
    C_DELTA_SELF,
    C_DELTA_TEXT,
    C_PERCENT,
    C_CLEAR,
    C_OLD_COUNT,
    C_NEW_COUNT,
    C_DELTA_COUNT,
    C_COUNT_TEXT,
    C_OLD_TOTAL,
    C_NEW_TOTAL,
    C_DELTA_TOTAL,
    C_OLD_ROOTS,
    C_NEW_ROOTS,
    C_OLD_MIN,
    C_OLD_MAX,
    C_NEW_MIN,
    C_NEW_MAX,
    C_NAME,
    C_OLD_NAME,
    C_MODULE,
    C_PACKAGE,
    C_FILE,
    C_LINE,
    C_OLD_FILE,
    C_OLD_LINE,
    C_PLACE,
    N_COLUMNS
};

static const cli_column all_columns[N_COLUMNS] = {
    [C_STATE] = {"state", NULL, CLI_CELL_TEXT},
    [C_OLD_SELF] = {"old_self_ns", "SELF", CLI_CELL_TIME},
    [C_NEW_SELF] = {"new_self_ns", "NOW", CLI_CELL_TIME},
    [C_DELTA_SELF] = {"delta_self_ns", NULL, CLI_CELL_ID},
    [C_DELTA_TEXT] = {NULL, "CHANGE", CLI_CELL_SHARE},
    [C_PERCENT] = {NULL, "%", CLI_CELL_SHARE},
    [C_CLEAR] = {"is_clear", "CLEAR", CLI_CELL_BOOL},
    [C_OLD_COUNT] = {"old_count", "COUNT", CLI_CELL_COUNT},
    [C_NEW_COUNT] = {"new_count", "NOW", CLI_CELL_COUNT},
    [C_DELTA_COUNT] = {"delta_count", NULL, CLI_CELL_ID},
    [C_COUNT_TEXT] = {NULL, "CHANGE", CLI_CELL_SHARE},
    [C_OLD_TOTAL] = {"old_total_ns", NULL, CLI_CELL_TIME},
    [C_NEW_TOTAL] = {"new_total_ns", NULL, CLI_CELL_TIME},
    [C_DELTA_TOTAL] = {"delta_total_ns", NULL, CLI_CELL_ID},
    [C_OLD_ROOTS] = {"old_roots", NULL, CLI_CELL_COUNT},
    [C_NEW_ROOTS] = {"new_roots", NULL, CLI_CELL_COUNT},
    [C_OLD_MIN] = {"old_self_min_ns", NULL, CLI_CELL_TIME},
    [C_OLD_MAX] = {"old_self_max_ns", NULL, CLI_CELL_TIME},
    [C_NEW_MIN] = {"new_self_min_ns", NULL, CLI_CELL_TIME},
    [C_NEW_MAX] = {"new_self_max_ns", NULL, CLI_CELL_TIME},
    [C_NAME] = {"name", "NAME", CLI_CELL_NAME},
    [C_OLD_NAME] = {"old_name", NULL, CLI_CELL_TEXT},
    [C_MODULE] = {"module", NULL, CLI_CELL_TEXT},
    [C_PACKAGE] = {"package", NULL, CLI_CELL_TEXT},
    [C_FILE] = {"file", NULL, CLI_CELL_TEXT},
    [C_LINE] = {"line", NULL, CLI_CELL_ID},
    [C_OLD_FILE] = {"old_file", NULL, CLI_CELL_TEXT},
    [C_OLD_LINE] = {"old_line", NULL, CLI_CELL_ID},
    [C_PLACE] = {NULL, "WHERE", CLI_CELL_TEXT},
};

static int64_t difference(uint64_t before, uint64_t after)
{
    return (int64_t)(after - before);
}

static cli_cell line_cell(const snoopi_row *row)
{
    return row && row->line > 0 ? CLI_NUMBER(row->line) : CLI_NULL;
}

static bool put_row(cli_listing *listing, const snoopi_diff *diff, const snoopi_diff_row *row)
{
    static const snoopi_row none = {0};
    const snoopi_row *const a = row->before ? row->before : &none;
    const snoopi_row *const b = row->after ? row->after : &none;
    const snoopi_row *const key = row->after ? row->after : a;
    char self[CLI_TEXT_SIZE];
    char percent[CLI_TEXT_SIZE];
    char count[CLI_TEXT_SIZE];
    char *const place = cli_place(key->file, key->line);
    const cli_cell cells[N_COLUMNS] = {
        [C_STATE] = CLI_TEXT(!row->before  ? "appeared"
                             : !row->after ? "vanished"
                                           : "both"),
        [C_OLD_SELF] = CLI_NUMBER(a->self_ns),
        [C_NEW_SELF] = CLI_NUMBER(b->self_ns),
        [C_DELTA_SELF] = CLI_NUMBER(difference(a->self_ns, b->self_ns)),
        [C_DELTA_TEXT] = CLI_TEXT(cli_change_text(self, true, a->self_ns, b->self_ns)),
        [C_PERCENT] =
            CLI_TEXT(row->after ? cli_percent_text(percent, a->self_ns, b->self_ns) : "gone"),
        [C_CLEAR] = has_spread(diff) ? CLI_NUMBER(cli_change_is_clear(diff, row)) : CLI_NULL,
        [C_OLD_COUNT] = CLI_NUMBER(a->count),
        [C_NEW_COUNT] = CLI_NUMBER(b->count),
        [C_DELTA_COUNT] = CLI_NUMBER(difference(a->count, b->count)),
        [C_COUNT_TEXT] =
            CLI_TEXT(a->count == b->count ? "" : cli_change_text(count, false, a->count, b->count)),
        [C_OLD_TOTAL] = CLI_NUMBER(a->total_ns),
        [C_NEW_TOTAL] = CLI_NUMBER(b->total_ns),
        [C_DELTA_TOTAL] = CLI_NUMBER(difference(a->total_ns, b->total_ns)),
        [C_OLD_ROOTS] = CLI_NUMBER(a->roots),
        [C_NEW_ROOTS] = CLI_NUMBER(b->roots),
        [C_OLD_MIN] = CLI_NUMBER(row->before_self.min_ns),
        [C_OLD_MAX] = CLI_NUMBER(row->before_self.max_ns),
        [C_NEW_MIN] = CLI_NUMBER(row->after_self.min_ns),
        [C_NEW_MAX] = CLI_NUMBER(row->after_self.max_ns),
        [C_NAME] = CLI_TEXT(key->name),
        [C_OLD_NAME] = CLI_TEXT(row->before ? a->name : NULL),
        [C_MODULE] = CLI_TEXT(key->module),
        [C_PACKAGE] = CLI_TEXT(key->package),
        [C_FILE] = CLI_TEXT(key->file),
        [C_LINE] = line_cell(key),
        [C_OLD_FILE] = CLI_TEXT(row->before ? a->file : NULL),
        [C_OLD_LINE] = line_cell(row->before),
        [C_PLACE] = CLI_TEXT(place),
    };
    const bool is_put = place && cli_listing_row(listing, cells);
    free(place);
    return is_put;
}

// ---- sums

static void sums_table(const snoopi_diff *diff)
{
    static const cli_column columns[] = {
        {NULL, "SUM", CLI_CELL_TEXT},  {NULL, "OLD", CLI_CELL_SHARE},
        {NULL, "NEW", CLI_CELL_SHARE}, {NULL, "CHANGE", CLI_CELL_SHARE},
        {NULL, "%", CLI_CELL_SHARE},
    };
    enum { N = sizeof columns / sizeof *columns };
    const snoopi_diff_side *const before = snoopi_diff_before(diff);
    const snoopi_diff_side *const after = snoopi_diff_after(diff);
    cli_listing *const listing = cli_listing_begin(CLI_FORMAT_TABLE, NULL, NULL, columns, N);
    for (int i = 0; listing && snoopi_metric_name(i); i++) {
        const snoopi_metric metric = (snoopi_metric)i;
        const uint64_t a = snoopi_metric_of(metric, &before->part);
        const uint64_t b = snoopi_metric_of(metric, &after->part);
        char was[CLI_TEXT_SIZE];
        char is[CLI_TEXT_SIZE];
        char change[CLI_TEXT_SIZE];
        char percent[CLI_TEXT_SIZE];
        const cli_cell cells[N] = {
            CLI_TEXT(snoopi_metric_name(i)),
            CLI_TEXT(cli_metric_text(was, metric, a)),
            CLI_TEXT(cli_metric_text(is, metric, b)),
            CLI_TEXT(cli_change_text(change, metric == SNOOPI_METRIC_INFERENCE, a, b)),
            CLI_TEXT(cli_percent_text(percent, a, b)),
        };
        (void)cli_listing_row(listing, cells);
    }
    if (listing) {
        cli_listing_end_rows(listing);
        (void)cli_listing_end(listing);
    }
    (void)putchar('\n');
}

static void side_json(snoopi_json *json, const char *name, const snoopi_diff_side *side)
{
    snoopi_json_key(json, name);
    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "recordings", side->n_recordings);
    snoopi_json_member_bool(json, "is_steady", side->is_steady);
    snoopi_json_member_uint(json, "inference_min_ns", side->inference.min_ns);
    snoopi_json_member_uint(json, "inference_max_ns", side->inference.max_ns);
    snoopi_json_totals(json, &side->whole, &side->part);
    snoopi_json_end_object(json);
}

static void gate_json(snoopi_json *json, const snoopi_diff *diff, const cli_change_options *options)
{
    const snoopi_totals *const before = &snoopi_diff_before(diff)->part;
    const snoopi_totals *const after = &snoopi_diff_after(diff)->part;
    snoopi_json_key(json, "gate");
    if (!options->gate_text) {
        snoopi_json_null(json);
        return;
    }
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < options->gate->n; i++) {
        const snoopi_condition *const c = &options->gate->conditions[i];
        snoopi_json_begin_object(json);
        snoopi_json_key(json, "condition");
        snoopi_json_string_n(json, options->gate_text + c->at, c->size);
        snoopi_json_member_bool(json, "holds", snoopi_condition_holds(c, before, after));
        snoopi_json_member_uint(json, "old", snoopi_metric_of(c->metric, before));
        snoopi_json_member_uint(json, "new", snoopi_metric_of(c->metric, after));
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

static void number_json(snoopi_json *json, const char *key, uint64_t number)
{
    snoopi_json_member_uint(json, key, number);
}

static void head_json(snoopi_json *json, const snoopi_diff *diff, const cli_change_options *options)
{
    snoopi_json_member_string(json, "by", snoopi_by_name((int)options->by));
    snoopi_json_member_string(json, "sort", snoopi_diff_sort_name((int)options->sort));
    number_json(json, "found", snoopi_diff_n_found(diff));
    number_json(json, "appeared", snoopi_diff_n_appeared(diff));
    number_json(json, "vanished", snoopi_diff_n_vanished(diff));
    gate_json(json, diff, options);
    side_json(json, "old", snoopi_diff_before(diff));
    side_json(json, "new", snoopi_diff_after(diff));
}

static void print_more(const snoopi_diff *diff)
{
    const size_t n = snoopi_diff_n_rows(diff);
    const size_t n_found = snoopi_diff_n_found(diff);
    char text[CLI_TEXT_SIZE];
    char more[CLI_TEXT_SIZE];
    if (n_found > n) {
        (void)printf("… %s more rows; --limit=0 shows all\n", cli_text_count(text, n_found - n));
    } else if (n == 0) {
        (void)printf("no row changed\n");
    }
    (void)printf("%s appeared, %s vanished\n", cli_text_count(text, snoopi_diff_n_appeared(diff)),
                 cli_text_count(more, snoopi_diff_n_vanished(diff)));
}

int cli_change_list(const snoopi_diff *diff, const cli_change_options *options)
{
    cli_column columns[N_COLUMNS];
    memcpy(columns, all_columns, sizeof columns);
    if (!has_spread(diff)) {
        columns[C_CLEAR].title = NULL;
    }
    if (options->by != SNOOPI_BY_INSTANCE && options->by != SNOOPI_BY_METHOD &&
        options->by != SNOOPI_BY_ROOT) {
        columns[C_PLACE].title = NULL;
    }
    if (options->format == CLI_FORMAT_TABLE) {
        sums_table(diff);
    }
    cli_listing *const listing =
        cli_listing_begin((cli_format)options->format, "snoopi.diff/1", "rows", columns, N_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        head_json(json, diff, options);
    }
    for (size_t i = 0;
         i < snoopi_diff_n_rows(diff) && put_row(listing, diff, snoopi_diff_row_at(diff, i)); i++) {
    }
    cli_listing_end_rows(listing);
    if (options->format == CLI_FORMAT_TABLE) {
        print_more(diff);
    }
    return cli_listing_end(listing);
}
