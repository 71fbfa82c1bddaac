// SPDX-License-Identifier: MIT
// Frames from events. See forest.h; what the times mean is format.md 2.3 and 3.1.
//
// A frame's own part of its span is what no child covers. From that the tool's time is taken, and the rest is self; total
// is self and the totals of the children. So total = span − tool time inside, self adds up to the roots' total, and no
// number is ever negative, whatever the events say.
#include "forest.h"

#include "wire.h"

typedef struct {
    size_t parent;
    size_t next; // of the same root
    uint64_t begin_ns;
    uint64_t last_ns; // when something was last seen inside; the end, once it ended
    uint64_t last_gc; // gc(last_ns)
    union {
        struct {
            uint64_t begin_gc;
            uint64_t child_span;
            uint64_t child_total;
            uint64_t child_gc;
            uint64_t tool;
        } open;
        struct {
            uint64_t span;
            uint64_t total;
            uint64_t self;
            uint64_t gc;
        } ended;
    } as;
    uint32_t instance;
    uint32_t flags;
    uint32_t depth;
    uint32_t n_args;
    snoopi_arg args[];
} frame_slot;

typedef struct {
    size_t next;
    size_t first;
    size_t last;
    uint32_t thread;
    uint32_t task;
    uint32_t line_file;
    uint32_t line;
    uint32_t is_done;
    uint32_t stack_flags;
    uint32_t n_stack;
    uint32_t stack[];
} root_slot;

void snoopi__forest_init(snoopi__forest *forest, const char *dir, snoopi__gcspans *gc,
                         snoopi__frame_sink *sink, void *payload)
{
    *forest = (snoopi__forest){.gc = gc, .sink = sink, .payload = payload};
    snoopi__scratch_init(&forest->scratch, dir);
}

void snoopi__forest_clear(snoopi__forest *forest)
{
    snoopi__scratch_clear(&forest->scratch);
}

static frame_slot *frame_at(const snoopi__forest *forest, size_t offset)
{
    return snoopi__scratch_at(&forest->scratch, offset);
}

static root_slot *root_at(const snoopi__forest *forest, size_t offset)
{
    return snoopi__scratch_at(&forest->scratch, offset);
}

// --- begin ---

static int open_root(snoopi__forest *forest, snoopi__task *task, const snoopi__begin *begin,
                     snoopi_error *err)
{
    const size_t size = sizeof(root_slot) + begin->n_stack * sizeof(uint32_t);
    const size_t offset = snoopi__scratch_alloc(&forest->scratch, size, err);
    if (offset == 0) {
        return SNOOPI_E_IO;
    }
    root_slot *root = root_at(forest, offset);
    *root = (root_slot){.thread = begin->thread,
                        .task = begin->task,
                        .line_file = begin->line_file,
                        .line = begin->line,
                        .stack_flags = begin->stack_flags,
                        .n_stack = begin->n_stack};
    for (uint32_t i = 0; i < begin->n_stack; i++) {
        root->stack[i] = begin->stack[i];
    }
    if (forest->last_root) {
        root_at(forest, forest->last_root)->next = offset;
    } else {
        forest->first_root = offset;
    }
    forest->last_root = offset;
    task->root = offset;
    return 0;
}

int snoopi__forest_begin(snoopi__forest *forest, snoopi__task *task, const snoopi__begin *begin,
                         snoopi_error *err)
{
    const uint32_t depth = task->top ? frame_at(forest, task->top)->depth + 1 : 0;
    if (depth >= WIRE_DEPTH_MAX) {
        return 1;
    }
    if (task->top == 0) {
        const int st = open_root(forest, task, begin, err);
        if (st < 0) {
            return st;
        }
    }
    const size_t size = sizeof(frame_slot) + begin->n_args * sizeof(snoopi_arg);
    const size_t offset = snoopi__scratch_alloc(&forest->scratch, size, err);
    if (offset == 0) {
        return SNOOPI_E_IO;
    }
    const uint64_t gc = snoopi__gcspans_until(forest->gc, begin->time_ns);
    frame_slot *frame = frame_at(forest, offset);
    *frame = (frame_slot){.parent = task->top,
                          .begin_ns = begin->time_ns,
                          .last_ns = begin->time_ns,
                          .last_gc = gc,
                          .as.open = {.begin_gc = gc},
                          .instance = begin->instance,
                          .flags = begin->flags,
                          .depth = depth,
                          .n_args = begin->n_args};
    for (uint32_t i = 0; i < begin->n_args; i++) {
        frame->args[i] = begin->args[i];
    }
    root_slot *root = root_at(forest, task->root);
    if (root->last) {
        frame_at(forest, root->last)->next = offset;
    } else {
        root->first = offset;
    }
    root->last = offset;
    if (task->top) {
        frame_slot *parent = frame_at(forest, task->top);
        parent->last_ns = begin->time_ns;
        parent->last_gc = gc;
    }
    task->top = offset;
    return 0;
}

// --- while open ---

