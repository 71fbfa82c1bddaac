// SPDX-License-Identifier: MIT
// Frames stream into the database; what is kept are the open frames, and for each instance its keys and sums.
//
// A total of a key counts the outermost frames alone. Which these are is known while walking, by how many frames of each key are open;
// SQL could find it only by a walk of its own, so it is a column.
#include "sqlite_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/version.h>

#include "fileoutput.h"
#include "sqlite_db.h"
#include "sqlite_triggers.h"

// In the order of the bits of `outermost`, and of snoopi_by from SNOOPI_BY_INSTANCE on.
enum { N_KEYS = SNOOPI_BY_FILE - SNOOPI_BY_INSTANCE + 1 };

typedef struct {
    bool is_known;
    bool is_wanted;
    bool is_put; // also of callers that are not wanted themselves
    uint32_t keys[N_KEYS];
    uint64_t count;
    uint64_t roots;
    uint64_t self_ns;
    uint64_t gc_ns;
    uint64_t total_ns[N_KEYS];
} instance_state;

typedef struct {
    uint32_t depth; // in the trace
    uint64_t id;
    uint32_t instance;
} open_frame;

typedef struct {
    cli_db db;
    snoopi_trace *trace;
    const snoopi_export_options *options;
    uint64_t origin_ns;
    instance_state *instances; // by id
    uint32_t *n_open;          // by key: frames on the path
    size_t n_open_capacity;
    open_frame *path;
    size_t n_path;
    size_t path_capacity;
    cli_sqlite_triggers triggers;
} exporter;

// `items` with room for `needed` of them, the new ones zeroed; NULL, having said so, when memory is short.
static void *grow(exporter *e, void *items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return items;
    }
    const size_t grown = needed + needed / 2 + 16;
    char *const moved = reallocarray(items, grown, size);
    if (!moved) {
        cli_db_fail_nomem(&e->db);
        return NULL;
    }
    memset(moved + *capacity * size, 0, (grown - *capacity) * size);
    *capacity = grown;
    return moved;
}

// ---- names

static uint32_t find_key(exporter *e, int kind, const char *name, const char *module,
                         const char *file, int32_t line)
{
    return (uint32_t)cli_db_find(&e->db, CLI_DB_FIND_KEY, CLI_DB_KEY, "ittti", (int64_t)kind, name,
                                 module, file, (int64_t)line);
}

// The same texts that rows of `list` go by.
static void find_keys(exporter *e, instance_state *state, const snoopi_instance *i)
{
    const int first = SNOOPI_BY_INSTANCE;
    uint32_t *const keys = state->keys;
    keys[SNOOPI_BY_INSTANCE - first] =
        find_key(e, SNOOPI_BY_INSTANCE, i->name, i->module, i->file, i->line);
    keys[SNOOPI_BY_METHOD - first] =
        find_key(e, SNOOPI_BY_METHOD, i->method_name, i->module, i->file, i->line);
    keys[SNOOPI_BY_FUNCTION - first] =
        find_key(e, SNOOPI_BY_FUNCTION, i->function, i->module, "", 0);
    keys[SNOOPI_BY_MODULE - first] = find_key(e, SNOOPI_BY_MODULE, i->module, "", "", 0);
    keys[SNOOPI_BY_PACKAGE - first] = find_key(e, SNOOPI_BY_PACKAGE, i->package, "", "", 0);
    keys[SNOOPI_BY_FILE - first] = find_key(e, SNOOPI_BY_FILE, i->file, "", "", 0);
}

static void put_instance(exporter *e, const snoopi_instance *i, uint32_t key)
{
    cli_db *const db = &e->db;
    const int64_t module =
        cli_db_find(db, CLI_DB_FIND_MODULE, CLI_DB_MODULE, "t|t", i->module, i->package);
    const int64_t file = cli_db_find(db, CLI_DB_FIND_FILE, CLI_DB_FILE, "t", i->file);
    const int64_t method = cli_db_find(db, CLI_DB_FIND_METHOD, CLI_DB_METHOD, "tiii|t",
                                       i->method_name, module, file, (int64_t)i->line, i->function);
    const char *const result = i->result ? snoopi_trace_node_text(e->trace, i->result) : NULL;
    cli_db_put(db, CLI_DB_INSTANCE, result ? "iitiiit" : "iitiiin", (int64_t)i->id, (int64_t)key,
               i->name, method, (int64_t)i->method_world, (int64_t)i->is_toplevel, result);
}

