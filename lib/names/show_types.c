// SPDX-License-Identifier: MIT
// Types, after base/show.jl: show(::Type), show_datatype, show(::TypeVar). See printer.h.
#include <string.h>

#include "printer.h"
#include "strided.h"
#include "symbols.h"

// --- variables ---

// Looking through the bindings takes steps as looking through the graph does.
void snoopi__take_steps(snoopi__printer *printer, uint64_t n)
{
    uint64_t *left = &printer->graph->steps_left;
    *left = *left > n ? *left - n : 0;
}

// How a variable is shown that is bound here; NULL if it is not.
const printer_binding *snoopi__find_binding(snoopi__printer *printer, uint32_t variable)
{
    snoopi__take_steps(printer, printer->n_bindings / 8);
    for (size_t i = printer->n_bindings; i-- > 0;) {
        if (printer->bindings[i].variable == variable) {
            return &printer->bindings[i];
        }
    }
    return NULL;
}

// Name of a variable, which may have been given a number: bytes in `room` or in the definitions.
static def_string numbered_name(const snoopi__defs *defs, uint32_t variable, uint32_t number,
                                char room[static 300], size_t room_size)
{
    const def_string *name = snoopi__string(defs, snoopi__node(defs, variable)->a);
    if (number == 0 || name->size > room_size - 12) {
        return *name;
    }
    memcpy(room, name->text, name->size);
    char digits[12];
    size_t n = 0;
    for (uint32_t rest = number; rest || n == 0; rest /= 10) {
        digits[n++] = (char)('0' + rest % 10);
    }
    size_t size = name->size;
    while (n > 0) {
        room[size++] = digits[--n];
    }
    room[size] = '\0';
    return (def_string){.text = room, .size = (uint32_t)size};
}

static void put_variable_name(snoopi__printer *printer, uint32_t variable, uint32_t number)
{
    char room[300];
    const def_string name = numbered_name(printer->defs, variable, number, room, sizeof room);
    snoopi__put_name(printer->rules->syntax, printer->out, name.text, name.size);
}

// Base.io_has_tvar_name: a variable that is bound here, is shown by that name, and occurs in `node`.
static bool is_name_taken(snoopi__printer *printer, const def_string *name, uint32_t node)
{
    snoopi__take_steps(printer, printer->n_bindings / 4);
    for (size_t i = 0; i < printer->n_bindings; i++) {
        const printer_binding *binding = &printer->bindings[i];
        char room[300];
        const def_string other =
            numbered_name(printer->defs, binding->variable, binding->number, room, sizeof room);
        if (other.size == name->size && memcmp(other.text, name->text, name->size) == 0 &&
            snoopi__find_binding(printer, binding->variable) == binding &&
            snoopi__has_variable(printer->graph, node, binding->variable)) {
            return true;
        }
    }
    return false;
}

// The number that the variable of a where-clause needs to be told apart; 0 if its name will do.
uint32_t snoopi__number_for(snoopi__printer *printer, uint32_t node, uint32_t variable)
{
    const snoopi__defs *defs = printer->defs;
    const uint32_t name_id = snoopi__node(defs, variable)->a;
    if (!snoopi__string_is(defs, name_id, "_") &&
        !is_name_taken(printer, snoopi__string(defs, name_id), node)) {
        return 0;
    }
    // Each binding takes one number at most.
    for (uint32_t number = 1; number <= printer->n_bindings && printer->graph->steps_left > 0;
         number++) {
        char room[300];
        const def_string name = numbered_name(defs, variable, number, room, sizeof room);
        if (!is_name_taken(printer, &name, node)) {
            return number;
        }
    }
    return (uint32_t)printer->n_bindings + 1;
}

