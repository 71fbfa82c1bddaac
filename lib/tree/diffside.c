// SPDX-License-Identifier: MIT
// See diffside.h. Recordings of a side are of one program: their keys are equal to the letter.
#include "diffside.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

void snoopi__diffside_clear(snoopi__diffside *side)
{
    for (size_t i = 0; side->aggregates && i < side->n_traces; i++) {
        snoopi_aggregate_free(side->aggregates[i]);
    }
    free(side->aggregates);
    free(side->entries);
    free(side->left);
    free(side->numbers);
    snoopi__idset_clear(&side->set);
    snoopi__buffer_clear(&side->key);
    *side = (snoopi__diffside){0};
}

// --- medians

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Sorts the values. Of an even number of them it is the middle of the two in the middle.
static uint64_t median(uint64_t *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_u64);
    const uint64_t low = values[(n - 1) / 2];
    return low + (values[n / 2] - low) / 2;
}

// The medians of numbers that lie `stride` bytes apart; `n_fields` of them stand in a row at each.
static void medians(uint64_t *result, const uint64_t *first, size_t n_fields, size_t n,
                    uint64_t *scratch)
{
    for (size_t field = 0; field < n_fields; field++) {
        for (size_t i = 0; i < n; i++) {
            scratch[i] = first[i * n_fields + field];
        }
        result[field] = median(scratch, n);
    }
}

enum {
    N_NUMBERS = sizeof(snoopi__diff_numbers) / sizeof(uint64_t),
    N_TOTALS = sizeof(snoopi_totals) / sizeof(uint64_t)
};

// --- rows

static void put_text(snoopi__buffer *out, const char *text)
{
    snoopi__buffer_put(out, text ? text : "", text ? strlen(text) + 1 : 1);
}

static bool grow(snoopi__diffside *side)
{
    snoopi__diff_entry *const entries =
        snoopi__grow(side->entries, &side->capacity, side->n + 1, sizeof *entries);
    side->entries = entries ? entries : side->entries;
    snoopi__diff_numbers *const numbers = snoopi__grow(
        side->numbers, &side->numbers_capacity, (side->n + 1) * side->n_traces, sizeof *numbers);
    side->numbers = numbers ? numbers : side->numbers;
    return entries && numbers;
}

// The number of a row's key + 1; 0 when memory is short.
static uint32_t find_entry(snoopi__diffside *side, const snoopi_row *row, size_t recording)
{
    snoopi__buffer *const key = &side->key;
    key->size = 0;
    put_text(key, row->module);
    put_text(key, row->name);
    put_text(key, row->file);
    snoopi__buffer_u32(key, (uint32_t)row->line);
    uint32_t *const number =
        key->has_failed ? NULL : snoopi__idset_find(&side->set, 0, key->data, key->size);
    if (!number || *number != 0) {
        return number ? *number : 0;
    }
    if (!grow(side)) {
        return 0;
    }
    side->entries[side->n] =
        (snoopi__diff_entry){.row = *row, .recording = recording, .number = side->n};
    memset(&side->numbers[side->n * side->n_traces], 0, side->n_traces * sizeof *side->numbers);
    *number = (uint32_t)++side->n;
    return *number;
}

static bool add_rows(snoopi__diffside *side, size_t recording)
{
    const snoopi_aggregate *const a = side->aggregates[recording];
    for (size_t i = 0; i < snoopi_aggregate_n_rows(a); i++) {
        const snoopi_row *const row = snoopi_aggregate_row(a, i);
        const uint32_t number = find_entry(side, row, recording);
        if (number == 0) {
            return false;
        }
        side->numbers[(number - 1) * side->n_traces + recording] =
            (snoopi__diff_numbers){row->self_ns, row->total_ns, row->gc_ns, row->count, row->roots};
    }
    return true;
}

static void finish_row(snoopi__diffside *side, size_t index, uint64_t *scratch)
{
    snoopi__diff_entry *const entry = &side->entries[index];
    const snoopi__diff_numbers *const numbers = &side->numbers[index * side->n_traces];
    uint64_t result[N_NUMBERS];
    entry->self = (snoopi_spread){UINT64_MAX, 0};
    for (size_t i = 0; i < side->n_traces; i++) {
        const uint64_t self_ns = numbers[i].self_ns;
        entry->self.min_ns = self_ns < entry->self.min_ns ? self_ns : entry->self.min_ns;
        entry->self.max_ns = self_ns > entry->self.max_ns ? self_ns : entry->self.max_ns;
    }
    medians(result, &numbers->self_ns, N_NUMBERS, side->n_traces, scratch);
    entry->row.self_ns = result[0];
    entry->row.total_ns = result[1];
    entry->row.gc_ns = result[2];
    entry->row.count = result[3];
    entry->row.roots = result[4];
}

// --- sums

