// SPDX-License-Identifier: MIT
//
// Definitions: strings, modules, files, type names, nodes, methods, instances. Types are walked
// with a stack of our own, children first, so a nesting of any depth costs no stack of the host.

#include "graph.h"

#include <string.h>

#include "agent.h"
#include "graph_private.h"
#include "intern.h"
#include "lock.h"
#include "memory.h"

enum {
    /* beyond the kinds of definitions, whose keys are addresses */
    KIND_NODE_CONTENT = WIRE_DEF_KINDS,
    KIND_TEXT_CONTENT,
    KIND_THUNK_CONTENT,
    KIND_FILE_CONTENT,
    INSTANCES_MAX = 1 << 22, /* that can be asked for later; address space only */
    WALK_MAX = 1 << 20,      /* things waiting while one type is walked */
    PARAMETERS_MAX = 1 << 16 /* of one type */
};

struct known_instance {
    jl_any instance;
    uint64_t check;
    jl_any result; /* the type that was last written */
};

static struct {
    struct segment_writer *writer;
    struct intern_table ids;
    uint32_t last_id[WIRE_DEF_KINDS];
    struct known_instance *instances; /* by id, INSTANCES_MAX */
    jl_any *walk;                     /* WALK_MAX entries */
    size_t walk_used;                 /* by walks that wait for an inner one */
    uint64_t epoch;                   /* number of the graph_begin() that holds */
    size_t n_children;                /* of the node that is being written */
    uint32_t children[PARAMETERS_MAX];
    uint8_t scratch[WIRE_STRING_MAX + 64];
} graph;

void graph_begin(struct segment_writer *writer)
{
    agent_lock_take(LOCK_DEFINITIONS, writer->os_tid);
    graph.writer = writer;
    graph.walk_used = 0;
    graph.epoch++;
}

/* Writes a definition whose payload is the id and then `fields`. */
uint32_t graph_define(uint32_t kind, const uint8_t *fields, size_t size)
{
    const uint32_t id = graph.last_id[kind] + 1;
    uint8_t *at = graph.scratch;

    /* `fields` may lie in scratch itself, behind the room that is kept for the id. */
    uint8_t head[10];
    const size_t head_size = (size_t)(put_varint(head, id) - head);
    if (head_size + size > sizeof graph.scratch) {
        return 0;
    }
    memmove(at + head_size, fields, size);
    memcpy(at, head, head_size);
    if (!segment_append(graph.writer, kind, at, head_size + size, 0)) {
        segment_header()->dropped_records++;
        return 0;
    }
    graph.last_id[kind] = id;
    return id;
}

/* Where to put fields that graph_graph_define() will take. */
uint8_t *graph_fields(void)
{
    return graph.scratch + 16;
}

uint32_t graph_find(jl_any object, uint32_t kind, uint64_t check)
{
    return intern_find(&graph.ids, intern_key(object, kind, check));
}

uint32_t graph_remember(jl_any object, uint32_t kind, uint64_t check, uint32_t id)
{
    if (id != 0) {
        (void)intern_put(&graph.ids, intern_key(object, kind, check), id);
    }
    return id;
}

uint64_t graph_mix(jl_any a, jl_any b)
{
    return intern_mix((uintptr_t)a, (uintptr_t)b);
}

/* A definition that is known by its content: equal fields, one id. */
static uint32_t define_once(uint32_t kind, uint32_t content_kind, const uint8_t *fields,
                            size_t size)
{
    const uint64_t key = intern_hash(fields, size, content_kind);
    uint32_t id = intern_find(&graph.ids, key);
    if (id == 0) {
        id = graph_define(kind, fields, size);
        if (id != 0) {
            (void)intern_put(&graph.ids, key, id);
        }
    }
    return id;
}

uint32_t graph_text(const char *text, size_t size)
{
    return define_once(WIRE_STRING, KIND_TEXT_CONTENT, (const uint8_t *)text,
                       size < WIRE_STRING_MAX ? size : WIRE_STRING_MAX);
}

