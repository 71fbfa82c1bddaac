// SPDX-License-Identifier: MIT
//
// Constant values as nodes: numbers, symbols, short strings, types, and immutable structs of them.
// All else is told by its type only, since looking into a thing that may change, or be large, is
// none of our business.

#include "graph.h"

#include <string.h>

#include "binding.h"

enum {
    BITS_MAX = 16,   /* bytes of a primitive value */
    TEXT_MAX = 64,   /* bytes of a String that are kept */
    FIELDS_MAX = 128 /* of a struct; the names of a NamedTuple are one */
};

static uint32_t with_type(uint32_t form, jl_any type)
{
    uint8_t fields[16];
    const uint32_t node = graph_type(type);
    uint8_t *at = put_varint(fields, form);
    at = put_varint(at, node);
    return graph_node(fields, (size_t)(at - fields));
}

/* The node of data of an immutable type, which may lie inside another value. */
static uint32_t data_node(void *data, jl_any type, int depth);

static bool is_bits(jl_any type)
{
    return type_of(type) == julia.datatype_type && load_flag(type, julia.at.dt_isbits);
}

/* The node of field `i` of a value at `data`: inline when its type is plain bits, a reference
 * when its type can't be inline. */
static uint32_t field_node(char *data, jl_any owner, size_t i, int depth)
{
    jl_any const type = svec_at(load_ptr(owner, julia.at.dt_types), i);
    char *const at = data + julia.get_field_offset(owner, (int)i + 1);

    if (is_bits(type)) {
        return data_node(at, type, depth);
    }
    const bool is_reference = type_of(type) == julia.datatype_type &&
                              (datatype_is_mutable(type) || datatype_is_abstract(type));
    jl_any const value = is_reference ? *(jl_any *)(void *)at : NULL;
    return value == NULL ? with_type(WIRE_FORM_OPAQUE, type) : value_node(value, depth);
}

static uint32_t struct_node(char *data, jl_any type, int depth)
{
    const size_t n = svec_length(load_ptr(type, julia.at.dt_types));
    uint8_t fields[16 + 5 * FIELDS_MAX];
    uint32_t nodes[FIELDS_MAX];

    if (depth <= 0 || n > FIELDS_MAX) {
        return with_type(WIRE_FORM_OPAQUE, type);
    }
    const uint32_t type_id = graph_type(type);
    for (size_t i = 0; i < n; i++) {
        nodes[i] = field_node(data, type, i, depth - 1);
    }
    uint8_t *at = put_varint(fields, WIRE_FORM_STRUCT);
    at = put_varint(at, type_id);
    at = put_varint(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_varint(at, nodes[i]);
    }
    return graph_node(fields, (size_t)(at - fields));
}

static uint32_t enum_node(jl_any type, uint32_t name, bool is_visible)
{
    uint8_t fields[24];
    const uint32_t node = graph_type(type);
    uint8_t *at = put_varint(fields, WIRE_FORM_ENUM);
    at = put_varint(at, node);
    at = put_varint(at, name);
    at = put_varint(at, is_visible ? WIRE_ENUM_VISIBLE : 0);
    return graph_node(fields, (size_t)(at - fields));
}

/* A value that Julia shows by name: an intrinsic function, or one of an Enum. 0 when it is
 * neither. */
static uint32_t value_with_name(const void *data, jl_any type, size_t size)
{
    jl_any const super = load_ptr(type, julia.at.dt_super);
    jl_any const super_name = load_ptr(load_ptr(super, julia.at.dt_name), julia.at.tn_name);

    if (type == julia.intrinsic_type) {
        int32_t number = 0;
        memcpy(&number, data, sizeof number);
        const char *const name = julia.intrinsic_name(number);
        return enum_node(type, graph_text(name, strlen(name)), false);
    }
    if (strcmp(julia.symbol_name(super_name), "Enum") != 0) {
        return 0;
    }
    jl_any const module = load_ptr(load_ptr(type, julia.at.dt_name), julia.at.tn_module);
    jl_any const symbol = binding_constant_name(module, type, data, size);
    return symbol == NULL
               ? 0
               : enum_node(type, graph_symbol_string(symbol), graph_is_visible(module, symbol));
}

