// SPDX-License-Identifier: MIT
// What varies in argument types. See shapes.h.
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS_MAX = 24, TYPES_SHOWN = 4, TYPE_BYTES = 60, NODES_MAX = 1000 };
enum { SPLIT_MAX = 4 }; // types that the compiler tries one after the other

snoopi__arguments snoopi__arguments_of(const snoopi__defs *defs, uint32_t instance)
{
    const snoopi__arguments none = {0};
    if (!snoopi__defs_has(defs, WIRE_INSTANCE, instance) ||
        defs->instances[instance].kind != WIRE_INSTANCE_METHOD) {
        return none;
    }
    uint32_t node = defs->instances[instance].spec;
    while (node && defs->nodes[node].form == WIRE_FORM_UNIONALL) {
        node = defs->nodes[node].b; // a body has a smaller id, so this ends
    }
    if (!node || defs->nodes[node].form != WIRE_FORM_DATATYPE) {
        return none;
    }
    return (snoopi__arguments){.types = defs->nodes[node].kids, .n = defs->nodes[node].n};
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t snoopi__count_distinct(uint32_t *scratch, size_t n)
{
    uint32_t distinct = 0;
    if (n > 0) {
        qsort(scratch, n, sizeof *scratch, compare_ids);
    }
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || scratch[i] != scratch[i - 1]) {
            scratch[distinct++] = scratch[i];
        }
    }
    return distinct;
}

// Whether a type itself says nothing exact of its values: Any, Real, a Union, AbstractArray{Int64,1}.
static bool is_abstract(const snoopi__defs *defs, const def_node *node)
{
    switch (node->form) {
    case WIRE_FORM_UNION:
    case WIRE_FORM_UNIONALL: return true;
    case WIRE_FORM_DATATYPE:
        if (defs->typenames[node->a].flags & (WIRE_TN_TUPLE | WIRE_TN_TYPE)) {
            return false;
        }
        return defs->typenames[node->a].flags & WIRE_TN_ABSTRACT ||
               (node->n == 0 && !(defs->typenames[node->a].flags & WIRE_TN_CONCRETE));
    default: return false;
    }
}

// A Union of nothing and one more is split, and costs nothing.
static bool is_small_union(const snoopi__defs *defs, const def_node *node)
{
    return node->form == WIRE_FORM_UNION && !is_abstract(defs, &defs->nodes[node->a]) &&
           !is_abstract(defs, &defs->nodes[node->b]);
}

// `Vararg{T,N} where N` is a number of arguments, `Type{T} where T` a type: neither is a value of unknown type.
static bool is_no_value(const snoopi__defs *defs, const def_node *node)
{
    while (node->form == WIRE_FORM_UNIONALL) {
        node = &defs->nodes[node->b]; // a smaller id, so this ends
    }
    return node->form == WIRE_FORM_VARARG ||
           (node->form == WIRE_FORM_DATATYPE &&
            defs->typenames[node->a].flags & (WIRE_TN_VARARG | WIRE_TN_TYPE));
}

// `left`: nodes that may still be looked at, since a type may hold the same one in very many places.
static uint32_t abstract_within(const snoopi__defs *defs, uint32_t id, unsigned *left,
                                uint32_t *holder)
{
    const def_node *node = &defs->nodes[id];
    if (is_no_value(defs, node)) {
        return 0;
    }
    if (is_abstract(defs, node)) {
        *holder = id;
        return is_small_union(defs, node) ? 0 : id;
    }
    const bool is_leaf = node->form != WIRE_FORM_DATATYPE;
    for (uint32_t i = 0; !is_leaf && i<node->n && * left> 0; i++) {
        --*left;
        const uint32_t part = abstract_within(defs, node->kids[i], left, holder);
        if (part) {
            *holder = *holder == node->kids[i] && part == *holder ? id : *holder;
            return part;
        }
    }
    return 0;
}

uint32_t snoopi__abstract_part(const snoopi__defs *defs, uint32_t node, uint32_t *holder)
{
    unsigned left = NODES_MAX;
    return abstract_within(defs, node, &left, holder);
}

