// SPDX-License-Identifier: MIT
//
// Types as nodes. They are walked with a stack of our own, children first, so a nesting of any depth costs no stack of the host.

#include <stdint.h>

#include "intern.h"
#include "memory.h"
#include "record/graph_private.h"

enum {
    WALK_MAX = 1 << 20,      /* things waiting while one type is walked */
    PARAMETERS_MAX = 1 << 16 /* of one type */
};

static struct {
    jl_any *walk;        /* WALK_MAX entries */
    size_t walk_used;    /* by walks that wait for an inner one */
    uint64_t epoch;      /* number of the graph_begin() that holds */
    uint32_t tuple_name; /* id of the TypeName of most types */
    size_t n_children;   /* of the node that is being written */
    uint32_t children[PARAMETERS_MAX];
} nodes;

void typenode_prepare(void)
{
    if (nodes.walk == NULL) {
        nodes.walk = memory_map(WALK_MAX * sizeof(jl_any));
    }
}

void typenode_begin(void)
{
    nodes.walk_used = 0;
    nodes.epoch++;
}

jl_any graph_unwrap(jl_any type)
{
    while (type_of(type) == julia.unionall_type) {
        type = load_ptr(type, julia.at.ua_body);
    }
    return type;
}

bool graph_is_type(jl_any object)
{
    jl_any const type = type_of(object);
    return type == julia.datatype_type || type == julia.unionall_type ||
           type == julia.uniontype_type || type == julia.typeofbottom_type;
}

/* Whether an object of `type` is a Vararg; before 1.7 that is a DataType like others. */
static bool is_vararg(jl_any type)
{
    return julia.row->vararg_is_object && type == julia.vararg_type;
}

/* The words that make a node what it is, so that an address that was used again is noticed. */
static uint64_t node_check(jl_any object, jl_any type)
{
    if (type == julia.datatype_type) {
        return graph_mix(load_ptr(object, julia.at.dt_name),
                         load_ptr(object, julia.at.dt_parameters));
    }
    if (type == julia.unionall_type) {
        return graph_mix(load_ptr(object, julia.at.ua_var), load_ptr(object, julia.at.ua_body));
    }
    if (type == julia.uniontype_type) {
        return graph_mix(load_ptr(object, julia.at.un_a), load_ptr(object, julia.at.un_b));
    }
    if (is_vararg(type)) {
        return graph_mix(load_ptr(object, julia.at.vararg_type),
                         load_ptr(object, julia.at.vararg_count));
    }
    if (type == julia.tvar_type) {
        return graph_mix(load_ptr(object, julia.at.tv_lower), load_ptr(object, julia.at.tv_upper));
    }
    if (type == julia.symbol_type) {
        return 0; /* symbols are never freed */
    }
    if (type == julia.module_type) {
        return (uintptr_t)julia.module_name(object);
    }
    /* a value: known by address for this walk only */
    return graph_mix(type, (jl_any)(uintptr_t)nodes.epoch);
}

/* What a node is known by. */
static uint64_t node_key(jl_any object)
{
    jl_any const type = type_of(object);
    return type == julia.int64_type ? intern_key(type, KIND_INT64, load_u64(object, 0))
                                    : intern_key(object, WIRE_NODE, node_check(object, type));
}

/* Children of a node of the type graph; `i` counts from 0. NULL behind the last. */
static jl_any child_of(jl_any object, jl_any type, size_t i)
{
    if (type == julia.datatype_type) {
        jl_any const parameters = load_ptr(object, julia.at.dt_parameters);
        return i < svec_length(parameters) && i < PARAMETERS_MAX ? svec_at(parameters, i) : NULL;
    }
    if (i >= 2) {
        return NULL;
    }
    if (is_vararg(type)) {
        return load_ptr(object, i == 0 ? julia.at.vararg_type : julia.at.vararg_count);
    }
    if (type == julia.unionall_type) {
        return load_ptr(object, i == 0 ? julia.at.ua_var : julia.at.ua_body);
    }
    if (type == julia.uniontype_type) {
        return load_ptr(object, i == 0 ? julia.at.un_a : julia.at.un_b);
    }
    if (type == julia.tvar_type) {
        return load_ptr(object, i == 0 ? julia.at.tv_lower : julia.at.tv_upper);
    }
    return NULL;
}

