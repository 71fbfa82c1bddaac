// SPDX-License-Identifier: MIT
// Changes between two sides. Which rows belong together is match.c's.
#include <snoopi/diff.h>

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "diffside.h"
#include "match.h"

struct snoopi_diff {
    snoopi__diffside sides[2];
    snoopi_diff_row *rows;
    size_t n;
    size_t n_found;
    size_t n_appeared;
    size_t n_vanished;
};

const char *snoopi_diff_sort_name(int sort)
{
    static const char *const names[] = {"delta-self", "delta-total", "delta-count",
                                        "self",       "count",       "name"};
    return sort >= 0 && (size_t)sort < sizeof names / sizeof *names ? names[sort] : NULL;
}

static void add_row(void *payload, const snoopi__diff_entry *before,
                    const snoopi__diff_entry *after)
{
    snoopi_diff *const diff = payload;
    snoopi_diff_row *const row = &diff->rows[diff->n++];
    *row = (snoopi_diff_row){0};
    if (before) {
        row->before = &before->row;
        row->before_self = before->self;
    }
    if (after) {
        row->after = &after->row;
        row->after_self = after->self;
    }
    diff->n_appeared += !before;
    diff->n_vanished += !after;
}

static int match_rows(snoopi_diff *diff, snoopi_by by, snoopi_error *err)
{
    diff->rows = calloc(diff->sides[0].n + diff->sides[1].n + 1, sizeof *diff->rows);
    return diff->rows && snoopi__match(diff->sides, by, add_row, diff) == SNOOPI_OK
               ? SNOOPI_OK
               : snoopi__fail_nomem(err);
}

// --- which rows, in which order

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sort_key(const snoopi_diff_row *row, snoopi_diff_sort sort)
{
    static const snoopi_row none = {0};
    const snoopi_row *const a = row->before ? row->before : &none;
    const snoopi_row *const b = row->after ? row->after : &none;
    switch (sort) {
    case SNOOPI_DIFF_DELTA_SELF: return distance(a->self_ns, b->self_ns);
    case SNOOPI_DIFF_DELTA_TOTAL: return distance(a->total_ns, b->total_ns);
    case SNOOPI_DIFF_DELTA_COUNT: return distance(a->count, b->count);
    case SNOOPI_DIFF_SELF: return greater(a->self_ns, b->self_ns);
    case SNOOPI_DIFF_COUNT: return greater(a->count, b->count);
    case SNOOPI_DIFF_NAME: break;
    }
    return 0;
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static int compare_keys(const snoopi_row *a, const snoopi_row *b)
{
    int order = strcmp(text_or_empty(a->name), text_or_empty(b->name));
    order = order ? order : strcmp(text_or_empty(a->module), text_or_empty(b->module));
    order = order ? order : strcmp(text_or_empty(a->file), text_or_empty(b->file));
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

// Rows with one sort key go by the size of the other change, then by name: the order is the same each time.
static int compare_rows(const void *left, const void *right, void *payload)
{
    const snoopi_diff_row *const a = left;
    const snoopi_diff_row *const b = right;
    const snoopi_diff_sort sort = *(const snoopi_diff_sort *)payload;
    const snoopi_diff_sort keys[] = {sort, SNOOPI_DIFF_DELTA_SELF};
    for (size_t i = 0; i < 2 && sort != SNOOPI_DIFF_NAME; i++) {
        const uint64_t x = sort_key(a, keys[i]);
        const uint64_t y = sort_key(b, keys[i]);
        if (x != y) {
            return x > y ? -1 : 1;
        }
    }
    const int order =
        compare_keys(a->after ? a->after : a->before, b->after ? b->after : b->before);
    return order ? order : (a->before != NULL) - (b->before != NULL);
}

static bool is_wanted(const snoopi_diff_row *row, const snoopi_diff_options *options)
{
    const uint64_t self_ns = sort_key(row, SNOOPI_DIFF_DELTA_SELF);
    const bool is_changed =
        self_ns > 0 || sort_key(row, SNOOPI_DIFF_DELTA_COUNT) > 0 || !row->before || !row->after;
    const bool has_key =
        options->sort > SNOOPI_DIFF_DELTA_COUNT || sort_key(row, options->sort) > 0;
    return self_ns >= options->tmin_ns && (!options->is_changed_only || (is_changed && has_key));
}

static void choose(snoopi_diff *diff, const snoopi_diff_options *options)
{
    snoopi_diff_sort sort = options->sort;
    size_t kept = 0;
    for (size_t i = 0; i < diff->n; i++) {
        if (is_wanted(&diff->rows[i], options)) {
            diff->rows[kept++] = diff->rows[i];
        }
    }
    if (kept > 0) {
        qsort_r(diff->rows, kept, sizeof *diff->rows, compare_rows, &sort);
    }
    diff->n_found = kept;
    diff->n = options->limit > 0 && options->limit < kept ? (size_t)options->limit : kept;
}

// --- the whole

int snoopi_diff_new(snoopi_diff **out, snoopi_trace *const *before, size_t n_before,
                    snoopi_trace *const *after, size_t n_after, const snoopi_diff_options *options,
                    snoopi_error *err)
{
    static const snoopi_diff_options defaults = SNOOPI_DIFF_INIT;
    const snoopi_diff_options *const o = options ? options : &defaults;
    *out = NULL;
    if (o->by == SNOOPI_BY_FRAME || n_before == 0 || n_after == 0) {
        return snoopi__fail(err, SNOOPI_E_INVALID,
                            o->by == SNOOPI_BY_FRAME ? "frames of two recordings cannot be compared"
                                                     : "nothing to compare");
    }
    snoopi_diff *diff = calloc(1, sizeof *diff);
    if (!diff) {
        return snoopi__fail_nomem(err);
    }
    int status = snoopi__diffside_gather(&diff->sides[0], before, n_before, o, err);
    if (status == SNOOPI_OK) {
        status = snoopi__diffside_gather(&diff->sides[1], after, n_after, o, err);
    }
    if (status == SNOOPI_OK) {
        status = match_rows(diff, o->by, err);
    }
    if (status == SNOOPI_OK) {
        choose(diff, o);
        *out = diff;
        diff = NULL;
    }
    snoopi_diff_free(diff);
    return status;
}

void snoopi_diff_free(snoopi_diff *diff)
{
    if (diff) {
        snoopi__diffside_clear(&diff->sides[0]);
        snoopi__diffside_clear(&diff->sides[1]);
        free(diff->rows);
        free(diff);
    }
}

size_t snoopi_diff_n_rows(const snoopi_diff *diff)
{
    return diff->n;
}

const snoopi_diff_row *snoopi_diff_row_at(const snoopi_diff *diff, size_t index)
{
    return &diff->rows[index];
}

size_t snoopi_diff_n_found(const snoopi_diff *diff)
{
    return diff->n_found;
}

size_t snoopi_diff_n_appeared(const snoopi_diff *diff)
{
    return diff->n_appeared;
}

size_t snoopi_diff_n_vanished(const snoopi_diff *diff)
{
    return diff->n_vanished;
}

const snoopi_diff_side *snoopi_diff_before(const snoopi_diff *diff)
{
    return &diff->sides[0].sums;
}

const snoopi_diff_side *snoopi_diff_after(const snoopi_diff *diff)
{
    return &diff->sides[1].sums;
}
