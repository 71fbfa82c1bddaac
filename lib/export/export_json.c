// SPDX-License-Identifier: MIT
// Frames as JSON: lines of objects, or one document.
#include "exporter.h"

static void put_flags(snoopi_json *json, uint32_t flags)
{
    snoopi_json_key(json, "flags");
    snoopi_json_begin_array(json);
    for (const char *word = snoopi__export_next_flag(&flags); word;
         word = snoopi__export_next_flag(&flags)) {
        snoopi_json_string(json, word);
    }
    snoopi_json_end_array(json);
}

static void put_result(snoopi__export *x, const snoopi_instance *instance)
{
    const char *const text =
        instance->result ? snoopi_trace_node_text(x->trace, instance->result) : NULL;
    snoopi_json_key(&x->json, "result");
    if (text) {
        snoopi_json_string(&x->json, text);
    } else {
        snoopi_json_null(&x->json);
    }
}

static void put_args(snoopi__export *x, const snoopi_frame *frame)
{
    snoopi_json *const json = &x->json;
    snoopi_json_key(json, "args");
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < frame->n_args; i++) {
        const char *const value = snoopi_trace_node_text(x->trace, frame->args[i].node);
        snoopi_json_begin_object(json);
        snoopi_json_member_uint(json, "position", frame->args[i].position);
        snoopi_json_member_string(json, "value", value ? value : "");
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

void snoopi__export_frame_json(snoopi__export *x, const snoopi__export_frame *exported)
{
    const snoopi_frame *const f = exported->frame;
    const snoopi__key *const key = exported->key;
    snoopi_json *const json = &x->json;

    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "id", f->id);
    snoopi_json_key(json, "parent");
    if (exported->parent < 0) {
        snoopi_json_null(json);
    } else {
        snoopi_json_int(json, exported->parent);
    }
    snoopi_json_member_uint(json, "depth", exported->depth);
    snoopi_json_member_uint(json, "process", f->process);
    snoopi_json_member_uint(json, "thread", f->thread);
    snoopi_json_member_string(json, "name", key->name);
    snoopi_json_member_string(json, "module", snoopi__export_text(key->module));
    snoopi_json_member_string(json, "file", snoopi__export_text(key->file));
    snoopi_json_member_int(json, "line", key->line);
    snoopi_json_member_uint(json, "begin_ns", f->begin_ns);
    snoopi_json_member_uint(json, "end_ns", f->end_ns);
    snoopi_json_member_uint(json, "total_ns", f->total_ns);
    snoopi_json_member_uint(json, "self_ns", f->self_ns);
    snoopi_json_member_uint(json, "gc_ns", f->gc_ns);
    put_flags(json, f->flags);
    snoopi_json_member_uint(json, "instance", f->instance);
    put_args(x, f);
    snoopi_json_member_uint(json, "method_world", exported->instance->method_world);
    put_result(x, exported->instance);
    snoopi_json_end_object(json);
}

// ---- jsonl

static void begin_lines(snoopi__export *x)
{
    snoopi_json_init(&x->json, x->out, 0);
}

static void put_line(snoopi__export *x, const snoopi__export_frame *frame)
{
    snoopi__export_frame_json(x, frame);
    snoopi_json_end_line(&x->json);
}

const snoopi__exporter snoopi__export_jsonl = {
    .name = "jsonl", .begin = begin_lines, .frame = put_line};

// ---- json

static void put_words(snoopi_json *json, const char *key, uint32_t n, const char *const *words)
{
    snoopi_json_key(json, key);
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        snoopi_json_string(json, words[i]);
    }
    snoopi_json_end_array(json);
}

static void put_process(snoopi_json *json, const snoopi_process *p)
{
    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "index", p->index);
    snoopi_json_member_uint(json, "pid", p->pid);
    snoopi_json_member_uint(json, "ppid", p->ppid);
    snoopi_json_member_string(json, "role", p->role);
    snoopi_json_member_string(json, "julia", p->julia);
    put_words(json, "argv", p->argc, p->argv);
    snoopi_json_member_uint(json, "begin_ns", p->begin_ns);
    snoopi_json_member_uint(json, "wall_ns", p->wall_ns);
    snoopi_json_member_uint(json, "inference_ns", p->inference_ns);
    snoopi_json_member_uint(json, "frames", p->frames);
    snoopi_json_member_bool(json, "complete", p->is_complete);
    snoopi_json_end_object(json);
}

static void begin_document(snoopi__export *x)
{
    snoopi_json *const json = &x->json;
    const snoopi_recording *const r = snoopi_trace_recording(x->trace);

    snoopi_json_init(json, x->out, 2);
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "schema", "snoopi.export/1");
    put_words(json, "command", r->argc, r->argv);
    snoopi_json_member_uint(json, "begin_real_ns", r->begin_real_ns);
    snoopi_json_key(json, "processes");
    snoopi_json_begin_array(json);
    const uint32_t n = snoopi_trace_n_processes(x->trace);
    for (uint32_t i = 0; i < n; i++) {
        put_process(json, snoopi_trace_process(x->trace, i));
    }
    snoopi_json_end_array(json);
    snoopi_json_key(json, "rows");
    snoopi_json_begin_array(json);
}

static void end_document(snoopi__export *x, const snoopi_totals *totals, const snoopi_totals *scope)
{
    snoopi_json *const json = &x->json;
    const char *const damage = snoopi_trace_damage(x->trace);

    snoopi_json_end_array(json);
    snoopi_json_totals(json, totals, scope);
    snoopi_json_key(json, "damage");
    if (damage) {
        snoopi_json_string(json, damage);
    } else {
        snoopi_json_null(json);
    }
    snoopi_json_end_object(json);
    snoopi_json_end_line(json);
}

const snoopi__exporter snoopi__export_json = {.name = "json",
                                              .begin = begin_document,
                                              .frame = snoopi__export_frame_json,
                                              .end = end_document};