static uint32_t find_node(jl_any object)
{
    return intern_find(&graph_ids, node_key(object));
}

/*
 * Looks up the children of `object`. Their ids go to nodes.children when all have one; those
 * without go on the walk, from `n` on. Returns the new length of the walk: `n` when there is
 * nothing to wait for. The entries of some are fetched at a time: each is a miss of the caches.
 */
static size_t gather_children(jl_any object, jl_any type, size_t n)
{
    enum { AT_A_TIME = 8 };
    size_t got = AT_A_TIME;

    nodes.n_children = 0;
    while (got == AT_A_TIME && n < WALK_MAX) {
        jl_any children[AT_A_TIME];
        uint64_t keys[AT_A_TIME];
        for (got = 0; got < AT_A_TIME; got++) {
            children[got] = child_of(object, type, nodes.n_children + got);
            if (children[got] == NULL) {
                break;
            }
            keys[got] = node_key(children[got]);
            intern_expect(&graph_ids, keys[got]);
        }
        for (size_t i = 0; i < got && n < WALK_MAX; i++) {
            const uint32_t id = intern_find(&graph_ids, keys[i]);
            nodes.children[nodes.n_children++] = id;
            if (id == 0) {
                nodes.walk[n++] = children[i];
            }
        }
    }
    return n;
}

static uint8_t *put_children(uint8_t *at)
{
    for (size_t i = 0; i < nodes.n_children; i++) {
        at = put_varint(at, nodes.children[i]);
    }
    return at;
}

static uint32_t write_datatype(jl_any datatype)
{
    jl_any const name = load_ptr(datatype, julia.at.dt_name);
    uint32_t name_id = name == julia.tuple_typename ? nodes.tuple_name : 0;
    uint32_t flags = 0;

    if (name_id == 0) {
        name_id = graph_typename(name);
        nodes.tuple_name = name == julia.tuple_typename ? name_id : nodes.tuple_name;
    }

    if (load_ptr(name, julia.at.tn_wrapper) == datatype) {
        flags |= WIRE_DATATYPE_WRAPPER;
    }
    if (load_ptr(datatype, julia.at.dt_instance) != NULL) {
        flags |= WIRE_DATATYPE_SINGLETON;
    }
    uint8_t *const fields = graph_fields();
    uint8_t *at = put_varint(fields, WIRE_FORM_DATATYPE);
    at = put_varint(at, name_id);
    at = put_varint(at, flags);
    at = put_varint(at, nodes.n_children);
    at = put_children(at);
    return graph_define(WIRE_NODE, fields, (size_t)(at - fields));
}

/* Whether a UnionAll is what the TypeName at its core calls its wrapper: `Array`, not
 * `Array{T,1} where T`. */
bool graph_is_wrapper(jl_any unionall)
{
    jl_any const core = graph_unwrap(unionall);
    if (type_of(core) != julia.datatype_type) {
        return false;
    }
    jl_any wrapper = load_ptr(load_ptr(core, julia.at.dt_name), julia.at.tn_wrapper);
    /* Equal as === has it: the same variables around the same body. */
    while (wrapper != NULL && wrapper != unionall && type_of(wrapper) == julia.unionall_type &&
           type_of(unionall) == julia.unionall_type &&
           load_ptr(wrapper, julia.at.ua_var) == load_ptr(unionall, julia.at.ua_var)) {
        wrapper = load_ptr(wrapper, julia.at.ua_body);
        unionall = load_ptr(unionall, julia.at.ua_body);
    }
    return wrapper == unionall;
}

