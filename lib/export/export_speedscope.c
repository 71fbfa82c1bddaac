// SPDX-License-Identifier: MIT
// speedscope's own format: evented profiles, one for each lane. The profiles stand one behind the other while frames of several
// threads come mixed, so the first lane of a process is written as it comes, and the others wait in files without names.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snoopi/version.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "format/tempfile.h"
#include "plaintext.h"
#include "timeline.h"

// A name in the list that profiles refer to. Text is the trace's.
typedef struct {
    const char *name;
    const char *file;
    int32_t line;
} shared_frame;

// Where the profile of a lane goes.
typedef struct {
    FILE *out;
    snoopi_json json;
    uint64_t at; // of the last event, from the process's begin
} sink;

typedef struct {
    snoopi__timeline timeline;
    bool has_profiles;
    sink *sinks; // by lane of the process
    size_t n_sinks;
    size_t sinks_capacity;
    uint32_t *index_of_key; // index + 1 in `shared`, by key
    size_t keys_capacity;
    shared_frame *shared;
    size_t n_shared;
    size_t shared_capacity;
    uint32_t *open; // indices of the open frames
    size_t open_capacity;
} speedscope;

// ---- names

static bool add_shared(speedscope *s, const snoopi__key *key)
{
    shared_frame *const grown =
        snoopi__grow(s->shared, &s->shared_capacity, s->n_shared + 1, sizeof *grown);
    if (!grown) {
        return false;
    }
    s->shared = grown;
    s->shared[s->n_shared++] = (shared_frame){snoopi__shown_name(key->name), key->file, key->line};
    return true;
}

// The index of a key in the list of names.
static bool find_shared(speedscope *s, const snoopi__export_frame *exported, uint32_t *index)
{
    if (exported->number >= s->keys_capacity) {
        const size_t before = s->keys_capacity;
        uint32_t *const grown = snoopi__grow(s->index_of_key, &s->keys_capacity,
                                             (size_t)exported->number + 1, sizeof *grown);
        if (!grown) {
            return false;
        }
        s->index_of_key = grown;
        memset(grown + before, 0, (s->keys_capacity - before) * sizeof *grown);
    }
    uint32_t *const known = &s->index_of_key[exported->number];
    if (*known == 0) {
        if (!add_shared(s, exported->key)) {
            return false;
        }
        *known = (uint32_t)s->n_shared;
    }
    *index = *known - 1;
    return true;
}

// ---- profiles

static FILE *open_sink(snoopi__export *x)
{
    const int fd = snoopi__tempfile_open(NULL, &x->error);
    FILE *const out = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (fd >= 0 && !out) {
        (void)close(fd);
    }
    return out;
}

static void begin_profile(snoopi__export *x, snoopi_json *json, const char *name)
{
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "type", "evented");
    snoopi_json_member_string(json, "name", name);
    snoopi_json_member_string(json, "unit",
                              x->options->weight == SNOOPI_WEIGHT_COUNT ? "none" : "nanoseconds");
    snoopi_json_member_uint(json, "startValue", 0);
    snoopi_json_key(json, "events");
    snoopi_json_begin_array(json);
}

static void end_profile(snoopi_json *json, uint64_t at)
{
    snoopi_json_end_array(json);
    snoopi_json_member_uint(json, "endValue", at);
    snoopi_json_end_object(json);
}

// A writer for what stands behind an item of the innermost container.
static snoopi_json behind_item(snoopi_json json)
{
    json.has_items |= 1u << (json.depth - 1);
    return json;
}

static void put_lane(snoopi__export *x, const snoopi__lane *lane)
{
    speedscope *const s = x->state;
    const snoopi_process *const p = snoopi_trace_process(x->trace, lane->process);
    char name[320];
    char more[64] = "";
    sink *const grown = snoopi__grow(s->sinks, &s->sinks_capacity, s->n_sinks + 1, sizeof *grown);
    if (!grown) {
        x->has_failed = true;
        return;
    }
    s->sinks = grown;
    sink *const here = &s->sinks[s->n_sinks];
    *here = (sink){.out = x->out, .json = x->json};
    if (lane->number > 0) {
        here->out = open_sink(x);
        if (!here->out) {
            x->has_failed = true;
            return;
        }
        here->json = behind_item(x->json);
        here->json.out = here->out;
    }
    s->n_sinks++;
    s->has_profiles = true;
    if (lane->index > 0) {
        (void)snprintf(more, sizeof more, ", tasks meanwhile (%u)", (unsigned)lane->index);
    }
    (void)snprintf(name, sizeof name, "process %u%s%.200s, thread %u%s", (unsigned)lane->process,
                   *p->role ? " " : "", p->role, (unsigned)lane->thread, more);
    begin_profile(x, &here->json, name);
}

static void put_event(snoopi__export *x, const snoopi__lane *lane, const char *type, uint32_t frame)
{
    speedscope *const s = x->state;
    sink *const here = &s->sinks[lane->number];
    const uint64_t begin = x->options->weight == SNOOPI_WEIGHT_COUNT
                               ? 0
                               : snoopi_trace_process(x->trace, lane->process)->begin_ns;
    here->at = lane->at > begin ? lane->at - begin : 0;
    snoopi_json_begin_object(&here->json);
    snoopi_json_member_string(&here->json, "type", type);
    snoopi_json_member_uint(&here->json, "frame", frame);
    snoopi_json_member_uint(&here->json, "at", here->at);
    snoopi_json_end_object(&here->json);
}

