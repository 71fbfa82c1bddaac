// SPDX-License-Identifier: MIT
// Two walks over the frames: the first learns which package knows which, and who triggered what; the second takes from each root
// downward the first frames that a module can keep. See snoopi/precompile.h.
#include <stdlib.h>
#include <string.h>

#include <snoopi/triggers.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "directives.h"
#include "expression.h"
#include "format/handle.h"
#include "grammar.h"
#include "names/names.h"
#include "names/typegraph.h"
#include "owners.h"

enum { TEXT_MAX = 16 << 10 /* bytes of a directive */ };

// What is known of an instance.
typedef struct {
    uint32_t directive; // index + 1
    bool is_decided;    // directive, or the reason why there is none
    unsigned char why;  // snoopi_precompile_reason
    uint64_t left_ns;   // self time of frames that are not covered
} instance_state;

typedef struct {
    snoopi_precompile *out;
    const snoopi_precompile_options *options;
    snoopi__owners owners;
    instance_state *instances;
    bool *is_precompiling; // by process
    snoopi__idset known;   // module and text → index + 1
    snoopi__buffer key;
    snoopi__text text;
    uint64_t most_ns[SNOOPI_PRECOMPILE_REASONS];
} finding;

const char *snoopi_precompile_reason_name(int reason)
{
    static const char *const names[] = {"main",     "toplevel", "constants", "closure", "generator",
                                        "abstract", "value",    "name",      "unknown", "foreign",
                                        "lost",     "small",    "tool",      "filtered"};
    return reason >= 0 && reason < SNOOPI_PRECOMPILE_REASONS ? names[reason] : NULL;
}

const char *snoopi_precompile_reason_text(int reason)
{
    static const char *const texts[] = {
        "of Main, or with types of Main: a script is no package",
        "top-level code",
        "inferred anew for constant arguments",
        "closures: their names differ from build to build",
        "bodies of generators",
        "with abstract argument types, of which Julia does not know the method beforehand",
        "types with a value as a parameter that has no literal",
        "names that can't be written, or too long types",
        "with types that no one package is seen to know",
        "methods that are not of the types' package: this Julia would not keep them",
        "definitions that were lost",
        "less than was asked for",
        "while precompiling, or for a tool",
        "of modules that were not asked for",
    };
    return reason >= 0 && reason < SNOOPI_PRECOMPILE_REASONS ? texts[reason] : NULL;
}

// --- the first walk ---

typedef struct {
    uint32_t *instances; // by depth
    size_t capacity;
} frame_path;

static int learn(finding *f, const snoopi_frame *frame, frame_path *path, snoopi_error *err)
{
    uint32_t *grown = snoopi__grow(path->instances, &path->capacity, (size_t)frame->depth + 1,
                                   sizeof *path->instances);
    if (!grown) {
        return snoopi__fail_nomem(err);
    }
    path->instances = grown;
    path->instances[frame->depth] = frame->instance;
    if (frame->depth > 0) {
        snoopi__owners_learn_call(&f->owners, path->instances[frame->depth - 1], frame->instance);
    } else {
        snoopi__owners_learn_root(&f->owners, frame);
    }
    return 0;
}

// --- directives ---

static const uint16_t *keep_used(finding *f, const snoopi__package_set *set, uint32_t *n)
{
    uint16_t all[PACKAGES_MAX];
    *n = 0;
    for (uint16_t i = 1; i < f->out->packages.n; i++) {
        if (snoopi__package_in_set(set, i)) {
            all[(*n)++] = i;
        }
    }
    uint16_t *kept = snoopi__arena_array(&f->out->arena, (size_t)*n + 1, sizeof *kept);
    if (kept) {
        memcpy(kept, all, *n * sizeof *kept);
    }
    return kept;
}

