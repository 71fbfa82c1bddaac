// SPDX-License-Identifier: MIT
// Matching of the rows of two sides. See snoopi/diff.h for the rules.
//
//     rows ─names without Julia's numbers→ partners of made names ─module, name, file→ buckets ─order, lines→ pairs
//                                                    what is left ─module, name→ buckets ─order, lines→ pairs
#include <snoopi/diff.h>

#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "base/fail.h"
#include "diffside.h"
#include "format/handle.h"
#include "madenames.h"
#include "names/names.h"

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

// --- the name of a row that is compared

typedef struct {
    snoopi_diff *diff;
    snoopi_by by;
    bool has_versions; // types are to be printed anew, by the rules of one version
    snoopi__madenames made;
    snoopi__names **names[2]; // by recording; made when needed
    snoopi__text text;
    snoopi__buffer key;
    snoopi__idset buckets;
    uint32_t n_buckets;
} matching;

static const char *version_of(const snoopi_trace *trace)
{
    return snoopi_trace_n_processes(trace) > 0 ? snoopi_trace_process(trace, 0)->julia : "";
}

static snoopi__names *names_of(matching *m, int side, size_t recording)
{
    snoopi__names **const slot = &m->names[side][recording];
    if (!*slot) {
        const snoopi_trace *const trace = m->diff->sides[side].traces[recording];
        *slot =
            snoopi__names_new(snoopi__trace_defs(trace), m->has_versions ? "" : version_of(trace));
    }
    return *slot;
}

// Methods of one name are told apart by their signatures. Returns whether memory sufficed.
static bool put_signature(matching *m, snoopi__names *names, const snoopi__defs *defs,
                          const snoopi__diff_entry *entry)
{
    const def_instance *const instance = &defs->instances[entry->row.instance];
    const uint32_t sig =
        instance->kind == WIRE_INSTANCE_METHOD ? defs->methods[instance->method].sig : 0;
    snoopi__text_puts(&m->text, entry->row.name);
    if (sig != 0) {
        snoopi__text_putc(&m->text, ' ');
        snoopi__put_node(names, &m->text, sig, 0);
    }
    return !m->text.has_failed;
}