// Base.show(::TypeVar), where the constraints of a bound one are not repeated.
static void show_variable(snoopi__printer *printer, const printer_task *task, uint32_t number,
                          bool is_bound)
{
    const def_node *variable = snoopi__node(printer->defs, task->node);
    const bool has_lower =
        !is_bound && snoopi__node(printer->defs, variable->b)->form != WIRE_FORM_BOTTOM;
    const bool has_upper = !is_bound && !snoopi__is_type(printer->defs, variable->c, "Core", "Any");
    const printer_task lower = {.op = TASK_BOUND, .node = variable->b, .depth = task->depth};
    const printer_task upper = {.op = TASK_BOUND, .node = variable->c, .depth = task->depth};

    if (has_lower && has_upper) {
        // The name comes between the bounds: as a task that finds it bound, so that they are not shown again.
        snoopi__push_task(printer, upper);
        snoopi__push_text(printer, "<:");
        snoopi__push_task(printer, (printer_task){.op = TASK_UNBIND, .index = 1});
        snoopi__push_show(printer, task->node, task->depth);
        snoopi__push_task(printer,
                          (printer_task){.op = TASK_BIND, .node = task->node, .index = number});
        snoopi__push_text(printer, "<:");
        snoopi__push_task(printer, lower);
        return;
    }
    put_variable_name(printer, task->node, number);
    if (has_lower) {
        snoopi__push_task(printer, lower);
        snoopi__push_text(printer, ">:");
    } else if (has_upper) {
        snoopi__push_task(printer, upper);
        snoopi__push_text(printer, "<:");
    }
}

static void show_used_variable(snoopi__printer *printer, const printer_task *task)
{
    const printer_binding *binding = snoopi__find_binding(printer, task->node);
    show_variable(printer, task, binding ? binding->number : 0, binding != NULL);
}

static void show_where_variable(snoopi__printer *printer, const printer_task *task)
{
    const printer_binding *binding = snoopi__find_binding(printer, task->node);
    show_variable(printer, task, task->index, task->index == 0 && binding && binding->number == 0);
}

// --- types ---

static bool is_deep(const snoopi__printer *printer, const printer_task *task)
{
    return printer->max_depth > 0 && task->depth >= printer->max_depth;
}

static uint16_t deeper(const printer_task *task)
{
    return (uint16_t)(task->depth + (task->depth < UINT16_MAX));
}

// Base.print_without_params, which asks for ===: a type that is written with other variables of the same names and bounds is shown alike.
bool snoopi__is_wrapper(snoopi__printer *printer, uint32_t id)
{
    const def_node *node = snoopi__node(printer->defs, id);
    if (node->form != WIRE_FORM_UNIONALL || node->flags & WIRE_UNIONALL_WRAPPER) {
        return node->form == WIRE_FORM_UNIONALL;
    }
    const uint32_t wrapper = snoopi__wrapper_of(printer->aliases, printer->defs, id);
    return wrapper && snoopi__is_egal(printer->graph, wrapper, id);
}

// Base.show_type_name is the same for all versions; how parameters are shown is not.
static void push_parameters(snoopi__printer *printer, const printer_task *task, uint32_t end)
{
    snoopi__push_text(printer, "}");
    snoopi__push_task(
        printer, (printer_task){
                     .op = TASK_PARAMETERS, .node = task->node, .end = end, .depth = deeper(task)});
}

static void push_ntuple(snoopi__printer *printer, const printer_task *task, const def_node *tuple)
{
    snoopi__text_puts(printer->out, "NTuple{");
    snoopi__text_unsigned(printer->out, tuple->n);
    snoopi__text_puts(printer->out, printer->rules->parameter_separator);
    snoopi__push_text(printer, "}");
    snoopi__push_show(printer, tuple->kids[0], deeper(task));
}

