// SPDX-License-Identifier: MIT
// Where-clauses of Julia 1.6 and later: `Pair{T, S} where {T, S}`, and none for variables that stand in one place,
// `Vector{<:Real}`. After _show_type, show_typeparams, show_can_elide and show_wheres of Base. See printer.h.
#include <string.h>

#include "printer.h"

typedef struct {
    snoopi__printer *printer;
    const printer_binding *wheres;
    uint32_t n_wheres;
    const uint32_t *parameters;
    uint32_t n_parameters;
} elision;

static bool has_same_bounds(snoopi__printer *printer, uint32_t variable, uint32_t declared)
{
    const def_node *a = snoopi__node(printer->defs, variable);
    const def_node *b = snoopi__node(printer->defs, declared);
    return b->form == WIRE_FORM_TYPEVAR && snoopi__is_egal(printer->graph, a->b, b->b) &&
           snoopi__is_egal(printer->graph, a->c, b->c);
}

// Lowering makes up names: `Vector{<:Real}` has the variable `#s1`.
static bool is_made_up(const snoopi__defs *defs, const def_node *variable)
{
    const def_string *name = snoopi__string(defs, variable->a);
    return memchr(name->text, '#', name->size) != NULL;
}

// Whether the last of the first `kept` where-clauses is that of the parameter `i`, and the variable stands nowhere else.
static bool can_elide(const elision *e, uint32_t kept, uint32_t i)
{
    snoopi__graph *graph = e->printer->graph;
    const uint32_t variable = e->parameters[i];
    if (kept == 0 || e->wheres[kept - 1].variable != variable) {
        return false;
    }
    for (uint32_t w = kept; w < e->n_wheres; w++) {
        const def_node *other = snoopi__node(e->printer->defs, e->wheres[w].variable);
        if (snoopi__has_variable(graph, other->b, variable) ||
            snoopi__has_variable(graph, other->c, variable)) {
            return false;
        }
    }
    for (uint32_t p = 0; p < e->n_parameters; p++) {
        if (p != i && snoopi__has_variable(graph, e->parameters[p], variable)) {
            return false;
        }
    }
    return true;
}

uint32_t snoopi__elide(snoopi__printer *printer, size_t first, uint32_t n,
                       const uint32_t *parameters, const uint32_t *declared, uint32_t *kept)
{
    const snoopi__defs *defs = printer->defs;
    const uint32_t n_wheres = (uint32_t)(printer->n_bindings - first);
    const elision e = {.printer = printer,
                       .wheres = n_wheres ? printer->bindings + first : NULL,
                       .n_wheres = n_wheres,
                       .parameters = parameters,
                       .n_parameters = n};
    uint32_t shown = n;
    *kept = n_wheres;
    const bool elides = printer->rules->elides_wheres;
    for (uint32_t i = n; elides && i-- > 0 && *kept > 0 && printer->graph->steps_left > 0;) {
        const def_node *p = snoopi__node(defs, parameters[i]);
        if (p->form != WIRE_FORM_TYPEVAR) {
            continue;
        }
        const bool is_open = snoopi__node(defs, p->b)->form == WIRE_FORM_BOTTOM ||
                             snoopi__is_type(defs, p->c, "Core", "Any");
        if (i + 1 == shown && declared && has_same_bounds(printer, parameters[i], declared[i]) &&
            can_elide(&e, *kept, i)) {
            shown--;
            (*kept)--;
        } else if (is_open && is_made_up(defs, p) && can_elide(&e, *kept, i)) {
            (*kept)--;
        }
    }
    for (uint32_t w = *kept; w < n_wheres; w++) {
        printer->bindings[first + w].is_elided = true;
    }
    return shown;
}

void snoopi__push_wheres(snoopi__printer *printer, size_t first, uint32_t kept, uint16_t depth)
{
    const uint32_t n_bound = (uint32_t)(printer->n_bindings - first);
    snoopi__push_task(printer, (printer_task){.op = TASK_UNBIND, .index = kept});
    snoopi__push_text(printer, kept > 1 ? "}" : "");
    for (uint32_t i = kept; i-- > 0 && !snoopi__text_is_over(printer->out);) {
        const printer_binding *binding = &printer->bindings[first + i];
        printer_task where = {
            .op = TASK_BIND, .node = binding->variable, .index = binding->number, .depth = depth};
        snoopi__push_task(printer, where);
        where.op = TASK_VARIABLE;
        snoopi__push_task(printer, where);
        snoopi__push_text(printer, i > 0 ? ", " : kept > 1 ? " where {" : " where ");
    }
    snoopi__push_task(printer, (printer_task){.op = TASK_UNBIND, .index = n_bound});
}

// Whether show_typeparams shows the parameters of a type: it does the eliding.
static bool has_plain_parameters(const snoopi__printer *printer, const def_node *type)
{
    return type->form == WIRE_FORM_DATATYPE &&
           !(snoopi__typename(printer->defs, type->a)->flags & WIRE_TN_TUPLE) &&
           !snoopi__has_named_types(printer, type);
}

void snoopi__show_joined(snoopi__printer *printer, const printer_task *task)
{
    enum { MAX_DECLARED = 64 };
    const snoopi__defs *defs = printer->defs;
    const size_t first = printer->n_bindings;
    uint32_t id = task->node;
    const def_node *node = snoopi__node(defs, id);
    while (node->form == WIRE_FORM_UNIONALL && node->b < id && printer->graph->steps_left > 0) {
        snoopi__take_steps(printer, 1);
        snoopi__bind(printer, node->a, snoopi__number_for(printer, id, node->a));
        id = node->b;
        node = snoopi__node(defs, id);
    }
    uint32_t kept = (uint32_t)(printer->n_bindings - first);
    printer_task body = {.op = TASK_SHOW, .node = id, .depth = task->depth};
    if (node->form == WIRE_FORM_DATATYPE && printer->rules->elides_wheres) {
        body.op = TASK_DATATYPE;
        body.end = node->n;
    }
    if (has_plain_parameters(printer, node)) {
        uint32_t declared[MAX_DECLARED];
        const bool is_known =
            node->n <= MAX_DECLARED &&
            snoopi__declared(printer->aliases, defs, node->a, declared, MAX_DECLARED) == node->n;
        body.end =
            snoopi__elide(printer, first, node->n, node->kids, is_known ? declared : NULL, &kept);
    }
    snoopi__push_wheres(printer, first, kept, task->depth);
    snoopi__push_task(printer, body);
}