static void put_open(snoopi__export *x, const snoopi__lane *lane,
                     const snoopi__export_frame *exported)
{
    speedscope *const s = x->state;
    uint32_t index = 0;
    uint32_t *const grown =
        snoopi__grow(s->open, &s->open_capacity, (size_t)exported->depth + 1, sizeof *grown);
    if (grown) {
        s->open = grown;
    }
    if (x->has_failed || !grown || !find_shared(s, exported, &index)) {
        x->has_failed = true;
        return;
    }
    s->open[exported->depth] = index;
    put_event(x, lane, "O", index);
}

static void put_close(snoopi__export *x, const snoopi__lane *lane, uint32_t depth)
{
    const speedscope *const s = x->state;
    if (!x->has_failed) {
        put_event(x, lane, "C", s->open[depth]);
    }
}

static void copy(snoopi__export *x, FILE *from)
{
    char block[16384];
    size_t n;
    if (fflush(from) != 0 || fseeko(from, 0, SEEK_SET) != 0) {
        x->has_failed = true;
    }
    while (!x->has_failed && (n = fread(block, 1, sizeof block, from)) > 0) {
        (void)fwrite(block, 1, n, x->out);
    }
    if (ferror(from)) {
        x->has_failed = true;
    }
    if (x->has_failed && x->error.status == SNOOPI_OK) {
        (void)snoopi__fail(&x->error, SNOOPI_E_IO, "cannot write to a temporary file");
    }
}

static void end_process(snoopi__export *x)
{
    speedscope *const s = x->state;
    for (size_t i = 0; i < s->n_sinks; i++) {
        end_profile(&s->sinks[i].json, s->sinks[i].at);
        if (i == 0) {
            x->json = behind_item(x->json);
        } else {
            copy(x, s->sinks[i].out);
            (void)fclose(s->sinks[i].out);
        }
    }
    s->n_sinks = 0;
}

static const snoopi__timeline_ops ops = {
    .lane = put_lane, .open = put_open, .close = put_close, .process_end = end_process};

// ---- the document

static void begin_document(snoopi__export *x)
{
    speedscope *const s = calloc(1, sizeof *s);
    const snoopi_recording *const r = snoopi_trace_recording(x->trace);
    snoopi_json *const json = &x->json;
    x->state = s;
    x->has_failed = s == NULL;
    if (!s) {
        return;
    }
    s->timeline.ops = &ops;
    snoopi_json_init(json, x->out, 2);
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "$schema",
                              "https://www.speedscope.app/file-format-schema.json");
    snoopi_json_member_string(json, "exporter", "snoopi@" SNOOPI_VERSION);
    snoopi_json_member_string(json, "name", r->argc > 0 ? r->argv[r->argc - 1] : "inference");
    snoopi_json_member_uint(json, "activeProfileIndex", 0);
    snoopi_json_key(json, "profiles");
    snoopi_json_begin_array(json);
}

static void put_frame(snoopi__export *x, const snoopi__export_frame *exported)
{
    speedscope *const s = x->state;
    snoopi__timeline_frame(x, &s->timeline, exported);
}

static void put_shared(snoopi_json *json, const shared_frame *frame)
{
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "name", frame->name);
    if (frame->file && *frame->file) {
        snoopi_json_member_string(json, "file", frame->file);
    }
    if (frame->line > 0) {
        snoopi_json_member_uint(json, "line", (uint64_t)frame->line);
    }
    snoopi_json_end_object(json);
}

static void end_document(snoopi__export *x, const snoopi_totals *totals, const snoopi_totals *scope)
{
    speedscope *const s = x->state;
    snoopi_json *const json = &x->json;
    (void)totals;
    (void)scope;
    if (x->has_failed) {
        return;
    }
    snoopi__timeline_end(x, &s->timeline);
    if (!s->has_profiles) { // readers want at least one
        begin_profile(x, json, "no frames");
        end_profile(json, 0);
    }
    snoopi_json_end_array(json);
    snoopi_json_key(json, "shared");
    snoopi_json_begin_object(json);
    snoopi_json_key(json, "frames");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < s->n_shared; i++) {
        put_shared(json, &s->shared[i]);
    }
    snoopi_json_end_array(json);
    snoopi_json_end_object(json);
    snoopi_json_end_object(json);
    snoopi_json_end_line(json);
}

static void clear(snoopi__export *x)
{
    speedscope *const s = x->state;
    if (!s) {
        return;
    }
    for (size_t i = 1; i < s->n_sinks; i++) {
        (void)fclose(s->sinks[i].out);
    }
    free(s->sinks);
    free(s->index_of_key);
    free(s->shared);
    free(s->open);
    snoopi__timeline_clear(&s->timeline);
    free(s);
    x->state = NULL;
}

const snoopi__exporter snoopi__export_speedscope = {.name = "speedscope",
                                                    .begin = begin_document,
                                                    .frame = put_frame,
                                                    .end = end_document,
                                                    .clear = clear};
