// SPDX-License-Identifier: MIT
// snoopi advise: what to change.
#include <stdio.h>
#include <stdlib.h>

#include <snoopi/advice.h>

#include "advicetext.h"
#include "cmd.h"
#include "listing.h"
#include "progress.h"
#include "say.h"
#include "text.h"
#include "view.h"

typedef struct {
    int format;
    bool is_all;
    uint64_t tmin_ns;
    uint64_t limit;
    snoopi_filter filter;
    cli_scope_args scope;
} advise_args;

enum { TABLE_LIMIT = 10, TMIN_NS = 100000 };

static const advise_args defaults = {
    .tmin_ns = TMIN_NS, .limit = CLI_LIMIT_NONE, .scope = CLI_SCOPE_ALL};

static const cli_option options[] = {
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how findings are printed (table)",
     offsetof(advise_args, format), cli_format_word},
    {"tmin", 0, CLI_OPT_TIME, "TIME", "findings that could save at least TIME (100us)",
     offsetof(advise_args, tmin_ns), NULL},
    {"limit", 0, CLI_OPT_NUMBER, "N", "at most N findings; 0: all (table: 10, others: all)",
     offsetof(advise_args, limit), NULL},
    {"all", 0, CLI_OPT_SET, NULL, "also what is wrong with Julia's own code",
     offsetof(advise_args, is_all), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_filter_options, offsetof(advise_args, filter)},
                                          {cli_scope_options, offsetof(advise_args, scope)},
                                          {0}};

static int print_text(const snoopi_advice *advice)
{
    const size_t n = snoopi_advice_n_findings(advice);
    const uint64_t n_found = snoopi_advice_n_found(advice);
    char more[CLI_TEXT_SIZE];
    for (size_t i = 0; i < n; i++) {
        cli_advice_print(snoopi_advice_finding(advice, i), i + 1, true);
        (void)putchar('\n');
    }
    if (n_found > n) {
        (void)printf("… %s more findings; --limit=0 shows all\n",
                     cli_text_count(more, n_found - n));
    } else if (n == 0) {
        (void)printf("nothing was found that could save this much\n");
    }
    cli_totals_print(snoopi_advice_totals(advice), snoopi_advice_scope_totals(advice));
    return fflush(stdout) == 0 ? CLI_OK : cli_fail("stdout: cannot write");
}

static int print(const advise_args *args, const snoopi_advice *advice)
{
    cli_progress_end();
    if (args->format == CLI_FORMAT_TABLE) {
        return print_text(advice);
    }
    cli_listing *const listing = cli_listing_begin((cli_format)args->format, "snoopi.advise/1",
                                                   "rows", cli_advice_columns, CLI_ADVICE_COLUMNS);
    if (!listing) {
        return CLI_FAILED;
    }
    snoopi_json *const json = cli_listing_json(listing);
    if (json) {
        snoopi_json_member_uint(json, "found", snoopi_advice_n_found(advice));
        snoopi_json_totals(json, snoopi_advice_totals(advice), snoopi_advice_scope_totals(advice));
    }
    for (size_t i = 0; i < snoopi_advice_n_findings(advice); i++) {
        if (!cli_advice_put(listing, snoopi_advice_finding(advice, i))) {
            break;
        }
    }
    cli_listing_end_rows(listing);
    return cli_listing_end(listing);
}

static int run_advise(const void *payload, int n_operands, char **operands)
{
    const advise_args *const args = payload;
    snoopi_advice *advice = NULL;
    snoopi_error err = {0};
    int status = CLI_FAILED;

    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    const uint64_t otherwise = args->format == CLI_FORMAT_TABLE ? TABLE_LIMIT : 0;
    const snoopi_advice_options advice_options = {
        .is_all = args->is_all,
        .tmin_ns = args->tmin_ns,
        .limit = args->limit == CLI_LIMIT_NONE ? otherwise : args->limit,
        .scope = cli_scope(&args->scope),
        .filter = args->filter,
    };
    if (snoopi_advice_new(&advice, trace, &advice_options, &err) < 0) {
        (void)cli_fail("%s", err.text);
    } else {
        status = print(args, advice);
        cli_trace_warn(trace);
    }
    snoopi_advice_free(advice);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_advise = {
    .name = "advise",
    .operands = "[FILE]",
    .summary = "what to change so that less time goes into inference",
    .about =
        "Findings are ranked by the time that they could save at most; they overlap. --module, --package and --file keep\n"
        "findings at methods that match.",
    .groups = groups,
    .args_size = sizeof(advise_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_advise,
};
