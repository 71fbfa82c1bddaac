// SPDX-License-Identifier: MIT
// See aliases.h. After make_typealias of Base (1.6 to 1.12), which asks for `x <: alias` and intersects; here the alias is
// unified with the type, since what is found must be the type itself in the end.
#include "aliases.h"

#include <stdlib.h>
#include <string.h>

void snoopi__aliases_clear(snoopi__aliases *aliases)
{
    free(aliases->entries);
    free(aliases->first_of);
    free(aliases->last_of);
    free(aliases->wrapper_of);
    *aliases = (snoopi__aliases){0};
}

// Makes room for the ids below `n`, of which `*old` have some. False when memory is short.
static bool extend(uint32_t **items, uint32_t old, uint32_t n)
{
    uint32_t *more = realloc(*items, ((size_t)n + 1) * sizeof *more);
    if (!more) {
        return false;
    }
    memset(more + old, 0, ((size_t)n + 1 - old) * sizeof *more);
    *items = more;
    return true;
}

static bool make_room(snoopi__aliases *aliases, const snoopi__defs *defs)
{
    if (aliases->n_modules < defs->n_modules) {
        if (!extend(&aliases->first_of, aliases->n_modules, defs->n_modules) ||
            !extend(&aliases->last_of, aliases->n_modules, defs->n_modules)) {
            return false;
        }
        aliases->n_modules = defs->n_modules;
    }
    if (aliases->n_typenames < defs->n_typenames) {
        if (!extend(&aliases->wrapper_of, aliases->n_typenames, defs->n_typenames)) {
            return false;
        }
        aliases->n_typenames = defs->n_typenames;
    }
    return true;
}

uint32_t snoopi__where_variables(const snoopi__defs *defs, uint32_t node, uint32_t *variables,
                                 uint32_t max, uint32_t *body)
{
    uint32_t n = 0;
    const def_node *type = snoopi__node(defs, node);
    while (type->form == WIRE_FORM_UNIONALL && type->b < node) {
        if (n < max) {
            variables[n] = type->a;
        }
        n++;
        node = type->b;
        type = snoopi__node(defs, node);
    }
    *body = node;
    return n;
}

static bool add_alias(snoopi__aliases *aliases, const snoopi__defs *defs, uint32_t node)
{
    const def_node *alias = &defs->nodes[node];
    if (alias->c >= aliases->n_modules) {
        return true;
    }
    alias_entry *entries =
        snoopi__grow(aliases->entries, &aliases->capacity, aliases->n_entries + 1, sizeof *entries);
    if (!entries) {
        return false;
    }
    aliases->entries = entries;
    alias_entry *entry = &entries[aliases->n_entries++];
    *entry = (alias_entry){.node = node};
    (void)snoopi__where_variables(defs, alias->a, NULL, 0, &entry->body);
    const def_node *type = snoopi__node(defs, entry->body);
    entry->head = type->form == WIRE_FORM_DATATYPE ? type->a : 0;

    const uint32_t number = (uint32_t)aliases->n_entries;
    uint32_t *last = &aliases->last_of[alias->c];
    *(*last ? &entries[*last - 1].next : &aliases->first_of[alias->c]) = number;
    *last = number;
    return true;
}

bool snoopi__aliases_update(snoopi__aliases *aliases, const snoopi__defs *defs)
{
    if (!make_room(aliases, defs)) {
        return false;
    }
    for (; aliases->n_nodes < defs->n_nodes; aliases->n_nodes++) {
        const uint32_t id = aliases->n_nodes;
        const def_node *node = &defs->nodes[id];
        if (node->form == WIRE_FORM_ALIAS && !add_alias(aliases, defs, id)) {
            return false;
        }
        if (node->form == WIRE_FORM_UNIONALL && node->flags & WIRE_UNIONALL_WRAPPER) {
            uint32_t body;
            (void)snoopi__where_variables(defs, id, NULL, 0, &body);
            const def_node *type = snoopi__node(defs, body);
            if (type->form == WIRE_FORM_DATATYPE && type->a < aliases->n_typenames) {
                aliases->wrapper_of[type->a] = id;
            }
        }
    }
    return true;
}

