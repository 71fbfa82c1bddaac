// SPDX-License-Identifier: MIT
// What libsnoopi reads, in the lines that decode.py prints.
//
//   trace_tool dump FILE        processes, marks and frames of a trace or segment as JSON lines
//   trace_tool pack DIR FILE    packs the segments of a folder
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/handle.h"
#include "snoopi/pack.h"
#include "snoopi/trace.h"

static void put_bytes(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\') {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
}

static void put_key(const char *key)
{
    printf(", \"%s\": ", key);
}

static void put_text(const char *key, const char *text, size_t size)
{
    put_key(key);
    putchar('"');
    put_bytes(text, size);
    putchar('"');
}

static void put_string(const char *key, const snoopi__defs *defs, uint32_t id)
{
    const bool is_there = snoopi__defs_has(defs, WIRE_STRING, id);
    put_text(key, is_there ? defs->strings[id].text : "", is_there ? defs->strings[id].size : 0);
}

static void put_number(const char *key, uint64_t number)
{
    put_key(key);
    printf("%" PRIu64, number);
}

// --- processes ---

static void put_argv(const snoopi_process *p)
{
    put_key("argv");
    putchar('"');
    for (uint32_t i = 0; i < p->argc; i++) {
        put_bytes(i ? "\0" : "", i ? 1 : 0);
        put_bytes(p->argv[i], strlen(p->argv[i]));
    }
    putchar('"');
}

static void put_process(const snoopi_process *p)
{
    const struct {
        const char *key;
        uint64_t number;
    } numbers[] = {
        {"index", p->index},
        {"pid", p->pid},
        {"ppid", p->ppid},
        {"parent", (uint64_t)(p->parent + 1)},
        {"begin_ns", p->begin_ns},
        {"begin_real_ns", p->begin_real_ns},
        {"wall_ns", p->wall_ns},
        {"agent_start_ns", p->agent_start_ns},
        {"world_begin", p->world_begin},
        {"world_end", p->world_end},
        {"dropped_frames", p->dropped_frames},
        {"dropped_records", p->dropped_records},
        {"segment_bytes", p->segment_bytes},
        {"event_bytes", p->event_bytes},
        {"hook", p->hook},
        {"flags", (uint64_t)p->compiler_replaced + 2 * (uint64_t)!p->has_args +
                      4 * (uint64_t)!p->has_stacks},
        {"exit_kind", p->exit_kind},
        {"exit_value", (uint64_t)p->exit_value},
        {"complete", p->is_complete},
        {"frames", p->frames},
        {"roots", p->roots},
        {"inference_ns", p->inference_ns},
        {"busy_ns", p->busy_ns},
        {"outside_ns", p->outside_ns},
        {"tool_ns", p->tool_ns},
        {"gc_ns", p->gc_ns},
        {"instances", p->instances},
    };
    const struct {
        const char *key;
        const char *text;
    } texts[] = {{"julia", p->julia},
                 {"role", p->role},
                 {"bindir", p->bindir},
                 {"cwd", p->cwd},
                 {"exe", p->exe},
                 {"reason", p->reason},
                 {"hook_text", p->hook_text},
                 {"compile", p->compile_mode},
                 {"damage", p->damage}};
    printf("{\"row\": \"process\"");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        put_number(numbers[i].key, numbers[i].number);
    }
    put_argv(p);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_text(texts[i].key, texts[i].text, strlen(texts[i].text));
    }
    printf("}\n");
}

// --- frames ---

static void put_module_path(const snoopi__defs *defs, uint32_t module)
{
    if (module == 0) {
        return;
    }
    const def_module *def = &defs->modules[module];
    put_module_path(defs, def->parent);
    if (def->parent) {
        putchar('.');
    }
    if (def->name) {
        put_bytes(defs->strings[def->name].text, defs->strings[def->name].size);
    }
}

static void put_raw_file(const char *key, const snoopi__defs *defs, uint32_t file)
{
    put_string(key, defs, file ? defs->files[file].raw : 0);
}

// The method of an instance, or what a thunk has of one.
static def_method method_of(const snoopi__defs *defs, uint32_t id)
{
    const def_instance *instance = &defs->instances[id];
    if (instance->kind == WIRE_INSTANCE_TOPLEVEL) {
        return (def_method){
            .module = instance->module, .file = instance->file, .line = instance->line};
    }
    return instance->method ? defs->methods[instance->method] : (def_method){0};
}

