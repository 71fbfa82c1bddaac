// SPDX-License-Identifier: MIT
// See madenames.h.
#include "madenames.h"

#include <stdlib.h>
#include <string.h>

#include "align.h"

// A made name in a text, and the module that stands before it.
typedef struct {
    const char *begin;
    const char *end;
    const char *module; // borrowed; not terminated
    size_t module_size;
} token;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void snoopi__madenames_clear(snoopi__madenames *made)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < made->sides[side].n; i++) {
            free(made->sides[side].names[i].rows);
        }
        free(made->sides[side].names);
        snoopi__idset_clear(&made->sides[side].set);
    }
    snoopi__idset_clear(&made->groups);
    snoopi__arena_clear(&made->arena);
    snoopi__buffer_clear(&made->scratch);
    *made = (snoopi__madenames){0};
}

// --- finding them

// What lowering counted: the digits behind a hash, and those of `s14` in `##s14#7`. At a hash; the end of these digits.
static const char *skip_number(const char *at, const char **digits)
{
    const char *end = at + 1;
    if (*end == 's' && is_digit(end[1])) {
        end++;
    }
    *digits = end;
    while (is_digit(*end)) {
        end++;
    }
    if (end > *digits && *digits > at + 1 && *end != '#') {
        *digits = at + 1; // s14 is somebody's own name
        return *digits;
    }
    return end;
}

static bool ends_name(char c)
{
    return c == '\0' || strchr("\"(){}, ;", c) != NULL;
}

// The path before var"…", as in Prog.var"#3#4": without it the name is Main's, or one that all see.
static void find_module(token *t, const char *text)
{
    static const char quote[] = "var\"";
    const size_t n = sizeof quote - 1;
    const char *end = t->begin;
    if ((size_t)(end - text) < n || memcmp(end - n, quote, n) != 0) {
        return;
    }
    end -= n;
    const char *begin = end;
    while (begin > text && !strchr("\"(){}, ;:", begin[-1])) {
        begin--;
    }
    t->module = begin;
    t->module_size = end > begin ? (size_t)(end - begin) - 1 : 0; // without the point
}

// The next made name from `at` on; false: there is none. One without a number is not made, or always the same.
static bool next_token(token *t, const char *text, const char *at, const char *module)
{
    for (; *at; at++) {
        if (*at != '#') {
            continue;
        }
        bool has_number = false;
        const char *end = at;
        while (!ends_name(*end)) {
            const char *digits = end + 1;
            const char *const next = *end == '#' ? skip_number(end, &digits) : end + 1;
            has_number = has_number || next > digits;
            end = next;
        }
        if (has_number) {
            *t = (token){at, end, module, strlen(module)};
            find_module(t, text);
            return true;
        }
        at = end - 1;
    }
    return false;
}

// A made name without its numbers; the first of these.
static uint64_t put_bare_token(snoopi__buffer *out, const token *t)
{
    uint64_t number = 0;
    bool has_number = false;
    const char *at = t->begin;
    while (at < t->end) {
        const char *digits = at + 1;
        const char *const next = *at == '#' ? skip_number(at, &digits) : at + 1;
        snoopi__buffer_put(out, at, (size_t)(digits - at));
        if (next > digits && !has_number) {
            number = strtoull(digits, NULL, 10);
            has_number = true;
        }
        at = next;
    }
    return number;
}

void snoopi__madenames_bare(snoopi__buffer *out, const char *name)
{
    const char *at = name;
    token t;
    while (next_token(&t, name, at, "")) {
        snoopi__buffer_put(out, at, (size_t)(t.begin - at));
        (void)put_bare_token(out, &t);
        at = t.end;
    }
    snoopi__buffer_put(out, at, strlen(at));
}

// --- taking them up

static void put_module(snoopi__buffer *out, const token *t)
{
    snoopi__buffer_put(out, t->module, t->module_size);
    snoopi__buffer_put(out, "\0", 1);
}

// The number of a token's group, from 1; 0 when memory is short.
static uint32_t find_group(snoopi__madenames *made, const token *t, uint64_t *number)
{
    snoopi__buffer *const key = &made->scratch;
    key->size = 0;
    put_module(key, t);
    *number = put_bare_token(key, t);
    uint32_t *const group =
        key->has_failed ? NULL : snoopi__idset_find(&made->groups, 0, key->data, key->size);
    if (group && *group == 0) {
        *group = ++made->n_groups;
    }
    return group ? *group : 0;
}

