// SPDX-License-Identifier: MIT
// A scan is a walk that looks at each root once: whether it is in the scope is decided there, and holds for all frames below.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/scope.h>

#include "base/fail.h"

enum { PROGRESS_STEP = 1 << 18 };

struct snoopi_scan {
    snoopi_trace *trace;
    snoopi_walk *walk;
    snoopi_scope scope;
    bool *has_process;   // by index: its roots are in the scope
    unsigned char *seen; // by instance: SEEN_* bits
    bool is_inside;      // the current root is in the scope
    uint64_t begin_ns;   // of the scope, in the trace's clock
    uint64_t end_ns;
    uint64_t n_frames; // of the trace, as its processes say
    snoopi_totals totals;
    snoopi_totals scope_totals;
};

enum { SEEN = 1, SEEN_INSIDE = 2 };

bool snoopi_pattern_matches(const char *pattern, const char *text)
{
    return strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0;
}

bool snoopi_pattern_matches_file(const char *pattern, const char *path)
{
    if (snoopi_pattern_matches(pattern, path)) {
        return true;
    }
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        if (snoopi_pattern_matches(pattern, slash + 1)) {
            return true;
        }
    }
    return false;
}

bool snoopi_pattern_matches_instance(const char *pattern, const snoopi_instance *instance)
{
    return snoopi_pattern_matches(pattern, instance->name) ||
           snoopi_pattern_matches(pattern, instance->method_name) ||
           snoopi_pattern_matches(pattern, instance->function);
}

bool snoopi_filter_matches(const snoopi_filter *filter, const snoopi_instance *instance)
{
    return (!filter->module || snoopi_pattern_matches(filter->module, instance->module)) &&
           (!filter->package || snoopi_pattern_matches(filter->package, instance->package)) &&
           (!filter->file || snoopi_pattern_matches_file(filter->file, instance->file) ||
            snoopi_pattern_matches_file(filter->file, instance->raw_file));
}

uint64_t snoopi_trace_origin_ns(const snoopi_trace *trace)
{
    uint64_t origin_ns = UINT64_MAX;
    const uint32_t n = snoopi_trace_n_processes(trace);
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_process *const p = snoopi_trace_process(trace, i);
        origin_ns = p->begin_ns < origin_ns ? p->begin_ns : origin_ns;
    }
    return n > 0 ? origin_ns : 0;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// Whether "path:line", or the path alone, matches.
static bool line_matches(const char *pattern, const char *path, uint32_t line)
{
    char *place = NULL;
    if (snoopi_pattern_matches_file(pattern, path)) {
        return true;
    }
    if (asprintf(&place, "%s:%u", path, (unsigned)line) < 0) {
        return false;
    }
    const bool matches = snoopi_pattern_matches_file(pattern, place);
    free(place);
    return matches;
}

// When the first root of a matching line began, in any process.
static int find_line(uint64_t *found_ns, snoopi_trace *trace, const char *pattern,
                     snoopi_error *err)
{
    const uint32_t n = snoopi_trace_n_processes(trace);
    *found_ns = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        snoopi_walk *walk = NULL;
        snoopi_frame frame;
        uint32_t file = 0; // the line that was looked at last, and did not match
        uint32_t line = 0;
        int status = snoopi_walk_open(&walk, trace, i, err);
        while (status == SNOOPI_OK && (status = snoopi_walk_next(walk, &frame, err)) == 1) {
            status = SNOOPI_OK;
            if (frame.depth > 0 || frame.line_file == 0 ||
                (frame.line_file == file && frame.line == line)) {
                continue;
            }
            file = frame.line_file;
            line = frame.line;
            if (line_matches(pattern, snoopi_trace_file(trace, file), line)) {
                *found_ns = frame.begin_ns < *found_ns ? frame.begin_ns : *found_ns;
                break;
            }
        }
        snoopi_walk_close(walk);
        if (status < 0) {
            return status;
        }
    }
    if (*found_ns == UINT64_MAX) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "no root was recorded at a toplevel line '%s'",
                            pattern);
    }
    return SNOOPI_OK;
}

