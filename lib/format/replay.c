// SPDX-License-Identifier: MIT
// From events to frames. See replay.h; the events are format.md 2.3.
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "taskmap.h"

enum {
    BEGIN_FLAGS = SNOOPI_FRAME_CONSTPROP | SNOOPI_FRAME_SEMICONCRETE | SNOOPI_FRAME_NESTED |
                  SNOOPI_FRAME_TOOLING,
    END_FLAGS = SNOOPI_FRAME_CYCLE
};

typedef struct {
    snoopi__thread reader;
    snoopi__event event; // the next one that has a time
    uint32_t task;       // current, as of that event
    uint32_t line_file;
    uint32_t line;
    uint64_t charged; // key of the task that was current at the event before it; 0: there was none
    uint32_t *stack;  // codes, in ids of the trace: of the root that the next BEGIN begins
    uint32_t n_stack;
    uint32_t stack_flags;
    uint32_t invalidated; // instance in the segment: of the next BEGIN, if that is of it; 0: none
    uint64_t valid_until; // world up to which its code held
} thread_lane;

typedef struct {
    snoopi__segment *segment;
    snoopi__facts *facts;
    snoopi__defpool *pool;
    const snoopi__remap *remap;
    snoopi__replay_result *result;
    snoopi__forest forest;
    snoopi__taskmap tasks;
    thread_lane *lanes;
    thread_lane **heap; // those that have an event, the earliest first
    size_t n_heap;
    size_t n_lanes;
    size_t marks_capacity;
    size_t invalidated_capacity;
    snoopi__idset seen; // instances with their arguments
    uint32_t *key;      // for `seen`: instance, then arguments
    snoopi_arg *args;
    unsigned char *has_frames; // by instance of the trace
    uint32_t n_instances;      // ids that there can be
} replay;

// Task 0, before the first TASK record, is another one on each thread.
static uint64_t key_of(const thread_lane *lane)
{
    return lane->task ? lane->task : (uint64_t)1 << 32 | lane->reader.thread;
}

// --- order of events ---

