// SPDX-License-Identifier: MIT
// snoopi precompile: directives that let packages be inferred before they are used.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/precompile.h>

#include "cmd.h"
#include "listing.h"
#include "precompilecheck.h"
#include "progress.h"
#include "say.h"
#include "text.h"
#include "view.h"

typedef struct {
    const char *output;
    const char *module;
    int format;
    uint64_t tmin_ns;
    bool is_checked;
    bool is_trusted;
    cli_scope_args scope;
} precompile_args;

static const precompile_args defaults = {.scope = CLI_SCOPE_ALL};

static const cli_option options[] = {
    {"output", 'o', CLI_OPT_TEXT, "DIR", "the folder to write precompile_MODULE.jl files into",
     offsetof(precompile_args, output), NULL},
    {"module", 0, CLI_OPT_TEXT, "M", "directives of a module, or of those that match a pattern",
     offsetof(precompile_args, module), NULL},
    {"tmin", 0, CLI_OPT_TIME, "TIME", "directives for what took at least TIME (0)",
     offsetof(precompile_args, tmin_ns), NULL},
    {"check", 0, CLI_OPT_SET, NULL,
     "run the program again, to see which directives hold and what they save",
     offsetof(precompile_args, is_checked), NULL},
    {"yes", 0, CLI_OPT_SET, NULL,
     "--check also what was not recorded here: it runs what the recording names",
     offsetof(precompile_args, is_trusted), NULL},
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how the summary is printed (table)",
     offsetof(precompile_args, format), cli_format_word},
    {0}};

static const cli_option_group groups[] = {
    {options, 0}, {cli_scope_options, offsetof(precompile_args, scope)}, {0}};

