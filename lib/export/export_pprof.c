// SPDX-License-Identifier: MIT
// Google's pprof: a gzipped message of profile.proto. Pieces of a message that stand one behind the other are one message, so each
// sample, function and string is packed by itself and is on its way; what is kept are the stacks and hashes of the strings.
//
// Names: pprof cuts a function's name at the first parenthesis if it thinks that it has to demangle it, which it does unless
// system_name is another one (google/pprof#573). Ours has the module in front.
//
// Ids: functions and locations of keys are their numbers + 1; behind them come functions by number, locations by code.
#include <stdlib.h>
#include <string.h>

#include <snoopi/version.h>

#include "base/fail.h"
#include "exporter.h"
#include "gzipstream.h"
#include "mergedstacks.h"
#include "plaintext.h"
#include "profile.pb-c.h"

typedef Perftools__Profiles__Profile profile;
typedef Perftools__Profiles__Sample sample;
typedef Perftools__Profiles__Label label;

enum { JULIA_MAPPING = 1, LABELS_MAX = 2 + 32 }; // process, thread, and a flag for each bit

typedef struct {
    size_t n;
    label labels[LABELS_MAX];
} label_set;

typedef struct {
    snoopi__export *x;
    snoopi__stacks stacks;
    snoopi__gzip gzip;
    snoopi__idset strings; // index + 1
    int64_t n_strings;
    snoopi__buffer text;   // of the string that is looked up
    snoopi__buffer packed; // the piece on its way
    uint64_t *path;        // of the sample on its way
    size_t path_capacity;
    bool *is_used;           // by key: a location
    bool *is_used_code;      // by code, 0 for those that were lost: likewise
    snoopi__idset functions; // of places: number
    uint32_t n_functions;
    label_set **labels; // by number
    bool has_failed;
} writer;

static void put_piece(writer *w, const profile *piece)
{
    const size_t size = perftools__profiles__profile__get_packed_size(piece);
    w->packed.size = 0;
    if (!snoopi__buffer_reserve(&w->packed, size)) {
        w->has_failed = true;
        return;
    }
    (void)perftools__profiles__profile__pack(piece, w->packed.data);
    snoopi__gzip_put(&w->gzip, w->packed.data, size);
}

// ---- strings

// The index of what is in w->text.
static int64_t intern(writer *w)
{
    snoopi__buffer_put(&w->text, "", 1);
    uint32_t *const known =
        w->text.has_failed ? NULL : snoopi__idset_find(&w->strings, 0, w->text.data, w->text.size);
    if (!known) {
        w->has_failed = true;
        return 0;
    }
    if (*known == 0) {
        profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
        char *text = (char *)w->text.data;
        piece.n_string_table = 1;
        piece.string_table = &text;
        put_piece(w, &piece);
        *known = (uint32_t)++w->n_strings;
    }
    return (int64_t)*known - 1;
}

static int64_t intern_text(writer *w, const char *text)
{
    w->text.size = 0;
    snoopi__put_utf8(&w->text, text);
    return intern(w);
}

static int64_t intern_two(writer *w, const char *first, const char *separator, const char *second)
{
    w->text.size = 0;
    snoopi__put_utf8(&w->text, first);
    snoopi__put_utf8(&w->text, separator);
    snoopi__put_utf8(&w->text, second);
    return intern(w);
}

// ---- the head: what is measured, and of what

static void put_types(writer *w)
{
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    Perftools__Profiles__ValueType time = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
    Perftools__Profiles__ValueType frames = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
    Perftools__Profiles__ValueType *types[] = {&time, &frames};

    (void)intern_text(w, ""); // has to be the first
    time.type = intern_text(w, "inference");
    time.unit = intern_text(w, "nanoseconds");
    frames.type = intern_text(w, "frames");
    frames.unit = intern_text(w, "count");
    piece.n_sample_type = 2;
    piece.sample_type = types;
    piece.period_type = &time;
    piece.period = 1;
    piece.default_sample_type =
        w->x->options->weight == SNOOPI_WEIGHT_COUNT ? frames.type : time.type;
    put_piece(w, &piece);
}