static void put_once(exporter *e, instance_state *state, const snoopi_instance *i)
{
    if (!state->is_put) {
        state->is_put = true;
        find_keys(e, state, i);
        put_instance(e, i, state->keys[0]);
    }
}

// What is known of a frame's instance; NULL when memory is short.
static instance_state *find_instance(exporter *e, uint32_t id)
{
    instance_state *const state = &e->instances[id];
    if (state->is_known) {
        return state;
    }
    const snoopi_instance *const i = snoopi_trace_instance(e->trace, id);
    if (!i) {
        cli_db_fail_nomem(&e->db);
        return NULL;
    }
    state->is_known = true;
    state->is_wanted = snoopi_filter_matches(&e->options->filter, i);
    if (state->is_wanted) {
        put_once(e, state, i);
    }
    return state;
}

// ---- frames

static void pop_frame(exporter *e)
{
    const open_frame *const frame = &e->path[--e->n_path];
    const instance_state *const state = &e->instances[frame->instance];
    for (size_t k = 0; k < N_KEYS; k++) {
        e->n_open[state->keys[k]]--;
    }
}

// Opens a frame on the path. Returns the bits of keys that it is the outermost of.
static int push_frame(exporter *e, const snoopi_frame *frame, const instance_state *state)
{
    int outermost = 0;
    open_frame *const path = grow(e, e->path, &e->path_capacity, e->n_path + 1, sizeof *e->path);
    if (!path) {
        return 0;
    }
    e->path = path;
    for (size_t k = 0; k < N_KEYS; k++) {
        uint32_t *const n_open =
            grow(e, e->n_open, &e->n_open_capacity, (size_t)state->keys[k] + 1, sizeof *e->n_open);
        if (!n_open) {
            return 0;
        }
        e->n_open = n_open;
    }
    for (size_t k = 0; k < N_KEYS; k++) {
        outermost |= e->n_open[state->keys[k]]++ == 0 ? 1 << k : 0;
    }
    e->path[e->n_path++] = (open_frame){frame->depth, frame->id, frame->instance};
    return outermost;
}

static void add_up(instance_state *state, const snoopi_frame *frame, int outermost, bool is_root)
{
    state->count++;
    state->roots += is_root;
    state->self_ns += frame->self_ns;
    state->gc_ns += frame->gc_ns;
    for (size_t k = 0; k < N_KEYS; k++) {
        state->total_ns[k] += outermost & (1 << k) ? frame->total_ns : 0;
    }
}

static int64_t since(uint64_t origin_ns, uint64_t ns)
{
    return (int64_t)(ns > origin_ns ? ns - origin_ns : 0);
}

static void put_arguments(exporter *e, const snoopi_frame *frame)
{
    for (uint32_t i = 0; i < frame->n_args; i++) {
        const char *const text = snoopi_trace_node_text(e->trace, frame->args[i].node);
        const int64_t value = cli_db_find(&e->db, CLI_DB_FIND_STRING, CLI_DB_STRING, "t", text);
        cli_db_put(&e->db, CLI_DB_ARGUMENT, "iii", (int64_t)frame->id,
                   (int64_t)frame->args[i].position, value);
    }
}

static void put_trigger(exporter *e, const snoopi_frame *root)
{
    snoopi_trigger trigger;
    if (!cli_sqlite_triggers_find(&e->triggers, root, &trigger)) {
        return;
    }
    const snoopi_instance *const caller = snoopi_trace_instance(e->trace, trigger.caller);
    if (trigger.caller && !caller) {
        cli_db_fail_nomem(&e->db);
    } else if (caller) {
        put_once(e, &e->instances[trigger.caller], caller);
    }
    cli_sqlite_triggers_put(&e->triggers, root, &trigger);
}

