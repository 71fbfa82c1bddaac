// SPDX-License-Identifier: MIT
// See varranks.h. From the leaves up, each node gets the list of the variables in it. Where a UNIONALL binds one, those of the
// same name in its body are in conflict with it; then ranks are given so that no two in conflict have the same.
#include "varranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum {
    MAX_IN_NODE = 64,    // format.md 1.2
    MAX_LISTED = 1 << 24 // of all lists; nodes behind that have none
};

typedef struct {
    size_t at; /* in the pool */
    uint32_t n;
} list;

typedef struct {
    uint32_t high; /* the greater id */
    uint32_t low;
} conflict;

typedef struct {
    const snoopi__defs *defs;
    list *lists; /* by node */
    uint32_t *pool;
    size_t n_pool;
    size_t pool_capacity;
    conflict *conflicts;
    size_t n_conflicts;
    size_t conflicts_capacity;
    bool has_failed;
} ranking;

// The list that is being made: ascending, the smallest ids.
typedef struct {
    uint32_t ids[MAX_IN_NODE + 1];
    uint32_t n;
    list only; /* what it was made of, while that is a single list */
    bool is_mixed;
} making;

static void add_id(making *m, uint32_t id)
{
    uint32_t at = m->n;
    while (at > 0 && m->ids[at - 1] > id) {
        at--;
    }
    if (at > 0 && m->ids[at - 1] == id) {
        return;
    }
    memmove(m->ids + at + 1, m->ids + at, (m->n - at) * sizeof *m->ids);
    m->ids[at] = id;
    m->n += m->n < MAX_IN_NODE;
}

static void add_list(const ranking *r, making *m, uint32_t node)
{
    const list other = r->lists[node];
    if (other.n == 0 || (m->n > 0 && !m->is_mixed && m->only.at == other.at)) {
        return;
    }
    m->is_mixed = m->n > 0;
    m->only = other;
    for (uint32_t i = 0; i < other.n; i++) {
        add_id(m, r->pool[other.at + i]);
    }
}

static void keep_list(ranking *r, const making *m, uint32_t node)
{
    if (m->n == 0 || !m->is_mixed) {
        r->lists[node] = m->n > 0 ? m->only : (list){0};
        return;
    }
    if (r->n_pool + m->n > MAX_LISTED) {
        return;
    }
    uint32_t *grown = snoopi__grow(r->pool, &r->pool_capacity, r->n_pool + m->n, sizeof *grown);
    if (!grown) {
        r->has_failed = true;
        return;
    }
    r->pool = grown;
    memcpy(r->pool + r->n_pool, m->ids, m->n * sizeof *m->ids);
    r->lists[node] = (list){.at = r->n_pool, .n = m->n};
    r->n_pool += m->n;
}

static bool have_same_name(const snoopi__defs *defs, uint32_t a, uint32_t b)
{
    const uint32_t first = defs->nodes[a].a;
    const uint32_t second = defs->nodes[b].a;
    return first == second ||
           strcmp(snoopi__defs_text(defs, first), snoopi__defs_text(defs, second)) == 0;
}

// The variable that a UNIONALL binds, against those in its body.
static void note_conflicts(ranking *r, const def_node *unionall)
{
    const list body = r->lists[unionall->b];
    for (uint32_t i = 0; i < body.n; i++) {
        const uint32_t other = r->pool[body.at + i];
        if (other == unionall->a || !have_same_name(r->defs, other, unionall->a)) {
            continue;
        }
        conflict *grown =
            snoopi__grow(r->conflicts, &r->conflicts_capacity, r->n_conflicts + 1, sizeof *grown);
        if (!grown) {
            r->has_failed = true;
            return;
        }
        r->conflicts = grown;
        r->conflicts[r->n_conflicts++] =
            other > unionall->a ? (conflict){other, unionall->a} : (conflict){unionall->a, other};
    }
}

