// SPDX-License-Identifier: MIT
//
// Constant values as nodes: numbers, symbols, short strings, types, and immutable structs of them.
// All else is told by its type only, since looking into a thing that may change, or be large, is
// none of our business.

#include "record/graph.h"

#include <string.h>

#include "intern.h"
#include "julia/binding.h"

enum {
    BITS_MAX = 16,   /* bytes of a primitive value */
    TEXT_MAX = 64,   /* bytes of a String that are kept */
    FIELDS_MAX = 128 /* of a struct; the names of a NamedTuple are one */
};

static uint32_t named_node(uint32_t form, uint32_t id)
{
    uint8_t fields[16];
    uint8_t *at = put_varint(fields, form);
    at = put_varint(at, id);
    return graph_node(fields, (size_t)(at - fields));
}

static uint32_t with_type(uint32_t form, jl_any type)
{
    const uint32_t id = graph_find_form(type, form, 0);
    return id != 0 ? id : graph_remember_form(type, form, 0, named_node(form, graph_type(type)));
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

static uint32_t intrinsic_node(const void *data, jl_any type)
{
    int32_t number = 0;
    memcpy(&number, data, sizeof number);
    const char *const name = julia.intrinsic_name(number);
    return enum_node(type, graph_text(name, strlen(name)), false);
}

static bool is_enum(jl_any type)
{
    jl_any const super = load_ptr(type, julia.at.dt_super);
    jl_any const super_name = load_ptr(load_ptr(super, julia.at.dt_name), julia.at.tn_name);
    return strcmp(julia.symbol_name(super_name), "Enum") == 0;
}

/* A value of an Enum, by its name. 0 when it has none. */
static uint32_t member_node(const void *data, jl_any type, size_t size)
{
    jl_any const module = load_ptr(load_ptr(type, julia.at.dt_name), julia.at.tn_module);
    jl_any const symbol = binding_constant_name(module, type, data, size);
    return symbol == NULL
               ? 0
               : enum_node(type, graph_symbol_string(symbol), graph_is_visible(module, symbol));
}

static uint32_t bits_node(const void *data, jl_any type, size_t size)
{
    uint8_t fields[16 + BITS_MAX];
    const uint32_t node = graph_type(type);
    uint8_t *at = put_varint(fields, WIRE_FORM_BITS);
    at = put_varint(at, node);
    memcpy(at, data, size);
    return graph_node(fields, (size_t)(at - fields) + size);
}

/* What tells a value of a primitive type from others of it. */
static uint64_t bits_of(const void *data, size_t size)
{
    uint64_t words[BITS_MAX / 8] = {0};
    memcpy(words, data, size);
    return size <= sizeof words[0] ? words[0] : intern_mix(words[0], words[1]);
}

static uint32_t primitive_node(const void *data, jl_any type, size_t size)
{
    const uint64_t bits = bits_of(data, size);
    uint32_t id = graph_find_form(type, WIRE_FORM_BITS, bits);

    if (id != 0) {
        return id;
    }
    if (type == julia.intrinsic_type) {
        id = intrinsic_node(data, type);
    } else if (is_enum(type)) {
        id = member_node(data, type, size);
        if (id == 0) {
            return bits_node(data, type, size); /* it may get a name yet */
        }
    } else {
        id = bits_node(data, type, size);
    }
    return graph_remember_form(type, WIRE_FORM_BITS, bits, id);
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
    return primitive_node(data, type, (size_t)size);
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

/* The form of values that are known by their address; 0: of others. */
static uint32_t form_of(jl_any value, jl_any type)
{
    return graph_is_type(value) || type == julia.tvar_type ? WIRE_FORM_CONST_TYPE
           : type == julia.symbol_type                     ? WIRE_FORM_SYMBOL
                                                           : 0;
}

void value_expect(jl_any value)
{
    jl_any const type = type_of(value);
    const uint32_t form = form_of(value, type);

    if (form != 0) {
        graph_expect_form(value, form, 0);
    } else if (load_ptr(type, julia.at.dt_instance) == value) {
        graph_expect_form(type, WIRE_FORM_SINGLETON, 0);
    } else if (load_flag(type, julia.at.dt_isbits)) {
        const int32_t size = datatype_size(type);
        if (size > 0 && size <= BITS_MAX) {
            graph_expect_form(type, WIRE_FORM_BITS, bits_of(value, (size_t)size));
        }
    }
}

uint32_t value_node(jl_any value, int depth)
{
    jl_any const type = type_of(value);
    const uint32_t form = form_of(value, type);

    if (form != 0) {
        const uint32_t id = graph_find_form(value, form, 0);
        return id != 0 ? id
                       : graph_remember_form(value, form, 0,
                                             named_node(form, form == WIRE_FORM_SYMBOL
                                                                  ? graph_symbol_string(value)
                                                                  : graph_type(value)));
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
