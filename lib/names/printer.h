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
#include "aliases.h"
#include "boundtext.h"
#include "rules.h"
#include "snoopi/trace.h"
#include "typegraph.h"

typedef enum {
    TASK_TEXT,         /* writes `text` */
    TASK_NUMBER,       /* writes `index` */
    TASK_SHOW,         /* show(io, node) */
    TASK_DATATYPE,     /* a DATATYPE, with the first `end` of its parameters */
    TASK_PARAMETERS,   /* kids from `index` up to `end`, with the rules' separator between */
    TASK_PARAMETER,    /* one of them */
    TASK_NAMED_TYPES,  /* "a::T, b" of the parameters of a NamedTuple, from `index` on */
    TASK_FIELDS,       /* kids from `index` on, with ", " between */
    TASK_NAMED_FIELDS, /* "name = value, ", the names being the first parameter of the type */
    TASK_ALIAS,        /* the alias (an index) as part of the union `node` */
    TASK_UNION_TYPES,  /* the types of nested unions, with ", " between */
    TASK_VARIABLE,  /* a variable and its bounds, for a where-clause; `index`: number of its name */
    TASK_BOUND,     /* a bound: in parentheses if it has where-clauses */
    TASK_BIND,      /* the variable is bound from here on */
    TASK_UNBIND,    /* the `index` variables bound last are so no more */
    TASK_HEX,       /* bytes of a BITS node, 0x… */
    TASK_MAGNITUDE, /* a number without its minus */
    TASK_ARGUMENTS, /* "::T, ::S" of a signature, from `index` on */
    TASK_WHERE      /* the variables of the where-clauses of a signature */
} task_op;

typedef struct {
    const char *text;
    uint32_t node;
    uint32_t index;
    uint32_t end;
    uint16_t depth; /* of parameter lists around it */
    uint8_t op;
} printer_task;

/** A type variable that is bound where the printer is. */
typedef struct {
    uint32_t variable;
    uint32_t number; /* it is shown as its name and this number; 0: it keeps its name */
    bool
        is_elided; /* it has no where-clause: the one place where it stands shows its bounds, `<:T` */
} printer_binding;

typedef struct {
    const snoopi__defs *defs;
    const snoopi__rules *rules;
    snoopi__graph *graph;
    const snoopi__aliases *aliases;
    snoopi__text *out;
    uint16_t max_depth;     /* parameter lists nested deeper become "…"; 0: none do */
    const snoopi_arg *args; /* of the signature that is shown: arguments that are constant */
    uint32_t n_args;

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

/** How a variable is bound here; NULL if it is not. */
const printer_binding *snoopi__find_binding(snoopi__printer *printer, uint32_t variable);

/** The number that the variable of a where-clause of `node` needs to be told apart; 0 if its name will do. */
uint32_t snoopi__number_for(snoopi__printer *printer, uint32_t node, uint32_t variable);

/** Counts work that the graph does not count. */
void snoopi__take_steps(snoopi__printer *printer, uint64_t n);

/**
 * Finds those of the variables bound from `first` on that need no where-clause, since they stand for one of the `n`
 * `parameters` and nowhere else.
 *
 * @param declared  the variables that the parameters were declared as; NULL if not known.
 * @param kept      how many need a clause: the first of them.
 * @return how many of the parameters are shown.
 */
uint32_t snoopi__elide(snoopi__printer *printer, size_t first, uint32_t n,
                       const uint32_t *parameters, const uint32_t *declared, uint32_t *kept);

/** Pushes " where {T, S}" of the first `kept` variables bound from `first` on; it begins by unbinding them all. */
void snoopi__push_wheres(snoopi__printer *printer, size_t first, uint32_t kept, uint16_t depth);

/** Whether a DATATYPE is a NamedTuple that is shown as @NamedTuple{a::Int64}. */
bool snoopi__has_named_types(const snoopi__printer *printer, const def_node *type);

/** Whether a type is shown by its name alone, being all that its name stands for: `Array`, not `Array{T,1} where T`. */
bool snoopi__is_wrapper(snoopi__printer *printer, uint32_t id);

/** Shows a UNIONALL with its where-clauses joined (1.6 and later). */
void snoopi__show_joined(snoopi__printer *printer, const printer_task *task);

/** Shows a type by an alias, or a union by aliases; false if there is none, and then nothing was done. */
bool snoopi__show_alias(snoopi__printer *printer, const printer_task *task);
bool snoopi__show_union_aliases(snoopi__printer *printer, const printer_task *task);
void snoopi__do_alias(snoopi__printer *printer, const printer_task *task);

/** Writes a string as it is. */
void snoopi__put_string(snoopi__printer *printer, uint32_t string);

/** Writes the path of a module, without the `Main.` that submodules of Main begin with. */
void snoopi__put_module(snoopi__text *out, const snoopi__defs *defs, uint32_t module);

/** Writes the path and a dot in front of something of the module; nothing for Main. */
void snoopi__put_module_prefix(snoopi__text *out, const snoopi__defs *defs, uint32_t module);

/** Base.is_exported_from_stdlib: whether a function is shown without its module. */
static inline bool snoopi__is_exported(const def_typename *tn)
{
    return (tn->flags & (WIRE_TN_MT_VISIBLE | WIRE_TN_MT_ELSEWHERE)) == WIRE_TN_MT_VISIBLE;
}

void snoopi__put_type_name(snoopi__printer *printer, const def_typename *tn);

#endif
