// SPDX-License-Identifier: MIT
// The walk over the frames. See gather.h.
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "findings.h"
#include "format/handle.h"
#include "names/names.h"
#include "triggers/roles.h"

typedef struct {
    snoopi__gathered *out;
    snoopi_trace *trace;
    snoopi_trigger_finder *finder;
    snoopi__buffer key;
    bool *is_precompiling; // by process
    uint32_t generator;    // instance of the last frame, if that was a generator's
} gathering;

void snoopi__gathered_clear(snoopi__gathered *gathered)
{
    for (size_t i = 0; i < gathered->n_sites; i++) {
        free(gathered->sites[i].callees);
    }
    free(gathered->sites);
    free(gathered->instances);
    snoopi__idset_clear(&gathered->known);
    snoopi__invalidations_clear(&gathered->invalidations);
    snoopi__callees_clear(&gathered->callees);
    *gathered = (snoopi__gathered){0};
}

// A generator runs before the function that it makes the code of is inferred.
static void link_generator(gathering *g, uint32_t instance)
{
    const snoopi__defs *defs = snoopi__trace_defs(g->trace);
    const uint32_t method = defs->instances[instance].method;
    if (method && snoopi__is_generator(defs, method)) {
        g->generator = instance;
    } else if (g->generator && method && defs->methods[method].flags & WIRE_METHOD_GENERATED) {
        g->out->instances[g->generator].generated = instance;
        g->generator = 0;
    }
}

static void add_frame(gathering *g, const snoopi_frame *frame)
{
    snoopi__instance_sums *sums = &g->out->instances[frame->instance];
    link_generator(g, frame->instance);
    snoopi__invalidations_add(&g->out->invalidations, snoopi__trace_defs(g->trace), frame);
    sums->process = sums->process ? sums->process : frame->process + 1;
    sums->self_ns += frame->self_ns;
    sums->frames++;
    if (frame->flags & (SNOOPI_FRAME_CONSTPROP | SNOOPI_FRAME_SEMICONCRETE)) {
        sums->const_frames++;
        sums->const_self_ns += frame->self_ns;
    } else if ((frame->flags & (SNOOPI_FRAME_REPEATED | SNOOPI_FRAME_TOOLING |
                                SNOOPI_FRAME_INVALIDATED)) == SNOOPI_FRAME_REPEATED) {
        sums->repeated++;
        sums->repeated_self_ns += frame->self_ns;
    }
}

// --- calls by dispatch ---

// A place that is not in Julia's own code.
static bool is_own(snoopi_trace *trace, const snoopi_place *place)
{
    if (place->is_c || place->is_entrance || !place->file[0]) {
        return false;
    }
    const snoopi_instance *instance =
        place->instance ? snoopi_trace_instance(trace, place->instance) : NULL;
    if (instance &&
        (strcmp(instance->package, "Base") == 0 || strcmp(instance->package, "Core") == 0)) {
        return false;
    }
    return !snoopi__is_file_of_julia(place->file, place->raw_file);
}

// The place nearest to the callee that somebody may change, from the caller's code outward; NULL if there is none.
static const snoopi_place *own_place(gathering *g, const snoopi_frame *root,
                                     const snoopi_trigger *t, uint32_t *caller)
{
    for (uint32_t i = t->depth; i < root->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(g->trace, root->stack[i]);
        for (uint32_t k = 0; code && k < code->n_places; k++) {
            if (snoopi__is_toplevel_place(&code->places[k])) {
                return NULL; // what is run once has nothing to be changed
            }
            if (is_own(g->trace, &code->places[k])) {
                *caller = code->places[code->n_places - 1].instance;
                return &code->places[k];
            }
        }
    }
    return NULL;
}

static void put_text(snoopi__buffer *key, const char *text)
{
    snoopi__buffer_put(key, text, strlen(text) + 1);
}

static snoopi__call_site *find_site(gathering *g, const snoopi_place *place,
                                    const snoopi_instance *callee)
{
    g->key.size = 0;
    put_text(&g->key, place->file);
    put_text(&g->key, place->name);
    put_text(&g->key, callee->function);
    put_text(&g->key, callee->module);
    snoopi__buffer_varint(&g->key, place->line);
    uint32_t *known = snoopi__idset_find(&g->out->known, 0, g->key.data, g->key.size);
    if (!known || g->key.has_failed) {
        return NULL;
    }
    if (*known == 0) {
        snoopi__call_site *sites =
            snoopi__grow(g->out->sites, &g->out->capacity, g->out->n_sites + 1, sizeof *sites);
        if (!sites) {
            return NULL;
        }
        g->out->sites = sites;
        sites[g->out->n_sites++] = (snoopi__call_site){.place = place, .callee = callee->id};
        *known = (uint32_t)g->out->n_sites;
    }
    return &g->out->sites[*known - 1];
}

