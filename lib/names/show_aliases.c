// SPDX-License-Identifier: MIT
// Types by their aliases, as Julia 1.6 and later show them: `Vector{Int64}`. After show_typealias and make_wheres of Base. See
// printer.h and aliases.h.
#include <string.h>

#include "printer.h"

// Pushes an alias with its parameters, and the where-clauses of the variables that were bound from `first` on.
static void push_alias(snoopi__printer *printer, const alias_entry *alias,
                       const snoopi__match *match, size_t first, uint16_t depth)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *node = snoopi__node(defs, alias->node);
    uint32_t kept = (uint32_t)(printer->n_bindings - first);
    const uint32_t shown =
        snoopi__elide(printer, first, match->n, match->values, match->variables, &kept);
    snoopi__push_wheres(printer, first, kept, depth);
    snoopi__push_text(printer, shown ? "}" : "");
    for (uint32_t i = shown; i-- > 0;) {
        snoopi__push_task(
            printer,
            (printer_task){.op = TASK_PARAMETER, .node = match->values[i], .depth = depth});
        snoopi__push_text(printer, i > 0 ? ", " : "{");
    }
    if (!(node->flags & WIRE_ALIAS_VISIBLE)) {
        snoopi__put_module_prefix(printer->out, defs, node->c);
    }
    snoopi__put_string(printer, node->b);
}

// Binds the variables of a type's own where-clauses. Unlike those of a type without an alias, they keep their names.
static size_t bind_wheres(snoopi__printer *printer, uint32_t node)
{
    const snoopi__defs *defs = printer->defs;
    const size_t first = printer->n_bindings;
    const def_node *type = snoopi__node(defs, node);
    while (type->form == WIRE_FORM_UNIONALL && type->b < node && printer->graph->steps_left > 0) {
        snoopi__take_steps(printer, 1);
        snoopi__bind(printer, type->a, 0);
        node = type->b;
        type = snoopi__node(defs, node);
    }
    return first;
}

bool snoopi__show_alias(snoopi__printer *printer, const printer_task *task)
{
    const snoopi__defs *defs = printer->defs;
    const def_typename *tn = snoopi__typename_of(defs, task->node);
    if (tn->flags & WIRE_TN_TUPLE) {
        return false;
    }
    snoopi__match match;
    const alias_entry *alias = snoopi__find_alias(printer->aliases, printer->graph, task->node,
                                                  printer->rules->has_core_aliases, &match);
    if (!alias) {
        return false;
    }
    push_alias(printer, alias, &match, bind_wheres(printer, task->node), task->depth);
    return true;
}

// --- unions ---

// A union in which some types, or some types together, have aliases is shown with these last: after make_typealiases and
// show_unionaliases of Base.

enum { MAX_TYPES = 64, MAX_FOUND = 64 };

typedef struct {
    uint32_t node[MAX_TYPES];
    uint32_t n;
} union_types;

// False if there are too many.
static bool flatten(const snoopi__defs *defs, uint32_t node, union_types *types)
{
    uint32_t waiting[MAX_TYPES];
    uint32_t n = 0;
    types->n = 0;
    waiting[n++] = node;
    while (n > 0) {
        const uint32_t id = waiting[--n];
        const def_node *type = snoopi__node(defs, id);
        if (type->form != WIRE_FORM_UNION) {
            if (types->n == MAX_TYPES) {
                return false;
            }
            types->node[types->n++] = id;
        } else if (n + 2 <= MAX_TYPES) {
            waiting[n++] = type->b;
            waiting[n++] = type->a;
        } else {
            return false;
        }
    }
    return true;
}

static const def_node *unwrapped(const snoopi__defs *defs, uint32_t node)
{
    uint32_t body;
    (void)snoopi__where_variables(defs, node, NULL, 0, &body);
    return snoopi__node(defs, body);
}

// Unifies a type of an alias with a type of the union, whose own where-clauses do not count.
static bool unify_type(snoopi__graph *graph, snoopi__match *match, uint32_t pattern, uint32_t type)
{
    uint32_t pattern_body;
    uint32_t body;
    (void)snoopi__where_variables(graph->defs, pattern, NULL, 0, &pattern_body);
    (void)snoopi__where_variables(graph->defs, type, NULL, 0, &body);
    const def_node *a = snoopi__node(graph->defs, pattern_body);
    const def_node *b = snoopi__node(graph->defs, body);
    if (a->form != WIRE_FORM_DATATYPE || b->form != WIRE_FORM_DATATYPE || a->a != b->a) {
        return false;
    }
    return match->n ? snoopi__unify(graph, match, pattern_body, body)
                    : snoopi__is_egal(graph, pattern, type);
}

