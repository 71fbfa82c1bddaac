// SPDX-License-Identifier: MIT
// snoopi info: the trace itself, and its processes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <snoopi/scope.h>

#include "cmd.h"
#include "listing.h"
#include "say.h"
#include "summary.h"
#include "text.h"
#include "view.h"

typedef struct {
    int format;
} info_args;

static const cli_option options[] = {{"format", 0, CLI_OPT_CHOICE, "HOW",
                                      "how processes are printed (table)",
                                      offsetof(info_args, format), cli_format_word},
                                     {0}};

static const cli_option_group groups[] = {{options, 0}, {0}};

// A field of a process, and how it is read from it: columns and cells cannot come apart.
enum {
    C_INDEX,
    C_PID,
    C_PPID,
    C_PARENT,
    C_ROLE,
    C_JULIA,
    C_HOOK,
    C_EXIT,
    C_COMPLETE,
    C_FRAMES,
    C_ROOTS,
    C_INSTANCES,
    C_DROPPED,
    C_DROPPED_RECORDS,
    C_WALL,
    C_INFERENCE,
    C_BUSY,
    C_OUTSIDE,
    C_GC,
    C_TOOL,
    C_AGENT_START,
    C_BEGIN,
    C_BEGIN_REAL,
    C_SEGMENT_BYTES,
    C_EVENT_BYTES,
    C_WORLD_BEGIN,
    C_WORLD_END,
    C_HAS_ARGS,
    C_HAS_STACKS,
    C_REPLACED,
    C_COMPILE,
    C_HOOKED,
    C_REASON,
    C_DAMAGE,
    C_EXE,
    C_BINDIR,
    C_CWD,
    C_ARGV,
    N_COLUMNS
};

static const cli_column columns[N_COLUMNS] = {
    [C_INDEX] = {"index", "#", CLI_CELL_ID},
    [C_PID] = {"pid", "PID", CLI_CELL_ID},
    [C_PPID] = {"ppid", NULL, CLI_CELL_ID},
    [C_PARENT] = {"parent", NULL, CLI_CELL_ID},
    [C_ROLE] = {"role", "ROLE", CLI_CELL_TEXT},
    [C_JULIA] = {"julia", "JULIA", CLI_CELL_TEXT},
    [C_HOOK] = {"hook", "HOOK", CLI_CELL_TEXT},
    [C_EXIT] = {"exit", "EXIT", CLI_CELL_VALUE},
    [C_COMPLETE] = {"complete", "WHOLE", CLI_CELL_BOOL},
    [C_FRAMES] = {"frames", "FRAMES", CLI_CELL_COUNT},
    [C_ROOTS] = {"roots", "ROOTS", CLI_CELL_COUNT},
    [C_INSTANCES] = {"instances", NULL, CLI_CELL_COUNT},
    [C_DROPPED] = {"dropped", "DROPPED", CLI_CELL_COUNT},
    [C_DROPPED_RECORDS] = {"dropped_records", NULL, CLI_CELL_COUNT},
    [C_WALL] = {"wall_ns", "WALL", CLI_CELL_TIME},
    [C_INFERENCE] = {"inference_ns", "INFERENCE", CLI_CELL_TIME},
    [C_BUSY] = {"busy_ns", NULL, CLI_CELL_TIME},
    [C_OUTSIDE] = {"outside_ns", NULL, CLI_CELL_TIME},
    [C_GC] = {"gc_ns", NULL, CLI_CELL_TIME},
    [C_TOOL] = {"tool_ns", NULL, CLI_CELL_TIME},
    [C_AGENT_START] = {"agent_start_ns", NULL, CLI_CELL_TIME},
    [C_BEGIN] = {"begin_ns", NULL, CLI_CELL_TIME},
    [C_BEGIN_REAL] = {"begin_real_ns", NULL, CLI_CELL_TIME},
    [C_SEGMENT_BYTES] = {"segment_bytes", NULL, CLI_CELL_SIZE},
    [C_EVENT_BYTES] = {"event_bytes", NULL, CLI_CELL_SIZE},
    [C_WORLD_BEGIN] = {"world_begin", NULL, CLI_CELL_ID},
    [C_WORLD_END] = {"world_end", NULL, CLI_CELL_ID},
    [C_HAS_ARGS] = {"has_args", NULL, CLI_CELL_BOOL},
    [C_HAS_STACKS] = {"has_stacks", NULL, CLI_CELL_BOOL},
    [C_REPLACED] = {"compiler_replaced", NULL, CLI_CELL_BOOL},
    [C_COMPILE] = {"compile_mode", NULL, CLI_CELL_TEXT},
    [C_HOOKED] = {"hooked", NULL, CLI_CELL_TEXT},
    [C_REASON] = {"reason", NULL, CLI_CELL_TEXT},
    [C_DAMAGE] = {"damage", NULL, CLI_CELL_TEXT},
    [C_EXE] = {"exe", NULL, CLI_CELL_TEXT},
    [C_BINDIR] = {"bindir", NULL, CLI_CELL_TEXT},
    [C_CWD] = {"cwd", NULL, CLI_CELL_TEXT},
    [C_ARGV] = {"argv", "COMMAND", CLI_CELL_VALUE},
};