/* A node whose children gather_children() has found. */
static uint32_t write_node(jl_any object, jl_any type)
{
    uint8_t *const fields = graph_fields();
    uint8_t *at = NULL;

    if (type == julia.datatype_type) {
        return write_datatype(object);
    }
    if (type == julia.unionall_type) {
        at = put_varint(fields, WIRE_FORM_UNIONALL);
        at = put_varint(at, graph_is_wrapper(object) ? WIRE_UNIONALL_WRAPPER : 0);
    } else if (type == julia.uniontype_type) {
        at = put_varint(fields, WIRE_FORM_UNION);
    } else if (type == julia.tvar_type) {
        const uint32_t name = graph_symbol_string(load_ptr(object, julia.at.tv_name));
        at = put_varint(fields, WIRE_FORM_TYPEVAR);
        at = put_varint(at, name);
    } else if (is_vararg(type)) {
        at = put_varint(fields, WIRE_FORM_VARARG);
        at = put_children(at);
        for (size_t i = nodes.n_children; i < 2; i++) {
            at = put_varint(at, 0);
        }
        return graph_define(WIRE_NODE, fields, (size_t)(at - fields));
    } else if (type == julia.typeofbottom_type) {
        at = put_varint(fields, WIRE_FORM_BOTTOM);
    } else {
        return value_node(object, 4);
    }
    at = put_children(at);
    return graph_define(WIRE_NODE, fields, (size_t)(at - fields));
}

/* Writes what is on the walk above `base`, children first; the node of the thing at `base`,
 * which has none yet, and is remembered if it will be met again. */
static uint32_t walk_down(size_t base, bool is_met_again)
{
    size_t n = base + 1;
    uint32_t id = 0;

    while (n > base) {
        jl_any const object = nodes.walk[n - 1];
        jl_any const type = type_of(object);
        const size_t more = gather_children(object, type, n);

        if (more > n && more < WALK_MAX) {
            n = more; /* this one is met again behind its children */
            continue;
        }
        nodes.walk_used = n;
        id = more < WALK_MAX ? write_node(object, type) : graph_cut();
        if (id == 0) {
            return 0;
        }
        if (n - 1 > base || is_met_again) {
            (void)intern_put(&graph_ids, node_key(object), id);
        }
        /* What stands below may have been written meanwhile, as a part of something else. */
        do {
            n--;
        } while (n > base && find_node(nodes.walk[n - 1]) != 0);
    }
    return id;
}

void typenode_expect(jl_any type)
{
    intern_expect(&graph_ids, node_key(type));
}

static uint64_t form_key(jl_any object, uint32_t form, uint64_t bits)
{
    const uint64_t check = node_check(object, type_of(object));
    return intern_key(object, KIND_FORM + form, bits == 0 ? check : intern_mix(check, bits));
}

void graph_expect_form(jl_any object, uint32_t form, uint64_t bits)
{
    intern_expect(&graph_ids, form_key(object, form, bits));
}

uint32_t graph_find_form(jl_any object, uint32_t form, uint64_t bits)
{
    return intern_find(&graph_ids, form_key(object, form, bits));
}

uint32_t graph_remember_form(jl_any object, uint32_t form, uint64_t bits, uint32_t id)
{
    if (id != 0) {
        (void)intern_put(&graph_ids, form_key(object, form, bits), id);
    }
    return id;
}

/* The node of a type that has none yet. */
static uint32_t write_type(jl_any root, bool is_met_again)
{
    const size_t base = nodes.walk_used;

    if (base >= WALK_MAX || nodes.walk == NULL) {
        return graph_cut();
    }
    nodes.walk[base] = root;
    const uint32_t id = walk_down(base, is_met_again);
    nodes.walk_used = base;
    return id;
}

uint32_t graph_type(jl_any root)
{
    const uint32_t id = find_node(root);
    return id != 0 ? id : write_type(root, true);
}

uint32_t typenode_of_arguments(jl_any spec, jl_any sig)
{
    return spec == sig ? graph_type(spec) : write_type(spec, false);
}
