// SPDX-License-Identifier: MIT
#include "html_about.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "html_parts.h"

// ---- numbers

uint32_t snoopi__html_number(snoopi__html_list *list, uint32_t id)
{
    if (id >= list->numbers_capacity) {
        const size_t before = list->numbers_capacity;
        uint32_t *const numbers =
            snoopi__grow(list->numbers, &list->numbers_capacity, (size_t)id + 1, sizeof *numbers);
        if (!numbers) {
            return SNOOPI__HTML_FAILED;
        }
        list->numbers = numbers;
        memset(numbers + before, 0, (list->numbers_capacity - before) * sizeof *numbers);
    }
    if (list->numbers[id] == 0) {
        uint32_t *const ids =
            snoopi__grow(list->ids, &list->ids_capacity, list->n + 1, sizeof *ids);
        if (!ids) {
            return SNOOPI__HTML_FAILED;
        }
        list->ids = ids;
        ids[list->n++] = id;
        list->numbers[id] = (uint32_t)list->n;
    }
    return list->numbers[id] - 1;
}

void snoopi__html_list_clear(snoopi__html_list *list)
{
    free(list->numbers);
    free(list->ids);
    *list = (snoopi__html_list){0};
}

static bool note_root(snoopi__html_about *about, uint64_t id)
{
    snoopi__html_root *const roots =
        snoopi__grow(about->roots, &about->roots_capacity, about->n_roots + 1, sizeof *roots);
    if (!roots) {
        return false;
    }
    about->roots = roots;
    roots[about->n_roots++] = (snoopi__html_root){id, about->n_frames};
    return true;
}

static int compare_root(const void *id, const void *root)
{
    const uint64_t a = *(const uint64_t *)id;
    const uint64_t b = ((const snoopi__html_root *)root)->id;
    return (a > b) - (a < b);
}

int64_t snoopi__html_frame_of_root(const snoopi__html_about *about, uint64_t id)
{
    const snoopi__html_root *const root =
        about->n_roots > 0
            ? bsearch(&id, about->roots, about->n_roots, sizeof *about->roots, compare_root)
            : NULL;
    return root ? (int64_t)root->number : -1;
}

uint32_t snoopi__html_count(snoopi__html_about *about, const snoopi_frame *frame)
{
    const uint32_t number = snoopi__html_number(&about->instances, frame->instance);
    const size_t before = about->instance_self_capacity;
    if (number == SNOOPI__HTML_FAILED) {
        return number;
    }
    uint64_t *const self = snoopi__grow(about->instance_self_ns, &about->instance_self_capacity,
                                        (size_t)number + 1, sizeof *self);
    if (!self) {
        return SNOOPI__HTML_FAILED;
    }
    memset(self + before, 0, (about->instance_self_capacity - before) * sizeof *self);
    about->instance_self_ns = self;
    self[number] += frame->self_ns;
    about->self_ns += frame->self_ns;
    about->flags |= frame->flags;
    if (frame->depth == 0 && !note_root(about, frame->id)) {
        return SNOOPI__HTML_FAILED;
    }
    about->n_frames++;
    return number;
}

uint32_t snoopi__html_value(snoopi__html_about *about, uint32_t node)
{
    return snoopi__html_number(&about->values, node);
}

static bool is_lane(const snoopi__html_lane_key *lane, uint32_t process, uint32_t thread)
{
    return lane->process == process && lane->thread == thread;
}

// There are few, and a frame is mostly of the same as the one before.
uint32_t snoopi__html_lane(snoopi__html_about *about, uint32_t process, uint32_t thread)
{
    if (about->n_lanes > 0 && is_lane(&about->lanes[about->last_lane], process, thread)) {
        return about->last_lane;
    }
    for (size_t i = 0; i < about->n_lanes; i++) {
        if (is_lane(&about->lanes[i], process, thread)) {
            about->last_lane = (uint32_t)i;
            return about->last_lane;
        }
    }
    snoopi__html_lane_key *const lanes =
        snoopi__grow(about->lanes, &about->lanes_capacity, about->n_lanes + 1, sizeof *lanes);
    if (!lanes) {
        return SNOOPI__HTML_FAILED;
    }
    about->lanes = lanes;
    lanes[about->n_lanes] = (snoopi__html_lane_key){.process = process, .thread = thread};
    about->last_lane = (uint32_t)about->n_lanes++;
    return about->last_lane;
}