// Whether a variable of where-clauses inside the union stands for a parameter.
static bool is_bound_inside(snoopi__graph *graph, const union_types *types, uint64_t covered,
                            uint32_t variable)
{
    for (uint32_t t = 0; t < types->n; t++) {
        if (covered >> t & 1 && !snoopi__has_variable(graph, types->node[t], variable)) {
            return true;
        }
    }
    return false;
}

// Whether a variable of the union's own where-clauses stands for a parameter.
static bool has_outer_variable(snoopi__graph *graph, const snoopi__match *match,
                               const union_types *types, uint64_t covered)
{
    for (uint32_t i = 0; i < match->n; i++) {
        if (snoopi__node(graph->defs, match->values[i])->form == WIRE_FORM_TYPEVAR &&
            !is_bound_inside(graph, types, covered, match->values[i])) {
            return true;
        }
    }
    return false;
}

// Whether Base's intersection would give variables of its own making, with which it then finds no alias: when the alias as such
// is a subtype of the union, since variables that may be anything stand for all of its parameters. It then gives those that
// the alias was declared with; they will do where the union's own where-clauses have the very same, being made from the alias.
static bool is_too_open(snoopi__graph *graph, const snoopi__match *match, const union_types *types,
                        uint64_t covered)
{
    const snoopi__defs *defs = graph->defs;
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < match->n; i++) {
        const uint32_t value = match->values[i];
        const def_node *v = snoopi__node(defs, value);
        if (v->form != WIRE_FORM_TYPEVAR) {
            continue;
        }
        const bool is_open = snoopi__is_type(defs, v->c, "Core", "Any") &&
                             snoopi__node(defs, v->b)->form == WIRE_FORM_BOTTOM;
        if (!is_bound_inside(graph, types, covered, value)) {
            n_open += is_open;
        } else if (is_open && value != match->variables[i]) {
            return true;
        }
    }
    const uint64_t all = types->n < 64 ? (UINT64_C(1) << types->n) - 1 : UINT64_MAX;
    return match->n > 0 && n_open == match->n && covered != all;
}

// Whether a type of an alias with its parameters is among what a type of the union stands for, which has where-clauses of its own:
// `DenseArray{T, 2}` is in `DenseArray{T, N} where N`.
static bool is_part_of(snoopi__graph *graph, const snoopi__match *match, uint32_t pattern,
                       uint32_t type)
{
    enum { MAX_OPEN = 8 };
    uint32_t open[MAX_OPEN];
    uint32_t body;
    const snoopi__defs *defs = graph->defs;
    const uint32_t n_open = snoopi__where_variables(defs, type, open, MAX_OPEN, &body);
    const def_node *a = unwrapped(defs, pattern);
    const def_node *b = snoopi__node(defs, body);
    if (n_open == 0 || n_open > MAX_OPEN || a->form != WIRE_FORM_DATATYPE ||
        b->form != WIRE_FORM_DATATYPE || a->a != b->a || a->n != b->n) {
        return false;
    }
    for (uint32_t k = 0; k < a->n; k++) {
        uint32_t value = a->kids[k];
        uint32_t o = 0;
        for (uint32_t i = 0; i < match->n; i++) {
            if (match->variables[i] == a->kids[k]) {
                value = match->values[i];
            }
        }
        while (o < n_open && open[o] != b->kids[k]) {
            o++;
        }
        if (!value ||
            (o == n_open ? !snoopi__is_egal(graph, value, b->kids[k])
                         : !snoopi__may_be_below(graph, value, snoopi__node(defs, open[o])->c))) {
            return false;
        }
    }
    return true;
}

static bool is_part_of_any(snoopi__graph *graph, const snoopi__match *match, uint32_t pattern,
                           const union_types *types)
{
    uint32_t t = 0;
    while (t < types->n && !is_part_of(graph, match, pattern, types->node[t])) {
        t++;
    }
    return t < types->n;
}

