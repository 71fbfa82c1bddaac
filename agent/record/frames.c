// SPDX-License-Identifier: MIT
//
// Threads, tasks, open frames.

#include "record/frames.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "intern.h"
#include "lock.h"
#include "memory.h"

enum {
    THREADS_MAX = 1024,
    TASKS_MAX = 1 << 20, /* that ever inferred; address space only */
    FRAMES_FIRST = 512   /* open frames of a task before its stack grows */
};

static struct {
    struct thread *threads; /* THREADS_MAX */
    uint32_t n_threads;
    struct task *tasks; /* TASKS_MAX; a task's number is its index + 1 */
    uint32_t n_tasks;
    struct intern_table task_numbers;
} pool = {.task_numbers = {.first_entries = 1024}};

static __thread struct thread *self_thread __attribute__((tls_model("initial-exec")));

RARELY static struct thread *make_thread(void)
{
    struct thread *thread = NULL;
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    agent_lock_take(LOCK_THREADS, tid);
    if (pool.threads == NULL) {
        pool.threads = memory_map(THREADS_MAX * sizeof *pool.threads);
    }
    if (pool.threads != NULL && pool.n_threads < THREADS_MAX) {
        thread = &pool.threads[pool.n_threads];
        thread->writer.thread = pool.n_threads;
        thread->writer.os_tid = tid;
        thread->writer.last_ns = segment_header()->begin_ns;
        pool.n_threads++;
        self_thread = thread;
    }
    agent_lock_release(LOCK_THREADS);
    return thread;
}

struct thread *frames_thread(void)
{
    if (self_thread == NULL) {
        return make_thread();
    }
    agent_lock_give_back(self_thread->writer.os_tid);
    return self_thread;
}

RARELY void frames_count_lost(void)
{
    (void)__atomic_fetch_add(&segment_header()->dropped_records, 1, __ATOMIC_RELAXED);
}

bool frames_event(struct thread *thread, uint32_t tag, uint64_t now, const uint8_t *tail,
                  size_t size)
{
    uint8_t payload[20 + EVENT_TAIL_MAX];
    const uint64_t last = segment_last_ns(&thread->writer);
    uint8_t *at = put_varint(payload, now > last ? now - last : 0);

    at = put_varint(at, thread->tool_ns);
    at = put_bytes(at, tail, size);
    if (!segment_append(&thread->writer, tag, payload, (size_t)(at - payload),
                        now > last ? now : last)) {
        return false;
    }
    thread->tool_ns = 0;
    return true;
}

static bool is_open_in_stream(const struct open_frame *frame)
{
    return segment_was_written(&pool.threads[frame->begin_thread].writer, frame->begin_attempt) &&
           !segment_was_written(&pool.threads[frame->end_thread].writer, frame->end_attempt);
}

/* Makes `task` the one that the thread's records are about. */
static void write_task(struct thread *thread, const struct task *task)
{
    const uint32_t number = (uint32_t)(task - pool.tasks) + 1;
    uint8_t payload[10];

    if (thread->written_task != number) {
        const size_t size = (size_t)(put_varint(payload, number) - payload);
        thread->written_task = 0; /* not known if this is left in between */
        atomic_signal_fence(memory_order_seq_cst);
        if (segment_append(&thread->writer, WIRE_TASK, payload, size, 0)) {
            atomic_signal_fence(memory_order_seq_cst);
            thread->written_task = number;
        } else {
            frames_count_lost();
        }
    }
}

/* What runs is told by the records that are written: it is not known while one is. */
static void set_running(struct task *task, uint32_t entry)
{
    atomic_signal_fence(memory_order_seq_cst);
    task->running = entry;
    atomic_signal_fence(memory_order_seq_cst);
}

/* The frame that runs once all from depth `keep` on are closed. */
static uint32_t running_when_closed(const struct task *task, uint32_t keep)
{
    uint32_t entry = task->running;
    while (entry != NOT_KNOWN && entry > keep) {
        entry = task->frames[entry - 1].parent;
    }
    return entry;
}