// The sums of what a filter keeps: those of its instances' rows.
static void add_up_rows(snoopi_totals *part, const snoopi_aggregate *a)
{
    *part = (snoopi_totals){0};
    for (size_t i = 0; i < snoopi_aggregate_n_rows(a); i++) {
        const snoopi_row *const row = snoopi_aggregate_row(a, i);
        part->inference_ns += row->self_ns;
        part->gc_ns += row->gc_ns;
        part->frames += row->count;
        part->roots += row->roots;
        part->instances++;
    }
}

static int find_part(snoopi_totals *part, snoopi_trace *trace, const snoopi_aggregate *a,
                     const snoopi_diff_options *options, snoopi_error *err)
{
    const snoopi_filter *const f = &options->filter;
    if (!f->module && !f->package && !f->file) {
        *part = *snoopi_aggregate_scope_totals(a);
        return SNOOPI_OK;
    }
    if (options->by == SNOOPI_BY_INSTANCE) {
        add_up_rows(part, a);
        return SNOOPI_OK;
    }
    snoopi_aggregate_options by_instance = SNOOPI_AGGREGATE_INIT;
    by_instance.scope = options->scope;
    by_instance.filter = *f;
    snoopi_aggregate *rows = NULL;
    const int status = snoopi_aggregate_new(&rows, trace, &by_instance, err);
    if (status == SNOOPI_OK) {
        add_up_rows(part, rows);
    }
    snoopi_aggregate_free(rows);
    return status;
}

static void sum_up(snoopi_diff_side *sums, const snoopi_totals *wholes, const snoopi_totals *parts,
                   uint64_t *scratch)
{
    const size_t n = sums->n_recordings;
    medians(&sums->whole.wall_ns, &wholes->wall_ns, N_TOTALS, n, scratch);
    medians(&sums->part.wall_ns, &parts->wall_ns, N_TOTALS, n, scratch);
    sums->inference = (snoopi_spread){UINT64_MAX, 0};
    sums->is_steady = true;
    for (size_t i = 0; i < n; i++) {
        const snoopi_totals *const p = &parts[i];
        snoopi_spread *const s = &sums->inference;
        s->min_ns = p->inference_ns < s->min_ns ? p->inference_ns : s->min_ns;
        s->max_ns = p->inference_ns > s->max_ns ? p->inference_ns : s->max_ns;
        sums->is_steady = sums->is_steady && p->frames == parts->frames &&
                          p->roots == parts->roots && p->instances == parts->instances;
    }
}

// --- the whole

static int gather_one(snoopi__diffside *side, size_t i, const snoopi_diff_options *options,
                      snoopi_totals *whole, snoopi_totals *part, snoopi_error *err)
{
    snoopi_aggregate_options o = SNOOPI_AGGREGATE_INIT;
    o.by = options->by;
    o.scope = options->scope;
    o.filter = options->filter;
    int status = snoopi_aggregate_new(&side->aggregates[i], side->traces[i], &o, err);
    if (status < 0) {
        return status;
    }
    *whole = *snoopi_aggregate_totals(side->aggregates[i]);
    status = find_part(part, side->traces[i], side->aggregates[i], options, err);
    if (status == SNOOPI_OK && !add_rows(side, i)) {
        status = snoopi__fail_nomem(err);
    }
    return status;
}

int snoopi__diffside_gather(snoopi__diffside *side, snoopi_trace *const *traces, size_t n_traces,
                            const snoopi_diff_options *options, snoopi_error *err)
{
    side->traces = traces;
    side->n_traces = n_traces;
    side->sums.n_recordings = n_traces;
    side->aggregates = calloc(n_traces, sizeof(snoopi_aggregate *));
    snoopi_totals *const totals = calloc(2 * n_traces, sizeof *totals);
    uint64_t *const scratch = calloc(n_traces, sizeof *scratch);
    int status = SNOOPI_OK;
    if (!side->aggregates || !totals || !scratch) {
        status = snoopi__fail_nomem(err);
        goto out;
    }
    for (size_t i = 0; i < n_traces && status == SNOOPI_OK; i++) {
        status = gather_one(side, i, options, &totals[i], &totals[n_traces + i], err);
    }
    if (status == SNOOPI_OK) {
        for (size_t i = 0; i < side->n; i++) {
            finish_row(side, i, scratch);
        }
        sum_up(&side->sums, totals, totals + n_traces, scratch);
    }
out:
    free(totals);
    free(scratch);
    return status;
}

int snoopi__diffside_of_keys(snoopi__diffside *side, snoopi_trace *const *trace,
                             const snoopi__keys *keys)
{
    side->traces = trace;
    side->n_traces = 1;
    side->entries = calloc(keys->n_keys + 1, sizeof *side->entries);
    if (!side->entries) {
        return SNOOPI_E_NOMEM;
    }
    side->n = keys->n_keys;
    for (size_t i = 0; i < side->n; i++) {
        side->entries[i] =
            (snoopi__diff_entry){.row = snoopi__keys_row(keys, (uint32_t)i), .number = i};
    }
    return SNOOPI_OK;
}