// The types of the union that the parts of an alias unify with, the first with `first`; 0 if one of them does with none, and is
// part of none.
static uint64_t unify_parts(snoopi__graph *graph, const union_types *parts,
                            const union_types *types, uint32_t first, snoopi__match *match)
{
    uint64_t found = 0;
    for (uint32_t p = 0; p < parts->n; p++) {
        const uint64_t before = found;
        const uint32_t end = p == 0 ? first + 1 : types->n;
        for (uint32_t t = p == 0 ? first : 0; t < end && found == before; t++) {
            const snoopi__match kept = *match;
            if (unify_type(graph, match, parts->node[p], types->node[t])) {
                found |= UINT64_C(1) << t;
            } else {
                *match = kept;
            }
        }
        if (found == before && (p == 0 || !is_part_of_any(graph, match, parts->node[p], types))) {
            return 0;
        }
    }
    return snoopi__is_whole_match(graph, match) ? found : 0;
}

// What a type of the union means for the parameters of an alias, of which it meets one type.
typedef enum {
    APART, // nothing: no value is of both types
    KEEPS, // the parameters would be the same
    JOINS, // the alias with its parameters stands for it
    WIDENS // Base's intersection makes other parameters of it, with which it finds no alias
} meeting;

// When more pairs of types than this have values in common, Base's intersection gives up finding the variables of the union's
// own where-clauses that stand for parameters.
enum { MAX_MEETINGS = 4 };

// Whether parameters in the same place can be the same type or value.
static bool may_be_same(snoopi__graph *graph, uint32_t a, uint32_t b)
{
    const snoopi__defs *defs = graph->defs;
    const def_node *x = snoopi__node(defs, a);
    const def_node *y = snoopi__node(defs, b);
    if (x->form == WIRE_FORM_TYPEVAR) {
        return snoopi__may_be_below(graph, b, x->c);
    }
    if (y->form == WIRE_FORM_TYPEVAR) {
        return snoopi__may_be_below(graph, a, y->c);
    }
    return snoopi__has_free_variables(graph, a) || snoopi__has_free_variables(graph, b) ||
           snoopi__is_egal(graph, a, b);
}

// Whether `node` is what an alias's parameter is, or is among what it stands for: one of the variables of the union's own
// where-clauses stands for all that its bound has, one of a where-clause inside for others like it.
static bool is_within_value(snoopi__graph *graph, const union_types *types, uint64_t covered,
                            uint32_t value, uint32_t node)
{
    const def_node *v = snoopi__node(graph->defs, value);
    const def_node *n = snoopi__node(graph->defs, node);
    if (v->form != WIRE_FORM_TYPEVAR || snoopi__is_egal(graph, value, node)) {
        return snoopi__is_egal(graph, value, node);
    }
    return is_bound_inside(graph, types, covered, value)
               ? n->form == WIRE_FORM_TYPEVAR && snoopi__is_egal(graph, v->b, n->b) &&
                     snoopi__is_egal(graph, v->c, n->c)
               : snoopi__may_be_below(graph, node, v->c);
}

static meeting meet(snoopi__graph *graph, const snoopi__match *match, const union_types *types,
                    uint64_t covered, uint32_t pattern, uint32_t type)
{
    const snoopi__defs *defs = graph->defs;
    const def_node *x = unwrapped(defs, pattern);
    const def_node *y = unwrapped(defs, type);
    if (x->form != WIRE_FORM_DATATYPE || y->form != WIRE_FORM_DATATYPE ||
        !(snoopi__descends(defs, x->a, y->a) || snoopi__descends(defs, y->a, x->a))) {
        return APART;
    }
    if (x->n != y->n) {
        return WIDENS;
    }
    // Types with as many parameters as the one that they were declared as a subtype of have the same ones.
    bool is_within = true;
    bool is_same = x->a == y->a;
    for (uint32_t k = 0; k < x->n; k++) {
        uint32_t i = 0;
        while (i < match->n && match->variables[i] != x->kids[k]) {
            i++;
        }
        const bool is_parameter = i < match->n;
        if (!may_be_same(graph, x->kids[k], y->kids[k])) {
            return APART;
        }
        is_same = is_same && (is_parameter || snoopi__is_egal(graph, x->kids[k], y->kids[k]));
        is_within = is_within && (!is_parameter || is_within_value(graph, types, covered,
                                                                   match->values[i], y->kids[k]));
    }
    return !is_within ? WIDENS : is_same ? JOINS : KEEPS;
}

