// SPDX-License-Identifier: MIT
// Names of an open trace: snoopi_trace_instance() and snoopi_trace_node_text(). What was printed once stays in the trace's
// arena, found by id.
#include <stdlib.h>
#include <string.h>

#include "format/handle.h"
#include "names.h"
#include "rules.h"

/* The names as one Julia has them; processes of versions that differ in nothing that shows share one. */
typedef struct {
    const snoopi__rules *rules;
    snoopi__names *names;
} dialect;

enum { DIALECTS_MAX = 16 }; /* the table of rules has fewer rows */

typedef struct {
    dialect dialects[DIALECTS_MAX];    /* the first ones are set */
    snoopi__text text;                 /* scratch */
    snoopi__text frame_text;           /* that was asked for last */
    const snoopi_instance **instances; /* by id; NULL: not asked for yet */
    uint32_t n_instances;
    const char **nodes; /* by id */
    uint32_t n_nodes;
} trace_names;

static void clear_names(void *cache)
{
    trace_names *self = cache;
    if (self) {
        for (size_t i = 0; i < DIALECTS_MAX; i++) {
            snoopi__names_free(self->dialects[i].names);
        }
        snoopi__text_clear(&self->text);
        snoopi__text_clear(&self->frame_text);
        free(self->instances);
        free(self->nodes);
        free(self);
    }
}

// What a process that died before it knew has: that of the first one that did.
const char *snoopi__julia_version(const snoopi_trace *trace)
{
    for (uint32_t i = 0; i < snoopi_trace_n_processes(trace); i++) {
        const char *version = snoopi_trace_process(trace, i)->julia;
        if (version && version[0]) {
            return version;
        }
    }
    return "";
}

// Names as the Julia shows them that the definition was written for. NULL when memory was short.
static snoopi__names *names_for(const snoopi_trace *trace, trace_names *self, uint32_t kind,
                                uint32_t id)
{
    const snoopi_process *const process = snoopi__trace_definer(trace, kind, id);
    const char *const known = process ? process->julia : "";
    const char *const julia = *known ? known : snoopi__julia_version(trace);
    const snoopi__rules *const rules = snoopi__rules_of(julia);
    size_t i = 0;
    while (i + 1 < DIALECTS_MAX && self->dialects[i].names && self->dialects[i].rules != rules) {
        i++;
    }
    dialect *const found = &self->dialects[i];
    if (!found->names) {
        *found = (dialect){rules, snoopi__names_new(snoopi__trace_defs(trace), julia)};
    }
    return found->names;
}

static trace_names *names_of(snoopi_trace *trace)
{
    trace_names *self = snoopi__trace_names(trace);
    if (self) {
        return self;
    }
    const snoopi__defs *defs = snoopi__trace_defs(trace);
    self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    self->text.limit = SNOOPI__NAME_LIMIT;
    self->frame_text.limit = SNOOPI__NAME_LIMIT;
    self->n_instances = defs->n_instances;
    self->n_nodes = defs->n_nodes;
    self->instances = calloc((size_t)self->n_instances + 1, sizeof *self->instances);
    self->nodes = calloc((size_t)self->n_nodes + 1, sizeof *self->nodes);
    if (!self->instances || !self->nodes) {
        clear_names(self);
        return NULL;
    }
    snoopi__trace_set_names(trace, self, clear_names);
    return self;
}

// The scratch text, kept in the trace; NULL when memory was short.
static const char *keep(snoopi_trace *trace, trace_names *self)
{
    const char *kept =
        self->text.has_failed
            ? NULL
            : snoopi__arena_text(snoopi__trace_arena(trace), self->text.data ? self->text.data : "",
                                 self->text.size);
    snoopi__text_reset(&self->text);
    return kept;
}

static void describe_thunk(const snoopi__defs *defs, const def_instance *def, snoopi_instance *out)
{
    out->is_toplevel = true;
    out->method_name = "";
    out->function = "";
    out->file = snoopi__defs_file_text(defs, def->file);
    out->raw_file =
        def->file < defs->n_files ? snoopi__defs_text(defs, defs->files[def->file].raw) : "";
    out->line = def->line;
}

static void describe_method(snoopi_trace *trace, trace_names *self, uint32_t id,
                            snoopi_instance *out)
{
    static const def_method lost = {0};
    const snoopi__defs *defs = snoopi__trace_defs(trace);
    const def_method *method = id < defs->n_methods ? &defs->methods[id] : &lost;
    out->method = id;
    out->agent_id = defs->instances[out->id].agent_id;
    out->method_world = method->world;
    out->method_name = snoopi__defs_text(defs, method->name);
    out->file = snoopi__defs_file_text(defs, method->file);
    out->raw_file =
        method->file < defs->n_files ? snoopi__defs_text(defs, defs->files[method->file].raw) : "";
    out->line = method->line;
    snoopi__put_function(&self->text, defs, id);
    out->function = keep(trace, self);
}

static snoopi_instance *describe(snoopi_trace *trace, trace_names *self, uint32_t id)
{
    const snoopi__defs *defs = snoopi__trace_defs(trace);
    const def_instance *def = &defs->instances[id];
    snoopi__names *const names = names_for(trace, self, WIRE_INSTANCE, id);
    snoopi_instance *out = snoopi__arena_alloc(snoopi__trace_arena(trace), sizeof *out);
    if (!out || !names) {
        return NULL;
    }
    *out = (snoopi_instance){.id = id, .result = def->result};
    if (def->kind == WIRE_INSTANCE_TOPLEVEL) {
        describe_thunk(defs, def, out);
    } else {
        describe_method(trace, self, def->method, out);
    }
    const uint32_t module = snoopi__module_of(defs, id);
    snoopi__put_module(&self->text, defs, module);
    out->module = keep(trace, self);
    out->package = snoopi__defs_text(defs, snoopi__package_of(defs, module));
    snoopi__put_instance(names, &self->text, id, 0);
    out->name = keep(trace, self);
    return out->function && out->module && out->name ? out : NULL;
}

const snoopi_instance *snoopi_trace_instance(snoopi_trace *trace, uint32_t id)
{
    trace_names *self = names_of(trace);
    if (!self || id == 0 || id >= self->n_instances) {
        return NULL;
    }
    if (!self->instances[id]) {
        self->instances[id] = describe(trace, self, id);
    }
    return self->instances[id];
}

const char *snoopi_trace_frame_text(snoopi_trace *trace, const snoopi_frame *frame)
{
    trace_names *self = names_of(trace);
    if (!self || frame->instance == 0 || frame->instance >= self->n_instances) {
        return "";
    }
    snoopi__names *const names = names_for(trace, self, WIRE_INSTANCE, frame->instance);
    if (!names) {
        return "";
    }
    snoopi__text_reset(&self->frame_text);
    snoopi__put_frame(names, &self->frame_text, frame->instance, frame->n_args, frame->args);
    return self->frame_text.has_failed ? "" : self->frame_text.data;
}

const char *snoopi_trace_node_text(snoopi_trace *trace, uint32_t node)
{
    trace_names *self = names_of(trace);
    if (!self || node >= self->n_nodes) {
        return "";
    }
    snoopi__names *const names = self->nodes[node] ? NULL : names_for(trace, self, WIRE_NODE, node);
    if (names) {
        snoopi__put_node(names, &self->text, node, 0);
        self->nodes[node] = keep(trace, self);
    }
    return self->nodes[node] ? self->nodes[node] : "";
}
