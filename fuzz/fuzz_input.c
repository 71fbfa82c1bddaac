// SPDX-License-Identifier: MIT
// Helpers of the fuzz targets. See fuzz_input.h.
#include "fuzz_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/wire.h"

void fuzz_demand(bool is_so, const char *what)
{
    if (!is_so) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

int fuzz_file(const void *data, size_t size, char path[static 32])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    fuzz_demand(fd >= 0 && (size == 0 || write(fd, data, size) == (ssize_t)size),
                "a file in memory");
    (void)snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

static int write_pages(snoopi__pagewriter *writer, const uint8_t *data, size_t size)
{
    int st = 0;
    while (size >= 4 && st == 0) {
        const uint16_t kind = data[0];
        size_t length = data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
        data += 4;
        size -= 4;
        length = length < size ? length : size;
        snoopi__buffer page = {0};
        snoopi__buffer_put(&page, data, length);
        st = snoopi__pagewriter_page(writer, kind, &page, NULL);
        if (st == 0 && kind == WIRE_PAGE_FRAMES) {
            st = snoopi__pagewriter_unspool(writer, NULL);
        }
        snoopi__buffer_clear(&page);
        data += length;
        size -= length;
    }
    return st;
}

void fuzz_pages(snoopi__pagewriter *writer, const uint8_t *data, size_t size, char path[static 32])
{
    fuzz_demand(snoopi__pagewriter_open(writer, NULL, NULL) == 0 &&
                    write_pages(writer, data, size) == 0,
                "a trace is written");
    (void)snprintf(path, 32, "/proc/self/fd/%d", writer->fd);
}

typedef struct {
    uint64_t frames;
    uint64_t self_ns;
    uint64_t root_ns;
    uint64_t mix; // of all fields
} reading;

static uint64_t mixed(uint64_t mix, uint64_t value)
{
    return (mix ^ value) * 0x9e3779b97f4a7c15u + (mix >> 29);
}

static uint64_t read_stack(snoopi_trace *trace, const snoopi_frame *f)
{
    uint64_t mix = mixed(f->n_stack, f->n_stack ? f->is_stack_cut : 0);
    fuzz_demand(f->n_stack == 0 || f->depth == 0, "stacks of roots only");
    for (uint32_t i = 0; i < f->n_stack; i++) {
        const snoopi_code *code = snoopi_trace_code(trace, f->stack[i]);
        fuzz_demand((code == NULL) == (f->stack[i] == 0), "a code for each id");
        for (uint32_t k = 0; code && k < code->n_places; k++) {
            const snoopi_place *place = &code->places[k];
            fuzz_demand(place->instance <= snoopi_trace_n_instances(trace), "an instance");
            mix = mixed(mix, strlen(place->name) + strlen(place->file) + strlen(place->raw_file));
        }
        mix = mixed(mix, code ? code->address : 0);
    }
    return mix;
}

static reading read_frames(snoopi_trace *trace, int64_t process)
{
    reading r = {0};
    snoopi_walk *walk;
    snoopi_frame f;
    snoopi_error err = {0};
    int st = snoopi_walk_open(&walk, trace, process, &err);
    while (st >= 0 && (st = snoopi_walk_next(walk, &f, &err)) == 1) {
        r.frames++;
        r.self_ns += f.self_ns;
        r.root_ns += f.depth ? 0 : f.total_ns;
        fuzz_demand(f.gc_ns <= f.self_ns && f.self_ns <= f.total_ns, "times of a frame");
        fuzz_demand((f.parent == -1) == (f.depth == 0), "a parent for each but roots");
        fuzz_demand(f.instance >= 1 && f.instance <= snoopi_trace_n_instances(trace),
                    "an instance");
        const uint64_t fields[] = {f.id,       (uint64_t)f.parent, f.depth, f.process,  f.thread,
                                   f.task,     f.instance,         f.flags, f.begin_ns, f.end_ns,
                                   f.total_ns, f.self_ns,          f.gc_ns, f.n_args,   f.line_file,
                                   f.line};
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            r.mix = mixed(r.mix, fields[i]);
        }
        for (uint32_t i = 0; i < f.n_args; i++) {
            r.mix = mixed(r.mix, (uint64_t)f.args[i].position << 32 | f.args[i].node);
        }
        if (f.n_args) {
            (void)strlen(snoopi_trace_node_text(trace, f.args[0].node));
        }
        r.mix = mixed(r.mix, read_stack(trace, &f));
        r.mix = mixed(r.mix, strlen(snoopi_trace_file(trace, f.line_file)));
    }
    fuzz_demand(st >= 0 || err.text[0], "words for a failure");
    snoopi_walk_close(walk);
    return r;
}

static void read_names(snoopi_trace *trace)
{
    enum { MOST = 200 };
    for (uint32_t id = 0; id <= snoopi_trace_n_instances(trace) + 1 && id < MOST; id++) {
        const snoopi_instance *instance = snoopi_trace_instance(trace, id);
        if (instance) {
            (void)(strlen(instance->name) + strlen(instance->method_name) +
                   strlen(instance->function) + strlen(instance->module) +
                   strlen(instance->package) + strlen(instance->file) + strlen(instance->raw_file));
        }
    }
}

