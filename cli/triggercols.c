// SPDX-License-Identifier: MIT
#include "triggercols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "view.h"

enum {
    C_TOTAL,
    C_SHARE,
    C_COUNT,
    C_CALLEES,
    C_CALLERS,
    C_CALLEE,
    C_BRANCH, // the callee in a tree for people
    C_CALLER,
    C_WHO, // the caller for people
    C_FILE,
    C_LINE,
    C_PLACE,
    C_OUTER, // where it is inlined, if it is
    C_CLASS,
    C_CHAIN,
    C_ID,
    C_PARENT,
    C_DEPTH,
    C_STACK
};
_Static_assert(C_STACK + 1 == CLI_TRIGGER_COLUMNS, "triggercols.h");

static const cli_column all_columns[CLI_TRIGGER_COLUMNS] = {
    [C_TOTAL] = {"total_ns", "TOTAL", CLI_CELL_TIME},
    [C_SHARE] = {NULL, "SHARE", CLI_CELL_SHARE},
    [C_COUNT] = {"count", "COUNT", CLI_CELL_COUNT},
    [C_CALLEES] = {"callees", "CALLEES", CLI_CELL_COUNT},
    [C_CALLERS] = {"callers", "CALLERS", CLI_CELL_COUNT},
    [C_CALLEE] = {"callee", "CALLEE", CLI_CELL_NAME},
    [C_BRANCH] = {NULL, "CALLEE", CLI_CELL_TEXT},
    [C_CALLER] = {"caller", NULL, CLI_CELL_NAME},
    [C_WHO] = {NULL, "CALLER", CLI_CELL_NAME},
    [C_FILE] = {"file", NULL, CLI_CELL_TEXT},
    [C_LINE] = {"line", NULL, CLI_CELL_ID},
    [C_PLACE] = {NULL, "WHERE", CLI_CELL_TEXT},
    [C_OUTER] = {NULL, NULL, CLI_CELL_TEXT},
    [C_CLASS] = {"class", "CLASS", CLI_CELL_TEXT},
    [C_CHAIN] = {"chain", NULL, CLI_CELL_VALUE},
    [C_ID] = {"id", NULL, CLI_CELL_ID},
    [C_PARENT] = {"parent", NULL, CLI_CELL_ID},
    [C_DEPTH] = {"depth", NULL, CLI_CELL_ID},
    [C_STACK] = {"stack", NULL, CLI_CELL_VALUE},
};

void cli_trigger_columns(cli_column columns[CLI_TRIGGER_COLUMNS], snoopi_triggers_by by,
                         bool has_stack)
{
    static const unsigned hidden[] = {
        // what a table has no use for, or has once too often
        [SNOOPI_TRIGGERS_BY_PAIR] = 1u << C_CALLEES | 1u << C_CALLERS | 1u << C_BRANCH,
        [SNOOPI_TRIGGERS_BY_SITE] = 1u << C_CALLEE | 1u << C_BRANCH,
        [SNOOPI_TRIGGERS_BY_CALLEE] = 1u << C_CALLEES | 1u << C_WHO | 1u << C_BRANCH,
        [SNOOPI_TRIGGERS_BY_METHOD] = 1u << C_CALLEE | 1u << C_BRANCH,
        [SNOOPI_TRIGGERS_BY_TREE] = 1u << C_CALLEES | 1u << C_CALLERS | 1u << C_CALLEE,
    };
    memcpy(columns, all_columns, sizeof all_columns);
    for (int i = 0; i < CLI_TRIGGER_COLUMNS; i++) {
        if (hidden[by] >> i & 1) {
            columns[i].title = NULL;
        }
    }
    if (by != SNOOPI_TRIGGERS_BY_TREE) {
        columns[C_ID].field = columns[C_PARENT].field = columns[C_DEPTH].field = NULL;
    }
    if (!has_stack) {
        columns[C_STACK].field = NULL;
    }
}

void cli_trigger_report_columns(cli_column columns[CLI_TRIGGER_COLUMNS])
{
    cli_trigger_columns(columns, SNOOPI_TRIGGERS_BY_PAIR, false);
    columns[C_PLACE].title = NULL;
    columns[C_OUTER].title = "WHERE";
}

