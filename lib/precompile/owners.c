// SPDX-License-Identifier: MIT
// See owners.h.
#include "owners.h"

#include <stdlib.h>

#include "advice/findings.h"
#include "names/names.h"
#include "names/typegraph.h"

void snoopi__owners_clear(snoopi__owners *owners)
{
    free(owners->callers);
    free(owners->is_super);
    *owners = (snoopi__owners){0};
}

bool snoopi__owners_init(snoopi__owners *owners)
{
    const snoopi__defs *defs = owners->defs;
    owners->callers = calloc((size_t)defs->n_instances + 1, sizeof *owners->callers);
    owners->is_super = calloc((size_t)defs->n_typenames + 1, sizeof *owners->is_super);
    if (!owners->callers || !owners->is_super) {
        return false;
    }
    for (uint32_t id = 1; id < defs->n_typenames; id++) {
        owners->is_super[defs->typenames[id].super] = true; // of 0, too, which is nobody
    }
    for (uint32_t id = 1; id < defs->n_modules && owners->base == 0; id++) {
        const def_module *m = &defs->modules[id];
        owners->base = !m->parent && snoopi__string_is(defs, m->name, "Base") ? id : 0;
    }
    return true;
}

// --- what calls tell ---

static uint16_t package_of_instance(const snoopi__owners *o, uint32_t instance)
{
    return snoopi__package_number(o->packages, snoopi__module_of(o->defs, instance));
}

// Package of the function that is called.
static uint16_t package_of_callee(const snoopi__owners *o, uint32_t instance)
{
    const snoopi__defs *defs = o->defs;
    uint32_t id = defs->instances[instance].spec;
    const def_node *tuple = snoopi__node(defs, id);
    while (tuple->form == WIRE_FORM_UNIONALL && tuple->b < id) {
        id = tuple->b;
        tuple = snoopi__node(defs, id);
    }
    if (tuple->form != WIRE_FORM_DATATYPE || tuple->n == 0) {
        return 0;
    }
    const def_node *callee = snoopi__node(defs, tuple->kids[0]);
    const def_typename *tn = snoopi__typename_of(defs, tuple->kids[0]);
    if (tn->flags & WIRE_TN_TYPE && callee->form == WIRE_FORM_DATATYPE && callee->n == 1) {
        tn = snoopi__typename_of(defs, callee->kids[0]);
    }
    return snoopi__package_number(o->packages, tn->module);
}

// What the code of an instance calls, and did not get with its arguments, it names.
void snoopi__owners_learn_call(snoopi__owners *o, uint32_t caller, uint32_t callee)
{
    snoopi__packages *packages = o->packages;
    const uint16_t who = package_of_instance(o, caller);
    const uint16_t whom = package_of_callee(o, callee);
    if (!who || !whom || who == whom || packages->kind[who] != PACKAGE_OTHER ||
        packages->kind[whom] != PACKAGE_OTHER ||
        snoopi__package_in_set(&packages->known[who], whom)) {
        return;
    }
    snoopi__package_set set = {0};
    if (snoopi__packages_in(packages, o->defs->instances[caller].spec, &set) &&
        !snoopi__package_in_set(&set, whom)) {
        snoopi__packages_learn(packages, who, whom);
    }
}

// The package whose code triggered a root: the nearest on the stack that is not Julia's own.
static uint16_t calling_package(const snoopi__owners *o, const snoopi_frame *root)
{
    snoopi_trace *trace = o->trace;
    for (uint32_t i = 0; i < root->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(trace, root->stack[i]);
        const uint32_t id =
            code && code->n_places > 0 ? code->places[code->n_places - 1].instance : 0;
        const uint16_t package = id ? package_of_instance(o, id) : 0;
        if (package == 0 || o->packages->kind[package] == PACKAGE_SYSTEM) {
            continue;
        }
        const snoopi_instance *instance = snoopi_trace_instance(trace, id);
        if (instance && !snoopi__is_file_of_julia(instance->file, instance->raw_file)) {
            return o->packages->kind[package] == PACKAGE_OTHER ? package : 0;
        }
    }
    return 0;
}

void snoopi__owners_learn_root(snoopi__owners *o, const snoopi_frame *root)
{
    if (o->rules->keeps_foreign_methods && o->callers[root->instance] == 0) {
        o->callers[root->instance] = calling_package(o, root);
    }
}

// --- who may have it ---

static bool lose(snoopi_precompile_reason *why, snoopi_precompile_reason reason)
{
    *why = reason;
    return false;
}