// The directive with the text that was written, for a module. NULL when memory is short.
static uint32_t *find_directive(finding *f, uint32_t module)
{
    f->key.size = 0;
    snoopi__buffer_varint(&f->key, module);
    snoopi__buffer_put(&f->key, f->text.data, f->text.size);
    return f->key.has_failed ? NULL : snoopi__idset_find(&f->known, 0, f->key.data, f->key.size);
}

static int add_directive(finding *f, uint32_t instance, uint32_t module,
                         const snoopi__package_set *used, uint32_t *index, snoopi_error *err)
{
    snoopi_precompile *out = f->out;
    uint32_t *known = find_directive(f, module);
    if (!known) {
        return snoopi__fail_nomem(err);
    }
    if (*known == 0) {
        snoopi__directive *grown = snoopi__grow(out->directives, &out->capacity,
                                                out->n_directives + 1, sizeof *out->directives);
        if (!grown) {
            return snoopi__fail_nomem(err);
        }
        out->directives = grown;
        snoopi__directive *d = &grown[out->n_directives];
        *d = (snoopi__directive){.module = module};
        d->public.instance = instance;
        d->public.text = snoopi__arena_text(&out->arena, f->text.data, f->text.size);
        d->used = keep_used(f, used, &d->n_used);
        if (!d->public.text || !d->used) {
            return snoopi__fail_nomem(err);
        }
        *known = (uint32_t)++out->n_directives;
    }
    *index = *known;
    return 0;
}

static bool is_wanted(finding *f, uint32_t module)
{
    if (!f->options->module) {
        return true;
    }
    snoopi__text_reset(&f->text);
    snoopi__put_module(&f->text, f->out->defs, module);
    return f->text.data && snoopi_pattern_matches(f->options->module, f->text.data);
}

// Whether the file of a module can have its name, and include() puts it there.
static bool has_plain_path(const finding *f, uint32_t module)
{
    enum { NAME_BYTES = 200 };
    const snoopi__defs *defs = f->out->defs;
    size_t size = 0;
    for (uint32_t id = module; id; id = snoopi__module(defs, id)->parent) {
        const def_string *name = snoopi__string(defs, snoopi__module(defs, id)->name);
        size += (size_t)name->size + 1;
        if (size > NAME_BYTES ||
            !snoopi__is_plain_name(f->owners.rules->syntax, name->text, name->size)) {
            return false;
        }
    }
    return true;
}

// Writes the directive of an instance, and reads it again.
static int write_directive(finding *f, uint32_t id, uint32_t module, snoopi_error *err)
{
    instance_state *state = &f->instances[id];
    snoopi__expression e = {.defs = f->out->defs,
                            .packages = &f->out->packages,
                            .syntax = f->owners.rules->syntax,
                            .module = module,
                            .out = &f->text};
    snoopi__text_reset(&f->text);
    const bool is_written = has_plain_path(f, module) && snoopi__expression_put(&e, id);
    if (f->text.has_failed) {
        return snoopi__fail_nomem(err);
    }
    if (!is_written) {
        state->why = (unsigned char)(e.has_failed ? e.why : SNOOPI_PRECOMPILE_NAME);
        return 0;
    }
    if (!snoopi__is_directive(f->text.data, f->text.size)) {
        state->why = SNOOPI_PRECOMPILE_NAME;
        return 0;
    }
    return add_directive(f, id, module, &e.used, &state->directive, err);
}