static uint32_t data_node(void *data, jl_any type, int depth)
{
    const int32_t size = datatype_size(type);

    jl_any const types = load_ptr(type, julia.at.dt_types); /* made when first asked for */

    if (types != NULL && svec_length(types) > 0) {
        return struct_node(data, type, depth); /* also (nothing,), the only one of its type */
    }
    if (load_ptr(type, julia.at.dt_instance) != NULL) {
        return with_type(WIRE_FORM_SINGLETON, type);
    }
    if (size <= 0 || size > BITS_MAX) {
        return with_type(WIRE_FORM_OPAQUE, type);
    }
    const uint32_t named = value_with_name(data, type, (size_t)size);
    if (named != 0) {
        return named;
    }
    uint8_t fields[16 + BITS_MAX];
    const uint32_t node = graph_type(type);
    uint8_t *at = put_varint(fields, WIRE_FORM_BITS);
    at = put_varint(at, node);
    memcpy(at, data, (size_t)size);
    return graph_node(fields, (size_t)(at - fields) + (size_t)size);
}

/* A String: its length in bytes, then the bytes. */
static uint32_t text_node(jl_any string)
{
    const size_t whole = *(size_t *)string;
    size_t kept = whole < TEXT_MAX ? whole : TEXT_MAX;
    const char *const text = (const char *)string + sizeof(size_t);
    uint8_t fields[32];

    while (kept < whole && kept > 0 && ((uint8_t)text[kept] & 0xc0) == 0x80) {
        kept--; /* not inside a character */
    }
    const uint32_t id = graph_text(text, kept);
    uint8_t *at = put_varint(fields, WIRE_FORM_TEXT);
    at = put_varint(at, id);
    at = put_varint(at, whole);
    return graph_node(fields, (size_t)(at - fields));
}

static uint32_t named_node(uint32_t form, uint32_t id)
{
    uint8_t fields[16];
    uint8_t *at = put_varint(fields, form);
    at = put_varint(at, id);
    return graph_node(fields, (size_t)(at - fields));
}

uint32_t value_node(jl_any value, int depth)
{
    jl_any const type = type_of(value);

    if (graph_is_type(value) || type == julia.tvar_type) {
        return named_node(WIRE_FORM_CONST_TYPE, graph_type(value));
    }
    if (type == julia.symbol_type) {
        return named_node(WIRE_FORM_SYMBOL, graph_symbol_string(value));
    }
    if (type == julia.string_type) {
        return text_node(value);
    }
    if (type == julia.module_type) {
        return named_node(WIRE_FORM_MODULE, graph_module(value));
    }
    if (datatype_is_mutable(type)) {
        return with_type(WIRE_FORM_OPAQUE, type);
    }
    return data_node(value, type, depth);
}

uint32_t value_partial(jl_any partial, int depth)
{
    jl_any const type = load_ptr(partial, julia.at.partial_type);
    jl_any const parts = load_ptr(partial, julia.at.partial_fields);
    const size_t n = array_length(parts);
    uint8_t fields[16 + 5 * FIELDS_MAX];
    uint32_t nodes[FIELDS_MAX];

    if (depth <= 0 || n > FIELDS_MAX) {
        return with_type(WIRE_FORM_OPAQUE, type);
    }
    const uint32_t type_id = graph_type(type);
    for (size_t i = 0; i < n; i++) {
        jl_any const part = ((jl_any *)array_data(parts))[i];
        jl_any const part_type = part == NULL ? NULL : type_of(part);
        nodes[i] = part == NULL ? graph_cut()
                   : part_type == julia.const_type
                       ? value_node(load_ptr(part, julia.at.const_val), depth - 1)
                   : part_type == julia.partialstruct_type ? value_partial(part, depth - 1)
                   : graph_is_type(part)                   ? graph_type(part)
                                                           : graph_cut();
    }
    uint8_t *at = put_varint(fields, WIRE_FORM_PARTIAL);
    at = put_varint(at, type_id);
    at = put_varint(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_varint(at, nodes[i]);
    }
    return graph_node(fields, (size_t)(at - fields));
}