// One mapping, the program that all came from. That it has names keeps pprof from looking for symbols.
static void put_mapping(writer *w)
{
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    Perftools__Profiles__Mapping mapping = PERFTOOLS__PROFILES__MAPPING__INIT;
    Perftools__Profiles__Mapping *mappings[] = {&mapping};
    const bool has_process = snoopi_trace_n_processes(w->x->trace) > 0;
    const char *const exe = has_process ? snoopi_trace_process(w->x->trace, 0)->exe : "";

    mapping.id = JULIA_MAPPING;
    mapping.filename = intern_text(w, *exe ? exe : "julia");
    mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = 1;
    piece.n_mapping = 1;
    piece.mapping = mappings;
    put_piece(w, &piece);
}

static void put_comment(writer *w, int64_t text)
{
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    piece.n_comment = 1;
    piece.comment = &text;
    put_piece(w, &piece);
}

static void put_words(snoopi__buffer *text, uint32_t n, const char *const *words)
{
    for (uint32_t i = 0; i < n; i++) {
        snoopi__put_utf8(text, i > 0 ? " " : "");
        snoopi__put_utf8(text, words[i]);
    }
}

static void put_comments(writer *w)
{
    snoopi_trace *const trace = w->x->trace;
    const snoopi_recording *const r = snoopi_trace_recording(trace);
    const char *const damage = snoopi_trace_damage(trace);
    char start[320];

    put_comment(w, intern_text(w, "Julia type inference, by snoopi " SNOOPI_VERSION));
    if (r->argc > 0) {
        w->text.size = 0;
        snoopi__put_utf8(&w->text, "recorded: ");
        put_words(&w->text, r->argc, r->argv);
        put_comment(w, intern(w));
    }
    const uint32_t n = snoopi_trace_n_processes(trace);
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_process *const p = snoopi_trace_process(trace, i);
        (void)snprintf(start, sizeof start,
                       "process %u %.100s (pid %u, Julia %.100s): ", (unsigned)i, p->role,
                       (unsigned)p->pid, p->julia);
        w->text.size = 0;
        snoopi__put_utf8(&w->text, start);
        put_words(&w->text, p->argc, p->argv);
        put_comment(w, intern(w));
    }
    if (damage) {
        put_comment(w, intern_two(w, "this is not the whole recording", ": ", damage));
    }
}

static void put_times(writer *w)
{
    const snoopi_recording *const r = snoopi_trace_recording(w->x->trace);
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    piece.time_nanos = (int64_t)r->begin_real_ns;
    piece.duration_nanos = (int64_t)w->stacks.totals.elapsed_ns;
    put_piece(w, &piece);
}

// ---- samples

static label text_label(int64_t key, int64_t text)
{
    label made = PERFTOOLS__PROFILES__LABEL__INIT;
    made.key = key;
    made.str = text;
    return made;
}

static void make_labels(writer *w, const snoopi__stack_labels *from, label_set *made)
{
    const snoopi_process *const p = snoopi_trace_process(w->x->trace, from->process);
    uint32_t flags = from->flags;
    char text[256];

    (void)snprintf(text, sizeof text, "%u%s%.200s", (unsigned)from->process, *p->role ? " " : "",
                   p->role);
    made->labels[made->n++] = text_label(intern_text(w, "process"), intern_text(w, text));
    (void)snprintf(text, sizeof text, "%u", (unsigned)from->thread);
    made->labels[made->n++] = text_label(intern_text(w, "thread"), intern_text(w, text));
    for (const char *word = snoopi__export_next_flag(&flags); word;
         word = snoopi__export_next_flag(&flags)) {
        made->labels[made->n++] = text_label(intern_text(w, "flag"), intern_text(w, word));
    }
}

// Samples have few different sets of labels, so each is made once. NULL when memory is short.
static label_set *find_labels(writer *w, uint32_t number)
{
    if (!w->labels[number]) {
        w->labels[number] = calloc(1, sizeof *w->labels[number]);
        if (w->labels[number]) {
            make_labels(w, &w->stacks.labels[number], w->labels[number]);
        }
    }
    w->has_failed = w->has_failed || !w->labels[number];
    return w->labels[number];
}

// The location of a code of a stack.
static uint64_t code_location(writer *w, uint32_t code)
{
    const uint32_t known = code <= snoopi_trace_n_codes(w->x->trace) ? code : 0;
    w->is_used_code[known] = true;
    return (uint64_t)w->stacks.select.keys.n_keys + 1 + known;
}

