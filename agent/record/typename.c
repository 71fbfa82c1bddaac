// SPDX-License-Identifier: MIT
//
// TypeNames as definitions, and what Julia's show asks of the modules that they are of: whether a name is
// seen, and by which other names a type goes (`Vector` for `Array{T,1}`).

#include "record/graph_private.h"

#include <string.h>

#include "julia/binding.h"

enum {
    SUPERS_MAX = 64,  /* of one chain */
    BOXES_BYTES = 512 /* of the names of variables that a closure has boxes of */
};

static uint32_t write_typename(jl_any name, int depth);

/* As most names of functions' types do, and none that Base or Core exports. */
static bool begins_with_hash(jl_any symbol)
{
    return julia.symbol_name(symbol)[0] == '#';
}

/* graph_is_visible() by what the module means by the name. */
static bool is_visible(jl_any module, jl_any symbol, struct binding_view here)
{
    if (here.owner == NULL || here.deprecated || begins_with_hash(symbol)) {
        return false;
    }
    struct binding_view there = module == julia.base ? here : binding_find(julia.base, symbol);
    if (!there.exported) {
        there = binding_find(julia.core, symbol);
    }
    if (there.exported && there.owner == NULL) {
        /* Exported, and not looked at by anybody yet: it will be found in a module that Base
         * uses and that exports it. */
        return here.exported && here.is_own && here.value != NULL;
    }
    return there.exported && there.owner == here.owner && there.value != NULL;
}

bool graph_is_visible(jl_any module, jl_any symbol)
{
    return !begins_with_hash(symbol) && is_visible(module, symbol, binding_find(module, symbol));
}

static bool is_exported_by_root(jl_any module, jl_any symbol)
{
    while (module != julia.base && module != julia.core) {
        jl_any const parent = julia.module_parent(module);
        if (parent == NULL || parent == module || parent == julia.main) {
            break;
        }
        module = parent;
    }
    return binding_find(module, symbol).exported;
}

static bool is_function_type(jl_any datatype)
{
    while (datatype != julia.function_type) {
        jl_any const super = load_ptr(datatype, julia.at.dt_super);
        if (super == NULL || super == datatype) {
            return false;
        }
        datatype = super;
    }
    return true;
}

static uint32_t typename_flags(jl_any name, jl_any module, jl_any symbol, jl_any table_symbol)
{
    jl_any const wrapper = load_ptr(name, julia.at.tn_wrapper);
    jl_any const datatype = wrapper == NULL ? NULL : graph_unwrap(wrapper);
    const bool concrete = wrapper != NULL && wrapper == datatype &&
                          type_of(datatype) == julia.datatype_type &&
                          load_flag(datatype, julia.at.dt_concrete);
    uint32_t flags = 0;

    if (module != NULL && graph_is_visible(module, symbol)) {
        flags |= WIRE_TN_VISIBLE;
    }
    if (module != NULL && table_symbol != NULL) {
        const struct binding_view binding = binding_find(module, table_symbol);
        jl_any const value = binding.value;
        flags |= binding.exported ? WIRE_TN_MT_EXPORTED : 0;
        if (is_visible(module, table_symbol, binding)) {
            flags |= WIRE_TN_MT_VISIBLE;
            flags |= is_exported_by_root(module, table_symbol) ? 0 : WIRE_TN_MT_ELSEWHERE;
        }
        /* DataType is of its own type, and no function for that. */
        if (value != NULL && type_of(value) == wrapper && wrapper != julia.datatype_type) {
            flags |= WIRE_TN_GLOBAL_FUNCTION;
        }
    }
    if (concrete) {
        flags |= WIRE_TN_CONCRETE;
    }
    if (datatype != NULL && type_of(datatype) == julia.datatype_type &&
        datatype_is_abstract(datatype)) {
        flags |= WIRE_TN_ABSTRACT;
    }
    if (datatype != NULL && type_of(datatype) == julia.datatype_type &&
        is_function_type(datatype)) {
        flags |= WIRE_TN_FUNCTION;
    }
    flags |= name == julia.tuple_typename ? WIRE_TN_TUPLE : 0;
    flags |= name == julia.type_typename ? WIRE_TN_TYPE : 0;
    flags |= name == julia.vararg_typename ? WIRE_TN_VARARG : 0;
    flags |= name == julia.unionall_typename ? WIRE_TN_UNIONALL : 0;
    flags |= name == julia.namedtuple_typename ? WIRE_TN_NAMEDTUPLE : 0;
    return flags;
}

/* Whether a type is Core.Box: what lowering puts a captured variable into when it is assigned more than once. */
static bool is_box(jl_any type)
{
    if (type == NULL || type_of(type) != julia.datatype_type) {
        return false;
    }
    jl_any const name = load_ptr(type, julia.at.dt_name);
    return load_ptr(name, julia.at.tn_module) == julia.core &&
           strcmp(julia.symbol_name(load_ptr(name, julia.at.tn_name)), "Box") == 0;
}