static int find_mark(uint64_t *found_ns, const snoopi_trace *trace, const char *name,
                     snoopi_error *err)
{
    const uint32_t n = snoopi_trace_n_marks(trace);
    *found_ns = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_mark *const mark = snoopi_trace_mark(trace, i);
        if (strcmp(mark->name, name) == 0 && mark->time_ns < *found_ns) {
            *found_ns = mark->time_ns;
        }
    }
    if (*found_ns == UINT64_MAX) {
        return snoopi__fail(err, SNOOPI_E_INVALID,
                            "there is no mark '%s' in the recording (it has %u)", name,
                            (unsigned)n);
    }
    return SNOOPI_OK;
}

static bool process_matches(const char *pattern, const snoopi_process *process)
{
    char index[16];
    if (!pattern) {
        return true;
    }
    (void)snprintf(index, sizeof index, "%u", (unsigned)process->index);
    return strcmp(pattern, index) == 0 || snoopi_pattern_matches(pattern, process->role);
}

static int find_processes(snoopi_scan *scan, snoopi_error *err)
{
    const uint32_t n = snoopi_trace_n_processes(scan->trace);
    bool is_found = !scan->scope.process;
    for (uint32_t i = 0; i < n; i++) {
        scan->has_process[i] =
            process_matches(scan->scope.process, snoopi_trace_process(scan->trace, i));
        is_found = is_found || scan->has_process[i];
    }
    if (!is_found) {
        return snoopi__fail(err, SNOOPI_E_INVALID,
                            "no process is '%s': it is an index below %u, or a role",
                            scan->scope.process, (unsigned)n);
    }
    return SNOOPI_OK;
}

static int find_times(snoopi_scan *scan, snoopi_error *err)
{
    const uint64_t origin_ns = snoopi_trace_origin_ns(scan->trace);
    uint64_t found_ns = 0;
    scan->begin_ns = add_saturated(origin_ns, scan->scope.from_ns);
    scan->end_ns = add_saturated(origin_ns, scan->scope.to_ns);
    if (scan->scope.after) {
        const int status = find_line(&found_ns, scan->trace, scan->scope.after, err);
        if (status < 0) {
            return status;
        }
        scan->begin_ns = found_ns > scan->begin_ns ? found_ns : scan->begin_ns;
    }
    if (scan->scope.mark) {
        const int status = find_mark(&found_ns, scan->trace, scan->scope.mark, err);
        if (status < 0) {
            return status;
        }
        scan->begin_ns = found_ns > scan->begin_ns ? found_ns : scan->begin_ns;
    }
    return SNOOPI_OK;
}

// What the processes know, and frames do not tell.
static void begin_totals(snoopi_scan *scan)
{
    snoopi_totals *const t = &scan->totals;
    uint64_t end_ns = 0;
    const uint32_t n = snoopi_trace_n_processes(scan->trace);
    for (uint32_t i = 0; i < n; i++) {
        const snoopi_process *const p = snoopi_trace_process(scan->trace, i);
        t->wall_ns = add_saturated(t->wall_ns, p->wall_ns);
        t->busy_ns = add_saturated(t->busy_ns, p->busy_ns);
        t->outside_ns = add_saturated(t->outside_ns, p->outside_ns);
        t->tool_ns = add_saturated(t->tool_ns, p->tool_ns);
        scan->n_frames = add_saturated(scan->n_frames, p->frames);
        const uint64_t end = add_saturated(p->begin_ns, p->wall_ns);
        end_ns = end > end_ns ? end : end_ns;
    }
    // A segment knows of no command; its processes are all that there is.
    t->elapsed_ns = snoopi_trace_recording(scan->trace)->elapsed_ns;
    if (t->elapsed_ns == 0 && n > 0) {
        t->elapsed_ns = end_ns - snoopi_trace_origin_ns(scan->trace);
    }
}

