// SPDX-License-Identifier: MIT
//
// Definitions: strings, modules, files, methods, instances.

#include "record/graph.h"

#include <string.h>

#include "agent.h"
#include "intern.h"
#include "lock.h"
#include "memory.h"
#include "record/graph_private.h"

enum {
    ROOM_FOR_ID = 16,
    PENDING_MAX = 4096,
    INSTANCES_MAX = 1 << 22 /* that can be asked for later; address space only */
};

struct known_instance {
    jl_any instance;
    uint64_t check;
    jl_any result; /* the type that was last written */
};

static struct {
    struct segment_writer *writer;
    size_t n_pending;
    uint32_t last_id[WIRE_DEF_KINDS];
    struct known_instance *instances; /* by id, INSTANCES_MAX */
    jl_any pending[PENDING_MAX];      /* what is written later */
    uint8_t scratch[WIRE_STRING_MAX + 64];
} graph;

struct intern_table graph_ids;

void graph_begin(struct segment_writer *writer)
{
    agent_lock_take(LOCK_DEFINITIONS, writer->os_tid);
    graph.writer = writer;
    typenode_begin();
}

/* They lie behind room for the id that is put before them. */
uint8_t *graph_fields(void)
{
    return graph.scratch + ROOM_FOR_ID;
}

/* Writes a definition whose payload is the id and then `fields`. */
uint32_t graph_define(uint32_t kind, const uint8_t *fields, size_t size)
{
    const uint32_t id = graph.last_id[kind] + 1;
    uint8_t head[10];
    const size_t head_size = (size_t)(put_varint(head, id) - head);

    if (fields != graph_fields()) {
        if (size > sizeof graph.scratch - ROOM_FOR_ID) {
            return 0;
        }
        (void)put_bytes(graph_fields(), fields, size);
    }
    uint8_t *const at = graph_fields() - head_size;
    (void)put_bytes(at, head, head_size);
    if (!segment_append(graph.writer, kind, at, head_size + size, 0)) {
        segment_header()->dropped_records++;
        return 0;
    }
    graph.last_id[kind] = id;
    return id;
}

uint32_t graph_find(jl_any object, uint32_t kind, uint64_t check)
{
    return intern_find(&graph_ids, intern_key(object, kind, check));
}

uint32_t graph_remember(jl_any object, uint32_t kind, uint64_t check, uint32_t id)
{
    if (id != 0) {
        (void)intern_put(&graph_ids, intern_key(object, kind, check), id);
    }
    return id;
}

/* A definition that is known by its content: equal fields, one id. */
static uint32_t define_once(uint32_t kind, uint32_t content_kind, const uint8_t *fields,
                            size_t size)
{
    const uint64_t key = intern_hash(fields, size, content_kind);
    uint32_t id = intern_find(&graph_ids, key);
    if (id == 0) {
        id = graph_define(kind, fields, size);
        if (id != 0) {
            (void)intern_put(&graph_ids, key, id);
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

uint32_t graph_file_of(jl_any symbol)
{
    const uint32_t id = graph_find(symbol, WIRE_FILE, 0);
    return id != 0 ? id
                   : graph_remember(symbol, WIRE_FILE, 0, graph_file(julia.symbol_name(symbol)));
}

static uint32_t define_module(jl_any module, uint32_t parent_id)
{
    const uint32_t name_id = graph_symbol_string(julia.module_name(module));
    uint8_t *const fields = graph_fields();
    uint8_t *at = put_varint(fields, name_id);
    at = put_varint(at, parent_id);
    at = put_varint(at, module == julia.main ? WIRE_MODULE_MAIN : 0);
    return graph_define(WIRE_MODULE, fields, (size_t)(at - fields));
}

static bool is_root_compiler(jl_any module)
{
    return module == julia.compiler && julia.row->compiler_is_root;
}

/* What a module of `parent` is shown to be in: the compiler stands on its own, but its modules are those of Base's. */
static uint32_t graph_parent(jl_any parent)
{
    if (!is_root_compiler(parent)) {
        return graph_module(parent);
    }
    const uint32_t id = graph_find(parent, KIND_COMPILER_OF_BASE, 0);
    return id != 0 ? id
                   : graph_remember(parent, KIND_COMPILER_OF_BASE, 0,
                                    define_module(parent, graph_module(julia.base)));
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
                             module == julia.core || is_root_compiler(module);
        const uint32_t parent_id = is_root ? 0 : graph_parent(parent);
        id = graph_remember(module, WIRE_MODULE, check, define_module(module, parent_id));
    }
    return id;
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

void graph_prepare(void)
{
    (void)intern_reserve(&graph_ids);
    typenode_prepare();
    if (graph.instances == NULL) {
        graph.instances = memory_map(INSTANCES_MAX * sizeof *graph.instances);
    }
}

static uint64_t method_check(jl_any method)
{
    return graph_mix(load_ptr(method, julia.at.m_name), load_ptr(method, julia.at.m_sig));
}

static uint32_t graph_method(jl_any method)
{
    const uint64_t check = method_check(method);
    uint32_t id = graph_find(method, WIRE_METHOD, check);

    if (id == 0) {
        jl_any const sig = load_ptr(method, julia.at.m_sig);
        jl_any const symbol = load_ptr(method, julia.at.m_name);
        jl_any const file_symbol = load_ptr(method, julia.at.m_file);
        typenode_expect(sig);
        intern_expect(&graph_ids, intern_key(symbol, WIRE_STRING, 0));
        intern_expect(&graph_ids, intern_key(file_symbol, WIRE_FILE, 0));
        const uint32_t name = graph_symbol_string(symbol);
        const uint32_t module = graph_module(load_ptr(method, julia.at.m_module));
        const uint32_t file = graph_file_of(file_symbol);
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
    intern_expect(&graph_ids, intern_key(instance, WIRE_INSTANCE, check));
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
        intern_expect(&graph_ids, intern_key(def, WIRE_METHOD, method_check(def)));
        const uint32_t method = graph_method(def);
        const uint32_t node = typenode_of_arguments(spec, load_ptr(def, julia.at.m_sig));
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
    const uint32_t file_id = thunk_place(thunk_source, &file, &line) ? graph_file_of(file) : 0;
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

void graph_later(jl_any object)
{
    if (graph.n_pending < PENDING_MAX) {
        graph.pending[graph.n_pending++] = object; /* else a type is shown without its alias */
    }
}

void graph_end(void)
{
    while (graph.n_pending > 0) {
        jl_any const object = graph.pending[--graph.n_pending];
        if (type_of(object) == julia.module_type) {
            typename_write_aliases(object);
        } else {
            (void)graph_type(object);
        }
    }
    agent_lock_release(LOCK_DEFINITIONS);
}