// Steps to the next event of the lane that has a time; false if there is none.
static bool advance(thread_lane *lane)
{
    while (snoopi__thread_next(&lane->reader, &lane->event)) {
        switch (lane->event.record.tag) {
        case WIRE_TASK: lane->task = (uint32_t)lane->event.value; break;
        case WIRE_LINE:
            lane->line_file = (uint32_t)lane->event.value;
            lane->line = lane->event.flags;
            break;
        case WIRE_INVALIDATED:
            lane->invalidated = lane->event.flags;
            lane->valid_until = lane->event.value;
            break;
        default:
            if (snoopi__is_event(lane->event.record.tag)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_before(const thread_lane *a, const thread_lane *b)
{
    if (a->event.time_ns != b->event.time_ns) {
        return a->event.time_ns < b->event.time_ns;
    }
    return a < b; // lanes lie in order of threads
}

static void sift_down(replay *r, size_t i)
{
    for (;;) {
        size_t least = i;
        for (size_t kid = 2 * i + 1; kid <= 2 * i + 2 && kid < r->n_heap; kid++) {
            if (is_before(r->heap[kid], r->heap[least])) {
                least = kid;
            }
        }
        if (least == i) {
            return;
        }
        thread_lane *swapped = r->heap[i];
        r->heap[i] = r->heap[least];
        r->heap[least] = swapped;
        i = least;
    }
}

static int open_lanes(replay *r, snoopi_error *err)
{
    const snoopi__segment *segment = r->segment;
    size_t n = 0;
    for (size_t i = 0; i < segment->n_chunks; i++) {
        n += i == 0 || segment->chunks[i].thread != segment->chunks[i - 1].thread;
    }
    r->lanes = calloc(n ? n : 1, sizeof *r->lanes);
    r->heap = calloc(n ? n : 1, sizeof(thread_lane *));
    if (!r->lanes || !r->heap) {
        return snoopi__fail_nomem(err);
    }
    for (size_t chunk = 0; chunk < segment->n_chunks;) {
        thread_lane *lane = &r->lanes[r->n_lanes++];
        chunk = snoopi__thread_open(&lane->reader, segment, chunk, NULL);
        if (advance(lane)) {
            r->heap[r->n_heap++] = lane;
        }
    }
    for (size_t i = r->n_heap; i-- > 0;) {
        sift_down(r, i);
    }
    return 0;
}

// --- events ---

static void note(const replay *r, const thread_lane *lane, const char *what)
{
    snoopi__damage_note(&r->segment->damage, "record at byte %llu: %s",
                        (unsigned long long)lane->event.offset, what);
}

// Of a window it is no damage: the frame began before it.
static void note_unopened(const replay *r, const thread_lane *lane, const char *what)
{
    if (!r->facts->is_window) {
        note(r, lane, what);
    }
}

static void saturating_add(uint64_t *sum, uint64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = UINT64_MAX;
    }
}

static int take_args(replay *r, thread_lane *lane, snoopi_error *err)
{
    snoopi__cursor at = lane->event.args;
    for (uint32_t i = 0; i < lane->event.n_args; i++) {
        r->args[i].position = snoopi__get_varint32(&at);
        r->args[i].node = snoopi__remap_id(r->remap, WIRE_NODE, snoopi__get_varint32(&at));
        if (r->args[i].node == 0) {
            r->args[i].node = snoopi__defpool_lost_node(r->pool);
            if (r->args[i].node == 0) {
                return snoopi__fail_nomem(err);
            }
        }
    }
    return 0;
}

// Whether the instance had a frame with the same arguments before: 1, 0, or a negative status.
static int is_repeated(replay *r, uint32_t instance, uint32_t n_args, snoopi_error *err)
{
    uint32_t *key = r->key;
    size_t n = 0;
    key[n++] = instance;
    for (uint32_t i = 0; i < n_args; i++) {
        key[n++] = r->args[i].position;
        key[n++] = r->args[i].node;
    }
    uint32_t *known = snoopi__idset_find(&r->seen, 0, key, n * sizeof *key);
    if (!known) {
        return snoopi__fail_nomem(err);
    }
    const int was_known = (int)*known;
    *known = 1;
    return was_known;
}

// Translates the instance of a frame and finds the flags that follow from it.
static int take_instance(replay *r, thread_lane *lane, snoopi__begin *begin, snoopi_error *err)
{
    const snoopi__defs *defs = &r->facts->defs;
    const uint32_t local = (uint32_t)lane->event.value;
    begin->instance = snoopi__remap_id(r->remap, WIRE_INSTANCE, local);
    const bool is_lost = begin->instance == 0;
    if (is_lost) {
        note(r, lane, "instance that is not defined");
        begin->instance = snoopi__defpool_lost_instance(r->pool);
        if (begin->instance == 0) {
            return snoopi__fail_nomem(err);
        }
    }
    r->has_frames[begin->instance] = 1;
    if (is_lost) {
        return 0;
    }
    const def_instance *instance = &defs->instances[local];
    if (instance->kind == WIRE_INSTANCE_TOPLEVEL) {
        begin->flags |=
            SNOOPI_FRAME_TOPLEVEL; // each is its own, though equal ones have one id in a trace
        return 0;
    }
    if (snoopi__is_generator(defs, instance->method)) {
        begin->flags |= SNOOPI_FRAME_GENERATOR;
    }
    const int repeated = is_repeated(r, begin->instance, lane->event.n_args, err);
    begin->flags |= repeated == 1 ? (uint32_t)SNOOPI_FRAME_REPEATED : 0;
    return repeated < 0 ? repeated : 0;
}

// Keeps a stack for the BEGIN that follows it. A code that was lost is 0.
static int on_stack(replay *r, thread_lane *lane, snoopi_error *err)
{
    if (!lane->stack) {
        lane->stack = calloc(WIRE_STACK_MAX, sizeof *lane->stack);
        if (!lane->stack) {
            return snoopi__fail_nomem(err);
        }
    }
    snoopi__cursor at = lane->event.args;
    for (uint32_t i = 0; i < lane->event.n_args; i++) {
        lane->stack[i] = snoopi__remap_id(r->remap, WIRE_CODE, snoopi__get_varint32(&at));
    }
    lane->n_stack = lane->event.n_args;
    lane->stack_flags = lane->event.flags;
    return 0;
}

// What a frame tells of code that its instance had: see format.md 2.3, INVALIDATED.
static int take_invalidated(replay *r, thread_lane *lane, snoopi__begin *begin, snoopi_error *err)
{
    const bool is_told = lane->invalidated != 0 && lane->invalidated == lane->event.value;
    snoopi__replay_result *result = r->result;
    lane->invalidated = 0;
    if (!is_told || result->n_invalidated == WIRE_INVALIDATED_MAX) {
        return 0;
    }
    snoopi__replay_invalidated *list = snoopi__grow(result->invalidated, &r->invalidated_capacity,
                                                    result->n_invalidated + 1, sizeof *list);
    if (!list) {
        return snoopi__fail_nomem(err);
    }
    result->invalidated = list;
    list[result->n_invalidated++] =
        (snoopi__replay_invalidated){.instance = begin->instance, .world = lane->valid_until};
    begin->flags |= SNOOPI_FRAME_INVALIDATED;
    return 0;
}

static int on_begin(replay *r, thread_lane *lane, snoopi_error *err)
{
    snoopi__begin begin = {.time_ns = lane->event.time_ns,
                           .flags = lane->event.flags & BEGIN_FLAGS,
                           .n_args = lane->event.n_args,
                           .args = r->args,
                           .thread = lane->reader.thread,
                           .task = lane->task,
                           .line_file = snoopi__remap_id(r->remap, WIRE_FILE, lane->line_file),
                           .line = lane->line,
                           .n_stack = lane->n_stack,
                           .stack_flags = lane->stack_flags,
                           .stack = lane->stack};
    lane->n_stack = 0;
    int st = take_args(r, lane, err);
    if (st == 0) {
        st = take_instance(r, lane, &begin, err);
    }
    if (st == 0) {
        st = take_invalidated(r, lane, &begin, err);
    }
    if (st < 0) {
        return st;
    }
    snoopi__task *task = snoopi__taskmap_add(&r->tasks, key_of(lane));
    if (!task) {
        return snoopi__fail_nomem(err);
    }
    st = snoopi__forest_begin(&r->forest, task, &begin, err);
    if (st == 1) {
        note(r, lane, "frame that is too deep");
    }
    return st < 0 ? st : 0;
}

static void drop_if_empty(replay *r, snoopi__task *task)
{
    if (task->top == 0) {
        snoopi__taskmap_remove(&r->tasks, task);
    }
}

static int on_end(replay *r, const thread_lane *lane, snoopi_error *err)
{
    snoopi__task *task = snoopi__taskmap_find(&r->tasks, key_of(lane));
    if (!task) {
        note_unopened(r, lane, "END without an open frame");
        return 0;
    }
    const int st = snoopi__forest_end(&r->forest, task, lane->event.time_ns,
                                      lane->event.flags & END_FLAGS, err);
    drop_if_empty(r, task);
    return st;
}

static int cut(replay *r, snoopi__task *task, uint64_t n, snoopi_error *err)
{
    int st = 0;
    for (; n > 0 && task->top && st == 0; n--) {
        st = snoopi__forest_cut(&r->forest, task, SNOOPI_FRAME_ABORTED, err);
    }
    return st;
}

static int on_abort(replay *r, const thread_lane *lane, snoopi_error *err)
{
    snoopi__task *task = snoopi__taskmap_find(&r->tasks, key_of(lane));
    if (!task) {
        note_unopened(r, lane, "ABORT without an open frame");
        return 0;
    }
    const int st = cut(r, task, lane->event.value, err);
    if (st == 0 && task->top) {
        snoopi__forest_touch(&r->forest, task, lane->event.time_ns);
    }
    drop_if_empty(r, task);
    return st;
}

static void on_run(replay *r, const thread_lane *lane)
{
    snoopi__task *task = snoopi__taskmap_find(&r->tasks, key_of(lane));
    if (!task ||
        snoopi__forest_run(&r->forest, task, lane->event.time_ns, lane->event.value) == 1) {
        note(r, lane, "RUN of a frame that is not open");
    }
}

static int on_mark(replay *r, const thread_lane *lane, snoopi_error *err)
{
    snoopi__replay_result *result = r->result;
    if (result->n_marks == WIRE_MARKS_MAX) {
        note(r, lane, "one mark too many");
        return 0;
    }
    snoopi__replay_mark *marks =
        snoopi__grow(result->marks, &r->marks_capacity, result->n_marks + 1, sizeof *result->marks);
    if (!marks) {
        return snoopi__fail_nomem(err);
    }
    result->marks = marks;
    marks[result->n_marks++] =
        (snoopi__replay_mark){.time_ns = lane->event.time_ns,
                              .name = snoopi__remap_id(r->remap, WIRE_STRING, lane->event.value)};
    return 0;
}

static int on_event(replay *r, thread_lane *lane, snoopi_error *err)
{
    const uint64_t tag = lane->event.record.tag;
    const uint64_t tool_ns = lane->event.tool_ns;
    saturating_add(&r->result->event_tool_ns, tool_ns);
    const snoopi__task *charged = snoopi__taskmap_find(&r->tasks, lane->charged);
    int st = 0;
    if (tag == WIRE_ABORT) {
        // The time since the last event is not inside the frames that were left.
        st = on_abort(r, lane, err);
        charged = snoopi__taskmap_find(&r->tasks, lane->charged);
        snoopi__forest_charge(&r->forest, charged, tool_ns);
    } else {
        snoopi__forest_charge(&r->forest, charged, tool_ns);
        switch (tag) {
        case WIRE_BEGIN: st = on_begin(r, lane, err); break;
        case WIRE_END: st = on_end(r, lane, err); break;
        case WIRE_MARK: st = on_mark(r, lane, err); break;
        case WIRE_STACK: st = on_stack(r, lane, err); break;
        case WIRE_RUN: on_run(r, lane); break;
        default: break;
        }
        snoopi__task *task = snoopi__taskmap_find(&r->tasks, key_of(lane));
        if (task) {
            snoopi__forest_touch(&r->forest, task, lane->event.time_ns);
        }
    }
    lane->charged = key_of(lane);
    return st;
}

// An event before the window: the tool's time up to there is not charged, but what task runs then is known.
static int pass_over(thread_lane *lane)
{
    lane->charged = key_of(lane);
    if (lane->event.record.tag == WIRE_BEGIN) {
        lane->invalidated = 0;
    }
    return 0;
}

static int run_events(replay *r, snoopi_error *err)
{
    const bool is_window = r->facts->is_window;
    while (r->n_heap > 0) {
        thread_lane *lane = r->heap[0];
        const uint64_t time_ns = lane->event.time_ns;
        if (is_window && time_ns > r->facts->end_ns) {
            return 0; // so are the others
        }
        const bool is_before = is_window && time_ns < r->facts->process.begin_ns;
        const int st = is_before ? pass_over(lane) : on_event(r, lane, err);
        if (st < 0) {
            return st;
        }
        if (!advance(lane)) {
            r->heap[0] = r->heap[--r->n_heap];
        }
        sift_down(r, 0);
    }
    return 0;
}

// What went wrong in reading since the pass before.
static int check_lanes(replay *r, snoopi_error *err)
{
    for (size_t i = 0; i < r->n_lanes; i++) {
        const snoopi__thread *reader = &r->lanes[i].reader;
        if (reader->has_failed) {
            return snoopi__fail_nomem(err);
        }
        if (reader->is_short && r->segment->damage.count == 0) {
            snoopi__damage_note(&r->segment->damage,
                                "it could not be read again as it was a moment before");
        }
    }
    return 0;
}

// --- the end of the process ---

// Frames of a task that runs when the process ends are open until then. Those of other tasks were left: nobody will say
// when, since their task was never seen again. Where records were lost, an END may be among them, so nothing is known to
// have been open for longer than it was seen.
static int close_frames(replay *r, snoopi_error *err)
{
    const bool is_whole =
        r->facts->process.dropped_records == 0 && r->facts->process.dropped_frames == 0;
    int st = 0;
    for (size_t i = 0; is_whole && i < r->n_lanes && st == 0; i++) {
        snoopi__task *task = snoopi__taskmap_find(&r->tasks, key_of(&r->lanes[i]));
        while (task && task->top && st == 0) {
            st = snoopi__forest_end(&r->forest, task, r->facts->end_ns, SNOOPI_FRAME_UNFINISHED,
                                    err);
        }
    }
    for (size_t at = 0; st == 0; at++) {
        snoopi__task *task = snoopi__taskmap_any(&r->tasks, &at);
        if (!task) {
            return 0;
        }
        st = cut(r, task, UINT64_MAX, err);
    }
    return st;
}

static uint64_t count_instances(const replay *r)
{
    uint64_t n = 0;
    for (uint32_t id = 1; id < r->n_instances; id++) {
        n += r->has_frames[id];
    }
    return n;
}

static int run(replay *r, snoopi_error *err)
{
    r->n_instances = r->pool->last_id[WIRE_INSTANCE] + 2; // one more may be made for what was lost
    r->has_frames = calloc(r->n_instances, 1);
    r->args = calloc(WIRE_ARGS_MAX, sizeof *r->args);
    r->key = calloc(1 + 2 * (size_t)WIRE_ARGS_MAX, sizeof *r->key);
    if (!r->has_frames || !r->args || !r->key) {
        return snoopi__fail_nomem(err);
    }
    int st = open_lanes(r, err);
    if (st == 0) {
        st = run_events(r, err);
    }
    if (st == 0) {
        st = check_lanes(r, err);
    }
    if (st == 0) {
        st = close_frames(r, err);
    }
    r->result->sums = r->forest.sums;
    r->result->outside_tool_ns = r->forest.outside_tool_ns;
    r->result->instances = count_instances(r);
    return st;
}

int snoopi__replay(snoopi__segment *segment, snoopi__facts *facts, snoopi__defpool *pool,
                   const snoopi__remap *remap, snoopi__framewriter *writer, const char *dir,
                   snoopi__replay_result *result, snoopi_error *err)
{
    *result = (snoopi__replay_result){0};
    replay r = {.segment = segment, .facts = facts, .pool = pool, .remap = remap, .result = result};
    snoopi__forest_init(&r.forest, dir, &facts->gc, snoopi__framewriter_put, writer);
    int st = run(&r, err);
    if (st == 0) {
        st = snoopi__framewriter_flush(writer, err);
    }
    snoopi__forest_clear(&r.forest);
    snoopi__taskmap_clear(&r.tasks);
    snoopi__idset_clear(&r.seen);
    for (size_t i = 0; i < r.n_lanes; i++) {
        snoopi__thread_close(&r.lanes[i].reader);
        free(r.lanes[i].stack);
    }
    free(r.lanes);
    free(r.heap);
    free(r.key);
    free(r.args);
    free(r.has_frames);
    return st;
}