uint32_t graph_symbol_string(jl_any symbol)
{
    uint32_t id = graph_find(symbol, WIRE_STRING, 0); /* symbols are never freed */
    if (id == 0) {
        const char *const name = julia.symbol_name(symbol);
        id = graph_remember(symbol, WIRE_STRING, 0, graph_text(name, strlen(name)));
    }
    return id;
}

uint32_t graph_file(const char *name)
{
    uint8_t fields[16];
    uint8_t *at = put_varint(fields, graph_text(name, strlen(name)));
    at = put_varint(at, 0);
    return define_once(WIRE_FILE, KIND_FILE_CONTENT, fields, (size_t)(at - fields));
}

uint32_t graph_module(jl_any module)
{
    jl_any const name = julia.module_name(module);
    const uint64_t check = (uint64_t)(uintptr_t)name;
    uint32_t id = graph_find(module, WIRE_MODULE, check);

    if (id == 0) {
        jl_any const parent = julia.module_parent(module);
        /* Base is a child of Main by its fields, but stands on its own for everybody who reads
         * its name. */
        const bool is_root = parent == NULL || parent == module || module == julia.base ||
                             module == julia.core ||
                             (module == julia.compiler && julia.row->compiler_is_root);
        const uint32_t parent_id = is_root ? 0 : graph_module(parent);
        const uint32_t name_id = graph_symbol_string(name);
        uint8_t *const fields = graph_fields();
        uint8_t *at = put_varint(fields, name_id);
        at = put_varint(at, parent_id);
        at = put_varint(at, module == julia.main ? WIRE_MODULE_MAIN : 0);
        id = graph_remember(module, WIRE_MODULE, check,
                            graph_define(WIRE_MODULE, fields, (size_t)(at - fields)));
    }
    return id;
}

jl_any graph_unwrap(jl_any type)
{
    while (type_of(type) == julia.unionall_type) {
        type = load_ptr(type, julia.at.ua_body);
    }
    return type;
}

uint32_t graph_node(const uint8_t *fields, size_t size)
{
    return define_once(WIRE_NODE, KIND_NODE_CONTENT, fields, size);
}

uint32_t graph_cut(void)
{
    const uint8_t form = WIRE_FORM_CUT;
    return graph_node(&form, 1);
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
    /* a value: known by address for this walk only */
    return graph_mix(type, (jl_any)(uintptr_t)graph.epoch);
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
    return graph_find(object, WIRE_NODE, node_check(object, type_of(object)));
}

/*
 * Looks up the children of `object`. Their ids go to graph.children when all have one; those
 * without go on the walk, from `n` on. Returns the new length of the walk: `n` when there is
 * nothing to wait for.
 */
static size_t gather_children(jl_any object, jl_any type, size_t n)
{
    graph.n_children = 0;
    while (n < WALK_MAX) {
        jl_any const child = child_of(object, type, graph.n_children);
        if (child == NULL) {
            break;
        }
        const uint32_t id = find_node(child);
        graph.children[graph.n_children++] = id;
        if (id == 0) {
            graph.walk[n++] = child;
        }
    }
    return n;
}

static uint8_t *put_children(uint8_t *at)
{
    for (size_t i = 0; i < graph.n_children; i++) {
        at = put_varint(at, graph.children[i]);
    }
    return at;
}