static void put_frame(exporter *e, const snoopi_frame *frame)
{
    while (e->n_path > 0 && e->path[e->n_path - 1].depth >= frame->depth) {
        pop_frame(e);
    }
    instance_state *const state = find_instance(e, frame->instance);
    if (!state || !state->is_wanted || frame->total_ns < e->options->tmin_ns) {
        return;
    }
    const bool is_root = e->n_path == 0;
    const int64_t parent = is_root ? -1 : (int64_t)e->path[e->n_path - 1].id;
    const int64_t depth = (int64_t)e->n_path;
    const int outermost = push_frame(e, frame, state);
    if (e->db.has_failed) {
        return;
    }
    add_up(state, frame, outermost, is_root);
    cli_db_put(&e->db, CLI_DB_FRAME, "ioiiiiiiiiiiii", (int64_t)frame->id, parent, depth,
               (int64_t)frame->process, (int64_t)frame->thread, (int64_t)frame->task,
               (int64_t)frame->instance, (int64_t)frame->flags,
               since(e->origin_ns, frame->begin_ns), since(e->origin_ns, frame->end_ns),
               (int64_t)frame->total_ns, (int64_t)frame->self_ns, (int64_t)frame->gc_ns,
               (int64_t)outermost);
    put_arguments(e, frame);
    if (frame->depth == 0) {
        put_trigger(e, frame);
    }
}

static void put_sums(exporter *e)
{
    const uint32_t n = snoopi_trace_n_instances(e->trace);
    for (uint32_t id = 1; id <= n; id++) {
        const instance_state *const s = &e->instances[id];
        if (s->count > 0) {
            cli_db_put(&e->db, CLI_DB_SUMS, "iiiiiiiiiii", (int64_t)id, (int64_t)s->count,
                       (int64_t)s->roots, (int64_t)s->self_ns, (int64_t)s->gc_ns,
                       (int64_t)s->total_ns[0], (int64_t)s->total_ns[1], (int64_t)s->total_ns[2],
                       (int64_t)s->total_ns[3], (int64_t)s->total_ns[4], (int64_t)s->total_ns[5]);
        }
    }
}

// ---- the recording

