// SPDX-License-Identifier: MIT
// See typegraph.h. After jl_has_typevar, jl_has_free_typevars and jl_egal of Julia 1.5.3's src/jltypes.c and src/builtins.c.
#include "typegraph.h"

#include <stdlib.h>
#include <string.h>

struct graph_pair {
    uint32_t a;
    uint32_t b;
    bool is_pattern; /* a has variables that stand for something */
};

void snoopi__graph_init(snoopi__graph *graph, const snoopi__defs *defs)
{
    *graph = (snoopi__graph){.defs = defs, .steps_left = UINT64_MAX};
}

void snoopi__graph_clear(snoopi__graph *graph)
{
    free(graph->has_variables);
    free(graph->seen);
    free(graph->stack);
    free(graph->pairs);
    *graph = (snoopi__graph){.defs = graph->defs};
}

// --- looking up ---

const def_node *snoopi__node(const snoopi__defs *defs, uint32_t id)
{
    static const def_node none = {0};
    return id < defs->n_nodes ? &defs->nodes[id] : &none;
}

const def_typename *snoopi__typename(const snoopi__defs *defs, uint32_t id)
{
    static const def_typename none = {0};
    return id < defs->n_typenames ? &defs->typenames[id] : &none;
}

const def_module *snoopi__module(const snoopi__defs *defs, uint32_t id)
{
    static const def_module none = {0};
    return id < defs->n_modules ? &defs->modules[id] : &none;
}

const def_string *snoopi__string(const snoopi__defs *defs, uint32_t id)
{
    static const def_string none = {.text = ""};
    return id < defs->n_strings && defs->strings[id].text ? &defs->strings[id] : &none;
}

const def_typename *snoopi__typename_of(const snoopi__defs *defs, uint32_t node)
{
    // Ids of bodies fall in sound graphs; where they do not, there is no answer.
    const def_node *n = snoopi__node(defs, node);
    while (n->form == WIRE_FORM_UNIONALL) {
        if (n->b >= node) {
            return snoopi__typename(defs, 0);
        }
        node = n->b;
        n = snoopi__node(defs, node);
    }
    return snoopi__typename(defs, n->form == WIRE_FORM_DATATYPE ? n->a : 0);
}

bool snoopi__string_is(const snoopi__defs *defs, uint32_t id, const char *word)
{
    const def_string *string = snoopi__string(defs, id);
    const size_t size = strlen(word);
    return string->size == size && memcmp(string->text, word, size) == 0;
}

bool snoopi__typename_is(const snoopi__defs *defs, const def_typename *tn, const char *module,
                         const char *name)
{
    if (!snoopi__string_is(defs, tn->name, name)) {
        return false;
    }
    uint32_t id = tn->module;
    while (snoopi__module(defs, id)->parent && snoopi__module(defs, id)->parent < id) {
        id = snoopi__module(defs, id)->parent;
    }
    return snoopi__string_is(defs, snoopi__module(defs, id)->name, module);
}

bool snoopi__is_type(const snoopi__defs *defs, uint32_t node, const char *module, const char *name)
{
    const def_node *n = snoopi__node(defs, node);
    return n->form == WIRE_FORM_DATATYPE &&
           snoopi__typename_is(defs, snoopi__typename(defs, n->a), module, name);
}

bool snoopi__descends(const snoopi__defs *defs, uint32_t name, uint32_t ancestor)
{
    while (name != ancestor) {
        const uint32_t super = snoopi__typename(defs, name)->super;
        if (!super || super >= name) {
            return false;
        }
        name = super;
    }
    return true;
}

// --- type variables ---

static bool take_step(snoopi__graph *graph)
{
    if (graph->steps_left == 0) {
        return false;
    }
    graph->steps_left--;
    return true;
}

static bool push(snoopi__graph *graph, uint32_t node)
{
    uint32_t *grown = snoopi__grow(graph->stack, &graph->stack_capacity, graph->n_stack + 1,
                                   sizeof *graph->stack);
    if (!grown) {
        graph->steps_left = 0;
        return false;
    }
    graph->stack = grown;
    graph->stack[graph->n_stack++] = node;
    return true;
}

// Parts of a type that jl_has_typevar looks into: not the bounds of a variable that is used, and not values.
static void push_parts(snoopi__graph *graph, const def_node *node)
{
    switch (node->form) {
    case WIRE_FORM_DATATYPE:
        for (uint32_t i = 0; i < node->n; i++) {
            push(graph, node->kids[i]);
        }
        break;
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG:
        push(graph, node->a);
        push(graph, node->b);
        break;
    case WIRE_FORM_UNIONALL: {
        const def_node *variable = snoopi__node(graph->defs, node->a);
        push(graph, variable->b);
        push(graph, variable->c);
        push(graph, node->b);
        break;
    }
    default: break;
    }
}

