// SPDX-License-Identifier: MIT
// The task loop, and the small things that all kinds of tasks need. See printer.h.
#include "printer.h"

#include <stdlib.h>
#include <string.h>

#include "symbols.h"

// A task takes 24 bytes. Each level of nesting has at most a handful of them, and most levels write a byte or more, so this is met
// by graphs alone that no type has.
enum { MAX_TASKS = 4 << 20, MAX_MODULE_DEPTH = 200 };

void snoopi__push_task(snoopi__printer *printer, printer_task task)
{
    printer_task *grown = NULL;
    if (printer->n_tasks < MAX_TASKS) {
        grown = snoopi__grow(printer->tasks, &printer->tasks_capacity, printer->n_tasks + 1,
                             sizeof *printer->tasks);
    }
    if (!grown) {
        snoopi__text_cut(printer->out);
        return;
    }
    printer->tasks = grown;
    printer->tasks[printer->n_tasks++] = task;
}

void snoopi__push_text(snoopi__printer *printer, const char *text)
{
    snoopi__push_task(printer, (printer_task){.op = TASK_TEXT, .text = text});
}

void snoopi__push_show(snoopi__printer *printer, uint32_t node, uint16_t depth)
{
    snoopi__push_task(printer, (printer_task){.op = TASK_SHOW, .node = node, .depth = depth});
}

void snoopi__bind(snoopi__printer *printer, uint32_t variable, uint32_t number)
{
    printer_binding *grown = snoopi__grow(printer->bindings, &printer->bindings_capacity,
                                          printer->n_bindings + 1, sizeof *printer->bindings);
    if (!grown) {
        snoopi__text_cut(printer->out);
        return;
    }
    printer->bindings = grown;
    printer->bindings[printer->n_bindings++] =
        (printer_binding){.variable = variable, .number = number};
}

void snoopi__put_string(snoopi__printer *printer, uint32_t string)
{
    const def_string *text = snoopi__string(printer->defs, string);
    snoopi__text_put(printer->out, text->text, text->size);
}

void snoopi__put_module(snoopi__text *out, const snoopi__defs *defs, uint32_t module)
{
    uint32_t path[MAX_MODULE_DEPTH];
    size_t n = 0;
    for (uint32_t id = module; id && n < MAX_MODULE_DEPTH;) {
        const def_module *m = snoopi__module(defs, id);
        path[n++] = id;
        id = m->parent < id ? m->parent : 0;
    }
    if (n > 1 && snoopi__module(defs, path[n - 1])->flags & WIRE_MODULE_MAIN) {
        n--;
    }
    for (bool is_first = true; n > 0; is_first = false) {
        const def_string *name = snoopi__string(defs, snoopi__module(defs, path[--n])->name);
        snoopi__text_puts(out, is_first ? "" : ".");
        snoopi__text_put(out, name->text, name->size);
    }
}

void snoopi__put_module_prefix(snoopi__text *out, const snoopi__defs *defs, uint32_t module)
{
    if (module && !(snoopi__module(defs, module)->flags & WIRE_MODULE_MAIN)) {
        snoopi__put_module(out, defs, module);
        snoopi__text_putc(out, '.');
    }
}

static bool contains(const def_string *string, char c)
{
    return memchr(string->text, c, string->size) != NULL;
}

// Base.show_type_name
void snoopi__put_type_name(snoopi__printer *printer, const def_typename *tn)
{
    snoopi__text *out = printer->out;
    if (tn->flags & WIRE_TN_UNIONALL) {
        snoopi__text_puts(out, "UnionAll");
        return;
    }
    const def_string *global = snoopi__string(printer->defs, tn->mt_name);
    const bool is_function = tn->mt_name && tn->flags & WIRE_TN_GLOBAL_FUNCTION &&
                             tn->flags & WIRE_TN_CONCRETE && !contains(global, '#') &&
                             !contains(global, '@');
    const def_string *name = is_function ? global : snoopi__string(printer->defs, tn->name);
    const bool is_visible =
        tn->flags & (is_function ? (unsigned)WIRE_TN_MT_VISIBLE : (unsigned)WIRE_TN_VISIBLE);
    bool is_quoted = false;
    if (is_function) {
        snoopi__text_puts(out, "typeof(");
    }
    if (!is_visible && tn->module) {
        snoopi__put_module_prefix(out, printer->defs, tn->module);
        if (is_function &&
            !snoopi__starts_identifier(printer->rules->syntax, name->text, name->size)) {
            snoopi__text_putc(out, ':');
            is_quoted = snoopi__is_quoted_symbol(name->text, name->size);
        }
    }
    snoopi__text_puts(out, is_quoted ? "(" : "");
    snoopi__put_name(printer->rules->syntax, out, name->text, name->size);
    snoopi__text_puts(out, is_quoted ? ")" : "");
    snoopi__text_puts(out, is_function ? ")" : "");
}

static void do_task(snoopi__printer *printer, const printer_task *task)
{
    switch ((task_op)task->op) {
    case TASK_TEXT: snoopi__text_puts(printer->out, task->text); break;
    case TASK_NUMBER: snoopi__text_unsigned(printer->out, task->index); break;
    case TASK_SHOW:
        if (snoopi__node(printer->defs, task->node)->form <= WIRE_FORM_VARARG) {
            snoopi__show_type(printer, task);
        } else {
            snoopi__show_value(printer, task);
        }
        break;
    case TASK_ALIAS: snoopi__do_alias(printer, task); break;
    case TASK_DATATYPE:
    case TASK_PARAMETERS:
    case TASK_PARAMETER:
    case TASK_NAMED_TYPES:
    case TASK_UNION_TYPES:
    case TASK_VARIABLE:
    case TASK_BOUND: snoopi__do_type_task(printer, task); break;
    case TASK_BIND: snoopi__bind(printer, task->node, task->index); break;
    case TASK_UNBIND: printer->n_bindings -= task->index; break;
    case TASK_FIELDS:
    case TASK_NAMED_FIELDS:
    case TASK_HEX:
    case TASK_MAGNITUDE: snoopi__do_value_task(printer, task); break;
    case TASK_ARGUMENTS:
    case TASK_WHERE: snoopi__do_call_task(printer, task); break;
    }
}

void snoopi__printer_run(snoopi__printer *printer)
{
    while (printer->n_tasks > 0 && !snoopi__text_is_over(printer->out)) {
        if (printer->graph->steps_left == 0) {
            snoopi__text_cut(printer->out);
            break;
        }
        printer->graph->steps_left--;
        const printer_task task = printer->tasks[--printer->n_tasks];
        do_task(printer, &task);
    }
    printer->n_tasks = 0;
    printer->n_bindings = 0;
}

void snoopi__printer_clear(snoopi__printer *printer)
{
    free(printer->tasks);
    free(printer->bindings);
    printer->tasks = NULL;
    printer->bindings = NULL;
    printer->n_tasks = printer->tasks_capacity = 0;
    printer->n_bindings = printer->bindings_capacity = 0;
}
