// SPDX-License-Identifier: MIT
// Frames from events. See forest.h; what the times mean is format.md 2.3 and 3.1.
//
// At each moment one open frame of a task runs, and the time until the next event is its own. From that the tool's time is
// taken, and the rest is self; total is self and the totals of the children. So total = span − tool time inside, self adds
// up to the roots' total, and no number is ever negative, whatever the events say.
//
// Where frames take turns, as those of a cycle do on Julia 1.12, a frame's parts lie apart and others' between them. Its span
// is then the sum of its parts and of its children's spans, and it is placed so that spans nest, as near to where it began as that allows.
// Frames that take no turns keep the place that they had.
#include "forest.h"

#include "wire.h"

typedef struct {
    size_t parent;
    size_t next; // of the same root, in pre-order
    size_t tail; // the last one of its subtree, once it ended
    uint64_t begin_ns;
    union {
        struct {
            size_t below;      // the open frame that began before it
            size_t last_child; // 0: none yet
            uint64_t own;      // time in which it ran
            uint64_t own_gc;
            uint64_t child_span;
            uint64_t child_total;
            uint64_t tool;
        } open;
        struct {
            uint64_t span;
            uint64_t total;
            uint64_t self;
            uint64_t gc;
            uint64_t free_ns;  // when it is placed: where its next child may begin,
            uint64_t unplaced; // and the spans of its children from there on
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

// The last frame of a subtree. Of what is open only last children are: few, and none where frames take no turns.
static size_t tail_of(const snoopi__forest *forest, size_t offset)
{
    const frame_slot *frame = frame_at(forest, offset);
    while (frame->tail == 0 && frame->as.open.last_child) {
        offset = frame->as.open.last_child;
        frame = frame_at(forest, offset);
    }
    return frame->tail ? frame->tail : offset;
}

// Puts a frame behind all that is below its parent.
static void put_in_order(snoopi__forest *forest, const snoopi__task *task, size_t offset)
{
    root_slot *root = root_at(forest, task->root);
    frame_slot *frame = frame_at(forest, offset);
    if (frame->parent == 0) {
        root->first = offset;
        return;
    }
    frame_slot *before = frame_at(forest, tail_of(forest, frame->parent));
    frame->next = before->next;
    before->next = offset;
    frame_at(forest, frame->parent)->as.open.last_child = offset;
}

int snoopi__forest_begin(snoopi__forest *forest, snoopi__task *task, const snoopi__begin *begin,
                         snoopi_error *err)
{
    const uint32_t depth = task->running ? frame_at(forest, task->running)->depth + 1 : 0;
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
    snoopi__forest_touch(forest, task, begin->time_ns);
    frame_slot *frame = frame_at(forest, offset);
    *frame = (frame_slot){.parent = task->running,
                          .begin_ns = begin->time_ns,
                          .as.open = {.below = task->top},
                          .instance = begin->instance,
                          .flags = begin->flags,
                          .depth = depth,
                          .n_args = begin->n_args};
    for (uint32_t i = 0; i < begin->n_args; i++) {
        frame->args[i] = begin->args[i];
    }
    put_in_order(forest, task, offset);
    task->top = offset;
    task->running = offset;
    return 0;
}

// --- while open ---

void snoopi__forest_charge(snoopi__forest *forest, const snoopi__task *task, uint64_t tool_ns)
{
    // Of the open frames only the one that runs is told: those around it lose it with the total of their child.
    uint64_t *tool = &forest->outside_tool_ns;
    if (task && task->running) {
        tool = &frame_at(forest, task->running)->as.open.tool;
    }
    if (__builtin_add_overflow(*tool, tool_ns, tool)) {
        *tool = UINT64_MAX;
    }
}

void snoopi__forest_touch(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns)
{
    const uint64_t gc = snoopi__gcspans_until(forest->gc, time_ns);
    if (task->running) {
        frame_slot *frame = frame_at(forest, task->running);
        frame->as.open.own += time_ns - task->seen_ns;
        frame->as.open.own_gc += gc - task->seen_gc;
    }
    task->seen_ns = time_ns;
    task->seen_gc = gc;
}

int snoopi__forest_run(snoopi__forest *forest, snoopi__task *task, uint64_t time_ns, uint64_t n)
{
    size_t offset = task->top;
    snoopi__forest_touch(forest, task, time_ns);
    for (; offset && n > 0; n--) {
        offset = frame_at(forest, offset)->as.open.below;
    }
    if (offset == 0) {
        return 1;
    }
    task->running = offset;
    return 0;
}

// --- end ---

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t max_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Sums up a frame that ended, and adds it to its parent.
static void sum_up(snoopi__forest *forest, size_t offset, uint32_t flags)
{
    const size_t tail = tail_of(forest, offset);
    frame_slot *frame = frame_at(forest, offset);
    const uint64_t span = frame->as.open.own + frame->as.open.child_span;
    const uint64_t tool = min_of(frame->as.open.tool, frame->as.open.own);
    const uint64_t self = frame->as.open.own - tool;
    const uint64_t total = self + frame->as.open.child_total;
    const uint64_t gc = min_of(frame->as.open.own_gc, self);
    const uint64_t child_span = frame->as.open.child_span;
    snoopi__forest_charge(forest, NULL, frame->as.open.tool - tool);
    frame->tail = tail;
    frame->as.ended.span = span;
    frame->as.ended.total = total;
    frame->as.ended.self = self;
    frame->as.ended.gc = gc;
    frame->as.ended.unplaced = child_span;
    frame->flags |= flags;
    if (frame->parent) {
        frame_slot *parent = frame_at(forest, frame->parent);
        parent->as.open.child_span += span;
        parent->as.open.child_total += total;
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
    const uint64_t end_ns = frame->begin_ns + frame->as.ended.span;
    sums->roots++;
    sums->inference_ns += frame->as.ended.total;
    // Roots go out by begin, so that their union is a matter of the latest end.
    if (end_ns > forest->busy_until) {
        const bool is_apart = sums->roots == 1 || frame->begin_ns > forest->busy_until;
        sums->busy_ns += end_ns - (is_apart ? frame->begin_ns : forest->busy_until);
        forest->busy_until = end_ns;
    }
}

// Finds the frame's place within its parent, which has one: behind the children before it, and so that all others fit.
static void place(snoopi__forest *forest, frame_slot *frame)
{
    if (frame->parent) {
        frame_slot *parent = frame_at(forest, frame->parent);
        const uint64_t latest =
            parent->begin_ns + parent->as.ended.span - parent->as.ended.unplaced;
        frame->begin_ns = max_of(parent->as.ended.free_ns, min_of(frame->begin_ns, latest));
        parent->as.ended.free_ns = frame->begin_ns + frame->as.ended.span;
        parent->as.ended.unplaced -= frame->as.ended.span;
    }
    frame->as.ended.free_ns = frame->begin_ns;
}

static int send_root(snoopi__forest *forest, const root_slot *root, snoopi_error *err)
{
    for (size_t offset = root->first; offset;) {
        frame_slot *frame = frame_at(forest, offset);
        place(forest, frame);
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
    const size_t offset = task->top;
    frame_slot *frame = frame_at(forest, offset);
    task->top = frame->as.open.below;
    if (task->running == offset) {
        task->running = frame->parent;
    }
    sum_up(forest, offset, flags);
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
