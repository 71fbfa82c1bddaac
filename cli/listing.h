// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_LISTING_H
#define SNOOPI_CLI_LISTING_H

/**
 * @file
 * Rows on stdout, in the format that was asked for. A command says once which columns its rows have, and gives cells; table,
 * JSON, CSV and TSV come from the same description.
 *
 * JSON: {"schema": …, members of the command's …, rows: [ … ], more members}. JSON, CSV and TSV are written as rows come; a
 * table waits for the last row, since it must know the widths.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snoopi/json.h>

#include "opt.h"

typedef enum { CLI_FORMAT_TABLE, CLI_FORMAT_JSON, CLI_FORMAT_CSV, CLI_FORMAT_TSV } cli_format;

/** Words of cli_format, for an option. */
const char *cli_format_word(int index);

/** How a number is shown in a table. In all other formats it is a number. */
typedef enum {
    CLI_CELL_TEXT,
    CLI_CELL_SHARE, /* a text that stands to the right */
    CLI_CELL_NAME,  /* a text that may be cut to fit a terminal */
    CLI_CELL_PLACE, /* a text whose end matters: a table of a set width cuts its beginning */
    CLI_CELL_TIME,
    CLI_CELL_COUNT,
    CLI_CELL_ID, /* a number that counts nothing: its digits stay together */
    CLI_CELL_SIZE,
    CLI_CELL_BOOL,
    CLI_CELL_VALUE /* a text, and in JSON what its cell's `put` writes */
} cli_cell_kind;

typedef struct {
    const char *field; /* its name in JSON, CSV, TSV; NULL: not there */
    const char *title; /* its head in a table; NULL: not there */
    cli_cell_kind kind;
} cli_column;

/** What it points to is borrowed for the call. */
typedef struct {
    bool is_null; /* null in JSON, else empty */
    const char *text;
    int64_t number;
    void (*put)(snoopi_json *json, const void *value);
    const void *value;
} cli_cell;

#define CLI_NULL      ((cli_cell){.is_null = true})
#define CLI_TEXT(t)   ((cli_cell){.is_null = (t) == NULL, .text = (t)})
#define CLI_NUMBER(n) ((cli_cell){.number = (int64_t)(n)})

typedef struct cli_listing cli_listing;

/**
 * Begins a listing on stdout.
 *
 * @param rows     what its rows are called in JSON.
 * @param columns  borrowed until the end.
 * @return NULL, having said so, when memory is short.
 */
cli_listing *cli_listing_begin(cli_format format, const char *schema, const char *rows,
                               const cli_column *columns, size_t n_columns);

/** Cuts names so that a table's rows are this wide. Without it they are cut only on a terminal, to its width. */
void cli_listing_set_width(cli_listing *listing, size_t width);

/** The writer of a JSON listing, for members before the first row or after cli_listing_end_rows(); else NULL. */
snoopi_json *cli_listing_json(cli_listing *listing);

/** One cell for each column. False when memory is short. */
bool cli_listing_row(cli_listing *listing, const cli_cell *cells);

/** A row as an object, for documents that are no listing. */
void cli_listing_put_json(snoopi_json *json, const cli_column *columns, size_t n_columns,
                          const cli_cell *cells);

/** Ends the rows; prints the table. */
void cli_listing_end_rows(cli_listing *listing);

/** Ends the listing and frees it. Returns CLI_OK or CLI_FAILED, having said why. */
int cli_listing_end(cli_listing *listing);

#endif
