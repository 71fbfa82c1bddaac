// SPDX-License-Identifier: MIT
// Merging of traces. See snoopi/merge.h.
//
// Two passes: the first opens each to see that it can be read, and how its clock stands to the others'; the second copies, process by process,
// with ids of the new trace for those of the old.
#include "snoopi/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "framewriter.h"
#include "opentrace.h"
#include "packer.h"
#include "processfields.h"

enum {
    CLOCKS_ALIKE_NS = 1000000000
}; // clocks of one boot, however the wall clock was set meanwhile

typedef struct {
    snoopi__packer packer; // its writer, its pool and its sums
    uint64_t
        wall_clock_ns; // what a monotonic clock of the result must be raised by, to be the wall clock
    snoopi_recording recording;
    snoopi__arena arena; // its texts
} merging;

// One recording that is copied.
typedef struct {
    merging *m;
    snoopi_trace *trace;
    snoopi__remap remap;
    uint64_t move_ns; // what its clock is raised by
    uint32_t first_process;
    snoopi__framewriter frames;
    snoopi_arg *args;
    size_t args_capacity;
    uint32_t *stack;
    size_t stack_capacity;
} copying;

// --- the first pass

static uint64_t clock_of(const snoopi_trace *trace)
{
    for (size_t i = 0; i < trace->n_processes; i++) {
        const snoopi_process *const p = &trace->processes[i];
        if (p->begin_real_ns > p->begin_ns && p->begin_ns > 0) {
            return p->begin_real_ns - p->begin_ns;
        }
    }
    return 0; // not known
}

static bool is_failure(const snoopi_recording *r)
{
    return r->exit_kind == SNOOPI_EXIT_SIGNAL ||
           (r->exit_kind == SNOOPI_EXIT_STATUS && r->exit_value != 0);
}

static bool is_same_command(const snoopi_recording *a, const snoopi_recording *b)
{
    bool is_same = a->argc == b->argc;
    for (uint32_t i = 0; is_same && i < a->argc; i++) {
        is_same = strcmp(a->argv[i], b->argv[i]) == 0;
    }
    return is_same;
}

// Copies the texts of the first recording, which may be those of the whole.
static bool keep_texts(merging *m, const snoopi_recording *r)
{
    const char **const argv = snoopi__arena_array(&m->arena, (size_t)r->argc + 1, sizeof *argv);
    bool is_kept = argv != NULL;
    for (uint32_t i = 0; is_kept && i < r->argc; i++) {
        argv[i] = snoopi__arena_text(&m->arena, r->argv[i], strlen(r->argv[i]));
        is_kept = argv[i] != NULL;
    }
    m->recording.argv = argv;
    m->recording.argc = is_kept ? r->argc : 0;
    return is_kept;
}

// What the recordings say of themselves: the first beginning, all time, the first failure; the command, if it is one.
static bool add_recording(merging *m, const snoopi_recording *r, bool is_first)
{
    snoopi_recording *const all = &m->recording;
    if (is_first) {
        all->exit_kind = r->exit_kind;
        all->exit_value = r->exit_value;
        all->begin_real_ns = r->begin_real_ns;
    } else if (is_failure(r) && !is_failure(all)) {
        all->exit_kind = r->exit_kind;
        all->exit_value = r->exit_value;
    }
    if (r->begin_real_ns != 0 &&
        (all->begin_real_ns == 0 || r->begin_real_ns < all->begin_real_ns)) {
        all->begin_real_ns = r->begin_real_ns;
    }
    if (__builtin_add_overflow(all->elapsed_ns, r->elapsed_ns, &all->elapsed_ns)) {
        all->elapsed_ns = UINT64_MAX;
    }
    if (*r->note && !all->note) {
        all->note = snoopi__arena_text(&m->arena, r->note, strlen(r->note));
        if (!all->note) {
            return false;
        }
    }
    if (is_first) {
        return keep_texts(m, r);
    }
    if (!is_same_command(all, r)) {
        all->argc = 0;
    }
    return true;
}

static int look(merging *m, const char *path, bool is_first, snoopi_error *err)
{
    snoopi_trace *trace = NULL;
    int status = snoopi_trace_open(&trace, path, err);
    if (status < 0) {
        return status;
    }
    const uint64_t clock = clock_of(trace);
    // The least, so that no time becomes negative.
    if (clock != 0 && (m->wall_clock_ns == 0 || clock < m->wall_clock_ns)) {
        m->wall_clock_ns = clock;
    }
    if (!add_recording(m, &trace->recording, is_first)) {
        status = snoopi__fail_nomem(err);
    }
    snoopi_trace_close(trace);
    return status;
}