// Vararg{T,N} with a variable N, alone in a tuple.
static bool push_vararg_ntuple(snoopi__printer *printer, const printer_task *task, uint32_t kid)
{
    const def_node *vararg = snoopi__node(printer->defs, kid);
    if (vararg->form != WIRE_FORM_VARARG || !vararg->a ||
        snoopi__node(printer->defs, vararg->b)->form != WIRE_FORM_TYPEVAR) {
        return false;
    }
    snoopi__text_puts(printer->out, "NTuple{");
    snoopi__push_text(printer, "}");
    snoopi__push_show(printer, vararg->a, deeper(task));
    snoopi__push_text(printer, ", ");
    snoopi__push_show(printer, vararg->b, deeper(task));
    return true;
}

// Equal types at the end of a tuple; one at least.
static uint32_t tail_length(snoopi__printer *printer, const def_node *tuple)
{
    uint32_t n = 1;
    while (n < tuple->n && snoopi__is_egal(printer->graph, tuple->kids[tuple->n - 1 - n],
                                           tuple->kids[tuple->n - 1])) {
        n++;
    }
    return n;
}

static void show_tuple(snoopi__printer *printer, const printer_task *task, const def_node *tuple)
{
    enum { MAX_TAIL = 3 };
    if (printer->rules->has_vararg_ntuples && tuple->n == 1 &&
        push_vararg_ntuple(printer, task, tuple->kids[0])) {
        return;
    }
    const uint32_t tail = tuple->n > MAX_TAIL ? tail_length(printer, tuple) : 1;
    if (tail > MAX_TAIL && tail == tuple->n) {
        push_ntuple(printer, task, tuple);
        return;
    }
    snoopi__put_type_name(printer, snoopi__typename(printer->defs, tuple->a));
    snoopi__text_putc(printer->out, '{');
    if (tail <= MAX_TAIL || !printer->rules->has_tuple_tails) {
        push_parameters(printer, task, tuple->n);
        return;
    }
    snoopi__push_text(printer, "}}");
    snoopi__push_task(printer, (printer_task){.op = TASK_NUMBER, .index = tail});
    snoopi__push_text(printer, ", ");
    snoopi__push_show(printer, tuple->kids[tuple->n - 1], deeper(task));
    snoopi__push_text(printer, ", Vararg{");
    snoopi__push_task(printer, (printer_task){.op = TASK_PARAMETERS,
                                              .node = task->node,
                                              .end = tuple->n - tail,
                                              .depth = deeper(task)});
}

// Whether a NamedTuple is shown as @NamedTuple{a::Int64}: its names are known, and its types.
bool snoopi__has_named_types(const snoopi__printer *printer, const def_node *type)
{
    if (!printer->rules->has_named_tuple_macro || type->n != 2 ||
        !(snoopi__typename(printer->defs, type->a)->flags & WIRE_TN_NAMEDTUPLE)) {
        return false;
    }
    const def_node *names = snoopi__node(printer->defs, type->kids[0]);
    const def_node *types = snoopi__node(printer->defs, type->kids[1]);
    return types->form == WIRE_FORM_DATATYPE &&
           (names->form == WIRE_FORM_STRUCT || names->form == WIRE_FORM_SINGLETON);
}

static void show_datatype(snoopi__printer *printer, const printer_task *task, const def_node *type)
{
    const def_typename *tn = snoopi__typename(printer->defs, type->a);
    const bool is_tuple = tn->flags & WIRE_TN_TUPLE;

    if ((is_tuple && type->flags & WIRE_DATATYPE_WRAPPER) || (!is_tuple && task->end == 0)) {
        snoopi__put_type_name(printer, tn);
    } else if (is_deep(printer, task)) {
        snoopi__put_type_name(printer, tn);
        snoopi__text_puts(printer->out, "{" SNOOPI__ELLIPSIS "}");
    } else if (is_tuple) {
        show_tuple(printer, task, type);
    } else if (snoopi__has_named_types(printer, type)) {
        snoopi__text_puts(printer->out, "@NamedTuple{");
        snoopi__push_text(printer, "}");
        snoopi__push_task(
            printer,
            (printer_task){.op = TASK_NAMED_TYPES, .node = task->node, .depth = deeper(task)});
    } else {
        snoopi__put_type_name(printer, tn);
        snoopi__text_putc(printer->out, '{');
        push_parameters(printer, task, task->end);
    }
}