static int decide(finding *f, uint32_t id, snoopi_error *err)
{
    const snoopi__defs *defs = f->out->defs;
    const def_instance *def = &defs->instances[id];
    instance_state *state = &f->instances[id];
    snoopi_precompile_reason why = SNOOPI_PRECOMPILE_LOST;
    uint32_t module = 0;
    state->is_decided = true;
    state->why = SNOOPI_PRECOMPILE_LOST;
    if (def->kind == WIRE_INSTANCE_TOPLEVEL) {
        state->why = SNOOPI_PRECOMPILE_TOPLEVEL;
    } else if (def->method == 0 || def->spec == 0) {
        state->why = SNOOPI_PRECOMPILE_LOST;
    } else if (snoopi__is_generator(defs, def->method)) {
        state->why = SNOOPI_PRECOMPILE_GENERATOR;
    } else if (!snoopi__owners_find(&f->owners, id, &module, &why)) {
        state->why = (unsigned char)why;
    } else if (!is_wanted(f, module)) {
        state->why = SNOOPI_PRECOMPILE_FILTERED;
    } else if (!snoopi__owners_is_definite(&f->owners, def->spec)) {
        state->why = SNOOPI_PRECOMPILE_ABSTRACT;
    } else {
        return write_directive(f, id, module, err);
    }
    return 0;
}

// --- the second walk ---

static void take(finding *f, uint32_t index, const snoopi_frame *frame)
{
    snoopi__directive *d = &f->out->directives[index - 1];
    f->out->covered_ns += frame->total_ns;
    d->covered_ns += frame->total_ns;
    d->public.count++;
    if (d->process != frame->process + 1) {
        d->process = frame->process + 1;
        d->most_ns = 0;
    }
    if (frame->total_ns > d->most_ns) {
        d->public.total_ns += frame->total_ns - d->most_ns;
        d->most_ns = frame->total_ns;
    }
}

static void leave(finding *f, snoopi_precompile_reason why, const snoopi_frame *frame, uint64_t ns)
{
    snoopi_precompile_left *left = &f->out->left[why];
    instance_state *state = &f->instances[frame->instance];
    left->ns += ns;
    left->frames++;
    state->left_ns += ns;
    if (left->instance == 0 || state->left_ns > f->most_ns[why]) {
        left->instance = frame->instance;
        f->most_ns[why] = state->left_ns;
    }
}

// Returns 1 if all below the frame is dealt with, too.
static int take_or_leave(finding *f, const snoopi_frame *frame, snoopi_error *err)
{
    instance_state *state = &f->instances[frame->instance];
    if (frame->total_ns < f->options->tmin_ns) {
        leave(f, SNOOPI_PRECOMPILE_SMALL, frame, frame->total_ns);
        return 1;
    }
    if (frame->flags & (SNOOPI_FRAME_CONSTPROP | SNOOPI_FRAME_SEMICONCRETE)) {
        leave(f, SNOOPI_PRECOMPILE_CONSTANTS, frame, frame->self_ns);
        return 0;
    }
    if (!state->is_decided) {
        const int st = decide(f, frame->instance, err);
        if (st < 0) {
            return st;
        }
    }
    if (state->directive) {
        take(f, state->directive, frame);
        return 1;
    }
    leave(f, (snoopi_precompile_reason)state->why, frame, frame->self_ns);
    return 0;
}

// Roots that no directive is for: they were precompiled already, or asked for by a tool.
static int is_of_tool(const finding *f, snoopi_trigger_finder *finder, const snoopi_frame *root,
                      bool *is, snoopi_error *err)
{
    snoopi_trigger t;
    const int st = snoopi_trigger_find(finder, root, &t, err);
    *is = st == 0 && (f->is_precompiling[root->process] || root->flags & SNOOPI_FRAME_TOOLING ||
                      t.trigger_class == SNOOPI_TRIGGER_PRECOMPILE ||
                      t.trigger_class == SNOOPI_TRIGGER_REFLECTION);
    return st;
}

// --- walking ---

typedef struct {
    snoopi_trigger_finder *finder;
    frame_path path;
    bool is_first;   // of the two walks
    bool is_skipped; // frames below `depth` are
    uint32_t depth;
} walk_state;