// NULL when memory is short. Valid until the next call.
static const char *compared_name(matching *m, int side, const snoopi__diff_entry *entry)
{
    const bool is_instance = m->by == SNOOPI_BY_INSTANCE || m->by == SNOOPI_BY_ROOT;
    if (m->by != SNOOPI_BY_METHOD && !(is_instance && m->has_versions)) {
        return m->by == SNOOPI_BY_FILE ? "" : entry->row.name;
    }
    snoopi__names *const names = names_of(m, side, entry->recording);
    if (!names) {
        return NULL;
    }
    snoopi__text_reset(&m->text);
    if (m->by == SNOOPI_BY_METHOD) {
        const snoopi__defs *const defs =
            snoopi__trace_defs(m->diff->sides[side].traces[entry->recording]);
        (void)put_signature(m, names, defs, entry);
    } else {
        snoopi__put_instance(names, &m->text, entry->row.instance, 0);
    }
    return m->text.has_failed ? NULL : m->text.data ? m->text.data : "";
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

// The last component of a path; of a cell (REPL[12], In[3]) without its number.
static void put_base_name(snoopi__buffer *out, const char *file)
{
    const char *const slash = strrchr(file, '/');
    const char *const base = slash ? slash + 1 : file;
    const char *const bracket = strchr(base, '[');
    const bool is_cell = bracket && bracket[1 + strspn(bracket + 1, "0123456789")] == ']';
    snoopi__buffer_put(out, base, is_cell ? (size_t)(bracket - base) : strlen(base));
}

static int add_made_names(matching *m, int side)
{
    const snoopi__diffside *const s = &m->diff->sides[side];
    for (size_t i = 0; i < s->n; i++) {
        const snoopi_row *const row = &s->entries[i].row;
        const char *const name = compared_name(m, side, &s->entries[i]);
        if (!name || snoopi__madenames_add(&m->made, side, name, text_or_empty(row->module),
                                           row->line) < 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    return SNOOPI_OK;
}

// The number of the bucket of what the key holds; 0 when memory is short.
static uint32_t bucket_of_key(matching *m)
{
    uint32_t *const bucket =
        m->key.has_failed ? NULL : snoopi__idset_find(&m->buckets, 0, m->key.data, m->key.size);
    if (bucket && *bucket == 0) {
        *bucket = ++m->n_buckets;
    }
    return bucket ? *bucket : 0;
}

static int find_buckets(matching *m, int side)
{
    const snoopi__diffside *const s = &m->diff->sides[side];
    for (size_t i = 0; i < s->n; i++) {
        snoopi__diff_entry *const entry = &s->entries[i];
        const char *const name = compared_name(m, side, entry);
        const char *const module = text_or_empty(entry->row.module);
        if (!name) {
            return SNOOPI_E_NOMEM;
        }
        m->key.size = 0;
        snoopi__buffer_put(&m->key, module, strlen(module) + 1);
        snoopi__madenames_put(&m->made, side, &m->key, name, module);
        entry->name_bucket = *name ? bucket_of_key(m) : UINT32_MAX;
        snoopi__buffer_put(&m->key, "\n", 1);
        put_base_name(&m->key, text_or_empty(entry->row.file));
        entry->bucket = bucket_of_key(m);
        if (entry->bucket == 0 || entry->name_bucket == 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    return SNOOPI_OK;
}

// --- rows of one bucket

static int compare_entries(const void *a, const void *b)
{
    const snoopi__diff_entry *const x = a;
    const snoopi__diff_entry *const y = b;
    if (x->bucket != y->bucket) {
        return x->bucket < y->bucket ? -1 : 1;
    }
    const int order = strcmp(text_or_empty(x->row.file), text_or_empty(y->row.file));
    if (order != 0) {
        return order;
    }
    if (x->row.line != y->row.line) {
        return x->row.line < y->row.line ? -1 : 1;
    }
    return strcmp(text_or_empty(x->row.name), text_or_empty(y->row.name));
}

typedef struct {
    snoopi__diff_entry *before;
    snoopi__diff_entry *after;
    size_t n;
    size_t m;
} bucket_pair;

typedef struct {
    snoopi__diff_entry *entries;
    size_t n;
} entry_list;

// Components that two paths have in common at their ends.
static unsigned n_common_components(const char *a, const char *b)
{
    size_t i = strlen(a);
    size_t j = strlen(b);
    unsigned n = 0;
    while (i > 0 && j > 0 && a[i - 1] == b[j - 1] && n < 50) {
        n += a[i - 1] == '/' || i == 1 || j == 1;
        i--;
        j--;
    }
    return n;
}

static bool has_gap(const snoopi__diff_entry *a, const snoopi__diff_entry *b, int64_t gap)
{
    return (int64_t)b->row.line - a->row.line == gap;
}

// An edit moves lines, but what it does not touch keeps the distance to its neighbours.
static unsigned score(void *payload, size_t i, size_t j)
{
    const bucket_pair *const p = payload;
    const snoopi__diff_entry *const a = &p->before[i];
    const snoopi__diff_entry *const b = &p->after[j];
    unsigned points = 2;
    points += 20 * n_common_components(text_or_empty(a->row.file), text_or_empty(b->row.file));
    points += a->row.line == b->row.line ? 6 : 0;
    points += a->row.count == b->row.count ? 2 : 0;
    if (i > 0 && j > 0 && has_gap(b - 1, b, (int64_t)a->row.line - a[-1].row.line)) {
        points += 3;
    }
    if (i + 1 < p->n && j + 1 < p->m && has_gap(b, b + 1, (int64_t)a[1].row.line - a->row.line)) {
        points += 3;
    }
    return points;
}

static void add_row(snoopi_diff *diff, snoopi__diff_entry *before, snoopi__diff_entry *after)
{
    snoopi_diff_row *const row = &diff->rows[diff->n++];
    *row = (snoopi_diff_row){0};
    if (before) {
        row->before = &before->row;
        row->before_self = before->self;
        before->is_paired = true;
    }
    if (after) {
        row->after = &after->row;
        row->after_self = after->self;
        after->is_paired = true;
    }
    diff->n_appeared += !before;
    diff->n_vanished += !after;
}

static int pair_bucket(snoopi_diff *diff, bucket_pair *p)
{
    uint32_t *const partner = calloc(p->n + 1, sizeof *partner);
    const int status = partner ? snoopi__align(partner, p->n, p->m, score, p) : SNOOPI_E_NOMEM;
    for (size_t i = 0; i < p->n && status == SNOOPI_OK; i++) {
        if (partner[i] != SNOOPI__ALIGN_NONE) {
            add_row(diff, &p->before[i], &p->after[partner[i]]);
        }
    }
    free(partner);
    return status;
}

static size_t bucket_size(const entry_list *list, size_t from, uint32_t bucket)
{
    size_t n = 0;
    while (from + n < list->n && list->entries[from + n].bucket == bucket) {
        n++;
    }
    return n;
}

static int pair_entries(snoopi_diff *diff, entry_list a, entry_list b)
{
    int status = SNOOPI_OK;
    if (a.n == 0 || b.n == 0) {
        return SNOOPI_OK;
    }
    qsort(a.entries, a.n, sizeof *a.entries, compare_entries);
    qsort(b.entries, b.n, sizeof *b.entries, compare_entries);
    for (size_t i = 0, j = 0; status == SNOOPI_OK && i < a.n && j < b.n;) {
        const uint32_t x = a.entries[i].bucket;
        const uint32_t y = b.entries[j].bucket;
        const uint32_t bucket = x < y ? x : y;
        bucket_pair p = {a.entries + i, b.entries + j, bucket_size(&a, i, bucket),
                         bucket_size(&b, j, bucket)};
        status = p.n > 0 && p.m > 0 ? pair_bucket(diff, &p) : SNOOPI_OK;
        i += p.n;
        j += p.m;
    }
    return status;
}

// Gathers what has no partner in the side's list of left ones, in buckets of names. False when memory is short.
static bool gather_left(snoopi__diffside *side, entry_list *left)
{
    side->left = calloc(side->n + 1, sizeof *side->left);
    *left = (entry_list){side->left, 0};
    for (size_t i = 0; side->left && i < side->n; i++) {
        if (!side->entries[i].is_paired) {
            side->left[left->n] = side->entries[i];
            side->left[left->n++].bucket = side->entries[i].name_bucket;
        }
    }
    return side->left != NULL;
}

static int pair_rows(snoopi_diff *diff)
{
    snoopi__diffside *const a = &diff->sides[0];
    snoopi__diffside *const b = &diff->sides[1];
    entry_list left[2];
    diff->rows = calloc(a->n + b->n + 1, sizeof *diff->rows);
    if (!diff->rows ||
        pair_entries(diff, (entry_list){a->entries, a->n}, (entry_list){b->entries, b->n}) < 0 ||
        !gather_left(a, &left[0]) || !gather_left(b, &left[1]) ||
        pair_entries(diff, left[0], left[1]) < 0) {
        return SNOOPI_E_NOMEM;
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < left[side].n; i++) {
            snoopi__diff_entry *const entry = &left[side].entries[i];
            if (!entry->is_paired) {
                add_row(diff, side == 0 ? entry : NULL, side == 1 ? entry : NULL);
            }
        }
    }
    return SNOOPI_OK;
}

static int match(matching *m)
{
    const snoopi__diffside *const sides = m->diff->sides;
    m->text.limit = SNOOPI__NAME_LIMIT;
    m->has_versions = strcmp(version_of(sides[0].traces[0]), version_of(sides[1].traces[0])) != 0;
    for (int side = 0; side < 2; side++) {
        m->names[side] = calloc(sides[side].n_traces, sizeof(snoopi__names *));
        if (!m->names[side] || add_made_names(m, side) < 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    if (snoopi__madenames_pair(&m->made) < 0 || find_buckets(m, 0) < 0 || find_buckets(m, 1) < 0) {
        return SNOOPI_E_NOMEM;
    }
    return pair_rows(m->diff);
}

static void clear_matching(matching *m)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; m->names[side] && i < m->diff->sides[side].n_traces; i++) {
            snoopi__names_free(m->names[side][i]);
        }
        free(m->names[side]);
    }
    snoopi__madenames_clear(&m->made);
    snoopi__text_clear(&m->text);
    snoopi__buffer_clear(&m->key);
    snoopi__idset_clear(&m->buckets);
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
        matching m = {.diff = diff, .by = o->by};
        status = match(&m) < 0 ? snoopi__fail_nomem(err) : SNOOPI_OK;
        clear_matching(&m);
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