static void take_node(ranking *r, uint32_t id)
{
    const def_node *node = &r->defs->nodes[id];
    making m = {.n = 0};
    switch (node->form) {
    case WIRE_FORM_TYPEVAR:
        add_list(r, &m, node->b);
        add_list(r, &m, node->c);
        add_id(&m, id);
        m.is_mixed = true;
        break;
    case WIRE_FORM_UNIONALL: note_conflicts(r, node); __attribute__((fallthrough));
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG:
        add_list(r, &m, node->a);
        add_list(r, &m, node->b);
        break;
    case WIRE_FORM_BITS:
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_PARTIAL:
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_CONST_TYPE:
    case WIRE_FORM_ENUM:
    case WIRE_FORM_ALIAS: add_list(r, &m, node->a); break;
    default: break;
    }
    for (uint32_t i = 0; node->kids && i < node->n; i++) {
        add_list(r, &m, node->kids[i]);
    }
    keep_list(r, &m, id);
}

static int compare_conflicts(const void *first, const void *second)
{
    const conflict *a = first;
    const conflict *b = second;
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->low < b->low ? -1 : a->low > b->low;
}

// Each variable in conflict gets the least rank that none of those before it has. `taken`: by rank, the last variable that
// may not have it.
static void give_ranks(const ranking *r, uint32_t *ranks, uint32_t *taken)
{
    for (size_t from = 0; from < r->n_conflicts;) {
        const uint32_t high = r->conflicts[from].high;
        for (; from < r->n_conflicts && r->conflicts[from].high == high; from++) {
            taken[ranks[r->conflicts[from].low]] = high;
        }
        while (taken[ranks[high]] == high) {
            ranks[high]++;
        }
    }
}

// Marks the variables of a type's where-clauses, and these, so that none is gone through twice.
static void mark_where(const snoopi__defs *defs, uint32_t type, uint32_t *ranks, uint32_t mark)
{
    while (defs->nodes[type].form == WIRE_FORM_UNIONALL && !(ranks[type] & mark)) {
        ranks[type] |= mark;
        ranks[defs->nodes[type].a] |= mark;
        type = defs->nodes[type].b;
    }
}

enum {
    MARK_TYPE = 1,
    MARK_ALIAS = 2,
    MARK_UNION_ALIAS = 4,
    IS_UNION = 8, // of nodes that are no variables: a union below where-clauses
    MARK_BITS = 4
};

// Ranks become distinguishing marks: those that a type, an alias of one or an alias of a union was declared with stay apart from all
// others.
static void mark_declared(const snoopi__defs *defs, uint32_t *ranks)
{
    for (uint32_t id = 1; id < defs->n_nodes; id++) {
        const def_node *node = &defs->nodes[id];
        ranks[id] = node->form == WIRE_FORM_TYPEVAR    ? ranks[id] << MARK_BITS
                    : node->form == WIRE_FORM_UNION    ? IS_UNION
                    : node->form == WIRE_FORM_UNIONALL ? ranks[node->b] & IS_UNION
                                                       : 0;
    }
    for (uint32_t id = 1; id < defs->n_nodes; id++) {
        const def_node *node = &defs->nodes[id];
        if (node->form == WIRE_FORM_UNIONALL && node->flags & WIRE_UNIONALL_WRAPPER) {
            mark_where(defs, id, ranks, MARK_TYPE);
        } else if (node->form == WIRE_FORM_ALIAS) {
            mark_where(defs, node->a, ranks,
                       ranks[node->a] & IS_UNION ? MARK_UNION_ALIAS : MARK_ALIAS);
        }
    }
    for (uint32_t id = 1; id < defs->n_nodes; id++) {
        if (defs->nodes[id].form != WIRE_FORM_TYPEVAR) {
            ranks[id] = 0;
        }
    }
}

uint32_t *snoopi__variable_marks(const snoopi__defs *defs)
{
    const size_t n = (size_t)defs->n_nodes + 1;
    ranking r = {.defs = defs};
    uint32_t *ranks = calloc(n, sizeof *ranks);
    uint32_t *taken = calloc(n, sizeof *taken);
    r.lists = calloc(n, sizeof *r.lists);
    r.has_failed = !ranks || !taken || !r.lists;
    for (uint32_t id = 1; id < defs->n_nodes && !r.has_failed; id++) {
        take_node(&r, id);
    }
    if (!r.has_failed && r.n_conflicts > 0) {
        qsort(r.conflicts, r.n_conflicts, sizeof *r.conflicts, compare_conflicts);
        give_ranks(&r, ranks, taken);
    }
    free(taken);
    free(r.lists);
    free(r.pool);
    free(r.conflicts);
    if (r.has_failed) {
        free(ranks);
        return NULL;
    }
    mark_declared(defs, ranks);
    return ranks;
}
