// SPDX-License-Identifier: MIT
// Changes as markdown that GitHub and GitLab show in a pull request: a headline, the sums, the gate, and the rows that changed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "say.h"
#include "view.h"

// A name as code within a table. A fence is longer than any run of backticks inside; `|` would end the cell.
static void put_code(const char *text)
{
    enum { LETTERS_MAX = 200 }; // names of types can be very long, and a comment may not
    char *const safe = cli_text_escape(text);
    const char *const name = safe ? safe : "";
    const char *const fence = strstr(name, "``") ? "```" : strchr(name, '`') ? "``" : "`";
    const char *const pad = *fence && fence[1] ? " " : "";
    (void)printf("%s%s", fence, pad);
    size_t n = 0;
    for (const char *c = name; *c; c++) {
        n += (*c & 0xc0) != 0x80;
        if (n > LETTERS_MAX) {
            (void)fputs("…", stdout);
            break;
        }
        (void)printf(*c == '|' ? "\\|" : "%c", *c);
    }
    (void)printf("%s%s", pad, fence);
    free(safe);
}

static void put_headline(const snoopi_diff *diff)
{
    const snoopi_totals *const a = &snoopi_diff_before(diff)->part;
    const snoopi_totals *const b = &snoopi_diff_after(diff)->part;
    char instances[CLI_TEXT_SIZE];
    char frames[CLI_TEXT_SIZE];
    char inference[CLI_TEXT_SIZE];
    (void)printf("### Type inference: ");
    if (a->instances == b->instances && a->frames == b->frames) {
        (void)printf("the same frames and instances");
    } else {
        (void)printf("%s instances, %s frames",
                     cli_change_text(instances, false, a->instances, b->instances),
                     cli_change_text(frames, false, a->frames, b->frames));
    }
    (void)printf("; time %s\n\n", cli_percent_text(inference, a->inference_ns, b->inference_ns));
}

static void put_sums(const snoopi_diff *diff)
{
    const snoopi_diff_side *const before = snoopi_diff_before(diff);
    const snoopi_diff_side *const after = snoopi_diff_after(diff);
    (void)printf("| | old | new | change | |\n|---|--:|--:|--:|--:|\n");
    for (int i = 0; snoopi_metric_name(i); i++) {
        const snoopi_metric metric = (snoopi_metric)i;
        const uint64_t a = snoopi_metric_of(metric, &before->part);
        const uint64_t b = snoopi_metric_of(metric, &after->part);
        char was[CLI_TEXT_SIZE];
        char is[CLI_TEXT_SIZE];
        char change[CLI_TEXT_SIZE];
        char percent[CLI_TEXT_SIZE];
        (void)printf("| %s | %s | %s | %s | %s |\n", snoopi_metric_name(i),
                     cli_metric_text(was, metric, a), cli_metric_text(is, metric, b),
                     cli_change_text(change, metric == SNOOPI_METRIC_INFERENCE, a, b),
                     cli_percent_text(percent, a, b));
    }
    (void)printf("\n");
}

static void put_gate(const snoopi_diff *diff, const cli_change_options *options)
{
    const snoopi_totals *const a = &snoopi_diff_before(diff)->part;
    const snoopi_totals *const b = &snoopi_diff_after(diff)->part;
    for (size_t i = 0; options->gate_text && i < options->gate->n; i++) {
        const snoopi_condition *const c = &options->gate->conditions[i];
        char was[CLI_TEXT_SIZE];
        char is[CLI_TEXT_SIZE];
        (void)printf("- %s `%.*s`: %s → %s\n",
                     snoopi_condition_holds(c, a, b) ? "❌ **fails**" : "✅ passes", (int)c->size,
                     options->gate_text + c->at,
                     cli_metric_text(was, c->metric, snoopi_metric_of(c->metric, a)),
                     cli_metric_text(is, c->metric, snoopi_metric_of(c->metric, b)));
    }
    if (options->gate_text) {
        (void)printf("\n");
    }
}

static void put_row(const snoopi_diff_row *row)
{
    static const snoopi_row none = {0};
    const snoopi_row *const a = row->before ? row->before : &none;
    const snoopi_row *const b = row->after ? row->after : &none;
    const snoopi_row *const key = row->after ? row->after : a;
    char was[CLI_TEXT_SIZE];
    char is[CLI_TEXT_SIZE];
    char change[CLI_TEXT_SIZE];
    char percent[CLI_TEXT_SIZE];
    char count[CLI_TEXT_SIZE];
    (void)printf("| %s | %s | %s | %s | %s | ", row->before ? cli_text_time(was, a->self_ns) : "",
                 row->after ? cli_text_time(is, b->self_ns) : "",
                 cli_change_text(change, true, a->self_ns, b->self_ns),
                 row->after ? cli_percent_text(percent, a->self_ns, b->self_ns) : "gone",
                 a->count == b->count ? "" : cli_change_text(count, false, a->count, b->count));
    put_code(key->name);
    char *const place = cli_place(key->file, key->line);
    (void)printf(" | ");
    if (place && *place) {
        put_code(place);
    }
    (void)printf(" |\n");
    free(place);
}

int cli_change_markdown(const snoopi_diff *diff, const cli_change_options *options)
{
    const size_t n = snoopi_diff_n_rows(diff);
    put_headline(diff);
    put_sums(diff);
    put_gate(diff, options);
    if (n == 0) {
        (void)printf("No row changed.\n");
        return CLI_OK;
    }
    (void)printf("| self | now | change | | frames | %s | where |\n|--:|--:|--:|--:|--:|---|---|\n",
                 snoopi_by_name((int)options->by));
    for (size_t i = 0; i < n; i++) {
        put_row(snoopi_diff_row_at(diff, i));
    }
    (void)printf("\n%zu of %zu rows that changed; %zu appeared, %zu vanished\n", n,
                 snoopi_diff_n_found(diff), snoopi_diff_n_appeared(diff),
                 snoopi_diff_n_vanished(diff));
    return CLI_OK;
}
