// SPDX-License-Identifier: MIT
// See packages.h. A search over types keeps its own stack, and sees each node once.
#include "packages.h"

#include <stdlib.h>
#include <string.h>

#include "names/typegraph.h"

void snoopi__packages_clear(snoopi__packages *packages)
{
    free(packages->of_module);
    free(packages->root);
    free(packages->kind);
    free(packages->known);
    free(packages->reach);
    free(packages->has_reach);
    free(packages->seen);
    free(packages->stack);
    *packages = (snoopi__packages){0};
}

static snoopi__package_kind kind_of_root(const snoopi__defs *defs, const def_module *root)
{
    if (root->flags & WIRE_MODULE_MAIN || snoopi__string_is(defs, root->name, "Main")) {
        return PACKAGE_MAIN;
    }
    const bool is_system =
        snoopi__string_is(defs, root->name, "Core") || snoopi__string_is(defs, root->name, "Base");
    return is_system ? PACKAGE_SYSTEM : PACKAGE_OTHER;
}

// Parents have smaller ids, so one pass numbers all.
static void number_modules(snoopi__packages *packages)
{
    const snoopi__defs *defs = packages->defs;
    packages->n = 1;
    for (uint32_t id = 1; id < defs->n_modules; id++) {
        const uint32_t parent = defs->modules[id].parent;
        if (parent && parent < id) {
            packages->of_module[id] = packages->of_module[parent];
        } else if (packages->n < PACKAGES_MAX) {
            packages->root[packages->n] = id;
            packages->kind[packages->n] = (unsigned char)kind_of_root(defs, &defs->modules[id]);
            packages->of_module[id] = packages->n++;
        }
    }
}

static void learn_of_definitions(snoopi__packages *packages)
{
    const snoopi__defs *defs = packages->defs;
    for (uint32_t id = 1; id < defs->n_typenames; id++) {
        const def_typename *tn = &defs->typenames[id];
        snoopi__packages_learn(
            packages, snoopi__package_number(packages, tn->module),
            snoopi__package_number(packages, snoopi__typename(defs, tn->super)->module));
    }
    for (uint32_t id = 1; id < defs->n_methods; id++) {
        snoopi__package_set set = {0};
        const uint16_t who = snoopi__package_number(packages, defs->methods[id].module);
        if (who == 0 || packages->kind[who] != PACKAGE_OTHER) {
            continue;
        }
        (void)snoopi__packages_in(packages, defs->methods[id].sig, &set);
        for (size_t word = 0; word < PACKAGES_MAX / 64; word++) {
            packages->known[who].bits[word] |= set.bits[word];
        }
    }
}

bool snoopi__packages_init(snoopi__packages *packages, const snoopi__defs *defs)
{
    uint32_t n_roots = 1;
    for (uint32_t id = 1; id < defs->n_modules; id++) {
        const uint32_t parent = defs->modules[id].parent;
        n_roots += !(parent && parent < id);
    }
    n_roots = n_roots < PACKAGES_MAX ? n_roots : PACKAGES_MAX;
    packages->defs = defs;
    packages->steps_left = (1u << 26) + 64 * (uint64_t)defs->n_nodes;
    packages->of_module = calloc((size_t)defs->n_modules + 1, sizeof *packages->of_module);
    packages->root = calloc(n_roots, sizeof *packages->root);
    packages->kind = calloc(n_roots, sizeof *packages->kind);
    packages->known = calloc(n_roots, sizeof *packages->known);
    packages->reach = calloc(n_roots, sizeof *packages->reach);
    packages->has_reach = calloc(n_roots, sizeof *packages->has_reach);
    packages->seen = calloc((size_t)defs->n_nodes + 1, sizeof *packages->seen);
    packages->stack = calloc((size_t)defs->n_nodes + 1, sizeof *packages->stack);
    if (!packages->of_module || !packages->root || !packages->kind || !packages->known ||
        !packages->reach || !packages->has_reach || !packages->seen || !packages->stack) {
        return false;
    }
    number_modules(packages);
    learn_of_definitions(packages);
    return true;
}

// --- types ---