static void do_parameters(snoopi__printer *printer, const printer_task *task)
{
    const def_node *type = snoopi__node(printer->defs, task->node);
    if (task->index >= task->end || task->index >= type->n) {
        return;
    }
    if (task->index > 0) {
        snoopi__text_puts(printer->out, printer->rules->parameter_separator);
    }
    printer_task rest = *task;
    rest.index++;
    snoopi__push_task(printer, rest);
    snoopi__push_task(printer, (printer_task){.op = TASK_PARAMETER,
                                              .node = type->kids[task->index],
                                              .depth = task->depth});
}

static void do_parameter(snoopi__printer *printer, const printer_task *task)
{
    const def_node *node = snoopi__node(printer->defs, task->node);
    if (node->form == WIRE_FORM_TYPEVAR) {
        const printer_binding *binding = snoopi__find_binding(printer, task->node);
        if (binding && binding->is_elided) {
            const bool has_lower = snoopi__node(printer->defs, node->b)->form != WIRE_FORM_BOTTOM;
            snoopi__text_puts(printer->out, has_lower ? ">:" : "<:");
            snoopi__push_show(printer, has_lower ? node->b : node->c, task->depth);
            return;
        }
    }
    snoopi__push_show(printer, task->node, task->depth);
}

static void do_named_types(snoopi__printer *printer, const printer_task *task)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *type = snoopi__node(defs, task->node);
    const def_node *names = snoopi__node(defs, type->kids[0]);
    const def_node *types = snoopi__node(defs, type->kids[1]);
    if (names->form != WIRE_FORM_STRUCT || task->index >= names->n || task->index >= types->n) {
        return;
    }
    snoopi__text_puts(printer->out, task->index > 0 ? ", " : "");
    const def_string *name = snoopi__string(defs, snoopi__node(defs, names->kids[task->index])->a);
    if (printer->rules->quotes_named_tuples) {
        snoopi__put_name(printer->rules->syntax, printer->out, name->text, name->size);
    } else {
        snoopi__text_put(printer->out, name->text, name->size);
    }
    printer_task rest = *task;
    rest.index++;
    snoopi__push_task(printer, rest);
    if (!snoopi__is_type(defs, types->kids[task->index], "Core", "Any")) {
        snoopi__text_puts(printer->out, "::");
        snoopi__push_show(printer, types->kids[task->index], task->depth);
    }
}

static void show_union(snoopi__printer *printer, const printer_task *task)
{
    const uint16_t depth = deeper(task);
    if (is_deep(printer, task)) {
        snoopi__text_puts(printer->out, "Union{" SNOOPI__ELLIPSIS "}");
        return;
    }
    if (printer->rules->has_strided_unions && snoopi__show_strided(printer, task->node, depth)) {
        return;
    }
    if (printer->rules->has_aliases && snoopi__show_union_aliases(printer, task)) {
        return;
    }
    snoopi__text_puts(printer->out, "Union{");
    snoopi__push_text(printer, "}");
    snoopi__push_task(printer,
                      (printer_task){.op = TASK_UNION_TYPES, .node = task->node, .depth = depth});
}

static void do_union_types(snoopi__printer *printer, const printer_task *task)
{
    const def_node *node = snoopi__node(printer->defs, task->node);
    if (node->form != WIRE_FORM_UNION) {
        snoopi__push_show(printer, task->node, task->depth);
        return;
    }
    printer_task part = *task;
    part.node = node->b;
    snoopi__push_task(printer, part);
    snoopi__push_text(printer, ", ");
    part.node = node->a;
    snoopi__push_task(printer, part);
}

