// SPDX-License-Identifier: MIT
// Order of rows. See triggerrows.h.
#include "triggerrows.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

void snoopi__triggerrows_clear(snoopi__triggerrows *rows)
{
    free(rows->rows);
    *rows = (snoopi__triggerrows){0};
}

snoopi_trigger_row *snoopi__triggerrows_add(snoopi__triggerrows *rows)
{
    if (rows->n >= UINT32_MAX - 1) {
        return NULL;
    }
    snoopi_trigger_row *grown =
        snoopi__grow(rows->rows, &rows->capacity, rows->n + 1, sizeof *grown);
    if (!grown) {
        return NULL;
    }
    rows->rows = grown;
    return &grown[rows->n++];
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static uint64_t sort_key(const snoopi_trigger_row *row, snoopi_triggers_sort sort)
{
    switch (sort) {
    case SNOOPI_TRIGGERS_SORT_TOTAL: return row->total_ns;
    case SNOOPI_TRIGGERS_SORT_COUNT: return row->count;
    case SNOOPI_TRIGGERS_SORT_CALLEES: return row->callees;
    case SNOOPI_TRIGGERS_SORT_CALLERS: return row->callers;
    case SNOOPI_TRIGGERS_SORT_NAME: break;
    }
    return 0;
}

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

// Rows that the sort key does not tell apart go by what they are of, so that the order is the same each time.
static int compare_rows(const snoopi_trigger_row *a, const snoopi_trigger_row *b,
                        snoopi_triggers_sort sort)
{
    int order = COMPARE(sort_key(b, sort), sort_key(a, sort));
    order = order ? order : compare_text(a->callee, b->callee);
    order = order ? order : compare_text(a->caller, b->caller);
    order = order ? order : compare_text(a->file, b->file);
    order = order ? order : COMPARE(a->line, b->line);
    return order ? order : COMPARE(a->trigger_class, b->trigger_class);
}

static int compare_void(const void *a, const void *b, void *sort)
{
    return compare_rows(a, b, *(const snoopi_triggers_sort *)sort);
}

// --- trees ---

// A row as it was gathered, with the key of its siblings: parents come before their children.
typedef struct {
    snoopi_trigger_row row;
    uint32_t number;
    bool is_kept;
    uint32_t first_child; // indices into the sorted items, n: none
    uint32_t next;
} item;

typedef struct {
    item *items;  // sorted
    uint32_t *at; // by number: index of the item
    uint32_t first;
    uint32_t n;
} forest;

static int compare_items(const void *a, const void *b, void *sort)
{
    const item *left = a;
    const item *right = b;
    const int order = compare_rows(&left->row, &right->row, *(const snoopi_triggers_sort *)sort);
    return order ? order : COMPARE(left->number, right->number);
}

// Links the items to their parents, in their order; keeps what has kept ones below it.
static void link_items(forest *f, uint64_t tmin_ns)
{
    for (uint32_t i = 0; i < f->n; i++) {
        f->at[f->items[i].number] = i;
        f->items[i].first_child = f->n;
    }
    for (uint32_t i = f->n; i-- > 0;) {
        item *it = &f->items[i];
        uint32_t *list =
            it->row.parent < 0 ? &f->first : &f->items[f->at[it->row.parent]].first_child;
        it->next = *list;
        *list = i;
    }
    // A parent has a smaller number than its children.
    for (uint32_t number = f->n; number-- > 0;) {
        item *it = &f->items[f->at[number]];
        it->is_kept |= it->row.total_ns >= tmin_ns;
        if (it->is_kept && it->row.parent >= 0) {
            f->items[f->at[it->row.parent]].is_kept = true;
        }
    }
}

// Writes the kept items to `rows` in pre-order; `at` becomes the number of the row by item.
static void lay_out(forest *f, snoopi__triggerrows *rows)
{
    uint32_t at = f->first;
    rows->n = 0;
    while (at != f->n) {
        item *it = &f->items[at];
        if (it->is_kept) {
            snoopi_trigger_row *row = &rows->rows[rows->n];
            *row = it->row;
            if (row->parent >= 0) {
                // The parent was laid out: its item holds the number of its row.
                row->parent = f->items[f->at[row->parent]].number;
                row->depth = rows->rows[row->parent].depth + 1;
            }
            it->number = (uint32_t)rows->n++;
        }
        if (it->is_kept && it->first_child != f->n) {
            at = it->first_child;
            continue;
        }
        while (at != f->n && f->items[at].next == f->n) {
            const int64_t parent = f->items[at].row.parent;
            at = parent < 0 ? f->n : f->at[parent];
        }
        at = at == f->n ? f->n : f->items[at].next;
    }
}

static bool finish_tree(snoopi__triggerrows *rows, const snoopi_triggers_options *options)
{
    forest f = {.n = (uint32_t)rows->n, .first = (uint32_t)rows->n};
    snoopi_triggers_sort sort = options->sort;
    f.items = calloc(rows->n + 1, sizeof *f.items);
    f.at = calloc(rows->n + 1, sizeof *f.at);
    if (f.items && f.at) {
        for (uint32_t i = 0; i < f.n; i++) {
            f.items[i] = (item){.row = rows->rows[i], .number = i};
        }
        qsort_r(f.items, f.n, sizeof *f.items, compare_items, &sort);
        link_items(&f, options->tmin_ns);
        lay_out(&f, rows);
    }
    const bool is_done = f.items && f.at;
    free(f.items);
    free(f.at);
    return is_done;
}

// --- lists ---

static void finish_list(snoopi__triggerrows *rows, const snoopi_triggers_options *options)
{
    snoopi_triggers_sort sort = options->sort;
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].total_ns >= options->tmin_ns) {
            rows->rows[n++] = rows->rows[i];
        }
    }
    rows->n = n;
    if (n > 0) {
        qsort_r(rows->rows, n, sizeof *rows->rows, compare_void, &sort);
    }
}

bool snoopi__triggerrows_finish(snoopi__triggerrows *rows, const snoopi_triggers_options *options)
{
    if (options->by == SNOOPI_TRIGGERS_BY_TREE) {
        if (!finish_tree(rows, options)) {
            return false;
        }
    } else {
        finish_list(rows, options);
    }
    rows->n_found = rows->n;
    if (options->limit > 0 && rows->n > options->limit) {
        rows->n = options->limit;
    }
    return true;
}