static bool marked(const snoopi__graph *graph, uint32_t node)
{
    return node < graph->n_marked && graph->has_variables[node];
}

static bool has_any_below(const snoopi__graph *graph, const def_node *node)
{
    switch (node->form) {
    case WIRE_FORM_TYPEVAR:
    case WIRE_FORM_UNIONALL: return true;
    case WIRE_FORM_DATATYPE:
        for (uint32_t i = 0; i < node->n; i++) {
            if (marked(graph, node->kids[i])) {
                return true;
            }
        }
        return false;
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG: return marked(graph, node->a) || marked(graph, node->b);
    default: return false;
    }
}

// Kids have smaller ids than their parents, so that one pass does.
static bool mark(snoopi__graph *graph)
{
    const uint32_t n = graph->defs->n_nodes;
    if (graph->n_marked < n) {
        unsigned char *grown = realloc(graph->has_variables, n);
        if (!grown) {
            return false;
        }
        graph->has_variables = grown;
        while (graph->n_marked < n) {
            const bool any = has_any_below(graph, &graph->defs->nodes[graph->n_marked]);
            graph->has_variables[graph->n_marked++] = any;
        }
    }
    if (graph->n_seen < n) {
        uint32_t *grown = realloc(graph->seen, n * sizeof *grown);
        if (!grown) {
            return false;
        }
        graph->seen = grown;
        memset(graph->seen + graph->n_seen, 0, (n - graph->n_seen) * sizeof *grown);
        graph->n_seen = n;
    }
    return true;
}

static void begin_search(snoopi__graph *graph)
{
    if (++graph->search == 0) {
        memset(graph->seen, 0, graph->n_seen * sizeof *graph->seen);
        graph->search = 1;
    }
    graph->n_stack = 0;
}

// Whether a node is worth looking into, and is met for the first time in this search.
static bool is_new(snoopi__graph *graph, uint32_t node)
{
    if (!marked(graph, node) || graph->seen[node] == graph->search) {
        return false;
    }
    graph->seen[node] = graph->search;
    return true;
}

// Whether a variable is free in a node depends on the node alone, so each is looked into once.
static bool search_variable(snoopi__graph *graph, uint32_t node, uint32_t variable)
{
    begin_search(graph);
    push(graph, node);
    while (graph->n_stack > 0 && take_step(graph)) {
        const uint32_t id = graph->stack[--graph->n_stack];
        if (id == variable) {
            return true;
        }
        if (!is_new(graph, id)) {
            continue;
        }
        const def_node *n = snoopi__node(graph->defs, id);
        push_parts(graph, n);
        if (n->form == WIRE_FORM_UNIONALL && n->a == variable && graph->n_stack > 0) {
            graph->n_stack--; // its body: another variable of the same identity
        }
    }
    return false;
}

bool snoopi__has_variable(snoopi__graph *graph, uint32_t node, uint32_t variable)
{
    return mark(graph) && search_variable(graph, node, variable);
}

bool snoopi__has_free_variables(snoopi__graph *graph, uint32_t node)
{
    if (!mark(graph) || !marked(graph, node)) {
        return false;
    }
    // Which variables are there at all; then each is asked for.
    uint32_t variables[64];
    size_t n_variables = 0;
    begin_search(graph);
    push(graph, node);
    while (graph->n_stack > 0 && take_step(graph)) {
        const uint32_t id = graph->stack[--graph->n_stack];
        if (!is_new(graph, id)) {
            continue;
        }
        const def_node *n = snoopi__node(graph->defs, id);
        if (n->form == WIRE_FORM_TYPEVAR) {
            if (n_variables == sizeof variables / sizeof variables[0]) {
                break;
            }
            variables[n_variables++] = id;
        }
        push_parts(graph, n);
    }
    for (size_t i = 0; i < n_variables; i++) {
        if (search_variable(graph, node, variables[i])) {
            return true;
        }
    }
    return false;
}

// --- egal ---

static void push_pair(snoopi__graph *graph, uint32_t a, uint32_t b, bool is_pattern)
{
    struct graph_pair *grown = snoopi__grow(graph->pairs, &graph->pairs_capacity,
                                            graph->n_pairs + 1, sizeof *graph->pairs);
    if (!grown) {
        graph->steps_left = 0;
        return;
    }
    graph->pairs = grown;
    graph->pairs[graph->n_pairs++] = (struct graph_pair){a, b, is_pattern};
}