// The types of the union that an alias with such parameters stands for; 0 if others widen these.
static uint64_t join_others(snoopi__graph *graph, const snoopi__match *match,
                            const union_types *parts, const union_types *types, uint64_t covered)
{
    const uint64_t all = types->n < 64 ? (UINT64_C(1) << types->n) - 1 : UINT64_MAX;
    uint64_t joined = covered;
    uint32_t n_meetings = 0;
    const bool has_variable = has_outer_variable(graph, match, types, covered);
    for (uint32_t t = 0; t < types->n && match->n > 0; t++) {
        for (uint32_t p = 0; p < parts->n; p++) {
            const meeting how = meet(graph, match, types, covered, parts->node[p], types->node[t]);
            n_meetings += has_variable && how != APART;
            if (n_meetings > MAX_MEETINGS || (how == WIDENS && !(covered >> t & 1))) {
                return 0;
            }
            joined |= (uint64_t)(how == JOINS) << t;
        }
    }
    // Where it would be all of the union, Base does not find it.
    return joined != covered && joined == all ? 0 : joined;
}

// The type of a union that is an alias of several types as it was declared: up to Julia 1.9 where-clauses within a union stay
// there. Base's intersection gives the variables of the declaration, and they are bound in that type.
static uint64_t covered_as_declared(snoopi__graph *graph, const alias_entry *alias,
                                    const union_types *types, snoopi__match *match)
{
    const snoopi__defs *defs = graph->defs;
    const uint32_t declared = snoopi__node(defs, alias->node)->a;
    if (alias->head || !snoopi__begin_match(defs, alias, match) || match->n == 0) {
        return 0;
    }
    for (uint32_t t = 0; t < types->n; t++) {
        snoopi__match of_type;
        uint32_t body;
        const uint32_t max = sizeof of_type.variables / sizeof of_type.variables[0];
        const uint32_t n =
            snoopi__where_variables(defs, types->node[t], of_type.variables, max, &body);
        if (n == match->n && snoopi__node(defs, body)->form == WIRE_FORM_UNION &&
            memcmp(of_type.variables, match->variables, n * sizeof of_type.variables[0]) == 0 &&
            snoopi__is_egal(graph, types->node[t], declared)) {
            memcpy(match->values, match->variables, n * sizeof match->values[0]);
            return UINT64_C(1) << t;
        }
    }
    return 0;
}

// The types of a union, as bits, that an alias stands for; 0 if none.
static uint64_t covered_by(snoopi__printer *printer, const alias_entry *alias,
                           const union_types *types, snoopi__match *match)
{
    snoopi__graph *graph = printer->graph;
    union_types parts;
    uint64_t covered = 0;
    if (!flatten(graph->defs, alias->body, &parts)) {
        return 0;
    }
    covered = covered_as_declared(graph, alias, types, match);
    for (uint32_t first = 0; first < types->n && !covered; first++) {
        if (!snoopi__begin_match(graph->defs, alias, match)) {
            return 0;
        }
        covered = unify_parts(graph, &parts, types, first, match);
        const bool is_open = covered && has_outer_variable(graph, match, types, covered);
        if (covered && ((is_open && !printer->rules->has_open_aliases) ||
                        is_too_open(graph, match, types, covered))) {
            return 0;
        }
        if (covered) {
            covered = join_others(graph, match, &parts, types, covered);
        }
    }
    return covered;
}

typedef struct {
    uint32_t alias; /* index */
    uint32_t n_types;
    uint32_t n_parameters;
    uint64_t covered;
} found_alias;

// Whether an alias is listed before another of its module, where names are listed in their order. Elsewhere that of the module's
// table counts, in which aliases were written.
static bool is_listed_before(const snoopi__printer *printer, const found_alias *a,
                             const found_alias *b)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *x = snoopi__node(defs, printer->aliases->entries[a->alias].node);
    const def_node *y = snoopi__node(defs, printer->aliases->entries[b->alias].node);
    if (!printer->rules->sorts_aliases || x->c != y->c) {
        return false;
    }
    const def_string *name = snoopi__string(defs, x->b);
    const def_string *other = snoopi__string(defs, y->b);
    const size_t common = name->size < other->size ? name->size : other->size;
    const int order = memcmp(name->text, other->text, common);
    return order < 0 || (order == 0 && name->size < other->size);
}

// Whether Base's sort puts `a` before `b`: those for more types first, then those with fewer parameters.
static bool is_before(const snoopi__printer *printer, const found_alias *a, const found_alias *b)
{
    if (a->n_types != b->n_types) {
        return a->n_types > b->n_types;
    }
    if (a->n_parameters != b->n_parameters) {
        return a->n_parameters < b->n_parameters;
    }
    return is_listed_before(printer, a, b);
}