void frames_run(struct thread *thread, struct task *task, uint32_t entry, uint64_t now)
{
    uint8_t tail[10];

    if (task->running == entry || entry == NOBODY_RUNS) {
        return;
    }
    const uint64_t inside = frames_count(task) - task->frames[entry - 1].n_frames;
    write_task(thread, task);
    set_running(task, NOT_KNOWN);
    if (frames_event(thread, WIRE_RUN, now, tail, (size_t)(put_varint(tail, inside) - tail))) {
        set_running(task, entry);
    } else {
        frames_count_lost();
    }
}

/* Closes the frames of `task` from depth `keep` on: they were left by a jump. */
RARELY static void abort_frames(struct thread *thread, struct task *task, uint32_t keep,
                                uint64_t now)
{
    const uint64_t attempt = segment_attempt(&thread->writer);
    uint64_t open = 0;
    uint8_t tail[10];

    for (uint32_t i = keep; i < task->depth; i++) {
        if (is_open_in_stream(&task->frames[i])) {
            open++;
            task->frames[i].end_thread = thread->writer.thread;
            task->frames[i].end_attempt = attempt;
        }
    }
    if (open > 0) {
        const uint32_t runs = running_when_closed(task, keep);
        write_task(thread, task);
        set_running(task, NOT_KNOWN);
        if (!frames_event(thread, WIRE_ABORT, now, tail, (size_t)(put_varint(tail, open) - tail))) {
            frames_count_lost();
        }
        set_running(task, runs);
    }
    task->depth = keep;
}

/* Julia keeps a list of what the collector must look at on the stack, from the innermost outwards,
 * and puts it back at each catch. What was its head when a frame began is in it for as long as the
 * frame lasts. That another's roots may come to lie at the same place is what the return address is
 * compared for. */
static bool is_left(const struct open_frame *open, void **at)
{
    while (at != NULL && (uintptr_t)at < (uintptr_t)open->gc_head) {
        at = at[1]; /* a count, the next, the roots */
    }
    return open->gc_head != NULL && (at != open->gc_head || at[1] != open->gc_next ||
                                     *(const uintptr_t *)open->sp != open->caller);
}

static void note_stack(struct open_frame *open, uintptr_t sp)
{
    open->sp = sp;
    open->caller = *(const uintptr_t *)sp;
    void **const gc_head = *julia.gc_stack();
    open->gc_head = gc_head;
    open->gc_next = gc_head == NULL ? NULL : gc_head[1];
}

void frames_sweep(struct thread *thread, struct task *task, uintptr_t sp, uint64_t now)
{
    uint32_t keep = task->depth;
    void **const gc_stack = *julia.gc_stack();
    while (keep > 0 &&
           (task->frames[keep - 1].sp <= sp || is_left(&task->frames[keep - 1], gc_stack))) {
        keep--;
    }
    if (keep < task->depth) {
        abort_frames(thread, task, keep, now);
    }
}

RARELY static struct task *find_task(struct thread *thread, jl_any current)
{
    struct task *task = NULL;

    agent_lock_take(LOCK_THREADS, thread->writer.os_tid);
    if (pool.tasks == NULL) {
        pool.tasks = memory_map(TASKS_MAX * sizeof *pool.tasks);
    }
    if (pool.tasks != NULL) {
        uint32_t number = intern_find(&pool.task_numbers, intern_key(current, 0, 0));
        if (number == 0 && pool.n_tasks < TASKS_MAX) {
            number = ++pool.n_tasks;
            (void)intern_put(&pool.task_numbers, intern_key(current, 0, 0), number);
        }
        if (number != 0) {
            task = &pool.tasks[number - 1];
            task->task = current;
        }
    }
    agent_lock_release(LOCK_THREADS);
    return task;
}

