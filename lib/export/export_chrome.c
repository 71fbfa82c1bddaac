// SPDX-License-Identifier: MIT
// Trace events (the JSON of chrome://tracing, which Perfetto and speedscope read too): an X for each frame, in µs with ns behind the
// point, since the first process began. "Processes" are indices, for pids may come again.
//
// By count a frame's width is known at its end only, so it is a pair of B and E. Both have the name: speedscope looks for the B by it.
#include <inttypes.h>
#include <stdlib.h>

#include <snoopi/version.h>

#include "base/buffer.h"
#include "plaintext.h"
#include "timeline.h"

typedef struct {
    snoopi__timeline timeline;
    uint64_t origin_ns;
    bool has_process;
    uint32_t process;  // whose name was written
    const char **open; // names of the open frames, by depth; by count only
    size_t open_capacity;
} chrome;

// ---- names of processes and threads

static void begin_metadata(snoopi_json *json, const char *what, uint32_t pid, uint32_t tid)
{
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "ph", "M");
    snoopi_json_member_string(json, "name", what);
    snoopi_json_member_uint(json, "pid", pid);
    snoopi_json_member_uint(json, "tid", tid);
    snoopi_json_key(json, "args");
    snoopi_json_begin_object(json);
}

static void end_metadata(snoopi_json *json)
{
    snoopi_json_end_object(json);
    snoopi_json_end_object(json);
}

static void put_process(snoopi__export *x, uint32_t index)
{
    snoopi_json *const json = &x->json;
    const snoopi_process *const p = snoopi_trace_process(x->trace, index);
    char name[256];

    (void)snprintf(name, sizeof name, "process %u%s%.200s", (unsigned)index, *p->role ? " " : "",
                   p->role);
    begin_metadata(json, "process_name", index + 1, 0);
    snoopi_json_member_string(json, "name", name);
    end_metadata(json);
    (void)snprintf(name, sizeof name, "pid %u, Julia %.100s", (unsigned)p->pid, p->julia);
    begin_metadata(json, "process_labels", index + 1, 0);
    snoopi_json_member_string(json, "labels", name);
    end_metadata(json);
    begin_metadata(json, "process_sort_index", index + 1, 0);
    snoopi_json_member_uint(json, "sort_index", index);
    end_metadata(json);
}

static void put_lane(snoopi__export *x, const snoopi__lane *lane)
{
    chrome *const c = x->state;
    char name[64];

    if (!c->has_process || c->process != lane->process) {
        c->has_process = true;
        c->process = lane->process;
        put_process(x, lane->process);
    }
    if (lane->index == 0) {
        (void)snprintf(name, sizeof name, "thread %u", (unsigned)lane->thread);
    } else {
        (void)snprintf(name, sizeof name, "thread %u, tasks meanwhile (%u)", (unsigned)lane->thread,
                       (unsigned)lane->index);
    }
    begin_metadata(&x->json, "thread_name", lane->process + 1, lane->number + 1);
    snoopi_json_member_string(&x->json, "name", name);
    end_metadata(&x->json);
    begin_metadata(&x->json, "thread_sort_index", lane->process + 1, lane->number + 1);
    snoopi_json_member_uint(&x->json, "sort_index",
                            (uint64_t)lane->thread * SNOOPI__LANES_MAX + lane->index);
    end_metadata(&x->json);
}

// ---- frames

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

static void put_arguments(snoopi__export *x, const snoopi_frame *frame)
{
    char position[16];
    snoopi_json_key(&x->json, "arguments");
    snoopi_json_begin_object(&x->json);
    for (uint32_t i = 0; i < frame->n_args; i++) {
        const char *const value = snoopi_trace_node_text(x->trace, frame->args[i].node);
        (void)snprintf(position, sizeof position, "%u", (unsigned)frame->args[i].position);
        snoopi_json_member_string(&x->json, position, snoopi__export_text(value));
    }
    snoopi_json_end_object(&x->json);
}

static void put_args(snoopi__export *x, const snoopi__export_frame *exported)
{
    snoopi_json *const json = &x->json;
    const snoopi__key *const key = exported->key;
    const snoopi_frame *const frame = exported->frame;

    snoopi_json_key(json, "args");
    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "id", frame->id);
    if (exported->depth == 0) {
        char task[32];
        (void)snprintf(task, sizeof task, "task %u", (unsigned)frame->task);
        snoopi_json_member_string(json, "task", task);
    }
    if (key->module) {
        snoopi_json_member_string(json, "module", key->module);
    }
    if (key->file) {
        snoopi_json_member_string(json, "file", key->file);
    }
    if (key->line > 0) {
        snoopi_json_member_uint(json, "line", (uint64_t)key->line);
    }
    snoopi_json_member_uint(json, "total_ns", frame->total_ns);
    snoopi_json_member_uint(json, "self_ns", frame->self_ns);
    if (frame->gc_ns > 0) {
        snoopi_json_member_uint(json, "gc_ns", frame->gc_ns);
    }
    if (frame->flags != 0) {
        put_flags(json, frame->flags);
    }
    if (frame->n_args > 0) {
        put_arguments(x, frame);
    }
    snoopi_json_end_object(json);
}