static uint32_t find_all(snoopi__printer *printer, uint32_t node, const union_types *types,
                         found_alias found[static MAX_FOUND])
{
    uint32_t n = 0;
    const snoopi__module_set modules =
        snoopi__modules_of(printer->defs, node, printer->rules->has_core_aliases);
    for (uint32_t i = 0; i < modules.n; i++) {
        const alias_entry *alias = snoopi__first_alias(printer->aliases, modules.module[i]);
        for (; alias && n < MAX_FOUND; alias = snoopi__next_alias(printer->aliases, alias)) {
            snoopi__match match;
            union_types parts;
            if (snoopi__typename(printer->defs, alias->head)->flags & WIRE_TN_TUPLE) {
                continue;
            }
            const uint64_t covered = covered_by(printer, alias, types, &match);
            if (!covered || !flatten(printer->defs, alias->body, &parts)) {
                continue;
            }
            const found_alias one = {.alias = (uint32_t)(alias - printer->aliases->entries),
                                     .n_types = parts.n,
                                     .n_parameters = match.n,
                                     .covered = covered};
            uint32_t at = n++;
            for (; at > 0 && is_before(printer, &one, &found[at - 1]); at--) {
                found[at] = found[at - 1];
            }
            found[at] = one;
        }
    }
    return n;
}

// Drops those that stand for nothing which others do not stand for; `*covered` are all that is stood for.
static uint32_t keep_best(found_alias found[static MAX_FOUND], uint32_t n, uint64_t *covered)
{
    uint32_t kept = 0;
    uint64_t by_unions = 0; // what the aliases of several types stand for
    *covered = 0;
    const found_alias *last = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const found_alias one = found[i];
        const bool is_new = (one.covered & ~by_unions) != 0;
        if (one.n_types < 2) {
            if (is_new) {
                *covered |= one.covered;
                found[kept++] = one;
            }
        } else if (is_new || (last && last->n_types == one.n_types &&
                              last->n_parameters == one.n_parameters)) {
            *covered |= one.covered;
            by_unions = *covered;
            found[kept] = one;
            last = &found[kept++];
        }
    }
    return kept;
}

void snoopi__do_alias(snoopi__printer *printer, const printer_task *task)
{
    union_types types;
    snoopi__match match;
    const alias_entry *alias = &printer->aliases->entries[task->index];
    if (!flatten(printer->defs, task->node, &types) ||
        !covered_by(printer, alias, &types, &match)) {
        return;
    }
    const size_t first = printer->n_bindings;
    for (uint32_t i = 0; i < match.n; i++) {
        const uint32_t value = match.values[i];
        if (snoopi__node(printer->defs, value)->form == WIRE_FORM_TYPEVAR &&
            !snoopi__find_binding(printer, value)) {
            snoopi__bind(printer, value, 0);
        }
    }
    push_alias(printer, alias, &match, first, task->depth);
}

bool snoopi__show_union_aliases(snoopi__printer *printer, const printer_task *task)
{
    const snoopi__defs *defs = printer->defs;
    union_types types;
    found_alias found[MAX_FOUND];
    uint64_t covered;
    if (!flatten(defs, task->node, &types)) {
        return false;
    }
    const uint32_t n = keep_best(found, find_all(printer, task->node, &types, found), &covered);
    if (n == 0) {
        return false;
    }
    // In the order of the text: types without an alias, aliases, type variables.
    printer_task parts[MAX_TYPES + MAX_FOUND];
    uint32_t n_parts = 0;
    for (uint32_t i = 0; i < types.n; i++) {
        const bool is_variable = snoopi__node(defs, types.node[i])->form == WIRE_FORM_TYPEVAR;
        if (!is_variable && !(covered >> i & 1)) {
            parts[n_parts++] =
                (printer_task){.op = TASK_SHOW, .node = types.node[i], .depth = task->depth};
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        parts[n_parts++] = (printer_task){
            .op = TASK_ALIAS, .node = task->node, .index = found[i].alias, .depth = task->depth};
    }
    for (uint32_t i = 0; i < types.n; i++) {
        if (snoopi__node(defs, types.node[i])->form == WIRE_FORM_TYPEVAR) {
            parts[n_parts++] =
                (printer_task){.op = TASK_SHOW, .node = types.node[i], .depth = task->depth};
        }
    }
    if (n_parts == 1) {
        snoopi__push_task(printer, parts[0]);
        return true;
    }
    snoopi__push_text(printer, "}");
    while (n_parts > 0) {
        snoopi__push_task(printer, parts[--n_parts]);
        snoopi__push_text(printer, n_parts > 0 ? ", " : "Union{");
    }
    return true;
}
