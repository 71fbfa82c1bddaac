// SPDX-License-Identifier: MIT
// Opening of traces: definitions, processes and marks. See snoopi/trace.h; walk.c has the frames.
#include "snoopi/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "opentrace.h"
#include "origin.h"
#include "packer.h"
#include "pagereader.h"
#include "processfields.h"
#include "record.h"
#include "tempfile.h"

void snoopi__trace_damaged(snoopi_trace *trace, uint64_t offset, const char *format, ...)
{
    if (offset < trace->end) {
        trace->end = offset;
    }
    if (trace->damage[0]) {
        return;
    }
    char what[160];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(trace->damage, sizeof trace->damage, "cut at byte %llu: %s",
                   (unsigned long long)offset, what);
}

// --- pages that are kept ---

typedef struct {
    snoopi_trace *trace;
    snoopi__pagereader reader;
    uint64_t offset; // of the page in work
    uint64_t kept_stored;
    uint64_t kept_raw;
    uint64_t frames; // of the processes so far, as they say
    bool has_end;
} loading;

static int add_process(loading *l, const snoopi__record *record, const char **why)
{
    snoopi_trace *trace = l->trace;
    snoopi_process process;
    uint32_t state;
    const int st =
        snoopi__process_get(&process, &state, &trace->arena, snoopi__record_fields(record));
    if (st < 0) {
        *why = "malformed PROCESS record";
        return st;
    }
    if (process.index != trace->n_processes) {
        *why = "processes out of order";
        return SNOOPI_E_FORMAT;
    }
    const uint64_t first_frame = l->frames;
    if (__builtin_add_overflow(l->frames, process.frames, &l->frames)) {
        *why = "more frames than can be";
        return SNOOPI_E_FORMAT;
    }
    if (process.parent >= (int64_t)process.index) {
        process.parent = -1;
    }
    snoopi_process *processes = snoopi__grow(trace->processes, &trace->processes_capacity,
                                             trace->n_processes + 1, sizeof *processes);
    trace->processes = processes ? processes : trace->processes;
    snoopi__place *places = snoopi__grow(trace->places, &trace->places_capacity,
                                         trace->n_processes + 1, sizeof *places);
    trace->places = places ? places : trace->places;
    if (!processes || !places) {
        return SNOOPI_E_NOMEM;
    }
    places[trace->n_processes] = (snoopi__place){.first_frame = first_frame,
                                                 .state = state,
                                                 .n_instances = trace->defs.n_instances,
                                                 .n_nodes = trace->defs.n_nodes};
    processes[trace->n_processes++] = process;
    return 0;
}

static int add_mark(loading *l, const snoopi__record *record, const char **why)
{
    snoopi_trace *trace = l->trace;
    snoopi__cursor at = snoopi__record_fields(record);
    snoopi_mark mark = {.process = (uint32_t)trace->n_processes - 1};
    mark.time_ns = snoopi__get_varint(&at);
    const uint32_t name = snoopi__get_varint32(&at);
    if (at.is_bad || (name != 0 && !snoopi__defs_has(&trace->defs, WIRE_STRING, name))) {
        *why = "malformed MARK record";
        return SNOOPI_E_FORMAT;
    }
    mark.name = snoopi__defs_text(&trace->defs, name);
    snoopi_mark *marks =
        snoopi__grow(trace->marks, &trace->marks_capacity, trace->n_marks + 1, sizeof *marks);
    if (!marks) {
        return SNOOPI_E_NOMEM;
    }
    trace->marks = marks;
    marks[trace->n_marks++] = mark;
    return 0;
}