static bool same_string(const snoopi__defs *defs, uint32_t a, uint32_t b)
{
    const def_string *first = snoopi__string(defs, a);
    const def_string *second = snoopi__string(defs, b);
    return a == b ||
           (first->size == second->size && memcmp(first->text, second->text, first->size) == 0);
}

// Variables that correspond: bound by the where-clauses met so far.
typedef struct {
    struct graph_pair pairs[256];
    size_t n;
} correspondence;

static bool corresponds(const correspondence *known, uint32_t a, uint32_t b)
{
    for (size_t i = known->n; i-- > 0;) {
        if (known->pairs[i].a == a) {
            return known->pairs[i].b == b;
        }
    }
    return a == b;
}

static bool push_kids(snoopi__graph *graph, const def_node *a, const def_node *b, bool is_pattern)
{
    if (a->n != b->n) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        push_pair(graph, a->kids[i], b->kids[i], is_pattern);
    }
    return true;
}

// Compares two nodes, and leaves their parts to be compared.
static bool compare_heads(snoopi__graph *graph, correspondence *known,
                          const struct graph_pair *pair)
{
    const snoopi__defs *defs = graph->defs;
    const bool p = pair->is_pattern;
    const def_node *x = snoopi__node(defs, pair->a);
    const def_node *y = snoopi__node(defs, pair->b);
    if (x->form != y->form) {
        return false;
    }
    switch (x->form) {
    case WIRE_FORM_DATATYPE: return x->a == y->a && push_kids(graph, x, y, p);
    case WIRE_FORM_STRUCT: push_pair(graph, x->a, y->a, p); return push_kids(graph, x, y, p);
    case WIRE_FORM_UNION:
        push_pair(graph, x->a, y->a, p);
        push_pair(graph, x->b, y->b, p);
        return true;
    case WIRE_FORM_VARARG:
        push_pair(graph, x->a, y->a, p);
        push_pair(graph, x->b, y->b, p);
        return true;
    case WIRE_FORM_TYPEVAR: return corresponds(known, pair->a, pair->b);
    case WIRE_FORM_UNIONALL: {
        const def_node *v = snoopi__node(defs, x->a);
        const def_node *w = snoopi__node(defs, y->a);
        if (!same_string(defs, v->a, w->a) ||
            known->n == sizeof known->pairs / sizeof known->pairs[0]) {
            return false;
        }
        push_pair(graph, v->b, w->b, p);
        push_pair(graph, v->c, w->c, p);
        push_pair(graph, x->b, y->b, p);
        known->pairs[known->n++] = (struct graph_pair){x->a, y->a, false};
        return true;
    }
    case WIRE_FORM_SYMBOL: return same_string(defs, x->a, y->a);
    case WIRE_FORM_BITS:
        push_pair(graph, x->a, y->a, p);
        return x->n == y->n && (x->n == 0 || memcmp(x->bits, y->bits, x->n) == 0);
    case WIRE_FORM_ENUM: push_pair(graph, x->a, y->a, p); return same_string(defs, x->b, y->b);
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_CONST_TYPE: push_pair(graph, x->a, y->a, p); return true;
    case WIRE_FORM_MODULE: return x->a == y->a;
    case WIRE_FORM_BOTTOM: return true;
    default: return false;
    }
}

// Gives a variable of the pattern its value, or compares with the one that it has. False: it is no variable of it.
static bool take_value(snoopi__graph *graph, snoopi__match *match, const struct graph_pair *pair)
{
    for (uint32_t i = 0; i < match->n; i++) {
        if (match->variables[i] == pair->a) {
            if (match->values[i]) {
                push_pair(graph, match->values[i], pair->b, false);
            } else {
                match->values[i] = pair->b;
            }
            return true;
        }
    }
    return false;
}

static bool compare(snoopi__graph *graph, snoopi__match *match, uint32_t a, uint32_t b)
{
    correspondence known = {.n = 0};
    graph->n_pairs = 0;
    push_pair(graph, a, b, match != NULL);
    while (graph->n_pairs > 0) {
        const struct graph_pair pair = graph->pairs[--graph->n_pairs];
        if (pair.a == pair.b && !(pair.is_pattern && marked(graph, pair.a))) {
            continue;
        }
        if (!take_step(graph)) {
            return false;
        }
        if (pair.is_pattern && take_value(graph, match, &pair)) {
            continue;
        }
        if (!compare_heads(graph, &known, &pair)) {
            return false;
        }
    }
    return true;
}

bool snoopi__is_egal(snoopi__graph *graph, uint32_t a, uint32_t b)
{
    return compare(graph, NULL, a, b);
}

bool snoopi__unify(snoopi__graph *graph, snoopi__match *match, uint32_t pattern, uint32_t node)
{
    return mark(graph) && compare(graph, match, pattern, node);
}