// --- frames

// Ids of the new trace for the arguments and the stack of a frame. False when memory is short.
static bool map_lists(copying *c, const snoopi_frame *frame)
{
    snoopi_arg *const args =
        snoopi__grow(c->args, &c->args_capacity, (size_t)frame->n_args + 1, sizeof *args);
    c->args = args ? args : c->args;
    uint32_t *const stack =
        snoopi__grow(c->stack, &c->stack_capacity, (size_t)frame->n_stack + 1, sizeof *stack);
    c->stack = stack ? stack : c->stack;
    if (!args || !stack) {
        return false;
    }
    for (uint32_t i = 0; i < frame->n_args; i++) {
        args[i] = (snoopi_arg){frame->args[i].position,
                               snoopi__remap_id(&c->remap, WIRE_NODE, frame->args[i].node)};
    }
    for (uint32_t i = 0; i < frame->n_stack; i++) {
        stack[i] = snoopi__remap_id(&c->remap, WIRE_CODE, frame->stack[i]);
    }
    return true;
}

static int copy_frame(copying *c, const snoopi_frame *frame, snoopi_error *err)
{
    if (!map_lists(c, frame)) {
        return snoopi__fail_nomem(err);
    }
    const snoopi__whole_frame whole = {
        .begin_ns = frame->begin_ns + c->move_ns,
        .span_ns = frame->end_ns - frame->begin_ns,
        .total_ns = frame->total_ns,
        .self_ns = frame->self_ns,
        .gc_ns = frame->gc_ns,
        .instance = snoopi__remap_id(&c->remap, WIRE_INSTANCE, frame->instance),
        .flags = frame->flags,
        .depth = frame->depth,
        .thread = frame->thread,
        .task = frame->task,
        .line_file = snoopi__remap_id(&c->remap, WIRE_FILE, frame->line_file),
        .line = frame->line,
        .n_args = frame->n_args,
        .n_stack = frame->n_stack,
        .stack_flags = frame->is_stack_cut ? WIRE_STACK_CUT : 0,
        .args = c->args,
        .stack = c->stack,
    };
    return snoopi__framewriter_put(&c->frames, &whole, err);
}

// Copies the frames of a process; what they sum up to goes to `process`.
static int copy_frames(copying *c, uint32_t index, snoopi_process *process, snoopi_error *err)
{
    snoopi_walk *walk = NULL;
    snoopi_frame frame;
    int status = snoopi_walk_open(&walk, c->trace, index, err);
    if (status < 0) {
        return status;
    }
    c->frames = (snoopi__framewriter){.writer = &c->m->packer.writer,
                                      .process_begin_ns = process->begin_ns};
    process->frames = process->roots = process->inference_ns = process->gc_ns = 0;
    while ((status = snoopi_walk_next(walk, &frame, err)) == 1) {
        process->frames++;
        process->gc_ns += frame.gc_ns;
        if (frame.depth == 0) {
            process->roots++;
            process->inference_ns += frame.total_ns;
        }
        status = copy_frame(c, &frame, err);
        if (status < 0) {
            break;
        }
    }
    snoopi_walk_close(walk);
    if (status == 0) {
        status = snoopi__framewriter_flush(&c->frames, err);
    }
    snoopi__framewriter_clear(&c->frames);
    return status;
}

// --- processes

// Records of the marks of a process. False when memory is short.
static bool put_marks(copying *c, uint32_t index, snoopi__buffer *page)
{
    snoopi__buffer payload = {0};
    bool is_put = true;
    for (size_t i = 0; i < c->trace->n_marks && is_put; i++) {
        const snoopi_mark *const mark = &c->trace->marks[i];
        if (mark->process == index) {
            const uint32_t name =
                snoopi__defpool_text(&c->m->packer.pool, mark->name, strlen(mark->name));
            payload.size = 0;
            snoopi__buffer_varint(&payload, mark->time_ns + c->move_ns);
            snoopi__buffer_varint(&payload, name);
            snoopi__buffer_record(page, WIRE_TRACE_MARK, payload.data, payload.size);
            is_put = name != 0 && !payload.has_failed;
        }
    }
    snoopi__buffer_clear(&payload);
    return is_put && !page->has_failed;
}