static bool is_counted(const snoopi__export *x)
{
    return x->options->weight == SNOOPI_WEIGHT_COUNT;
}

static void begin_event(snoopi__export *x, const snoopi__lane *lane, const char *phase)
{
    const chrome *const c = x->state;
    snoopi_json *const json = &x->json;
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "ph", phase);
    snoopi_json_member_uint(json, "pid", lane->process + 1);
    snoopi_json_member_uint(json, "tid", lane->number + 1);
    snoopi_json_key(json, "ts");
    if (is_counted(x)) {
        snoopi_json_uint(json, lane->at); // a frame is a microsecond wide
        return;
    }
    const uint64_t begin = lane->at > c->origin_ns ? lane->at : c->origin_ns;
    snoopi_json_micros(json, begin - c->origin_ns);
    snoopi_json_key(json, "dur");
    snoopi_json_micros(json, lane->end > begin ? lane->end - begin : 0);
}

static bool remember_name(chrome *c, uint32_t depth, const char *name)
{
    const char **const grown =
        snoopi__grow(c->open, &c->open_capacity, (size_t)depth + 1, sizeof *grown);
    if (!grown) {
        return false;
    }
    c->open = grown;
    c->open[depth] = name;
    return true;
}

static void put_open(snoopi__export *x, const snoopi__lane *lane,
                     const snoopi__export_frame *exported)
{
    const char *const name = snoopi__shown_name(exported->key->name);
    if (is_counted(x) && !remember_name(x->state, exported->depth, name)) {
        x->has_failed = true;
        return;
    }
    begin_event(x, lane, is_counted(x) ? "B" : "X");
    snoopi_json_member_string(&x->json, "cat", "inference");
    snoopi_json_member_string(&x->json, "name", name);
    put_args(x, exported);
    snoopi_json_end_object(&x->json);
}

static void put_close(snoopi__export *x, const snoopi__lane *lane, uint32_t depth)
{
    const chrome *const c = x->state;
    if (is_counted(x) && !x->has_failed) {
        begin_event(x, lane, "E");
        snoopi_json_member_string(&x->json, "name", c->open[depth]);
        snoopi_json_end_object(&x->json);
    }
}

static const snoopi__timeline_ops ops = {.lane = put_lane, .open = put_open, .close = put_close};

// ---- the document

static void begin_document(snoopi__export *x)
{
    chrome *const c = calloc(1, sizeof *c);
    x->state = c;
    x->has_failed = c == NULL;
    if (!c) {
        return;
    }
    c->timeline.ops = &ops;
    c->origin_ns = snoopi_trace_origin_ns(x->trace);
    snoopi_json_init(&x->json, x->out, 2);
    snoopi_json_begin_object(&x->json);
    snoopi_json_member_string(&x->json, "displayTimeUnit", "ns");
    snoopi_json_key(&x->json, "traceEvents");
    snoopi_json_begin_array(&x->json);
}

static void put_frame(snoopi__export *x, const snoopi__export_frame *exported)
{
    chrome *const c = x->state;
    snoopi__timeline_frame(x, &c->timeline, exported);
}

static void end_document(snoopi__export *x, const snoopi_totals *totals, const snoopi_totals *scope)
{
    chrome *const c = x->state;
    snoopi_json *const json = &x->json;
    const char *const damage = snoopi_trace_damage(x->trace);
    uint64_t value = 0;
    const char *name = NULL;
    (void)scope; // each event is in it
    if (!c) {
        return;
    }
    snoopi__timeline_end(x, &c->timeline);
    snoopi_json_end_array(json);
    snoopi_json_key(json, "otherData");
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "writer", "snoopi " SNOOPI_VERSION);
    snoopi_json_member_string(json, "weight", snoopi_weight_name((int)x->options->weight));
    for (int i = 0; (name = snoopi_totals_field(totals, i, &value)); i++) {
        snoopi_json_member_uint(json, name, value);
    }
    if (damage) {
        snoopi_json_member_string(json, "damage", damage);
    }
    snoopi_json_end_object(json);
    snoopi_json_end_object(json);
    snoopi_json_end_line(json);
}

static void clear(snoopi__export *x)
{
    chrome *const c = x->state;
    if (c) {
        snoopi__timeline_clear(&c->timeline);
        free(c->open);
    }
    free(c);
    x->state = NULL;
}

const snoopi__exporter snoopi__export_chrome = {.name = "chrome",
                                                .begin = begin_document,
                                                .frame = put_frame,
                                                .end = end_document,
                                                .clear = clear};