// Where the number of a token of a side stands, + 1.
static uint32_t *find_slot(snoopi__madenames *made, int side, const token *t)
{
    snoopi__buffer *const key = &made->scratch;
    key->size = 0;
    put_module(key, t);
    snoopi__buffer_put(key, t->begin, (size_t)(t->end - t->begin));
    return key->has_failed ? NULL
                           : snoopi__idset_find(&made->sides[side].set, 0, key->data, key->size);
}

static snoopi__madename *find_name(snoopi__madenames *made, int side, const token *t)
{
    snoopi__madeside *const s = &made->sides[side];
    uint32_t *const slot = find_slot(made, side, t);
    if (!slot || *slot != 0) {
        return slot ? &s->names[*slot - 1] : NULL;
    }
    snoopi__madename *const grown = snoopi__grow(s->names, &s->capacity, s->n + 1, sizeof *grown);
    if (!grown) {
        return NULL;
    }
    s->names = grown;
    snoopi__madename *const name = &s->names[s->n++];
    *slot = (uint32_t)s->n;
    *name = (snoopi__madename){.size = (uint32_t)(t->end - t->begin)};
    name->text = snoopi__arena_text(&made->arena, t->begin, name->size);
    name->group = find_group(made, t, &name->number);
    return name->text && name->group ? name : NULL;
}

static uint32_t hash_of(const snoopi__buffer *text)
{
    uint32_t hash = 2166136261u; // FNV-1a: equal rows are to be found equal, no more
    for (size_t i = 0; i < text->size; i++) {
        hash = (hash ^ text->data[i]) * 16777619u;
    }
    return hash;
}

static bool add_row(snoopi__madename *name, uint32_t row)
{
    if (name->n_rows > 0 && name->rows[name->n_rows - 1] == row) {
        return true;
    }
    uint32_t *const grown =
        snoopi__grow(name->rows, &name->capacity, name->n_rows + 1, sizeof *grown);
    if (!grown) {
        return false;
    }
    name->rows = grown;
    name->rows[name->n_rows++] = row;
    return true;
}

int snoopi__madenames_add(snoopi__madenames *made, int side, const char *name, const char *module,
                          int32_t line)
{
    token t;
    if (!next_token(&t, name, name, module)) {
        return SNOOPI_OK;
    }
    snoopi__buffer *const bare = &made->scratch;
    bare->size = 0;
    snoopi__madenames_bare(bare, name);
    const uint32_t row = hash_of(bare);
    if (bare->has_failed) {
        return SNOOPI_E_NOMEM;
    }
    for (const char *at = name; next_token(&t, name, at, module); at = t.end) {
        snoopi__madename *const found = find_name(made, side, &t);
        if (!found || !add_row(found, row)) {
            return SNOOPI_E_NOMEM;
        }
        // (::Prog.var"#3#4")(::Int64) and #kw#5(…) are the code of what they name.
        const bool is_own =
            t.begin == name ||
            (name[0] == '(' && !memchr(name + 1, '(', (size_t)(t.begin - name - 1)) &&
             !memchr(name, '{', (size_t)(t.begin - name)));
        if (is_own && found->line == 0) {
            found->line = line;
        }
    }
    return SNOOPI_OK;
}

// --- partners

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_names(const void *a, const void *b)
{
    const snoopi__madename *const x = *(const snoopi__madename *const *)a;
    const snoopi__madename *const y = *(const snoopi__madename *const *)b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->number != y->number) {
        return x->number < y->number ? -1 : 1;
    }
    return strcmp(x->text, y->text);
}

// The names of a side by group and number, with their rows in order. NULL when memory is short.
static snoopi__madename **sorted(snoopi__madeside *side)
{
    snoopi__madename **const order = calloc(side->n + 1, sizeof(snoopi__madename *));
    for (size_t i = 0; order && i < side->n; i++) {
        order[i] = &side->names[i];
        qsort(order[i]->rows, order[i]->n_rows, sizeof *order[i]->rows, compare_u32);
    }
    if (order && side->n > 0) {
        qsort(order, side->n, sizeof(snoopi__madename *), compare_names);
    }
    return order;
}

