// SPDX-License-Identifier: MIT
// Sums by key. Each key counts how often it is open on the current path: a frame adds its total only if its key was not.
#include <snoopi/aggregate.h>

#include <stdlib.h>

#include "base/fail.h"
#include "keys.h"
#include "path.h"
#include "rowheap.h"

typedef struct {
    uint64_t self_ns;
    uint64_t total_ns;
    uint64_t gc_ns;
    uint64_t count;
    uint64_t roots;
    uint32_t n_open; // frames of this key on the current path
} sums;

struct snoopi_aggregate {
    snoopi__keys keys;
    snoopi__rows rows;
    snoopi_totals totals;
    snoopi_totals scope_totals;
    sums *sums; // by number of key
    size_t capacity;
    snoopi__path path;
};

const char *snoopi_by_name(int by)
{
    static const char *const names[] = {"frame",   "instance", "method", "function", "module",
                                        "package", "file",     "root",   "process",  "thread"};
    return by >= 0 && (size_t)by < sizeof names / sizeof *names ? names[by] : NULL;
}

const char *snoopi_sort_name(int sort)
{
    static const char *const names[] = {"self", "total", "count", "gc", "name"};
    return sort >= 0 && (size_t)sort < sizeof names / sizeof *names ? names[sort] : NULL;
}

// Makes room for sums of all keys so far.
static bool grow_sums(snoopi_aggregate *a)
{
    const size_t before = a->capacity;
    sums *const grown = snoopi__grow(a->sums, &a->capacity, a->keys.n_keys, sizeof *grown);
    if (!grown) {
        return false;
    }
    a->sums = grown;
    for (size_t i = before; i < a->capacity; i++) {
        a->sums[i] = (sums){0};
    }
    return true;
}

static int add_to_key(snoopi_aggregate *a, const snoopi_frame *frame, snoopi_error *err)
{
    while (snoopi__path_has_left(&a->path, frame->depth)) {
        a->sums[snoopi__path_pop(&a->path).number].n_open--;
    }

    uint32_t number = SNOOPI__KEY_NONE;
    const int status = snoopi__keys_find(&a->keys, frame, &number, err);
    if (status < 0 || number == SNOOPI__KEY_NONE) {
        return status;
    }
    if (number >= a->capacity && !grow_sums(a)) {
        return snoopi__fail_nomem(err);
    }
    sums *const s = &a->sums[number];
    s->self_ns += frame->self_ns;
    s->gc_ns += frame->gc_ns;
    s->count++;
    s->roots += frame->depth == 0;
    if (s->n_open++ == 0) {
        s->total_ns += frame->total_ns;
    }
    return snoopi__path_push(&a->path, frame->depth, number) ? SNOOPI_OK : snoopi__fail_nomem(err);
}

static int add_frame_row(snoopi_aggregate *a, const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t number = SNOOPI__KEY_NONE;
    const int status = snoopi__keys_find(&a->keys, frame, &number, err);
    if (status < 0 || number == SNOOPI__KEY_NONE) {
        return status;
    }
    snoopi_row row = snoopi__keys_row(&a->keys, number);
    snoopi__row_set_frame(&row, frame);
    return snoopi__rows_add(&a->rows, &row) ? SNOOPI_OK : snoopi__fail_nomem(err);
}

static int add_frames(snoopi_aggregate *a, snoopi_scan *scan, snoopi_error *err)
{
    snoopi_frame frame;
    int status;
    while ((status = snoopi_scan_next(scan, &frame, err)) == 1) {
        status = a->keys.by == SNOOPI_BY_FRAME ? add_frame_row(a, &frame, err)
                                               : add_to_key(a, &frame, err);
        if (status < 0) {
            return status;
        }
    }
    return status;
}

static int make_rows(snoopi_aggregate *a, snoopi_error *err)
{
    for (size_t i = 0; i < a->keys.n_keys && a->keys.by != SNOOPI_BY_FRAME; i++) {
        const sums *const s = &a->sums[i];
        snoopi_row row = snoopi__keys_row(&a->keys, (uint32_t)i);
        row.self_ns = s->self_ns;
        row.total_ns = s->total_ns;
        row.gc_ns = s->gc_ns;
        row.count = s->count;
        row.roots = s->roots;
        if (!snoopi__rows_add(&a->rows, &row)) {
            return snoopi__fail_nomem(err);
        }
    }
    snoopi__rows_finish(&a->rows);
    return SNOOPI_OK;
}

int snoopi_aggregate_new(snoopi_aggregate **out, snoopi_trace *trace,
                         const snoopi_aggregate_options *options, snoopi_error *err)
{
    static const snoopi_aggregate_options defaults = SNOOPI_AGGREGATE_INIT;
    const snoopi_aggregate_options *const o = options ? options : &defaults;
    snoopi_scan *scan = NULL;

    *out = NULL;
    snoopi_aggregate *a = calloc(1, sizeof *a);
    if (!a) {
        return snoopi__fail_nomem(err);
    }
    snoopi__rows_init(&a->rows, o->sort, o->tmin_ns, o->limit);
    int status = snoopi__keys_init(&a->keys, trace, o->by, &o->filter, err);
    if (status == SNOOPI_OK) {
        status = snoopi_scan_open(&scan, trace, &o->scope, err);
    }
    if (status == SNOOPI_OK) {
        status = add_frames(a, scan, err);
    }
    if (status == SNOOPI_OK) {
        status = make_rows(a, err);
    }
    if (status < 0) {
        goto out;
    }
    a->totals = *snoopi_scan_totals(scan);
    a->scope_totals = *snoopi_scan_scope_totals(scan);
    *out = a;
    a = NULL;
out:
    snoopi_scan_close(scan);
    snoopi_aggregate_free(a);
    return status;
}

void snoopi_aggregate_free(snoopi_aggregate *aggregate)
{
    if (!aggregate) {
        return;
    }
    snoopi__keys_clear(&aggregate->keys);
    snoopi__rows_clear(&aggregate->rows);
    snoopi__path_clear(&aggregate->path);
    free(aggregate->sums);
    free(aggregate);
}

size_t snoopi_aggregate_n_rows(const snoopi_aggregate *aggregate)
{
    return aggregate->rows.n;
}

const snoopi_row *snoopi_aggregate_row(const snoopi_aggregate *aggregate, size_t index)
{
    return &aggregate->rows.rows[index];
}

uint64_t snoopi_aggregate_n_found(const snoopi_aggregate *aggregate)
{
    return aggregate->rows.n_found;
}

const snoopi_totals *snoopi_aggregate_totals(const snoopi_aggregate *aggregate)
{
    return &aggregate->totals;
}

const snoopi_totals *snoopi_aggregate_scope_totals(const snoopi_aggregate *aggregate)
{
    return &aggregate->scope_totals;
}