static int visit(finding *f, walk_state *w, const snoopi_frame *frame, snoopi_error *err)
{
    if (w->is_skipped && frame->depth > w->depth) {
        return 0;
    }
    w->is_skipped = false;
    bool is_tools = false;
    int st = frame->depth == 0 ? is_of_tool(f, w->finder, frame, &is_tools, err) : 0;
    if (st == 0 && is_tools) {
        if (!w->is_first) {
            leave(f, SNOOPI_PRECOMPILE_TOOL, frame, frame->total_ns);
        }
        st = 1;
    } else if (st == 0) {
        st = w->is_first ? learn(f, frame, &w->path, err) : take_or_leave(f, frame, err);
    }
    if (st == 1) {
        w->is_skipped = true;
        w->depth = frame->depth;
    }
    return st < 0 ? st : 0;
}

static int walk(finding *f, bool is_first, snoopi_error *err)
{
    walk_state w = {.is_first = is_first};
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    int st = snoopi_trigger_finder_new(&w.finder, f->out->trace, false, err);
    if (st == 0) {
        st = snoopi_scan_open(&scan, f->out->trace, &f->options->scope, err);
    }
    while (st == 0 && (st = snoopi_scan_next(scan, &frame, err)) == 1) {
        st = visit(f, &w, &frame, err);
    }
    if (st == 0) {
        f->out->totals = *snoopi_scan_totals(scan);
        f->out->scope_totals = *snoopi_scan_scope_totals(scan);
    }
    snoopi_scan_close(scan);
    snoopi_trigger_finder_free(w.finder);
    free(w.path.instances);
    return st;
}

// --- order ---

static int compare_worth(uint64_t a, uint64_t b)
{
    return a == b ? 0 : a > b ? -1 : 1;
}

static int compare_directives(const void *a, const void *b)
{
    const snoopi__directive *left = a;
    const snoopi__directive *right = b;
    if (left->module != right->module) {
        return left->module < right->module ? -1 : 1;
    }
    const int order = compare_worth(left->public.total_ns, right->public.total_ns);
    return order ? order : strcmp(left->public.text, right->public.text);
}

static int compare_modules(const void *a, const void *b)
{
    const snoopi_precompile_module *left = &((const snoopi__module_file *)a)->public;
    const snoopi_precompile_module *right = &((const snoopi__module_file *)b)->public;
    const int order = compare_worth(left->total_ns, right->total_ns);
    return order ? order : strcmp(left->module, right->module);
}

static bool describe_module(finding *f, snoopi__module_file *m)
{
    snoopi_precompile *out = f->out;
    snoopi__text_reset(&f->text);
    snoopi__text_puts(&f->text, "precompile_");
    const size_t start = f->text.size;
    snoopi__put_module(&f->text, out->defs, m->module);
    m->public.module = snoopi__arena_text(&out->arena, f->text.data + start, f->text.size - start);
    snoopi__text_puts(&f->text, ".jl");
    m->public.file = snoopi__arena_text(&out->arena, f->text.data, f->text.size);
    m->public.package = snoopi__defs_text(out->defs, snoopi__package_of(out->defs, m->module));
    m->public.directives = out->publics + m->first;
    for (size_t i = m->first; i < m->first + m->public.n_directives; i++) {
        m->public.total_ns += out->directives[i].public.total_ns;
        m->public.covered_ns += out->directives[i].covered_ns;
    }
    return m->public.module && m->public.file;
}

static int put_in_order(finding *f, snoopi_error *err)
{
    snoopi_precompile *out = f->out;
    const size_t n = out->n_directives;
    if (n == 0) {
        return 0;
    }
    qsort(out->directives, n, sizeof *out->directives, compare_directives);
    out->publics = calloc(n, sizeof *out->publics);
    out->modules = calloc(n, sizeof *out->modules);
    if (!out->publics || !out->modules) {
        return snoopi__fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t module = out->directives[i].module;
        out->publics[i] = out->directives[i].public;
        if (i == 0 || out->directives[i - 1].module != module) {
            out->modules[out->n_modules++] = (snoopi__module_file){.module = module, .first = i};
        }
        out->modules[out->n_modules - 1].public.n_directives++;
    }
    for (size_t i = 0; i < out->n_modules; i++) {
        if (!describe_module(f, &out->modules[i])) {
            return snoopi__fail_nomem(err);
        }
    }
    qsort(out->modules, out->n_modules, sizeof *out->modules, compare_modules);
    return 0;
}