// The same for what tells of its invalidated instances.
static bool put_invalidated(copying *c, uint32_t index, snoopi__buffer *page)
{
    snoopi__buffer payload = {0};
    for (size_t i = 0; i < c->trace->n_invalidated; i++) {
        const snoopi_invalidated *const item = &c->trace->invalidated[i];
        if (item->process == index) {
            payload.size = 0;
            snoopi__buffer_varint(&payload,
                                  snoopi__remap_id(&c->remap, WIRE_INSTANCE, item->instance));
            snoopi__buffer_varint(&payload, item->world);
            snoopi__buffer_record(page, WIRE_TRACE_INVALIDATED, payload.data, payload.size);
        }
    }
    const bool is_put = !payload.has_failed && !page->has_failed;
    snoopi__buffer_clear(&payload);
    return is_put;
}

static int write_process(copying *c, uint32_t index, const snoopi_process *process,
                         snoopi_error *err)
{
    snoopi__packer *const packer = &c->m->packer;
    snoopi__buffer page = {0};
    snoopi__buffer payload = {0};
    snoopi__process_put(&payload, process, c->trace->places[index].state);
    snoopi__buffer_record(&page, WIRE_PROCESS, payload.data, payload.size);
    int status =
        !payload.has_failed && put_marks(c, index, &page) && put_invalidated(c, index, &page)
            ? SNOOPI_OK
            : snoopi__fail_nomem(err);
    if (status == SNOOPI_OK) {
        status = snoopi__defpool_flush(&packer->pool, err);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__pagewriter_page(&packer->writer, WIRE_PAGE_PROCESS, &page, err);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__pagewriter_unspool(&packer->writer, err);
    }
    snoopi__buffer_clear(&page);
    snoopi__buffer_clear(&payload);
    return status;
}

static int copy_process(copying *c, uint32_t index, snoopi_error *err)
{
    snoopi__packer *const packer = &c->m->packer;
    snoopi_process process = c->trace->processes[index];
    const uint64_t n_frames = process.frames;
    process.index += c->first_process;
    process.parent += process.parent >= 0 ? (int64_t)c->first_process : 0;
    process.begin_ns += c->move_ns;
    int status = copy_frames(c, index, &process, err);
    if (status == SNOOPI_OK && process.frames < n_frames) {
        process.is_complete = false;
        process.damage =
            snoopi_trace_damage(c->trace) ? snoopi_trace_damage(c->trace) : "frames are missing";
    }
    if (status == SNOOPI_OK) {
        status = write_process(c, index, &process, err);
    }
    if (status == SNOOPI_OK) {
        snoopi__packer_count(packer, &process);
    }
    return status;
}

// --- the second pass

static int copy(merging *m, const char *path, snoopi_error *err)
{
    copying c = {.m = m, .first_process = m->packer.n_processes};
    int status = snoopi_trace_open(&c.trace, path, err);
    if (status < 0) {
        return status;
    }
    const uint64_t clock = clock_of(c.trace);
    if (clock > m->wall_clock_ns + CLOCKS_ALIKE_NS) {
        c.move_ns = clock - m->wall_clock_ns;
    }
    status = snoopi__defpool_take(&m->packer.pool, &c.trace->defs, NULL, &c.remap, err);
    for (uint32_t i = 0; i < c.trace->n_processes && status == SNOOPI_OK; i++) {
        status = copy_process(&c, i, err);
    }
    free(c.args);
    free(c.stack);
    snoopi__remap_clear(&c.remap);
    snoopi_trace_close(c.trace);
    return status;
}

static int merge_all(merging *m, const char *const *paths, size_t n, snoopi_error *err)
{
    int status = SNOOPI_OK;
    for (size_t i = 0; i < n && status == SNOOPI_OK; i++) {
        status = copy(m, paths[i], err);
    }
    return status == SNOOPI_OK ? snoopi__packer_finish(&m->packer, &m->recording, err) : status;
}

int snoopi_merge(const char *const *paths, size_t n, const char *path, snoopi_pack_result *result,
                 snoopi_error *err)
{
    merging m = {0};
    int status = n > 0 ? SNOOPI_OK : snoopi__fail(err, SNOOPI_E_INVALID, "nothing to merge");
    for (size_t i = 0; i < n && status == SNOOPI_OK; i++) {
        status = look(&m, paths[i], i == 0, err);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__packer_open(&m.packer, path, err);
        if (status == SNOOPI_OK) {
            status = merge_all(&m, paths, n, err);
        }
        if (status == SNOOPI_OK && result) {
            *result = (snoopi_pack_result){0};
            snoopi__packer_result(&m.packer, result);
        }
        snoopi__packer_close(&m.packer);
    }
    snoopi__arena_clear(&m.arena);
    return status;
}
