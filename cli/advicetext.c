// SPDX-License-Identifier: MIT
#include "advicetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "global.h"
#include "text.h"
#include "view.h"

const cli_column cli_advice_columns[CLI_ADVICE_COLUMNS] = {
    {"kind", "KIND", CLI_CELL_TEXT},    {"saved_ns", "SAVES", CLI_CELL_TIME},
    {"count", "COUNT", CLI_CELL_COUNT}, {"name", "NAME", CLI_CELL_NAME},
    {"module", NULL, CLI_CELL_TEXT},    {"file", NULL, CLI_CELL_TEXT},
    {"line", NULL, CLI_CELL_ID},        {NULL, "WHERE", CLI_CELL_TEXT},
    {"what", "WHAT", CLI_CELL_TEXT},    {"change", NULL, CLI_CELL_TEXT},
    {"evidence", NULL, CLI_CELL_VALUE},
};

static void put_evidence(snoopi_json *json, const void *value)
{
    const snoopi_finding *f = value;
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < f->n_evidence; i++) {
        snoopi_json_string(json, f->evidence[i]);
    }
    snoopi_json_end_array(json);
}

// The lines of evidence as one text; NULL when memory is short.
static char *joined(const snoopi_finding *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    for (size_t i = 0; i < f->n_evidence; i++) {
        (void)fprintf(out, "%s%s", i ? "; " : "", f->evidence[i]);
    }
    (void)fclose(out);
    return text;
}

// The cells of a finding, and the texts that they point to.
typedef struct {
    cli_cell cells[CLI_ADVICE_COLUMNS];
    char *place;
    char *evidence;
} advice_cells;

// False when memory is short. To be cleared in any case.
static bool fill(advice_cells *c, const snoopi_finding *f)
{
    c->place = cli_place(f->file, (int32_t)f->line);
    c->evidence = joined(f);
    const cli_cell cells[CLI_ADVICE_COLUMNS] = {
        CLI_TEXT(snoopi_advice_kind_name((int)f->kind)),
        CLI_NUMBER(f->saved_ns),
        CLI_NUMBER(f->count),
        CLI_TEXT(f->name),
        CLI_TEXT(f->module),
        CLI_TEXT(f->file),
        f->line ? CLI_NUMBER(f->line) : CLI_NULL,
        CLI_TEXT(c->place),
        CLI_TEXT(f->what),
        CLI_TEXT(f->change),
        {.text = c->evidence, .put = put_evidence, .value = f},
    };
    memcpy(c->cells, cells, sizeof cells);
    return c->place && c->evidence;
}

static void clear(advice_cells *c)
{
    free(c->place);
    free(c->evidence);
}

bool cli_advice_put(cli_listing *listing, const snoopi_finding *finding)
{
    advice_cells c;
    const bool is_put = fill(&c, finding) && cli_listing_row(listing, c.cells);
    clear(&c);
    return is_put;
}

bool cli_advice_put_json(snoopi_json *json, const snoopi_finding *finding)
{
    advice_cells c;
    const bool is_filled = fill(&c, finding);
    if (is_filled) {
        cli_listing_put_json(json, cli_advice_columns, CLI_ADVICE_COLUMNS, c.cells);
    }
    clear(&c);
    return is_filled;
}

// Words of `text` behind `begin`, on as many lines as the screen's width makes of them.
static void print_line(const char *begin, const char *text)
{
    const size_t width = cli_screen_width();
    const size_t indent = cli_text_width(begin);
    char *const shown = cli_text_escape(text);
    char *rest = NULL;
    size_t column = indent;
    (void)fputs(begin, stdout);
    for (char *word = shown ? strtok_r(shown, " ", &rest) : NULL; word;
         word = strtok_r(NULL, " ", &rest)) {
        const size_t length = cli_text_width(word);
        if (column > indent && column + 1 + length > width) {
            (void)printf("\n%*s", (int)indent, "");
            column = indent;
        }
        column += length + (column > indent);
        (void)printf("%s%s", column - length > indent ? " " : "", word);
    }
    (void)putchar('\n');
    free(shown);
}

void cli_advice_print(const snoopi_finding *finding, size_t number, bool has_evidence)
{
    const bool is_colored = cli_is_colored();
    char time[CLI_TEXT_SIZE];
    char *place = cli_place(finding->file, (int32_t)finding->line);
    char begin[2 * CLI_TEXT_SIZE];
    (void)snprintf(begin, sizeof begin, "%zu. up to %s: ", number,
                   cli_text_time(time, finding->saved_ns));
    (void)fputs(is_colored ? "\x1b[1m" : "", stdout);
    print_line(begin, finding->what);
    (void)fputs(is_colored ? "\x1b[0m" : "", stdout);
    print_line("   at ", place && *place ? place : "a place that is not known");
    for (size_t i = 0; has_evidence && i < finding->n_evidence; i++) {
        print_line("   - ", finding->evidence[i]);
    }
    print_line("   → ", finding->change);
    free(place);
}