static const char *hook_word(snoopi_hook_kind hook)
{
    switch (hook) {
    case SNOOPI_HOOK_NONE: return "none";
    case SNOOPI_HOOK_NATIVE: return "native";
    case SNOOPI_HOOK_OVERRIDE: return "override";
    }
    return "unknown";
}

static const char *exit_key(snoopi_exit_kind kind)
{
    return kind == SNOOPI_EXIT_SIGNAL ? "signal" : kind == SNOOPI_EXIT_STATUS ? "status" : NULL;
}

static void put_exit(snoopi_json *json, const char *key, int value)
{
    if (!key) {
        snoopi_json_null(json);
        return;
    }
    snoopi_json_begin_object(json);
    snoopi_json_member_int(json, key, value);
    snoopi_json_end_object(json);
}

static void put_process_exit(snoopi_json *json, const void *value)
{
    const snoopi_process *const p = value;
    put_exit(json, exit_key(p->exit_kind), p->exit_value);
}

static void put_words(snoopi_json *json, uint32_t n, const char *const *words)
{
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        snoopi_json_string(json, words[i]);
    }
    snoopi_json_end_array(json);
}

static void put_process_argv(snoopi_json *json, const void *value)
{
    const snoopi_process *const p = value;
    put_words(json, p->argc, p->argv);
}

// "status 1"
static const char *exit_text(char text[CLI_TEXT_SIZE], snoopi_exit_kind kind, int value)
{
    if (!exit_key(kind)) {
        return "?";
    }
    (void)snprintf(text, CLI_TEXT_SIZE, "%s %d", exit_key(kind), value);
    return text;
}

// Arguments as one could type them. To be freed.
static char *command_text(uint32_t n, const char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        (void)fputs(i > 0 ? " " : "", out);
        cli_shell_quote(out, words[i]);
    }
    return fclose(out) == 0 ? text : NULL;
}

static const char *text_or_null(const char *text)
{
    return *text ? text : NULL;
}