/* The string of the names of a closure's variables that are boxed, commas between; 0: none. */
static uint32_t boxes_of(jl_any name, uint32_t flags)
{
    jl_any const wrapper = load_ptr(name, julia.at.tn_wrapper);
    jl_any const datatype = (flags & WIRE_TN_FUNCTION) != 0 ? graph_unwrap(wrapper) : NULL;
    jl_any const types = datatype == NULL ? NULL : load_ptr(datatype, julia.at.dt_types);
    jl_any const names = load_ptr(name, julia.at.tn_names);
    char text[BOXES_BYTES];
    size_t size = 0;

    if (types == NULL || names == NULL) {
        return 0;
    }
    for (size_t i = 0; i < svec_length(types) && i < svec_length(names); i++) {
        if (is_box(svec_at(types, i))) {
            const char *const variable = julia.symbol_name(svec_at(names, i));
            const size_t length = strlen(variable);
            if (size + length + 2 > sizeof text) {
                break;
            }
            if (size > 0) {
                text[size++] = ',';
                text[size++] = ' ';
            }
            memcpy(text + size, variable, length);
            size += length;
        }
    }
    return size == 0 ? 0 : graph_text(text, size);
}

/* --- what types are shown by from Julia 1.6 on --- */

/* Whether `name` of a module, bound to `value`, is a name of its own for a type: `Vector`, but not `Int`. */
static bool is_alias(jl_any value)
{
    jl_any const type = type_of(value);
    if (type == julia.unionall_type) {
        return !graph_is_wrapper(value);
    }
    if (type == julia.datatype_type) {
        return load_ptr(load_ptr(value, julia.at.dt_name), julia.at.tn_wrapper) != value;
    }
    return type == julia.uniontype_type;
}

static void write_alias(jl_any module, jl_any symbol, jl_any value)
{
    if (!is_alias(value)) {
        return;
    }
    const uint32_t node = graph_type(value);
    const uint32_t name = graph_symbol_string(symbol);
    const uint32_t module_id = graph_module(module);
    uint8_t fields[64];
    uint8_t *at = put_varint(fields, WIRE_FORM_ALIAS);
    at = put_varint(at, node);
    at = put_varint(at, name);
    at = put_varint(at, module_id);
    at = put_varint(at, graph_is_visible(module, symbol) ? WIRE_ALIAS_VISIBLE : 0);
    (void)graph_node(fields, (size_t)(at - fields));
}

void typename_write_aliases(jl_any module)
{
    binding_each_constant(module, write_alias);
}

/* Sees to it that what the TypeName's types may be shown by gets written as well. */
static void want_aliases(jl_any wrapper, jl_any module)
{
    if (!julia.row->shows_aliases) {
        return;
    }
    if (wrapper != NULL && type_of(wrapper) == julia.unionall_type) {
        graph_later(wrapper);
    }
    for (jl_any of = module; of != NULL; of = of == julia.core ? julia.base : NULL) {
        if (graph_find(of, KIND_ALIASES_OF, 0) == 0) {
            (void)graph_remember(of, KIND_ALIASES_OF, 0, 1);
            graph_later(of);
        }
    }
}

/* The id of the name of the supertype that a type was declared with; 0: Any. */
static uint32_t super_of(jl_any wrapper, int depth)
{
    jl_any const datatype = wrapper == NULL ? NULL : graph_unwrap(wrapper);

    if (!julia.row->shows_aliases || depth == 0 || datatype == NULL ||
        type_of(datatype) != julia.datatype_type) {
        return 0;
    }
    jl_any const super = load_ptr(datatype, julia.at.dt_super);
    /* Any is its own supertype. */
    if (super == NULL || super == datatype || load_ptr(super, julia.at.dt_super) == super) {
        return 0;
    }
    return write_typename(load_ptr(super, julia.at.dt_name), depth - 1);
}

/* What the functions are called that are of a type: the name of its method table, or what has taken the place of that. */
static jl_any table_name(jl_any name)
{
    jl_any const table = load_ptr(name, julia.at.tn_mt);
    return table == NULL || julia.row->one_method_table ? table : load_ptr(table, julia.at.mt_name);
}

static uint32_t write_typename(jl_any name, int depth)
{
    jl_any const symbol = load_ptr(name, julia.at.tn_name);
    jl_any const module = load_ptr(name, julia.at.tn_module);
    const uint64_t check = graph_mix(symbol, module);
    uint32_t id = graph_find(name, WIRE_TYPENAME, check);

    if (id == 0) {
        jl_any const table_symbol = table_name(name);
        const uint32_t symbol_id = graph_symbol_string(symbol);
        const uint32_t module_id = module == NULL ? 0 : graph_module(module);
        const uint32_t table_id = table_symbol == NULL ? 0 : graph_symbol_string(table_symbol);
        const uint32_t flags = typename_flags(name, module, symbol, table_symbol);
        jl_any const wrapper = load_ptr(name, julia.at.tn_wrapper);
        const uint32_t super_id = super_of(wrapper, depth);
        const uint32_t boxes_id = boxes_of(name, flags);
        uint8_t *const fields = graph_fields();
        uint8_t *at = put_varint(fields, symbol_id);
        at = put_varint(at, module_id);
        at = put_varint(at, table_id);
        at = put_varint(at, flags);
        at = put_varint(at, super_id);
        at = put_varint(at, boxes_id);
        id = graph_remember(name, WIRE_TYPENAME, check,
                            graph_define(WIRE_TYPENAME, fields, (size_t)(at - fields)));
        want_aliases(wrapper, module);
    }
    return id;
}

uint32_t graph_typename(jl_any name)
{
    return write_typename(name, SUPERS_MAX);
}