static int add_invalidated(loading *l, const snoopi__record *record, const char **why)
{
    snoopi_trace *trace = l->trace;
    snoopi__cursor at = snoopi__record_fields(record);
    snoopi_invalidated item = {.process = (uint32_t)trace->n_processes - 1};
    item.instance = snoopi__get_varint32(&at);
    item.world = snoopi__get_varint(&at);
    if (at.is_bad || !snoopi__defs_has(&trace->defs, WIRE_INSTANCE, item.instance)) {
        *why = "malformed INVALIDATED record";
        return SNOOPI_E_FORMAT;
    }
    snoopi_invalidated *list = snoopi__grow(trace->invalidated, &trace->invalidated_capacity,
                                            trace->n_invalidated + 1, sizeof *list);
    if (!list) {
        return SNOOPI_E_NOMEM;
    }
    trace->invalidated = list;
    list[trace->n_invalidated++] = item;
    return 0;
}

static int add_record(loading *l, uint16_t kind, const snoopi__record *record, const char **why)
{
    snoopi_trace *trace = l->trace;
    if (record->tag == 0) {
        *why = "a record without a tag";
        return SNOOPI_E_FORMAT;
    }
    if (kind == WIRE_PAGE_DEFS && snoopi__is_definition(record->tag)) {
        return snoopi__defs_add(&trace->defs, record->tag, record->payload, record->size, why);
    }
    if (kind == WIRE_PAGE_PROCESS && record->tag == WIRE_PROCESS) {
        return add_process(l, record, why);
    }
    if (kind == WIRE_PAGE_PROCESS && record->tag == WIRE_TRACE_MARK && trace->n_processes > 0) {
        return add_mark(l, record, why);
    }
    if (kind == WIRE_PAGE_PROCESS && record->tag == WIRE_TRACE_INVALIDATED &&
        trace->n_processes > 0) {
        return add_invalidated(l, record, why);
    }
    if (kind == WIRE_PAGE_END && record->tag == WIRE_RECORDING) {
        *why = "malformed RECORDING record";
        return snoopi__recording_get(&trace->recording, &trace->arena,
                                     snoopi__record_fields(record));
    }
    return 0;
}

// Reads a page whose records are kept.
static int load_page(loading *l, const snoopi__pagehead *head, const char **why)
{
    l->kept_stored += head->stored_size;
    l->kept_raw += head->raw_size;
    if (l->kept_raw > SNOOPI__KEPT_FREE + SNOOPI__KEPT_RATIO * l->kept_stored) {
        *why = "definitions that are too large";
        return SNOOPI_E_FORMAT;
    }
    int st = snoopi__pagereader_read(&l->reader, l->trace->fd, l->offset, head, why);
    if (st < 0) {
        return st;
    }
    const size_t n_processes = l->trace->n_processes;
    snoopi__cursor at = snoopi__cursor_of(l->reader.raw, l->reader.size);
    snoopi__record record;
    while (st == 0 && snoopi__next_record(&at, &record)) {
        st = add_record(l, head->kind, &record, why);
    }
    if (st == 0 && at.is_bad) {
        *why = "a record that does not end within its page";
        st = SNOOPI_E_FORMAT;
    }
    if (st == 0 && head->kind == WIRE_PAGE_PROCESS && l->trace->n_processes != n_processes + 1) {
        *why = "a PROCESS page that is not of one process";
        st = SNOOPI_E_FORMAT;
    }
    return st;
}

// Takes the page at l->offset: 0, or what snoopi__pagehead_read() returns.
static int take_page(loading *l, const snoopi__pagehead *head, const char **why)
{
    snoopi_trace *trace = l->trace;
    const uint64_t next = l->offset + WIRE_PAGE_HEADER_SIZE + head->stored_size;
    switch (head->kind) {
    case WIRE_PAGE_DEFS:
    case WIRE_PAGE_PROCESS:
    case WIRE_PAGE_END: {
        const int st = load_page(l, head, why);
        if (st < 0) {
            return st;
        }
        break;
    }
    case WIRE_PAGE_FRAMES:
        if (trace->n_processes == 0) {
            *why = "frames before the first process";
            return SNOOPI_E_FORMAT;
        }
        break;
    default: break; // kinds to come
    }
    if (head->kind == WIRE_PAGE_PROCESS) {
        trace->places[trace->n_processes - 1].offset = next;
    }
    l->has_end = head->kind == WIRE_PAGE_END;
    l->offset = next;
    return 0;
}