uint32_t snoopi__wrapper_of(const snoopi__aliases *aliases, const snoopi__defs *defs,
                            uint32_t unionall)
{
    uint32_t body;
    (void)snoopi__where_variables(defs, unionall, NULL, 0, &body);
    const def_node *type = snoopi__node(defs, body);
    return type->form == WIRE_FORM_DATATYPE && type->a < aliases->n_typenames
               ? aliases->wrapper_of[type->a]
               : 0;
}

uint32_t snoopi__declared(const snoopi__aliases *aliases, const snoopi__defs *defs,
                          uint32_t typename, uint32_t *variables, uint32_t max)
{
    uint32_t body;
    return typename < aliases->n_typenames && aliases->wrapper_of[typename]
               ? snoopi__where_variables(defs, aliases->wrapper_of[typename], variables, max, &body)
               : 0;
}

const alias_entry *snoopi__first_alias(const snoopi__aliases *aliases, uint32_t module)
{
    const uint32_t number = module < aliases->n_modules ? aliases->first_of[module] : 0;
    return number ? &aliases->entries[number - 1] : NULL;
}

const alias_entry *snoopi__next_alias(const snoopi__aliases *aliases, const alias_entry *alias)
{
    return alias->next ? &aliases->entries[alias->next - 1] : NULL;
}

// --- modules ---

static void add_module(snoopi__module_set *set, uint32_t module)
{
    for (uint32_t i = 0; i < set->n; i++) {
        if (set->module[i] == module) {
            return;
        }
    }
    if (set->n < sizeof set->module / sizeof set->module[0]) {
        set->module[set->n++] = module;
    }
}

static bool is_root(const snoopi__defs *defs, uint32_t module, const char *name)
{
    const def_module *m = snoopi__module(defs, module);
    return !m->parent && snoopi__string_is(defs, m->name, name);
}

// Types of Core have aliases in Base, beside those in Core or instead of them.
static void add_base(const snoopi__defs *defs, snoopi__module_set *set, bool keeps_core)
{
    uint32_t core = 0;
    while (core < set->n && !is_root(defs, set->module[core], "Core")) {
        core++;
    }
    if (core == set->n) {
        return;
    }
    uint32_t base = 1;
    while (base < defs->n_modules && !is_root(defs, base, "Base")) {
        base++;
    }
    if (!keeps_core) {
        set->module[core] = set->module[--set->n];
    }
    if (base < defs->n_modules) {
        add_module(set, base);
    }
}

snoopi__module_set snoopi__modules_of(const snoopi__defs *defs, uint32_t node, bool has_core)
{
    enum { MAX_WAITING = 256 };
    snoopi__module_set set = {.n = 0};
    uint32_t waiting[MAX_WAITING];
    uint32_t n = 0;
    waiting[n++] = node;
    for (uint32_t steps = 0; n > 0 && steps < 4 * MAX_WAITING; steps++) {
        const uint32_t id = waiting[--n];
        const def_node *type = snoopi__node(defs, id);
        uint32_t parts[2] = {0, 0};
        switch (type->form) {
        case WIRE_FORM_DATATYPE: add_module(&set, snoopi__typename(defs, type->a)->module); break;
        case WIRE_FORM_UNIONALL: parts[0] = type->b; break;
        case WIRE_FORM_TYPEVAR: parts[0] = type->c; break;
        case WIRE_FORM_UNION:
            parts[0] = type->b;
            parts[1] = type->a;
            break;
        default: break;
        }
        for (int i = 0; i < 2; i++) {
            if (parts[i] && parts[i] < id && n < MAX_WAITING) {
                waiting[n++] = parts[i];
            }
        }
    }
    add_base(defs, &set, has_core);
    return set;
}