static void push(snoopi__packages *packages, size_t *n, uint32_t node)
{
    if (node < packages->defs->n_nodes && packages->seen[node] != packages->search) {
        packages->seen[node] = packages->search;
        packages->stack[(*n)++] = node;
    }
}

static void push_parts(snoopi__packages *packages, size_t *n, const def_node *node)
{
    switch (node->form) {
    case WIRE_FORM_UNIONALL:
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG:
        push(packages, n, node->a);
        push(packages, n, node->b);
        break;
    case WIRE_FORM_TYPEVAR:
        push(packages, n, node->b);
        push(packages, n, node->c);
        break;
    case WIRE_FORM_BITS:
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_PARTIAL:
    case WIRE_FORM_CONST_TYPE:
    case WIRE_FORM_ENUM: push(packages, n, node->a); break;
    default: break;
    }
    for (uint32_t i = 0; node->kids && i < node->n; i++) {
        push(packages, n, node->kids[i]);
    }
}

bool snoopi__packages_in(snoopi__packages *packages, uint32_t node, snoopi__package_set *set)
{
    const snoopi__defs *defs = packages->defs;
    size_t n = 0;
    if (++packages->search == 0) { // every number was used
        memset(packages->seen, 0, ((size_t)defs->n_nodes + 1) * sizeof *packages->seen);
        packages->search = 1;
    }
    push(packages, &n, node);
    for (; n > 0 && packages->steps_left > 0; packages->steps_left--) {
        const def_node *part = &defs->nodes[packages->stack[--n]];
        uint32_t module = 0;
        if (part->form == WIRE_FORM_DATATYPE) {
            module = snoopi__typename(defs, part->a)->module;
        } else if (part->form == WIRE_FORM_MODULE) {
            module = part->a;
        }
        const uint16_t package = snoopi__package_number(packages, module);
        if (package && packages->kind[package] != PACKAGE_SYSTEM) {
            set->bits[package / 64] |= UINT64_C(1) << package % 64;
        }
        push_parts(packages, &n, part);
    }
    return n == 0;
}

// --- who knows whom ---

void snoopi__packages_learn(snoopi__packages *packages, uint16_t who, uint16_t whom)
{
    if (who && whom && who != whom && packages->kind[who] == PACKAGE_OTHER &&
        packages->kind[whom] == PACKAGE_OTHER) {
        packages->known[who].bits[whom / 64] |= UINT64_C(1) << whom % 64;
    }
}

// Whom a package knows directly or through those it knows.
static const snoopi__package_set *reach_of(snoopi__packages *packages, uint16_t who)
{
    snoopi__package_set *reach = &packages->reach[who];
    if (packages->has_reach[who]) {
        return reach;
    }
    uint16_t stack[PACKAGES_MAX];
    size_t n = 0;
    packages->has_reach[who] = 1;
    reach->bits[who / 64] |= UINT64_C(1) << who % 64;
    stack[n++] = who;
    while (n > 0) {
        const snoopi__package_set *known = &packages->known[stack[--n]];
        for (size_t word = 0; word < PACKAGES_MAX / 64; word++) {
            uint64_t fresh = known->bits[word] & ~reach->bits[word];
            reach->bits[word] |= fresh;
            for (; fresh; fresh &= fresh - 1) {
                stack[n++] = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(fresh));
            }
        }
    }
    return reach;
}

bool snoopi__packages_knows(snoopi__packages *packages, uint16_t who, uint16_t whom)
{
    return who && whom &&
           (packages->kind[whom] == PACKAGE_SYSTEM || who == whom ||
            (packages->kind[who] == PACKAGE_OTHER &&
             snoopi__package_in_set(reach_of(packages, who), whom)));
}

bool snoopi__packages_knows_all(snoopi__packages *packages, uint16_t who,
                                const snoopi__package_set *set)
{
    const snoopi__package_set *reach = reach_of(packages, who);
    for (size_t word = 0; word < PACKAGES_MAX / 64; word++) {
        if (set->bits[word] & ~reach->bits[word]) {
            return false;
        }
    }
    return true;
}