static void put_instance(const snoopi__defs *defs, uint32_t id)
{
    const def_method of = method_of(defs, id);
    const def_method *method = &of;
    put_string("name", defs, method->name);
    put_key("module");
    putchar('"');
    put_module_path(defs, method->module);
    putchar('"');
    put_raw_file("raw_file", defs, method->file);
    put_key("line");
    printf("%" PRId32, method->line);
    put_number("method_world", method->world);
}

static void put_node(const snoopi__defs *defs, uint32_t id, int depth);

static void put_nodes(const snoopi__defs *defs, int depth, size_t n, const uint32_t *ids)
{
    for (size_t i = 0; i < n; i++) {
        putchar(' ');
        put_node(defs, ids[i], depth);
    }
}

static void put_word(const snoopi__defs *defs, uint32_t string)
{
    putchar(' ');
    if (string) {
        put_bytes(defs->strings[string].text, defs->strings[string].size);
    }
}

static void put_bits(const def_node *node)
{
    putchar(' ');
    for (uint32_t i = 0; i < node->n; i++) {
        printf("%02x", node->bits[i]);
    }
}

// The fields of a node in the order in which they are written (format.md 1.2).
static void put_node_fields(const snoopi__defs *defs, const def_node *node, int depth)
{
    switch (node->form) {
    case WIRE_FORM_DATATYPE:
        put_word(defs, defs->typenames[node->a].name);
        printf(" %u", node->flags);
        put_nodes(defs, depth, node->n, node->kids);
        break;
    case WIRE_FORM_UNIONALL:
        printf(" %u", node->flags);
        put_nodes(defs, depth, 2, (const uint32_t[]){node->a, node->b});
        break;
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG: put_nodes(defs, depth, 2, (const uint32_t[]){node->a, node->b}); break;
    case WIRE_FORM_TYPEVAR:
        put_word(defs, node->a);
        put_nodes(defs, depth, 2, (const uint32_t[]){node->b, node->c});
        break;
    case WIRE_FORM_BITS:
        put_nodes(defs, depth, 1, &node->a);
        put_bits(node);
        break;
    case WIRE_FORM_SYMBOL: put_word(defs, node->a); break;
    case WIRE_FORM_TEXT:
        put_word(defs, node->a);
        printf(" %" PRIu64, node->whole_length);
        break;
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_PARTIAL:
        put_nodes(defs, depth, 1, &node->a);
        put_nodes(defs, depth, node->n, node->kids);
        break;
    case WIRE_FORM_MODULE:
        putchar(' ');
        put_module_path(defs, node->a);
        break;
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_CONST_TYPE: put_nodes(defs, depth, 1, &node->a); break;
    case WIRE_FORM_ENUM:
        put_nodes(defs, depth, 1, &node->a);
        put_word(defs, node->b);
        printf(" %u", node->flags);
        break;
    case WIRE_FORM_ALIAS:
        put_nodes(defs, depth, 1, &node->a);
        put_word(defs, node->b);
        putchar(' ');
        put_module_path(defs, node->c);
        printf(" %u", node->flags);
        break;
    default: break;
    }
}

static void put_node(const snoopi__defs *defs, uint32_t id, int depth)
{
    if (id == 0) {
        putchar('0');
    } else if (depth == 0) {
        putchar('_');
    } else {
        printf("(%u", defs->nodes[id].form);
        put_node_fields(defs, &defs->nodes[id], depth - 1);
        putchar(')');
    }
}

static void put_flags(uint32_t flags)
{
    put_key("flags");
    putchar('[');
    const char *comma = "";
    for (uint32_t bit = 1; bit; bit <<= 1) {
        if (flags & bit) {
            printf("%s\"%s\"", comma, snoopi_flag_name(bit));
            comma = ", ";
        }
    }
    putchar(']');
}

static void put_place(const snoopi__defs *defs, const snoopi_place *place)
{
    printf("; ");
    put_bytes(place->name, strlen(place->name));
    putchar('@');
    put_bytes(place->raw_file, strlen(place->raw_file));
    printf(":%" PRIu32 "/%d", place->line,
           place->is_inlined + 2 * place->is_c + 4 * place->is_toplevel + 8 * place->is_entrance);
    if (place->instance) {
        const def_method method = method_of(defs, place->instance);
        put_word(defs, method.name);
        putchar(' ');
        put_module_path(defs, method.module);
        printf(" %" PRId32, method.line);
    }
}