static void show_unionall(snoopi__printer *printer, const printer_task *task, const def_node *node)
{
    if (snoopi__is_wrapper(printer, task->node)) {
        snoopi__put_type_name(printer, snoopi__typename_of(printer->defs, task->node));
        return;
    }
    if (printer->rules->has_aliases) {
        snoopi__show_joined(printer, task);
        return;
    }
    const uint32_t number = snoopi__number_for(printer, task->node, node->a);
    snoopi__push_task(
        printer, (printer_task){
                     .op = TASK_VARIABLE, .node = node->a, .index = number, .depth = task->depth});
    snoopi__push_text(printer, " where ");
    snoopi__push_task(printer, (printer_task){.op = TASK_UNBIND, .index = 1});
    snoopi__push_show(printer, node->b, task->depth);
    snoopi__bind(printer, node->a, number);
}

// Vararg of 1.7 and later, which is no type.
static void show_vararg(snoopi__printer *printer, const printer_task *task, const def_node *node)
{
    snoopi__text_puts(printer->out, "Vararg");
    if (!node->a) {
        return;
    }
    snoopi__text_putc(printer->out, '{');
    snoopi__push_text(printer, "}");
    if (node->b) {
        snoopi__push_show(printer, node->b, task->depth);
        snoopi__push_text(printer, printer->rules->parameter_separator);
    }
    snoopi__push_show(printer, node->a, task->depth);
}

// Whether a type may have an alias: it has parameters, and is not the wrapper of its TypeName.
static bool may_have_alias(snoopi__printer *printer, uint32_t id)
{
    const def_node *node = snoopi__node(printer->defs, id);
    return node->form == WIRE_FORM_UNION || (node->form == WIRE_FORM_DATATYPE && node->n > 0) ||
           (node->form == WIRE_FORM_UNIONALL && !snoopi__is_wrapper(printer, id));
}

void snoopi__show_type(snoopi__printer *printer, const printer_task *task)
{
    const def_node *node = snoopi__node(printer->defs, task->node);
    printer_task whole = *task;
    whole.end = node->n;
    if (printer->rules->has_aliases && may_have_alias(printer, task->node) &&
        snoopi__show_alias(printer, task)) {
        return;
    }
    switch (node->form) {
    case WIRE_FORM_DATATYPE: show_datatype(printer, &whole, node); break;
    case WIRE_FORM_UNIONALL: show_unionall(printer, task, node); break;
    case WIRE_FORM_UNION: show_union(printer, task); break;
    case WIRE_FORM_TYPEVAR: show_used_variable(printer, task); break;
    case WIRE_FORM_BOTTOM: snoopi__text_puts(printer->out, "Union{}"); break;
    case WIRE_FORM_VARARG: show_vararg(printer, task, node); break;
    default: snoopi__text_puts(printer->out, SNOOPI__ELLIPSIS); break; // not defined
    }
}

static void do_bound(snoopi__printer *printer, const printer_task *task)
{
    const def_node *node = snoopi__node(printer->defs, task->node);
    const bool has_parentheses =
        node->form == WIRE_FORM_UNIONALL && !snoopi__is_wrapper(printer, task->node);
    if (has_parentheses) {
        snoopi__text_putc(printer->out, '(');
        snoopi__push_text(printer, ")");
    }
    snoopi__push_show(printer, task->node, task->depth);
}

void snoopi__do_type_task(snoopi__printer *printer, const printer_task *task)
{
    switch (task->op) {
    case TASK_DATATYPE:
        show_datatype(printer, task, snoopi__node(printer->defs, task->node));
        break;
    case TASK_PARAMETERS: do_parameters(printer, task); break;
    case TASK_PARAMETER: do_parameter(printer, task); break;
    case TASK_NAMED_TYPES: do_named_types(printer, task); break;
    case TASK_UNION_TYPES: do_union_types(printer, task); break;
    case TASK_VARIABLE: show_where_variable(printer, task); break;
    case TASK_BOUND: do_bound(printer, task); break;
    default: break;
    }
}