const char *cli_trigger_caller(const snoopi_trigger_row *row)
{
    if (row->caller) {
        return row->caller;
    }
    switch (row->trigger_class) {
    case SNOOPI_TRIGGER_TOPLEVEL: return "(top level)";
    case SNOOPI_TRIGGER_TASK: return "(start of a task)";
    case SNOOPI_TRIGGER_LOAD: return "(package loading)";
    case SNOOPI_TRIGGER_UNKNOWN:
    case SNOOPI_TRIGGER_DISPATCH:
    case SNOOPI_TRIGGER_EVAL:
    case SNOOPI_TRIGGER_CCALLBACK: return "(not known)";
    case SNOOPI_TRIGGER_PRECOMPILE:
    case SNOOPI_TRIGGER_RETURN_TYPE:
    case SNOOPI_TRIGGER_REFLECTION: return row->file ? "(top level)" : "(not known)";
    }
    return "(not known)";
}

char *cli_trigger_site(const snoopi_trigger_row *row)
{
    char *site = cli_place(row->file, (int32_t)row->line);
    if (!site || row->n_places < 2) {
        return site;
    }
    const snoopi_place *last = &row->places[row->n_places - 1];
    char *outer = cli_place(last->file, (int32_t)last->line);
    char *both = NULL;
    if (!outer ||
        asprintf(&both, "%s, %sinlined at %s", site, row->n_places > 2 ? "… " : "", outer) < 0) {
        both = NULL;
    }
    free(outer);
    free(site);
    return both;
}

// --- values ---

static void put_text(snoopi_json *json, const char *key, const char *text)
{
    snoopi_json_key(json, key);
    if (text && *text) {
        snoopi_json_string(json, text);
    } else {
        snoopi_json_null(json);
    }
}

static void put_place(snoopi_json *json, const snoopi_place *place)
{
    snoopi_json_begin_object(json);
    put_text(json, "name", place->name);
    put_text(json, "file", place->file);
    snoopi_json_key(json, "line");
    if (place->line) {
        snoopi_json_uint(json, place->line);
    } else {
        snoopi_json_null(json);
    }
    snoopi_json_member_bool(json, "inlined", place->is_inlined);
    snoopi_json_member_bool(json, "c", place->is_c);
    snoopi_json_end_object(json);
}

static void put_chain(snoopi_json *json, const void *value)
{
    const snoopi_trigger_row *row = value;
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < row->n_places; i++) {
        put_place(json, &row->places[i]);
    }
    snoopi_json_end_array(json);
}

typedef struct {
    snoopi_trace *trace;
    const snoopi_trigger_row *row;
} traced_row;

static void put_stack(snoopi_json *json, const void *value)
{
    const traced_row *traced = value;
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < traced->row->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(traced->trace, traced->row->stack[i]);
        for (uint32_t k = 0; code && k < code->n_places; k++) {
            put_place(json, &code->places[k]);
        }
        if (!code || code->n_places == 0) {
            put_place(json, &(snoopi_place){.name = ""});
        }
    }
    snoopi_json_end_array(json);
}

static void write_place(FILE *out, const snoopi_place *place)
{
    cli_text_put(out, place->name[0] ? place->name : "?");
    if (place->file && place->file[0]) {
        char *text = cli_place(place->file, (int32_t)place->line);
        (void)fputs(" at ", out);
        cli_text_put(out, text ? text : "");
        free(text);
    }
    (void)fputs(place->is_inlined ? " (inlined)" : "", out);
}

// Each place of a stack, `end` behind each.
static void write_stack(FILE *out, snoopi_trace *trace, const snoopi_trigger_row *row,
                        const char *begin, const char *end)
{
    for (uint32_t i = 0; i < row->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(trace, row->stack[i]);
        for (uint32_t k = 0; code && k < code->n_places; k++) {
            (void)fputs(begin, out);
            write_place(out, &code->places[k]);
            (void)fputs(end, out);
        }
        if (!code || code->n_places == 0) {
            (void)fprintf(out, "%s? (0x%llx)%s", begin,
                          code ? (unsigned long long)code->address : 0ull, end);
        }
    }
}