bool snoopi__has_abstract(const snoopi__defs *defs, uint32_t instance)
{
    const snoopi__arguments a = snoopi__arguments_of(defs, instance);
    uint32_t holder;
    uint32_t i = 1;
    while (i < a.n && !snoopi__abstract_part(defs, a.types[i], &holder)) {
        i++;
    }
    return i < a.n;
}

bool snoopi__takes_abstract(const snoopi__defs *defs, uint32_t instance)
{
    const snoopi__arguments a = snoopi__arguments_of(defs, instance);
    uint32_t i = 1;
    while (i < a.n && !snoopi__is_loose(defs, a.types[i])) {
        i++;
    }
    return i < a.n;
}

static bool is_tuple(const snoopi__defs *defs, const def_node *node)
{
    return node->form == WIRE_FORM_DATATYPE && defs->typenames[node->a].flags & WIRE_TN_TUPLE;
}

static const def_node *unwrapped(const snoopi__defs *defs, uint32_t type)
{
    const def_node *node = &defs->nodes[type];
    while (node->form == WIRE_FORM_UNIONALL) {
        node = &defs->nodes[node->b]; // a smaller id, so this ends
    }
    return node;
}

static bool is_vararg(const snoopi__defs *defs, uint32_t type)
{
    const def_node *const node = unwrapped(defs, type);
    return node->form == WIRE_FORM_VARARG ||
           (node->form == WIRE_FORM_DATATYPE && defs->typenames[node->a].flags & WIRE_TN_VARARG);
}

// Counts the types that a Union is of; more than SPLIT_MAX if one of them is loose, or too much would have to be looked at.
static unsigned count_members(const snoopi__defs *defs, uint32_t type, unsigned *left)
{
    const def_node *const node = &defs->nodes[type];
    if (*left == 0) {
        return SPLIT_MAX + 1;
    }
    --*left;
    if (node->form == WIRE_FORM_UNION) {
        const unsigned n = count_members(defs, node->a, left);
        return n > SPLIT_MAX ? n : n + count_members(defs, node->b, left);
    }
    bool is_loose = !is_no_value(defs, node) && is_abstract(defs, node);
    for (uint32_t i = 0; is_tuple(defs, node) && i < node->n && !is_loose; i++) {
        is_loose =
            is_vararg(defs, node->kids[i]) || count_members(defs, node->kids[i], left) > SPLIT_MAX;
    }
    return is_loose ? SPLIT_MAX + 1 : 1;
}

bool snoopi__is_loose(const snoopi__defs *defs, uint32_t type)
{
    unsigned left = NODES_MAX;
    return count_members(defs, type, &left) > SPLIT_MAX;
}

bool snoopi__is_any(const snoopi__defs *defs, uint32_t type)
{
    const def_node *const node = &defs->nodes[type];
    return node->form == WIRE_FORM_DATATYPE && defs->typenames[node->a].super == 0 &&
           strcmp(snoopi__defs_text(defs, defs->typenames[node->a].name), "Any") == 0;
}

static bool may_be(const snoopi__defs *defs, const def_node *value, uint32_t type, unsigned *left)
{
    const def_node *const node = unwrapped(defs, type);
    if (*left == 0) {
        return false;
    }
    --*left;
    if (node->form == WIRE_FORM_UNION) {
        return may_be(defs, value, node->a, left) || may_be(defs, value, node->b, left);
    }
    if (node->form != WIRE_FORM_DATATYPE || snoopi__is_any(defs, type)) {
        return node->form == WIRE_FORM_DATATYPE;
    }
    uint32_t name = value->form == WIRE_FORM_DATATYPE ? value->a : 0;
    while (name && name != node->a) {
        name = defs->typenames[name].super; // a smaller id
    }
    bool is_part = name != 0;
    for (uint32_t i = 0; is_tuple(defs, node) && i < node->n && !is_part; i++) {
        is_part = may_be(defs, value, node->kids[i], left);
    }
    return is_part;
}

bool snoopi__may_be(const snoopi__defs *defs, uint32_t value, uint32_t type)
{
    unsigned left = NODES_MAX;
    return may_be(defs, unwrapped(defs, value), type, &left);
}