static bool put_process(cli_listing *listing, const snoopi_process *p)
{
    char ended[CLI_TEXT_SIZE];
    char *const command = command_text(p->argc, p->argv);
    const cli_cell cells[N_COLUMNS] = {
        [C_INDEX] = CLI_NUMBER(p->index),
        [C_PID] = CLI_NUMBER(p->pid),
        [C_PPID] = CLI_NUMBER(p->ppid),
        [C_PARENT] = p->parent < 0 ? CLI_NULL : CLI_NUMBER(p->parent),
        [C_ROLE] = CLI_TEXT(text_or_null(p->role)),
        [C_JULIA] = CLI_TEXT(text_or_null(p->julia)),
        [C_HOOK] = CLI_TEXT(hook_word(p->hook)),
        [C_EXIT] = {.text = exit_text(ended, p->exit_kind, p->exit_value),
                    .put = put_process_exit,
                    .value = p},
        [C_COMPLETE] = CLI_NUMBER(p->is_complete),
        [C_FRAMES] = CLI_NUMBER(p->frames),
        [C_ROOTS] = CLI_NUMBER(p->roots),
        [C_INSTANCES] = CLI_NUMBER(p->instances),
        [C_DROPPED] = CLI_NUMBER(p->dropped_frames),
        [C_DROPPED_RECORDS] = CLI_NUMBER(p->dropped_records),
        [C_WALL] = CLI_NUMBER(p->wall_ns),
        [C_INFERENCE] = CLI_NUMBER(p->inference_ns),
        [C_BUSY] = CLI_NUMBER(p->busy_ns),
        [C_OUTSIDE] = CLI_NUMBER(p->outside_ns),
        [C_GC] = CLI_NUMBER(p->gc_ns),
        [C_TOOL] = CLI_NUMBER(p->tool_ns),
        [C_AGENT_START] = CLI_NUMBER(p->agent_start_ns),
        [C_BEGIN] = CLI_NUMBER(p->begin_ns),
        [C_BEGIN_REAL] = CLI_NUMBER(p->begin_real_ns),
        [C_SEGMENT_BYTES] = CLI_NUMBER(p->segment_bytes),
        [C_EVENT_BYTES] = CLI_NUMBER(p->event_bytes),
        [C_WORLD_BEGIN] = CLI_NUMBER(p->world_begin),
        [C_WORLD_END] = CLI_NUMBER(p->world_end),
        [C_HAS_ARGS] = CLI_NUMBER(p->has_args),
        [C_HAS_STACKS] = CLI_NUMBER(p->has_stacks),
        [C_REPLACED] = CLI_NUMBER(p->compiler_replaced),
        [C_COMPILE] = CLI_TEXT(text_or_null(p->compile_mode)),
        [C_HOOKED] = CLI_TEXT(text_or_null(p->hook_text)),
        [C_REASON] = CLI_TEXT(text_or_null(p->reason)),
        [C_DAMAGE] = CLI_TEXT(text_or_null(p->damage)),
        [C_EXE] = CLI_TEXT(text_or_null(p->exe)),
        [C_BINDIR] = CLI_TEXT(text_or_null(p->bindir)),
        [C_CWD] = CLI_TEXT(text_or_null(p->cwd)),
        [C_ARGV] = {.text = command, .put = put_process_argv, .value = p},
    };
    const bool is_put = command && cli_listing_row(listing, cells);
    free(command);
    return is_put;
}

static void json_sentence(void *payload, const char *sentence)
{
    snoopi_json_string(payload, sentence);
}