// --- matching ---

// Unions of unions that are looked into; of what lies deeper, any may be below any.
enum { MAX_UNION_DEPTH = 16 };

static bool may_be_below(snoopi__graph *graph, uint32_t value, uint32_t upper, int depth);

// The k-th type that a tuple type has, its last one again and again if that is a Vararg; 0: it has no such type.
static uint32_t tuple_part(const snoopi__defs *defs, const def_node *tuple, uint32_t k)
{
    if (k + 1 < tuple->n || tuple->n == 0) {
        return k < tuple->n ? tuple->kids[k] : 0;
    }
    const uint32_t last = tuple->kids[tuple->n - 1];
    const def_node *node = snoopi__node(defs, last);
    if (node->form == WIRE_FORM_VARARG) {
        return node->a;
    }
    return k < tuple->n ? last : 0;
}

// Tuple types are below each other as their parts are. How many of them a Vararg stands for does not count.
static bool tuple_may_be_below(snoopi__graph *graph, const def_node *tuple, const def_node *upper,
                               int depth)
{
    const snoopi__defs *defs = graph->defs;
    for (uint32_t k = 0; k < tuple->n; k++) {
        const uint32_t part = tuple_part(defs, tuple, k);
        const uint32_t other = tuple_part(defs, upper, k);
        if (part && other && !may_be_below(graph, part, other, depth)) {
            return false;
        }
    }
    return true;
}

static bool may_be_below(snoopi__graph *graph, uint32_t value, uint32_t upper, int depth)
{
    const snoopi__defs *defs = graph->defs;
    if (snoopi__node(defs, value)->form == WIRE_FORM_TYPEVAR) {
        value = snoopi__node(defs, value)->c;
    }
    if (depth == 0 || graph->steps_left == 0 || snoopi__is_type(defs, upper, "Core", "Any") ||
        snoopi__is_egal(graph, value, upper)) {
        return true;
    }
    graph->steps_left--;
    const def_node *value_node = snoopi__node(defs, value);
    const def_node *upper_node = snoopi__node(defs, upper);
    if (value_node->form == WIRE_FORM_UNION) {
        return may_be_below(graph, value_node->a, upper, depth - 1) &&
               may_be_below(graph, value_node->b, upper, depth - 1);
    }
    if (upper_node->form == WIRE_FORM_UNION) {
        return may_be_below(graph, value, upper_node->a, depth - 1) ||
               may_be_below(graph, value, upper_node->b, depth - 1);
    }
    uint32_t bound;
    uint32_t type;
    (void)snoopi__where_variables(defs, upper, NULL, 0, &bound);
    (void)snoopi__where_variables(defs, value, NULL, 0, &type);
    const def_node *b = snoopi__node(defs, bound);
    const def_node *t = snoopi__node(defs, type);
    if (b->form == WIRE_FORM_DATATYPE && t->form == WIRE_FORM_DATATYPE) {
        return snoopi__descends(defs, t->a, b->a) &&
               (t->a != b->a || !(snoopi__typename(defs, t->a)->flags & WIRE_TN_TUPLE) ||
                tuple_may_be_below(graph, t, b, depth - 1));
    }
    return t->form <= WIRE_FORM_VARARG;
}

bool snoopi__may_be_below(snoopi__graph *graph, uint32_t value, uint32_t upper)
{
    return may_be_below(graph, value, upper, MAX_UNION_DEPTH);
}

bool snoopi__begin_match(const snoopi__defs *defs, const alias_entry *alias, snoopi__match *match)
{
    uint32_t body;
    const uint32_t max = sizeof match->variables / sizeof match->variables[0];
    *match = (snoopi__match){.n = 0};
    match->n = snoopi__where_variables(defs, snoopi__node(defs, alias->node)->a, match->variables,
                                       max, &body);
    return match->n <= max;
}