bool snoopi__owners_find(snoopi__owners *o, uint32_t instance, uint32_t *module,
                         snoopi_precompile_reason *why)
{
    snoopi__packages *packages = o->packages;
    const snoopi__defs *defs = o->defs;
    const uint32_t of_method = snoopi__module_of(defs, instance);
    const uint16_t own = snoopi__package_number(packages, of_method);
    snoopi__package_set set = {0};
    if (own == 0) {
        return lose(why, SNOOPI_PRECOMPILE_LOST);
    }
    if (!snoopi__packages_in(packages, defs->instances[instance].spec, &set)) {
        return lose(why, SNOOPI_PRECOMPILE_NAME);
    }
    bool is_empty = true;
    for (uint16_t i = 1; i < packages->n; i++) {
        const bool is_in = snoopi__package_in_set(&set, i);
        is_empty = is_empty && !is_in;
        if ((is_in || i == own) && packages->kind[i] == PACKAGE_MAIN) {
            return lose(why, SNOOPI_PRECOMPILE_MAIN);
        }
    }
    const bool is_systems = packages->kind[own] == PACKAGE_SYSTEM;
    if (is_systems ? is_empty : snoopi__packages_knows_all(packages, own, &set)) {
        const uint16_t caller = is_systems ? o->callers[instance] : 0;
        const bool is_core =
            is_systems && !snoopi__string_is(defs, defs->modules[packages->root[own]].name, "Base");
        *module = caller ? packages->root[caller] : is_core && o->base ? o->base : of_method;
        return true;
    }
    if (is_systems && !o->rules->keeps_foreign_methods) {
        return lose(why, SNOOPI_PRECOMPILE_FOREIGN);
    }
    for (uint16_t i = 1; i < packages->n && o->rules->keeps_foreign_methods; i++) {
        if (snoopi__package_in_set(&set, i) && snoopi__packages_knows_all(packages, i, &set) &&
            snoopi__packages_knows(packages, i, own)) {
            *module = packages->root[i];
            return true;
        }
    }
    return lose(why, SNOOPI_PRECOMPILE_UNKNOWN);
}

// --- what precompile() takes ---

// Whether a type is one that values have. What was a supertype of something is not; that a type with parameters is, if nothing is
// known to be below it, is a guess.
static bool is_concrete(const snoopi__owners *o, uint32_t id, unsigned depth)
{
    enum { TUPLES_DEEP = 16 };
    const snoopi__defs *defs = o->defs;
    const def_node *node = snoopi__node(defs, id);
    const def_typename *tn = snoopi__typename(defs, node->a);
    if (node->form != WIRE_FORM_DATATYPE || depth == TUPLES_DEEP) {
        return false;
    }
    if (tn->flags & WIRE_TN_TUPLE) {
        for (uint32_t i = 0; i < node->n; i++) {
            if (!is_concrete(o, node->kids[i], depth + 1)) {
                return false;
            }
        }
        return !(node->flags & WIRE_DATATYPE_WRAPPER);
    }
    if (tn->flags & WIRE_TN_TYPE) {
        return node->n == 1 && snoopi__node(defs, node->kids[0])->form != WIRE_FORM_TYPEVAR;
    }
    return node->n > 0 ? !o->is_super[node->a] && !(tn->flags & WIRE_TN_VARARG)
                       : tn->flags & WIRE_TN_CONCRETE;
}

static bool is_vararg(const snoopi__defs *defs, uint32_t id)
{
    return snoopi__node(defs, id)->form == WIRE_FORM_VARARG ||
           snoopi__typename_of(defs, id)->flags & WIRE_TN_VARARG;
}

// Julia finds the method of a signature if it fits one only: so for types of values, and where it itself makes a type more general
// when it compiles, which are arguments that are functions, and many arguments.
bool snoopi__owners_is_definite(const snoopi__owners *o, uint32_t spec)
{
    const snoopi__defs *defs = o->defs;
    const def_node *tuple = snoopi__node(defs, spec);
    for (uint32_t i = 0; tuple->form == WIRE_FORM_DATATYPE && i < tuple->n; i++) {
        if (!is_concrete(o, tuple->kids[i], 0) &&
            !(i > 0 && snoopi__is_type(defs, tuple->kids[i], "Core", "Function")) &&
            !(i + 1 == tuple->n && is_vararg(defs, tuple->kids[i]))) {
            return false;
        }
    }
    return tuple->form == WIRE_FORM_DATATYPE;
}
