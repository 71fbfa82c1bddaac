// SPDX-License-Identifier: MIT
// Matching of the rows of two sides. See snoopi/diff.h for the rules.
//
//     rows ─names without Julia's numbers→ partners of made names ─module, name, file→ buckets ─order, lines→ pairs
//                                                    what is left ─module, name→ buckets ─order, lines→ pairs
#include "match.h"

#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "format/handle.h"
#include "madenames.h"
#include "names/names.h"

#define NO_BUCKET UINT32_MAX // of rows that nothing but their file tells apart

// --- the name of a row that is compared

typedef struct {
    snoopi__diffside *sides;
    snoopi_by by;
    snoopi__match_visitor *visit;
    void *payload;
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
        const snoopi_trace *const trace = m->sides[side].traces[recording];
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

// A call of a keyword sorter without the sorter, which is `f##kw` up to Julia 1.8 and kwcall from 1.9 on: the function is
// among the arguments, behind the named ones. Other names as they are.
static const char *without_sorter(const char *name)
{
    static const char *const sorters[] = {"kwcall", "Core.kwcall", "##kw\")"};
    const char *const arguments = strstr(name, "(::NamedTuple{");
    for (size_t i = 0; arguments && i < sizeof sorters / sizeof *sorters; i++) {
        const size_t size = strlen(sorters[i]);
        const size_t before = (size_t)(arguments - name);
        const bool is_whole = i < 2 ? before == size : before >= size && name[0] == '(';
        if (is_whole && strncmp(arguments - size, sorters[i], size) == 0) {
            return arguments;
        }
    }
    return name;
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
            snoopi__trace_defs(m->sides[side].traces[entry->recording]);
        (void)put_signature(m, names, defs, entry);
    } else {
        snoopi__put_instance(names, &m->text, entry->row.instance, 0);
    }
    if (m->text.has_failed) {
        return NULL;
    }
    const char *const name = m->text.data ? m->text.data : "";
    return m->has_versions ? without_sorter(name) : name;
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
    const snoopi__diffside *const s = &m->sides[side];
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
    const snoopi__diffside *const s = &m->sides[side];
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
        entry->name_bucket = *name ? bucket_of_key(m) : NO_BUCKET;
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

static void pair(matching *m, snoopi__diff_entry *before, snoopi__diff_entry *after)
{
    before->is_paired = true;
    after->is_paired = true;
    m->visit(m->payload, before, after);
}

static int pair_bucket(matching *m, bucket_pair *p)
{
    uint32_t *const partner = calloc(p->n + 1, sizeof *partner);
    const int status = partner ? snoopi__align(partner, p->n, p->m, score, p) : SNOOPI_E_NOMEM;
    for (size_t i = 0; i < p->n && status == SNOOPI_OK; i++) {
        if (partner[i] != SNOOPI__ALIGN_NONE) {
            pair(m, &p->before[i], &p->after[partner[i]]);
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

static int pair_entries(matching *m, entry_list a, entry_list b)
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
        status = p.n > 0 && p.m > 0 && bucket != NO_BUCKET ? pair_bucket(m, &p) : SNOOPI_OK;
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

static int pair_rows(matching *m)
{
    snoopi__diffside *const a = &m->sides[0];
    snoopi__diffside *const b = &m->sides[1];
    entry_list left[2];
    if (pair_entries(m, (entry_list){a->entries, a->n}, (entry_list){b->entries, b->n}) < 0 ||
        !gather_left(a, &left[0]) || !gather_left(b, &left[1]) ||
        pair_entries(m, left[0], left[1]) < 0) {
        return SNOOPI_E_NOMEM;
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < left[side].n; i++) {
            snoopi__diff_entry *const entry = &left[side].entries[i];
            if (!entry->is_paired) {
                m->visit(m->payload, side == 0 ? entry : NULL, side == 1 ? entry : NULL);
            }
        }
    }
    return SNOOPI_OK;
}

static int match_all(matching *m)
{
    m->text.limit = SNOOPI__NAME_LIMIT;
    m->has_versions =
        strcmp(version_of(m->sides[0].traces[0]), version_of(m->sides[1].traces[0])) != 0;
    for (int side = 0; side < 2; side++) {
        m->names[side] = calloc(m->sides[side].n_traces, sizeof(snoopi__names *));
        if (!m->names[side] || add_made_names(m, side) < 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    if (snoopi__madenames_pair(&m->made) < 0 || find_buckets(m, 0) < 0 || find_buckets(m, 1) < 0) {
        return SNOOPI_E_NOMEM;
    }
    return pair_rows(m);
}

static void clear_matching(matching *m)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; m->names[side] && i < m->sides[side].n_traces; i++) {
            snoopi__names_free(m->names[side][i]);
        }
        free(m->names[side]);
    }
    snoopi__madenames_clear(&m->made);
    snoopi__text_clear(&m->text);
    snoopi__buffer_clear(&m->key);
    snoopi__idset_clear(&m->buckets);
}

int snoopi__match(snoopi__diffside sides[2], snoopi_by by, snoopi__match_visitor *visit,
                  void *payload)
{
    matching m = {.sides = sides, .by = by, .visit = visit, .payload = payload};
    const int status = match_all(&m);
    clear_matching(&m);
    return status;
}