const char *snoopi__boxes_of(const snoopi__defs *defs, uint32_t instance)
{
    const snoopi__arguments a = snoopi__arguments_of(defs, instance);
    const def_node *type = a.n > 0 ? &defs->nodes[a.types[0]] : NULL;
    const uint32_t boxes =
        type && type->form == WIRE_FORM_DATATYPE ? defs->typenames[type->a].boxes : 0;
    return boxes ? snoopi__defs_text(defs, boxes) : NULL;
}

uint32_t snoopi__keyword_names(const snoopi__defs *defs, uint32_t node)
{
    const def_node *def = &defs->nodes[node];
    const bool is_named = def->form == WIRE_FORM_DATATYPE && def->n == 2 &&
                          defs->typenames[def->a].flags & WIRE_TN_NAMEDTUPLE;
    return is_named ? def->kids[0] : 0;
}

const char *snoopi__type_text(snoopi__findings *findings, uint32_t node)
{
    const char *text = snoopi_trace_node_text(findings->trace, node);
    size_t length = strlen(text);
    if (length <= TYPE_BYTES) {
        return text;
    }
    length = TYPE_BYTES;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--; // not within a character
    }
    return snoopi__findings_text(findings, "%.*s…", (int)length, text);
}

uint32_t *snoopi__types_at(snoopi__findings *findings, const uint32_t *instances, size_t n,
                           uint32_t position, uint32_t *n_types)
{
    uint32_t *types = calloc(n + 1, sizeof *types);
    size_t found = 0;
    if (!types) {
        findings->has_failed = true;
        *n_types = 0;
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const snoopi__arguments a = snoopi__arguments_of(findings->defs, instances[i]);
        if (position < a.n) {
            types[found++] = a.types[position];
        }
    }
    *n_types = snoopi__count_distinct(types, found);
    return types;
}

uint32_t snoopi__count_positions(const snoopi__findings *findings, const uint32_t *instances,
                                 size_t n)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t has = snoopi__arguments_of(findings->defs, instances[i]).n;
        most = has > most ? has : most;
    }
    return most < POSITIONS_MAX ? most : POSITIONS_MAX;
}

static const char *list_types(snoopi__findings *findings, const uint32_t *types, uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; i < n && i < TYPES_SHOWN; i++) {
        text = snoopi__findings_text(findings, "%s%s%s", text, i ? ", " : "",
                                     snoopi__type_text(findings, types[i]));
    }
    if (n > TYPES_SHOWN) {
        text = snoopi__findings_text(findings, "%s and %u more", text, n - TYPES_SHOWN);
    }
    return text;
}

uint32_t snoopi__tell_varying(snoopi__findings *findings, snoopi__finding *finding,
                              const uint32_t *instances, size_t n, const char *verb)
{
    const uint32_t positions = snoopi__count_positions(findings, instances, n);
    uint32_t varying = 0;
    for (uint32_t p = 0; p < positions; p++) {
        uint32_t n_types;
        uint32_t *types = snoopi__types_at(findings, instances, n, p, &n_types);
        if (n_types > 1) {
            const char *list = list_types(findings, types, n_types);
            varying++;
            if (p == 0) {
                snoopi__findings_evidence(findings, finding, "%u functions: %s", n_types, list);
            } else {
                snoopi__findings_evidence(findings, finding, "argument %u %s %u types: %s", p, verb,
                                          n_types, list);
            }
        }
        free(types);
    }
    return varying;
}

const char *snoopi__varying_positions(snoopi__findings *findings, const uint32_t *instances,
                                      size_t n)
{
    const uint32_t positions = snoopi__count_positions(findings, instances, n);
    const char *text = "";
    for (uint32_t p = 1; p < positions; p++) {
        uint32_t n_types;
        uint32_t *types = snoopi__types_at(findings, instances, n, p, &n_types);
        if (n_types > 1) {
            text = snoopi__findings_text(findings, "%s%s%u", text, *text ? ", " : "", p);
        }
        free(types);
    }
    return text;
}