// Locations of a node, of all above it, and of what called its root, the innermost first.
static size_t find_path(writer *w, uint32_t number, uint32_t root_stack)
{
    const snoopi__node *const nodes = w->stacks.nodes.nodes;
    const snoopi__root_stack none = {0};
    const snoopi__root_stack *const stack =
        root_stack > 0 ? &w->stacks.root_stacks[root_stack - 1] : &none;
    const size_t n = (size_t)nodes[number].depth + 1;
    uint64_t *const grown = snoopi__grow(w->path, &w->path_capacity, n + stack->n, sizeof *grown);
    if (!grown) {
        w->has_failed = true;
        return 0;
    }
    w->path = grown;
    for (size_t i = 0; i < n; i++) {
        w->is_used[nodes[number].key] = true;
        w->path[i] = (uint64_t)nodes[number].key + 1;
        number = nodes[number].above;
    }
    for (uint32_t i = 0; i < stack->n; i++) {
        w->path[n + i] = code_location(w, stack->codes[i]);
    }
    return n + stack->n;
}

static void put_sample(writer *w, const snoopi__stack_sample *from)
{
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    sample one = PERFTOOLS__PROFILES__SAMPLE__INIT;
    sample *samples[] = {&one};
    label *pointers[LABELS_MAX];
    label_set *const labels = find_labels(w, from->labels);
    int64_t values[] = {(int64_t)from->self_ns, (int64_t)from->count};

    if (!labels) {
        return;
    }
    one.n_location_id = find_path(w, from->node, w->stacks.labels[from->labels].root_stack);
    one.location_id = w->path;
    one.n_value = 2;
    one.value = values;
    one.n_label = labels->n;
    for (size_t i = 0; i < labels->n; i++) {
        pointers[i] = &labels->labels[i];
    }
    one.label = pointers;
    piece.n_sample = 1;
    piece.sample = samples;
    put_piece(w, &piece);
}

// ---- functions: one for each key, with one location

static void put_function(writer *w, uint32_t number)
{
    const snoopi__key *const key = &w->stacks.select.keys.keys[number];
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    Perftools__Profiles__Function function = PERFTOOLS__PROFILES__FUNCTION__INIT;
    Perftools__Profiles__Function *functions[] = {&function};
    Perftools__Profiles__Location location = PERFTOOLS__PROFILES__LOCATION__INIT;
    Perftools__Profiles__Location *locations[] = {&location};
    Perftools__Profiles__Line line = PERFTOOLS__PROFILES__LINE__INIT;
    Perftools__Profiles__Line *lines[] = {&line};
    const bool is_module = key->module == key->name;
    const char *const name = snoopi__shown_name(key->name);

    function.id = location.id = line.function_id = (uint64_t)number + 1;
    function.name = intern_text(w, name);
    function.system_name = key->module && !is_module
                               ? intern_two(w, key->module, ".", name)
                               : intern_two(w, snoopi_by_name((int)w->x->options->by), " ", name);
    function.filename = intern_text(w, snoopi__export_text(key->file));
    function.start_line = line.line = key->line;
    location.mapping_id = JULIA_MAPPING;
    location.n_line = 1;
    location.line = lines;
    piece.n_function = piece.n_location = 1;
    piece.function = functions;
    piece.location = locations;
    put_piece(w, &piece);
}

// ---- stacks of roots: a location for each code, a function for each name and file

static uint64_t function_id(writer *w, size_t index)
{
    return (uint64_t)w->stacks.select.keys.n_keys + index;
}

static void put_place_function(writer *w, uint64_t id, const snoopi_place *place)
{
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    Perftools__Profiles__Function function = PERFTOOLS__PROFILES__FUNCTION__INIT;
    Perftools__Profiles__Function *functions[] = {&function};
    function.id = id;
    function.name = intern_text(w, *place->name ? place->name : "?");
    function.system_name = intern_two(w, place->is_c ? "C" : "stack", " ", place->name);
    function.filename = intern_text(w, place->file);
    piece.n_function = 1;
    piece.function = functions;
    put_piece(w, &piece);
}

// The id of a place's function, which is written when it is new.
static uint64_t find_place_function(writer *w, const snoopi_place *place)
{
    w->text.size = 0;
    snoopi__buffer_put(&w->text, place->name, strlen(place->name) + 1);
    snoopi__buffer_put(&w->text, place->file, strlen(place->file) + 1);
    uint32_t *const known = w->text.has_failed
                                ? NULL
                                : snoopi__idset_find(&w->functions, 0, w->text.data, w->text.size);
    if (!known) {
        w->has_failed = true;
        return 0;
    }
    if (*known == 0) {
        *known = ++w->n_functions;
        put_place_function(w, function_id(w, *known), place);
    }
    return function_id(w, *known);
}