static int load(loading *l, snoopi_error *err)
{
    snoopi_trace *trace = l->trace;
    while (l->offset < trace->end && !l->has_end) {
        snoopi__pagehead head;
        const char *why = NULL;
        int st = snoopi__pagehead_read(&head, trace->fd, l->offset, trace->end, &why);
        if (st == 0) {
            st = take_page(l, &head, &why);
        }
        if (st == SNOOPI_E_FORMAT) {
            snoopi__trace_damaged(trace, l->offset, "%s", why);
            return 0;
        }
        if (st < 0) {
            return st == SNOOPI_E_NOMEM
                       ? snoopi__fail_nomem(err)
                       : snoopi__fail(err, SNOOPI_E_IO, "%s: at byte %llu: %s", trace->path,
                                      (unsigned long long)l->offset, strerror(errno));
        }
    }
    if (!l->has_end) {
        snoopi__trace_damaged(trace, l->offset, "the file ends without an END page");
    } else if (l->offset < trace->end) {
        snoopi__trace_damaged(trace, l->offset, "%llu bytes behind the END page",
                              (unsigned long long)(trace->end - l->offset));
    }
    trace->recording.is_complete = l->has_end;
    return 0;
}

static int load_all(snoopi_trace *trace, snoopi_error *err)
{
    loading l = {.trace = trace, .offset = WIRE_TRACE_HEADER_SIZE};
    const int st = load(&l, err);
    snoopi__pagereader_clear(&l.reader);
    // What the END page says, or would have said.
    trace->recording.processes = (uint32_t)trace->n_processes;
    trace->recording.frames = l.frames;
    return st;
}

// --- opening ---

// Packs the segment `path` into a file without a name, which becomes the trace's.
static int pack_segment(snoopi_trace *trace, const char *path, snoopi_error *err)
{
    snoopi__packer packer;
    snoopi__segment segment;
    snoopi_recording recording = {0};
    int st = snoopi__segment_open(&segment, path, err);
    if (st < 0) {
        return st;
    }
    st = snoopi__packer_open(&packer, NULL, err);
    if (st == 0) {
        st = snoopi__packer_add(&packer, &segment, -1, SNOOPI_EXIT_UNKNOWN, 0, err);
    }
    if (st == 0) {
        st = snoopi__packer_finish(&packer, &recording, err);
    }
    if (st == 0) {
        trace->fd = packer.writer.fd;
        packer.writer.fd = -1;
        trace->end = packer.writer.bytes;
    }
    snoopi__packer_close(&packer);
    snoopi__segment_close(&segment);
    return st;
}

static int check_file(snoopi_trace *trace, snoopi_error *err)
{
    struct stat st;
    if (fstat(trace->fd, &st) < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", trace->path, strerror(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", trace->path, strerror(errno));
    }
    if (!S_ISREG(st.st_mode)) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: not a regular file", trace->path);
    }
    trace->end = (uint64_t)st.st_size;
    if (trace->end == 0) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: the file is empty", trace->path);
    }
    return 0;
}

static int read_header(snoopi_trace *trace, snoopi_error *err)
{
    unsigned char bytes[WIRE_TRACE_HEADER_SIZE];
    const int64_t n = snoopi__read_at(trace->fd, bytes, sizeof bytes, 0);
    if (n < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", trace->path, strerror(errno));
    }
    const size_t magic_size = sizeof WIRE_TRACE_MAGIC - 1;
    if (n >= (int64_t)magic_size && memcmp(bytes, WIRE_SEGMENT_MAGIC, magic_size) == 0) {
        (void)close(trace->fd);
        trace->fd = -1;
        const int st = pack_segment(trace, trace->path, err);
        trace->recording.format_version = WIRE_TRACE_VERSION;
        return st;
    }
    if (n < (int64_t)magic_size || memcmp(bytes, WIRE_TRACE_MAGIC, magic_size) != 0) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: not a snoopi trace", trace->path);
    }
    if (n < (int64_t)sizeof bytes) {
        return snoopi__fail(err, SNOOPI_E_FORMAT,
                            "%s: cut at byte %lld, within the header of the trace", trace->path,
                            (long long)n);
    }
    const uint32_t version = snoopi__load_u32(bytes + magic_size);
    if (version > WIRE_TRACE_VERSION) {
        return snoopi__fail(err, SNOOPI_E_VERSION,
                            "%s: trace of format version %u; this snoopi reads up to %d",
                            trace->path, version, WIRE_TRACE_VERSION);
    }
    if (version == 0) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: trace of format version 0", trace->path);
    }
    trace->recording.format_version = version;
    return 0;
}

