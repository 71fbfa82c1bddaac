// SPDX-License-Identifier: MIT
#ifndef SNOOPI_EXPRESSION_H
#define SNOOPI_EXPRESSION_H

/**
 * @file
 * Types as expressions that Julia reads back to the same type, in a given module. Each name is quoted anew; nothing that a
 * trace has as text is taken over but names that are identifiers or operators, and those that var"…" can hold.
 *
 *     own names       f, T             Core's usual ones   Int64, Array{T,1}
 *     of Base         Base.Dict        of other packages   Dates.Date, Dates being a local variable that holds the module
 *     made-up names   T1, T2, … for type variables
 */
#include <snoopi/precompile.h>

#include "names/boundtext.h"
#include "names/julia_tables.h"
#include "packages.h"

/** Set all but the last four, which are to be 0. */
typedef struct {
    const snoopi__defs *defs;
    snoopi__packages *packages;
    snoopi__syntax syntax;
    uint32_t module;              /* where the expression is to be read */
    snoopi__text *out;            /* with a limit */
    snoopi_precompile_reason why; /* of the first failure */
    bool has_failed;
    snoopi__package_set
        used; /* packages whose variables it needs; its own one's too, in a submodule */
    struct {
        uint32_t nodes[32];
        uint32_t n;
    } variables;
} snoopi__expression;

/** Writes the call that precompiles an instance. False when that can't be said in this module: `why` tells. */
bool snoopi__expression_put(snoopi__expression *expression, uint32_t instance);

/** Writes the path of a module. */
bool snoopi__expression_put_module(snoopi__expression *expression, uint32_t module);

/** What the function is called that precompiles the body of a function with keywords. */
#define SNOOPI__BODY_FUNCTION "_precompile_body_"

/** Whether a text can be the name of a variable: an identifier, and no word that Julia keeps for itself. */
bool snoopi__is_plain_name(snoopi__syntax syntax, const char *text, size_t size);

#endif