int snoopi_scan_open(snoopi_scan **out, snoopi_trace *trace, const snoopi_scope *scope,
                     snoopi_error *err)
{
    static const snoopi_scope all = SNOOPI_SCOPE_ALL;
    int status = SNOOPI_OK;

    *out = NULL;
    snoopi_scan *scan = calloc(1, sizeof *scan);
    if (!scan) {
        return snoopi__fail_nomem(err);
    }
    scan->trace = trace;
    scan->scope = scope ? *scope : all;
    scan->has_process =
        calloc((size_t)snoopi_trace_n_processes(trace) + 1, sizeof *scan->has_process);
    scan->seen = calloc((size_t)snoopi_trace_n_instances(trace) + 1, sizeof *scan->seen);
    if (!scan->has_process || !scan->seen) {
        status = snoopi__fail_nomem(err);
        goto out;
    }
    begin_totals(scan);
    status = find_processes(scan, err);
    if (status < 0) {
        goto out;
    }
    status = find_times(scan, err);
    if (status < 0) {
        goto out;
    }
    status = snoopi_walk_open(&scan->walk, trace, -1, err);
    if (status < 0) {
        goto out;
    }
    *out = scan;
    scan = NULL;
out:
    snoopi_scan_close(scan);
    return status;
}

static void add(snoopi_totals *totals, const snoopi_frame *frame)
{
    totals->frames++;
    totals->gc_ns += frame->gc_ns;
    if (frame->depth == 0) {
        totals->roots++;
        totals->inference_ns += frame->total_ns;
    }
}

int snoopi_scan_next(snoopi_scan *scan, snoopi_frame *frame, snoopi_error *err)
{
    for (;;) {
        const int status = snoopi_walk_next(scan->walk, frame, err);
        if (status != 1) {
            return status;
        }
        add(&scan->totals, frame);
        if (frame->depth == 0) {
            scan->is_inside = scan->has_process[frame->process] &&
                              frame->begin_ns >= scan->begin_ns &&
                              (frame->begin_ns < scan->end_ns || scan->end_ns == UINT64_MAX);
        }
        if (scan->scope.progress && scan->totals.frames % PROGRESS_STEP == 0) {
            scan->scope.progress(scan->scope.payload, scan->totals.frames, scan->n_frames);
        }
        const unsigned char bits = scan->is_inside ? SEEN | SEEN_INSIDE : SEEN;
        unsigned char *const seen = &scan->seen[frame->instance];
        if ((*seen & bits) != bits) {
            scan->totals.instances += !(*seen & SEEN);
            scan->scope_totals.instances += scan->is_inside && !(*seen & SEEN_INSIDE);
            *seen |= bits;
        }
        if (scan->is_inside) {
            add(&scan->scope_totals, frame);
            return 1;
        }
    }
}

const char *snoopi_totals_field(const snoopi_totals *totals, int index, uint64_t *value)
{
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {
        {"wall_ns", totals->wall_ns},
        {"elapsed_ns", totals->elapsed_ns},
        {"inference_ns", totals->inference_ns},
        {"busy_ns", totals->busy_ns},
        {"outside_ns", totals->outside_ns},
        {"gc_ns", totals->gc_ns},
        {"tool_ns", totals->tool_ns},
        {"frames", totals->frames},
        {"roots", totals->roots},
        {"instances", totals->instances},
    };
    if (index < 0 || index >= (int)(sizeof fields / sizeof *fields)) {
        return NULL;
    }
    if (value) {
        *value = fields[index].value;
    }
    return fields[index].name;
}

const snoopi_totals *snoopi_scan_totals(const snoopi_scan *scan)
{
    return &scan->totals;
}

const snoopi_totals *snoopi_scan_scope_totals(const snoopi_scan *scan)
{
    return &scan->scope_totals;
}

void snoopi_scan_close(snoopi_scan *scan)
{
    if (!scan) {
        return;
    }
    snoopi_walk_close(scan->walk);
    free(scan->has_process);
    free(scan->seen);
    free(scan);
}