int snoopi_trace_open(snoopi_trace **out, const char *path, snoopi_error *err)
{
    *out = NULL;
    snoopi_trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        return snoopi__fail_nomem(err);
    }
    snoopi__defs_init(&trace->defs, &trace->arena, 0);
    trace->recording.writer = "";
    trace->recording.note = "";
    trace->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO must not hang us
    trace->path = strdup(path);
    int st = 0;
    if (trace->fd < 0) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    } else if (!trace->path) {
        st = snoopi__fail_nomem(err);
    }
    st = st < 0 ? st : check_file(trace, err);
    st = st < 0 ? st : read_header(trace, err);
    st = st < 0 ? st : load_all(trace, err);
    if (st < 0) {
        snoopi_trace_close(trace);
        return st;
    }
    *out = trace;
    return 0;
}

void snoopi_trace_close(snoopi_trace *trace)
{
    if (!trace) {
        return;
    }
    if (trace->clear_names) {
        trace->clear_names(trace->names);
    }
    if (trace->fd >= 0) {
        (void)close(trace->fd);
    }
    snoopi__defs_clear(&trace->defs);
    snoopi__arena_clear(&trace->arena);
    free(trace->processes);
    free(trace->places);
    free(trace->marks);
    free(trace->invalidated);
    free(trace->codes);
    free(trace->path);
    free(trace);
}

// --- what an open trace tells ---

const char *snoopi_trace_damage(const snoopi_trace *trace)
{
    return trace->damage[0] ? trace->damage : NULL;
}

const snoopi_recording *snoopi_trace_recording(const snoopi_trace *trace)
{
    return &trace->recording;
}

bool snoopi_trace_is_from_here(const snoopi_trace *trace)
{
    char here[SNOOPI__ORIGIN_SIZE];
    snoopi__origin(here);
    const uint32_t n = snoopi_trace_n_processes(trace);
    bool is_from_here = n > 0 && *here != '\0';
    for (uint32_t i = 0; i < n && is_from_here; i++) {
        is_from_here = strcmp(snoopi_trace_process(trace, i)->origin, here) == 0;
    }
    return is_from_here;
}

uint32_t snoopi_trace_n_processes(const snoopi_trace *trace)
{
    return (uint32_t)trace->n_processes;
}

const snoopi_process *snoopi_trace_process(const snoopi_trace *trace, uint32_t index)
{
    return index < trace->n_processes ? &trace->processes[index] : NULL;
}

uint32_t snoopi_trace_n_instances(const snoopi_trace *trace)
{
    return trace->defs.n_instances ? trace->defs.n_instances - 1 : 0;
}