static size_t n_common(const snoopi__madename *a, const snoopi__madename *b)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; i < a->n_rows && j < b->n_rows;) {
        const int order = compare_u32(&a->rows[i], &b->rows[j]);
        n += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return n;
}

typedef struct {
    snoopi__madename **before;
    snoopi__madename **after;
} group_pair;

// Use tells most; the line, where both are known, is the same or was moved.
static unsigned score(void *payload, size_t i, size_t j)
{
    const group_pair *const pair = payload;
    const snoopi__madename *const a = pair->before[i];
    const snoopi__madename *const b = pair->after[j];
    const size_t all = a->n_rows + b->n_rows;
    const unsigned use = all > 0 ? (unsigned)(200 * n_common(a, b) / all) : 0;
    return 1 + use + (a->line > 0 && a->line == b->line ? 20 : 0) +
           (strcmp(a->text, b->text) == 0 ? 2 : 0);
}

static size_t group_size(snoopi__madename *const *names)
{
    size_t n = 0;
    while (names[n] && names[n]->group == names[0]->group) {
        n++;
    }
    return n;
}

// Code that was moved past other code has a partner too, if it is used alike.
static void pair_moved(group_pair *g, size_t n, size_t m, uint32_t *n_pairs)
{
    enum { ALIKE = 100 };
    for (size_t i = 0; i < n; i++) {
        unsigned best = ALIKE;
        snoopi__madename *partner = NULL;
        for (size_t j = 0; j < m && g->before[i]->pair == 0; j++) {
            const unsigned s = g->after[j]->pair == 0 ? score(g, i, j) : 0;
            if (s > best) {
                best = s;
                partner = g->after[j];
            }
        }
        if (partner) {
            g->before[i]->pair = partner->pair = ++*n_pairs;
        }
    }
}

static int pair_group(group_pair *g, size_t n, size_t m, uint32_t *n_pairs)
{
    uint32_t *const partner = calloc(n, sizeof *partner);
    if (!partner || snoopi__align(partner, n, m, score, g) < 0) {
        free(partner);
        return SNOOPI_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        if (partner[i] != SNOOPI__ALIGN_NONE) {
            g->before[i]->pair = g->after[partner[i]]->pair = ++*n_pairs;
        }
    }
    free(partner);
    if (n < 2000 && m < 2000) {
        pair_moved(g, n, m, n_pairs);
    }
    return SNOOPI_OK;
}

int snoopi__madenames_pair(snoopi__madenames *made)
{
    snoopi__madename **const before = sorted(&made->sides[0]);
    snoopi__madename **const after = sorted(&made->sides[1]);
    group_pair g = {before, after};
    uint32_t n_pairs = 0;
    int status = before && after ? SNOOPI_OK : SNOOPI_E_NOMEM;
    while (status == SNOOPI_OK && *g.before && *g.after) {
        const size_t n = group_size(g.before);
        const size_t m = group_size(g.after);
        const uint32_t a = g.before[0]->group;
        const uint32_t b = g.after[0]->group;
        if (a == b) {
            status = pair_group(&g, n, m, &n_pairs);
        }
        g.before += a <= b ? n : 0;
        g.after += a >= b ? m : 0;
    }
    free(before);
    free(after);
    return status;
}

void snoopi__madenames_put(snoopi__madenames *made, int side, snoopi__buffer *out, const char *name,
                           const char *module)
{
    const char *at = name;
    token t;
    while (next_token(&t, name, at, module)) {
        const uint32_t *const slot = find_slot(made, side, &t);
        const uint32_t number = slot ? *slot : 0;
        const uint32_t pair = number ? made->sides[side].names[number - 1].pair : 0;
        snoopi__buffer_put(out, at, (size_t)(t.begin - at));
        // 1, 2: of one side only. 3: of both. No text has these bytes, as Julia escapes them.
        snoopi__buffer_put(out, pair ? "\3" : side ? "\2" : "\1", 1);
        snoopi__buffer_u32(out, pair ? pair : number);
        at = t.end;
        out->has_failed |= slot == NULL;
    }
    snoopi__buffer_put(out, at, strlen(at));
}