static void read_processes(snoopi_trace *trace, bool is_ours)
{
    for (uint32_t i = 0; i < snoopi_trace_n_processes(trace); i++) {
        const snoopi_process *p = snoopi_trace_process(trace, i);
        for (uint32_t k = 0; k < p->argc; k++) {
            (void)strlen(p->argv[k]);
        }
        (void)(strlen(p->julia) + strlen(p->role) + strlen(p->reason) + strlen(p->damage));
        const reading r = read_frames(trace, i);
        fuzz_demand(!is_ours || r.frames == p->frames, "number of frames");
        fuzz_demand(!is_ours || (r.self_ns == p->inference_ns && r.root_ns == r.self_ns),
                    "self times sum up to inference");
    }
    for (uint32_t i = 0; i < snoopi_trace_n_marks(trace); i++) {
        (void)strlen(snoopi_trace_mark(trace, i)->name);
    }
}

static void read_triggers(snoopi_trace *trace, bool is_ours)
{
    for (int by = SNOOPI_TRIGGERS_BY_PAIR; by <= SNOOPI_TRIGGERS_BY_TREE; by++) {
        snoopi_triggers *triggers;
        snoopi_triggers_options options = SNOOPI_TRIGGERS_INIT;
        uint64_t total_ns = 0;
        options.by = (snoopi_triggers_by)by;
        if (snoopi_triggers_new(&triggers, trace, &options, NULL) < 0) {
            continue;
        }
        for (size_t i = 0; i < snoopi_triggers_n_rows(triggers); i++) {
            const snoopi_trigger_row *row = snoopi_triggers_row(triggers, i);
            fuzz_demand(row->parent < (int64_t)i, "rows of a tree in pre-order");
            total_ns += row->total_ns;
        }
        fuzz_demand(!is_ours || total_ns == snoopi_triggers_scope_totals(triggers)->inference_ns,
                    "totals of triggers sum up to inference");
        snoopi_triggers_free(triggers);
    }
}

static void read_advice(snoopi_trace *trace)
{
    snoopi_advice *advice;
    const snoopi_advice_options options = SNOOPI_ADVICE_INIT;
    if (snoopi_advice_new(&advice, trace, &options, NULL) < 0) {
        return;
    }
    for (size_t i = 0; i < snoopi_advice_n_findings(advice); i++) {
        const snoopi_finding *f = snoopi_advice_finding(advice, i);
        fuzz_demand(f->what[0] && f->change[0], "words for a finding");
        for (size_t k = 0; k < f->n_evidence; k++) {
            fuzz_demand(f->evidence[k][0], "words for evidence");
        }
    }
    snoopi_advice_free(advice);
}

static void read_directives(snoopi_trace *trace, bool is_ours)
{
    snoopi_precompile *precompile;
    if (snoopi_precompile_new(&precompile, trace, NULL, NULL) < 0) {
        return;
    }
    uint64_t all_ns = snoopi_precompile_covered_ns(precompile);
    for (int reason = 0; reason < SNOOPI_PRECOMPILE_REASONS; reason++) {
        all_ns += snoopi_precompile_left_for(precompile, reason).ns;
    }
    fuzz_demand(!is_ours || all_ns == snoopi_precompile_scope_totals(precompile)->inference_ns,
                "what is covered and what is left sum up to inference");
    for (size_t i = 0; i < snoopi_precompile_n_modules(precompile); i++) {
        size_t size;
        fuzz_demand(!strchr(snoopi_precompile_module_at(precompile, i)->file, '/'),
                    "a file of directives has a plain name");
        fuzz_demand(snoopi_precompile_file_text(precompile, i, &size) != NULL,
                    "a file of directives is read again");
    }
    snoopi_precompile_free(precompile);
}

void fuzz_read(snoopi_trace *trace, bool is_ours)
{
    fuzz_demand(!is_ours || !snoopi_trace_damage(trace), "a trace of ours is whole");
    read_processes(trace, is_ours);
    // Once damage was found the trace ends there, so that from then on each reading is the same.
    const reading first = read_frames(trace, -1);
    const reading second = read_frames(trace, -1);
    fuzz_demand(memcmp(&first, &second, sizeof first) == 0, "two readings are the same");
    fuzz_demand(!is_ours || !snoopi_trace_damage(trace), "a trace of ours is whole");
    read_names(trace);
    read_triggers(trace, is_ours);
    read_advice(trace);
    read_directives(trace, is_ours);
}

void fuzz_open(const char *path, bool is_ours)
{
    snoopi_trace *trace;
    snoopi_error err = {0};
    if (snoopi_trace_open(&trace, path, &err) < 0) {
        fuzz_demand(err.text[0] && !strchr(err.text, '\n'), "one line for a failure");
        return;
    }
    fuzz_read(trace, is_ours);
    snoopi_trace_close(trace);
}
