// SPDX-License-Identifier: MIT
#include <libsmartcols/libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "global.h"
#include "listing.h"
#include "say.h"
#include "text.h"

struct cli_listing {
    cli_format format;
    const char *rows; // their key in JSON
    const cli_column *columns;
    size_t n_columns;
    bool has_rows; // the first has come
    bool has_failed;
    snoopi_json json;
    struct libscols_table *table;
    size_t width; // of the table's rows; 0: not set
};

const char *cli_format_word(int index)
{
    static const char *const words[] = {"table", "json", "csv", "tsv"};
    return index >= 0 && index < 4 ? words[index] : NULL;
}

static bool is_right(const cli_column *column)
{
    switch (column->kind) {
    case CLI_CELL_TEXT:
    case CLI_CELL_NAME:
    case CLI_CELL_PLACE:
    case CLI_CELL_VALUE: return false;
    case CLI_CELL_SHARE:
    case CLI_CELL_TIME:
    case CLI_CELL_COUNT:
    case CLI_CELL_ID:
    case CLI_CELL_SIZE:
    case CLI_CELL_BOOL: break;
    }
    return true;
}

static bool is_number(const cli_column *column)
{
    return is_right(column) && column->kind != CLI_CELL_SHARE;
}

// ---- table

static bool begin_table(cli_listing *l)
{
    l->table = scols_new_table();
    if (!l->table) {
        return false;
    }
    (void)scols_table_enable_colors(l->table, cli_is_colored());
    for (size_t i = 0; i < l->n_columns; i++) {
        const cli_column *const c = &l->columns[i];
        if (!c->title) {
            continue;
        }
        int flags = is_right(c) ? SCOLS_FL_RIGHT : 0;
        if (c->kind == CLI_CELL_NAME && isatty(STDOUT_FILENO)) {
            flags = SCOLS_FL_TRUNC;
        }
        struct libscols_column *const column =
            scols_table_new_column(l->table, c->title, c->kind == CLI_CELL_NAME ? 0.3 : 1, flags);
        if (!column) {
            return false;
        }
        (void)scols_cell_set_color(scols_column_get_header(column), "bold");
    }
    return true;
}

// The end of a text, so that it takes at most `width` columns; it was escaped before.
static char *cut_beginning(char *text, size_t width)
{
    const char *end = text;
    char *cut = NULL;
    if (cli_text_width(text) <= width) {
        return text;
    }
    while (*end && cli_text_width(end) + 1 > width) {
        end += snoopi_utf8_length(end, strlen(end));
    }
    if (asprintf(&cut, "…%s", end) < 0) {
        cut = NULL;
    }
    free(text);
    return cut;
}

static char *shown(const cli_listing *l, const cli_column *column, const cli_cell *cell)
{
    char text[CLI_TEXT_SIZE];
    const uint64_t number = (uint64_t)cell->number;
    if (cell->is_null) {
        return strdup("");
    }
    switch (column->kind) {
    case CLI_CELL_TEXT:
    case CLI_CELL_SHARE:
    case CLI_CELL_NAME:
    case CLI_CELL_VALUE: return cli_text_escape(cell->text);
    case CLI_CELL_PLACE: {
        char *const place = cli_text_escape(cell->text);
        return place && l->width > 0 ? cut_beginning(place, l->width / 3) : place;
    }
    case CLI_CELL_TIME: return strdup(cli_text_time(text, number));
    case CLI_CELL_COUNT: return strdup(cli_text_count(text, number));
    case CLI_CELL_ID:
        (void)snprintf(text, sizeof text, "%lld", (long long)cell->number);
        return strdup(text);
    case CLI_CELL_SIZE: return strdup(cli_text_size(text, number));
    case CLI_CELL_BOOL: return strdup(number ? "yes" : "no");
    }
    return NULL;
}

static bool table_row(cli_listing *l, const cli_cell *cells)
{
    struct libscols_line *const line = scols_table_new_line(l->table, NULL);
    size_t at = 0;
    for (size_t i = 0; line && i < l->n_columns; i++) {
        if (!l->columns[i].title) {
            continue;
        }
        char *const text = shown(l, &l->columns[i], &cells[i]);
        if (!text || scols_line_refer_data(line, at++, text) != 0) {
            free(text);
            return false;
        }
    }
    return line != NULL;
}

// ---- CSV (RFC 4180) and TSV (tab, newline, return and backslash escaped by a backslash)
//
// Neither has an escape for control characters, but listings are read on terminals: those are written as \u001b, and bytes that
// are not UTF-8 as U+FFFD, as in JSON.

// Writes one character; returns its length.
static size_t put_character(const char *text)
{
    const size_t length = snoopi_utf8_length(text, strnlen(text, 4));
    const unsigned char first = (unsigned char)*text;
    const unsigned char last = (unsigned char)text[length ? length - 1 : 0];
    if (length == 0) {
        (void)fputs("\xEF\xBF\xBD", stdout);
        return 1;
    }
    if (last == 0x7F || (length == 1 && first < 0x20 && first != '\n' && first != '\t') ||
        (length == 2 && first == 0xC2 && last < 0xA0)) {
        (void)printf("\\u%04x", last);
    } else {
        (void)fwrite(text, 1, length, stdout);
    }
    return length;
}

static void put_csv(const char *text)
{
    const bool is_quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (is_quoted) {
        (void)putchar('"');
    }
    while (*text) {
        if (*text == '"') {
            (void)putchar('"');
        }
        text += put_character(text);
    }
    if (is_quoted) {
        (void)putchar('"');
    }
}