const snoopi_process *snoopi__trace_definer(const snoopi_trace *trace, uint32_t kind, uint32_t id)
{
    size_t low = 0;
    size_t high = trace->n_processes;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const snoopi__place *place = &trace->places[middle];
        if (id < (kind == WIRE_INSTANCE ? place->n_instances : place->n_nodes)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < trace->n_processes ? &trace->processes[low] : NULL;
}

uint32_t snoopi_trace_n_codes(const snoopi_trace *trace)
{
    return trace->defs.n_codes ? trace->defs.n_codes - 1 : 0;
}

static snoopi_place describe_place(const snoopi__defs *defs, const def_place *place)
{
    const uint32_t raw = place->file ? defs->files[place->file].raw : 0;
    return (snoopi_place){.name = snoopi__defs_text(defs, place->name),
                          .file = snoopi__defs_file_text(defs, place->file),
                          .raw_file = snoopi__defs_text(defs, raw),
                          .line = place->line,
                          .instance = place->instance,
                          .is_inlined = (place->flags & WIRE_CODE_INLINED) != 0,
                          .is_c = (place->flags & WIRE_CODE_C) != 0,
                          .is_toplevel = (place->flags & WIRE_CODE_THUNK) != 0,
                          .is_entrance = (place->flags & WIRE_CODE_ENTRANCE) != 0};
}

static const snoopi_code *describe_code(snoopi_trace *trace, const def_code *def)
{
    snoopi_code *code = snoopi__arena_alloc(&trace->arena, sizeof *code);
    snoopi_place *places = snoopi__arena_array(&trace->arena, def->n_places, sizeof *places);
    if (!code || !places) {
        return NULL;
    }
    for (uint32_t i = 0; i < def->n_places; i++) {
        places[i] = describe_place(&trace->defs, &def->places[i]);
    }
    *code = (snoopi_code){.address = def->address, .n_places = def->n_places, .places = places};
    return code;
}

const snoopi_code *snoopi_trace_code(snoopi_trace *trace, uint32_t id)
{
    if (id == 0 || id >= trace->defs.n_codes) {
        return NULL;
    }
    if (!trace->codes) {
        trace->codes = calloc(trace->defs.n_codes, sizeof *trace->codes);
    }
    if (trace->codes && !trace->codes[id]) {
        trace->codes[id] = describe_code(trace, &trace->defs.codes[id]);
    }
    return trace->codes ? trace->codes[id] : NULL;
}

const char *snoopi_trace_file(const snoopi_trace *trace, uint32_t file)
{
    return snoopi__defs_file_text(&trace->defs, file);
}

uint32_t snoopi_trace_n_marks(const snoopi_trace *trace)
{
    return (uint32_t)trace->n_marks;
}

const snoopi_mark *snoopi_trace_mark(const snoopi_trace *trace, uint32_t index)
{
    return index < trace->n_marks ? &trace->marks[index] : NULL;
}

const snoopi__defs *snoopi__trace_defs(const snoopi_trace *trace)
{
    return &trace->defs;
}

snoopi__arena *snoopi__trace_arena(snoopi_trace *trace)
{
    return &trace->arena;
}

void *snoopi__trace_names(const snoopi_trace *trace)
{
    return trace->names;
}

void snoopi__trace_set_names(snoopi_trace *trace, void *names, void (*clear)(void *names))
{
    trace->names = names;
    trace->clear_names = clear;
}

uint32_t snoopi_trace_n_invalidated(const snoopi_trace *trace)
{
    return (uint32_t)trace->n_invalidated;
}

const snoopi_invalidated *snoopi_trace_invalidated(const snoopi_trace *trace, uint32_t index)
{
    return index < trace->n_invalidated ? &trace->invalidated[index] : NULL;
}

const char *snoopi_flag_name(uint32_t flag)
{
    switch (flag) {
    case SNOOPI_FRAME_CONSTPROP: return "constprop";
    case SNOOPI_FRAME_SEMICONCRETE: return "semiconcrete";
    case SNOOPI_FRAME_NESTED: return "nested";
    case SNOOPI_FRAME_CYCLE: return "cycle";
    case SNOOPI_FRAME_ABORTED: return "aborted";
    case SNOOPI_FRAME_UNFINISHED: return "unfinished";
    case SNOOPI_FRAME_GENERATOR: return "generator";
    case SNOOPI_FRAME_TOPLEVEL: return "toplevel";
    case SNOOPI_FRAME_REPEATED: return "repeated";
    case SNOOPI_FRAME_TOOLING: return "tooling";
    case SNOOPI_FRAME_INVALIDATED: return "invalidated";
    default: return NULL;
    }
}