static void put_marks(snoopi_json *json, const snoopi_trace *trace)
{
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < snoopi_trace_n_marks(trace); i++) {
        const snoopi_mark *const mark = snoopi_trace_mark(trace, i);
        snoopi_json_begin_object(json);
        snoopi_json_member_string(json, "name", mark->name);
        snoopi_json_member_uint(json, "process", mark->process);
        snoopi_json_member_uint(json, "time_ns", mark->time_ns);
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

static void put_recording(snoopi_json *json, const snoopi_trace *trace, const snoopi_totals *totals)
{
    const snoopi_recording *const r = snoopi_trace_recording(trace);
    snoopi_json_member_uint(json, "format_version", r->format_version);
    snoopi_json_member_string(json, "writer", r->writer);
    snoopi_json_key(json, "command");
    put_words(json, r->argc, r->argv);
    snoopi_json_member_uint(json, "begin_real_ns", r->begin_real_ns);
    snoopi_json_key(json, "exit");
    put_exit(json, exit_key(r->exit_kind), r->exit_value);
    snoopi_json_member_bool(json, "complete", r->is_complete && !snoopi_trace_damage(trace));
    snoopi_json_key(json, "lacks");
    snoopi_json_begin_array(json);
    (void)cli_summary_lacks(trace, 0, json_sentence, json);
    snoopi_json_end_array(json);
    snoopi_json_key(json, "marks");
    put_marks(json, trace);
    snoopi_json_totals(json, totals, NULL);
}

static void print_sentence(void *payload, const char *sentence)
{
    (void)payload;
    (void)fputs("lacks:       ", stdout);
    cli_text_put(stdout, sentence);
    (void)putchar('\n');
}

static void print_recording(const snoopi_trace *trace, const snoopi_totals *totals)
{
    const snoopi_recording *const r = snoopi_trace_recording(trace);
    char text[CLI_TEXT_SIZE];
    char count[CLI_TEXT_SIZE];
    const time_t begin = (time_t)(r->begin_real_ns / 1000000000u);
    struct tm when;
    char date[64];

    (void)printf("format:      version %u, written by snoopi %s\n", (unsigned)r->format_version,
                 *r->writer ? r->writer : "(not known)");
    if (r->argc > 0) {
        char *const command = command_text(r->argc, r->argv);
        (void)fputs("command:     ", stdout);
        cli_text_put(stdout, command ? command : "");
        (void)printf(" (%s)\n", exit_text(text, r->exit_kind, r->exit_value));
        free(command);
    }
    if (begin > 0 && localtime_r(&begin, &when) &&
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &when) > 0) {
        (void)printf("recorded:    %s, for %s\n", date, cli_text_time(text, totals->elapsed_ns));
    }
    (void)printf("processes:   %u\n", (unsigned)snoopi_trace_n_processes(trace));
    (void)printf("frames:      %s", cli_text_count(count, totals->frames));
    (void)printf(" from %s", cli_text_counted(count, totals->roots, "root"));
    (void)printf(" of %s\n", cli_text_counted(count, totals->instances, "instance"));
    (void)printf("inference:   %s", cli_text_time(text, totals->inference_ns));
    (void)printf(" of %s", cli_text_time(text, totals->wall_ns));
    (void)printf(" (%s)\n", cli_text_share(text, totals->inference_ns, totals->wall_ns));
    (void)printf("tool:        %s\n", cli_text_time(text, totals->tool_ns));
    if (cli_summary_lacks(trace, 0, print_sentence, NULL) == 0) {
        (void)printf("lacks:       nothing\n");
    }
    (void)putchar('\n');
}

// Walks over all frames: what can be read is known only then.
static int read_totals(snoopi_totals *totals, snoopi_trace *trace)
{
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    snoopi_error err = {0};
    int status = snoopi_scan_open(&scan, trace, NULL, &err);
    while (status == SNOOPI_OK && (status = snoopi_scan_next(scan, &frame, &err)) == 1) {
        status = SNOOPI_OK;
    }
    if (status < 0) {
        snoopi_scan_close(scan);
        return cli_fail("%s", err.text);
    }
    *totals = *snoopi_scan_totals(scan);
    snoopi_scan_close(scan);
    return CLI_OK;
}

static int print(const info_args *args, const snoopi_trace *trace, const snoopi_totals *totals)
{
    cli_listing *const listing = cli_listing_begin((cli_format)args->format, "snoopi.info/1",
                                                   "processes", columns, N_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    if (cli_listing_json(listing)) {
        put_recording(cli_listing_json(listing), trace, totals);
    } else if (args->format == CLI_FORMAT_TABLE) {
        print_recording(trace, totals);
    }
    const uint32_t n = snoopi_trace_n_processes(trace);
    for (uint32_t i = 0; i < n && put_process(listing, snoopi_trace_process(trace, i)); i++) {
    }
    cli_listing_end_rows(listing);
    return cli_listing_end(listing);
}

static int run_info(const void *payload, int n_operands, char **operands)
{
    const info_args *const args = payload;
    snoopi_totals totals;
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    int status = read_totals(&totals, trace);
    if (status == CLI_OK) {
        status = print(args, trace, &totals);
        cli_trace_warn(trace);
    }
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_info = {
    .name = "info",
    .operands = "[FILE]",
    .summary = "the recording itself: its processes, how each was recorded, and what is missing",
    .groups = groups,
    .args_size = sizeof(info_args),
    .max_operands = 1,
    .run = run_info,
};
