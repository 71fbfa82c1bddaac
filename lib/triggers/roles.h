// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ROLES_H
#define SNOOPI_ROLES_H

/**
 * @file
 * What a place on a stack has to do with how inference was entered: told by its name, and by whose code it is.
 */
#include <snoopi/trace.h>

typedef enum {
    ROLE_NONE,        /* C code that says nothing, or the start of a Julia function */
    ROLE_USER,        /* Julia code that somebody may want to change */
    ROLE_COMPILER,    /* Core.Compiler */
    ROLE_TOPLEVEL,    /* a thunk's compiled code */
    ROLE_INTERPRETER, /* C: runs top-level code */
    ROLE_EVAL_IN,     /* C: the same, asked for by eval */
    ROLE_TASK,        /* C: starts a task */
    ROLE_HINT,        /* C: runs a precompile directive */
    ROLE_LATEST,      /* C: a call in the latest world */
    ROLE_CALLBACK,    /* C called Julia */
    ROLE_INITIALIZER, /* C: loads a package, or runs its __init__ */
    /* Julia's own functions: */
    ROLE_ASKS_TYPE, /* return_type */
    ROLE_REFLECTS,  /* code_typed */
    ROLE_PRECOMPILE,
    ROLE_INVOKELATEST,
    ROLE_EVAL,
    ROLE_INCLUDE,
    ROLE_REQUIRE,
    ROLE_DRIVER,     /* what runs programs and the REPL */
    ROLE_TEST,       /* the Test package */
    ROLE_ENTERS_TYPE /* typeinf_type of the compiler, known by its address: return_type or a tool */
    ,
    ROLE_ENTERS_CODE /* typeinf_code: a tool */
} snoopi__role;

/** The role of a place. `trace` is asked for the module of its instance. */
snoopi__role snoopi__role_of_place(snoopi_trace *trace, const snoopi_place *place);

/** Whether a place is in top-level code that was compiled. */
bool snoopi__is_toplevel_place(const snoopi_place *place);

/** Whether callers are looked for behind a place of this role: it only passes on what another asked for. */
bool snoopi__role_is_noise(snoopi__role role);

#endif