static const cli_column columns[] = {
    {"total_ns", "WORTH", CLI_CELL_TIME}, {NULL, "SHARE", CLI_CELL_SHARE},
    {"covered_ns", NULL, CLI_CELL_TIME},  {"count", "DIRECTIVES", CLI_CELL_COUNT},
    {"module", "MODULE", CLI_CELL_TEXT},  {"package", NULL, CLI_CELL_TEXT},
    {"file", "FILE", CLI_CELL_TEXT},      {"directives", NULL, CLI_CELL_VALUE},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

typedef struct {
    const snoopi_precompile_module *module;
    snoopi_trace *trace;
} module_row;

static void put_directives(snoopi_json *json, const void *value)
{
    const module_row *const row = value;
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < row->module->n_directives; i++) {
        const snoopi_directive *const d = &row->module->directives[i];
        const snoopi_instance *const instance = snoopi_trace_instance(row->trace, d->instance);
        snoopi_json_begin_object(json);
        snoopi_json_member_string(json, "directive", d->text);
        snoopi_json_member_string(json, "name", instance ? instance->name : "");
        snoopi_json_member_uint(json, "total_ns", d->total_ns);
        snoopi_json_member_uint(json, "count", d->count);
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

static void put_left(snoopi_json *json, const snoopi_precompile *p, snoopi_trace *trace)
{
    snoopi_json_begin_array(json);
    for (int reason = 0; reason < SNOOPI_PRECOMPILE_REASONS; reason++) {
        const snoopi_precompile_left left = snoopi_precompile_left_for(p, reason);
        if (left.frames == 0) {
            continue;
        }
        const snoopi_instance *const instance = snoopi_trace_instance(trace, left.instance);
        snoopi_json_begin_object(json);
        snoopi_json_member_string(json, "reason", snoopi_precompile_reason_name(reason));
        snoopi_json_member_string(json, "what", snoopi_precompile_reason_text(reason));
        snoopi_json_member_uint(json, "self_ns", left.ns);
        snoopi_json_member_uint(json, "count", left.frames);
        snoopi_json_member_string(json, "most", instance ? instance->name : "");
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

static void print_left(const snoopi_precompile *p, snoopi_trace *trace)
{
    char time[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    const uint64_t whole = snoopi_precompile_scope_totals(p)->inference_ns;
    (void)printf("covered: %s of inference in this part, %s\n",
                 cli_text_time(time, snoopi_precompile_covered_ns(p)),
                 cli_text_share(share, snoopi_precompile_covered_ns(p), whole));
    for (int reason = 0; reason < SNOOPI_PRECOMPILE_REASONS; reason++) {
        const snoopi_precompile_left left = snoopi_precompile_left_for(p, reason);
        if (left.frames == 0) {
            continue;
        }
        const snoopi_instance *const instance = snoopi_trace_instance(trace, left.instance);
        (void)printf("not: %8s %5s  %s", cli_text_time(time, left.ns),
                     cli_text_share(share, left.ns, whole), snoopi_precompile_reason_text(reason));
        if (instance && !instance->is_toplevel) {
            (void)printf("; most: ");
            cli_text_put(stdout, instance->method_name);
        }
        (void)putchar('\n');
    }
}

// Calls `tell` for each directive that does not hold.
static void each_failure(const cli_check *check, const snoopi_precompile *p,
                         void (*tell)(void *payload, const char *module, const char *directive,
                                      const char *why),
                         void *payload)
{
    size_t at = 0;
    for (size_t i = 0; i < snoopi_precompile_n_modules(p); i++) {
        const snoopi_precompile_module *const m = snoopi_precompile_module_at(p, i);
        for (size_t k = 0; k < m->n_directives; k++, at++) {
            if (!check->results[at].is_held) {
                tell(payload, m->module, m->directives[k].text, check->results[at].why);
            }
        }
    }
}

static void print_failure(void *payload, const char *module, const char *directive, const char *why)
{
    (void)payload;
    (void)printf("fails: %s, in %s: ", directive, module);
    cli_text_put(stdout, why);
    (void)putchar('\n');
}

static void print_check(const cli_check *check, const snoopi_precompile *p)
{
    char without[CLI_TEXT_SIZE];
    char with[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    const uint64_t saved_ns =
        check->without_ns > check->with_ns ? check->without_ns - check->with_ns : 0;
    each_failure(check, p, print_failure, NULL);
    (void)printf("checked: %zu of %zu directives hold; the program then infers for %s, %s without "
                 "them: %s is saved\n",
                 check->n_held, check->n_results, cli_text_time(with, check->with_ns),
                 cli_text_time(without, check->without_ns),
                 cli_text_share(share, saved_ns, check->without_ns));
}

static void put_failure(void *payload, const char *module, const char *directive, const char *why)
{
    snoopi_json *const json = payload;
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "module", module);
    snoopi_json_member_string(json, "directive", directive);
    snoopi_json_member_string(json, "why", why);
    snoopi_json_end_object(json);
}

static void put_check(snoopi_json *json, const cli_check *check, const snoopi_precompile *p)
{
    snoopi_json_key(json, "check");
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "julia", check->julia);
    snoopi_json_member_uint(json, "count", check->n_results);
    snoopi_json_member_uint(json, "held", check->n_held);
    snoopi_json_member_uint(json, "without_ns", check->without_ns);
    snoopi_json_member_uint(json, "without_frames", check->without_frames);
    snoopi_json_member_uint(json, "with_ns", check->with_ns);
    snoopi_json_member_uint(json, "with_frames", check->with_frames);
    snoopi_json_key(json, "failed");
    snoopi_json_begin_array(json);
    each_failure(check, p, put_failure, json);
    snoopi_json_end_array(json);
    snoopi_json_end_object(json);
}

static bool put_module(cli_listing *listing, const snoopi_precompile_module *m, uint64_t whole_ns,
                       snoopi_trace *trace)
{
    char share[CLI_TEXT_SIZE];
    const module_row row = {m, trace};
    const cli_cell cells[N_COLUMNS] = {
        CLI_NUMBER(m->total_ns),   CLI_TEXT(cli_text_share(share, m->covered_ns, whole_ns)),
        CLI_NUMBER(m->covered_ns), CLI_NUMBER(m->n_directives),
        CLI_TEXT(m->module),       CLI_TEXT(m->package),
        CLI_TEXT(m->file),         {.text = "", .put = put_directives, .value = &row},
    };
    return cli_listing_row(listing, cells);
}

// `check` may be NULL.
static int print(const precompile_args *args, const snoopi_precompile *p, const cli_check *check,
                 snoopi_trace *trace)
{
    cli_progress_end();
    cli_listing *const listing = cli_listing_begin((cli_format)args->format, "snoopi.precompile/1",
                                                   "rows", columns, N_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    const uint64_t whole_ns = snoopi_precompile_scope_totals(p)->inference_ns;
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        snoopi_json_member_uint(json, "covered_ns", snoopi_precompile_covered_ns(p));
        snoopi_json_totals(json, snoopi_precompile_totals(p), snoopi_precompile_scope_totals(p));
        snoopi_json_key(json, "left");
        put_left(json, p, trace);
        if (check) {
            put_check(json, check, p);
        }
    }
    for (size_t i = 0; i < snoopi_precompile_n_modules(p); i++) {
        if (!put_module(listing, snoopi_precompile_module_at(p, i), whole_ns, trace)) {
            break;
        }
    }
    cli_listing_end_rows(listing);
    const int status = cli_listing_end(listing);
    if (status == CLI_OK && args->format == CLI_FORMAT_TABLE) {
        print_left(p, trace);
        if (check) {
            print_check(check, p);
        }
        cli_totals_print(snoopi_precompile_totals(p), snoopi_precompile_scope_totals(p));
    }
    return fflush(stdout) == 0 ? status : cli_fail("stdout: cannot write");
}

static int run_precompile(const void *payload, int n_operands, char **operands)
{
    const precompile_args *const args = payload;
    snoopi_precompile *p = NULL;
    snoopi_error err = {0};
    cli_check check = {0};
    int status = CLI_FAILED;
    if (!args->output || !*args->output || strcmp(args->output, "-") == 0) {
        return cli_usage("precompile", "-o needs a folder");
    }
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    if (args->is_checked && !args->is_trusted && !snoopi_trace_is_from_here(trace)) {
        (void)cli_fail(
            "--check runs the julia and the program that the recording names, and it does not "
            "show that it was made here by you; if you trust it: --check --yes");
        snoopi_trace_close(trace);
        return CLI_FAILED;
    }
    const snoopi_precompile_options wanted = {
        .tmin_ns = args->tmin_ns, .module = args->module, .scope = cli_scope(&args->scope)};
    if (snoopi_precompile_new(&p, trace, &wanted, &err) < 0 ||
        snoopi_precompile_write(p, args->output, &err) < 0) {
        (void)cli_fail("%s", err.text);
    } else if (!args->is_checked || cli_check_run(&check, p, trace, args->output) == CLI_OK) {
        status = print(args, p, args->is_checked ? &check : NULL, trace);
        cli_trace_warn(trace);
    }
    cli_check_clear(&check);
    snoopi_precompile_free(p);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_precompile = {
    .name = "precompile",
    .operands = "[FILE]",
    .summary = "directives that let packages be inferred before they are used",
    .about =
        "Writes a file for each module that can keep some of the inference when its package is precompiled, and says how\n"
        "much that is, and why not the rest. In the module, behind all definitions: include the file, call _precompile_().",
    .groups = groups,
    .args_size = sizeof(precompile_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_precompile,
};