void snoopi__forest_charge(snoopi__forest *forest, const snoopi__task *task, uint64_t tool_ns)
{
    // Of the open frames only the innermost is told: those around it lose it with the total of their child.
    uint64_t *tool = &forest->outside_tool_ns;
    if (task && task->top) {
        tool = &frame_at(forest, task->top)->as.open.tool;
    }
    if (__builtin_add_overflow(*tool, tool_ns, tool)) {
        *tool = UINT64_MAX;
    }
}

void snoopi__forest_touch(snoopi__forest *forest, const snoopi__task *task, uint64_t time_ns)
{
    if (task && task->top) {
        frame_slot *frame = frame_at(forest, task->top);
        frame->last_ns = time_ns;
        frame->last_gc = snoopi__gcspans_until(forest->gc, time_ns);
    }
}

// --- end ---

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Sums up a frame whose last_ns is its end, and adds it to its parent.
static void sum_up(snoopi__forest *forest, frame_slot *frame, uint32_t flags)
{
    const uint64_t span = frame->last_ns - frame->begin_ns;
    const uint64_t all_gc = frame->last_gc - frame->as.open.begin_gc;
    const uint64_t own = span - frame->as.open.child_span;
    const uint64_t tool = min_of(frame->as.open.tool, own);
    const uint64_t self = own - tool;
    const uint64_t total = self + frame->as.open.child_total;
    const uint64_t gc = min_of(all_gc - frame->as.open.child_gc, self);
    snoopi__forest_charge(forest, NULL, frame->as.open.tool - tool);
    frame->as.ended.span = span;
    frame->as.ended.total = total;
    frame->as.ended.self = self;
    frame->as.ended.gc = gc;
    frame->flags |= flags;
    if (frame->parent) {
        frame_slot *parent = frame_at(forest, frame->parent);
        parent->as.open.child_span += span;
        parent->as.open.child_total += total;
        parent->as.open.child_gc += all_gc;
        parent->last_ns = frame->last_ns;
        parent->last_gc = frame->last_gc;
    }
}

static void add_to_sums(snoopi__forest *forest, const frame_slot *frame)
{
    snoopi__sums *sums = &forest->sums;
    sums->frames++;
    sums->gc_ns += frame->as.ended.gc;
    if (frame->depth > 0) {
        return;
    }
    sums->roots++;
    sums->inference_ns += frame->as.ended.total;
    // Roots go out by begin, so that their union is a matter of the latest end.
    if (frame->last_ns > forest->busy_until) {
        const bool is_apart = sums->roots == 1 || frame->begin_ns > forest->busy_until;
        sums->busy_ns += frame->last_ns - (is_apart ? frame->begin_ns : forest->busy_until);
        forest->busy_until = frame->last_ns;
    }
}

static int send_root(snoopi__forest *forest, const root_slot *root, snoopi_error *err)
{
    for (size_t offset = root->first; offset;) {
        const frame_slot *frame = frame_at(forest, offset);
        const snoopi__whole_frame whole = {.begin_ns = frame->begin_ns,
                                           .span_ns = frame->as.ended.span,
                                           .total_ns = frame->as.ended.total,
                                           .self_ns = frame->as.ended.self,
                                           .gc_ns = frame->as.ended.gc,
                                           .instance = frame->instance,
                                           .flags = frame->flags,
                                           .depth = frame->depth,
                                           .thread = root->thread,
                                           .task = root->task,
                                           .line_file = root->line_file,
                                           .line = root->line,
                                           .n_args = frame->n_args,
                                           .args = frame->args,
                                           .n_stack = frame->depth ? 0 : root->n_stack,
                                           .stack_flags = root->stack_flags,
                                           .stack = root->stack};
        add_to_sums(forest, frame);
        const int st = forest->sink(forest->payload, &whole, err);
        if (st < 0) {
            return st;
        }
        offset = frame->next;
    }
    return 0;
}

// Sends out the roots that no open one precedes.
static int send_roots(snoopi__forest *forest, snoopi_error *err)
{
    while (forest->first_root) {
        const root_slot *root = root_at(forest, forest->first_root);
        if (!root->is_done) {
            return 0;
        }
        const int st = send_root(forest, root, err);
        if (st < 0) {
            return st;
        }
        forest->first_root = root->next;
    }
    forest->last_root = 0;
    snoopi__scratch_reset(&forest->scratch);
    return 0;
}

int snoopi__forest_cut(snoopi__forest *forest, snoopi__task *task, uint32_t flags,
                       snoopi_error *err)
{
    frame_slot *frame = frame_at(forest, task->top);
    sum_up(forest, frame, flags);
    task->top = frame->parent;
    if (task->top) {
        return 0;
    }
    root_at(forest, task->root)->is_done = 1;
    return send_roots(forest, err);
}

int snoopi__forest_end(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns, uint32_t flags,
                       snoopi_error *err)
{
    snoopi__forest_touch(forest, task, time_ns);
    return snoopi__forest_cut(forest, task, flags, err);
}
