// SPDX-License-Identifier: MIT
// snoopi report: one screen.
#include <stdio.h>
#include <stdlib.h>

#include <snoopi/advice.h>
#include <snoopi/aggregate.h>
#include <snoopi/triggers.h>

#include "advicetext.h"
#include "cmd.h"
#include "global.h"
#include "listing.h"
#include "progress.h"
#include "rowcols.h"
#include "say.h"
#include "summary.h"
#include "text.h"
#include "triggercols.h"
#include "view.h"

typedef struct {
    int format;
    uint64_t limit;
    cli_scope_args scope;
} report_args;

static const report_args defaults = {.limit = 8, .scope = CLI_SCOPE_ALL};

static const char *format_word(int index)
{
    return index <= CLI_FORMAT_JSON ? cli_format_word(index) : NULL;
}

static const cli_option options[] = {
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how it is printed (table)", offsetof(report_args, format),
     format_word},
    {"limit", 0, CLI_OPT_NUMBER, "N", "rows of each part (8); 0: all", offsetof(report_args, limit),
     NULL},
    {0}};

static const cli_option_group groups[] = {
    {options, 0}, {cli_scope_options, offsetof(report_args, scope)}, {0}};

// The parts, each a list of its own.
static const struct {
    snoopi_by by;
    const char *key;   // in JSON
    const char *title; // for people
} parts[] = {
    {SNOOPI_BY_INSTANCE, "instances", "Instances: one method with one set of argument types"},
    {SNOOPI_BY_METHOD, "methods", "Methods"},
    {SNOOPI_BY_PACKAGE, "packages", "Packages"},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

enum { ADVICE_LIMIT = 3, ADVICE_TMIN_NS = 100000 };

typedef struct {
    snoopi_trace *trace;
    const snoopi_totals *totals; // of the first aggregate
    const snoopi_totals *scope;
    snoopi_aggregate *aggregates[N_PARTS];
    snoopi_triggers *triggers;
    snoopi_advice *advice;
} findings;

static void clear(findings *f)
{
    for (size_t i = 0; i < N_PARTS; i++) {
        snoopi_aggregate_free(f->aggregates[i]);
    }
    snoopi_triggers_free(f->triggers);
    snoopi_advice_free(f->advice);
}

static int find_causes(findings *f, snoopi_trace *trace, const report_args *args)
{
    snoopi_error err = {0};
    snoopi_triggers_options triggers_options = SNOOPI_TRIGGERS_INIT;
    triggers_options.limit = args->limit;
    triggers_options.scope = cli_scope(&args->scope);
    snoopi_advice_options advice_options = SNOOPI_ADVICE_INIT;
    advice_options.tmin_ns = ADVICE_TMIN_NS;
    advice_options.limit = ADVICE_LIMIT;
    advice_options.scope = cli_scope(&args->scope);
    if (snoopi_triggers_new(&f->triggers, trace, &triggers_options, &err) < 0 ||
        snoopi_advice_new(&f->advice, trace, &advice_options, &err) < 0) {
        return cli_fail("%s", err.text);
    }
    return CLI_OK;
}

static int find(findings *f, snoopi_trace *trace, const report_args *args)
{
    snoopi_error err = {0};
    for (size_t i = 0; i < N_PARTS; i++) {
        snoopi_aggregate_options aggregate_options = SNOOPI_AGGREGATE_INIT;
        aggregate_options.by = parts[i].by;
        aggregate_options.limit = args->limit;
        aggregate_options.scope = cli_scope(&args->scope);
        if (snoopi_aggregate_new(&f->aggregates[i], trace, &aggregate_options, &err) < 0) {
            return cli_fail("%s", err.text);
        }
    }
    if (find_causes(f, trace, args) != CLI_OK) {
        return CLI_FAILED;
    }
    cli_progress_end();
    f->trace = trace;
    f->totals = snoopi_aggregate_totals(f->aggregates[0]);
    f->scope = snoopi_aggregate_scope_totals(f->aggregates[0]);
    return CLI_OK;
}

// ---- for people

static void print_title(const char *title)
{
    const bool is_colored = cli_is_colored();
    (void)printf("\n%s%s%s\n", is_colored ? "\x1b[1;4m" : "", title, is_colored ? "\x1b[0m" : "");
}

static void print_lack(void *payload, const char *sentence)
{
    (void)payload;
    const bool is_colored = cli_is_colored();
    (void)fputs(is_colored ? "\x1b[1;31m! " : "! ", stdout);
    cli_text_put(stdout, sentence);
    (void)fputs(is_colored ? "\x1b[0m\n" : "\n", stdout);
}

static void print_command(const snoopi_recording *recording)
{
    for (uint32_t i = 0; i < recording->argc; i++) {
        (void)fputs(i > 0 ? " " : "", stdout);
        cli_text_put(stdout, recording->argv[i]);
    }
    switch (recording->exit_kind) {
    case SNOOPI_EXIT_UNKNOWN: break;
    case SNOOPI_EXIT_STATUS: (void)printf(" (status %d)", recording->exit_value); break;
    case SNOOPI_EXIT_SIGNAL: (void)printf(" (ended by signal %d)", recording->exit_value); break;
    }
    (void)fputs(recording->argc > 0 ? "\n" : "", stdout);
}

static void print_times(const findings *f)
{
    const snoopi_totals *const t = f->totals;
    char time[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    char count[CLI_TEXT_SIZE];
    const uint32_t n = snoopi_trace_n_processes(f->trace);

    (void)printf("\nwall       %9s        ", cli_text_time(time, t->wall_ns));
    (void)printf("%u julia process%s, ", (unsigned)n, n == 1 ? "" : "es");
    (void)printf("%s from first to last\n", cli_text_time(time, t->elapsed_ns));
    (void)printf("inference  %9s  %5s ", cli_text_time(time, t->inference_ns),
                 cli_text_share(share, t->inference_ns, t->wall_ns));
    (void)printf("%s", cli_text_counted(count, t->frames, "frame"));
    (void)printf(" of %s", cli_text_counted(count, t->instances, "instance"));
    (void)printf(" from %s\n", cli_text_counted(count, t->roots, "root"));
    (void)printf("outside    %9s  %5s all else: running, code generation, loading\n",
                 cli_text_time(time, t->outside_ns),
                 cli_text_share(share, t->outside_ns, t->wall_ns));
    (void)printf("recording  %9s  %5s the tool itself\n", cli_text_time(time, t->tool_ns),
                 cli_text_share(share, t->tool_ns, t->wall_ns));
    if (f->scope->frames != t->frames) {
        (void)printf("\nOf these, in the part that was asked for: inference %s",
                     cli_text_time(time, f->scope->inference_ns));
        (void)printf(" in %s\n", cli_text_counted(count, f->scope->frames, "frame"));
    }
}

static int print_processes(const snoopi_trace *trace)
{
    static const cli_column columns[] = {
        {NULL, "#", CLI_CELL_ID},        {NULL, "ROLE", CLI_CELL_TEXT},
        {NULL, "WALL", CLI_CELL_TIME},   {NULL, "INFERENCE", CLI_CELL_TIME},
        {NULL, "SHARE", CLI_CELL_SHARE}, {NULL, "FRAMES", CLI_CELL_COUNT},
        {NULL, "JULIA", CLI_CELL_TEXT},
    };
    enum { N_COLUMNS = sizeof columns / sizeof *columns, SHOWN_MAX = 12 };
    const uint32_t n = snoopi_trace_n_processes(trace);
    if (n < 2) {
        return CLI_OK;
    }
    print_title("Processes");
    cli_listing *const listing =
        cli_listing_begin(CLI_FORMAT_TABLE, NULL, NULL, columns, N_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    for (uint32_t i = 0; i < n && i < SHOWN_MAX; i++) {
        const snoopi_process *const p = snoopi_trace_process(trace, i);
        char share[CLI_TEXT_SIZE];
        const cli_cell cells[N_COLUMNS] = {
            CLI_NUMBER(p->index),
            CLI_TEXT(p->role),
            CLI_NUMBER(p->wall_ns),
            CLI_NUMBER(p->inference_ns),
            CLI_TEXT(cli_text_share(share, p->inference_ns, p->wall_ns)),
            CLI_NUMBER(p->frames),
            CLI_TEXT(p->julia),
        };
        (void)cli_listing_row(listing, cells);
    }
    cli_listing_end_rows(listing);
    if (n > SHOWN_MAX) {
        (void)printf("… %u more; snoopi info shows all\n", (unsigned)(n - SHOWN_MAX));
    }
    return cli_listing_end(listing);
}

static int print_part(const findings *f, size_t part)
{
    const snoopi_aggregate *const aggregate = f->aggregates[part];
    const size_t n = snoopi_aggregate_n_rows(aggregate);
    cli_column columns[CLI_ROW_COLUMNS];
    if (n == 0) {
        return CLI_OK;
    }
    print_title(parts[part].title);
    cli_row_report_columns(columns, parts[part].by);
    cli_listing *const listing =
        cli_listing_begin(CLI_FORMAT_TABLE, NULL, NULL, columns, CLI_ROW_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    cli_listing_set_width(listing, cli_screen_width());
    for (size_t i = 0; i < n && cli_row_put(listing, snoopi_aggregate_row(aggregate, i), f->totals);
         i++) {
    }
    cli_listing_end_rows(listing);
    return cli_listing_end(listing);
}

static int print_triggers(const findings *f)
{
    const size_t n = snoopi_triggers_n_rows(f->triggers);
    cli_column columns[CLI_TRIGGER_COLUMNS];
    if (n == 0 || snoopi_triggers_n_stacks(f->triggers) == 0) {
        return CLI_OK;
    }
    print_title("Triggers: the calls that entered the compiler");
    cli_trigger_report_columns(columns);
    cli_listing *const listing =
        cli_listing_begin(CLI_FORMAT_TABLE, NULL, NULL, columns, CLI_TRIGGER_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    cli_listing_set_width(listing, cli_screen_width());
    for (size_t i = 0; i < n && cli_trigger_put(listing, f->trace,
                                                snoopi_triggers_row(f->triggers, i), i, f->totals);
         i++) {
    }
    cli_listing_end_rows(listing);
    return cli_listing_end(listing);
}

static void print_advice(const findings *f)
{
    const size_t n = snoopi_advice_n_findings(f->advice);
    if (n > 0) {
        print_title("Advice worth most");
    }
    for (size_t i = 0; i < n; i++) {
        cli_advice_print(snoopi_advice_finding(f->advice, i), i + 1, false);
    }
    if (snoopi_advice_n_found(f->advice) > n) {
        (void)printf("snoopi advise shows all, with evidence\n");
    }
}

static int print_report(const findings *f)
{
    print_command(snoopi_trace_recording(f->trace));
    (void)cli_summary_lacks(f->trace, CLI_LACKS_MOST, print_lack, NULL);
    print_times(f);
    int status = print_processes(f->trace);
    for (size_t i = 0; i < N_PARTS && status == CLI_OK; i++) {
        status = print_part(f, i);
    }
    if (status == CLI_OK) {
        status = print_triggers(f);
    }
    if (status == CLI_OK) {
        print_advice(f);
    }
    return status;
}

// ---- for programs

static void put_lack(void *payload, const char *sentence)
{
    snoopi_json_string(payload, sentence);
}

static bool put_causes(const findings *f, snoopi_json *json)
{
    cli_column columns[CLI_TRIGGER_COLUMNS];
    bool is_put = true;
    cli_trigger_columns(columns, SNOOPI_TRIGGERS_BY_PAIR, false);
    snoopi_json_key(json, "triggers");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < snoopi_triggers_n_rows(f->triggers) && is_put; i++) {
        is_put =
            cli_trigger_put_json(json, f->trace, columns, snoopi_triggers_row(f->triggers, i), i);
    }
    snoopi_json_end_array(json);
    snoopi_json_key(json, "advice");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < snoopi_advice_n_findings(f->advice) && is_put; i++) {
        is_put = cli_advice_put_json(json, snoopi_advice_finding(f->advice, i));
    }
    snoopi_json_end_array(json);
    return is_put;
}

static int put_report(const findings *f)
{
    snoopi_json json;
    bool is_put = true;

    snoopi_json_init(&json, stdout, 2);
    snoopi_json_begin_object(&json);
    snoopi_json_member_string(&json, "schema", "snoopi.report/1");
    snoopi_json_totals(&json, f->totals, f->scope);
    snoopi_json_key(&json, "lacks");
    snoopi_json_begin_array(&json);
    (void)cli_summary_lacks(f->trace, 0, put_lack, &json);
    snoopi_json_end_array(&json);
    for (size_t i = 0; i < N_PARTS; i++) {
        cli_column columns[CLI_ROW_COLUMNS];
        cli_row_columns(columns, parts[i].by, true);
        snoopi_json_key(&json, parts[i].key);
        snoopi_json_begin_array(&json);
        const size_t n = snoopi_aggregate_n_rows(f->aggregates[i]);
        for (size_t row = 0; row < n && is_put; row++) {
            is_put = cli_row_put_json(&json, columns, snoopi_aggregate_row(f->aggregates[i], row));
        }
        snoopi_json_end_array(&json);
    }
    is_put = is_put && put_causes(f, &json);
    snoopi_json_end_object(&json);
    snoopi_json_end_line(&json);
    return is_put ? CLI_OK : cli_fail("out of memory");
}

static int run_report(const void *payload, int n_operands, char **operands)
{
    const report_args *const args = payload;
    findings f = {0};
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    int status = find(&f, trace, args);
    if (status == CLI_OK) {
        status = args->format == CLI_FORMAT_JSON ? put_report(&f) : print_report(&f);
    }
    clear(&f);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_report = {
    .name = "report",
    .operands = "[FILE]",
    .summary = "what a recording says, on one screen",
    .groups = groups,
    .args_size = sizeof(report_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_report,
};