static uint32_t write_datatype(jl_any datatype)
{
    jl_any const name = load_ptr(datatype, julia.at.dt_name);
    const uint32_t name_id = graph_typename(name);
    uint32_t flags = 0;

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
    at = put_varint(at, graph.n_children);
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
        for (size_t i = graph.n_children; i < 2; i++) {
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
 * which has none yet. */
static uint32_t walk_down(size_t base)
{
    size_t n = base + 1;
    uint32_t id = 0;

    while (n > base) {
        jl_any const object = graph.walk[n - 1];
        jl_any const type = type_of(object);
        const size_t more = gather_children(object, type, n);

        if (more > n && more < WALK_MAX) {
            n = more; /* this one is met again behind its children */
            continue;
        }
        graph.walk_used = n;
        id = more < WALK_MAX ? write_node(object, type) : graph_cut();
        if (graph_remember(object, WIRE_NODE, node_check(object, type), id) == 0) {
            return 0;
        }
        /* What stands below may have been written meanwhile, as a part of something else. */
        do {
            n--;
        } while (n > base && find_node(graph.walk[n - 1]) != 0);
    }
    return id;
}

void graph_prepare(void)
{
    (void)intern_reserve(&graph.ids);
    if (graph.walk == NULL) {
        graph.walk = memory_map(WALK_MAX * sizeof(jl_any));
        graph.instances = memory_map(INSTANCES_MAX * sizeof *graph.instances);
    }
}

uint32_t graph_type(jl_any root)
{
    uint32_t id = find_node(root);
    const size_t base = graph.walk_used;

    if (id != 0) {
        return id;
    }
    if (base >= WALK_MAX || graph.walk == NULL) {
        return graph_cut();
    }
    graph.walk[base] = root;
    id = walk_down(base);
    graph.walk_used = base;
    return id;
}

static uint32_t graph_method(jl_any method)
{
    jl_any const symbol = load_ptr(method, julia.at.m_name);
    jl_any const sig = load_ptr(method, julia.at.m_sig);
    const uint64_t check = graph_mix(symbol, sig);
    uint32_t id = graph_find(method, WIRE_METHOD, check);

    if (id == 0) {
        const uint32_t name = graph_symbol_string(symbol);
        const uint32_t module = graph_module(load_ptr(method, julia.at.m_module));
        const uint32_t file = graph_file(julia.symbol_name(load_ptr(method, julia.at.m_file)));
        const uint32_t sig_id = graph_type(sig);
        uint32_t flags = 0;

        flags |= load_u8(method, julia.at.m_isva) != 0 ? WIRE_METHOD_VARARG : 0;
        flags |= load_ptr(method, julia.at.m_generator) != NULL ? WIRE_METHOD_GENERATED : 0;
        uint8_t *const fields = graph_fields();
        uint8_t *at = put_varint(fields, name);
        at = put_varint(at, module);
        at = put_varint(at, file);
        at = put_svarint(at, load_i32(method, julia.at.m_line));
        at = put_varint(at, load_u64(method, julia.at.m_world));
        at = put_varint(at, flags);
        at = put_varint(at, (uint32_t)load_i32(method, julia.at.m_nargs));
        at = put_varint(at, sig_id);
        id = graph_remember(method, WIRE_METHOD, check,
                            graph_define(WIRE_METHOD, fields, (size_t)(at - fields)));
    }
    return id;
}

/* The same from its DebugInfo; that of code which is not made by a macro names a file itself. What stands for statement 0 is the
 * line that all of it begins at. */
static bool place_in_debuginfo(jl_any info, jl_any *file, int64_t *line)
{
    *file = load_ptr(info, julia.at.debuginfo_def);
    if (*file == NULL || type_of(*file) != julia.symbol_type) {
        return false;
    }
    for (jl_any table = load_ptr(info, julia.at.debuginfo_table);
         table != NULL && table != julia.nothing;
         table = load_ptr(info, julia.at.debuginfo_table)) {
        info = table;
    }
    *line = julia.uncompress_code_place(load_ptr(info, julia.at.debuginfo_places), 0).line;
    *line = *line > 0 ? *line : 0;
    return true;
}

/* Where a thunk's code stands: the first line of its CodeInfo that names a file. */
static bool thunk_place(jl_any source, jl_any *file, int64_t *line)
{
    if (source == NULL || type_of(source) != julia.code_info_type) {
        return false;
    }
    if (julia.row->has_debuginfo) {
        return place_in_debuginfo(load_ptr(source, julia.at.codeinfo_debuginfo), file, line);
    }
    jl_any const table = load_ptr(source, julia.at.codeinfo_linetable);
    if (table == NULL || type_of(table) != julia.array_any_type || array_length(table) == 0) {
        return false;
    }
    jl_any const entry = ((jl_any *)array_data(table))[0];
    if (entry == NULL || type_of(entry) != julia.line_type) {
        return false;
    }
    *file = load_ptr(entry, julia.at.line_file);
    *line = julia.at.line_line_size == sizeof(int32_t)
                ? load_i32(entry, julia.at.line_line)
                : (int64_t)load_u64(entry, julia.at.line_line);
    return true;
}

void graph_expect_instance(jl_any instance)
{
    const uint64_t check =
        graph_mix(load_ptr(instance, julia.at.mi_def), load_ptr(instance, julia.at.mi_spec));
    intern_expect(&graph.ids, intern_key(instance, WIRE_INSTANCE, check));
}

uint32_t graph_instance(jl_any instance, jl_any thunk_source)
{
    jl_any const def = load_ptr(instance, julia.at.mi_def);
    jl_any const spec = load_ptr(instance, julia.at.mi_spec);
    const uint64_t check = graph_mix(def, spec);
    uint8_t *const fields = graph_fields();
    uint8_t *at = NULL;

    if (type_of(def) == julia.method_type) {
        uint32_t id = graph_find(instance, WIRE_INSTANCE, check);
        if (id != 0) {
            return id;
        }
        const uint32_t method = graph_method(def);
        const uint32_t node = graph_type(spec);
        at = put_varint(fields, WIRE_INSTANCE_METHOD);
        at = put_varint(at, method);
        at = put_varint(at, node);
        id = graph_define(WIRE_INSTANCE, fields, (size_t)(at - fields));
        if (graph.instances != NULL && id < INSTANCES_MAX) {
            graph.instances[id] = (struct known_instance){instance, check, NULL};
        }
        return graph_remember(instance, WIRE_INSTANCE, check, id);
    }
    jl_any file = NULL;
    int64_t line = 0;
    const uint32_t module = graph_module(def);
    const uint32_t file_id =
        thunk_place(thunk_source, &file, &line) ? graph_file(julia.symbol_name(file)) : 0;
    at = put_varint(fields, WIRE_INSTANCE_TOPLEVEL);
    at = put_varint(at, module);
    at = put_varint(at, file_id);
    at = put_svarint(at, line);
    return define_once(WIRE_INSTANCE, KIND_THUNK_CONTENT, fields, (size_t)(at - fields));
}

/* The collector never gives the pages of small objects back, so that what was freed can be looked at; and what it keeps
 * there in place of an object has no type. */
jl_any graph_live_instance(uint32_t id)
{
    if (graph.instances == NULL || id == 0 || id >= INSTANCES_MAX) {
        return NULL;
    }
    jl_any const instance = graph.instances[id].instance;
    const bool is_alive =
        instance != NULL && type_of(instance) == julia.method_instance_type &&
        graph_mix(load_ptr(instance, julia.at.mi_def), load_ptr(instance, julia.at.mi_spec)) ==
            graph.instances[id].check;
    return is_alive ? instance : NULL;
}

void graph_result(struct segment_writer *writer, uint32_t id, jl_any type)
{
    struct known_instance *const known = &graph.instances[id];
    uint8_t payload[20];

    if (known->result == type) {
        return;
    }
    graph_begin(writer);
    const uint32_t node = graph_type(type);
    const uint8_t *const end = put_varint(put_varint(payload, id), node);
    if (node == 0) {
        /* counted already */
    } else if (segment_append(writer, WIRE_RESULT, payload, (size_t)(end - payload), 0)) {
        known->result = type;
    } else {
        segment_header()->dropped_records++;
    }
    graph_end();
}

void graph_end(void)
{
    typename_write_pending();
    agent_lock_release(LOCK_DEFINITIONS);
}