void cli_trigger_print_stack(snoopi_trace *trace, const snoopi_trigger_row *row)
{
    if (row->n_stack == 0) {
        (void)printf("    no stack was recorded\n");
    }
    write_stack(stdout, trace, row, "    ", "\n");
}

// --- rows ---

// The cells of a row, and the texts that they point to.
typedef struct {
    cli_cell cells[CLI_TRIGGER_COLUMNS];
    char share[CLI_TEXT_SIZE];
    char *place;
    char *outer;
    char *branch;
    char *stack;
    traced_row traced;
} trigger_cells;

static void clear(trigger_cells *c)
{
    free(c->place);
    free(c->outer);
    free(c->branch);
    free(c->stack);
}

static char *stack_text(snoopi_trace *trace, const snoopi_trigger_row *row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    write_stack(out, trace, row, "", "; ");
    (void)fclose(out);
    return text;
}

// False when memory is short. To be cleared in any case.
static bool fill(trigger_cells *c, snoopi_trace *trace, const snoopi_trigger_row *row, size_t index,
                 const snoopi_totals *totals)
{
    *c = (trigger_cells){.traced = {trace, row}};
    c->place = cli_trigger_site(row);
    const snoopi_place *last = row->n_places ? &row->places[row->n_places - 1] : NULL;
    c->outer = last ? cli_place(last->file, (int32_t)last->line)
                    : cli_place(row->file, (int32_t)row->line);
    c->stack = stack_text(trace, row);
    if (asprintf(&c->branch, "%*s%s", 2 * (int)row->depth, "", row->callee ? row->callee : "") <
        0) {
        c->branch = NULL;
    }
    const cli_cell cells[CLI_TRIGGER_COLUMNS] = {
        [C_TOTAL] = CLI_NUMBER(row->total_ns),
        [C_SHARE] = CLI_TEXT(cli_text_share(c->share, row->total_ns, totals->inference_ns)),
        [C_COUNT] = CLI_NUMBER(row->count),
        [C_CALLEES] = CLI_NUMBER(row->callees),
        [C_CALLERS] = CLI_NUMBER(row->callers),
        [C_CALLEE] = CLI_TEXT(row->callee),
        [C_BRANCH] = CLI_TEXT(c->branch),
        [C_CALLER] = CLI_TEXT(row->caller),
        [C_WHO] = CLI_TEXT(cli_trigger_caller(row)),
        [C_FILE] = CLI_TEXT(row->file),
        [C_LINE] = row->line ? CLI_NUMBER(row->line) : CLI_NULL,
        [C_PLACE] = CLI_TEXT(c->place),
        [C_OUTER] = CLI_TEXT(c->outer),
        [C_CLASS] = CLI_TEXT(snoopi_trigger_class_name((int)row->trigger_class)),
        [C_CHAIN] = {.text = c->place, .put = put_chain, .value = row},
        [C_ID] = CLI_NUMBER(index),
        [C_PARENT] = row->parent < 0 ? CLI_NULL : CLI_NUMBER(row->parent),
        [C_DEPTH] = CLI_NUMBER(row->depth),
        [C_STACK] = {.text = c->stack, .put = put_stack, .value = &c->traced},
    };
    memcpy(c->cells, cells, sizeof cells);
    return c->place && c->outer && c->branch && c->stack;
}

bool cli_trigger_put(cli_listing *listing, snoopi_trace *trace, const snoopi_trigger_row *row,
                     size_t index, const snoopi_totals *totals)
{
    trigger_cells c;
    const bool is_put = fill(&c, trace, row, index, totals) && cli_listing_row(listing, c.cells);
    clear(&c);
    return is_put;
}

bool cli_trigger_put_json(snoopi_json *json, snoopi_trace *trace,
                          const cli_column columns[CLI_TRIGGER_COLUMNS],
                          const snoopi_trigger_row *row, size_t index)
{
    static const snoopi_totals none = {0};
    trigger_cells c;
    const bool is_filled = fill(&c, trace, row, index, &none);
    if (is_filled) {
        cli_listing_put_json(json, columns, CLI_TRIGGER_COLUMNS, c.cells);
    }
    clear(&c);
    return is_filled;
}
