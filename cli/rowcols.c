// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "rowcols.h"
#include "text.h"
#include "view.h"

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
    C_FLAGS
};
_Static_assert(C_FLAGS + 1 == CLI_ROW_COLUMNS, "rowcols.h");

static const cli_column all_columns[CLI_ROW_COLUMNS] = {
    [C_SELF] = {"self_ns", "SELF", CLI_CELL_TIME},
    [C_SHARE] = {NULL, "SHARE", CLI_CELL_SHARE},
    [C_TOTAL] = {"total_ns", "TOTAL", CLI_CELL_TIME},
    [C_COUNT] = {"count", "COUNT", CLI_CELL_COUNT},
    [C_ROOTS] = {"roots", NULL, CLI_CELL_COUNT},
    [C_GC] = {"gc_ns", "GC", CLI_CELL_TIME},
    [C_NAME] = {"name", "NAME", CLI_CELL_NAME},
    [C_MODULE] = {"module", "MODULE", CLI_CELL_TEXT},
    [C_PACKAGE] = {"package", NULL, CLI_CELL_TEXT},
    [C_FILE] = {"file", NULL, CLI_CELL_TEXT},
    [C_LINE] = {"line", NULL, CLI_CELL_ID},
    [C_PLACE] = {NULL, "WHERE", CLI_CELL_PLACE},
    [C_PROCESS] = {"process", NULL, CLI_CELL_ID},
    [C_THREAD] = {"thread", NULL, CLI_CELL_ID},
    [C_ID] = {"id", NULL, CLI_CELL_ID},
    [C_PARENT] = {"parent", NULL, CLI_CELL_ID},
    [C_DEPTH] = {"depth", NULL, CLI_CELL_ID},
    [C_BEGIN] = {"begin_ns", NULL, CLI_CELL_TIME},
    [C_END] = {"end_ns", NULL, CLI_CELL_TIME},
    [C_FLAGS] = {"flags", NULL, CLI_CELL_VALUE},
};

static void leave_out(cli_column *columns, size_t from, size_t to)
{
    for (size_t i = from; i <= to; i++) {
        columns[i] = (cli_column){0};
    }
}

void cli_row_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by, bool has_gc)
{
    const bool has_place = by <= SNOOPI_BY_METHOD || by == SNOOPI_BY_ROOT;
    memcpy(columns, all_columns, sizeof all_columns);
    if (!has_place) {
        columns[C_PLACE].title = NULL;
    }
    if (!has_place && by != SNOOPI_BY_FUNCTION) {
        columns[C_MODULE].title = NULL;
    }
    if (!has_gc) {
        columns[C_GC].title = NULL;
    }
    if (by == SNOOPI_BY_ROOT) {
        columns[C_ROOTS].title = "ROOTS";
    }
    if (by == SNOOPI_BY_FRAME) {
        columns[C_COUNT].title = NULL;
        return;
    }
    leave_out(columns, by >= SNOOPI_BY_PROCESS ? C_ID : C_PROCESS, C_FLAGS);
}

void cli_row_report_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by)
{
    cli_row_columns(columns, by, false);
    columns[C_MODULE].title = NULL; // the name and the place are enough for one screen
}

void cli_row_tree_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by)
{
    cli_row_columns(columns, by, false);
    for (size_t i = C_ID; i <= C_DEPTH; i++) {
        columns[i] = all_columns[i];
    }
}

static cli_cell number_or_null(int64_t number)
{
    return number < 0 ? CLI_NULL : CLI_NUMBER(number);
}

// The cells of a row, and the texts that they point to.
typedef struct {
    cli_cell cells[CLI_ROW_COLUMNS];
    char share[CLI_TEXT_SIZE];
    char flags[CLI_FLAGS_SIZE];
    char *place;
} row_cells;

// False when memory is short. `place` is to be freed.
static bool fill(row_cells *r, const snoopi_row *row, const snoopi_totals *totals)
{
    r->place = cli_place(row->file, row->line);
    const cli_cell cells[CLI_ROW_COLUMNS] = {
        [C_SELF] = CLI_NUMBER(row->self_ns),
        [C_SHARE] = CLI_TEXT(cli_text_share(r->share, row->self_ns, totals->inference_ns)),
        [C_TOTAL] = CLI_NUMBER(row->total_ns),
        [C_COUNT] = CLI_NUMBER(row->count),
        [C_ROOTS] = CLI_NUMBER(row->roots),
        [C_GC] = CLI_NUMBER(row->gc_ns),
        [C_NAME] = CLI_TEXT(row->name),
        [C_MODULE] = CLI_TEXT(row->module),
        [C_PACKAGE] = CLI_TEXT(row->package),
        [C_FILE] = CLI_TEXT(row->file),
        [C_LINE] = row->line > 0 ? CLI_NUMBER(row->line) : CLI_NULL,
        [C_PLACE] = CLI_TEXT(r->place),
        [C_PROCESS] = number_or_null(row->process),
        [C_THREAD] = number_or_null(row->thread),
        [C_ID] = CLI_NUMBER(row->id),
        [C_PARENT] = number_or_null(row->parent),
        [C_DEPTH] = CLI_NUMBER(row->depth),
        [C_BEGIN] = CLI_NUMBER(row->begin_ns),
        [C_END] = CLI_NUMBER(row->end_ns),
        [C_FLAGS] = {.text = cli_flags_text(r->flags, row->flags),
                     .put = cli_flags_json,
                     .value = &row->flags},
    };
    memcpy(r->cells, cells, sizeof cells);
    return r->place != NULL;
}

bool cli_row_put(cli_listing *listing, const snoopi_row *row, const snoopi_totals *totals)
{
    row_cells r;
    const bool is_put = fill(&r, row, totals) && cli_listing_row(listing, r.cells);
    free(r.place);
    return is_put;
}

bool cli_row_put_json(snoopi_json *json, const cli_column columns[CLI_ROW_COLUMNS],
                      const snoopi_row *row)
{
    static const snoopi_totals none = {0};
    row_cells r;
    const bool is_filled = fill(&r, row, &none);
    if (is_filled) {
        cli_listing_put_json(json, columns, CLI_ROW_COLUMNS, r.cells);
    }
    free(r.place);
    return is_filled;
}
