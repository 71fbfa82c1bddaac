// SPDX-License-Identifier: MIT
// Method instances, after show(::MethodInstance), show_tuple_as_call and show_method_params of Base. See printer.h.
#include "show_calls.h"

#include "printer.h"
#include "symbols.h"

static void put_function(snoopi__printer *printer, const def_typename *tn)
{
    const def_string *name = snoopi__string(printer->defs, tn->mt_name);
    const qualify_rule rule = printer->rules->qualifies;
    const bool is_plain =
        rule == QUALIFY_NEVER || (rule == QUALIFY_UNLESS_VISIBLE ? snoopi__is_exported(tn)
                                                                 : tn->flags & WIRE_TN_MT_EXPORTED);
    if (!is_plain) {
        snoopi__put_module_prefix(printer->out, printer->defs, tn->module);
    }
    if (printer->rules->quotes_functions) {
        snoopi__put_name(printer->rules->syntax, printer->out, name->text, name->size);
    } else {
        snoopi__text_put(printer->out, name->text, name->size);
    }
}

// A type that is called: a constructor.
static void push_type(snoopi__printer *printer, uint32_t type)
{
    const def_node *node = snoopi__node(printer->defs, type);
    const bool has_parentheses = printer->rules->parenthesizes_callees &&
                                 node->form == WIRE_FORM_UNIONALL &&
                                 !snoopi__is_wrapper(printer, type);
    snoopi__push_text(printer, has_parentheses ? ")" : "");
    snoopi__push_show(printer, type, 0);
    snoopi__push_text(printer, has_parentheses ? "(" : "");
}

static bool is_shown_as_called(const snoopi__printer *printer, const def_node *type)
{
    return printer->rules->calls_open_types
               ? snoopi__node(printer->defs, type->kids[0])->form != WIRE_FORM_TYPEVAR
               : !snoopi__has_free_variables(printer->graph, type->kids[0]);
}

// Who is called. Base asks whether a global of the function's own name is this function, else whether it is a type that is
// called, a constructor.
static void push_callee(snoopi__printer *printer, uint32_t callee)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *type = snoopi__node(defs, callee);
    const unsigned both = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION;
    if (type->form == WIRE_FORM_DATATYPE) {
        const def_typename *tn = snoopi__typename(defs, type->a);
        if (type->n == 0 && (tn->flags & both) == both) {
            put_function(printer, tn);
            return;
        }
        if (tn->flags & WIRE_TN_TYPE && type->n == 1 && is_shown_as_called(printer, type)) {
            push_type(printer, type->kids[0]);
            return;
        }
    }
    snoopi__push_text(printer, ")");
    snoopi__push_show(printer, callee, 0);
    snoopi__push_text(printer, "(::");
}

void snoopi__push_call(snoopi__printer *printer, uint32_t method_name, uint32_t spec)
{
    const snoopi__defs *defs = printer->defs;
    uint32_t signature = spec;
    uint32_t n_bound = 0;
    for (const def_node *node = snoopi__node(defs, spec);
         node->form == WIRE_FORM_UNIONALL && node->b < signature;
         node = snoopi__node(defs, signature)) {
        snoopi__bind(printer, node->a, 0);
        n_bound++;
        signature = node->b;
    }
    const def_node *tuple = snoopi__node(defs, signature);
    if (tuple->form != WIRE_FORM_DATATYPE || tuple->n == 0 ||
        (tuple->flags & WIRE_DATATYPE_WRAPPER && n_bound == 0)) {
        snoopi__put_string(printer, method_name);
        snoopi__text_puts(printer->out, "(...)");
        return;
    }
    snoopi__push_task(printer, (printer_task){.op = TASK_WHERE, .node = spec});
    snoopi__push_task(printer, (printer_task){.op = TASK_UNBIND, .index = n_bound});
    snoopi__push_text(printer, ")");
    snoopi__push_task(printer, (printer_task){.op = TASK_ARGUMENTS, .node = signature, .index = 1});
    snoopi__push_text(printer, "(");
    push_callee(printer, tuple->kids[0]);
}

// A constant argument before its type, as Base shows what a frame of inference is about: a symbol bare, a type or a function
// not at all, since its type says it.
static void push_constant(snoopi__printer *printer, uint32_t position)
{
    for (uint32_t i = 0; i < printer->n_args; i++) {
        if (printer->args[i].position != position) {
            continue;
        }
        const uint32_t id = printer->args[i].node;
        const def_node *node = snoopi__node(printer->defs, id);
        switch (node->form) {
        case WIRE_FORM_SYMBOL:
            snoopi__push_text(printer, snoopi__defs_text(printer->defs, node->a));
            break;
        case WIRE_FORM_BITS:
        case WIRE_FORM_TEXT:
        case WIRE_FORM_STRUCT:
        case WIRE_FORM_ENUM: snoopi__push_show(printer, id, 0); break;
        default: break;
        }
    }
}

static void do_arguments(snoopi__printer *printer, const printer_task *task)
{
    const def_node *tuple = snoopi__node(printer->defs, task->node);
    if (task->index >= tuple->n) {
        return;
    }
    snoopi__text_puts(printer->out, task->index > 1 ? ", " : "");
    printer_task rest = *task;
    rest.index++;
    snoopi__push_task(printer, rest);
    snoopi__push_show(printer, tuple->kids[task->index], 0);
    snoopi__push_text(printer, "::");
    push_constant(printer, task->index + 1);
}

// " where T", " where {T, S<:T}". `index` counts the variables that were shown; each is bound in the bounds of the next.
static void do_where(snoopi__printer *printer, const printer_task *task)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *node = snoopi__node(defs, task->node);
    if (node->form != WIRE_FORM_UNIONALL) {
        snoopi__text_puts(printer->out, task->index > 1 ? "}" : "");
        return;
    }
    const bool is_only = snoopi__node(defs, node->b)->form != WIRE_FORM_UNIONALL;
    if (task->index == 0) {
        snoopi__text_puts(printer->out, is_only ? " where " : " where {");
    } else {
        snoopi__text_puts(printer->out, ", ");
    }
    if (node->b < task->node) {
        snoopi__push_task(
            printer, (printer_task){.op = TASK_WHERE, .node = node->b, .index = task->index + 1});
    }
    snoopi__push_task(printer, (printer_task){.op = TASK_BIND, .node = node->a});
    snoopi__push_task(printer, (printer_task){.op = TASK_VARIABLE, .node = node->a});
}

void snoopi__do_call_task(snoopi__printer *printer, const printer_task *task)
{
    if (task->op == TASK_ARGUMENTS) {
        do_arguments(printer, task);
    } else {
        do_where(printer, task);
    }
}