bool snoopi__is_whole_match(snoopi__graph *graph, const snoopi__match *match)
{
    for (uint32_t i = 0; i < match->n; i++) {
        const uint32_t value = match->values[i];
        // Base's intersection finds a variable itself, or what has none; `Vector{Complex{T}}` it does not find.
        if (!value ||
            !snoopi__may_be_below(graph, value,
                                  snoopi__node(graph->defs, match->variables[i])->c) ||
            (snoopi__node(graph->defs, value)->form != WIRE_FORM_TYPEVAR &&
             snoopi__has_free_variables(graph, value))) {
            return false;
        }
    }
    return true;
}

static const def_node *type_within(const snoopi__defs *defs, uint32_t node)
{
    uint32_t body;
    (void)snoopi__where_variables(defs, node, NULL, 0, &body);
    return snoopi__node(defs, body);
}

// Whether a variable's bound has the numbers that the alias's bound asks for: `AbstractArray` is not below `AbstractArray{T,1}`.
static bool has_fixed_parameters(snoopi__graph *graph, uint32_t value, uint32_t upper)
{
    const snoopi__defs *defs = graph->defs;
    const def_node *type = type_within(defs, value);
    const def_node *bound = type_within(defs, upper);
    if (type->form != WIRE_FORM_DATATYPE || bound->form != WIRE_FORM_DATATYPE ||
        type->a != bound->a) {
        return true;
    }
    for (uint32_t i = 0; i < bound->n && i < type->n; i++) {
        if (snoopi__node(defs, bound->kids[i])->form == WIRE_FORM_BITS &&
            !snoopi__is_egal(graph, bound->kids[i], type->kids[i])) {
            return false;
        }
    }
    return true;
}

static bool has_its_bounds(snoopi__graph *graph, const snoopi__match *match)
{
    for (uint32_t i = 0; i < match->n; i++) {
        const def_node *value = snoopi__node(graph->defs, match->values[i]);
        if (value->form == WIRE_FORM_TYPEVAR &&
            !has_fixed_parameters(graph, value->c,
                                  snoopi__node(graph->defs, match->variables[i])->c)) {
            return false;
        }
    }
    return true;
}

static bool matches(snoopi__graph *graph, const alias_entry *alias, uint32_t node, uint32_t body,
                    snoopi__match *match)
{
    const snoopi__defs *defs = graph->defs;
    const def_node *x = snoopi__node(defs, body);
    const bool is_same_kind = alias->head ? x->form == WIRE_FORM_DATATYPE && x->a == alias->head
                                          : x->form == WIRE_FORM_UNION;
    if (!is_same_kind || !snoopi__begin_match(defs, alias, match)) {
        return false;
    }
    if (match->n == 0) {
        return snoopi__is_egal(graph, snoopi__node(defs, alias->node)->a, node);
    }
    return snoopi__unify(graph, match, alias->body, body) && snoopi__is_whole_match(graph, match) &&
           has_its_bounds(graph, match);
}

const alias_entry *snoopi__find_alias(const snoopi__aliases *aliases, snoopi__graph *graph,
                                      uint32_t node, bool has_core, snoopi__match *match)
{
    const alias_entry *found = NULL;
    uint32_t n_tried = 0;
    const snoopi__module_set modules = snoopi__modules_of(graph->defs, node, has_core);
    uint32_t body;
    (void)snoopi__where_variables(graph->defs, node, NULL, 0, &body);
    for (uint32_t i = 0; i < modules.n; i++) {
        const alias_entry *alias = snoopi__first_alias(aliases, modules.module[i]);
        for (; alias; alias = snoopi__next_alias(aliases, alias)) {
            snoopi__match candidate;
            n_tried++;
            if (matches(graph, alias, node, body, &candidate)) {
                if (found) {
                    return NULL;
                }
                found = alias;
                *match = candidate;
            }
        }
    }
    // Most are turned down by their typename alone.
    graph->steps_left -= graph->steps_left > n_tried / 8 ? n_tried / 8 : graph->steps_left;
    return found;
}
