// SPDX-License-Identifier: MIT
#include "rowheap.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

void snoopi__rows_init(snoopi__rows *rows, snoopi_sort sort, uint64_t tmin_ns, uint64_t limit)
{
    *rows = (snoopi__rows){.sort = sort, .tmin_ns = tmin_ns, .limit = limit};
}

void snoopi__rows_clear(snoopi__rows *rows)
{
    free(rows->rows);
    *rows = (snoopi__rows){0};
}

uint64_t snoopi__row_sort_key(const snoopi_row *row, snoopi_sort sort)
{
    switch (sort) {
    case SNOOPI_SORT_SELF: return row->self_ns;
    case SNOOPI_SORT_TOTAL: return row->total_ns;
    case SNOOPI_SORT_COUNT: return row->count;
    case SNOOPI_SORT_GC: return row->gc_ns;
    case SNOOPI_SORT_NAME: break;
    }
    return 0;
}

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

int snoopi__row_compare(const snoopi_row *a, const snoopi_row *b, snoopi_sort sort)
{
    int order = COMPARE(snoopi__row_sort_key(b, sort), snoopi__row_sort_key(a, sort));
    if (order == 0 && a->process != b->process) {
        order = COMPARE(a->process, b->process);
    }
    if (order == 0 && a->thread != b->thread && a->instance == 0) {
        order = COMPARE(a->thread, b->thread);
    }
    if (order == 0) {
        order = compare_text(a->name, b->name);
    }
    if (order == 0) {
        order = compare_text(a->module, b->module);
    }
    if (order == 0) {
        order = compare_text(a->file, b->file);
    }
    if (order == 0) {
        order = COMPARE(a->line, b->line);
    }
    return order ? order : COMPARE(a->id, b->id);
}

bool snoopi__row_is_wanted(const snoopi_row *row, snoopi_sort sort, uint64_t tmin_ns)
{
    const bool is_time = sort != SNOOPI_SORT_COUNT && sort != SNOOPI_SORT_NAME;
    return (is_time ? snoopi__row_sort_key(row, sort) : row->total_ns) >= tmin_ns;
}

// The heap's law: no row comes after the one above it.
static void sift_up(snoopi__rows *rows, size_t at)
{
    const snoopi_row row = rows->rows[at];
    while (at > 0) {
        const size_t above = (at - 1) / 2;
        if (snoopi__row_compare(&rows->rows[above], &row, rows->sort) >= 0) {
            break;
        }
        rows->rows[at] = rows->rows[above];
        at = above;
    }
    rows->rows[at] = row;
}

static void replace_top(snoopi__rows *rows, const snoopi_row *row)
{
    size_t at = 0;
    for (;;) {
        size_t below = 2 * at + 1;
        if (below >= rows->n) {
            break;
        }
        if (below + 1 < rows->n &&
            snoopi__row_compare(&rows->rows[below + 1], &rows->rows[below], rows->sort) > 0) {
            below++;
        }
        if (snoopi__row_compare(row, &rows->rows[below], rows->sort) >= 0) {
            break;
        }
        rows->rows[at] = rows->rows[below];
        at = below;
    }
    rows->rows[at] = *row;
}

bool snoopi__rows_add(snoopi__rows *rows, const snoopi_row *row)
{
    if (!snoopi__row_is_wanted(row, rows->sort, rows->tmin_ns)) {
        return true;
    }
    rows->n_found++;
    if (rows->limit > 0 && rows->n == rows->limit) {
        if (snoopi__row_compare(row, &rows->rows[0], rows->sort) < 0) {
            replace_top(rows, row);
        }
        return true;
    }
    if (rows->n == rows->capacity) {
        snoopi_row *const grown =
            snoopi__grow(rows->rows, &rows->capacity, rows->n + 1, sizeof *grown);
        if (!grown) {
            return false;
        }
        rows->rows = grown;
    }
    rows->rows[rows->n++] = *row;
    if (rows->limit > 0) {
        sift_up(rows, rows->n - 1);
    }
    return true;
}

static int compare_void(const void *a, const void *b, void *sort)
{
    return snoopi__row_compare(a, b, *(const snoopi_sort *)sort);
}

void snoopi__rows_finish(snoopi__rows *rows)
{
    if (rows->n > 0) {
        qsort_r(rows->rows, rows->n, sizeof *rows->rows, compare_void, &rows->sort);
    }
}