static int add_call(gathering *g, const snoopi_frame *root, const snoopi_trigger *t,
                    snoopi_error *err)
{
    uint32_t caller = 0;
    const snoopi_place *place = own_place(g, root, t, &caller);
    if (!place) {
        return 0;
    }
    snoopi__call_site *site = find_site(g, place, snoopi_trace_instance(g->trace, t->callee));
    uint32_t *callees =
        site ? snoopi__grow(site->callees, &site->capacity, site->n_callees + 1, sizeof *callees)
             : NULL;
    if (!callees) {
        return snoopi__fail_nomem(err);
    }
    site->callees = callees;
    callees[site->n_callees++] = t->callee;
    if (site->count == 0) {
        site->caller = caller;
        site->through = t->places == place ? NULL : t->places->name;
        site->inner = site->through ? t->caller : 0;
    }
    site->count++;
    site->total_ns += root->total_ns;
    return 0;
}

static int add_root(gathering *g, const snoopi_frame *root, snoopi_error *err)
{
    snoopi_trigger t;
    const int st = snoopi_trigger_find(g->finder, root, &t, err);
    if (st < 0) {
        return st;
    }
    snoopi__instance_sums *sums = &g->out->instances[root->instance];
    const bool is_wanted = t.trigger_class != SNOOPI_TRIGGER_PRECOMPILE &&
                           t.trigger_class != SNOOPI_TRIGGER_REFLECTION;
    if (is_wanted && !g->is_precompiling[root->process]) {
        sums->roots++;
        sums->root_ns += root->total_ns;
    }
    return t.trigger_class == SNOOPI_TRIGGER_DISPATCH && t.n_places > 0 ? add_call(g, root, &t, err)
                                                                        : 0;
}

static int walk(gathering *g, const snoopi_scope *scope, snoopi_error *err)
{
    const snoopi__defs *defs = snoopi__trace_defs(g->trace);
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    int st = snoopi_scan_open(&scan, g->trace, scope, err);
    while (st == 0 && (st = snoopi_scan_next(scan, &frame, err)) == 1) {
        add_frame(g, &frame);
        st = snoopi__callees_add(&g->out->callees, g->trace, defs, &frame) < 0
                 ? snoopi__fail_nomem(err)
                 : 0;
        if (st == 0 && frame.depth == 0) {
            st = add_root(g, &frame, err);
        }
    }
    if (st == 0) {
        g->out->totals = *snoopi_scan_totals(scan);
        g->out->scope_totals = *snoopi_scan_scope_totals(scan);
    }
    snoopi_scan_close(scan);
    return st;
}

int snoopi__gather(snoopi__gathered *gathered, snoopi_trace *trace, const snoopi_scope *scope,
                   snoopi_error *err)
{
    gathering g = {.out = gathered, .trace = trace};
    const uint32_t n_processes = snoopi_trace_n_processes(trace);
    gathered->n_instances = snoopi_trace_n_instances(trace) + 1;
    gathered->instances = calloc(gathered->n_instances, sizeof *gathered->instances);
    g.is_precompiling = calloc((size_t)n_processes + 1, sizeof *g.is_precompiling);
    int st = gathered->instances && g.is_precompiling &&
                     snoopi__invalidations_begin(&gathered->invalidations, trace)
                 ? 0
                 : snoopi__fail_nomem(err);
    for (uint32_t i = 0; i < n_processes && st == 0; i++) {
        const char *role = snoopi_trace_process(trace, i)->role;
        g.is_precompiling[i] = strncmp(role, "precompile", 10) == 0 || strcmp(role, "image") == 0;
    }
    if (st == 0) {
        st = snoopi_trigger_finder_new(&g.finder, trace, false, err);
    }
    if (st == 0) {
        st = walk(&g, scope, err);
    }
    snoopi_trigger_finder_free(g.finder);
    snoopi__buffer_clear(&g.key);
    free(g.is_precompiling);
    return st;
}