static void put_stack(snoopi_trace *trace, const snoopi_frame *f)
{
    put_key("stack");
    putchar('[');
    for (uint32_t i = 0; i < f->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(trace, f->stack[i]);
        printf("%s\"", i ? ", " : "");
        if (code) {
            printf("%" PRIu64, code->address);
        }
        for (uint32_t j = 0; code && j < code->n_places; j++) {
            put_place(snoopi__trace_defs(trace), &code->places[j]);
        }
        putchar('"');
    }
    putchar(']');
    put_number("stack_cut", f->n_stack > 0 && f->is_stack_cut);
}

static void put_frame(snoopi_trace *trace, const snoopi_frame *f)
{
    enum { NODE_DEPTH = 4 };
    const snoopi__defs *defs = snoopi__trace_defs(trace);
    printf("{\"row\": \"frame\"");
    put_number("id", f->id);
    if (f->parent < 0) {
        printf(", \"parent\": null");
    } else {
        put_number("parent", (uint64_t)f->parent);
    }
    put_number("depth", f->depth);
    put_number("process", f->process);
    put_number("thread", f->thread);
    put_number("task", f->task);
    put_instance(defs, f->instance);
    put_number("begin_ns", f->begin_ns);
    put_number("end_ns", f->end_ns);
    put_number("total_ns", f->total_ns);
    put_number("self_ns", f->self_ns);
    put_number("gc_ns", f->gc_ns);
    put_flags(f->flags);
    put_number("instance", f->instance);
    put_key("args");
    putchar('[');
    for (uint32_t i = 0; i < f->n_args; i++) {
        printf("%s[%" PRIu32 ", \"", i ? ", " : "", f->args[i].position);
        put_node(defs, f->args[i].node, NODE_DEPTH);
        printf("\"]");
    }
    putchar(']');
    put_key("result");
    putchar('"');
    put_node(defs, defs->instances[f->instance].result, NODE_DEPTH);
    putchar('"');
    put_raw_file("top_file", defs, f->line_file);
    put_number("top_line", f->line);
    put_stack(trace, f);
    printf("}\n");
}

static int dump_process(snoopi_trace *trace, uint32_t index, snoopi_error *err)
{
    put_process(snoopi_trace_process(trace, index));
    for (uint32_t i = 0; i < snoopi_trace_n_marks(trace); i++) {
        const snoopi_mark *mark = snoopi_trace_mark(trace, i);
        if (mark->process == index) {
            printf("{\"row\": \"mark\"");
            put_number("process", index);
            put_number("time_ns", mark->time_ns);
            put_text("name", mark->name, strlen(mark->name));
            printf("}\n");
        }
    }
    for (uint32_t i = 0; i < snoopi_trace_n_invalidated(trace); i++) {
        const snoopi_invalidated *item = snoopi_trace_invalidated(trace, i);
        if (item->process == index) {
            printf("{\"row\": \"invalidated\"");
            put_number("process", index);
            put_instance(snoopi__trace_defs(trace), item->instance);
            put_number("world", item->world);
            printf("}\n");
        }
    }
    snoopi_walk *walk;
    snoopi_frame frame;
    int st = snoopi_walk_open(&walk, trace, index, err);
    if (st == 0) {
        while ((st = snoopi_walk_next(walk, &frame, err)) == 1) {
            put_frame(trace, &frame);
        }
    }
    snoopi_walk_close(walk);
    return st;
}

static int dump(const char *path, snoopi_error *err)
{
    snoopi_trace *trace;
    int st = snoopi_trace_open(&trace, path, err);
    if (st < 0) {
        return st;
    }
    for (uint32_t i = 0; i < snoopi_trace_n_processes(trace) && st == 0; i++) {
        st = dump_process(trace, i, err);
    }
    if (snoopi_trace_damage(trace)) {
        fprintf(stderr, "%s: %s\n", path, snoopi_trace_damage(trace));
    }
    snoopi_trace_close(trace);
    return st;
}

int main(int argc, char **argv)
{
    snoopi_error err = {0};
    int st;
    if (argc == 3 && strcmp(argv[1], "dump") == 0) {
        st = dump(argv[2], &err);
    } else if (argc == 4 && strcmp(argv[1], "pack") == 0) {
        st = snoopi_pack(argv[2], argv[3], NULL, NULL, &err);
    } else {
        fprintf(stderr, "usage: trace_tool dump FILE | trace_tool pack DIR FILE\n");
        return 2;
    }
    if (st < 0) {
        fprintf(stderr, "trace_tool: %s\n", err.text);
        return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