// Words with a space between, to be freed.
static char *join(uint32_t n, const char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    for (uint32_t i = 0; out && i < n; i++) {
        (void)fprintf(out, "%s%s", i > 0 ? " " : "", words[i]);
    }
    if (!out || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void put_process(exporter *e, const snoopi_process *p)
{
    const bool has_status = p->exit_kind == SNOOPI_EXIT_STATUS;
    const bool has_signal = p->exit_kind == SNOOPI_EXIT_SIGNAL;
    char *const command = join(p->argc, p->argv);
    if (!command) {
        cli_db_fail_nomem(&e->db);
        return;
    }
    cli_db_put(&e->db, CLI_DB_PROCESS,
               "ioiitttt"
               "iiiiiiiiii"
               "ooi",
               (int64_t)p->index, p->parent, (int64_t)p->pid, (int64_t)p->ppid, p->role, p->julia,
               command, p->cwd, since(e->origin_ns, p->begin_ns), (int64_t)p->wall_ns,
               (int64_t)p->inference_ns, (int64_t)p->busy_ns, (int64_t)p->outside_ns,
               (int64_t)p->gc_ns, (int64_t)p->tool_ns, (int64_t)p->frames, (int64_t)p->roots,
               (int64_t)p->dropped_frames, has_status ? (int64_t)p->exit_value : -1,
               has_signal ? (int64_t)p->exit_value : -1, (int64_t)p->is_complete);
    free(command);
}

static void put_number(exporter *e, const char *name, uint64_t value)
{
    cli_db_put(&e->db, CLI_DB_META, "ti", name, (int64_t)value);
}

static void put_text(exporter *e, const char *name, const char *value)
{
    cli_db_put(&e->db, CLI_DB_META, value ? "tt" : "tn", name, value);
}

static void put_recording(exporter *e)
{
    const snoopi_recording *const r = snoopi_trace_recording(e->trace);
    const uint32_t n = snoopi_trace_n_processes(e->trace);
    char *const command = join(r->argc, r->argv);
    put_text(e, "schema", "snoopi.sqlite/1");
    put_text(e, "writer", "snoopi " SNOOPI_VERSION);
    put_text(e, "command", command);
    put_number(e, "begin_real_ns", r->begin_real_ns);
    put_number(e, "origin_ns", e->origin_ns);
    free(command);
    for (uint32_t i = 0; i < n; i++) {
        put_process(e, snoopi_trace_process(e->trace, i));
    }
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        if (snoopi_flag_name(bit)) {
            cli_db_put(&e->db, CLI_DB_FLAG, "it", (int64_t)bit, snoopi_flag_name(bit));
        }
    }
}

static void put_totals(exporter *e, const snoopi_totals *t)
{
    uint64_t value = 0;
    const char *name = NULL;
    for (int i = 0; (name = snoopi_totals_field(t, i, &value)); i++) {
        put_number(e, name, value);
    }
    put_text(e, "damage", snoopi_trace_damage(e->trace));
}

// The view "rows": what `list` with the same options shows.
static void make_rows(exporter *e)
{
    char sql[160];
    const char *const by = snoopi_by_name((int)e->options->by);
    (void)snprintf(sql, sizeof sql,
                   "CREATE VIEW rows AS SELECT * FROM by_%s ORDER BY %s DESC, name", by,
                   e->options->weight == SNOOPI_WEIGHT_COUNT ? "count" : "self_ns");
    cli_db_run(&e->db, sql);
}

// ---- the whole

static int put_frames(exporter *e, snoopi_error *err)
{
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    int status = snoopi_scan_open(&scan, e->trace, &e->options->scope, err);
    while (status >= 0 && (status = snoopi_scan_next(scan, &frame, err)) == 1) {
        put_frame(e, &frame);
        if (e->db.has_failed) {
            status = err->status;
        }
    }
    if (status == SNOOPI_OK) {
        put_totals(e, snoopi_scan_totals(scan));
    }
    snoopi_scan_close(scan);
    return status;
}

static int put_database(snoopi_trace *trace, const snoopi_export_options *options, const char *path,
                        snoopi_error *err)
{
    exporter e = {.trace = trace, .options = options, .origin_ns = snoopi_trace_origin_ns(trace)};
    cli_db_open(&e.db, path, err);
    e.instances = calloc((size_t)snoopi_trace_n_instances(trace) + 1, sizeof *e.instances);
    if (!e.instances) {
        cli_db_fail_nomem(&e.db);
    }
    cli_sqlite_triggers_init(&e.triggers, trace, &e.db);
    put_recording(&e);
    int status = e.db.has_failed ? (int)err->status : put_frames(&e, err);
    if (status == SNOOPI_OK) {
        put_sums(&e);
        make_rows(&e);
        cli_db_run(&e.db, "CREATE INDEX frames_of_instance ON frames (instance);"
                          "CREATE INDEX frames_of_parent ON frames (parent);"
                          "CREATE INDEX frames_in_time ON frames (process, begin_ns);"
                          "CREATE INDEX instances_of_method ON instances (method);"
                          "CREATE INDEX instances_by_name ON instances (name);"
                          "CREATE INDEX triggers_of_caller ON triggers (caller);"
                          "CREATE INDEX methods_of_module ON methods (module)");
    }
    cli_db_close(&e.db);
    cli_sqlite_triggers_clear(&e.triggers);
    free(e.instances);
    free(e.n_open);
    free(e.path);
    return e.db.has_failed ? (int)err->status : status;
}

int cli_sqlite_export(snoopi_trace *trace, const snoopi_export_options *options, const char *path,
                      bool is_stdout, snoopi_error *err)
{
    cli_fileoutput file;
    int status = cli_fileoutput_begin(&file, path, is_stdout, err);
    if (status == SNOOPI_OK) {
        status = put_database(trace, options, file.temporary, err);
    }
    return cli_fileoutput_end(&file, status, err);
}