struct task *frames_task(struct thread *thread, uint64_t now)
{
    jl_any const current = julia.get_current_task();

    if (thread->task == NULL || thread->task->task != current) {
        struct task *const task = find_task(thread, current);
        if (task == NULL) {
            return NULL;
        }
        if (thread->task != NULL && thread->task->depth > 0 && !julia.row->inference_may_switch) {
            abort_frames(thread, thread->task, 0, now);
        }
        thread->task = task;
    }
    return thread->task;
}

RARELY static bool grow_frames(struct task *task)
{
    const uint32_t capacity = task->capacity == 0 ? FRAMES_FIRST : task->capacity * 2;
    struct open_frame *const frames = memory_map(capacity * sizeof *frames);
    if (frames == NULL) {
        return false;
    }
    struct open_frame *const old = task->frames;
    if (old != NULL) {
        memcpy(frames, old, task->depth * sizeof *frames);
    }
    task->frames = frames;
    task->capacity = capacity;
    if (old != NULL) {
        (void)munmap(old, capacity / 2 * sizeof *frames);
    }
    return true;
}

static bool reserve_frame(struct task *task)
{
    return task->depth < task->capacity || grow_frames(task);
}

/* The next entry, filled but for what is about the stream. */
static struct open_frame *next_entry(struct thread *thread, struct task *task, uintptr_t sp)
{
    struct open_frame *const open = &task->frames[task->depth];
    const struct open_frame *const below = task->depth == 0 ? NULL : open - 1;

    *open = (struct open_frame){.n_frames = frames_count(task),
                                .parent = frames_count(task) == 0 ? NOBODY_RUNS : task->running,
                                .begin_thread = thread->writer.thread};
    if (sp != 0) {
        note_stack(open, sp);
    } else if (below != NULL && below->loop != 0) {
        const struct open_frame *const loop = &task->frames[below->loop - 1];
        open->sp = loop->sp;
        open->caller = loop->caller;
        open->gc_head = loop->gc_head;
        open->gc_next = loop->gc_next;
        open->loop = below->loop;
    }
    return open;
}

bool frames_open(struct thread *thread, struct task *task, uintptr_t sp, const uint8_t *tail,
                 size_t size, uint64_t now)
{
    if (!reserve_frame(task)) {
        return false;
    }
    const uint32_t parent = task->running;
    write_task(thread, task);
    struct open_frame *const open = next_entry(thread, task, sp);
    open->n_frames++;
    open->begin_attempt = segment_attempt(&thread->writer);
    set_running(task, NOT_KNOWN);
    task->depth++;
    if (!frames_event(thread, WIRE_BEGIN, now, tail, size)) {
        task->depth--;
        set_running(task, parent);
        return false;
    }
    set_running(task, task->depth);
    return true;
}

bool frames_enter(struct thread *thread, struct task *task, enum open_kind kind, uintptr_t sp,
                  bool is_tooling)
{
    if (!reserve_frame(task)) {
        return false; /* frames below it will not be known as nested */
    }
    struct open_frame *const open = next_entry(thread, task, sp);
    open->kind = kind;
    open->is_tooling = is_tooling;
    open->loop = kind == OPEN_LOOP ? task->depth + 1 : 0;
    open->begin_attempt = 0; /* never in the stream */
    task->depth++;
    return true;
}

void frames_close(struct thread *thread, struct task *task, const uint8_t *tail, size_t size,
                  uint64_t now)
{
    struct open_frame *const open = &task->frames[task->depth - 1];
    const uint32_t runs = running_when_closed(task, task->depth - 1);

    write_task(thread, task);
    open->end_thread = thread->writer.thread;
    open->end_attempt = segment_attempt(&thread->writer);
    set_running(task, NOT_KNOWN);
    if (!frames_event(thread, WIRE_END, now, tail, size)) {
        frames_count_lost();
    }
    set_running(task, runs);
    task->depth--;
}