static void put_tsv(const char *text)
{
    static const char escaped[] = "\t\n\r\\";
    while (*text) {
        const char *const found = strchr(escaped, *text);
        if (found) {
            (void)putchar('\\');
            (void)putchar("tnr\\"[found - escaped]);
            text++;
        } else {
            text += put_character(text);
        }
    }
}

static void put_separated(const cli_listing *l, const char *text)
{
    if (l->format == CLI_FORMAT_CSV) {
        put_csv(text);
    } else {
        put_tsv(text);
    }
}

static void separated_line(const cli_listing *l, const cli_cell *cells)
{
    bool is_first = true;
    for (size_t i = 0; i < l->n_columns; i++) {
        const cli_column *const c = &l->columns[i];
        if (!c->field) {
            continue;
        }
        if (!is_first) {
            (void)putchar(l->format == CLI_FORMAT_CSV ? ',' : '\t');
        }
        is_first = false;
        if (!cells) {
            put_separated(l, c->field);
        } else if (cells[i].is_null) {
            // nothing stands for it
        } else if (c->kind == CLI_CELL_BOOL) {
            (void)fputs(cells[i].number ? "true" : "false", stdout);
        } else if (is_number(c)) {
            (void)printf("%lld", (long long)cells[i].number);
        } else {
            put_separated(l, cells[i].text);
        }
    }
    (void)putchar('\n');
}

// ---- JSON

static void begin_json_rows(cli_listing *l)
{
    snoopi_json_key(&l->json, l->rows);
    snoopi_json_begin_array(&l->json);
}

void cli_listing_put_json(snoopi_json *json, const cli_column *columns, size_t n_columns,
                          const cli_cell *cells)
{
    snoopi_json_begin_object(json);
    for (size_t i = 0; i < n_columns; i++) {
        const cli_column *const c = &columns[i];
        if (!c->field) {
            continue;
        }
        snoopi_json_key(json, c->field);
        if (cells[i].is_null) {
            snoopi_json_null(json);
        } else if (c->kind == CLI_CELL_VALUE) {
            cells[i].put(json, cells[i].value);
        } else if (c->kind == CLI_CELL_BOOL) {
            snoopi_json_bool(json, cells[i].number != 0);
        } else if (is_number(c)) {
            snoopi_json_int(json, cells[i].number);
        } else {
            snoopi_json_string(json, cells[i].text);
        }
    }
    snoopi_json_end_object(json);
}

// ---- all of them

cli_listing *cli_listing_begin(cli_format format, const char *schema, const char *rows,
                               const cli_column *columns, size_t n_columns)
{
    cli_listing *const l = calloc(1, sizeof *l);
    if (!l) {
        (void)cli_fail("out of memory");
        return NULL;
    }
    l->format = format;
    l->rows = rows;
    l->columns = columns;
    l->n_columns = n_columns;
    switch (format) {
    case CLI_FORMAT_TABLE:
        if (!begin_table(l)) {
            (void)cli_fail("out of memory");
            scols_unref_table(l->table);
            free(l);
            return NULL;
        }
        break;
    case CLI_FORMAT_JSON:
        snoopi_json_init(&l->json, stdout, 2);
        snoopi_json_begin_object(&l->json);
        snoopi_json_member_string(&l->json, "schema", schema);
        break;
    case CLI_FORMAT_CSV:
    case CLI_FORMAT_TSV: separated_line(l, NULL); break;
    }
    return l;
}

void cli_listing_set_width(cli_listing *l, size_t width)
{
    size_t at = 0;
    l->width = width;
    for (size_t i = 0; i < l->n_columns; i++) {
        if (!l->columns[i].title) {
            continue;
        }
        if (l->columns[i].kind == CLI_CELL_NAME) {
            (void)scols_column_set_flags(scols_table_get_column(l->table, at), SCOLS_FL_TRUNC);
        }
        at++;
    }
    (void)scols_table_set_termforce(l->table, SCOLS_TERMFORCE_ALWAYS);
    (void)scols_table_set_termwidth(l->table, width);
}

snoopi_json *cli_listing_json(cli_listing *listing)
{
    return listing->format == CLI_FORMAT_JSON ? &listing->json : NULL;
}

bool cli_listing_row(cli_listing *l, const cli_cell *cells)
{
    switch (l->format) {
    case CLI_FORMAT_TABLE: l->has_failed = l->has_failed || !table_row(l, cells); break;
    case CLI_FORMAT_JSON:
        if (!l->has_rows) {
            begin_json_rows(l);
        }
        cli_listing_put_json(&l->json, l->columns, l->n_columns, cells);
        break;
    case CLI_FORMAT_CSV:
    case CLI_FORMAT_TSV: separated_line(l, cells); break;
    }
    l->has_rows = true;
    return !l->has_failed;
}

void cli_listing_end_rows(cli_listing *l)
{
    if (l->format == CLI_FORMAT_JSON) {
        if (!l->has_rows) {
            begin_json_rows(l);
        }
        snoopi_json_end_array(&l->json);
    }
    if (l->format == CLI_FORMAT_TABLE && l->has_rows && !l->has_failed) {
        l->has_failed = scols_print_table(l->table) < 0;
    }
}

int cli_listing_end(cli_listing *l)
{
    const bool has_failed = l->has_failed;
    if (l->format == CLI_FORMAT_JSON) {
        snoopi_json_end_object(&l->json);
        snoopi_json_end_line(&l->json);
    }
    scols_unref_table(l->table);
    free(l);
    return has_failed ? cli_fail("out of memory") : CLI_OK;
}