// --- the whole ---

static bool prepare(finding *f)
{
    const snoopi__defs *defs = f->out->defs;
    const uint32_t n_processes = snoopi_trace_n_processes(f->out->trace);
    f->instances = calloc((size_t)defs->n_instances + 1, sizeof *f->instances);
    f->is_precompiling = calloc((size_t)n_processes + 1, sizeof *f->is_precompiling);
    if (!f->instances || !f->is_precompiling || !snoopi__packages_init(&f->out->packages, defs) ||
        !snoopi__owners_init(&f->owners)) {
        return false;
    }
    for (uint32_t i = 0; i < n_processes; i++) {
        const char *role = snoopi_trace_process(f->out->trace, i)->role;
        f->is_precompiling[i] = strncmp(role, "precompile", 10) == 0 || strcmp(role, "image") == 0;
    }
    return true;
}

int snoopi_precompile_new(snoopi_precompile **out, snoopi_trace *trace,
                          const snoopi_precompile_options *options, snoopi_error *err)
{
    static const snoopi_precompile_options defaults = SNOOPI_PRECOMPILE_INIT;
    *out = NULL;
    snoopi_precompile *precompile = calloc(1, sizeof *precompile);
    if (!precompile) {
        return snoopi__fail_nomem(err);
    }
    precompile->trace = trace;
    precompile->defs = snoopi__trace_defs(trace);
    finding f = {.out = precompile,
                 .options = options ? options : &defaults,
                 .owners = {.trace = trace,
                            .defs = precompile->defs,
                            .rules = snoopi__rules_of(snoopi__julia_version(trace)),
                            .packages = &precompile->packages},
                 .text = {.limit = TEXT_MAX}};
    int st = prepare(&f) ? 0 : snoopi__fail_nomem(err);
    if (st == 0) {
        st = walk(&f, true, err);
    }
    if (st == 0) {
        st = walk(&f, false, err);
    }
    if (st == 0) {
        st = put_in_order(&f, err);
    }
    free(f.instances);
    free(f.is_precompiling);
    snoopi__owners_clear(&f.owners);
    snoopi__idset_clear(&f.known);
    snoopi__buffer_clear(&f.key);
    snoopi__text_clear(&f.text);
    if (st < 0) {
        snoopi_precompile_free(precompile);
        return st;
    }
    *out = precompile;
    return 0;
}

void snoopi_precompile_free(snoopi_precompile *precompile)
{
    if (precompile) {
        snoopi__packages_clear(&precompile->packages);
        snoopi__arena_clear(&precompile->arena);
        free(precompile->directives);
        free(precompile->publics);
        free(precompile->modules);
        free(precompile);
    }
}

size_t snoopi_precompile_n_modules(const snoopi_precompile *precompile)
{
    return precompile->n_modules;
}

const snoopi_precompile_module *snoopi_precompile_module_at(const snoopi_precompile *precompile,
                                                            size_t index)
{
    return &precompile->modules[index].public;
}

snoopi_precompile_left snoopi_precompile_left_for(const snoopi_precompile *precompile, int reason)
{
    return reason >= 0 && reason < SNOOPI_PRECOMPILE_REASONS ? precompile->left[reason]
                                                             : (snoopi_precompile_left){0};
}

uint64_t snoopi_precompile_covered_ns(const snoopi_precompile *precompile)
{
    return precompile->covered_ns;
}

const snoopi_totals *snoopi_precompile_totals(const snoopi_precompile *precompile)
{
    return &precompile->totals;
}

const snoopi_totals *snoopi_precompile_scope_totals(const snoopi_precompile *precompile)
{
    return &precompile->scope_totals;
}
