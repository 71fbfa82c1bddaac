// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PRINTER_H
#define SNOOPI_PRINTER_H

/**
 * @file
 * The printer turns a node of the type graph into the text that Julia's `show` gives. It works off a stack of small tasks
 * ("show this node", "write this text", "the next parameter") instead of recursing, so that neither the depth of a type nor
 * the size of its text costs more than what the bound of the text allows.
 *
 *   show Array{Int64,1}:   write "Array{" · kids from 0 of the node, with "," between · write "}"
 *
 * show_types.c has the tasks of types, show_values.c those of values, show_calls.c those of method instances. names.h is for users.
 */
#include "boundtext.h"
#include "rules.h"
#include "typegraph.h"

typedef enum {
    TASK_TEXT,         /* writes `text` */
    TASK_SHOW,         /* show(io, node) */
    TASK_PARAMETERS,   /* kids from `index` on, with the rules' separator between */
    TASK_FIELDS,       /* kids from `index` on, with ", " between */
    TASK_NAMED_FIELDS, /* "name = value, ", the names being the first parameter of the type */
    TASK_UNION_TYPES,  /* the types of nested unions, with ", " between */
    TASK_VARIABLE, /* a type variable with its bounds, as where-clauses have it; `index` is the number of its new name */
    TASK_BOUND,    /* a bound: in parentheses if it has where-clauses */
    TASK_BIND,     /* the variable is bound from here on */
    TASK_UNBIND,   /* the `index` variables bound last are so no more */
    TASK_NAME,     /* name of the typename `node` */
    TASK_HEX,      /* bytes of a BITS node, 0x… */
    TASK_MAGNITUDE, /* a number without its minus */
    TASK_ARGUMENTS, /* "::T, ::S" of a signature, from `index` on */
    TASK_WHERE      /* the variables of the where-clauses of a signature, "; " etc. */
} task_op;

typedef struct {
    const char *text;
    uint32_t node;
    uint32_t index;
    uint16_t depth; /* of parameter lists around it */
    uint8_t op;
} printer_task;

/** A type variable that is bound where the printer is. */
typedef struct {
    uint32_t variable;
    uint32_t number; /* it is shown as its name and this number; 0: it keeps its name */
} printer_binding;

typedef struct {
    const snoopi__defs *defs;
    const snoopi__rules *rules;
    snoopi__graph *graph;
    snoopi__text *out;
    uint16_t max_depth; /* parameter lists nested deeper become "…"; 0: none do */

    printer_task *tasks;
    size_t n_tasks;
    size_t tasks_capacity;
    printer_binding *bindings;
    size_t n_bindings;
    size_t bindings_capacity;
} snoopi__printer;

/** Works off all tasks. Steps are the graph's; when they are used up the text is cut. */
void snoopi__printer_run(snoopi__printer *printer);

/** Frees the stacks. */
void snoopi__printer_clear(snoopi__printer *printer);

/* For the files of the printer. What is pushed last is done first. */
void snoopi__push_task(snoopi__printer *printer, printer_task task);
void snoopi__push_text(snoopi__printer *printer, const char *text);
void snoopi__push_show(snoopi__printer *printer, uint32_t node, uint16_t depth);

void snoopi__show_type(snoopi__printer *printer, const printer_task *task);
void snoopi__show_value(snoopi__printer *printer, const printer_task *task);
void snoopi__do_type_task(snoopi__printer *printer, const printer_task *task);
void snoopi__do_value_task(snoopi__printer *printer, const printer_task *task);
void snoopi__do_call_task(snoopi__printer *printer, const printer_task *task);

void snoopi__bind(snoopi__printer *printer, uint32_t variable, uint32_t number);

/** Writes a string as it is. */
void snoopi__put_string(snoopi__printer *printer, uint32_t string);

/** Writes the path of a module, without the `Main.` that submodules of Main begin with. */
void snoopi__put_module(snoopi__text *out, const snoopi__defs *defs, uint32_t module);

/** Writes the path and a dot in front of something of the module; nothing for Main. */
void snoopi__put_module_prefix(snoopi__text *out, const snoopi__defs *defs, uint32_t module);

void snoopi__put_type_name(snoopi__printer *printer, const def_typename *tn);

#endif