// Lines of a code: what is inlined stands before what it is inlined into.
static void put_code_lines(writer *w, Perftools__Profiles__Location *location,
                           const snoopi_code *code)
{
    const snoopi_place unknown = {.name = "", .file = ""};
    const size_t n = code && code->n_places > 0 ? code->n_places : 1;
    Perftools__Profiles__Line *const lines = calloc(n, sizeof *lines);
    Perftools__Profiles__Line **const pointers = calloc(n, sizeof *pointers);
    Perftools__Profiles__Location *locations[] = {location};
    profile piece = PERFTOOLS__PROFILES__PROFILE__INIT;
    w->has_failed |= !lines || !pointers;
    for (size_t i = 0; i < n && !w->has_failed; i++) {
        const snoopi_place *const place = code && code->n_places > 0 ? &code->places[i] : &unknown;
        perftools__profiles__line__init(&lines[i]);
        lines[i].function_id = find_place_function(w, place);
        lines[i].line = place->line;
        pointers[i] = &lines[i];
    }
    if (!w->has_failed) {
        location->n_line = n;
        location->line = pointers;
        piece.n_location = 1;
        piece.location = locations;
        put_piece(w, &piece);
    }
    free(lines);
    free(pointers);
}

static void put_codes(writer *w)
{
    const uint32_t n = snoopi_trace_n_codes(w->x->trace);
    for (uint32_t id = 0; w->is_used_code && id <= n && !w->has_failed; id++) {
        if (w->is_used_code[id]) {
            const snoopi_code *const code = snoopi_trace_code(w->x->trace, id);
            Perftools__Profiles__Location location = PERFTOOLS__PROFILES__LOCATION__INIT;
            location.id = code_location(w, id);
            location.mapping_id = JULIA_MAPPING;
            location.address = code ? code->address : 0;
            put_code_lines(w, &location, code);
        }
    }
}

static void put_profile(writer *w)
{
    const snoopi__stacks *const s = &w->stacks;
    put_types(w);
    put_mapping(w);
    put_comments(w);
    put_times(w);
    for (size_t i = 0; i < s->n_samples && !w->has_failed && !ferror(w->x->out); i++) {
        if (s->samples[i].count > 0) {
            put_sample(w, &s->samples[i]);
        }
    }
    for (uint32_t i = 0; i < s->select.keys.n_keys && !w->has_failed; i++) {
        if (w->is_used[i]) {
            put_function(w, i);
        }
    }
    put_codes(w);
}

static int put_pprof(snoopi__export *x, snoopi_error *err)
{
    writer *const w = calloc(1, sizeof *w);
    if (!w) {
        return snoopi__fail_nomem(err);
    }
    w->x = x;
    int status =
        snoopi__stacks_init(&w->stacks, x->trace, x->options, SNOOPI_SORT_TOTAL, true, err);
    if (status < 0) {
        goto out;
    }
    w->is_used = calloc(w->stacks.select.keys.n_keys + 1, sizeof *w->is_used);
    w->labels = calloc(w->stacks.n_labels + 1, sizeof(label_set *));
    w->is_used_code = calloc((size_t)snoopi_trace_n_codes(x->trace) + 1, sizeof *w->is_used_code);
    w->has_failed = !w->is_used || !w->labels || !w->is_used_code;
    if (w->has_failed || !snoopi__gzip_begin(&w->gzip, x->out)) {
        status = snoopi__fail_nomem(err);
        goto out;
    }
    put_profile(w);
    snoopi__gzip_end(&w->gzip, !w->has_failed);
    status = w->has_failed ? snoopi__fail_nomem(err) : SNOOPI_OK;
out:
    for (size_t i = 0; w->labels && i < w->stacks.n_labels; i++) {
        free(w->labels[i]);
    }
    free(w->labels);
    snoopi__stacks_clear(&w->stacks);
    snoopi__idset_clear(&w->strings);
    snoopi__buffer_clear(&w->text);
    snoopi__buffer_clear(&w->packed);
    free(w->path);
    free(w->is_used);
    free(w->is_used_code);
    snoopi__idset_clear(&w->functions);
    free(w);
    return status;
}

const snoopi__exporter snoopi__export_pprof = {.name = "pprof", .whole = put_pprof};