void snoopi__html_about_clear(snoopi__html_about *about)
{
    snoopi__html_list_clear(&about->instances);
    snoopi__html_list_clear(&about->values);
    free(about->instance_self_ns);
    free(about->lanes);
    free(about->roots);
    *about = (snoopi__html_about){0};
}

// ---- JSON

static void words(snoopi_json *json, const char *key, uint32_t n, const char *const *values)
{
    snoopi_json_key(json, key);
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        snoopi_json_string(json, values[i]);
    }
    snoopi_json_end_array(json);
}

static void put_exit(snoopi_json *json, snoopi_exit_kind kind, int value)
{
    snoopi_json_key(json, "exit");
    if (kind == SNOOPI_EXIT_UNKNOWN) {
        snoopi_json_null(json);
        return;
    }
    snoopi_json_begin_object(json);
    snoopi_json_member_int(json, kind == SNOOPI_EXIT_STATUS ? "status" : "signal", value);
    snoopi_json_end_object(json);
}

static void put_recording(snoopi_json *json, const snoopi_recording *r)
{
    snoopi_json_key(json, "recording");
    snoopi_json_begin_object(json);
    words(json, "command", r->argc, r->argv);
    snoopi_json_member_uint(json, "begin_real_ns", r->begin_real_ns);
    snoopi_json_member_uint(json, "elapsed_ns", r->elapsed_ns);
    snoopi_json_member_bool(json, "complete", r->is_complete);
    snoopi_json_member_string(json, "note", r->note);
    snoopi_json_member_string(json, "writer", r->writer);
    put_exit(json, r->exit_kind, r->exit_value);
    snoopi_json_end_object(json);
}

static void put_process(snoopi_json *json, const snoopi_process *p, uint64_t origin_ns)
{
    static const char *const hooks[] = {
        [SNOOPI_HOOK_NONE] = "none",
        [SNOOPI_HOOK_NATIVE] = "native",
        [SNOOPI_HOOK_OVERRIDE] = "override",
    };
    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "index", p->index);
    snoopi_json_member_uint(json, "pid", p->pid);
    snoopi_json_member_int(json, "parent", p->parent);
    snoopi_json_member_string(json, "role", p->role);
    snoopi_json_member_string(json, "julia", p->julia);
    words(json, "argv", p->argc, p->argv);
    snoopi_json_member_string(json, "cwd", p->cwd);
    snoopi_json_member_uint(json, "begin_ns", p->begin_ns - origin_ns);
    snoopi_json_member_uint(json, "wall_ns", p->wall_ns);
    snoopi_json_member_uint(json, "inference_ns", p->inference_ns);
    snoopi_json_member_uint(json, "frames", p->frames);
    snoopi_json_member_uint(json, "roots", p->roots);
    snoopi_json_member_uint(json, "dropped_frames", p->dropped_frames);
    snoopi_json_member_uint(json, "dropped_records", p->dropped_records);
    put_exit(json, p->exit_kind, p->exit_value);
    snoopi_json_member_string(json, "hook", hooks[p->hook]);
    snoopi_json_member_bool(json, "complete", p->is_complete);
    snoopi_json_member_bool(json, "compiler_replaced", p->compiler_replaced);
    snoopi_json_member_bool(json, "has_args", p->has_args);
    snoopi_json_member_bool(json, "has_stacks", p->has_stacks);
    snoopi_json_member_string(json, "compile_mode", p->compile_mode);
    snoopi_json_member_string(json, "reason", p->reason);
    snoopi_json_member_string(json, "damage", p->damage);
    snoopi_json_end_object(json);
}

static void put_processes(snoopi_json *json, const snoopi_trace *trace)
{
    const uint64_t origin_ns = snoopi_trace_origin_ns(trace);
    const uint32_t n = snoopi_trace_n_processes(trace);
    snoopi_json_key(json, "processes");
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        put_process(json, snoopi_trace_process(trace, i), origin_ns);
    }
    snoopi_json_end_array(json);
}

static void put_marks(snoopi_json *json, const snoopi_trace *trace)
{
    const uint64_t origin_ns = snoopi_trace_origin_ns(trace);
    const uint32_t n = snoopi_trace_n_marks(trace);
    snoopi_json_key(json, "marks");
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_mark *const mark = snoopi_trace_mark(trace, i);
        snoopi_json_begin_object(json);
        snoopi_json_member_uint(json, "process", mark->process);
        snoopi_json_member_uint(json, "time_ns", mark->time_ns - origin_ns);
        snoopi_json_member_string(json, "name", mark->name);
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

static void put_lanes(snoopi_json *json, const snoopi__html_about *about)
{
    snoopi_json_key(json, "lanes");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < about->n_lanes; i++) {
        snoopi_json_begin_object(json);
        snoopi_json_member_uint(json, "process", about->lanes[i].process);
        snoopi_json_member_uint(json, "thread", about->lanes[i].thread);
        snoopi_json_end_object(json);
    }
    snoopi_json_end_array(json);
}

// An instance is [name, name of the method, function, module, package, file, line, self time in ns]. Repetition costs little once deflated.
void snoopi__html_put_instance(snoopi_json *json, const snoopi_instance *instance, uint64_t self_ns)
{
    snoopi_json_begin_array(json);
    snoopi_json_string(json, instance->name);
    snoopi_json_string(json, instance->method_name);
    snoopi_json_string(json, instance->function);
    snoopi_json_string(json, instance->module);
    snoopi_json_string(json, instance->package);
    snoopi_json_string(json, instance->file);
    snoopi_json_int(json, instance->line);
    snoopi_json_uint(json, self_ns);
    snoopi_json_end_array(json);
}

static bool put_instances(snoopi_json *json, snoopi_trace *trace, const snoopi__html_about *about)
{
    const snoopi__html_list *const list = &about->instances;
    snoopi_json_key(json, "instances");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < list->n; i++) {
        const snoopi_instance *const instance = snoopi_trace_instance(trace, list->ids[i]);
        if (!instance) {
            return false;
        }
        snoopi__html_put_instance(json, instance, about->instance_self_ns[i]);
    }
    snoopi_json_end_array(json);
    return true;
}

static void put_values(snoopi_json *json, snoopi_trace *trace, const snoopi__html_list *list)
{
    snoopi_json_key(json, "values");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < list->n; i++) {
        const char *const value = snoopi_trace_node_text(trace, list->ids[i]);
        snoopi_json_string(json, value ? value : "");
    }
    snoopi_json_end_array(json);
}

static void put_flags(snoopi_json *json)
{
    snoopi_json_key(json, "flags");
    snoopi_json_begin_array(json);
    for (uint32_t bit = 1; bit <= SNOOPI_FRAME_INVALIDATED; bit <<= 1) {
        snoopi_json_string(json, snoopi_flag_name(bit) ? snoopi_flag_name(bit) : "");
    }
    snoopi_json_end_array(json);
}

typedef struct {
    const snoopi__html_about *about;
    const snoopi__export *x;
    const snoopi_totals *totals;
    const snoopi_totals *scope;
} about_parts;

static bool put_about(void *payload, snoopi_json *json)
{
    const about_parts *const parts = payload;
    const snoopi__html_about *const about = parts->about;
    const snoopi__export *const x = parts->x;
    const char *const damage = snoopi_trace_damage(x->trace);

    snoopi_json_member_string(json, "schema", "snoopi.html/1");
    snoopi_json_member_uint(json, "frames", about->n_frames);
    snoopi_json_member_uint(json, "inference_ns", about->self_ns);
    snoopi_json_member_uint(json, "flags_seen", about->flags);
    snoopi_json_member_string(json, "by", snoopi_by_name((int)x->options->by));
    snoopi_json_member_string(json, "weight", snoopi_weight_name((int)x->options->weight));
    snoopi_json_member_bool(json, "has_base", x->options->base != NULL);
    put_recording(json, snoopi_trace_recording(x->trace));
    snoopi_json_totals(json, parts->totals, parts->scope);
    snoopi_json_member_string(json, "damage", snoopi__export_text(damage));
    put_flags(json);
    put_processes(json, x->trace);
    put_marks(json, x->trace);
    put_lanes(json, about);
    if (!put_instances(json, x->trace, about)) {
        return false;
    }
    put_values(json, x->trace, &about->values);
    return true;
}

bool snoopi__html_about_put(const snoopi__html_about *about, const snoopi__export *x,
                            const snoopi_totals *totals, const snoopi_totals *scope)
{
    about_parts parts = {about, x, totals, scope};
    return snoopi__html_put_json(x->out, "about", put_about, &parts);
}
