// SPDX-License-Identifier: MIT
//
// What runs at each begin and end of a frame. The budget is about two microseconds a frame; most of it is two looks at the clock
// at each end.
//
// Everything here may be left by a longjmp at any instruction. An open frame is pushed before its BEGIN is written, and popped after its
// END; `serial` (the number of frame events that the thread will have written with it) tells later whether each was.

#include "hook.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "entry.h"
#include "find.h"
#include "graph.h"
#include "intern.h"
#include "julia.h"
#include "lock.h"
#include "patch.h"
#include "segment_writer.h"

enum {
    THREADS_MAX = 1024,
    TASKS_MAX = 1 << 20,      /* that ever inferred; address space only */
    FRAMES_FIRST = 512,       /* open frames of a task before its stack grows */
    ENTRANCES_MAX = 64,
    CALLERS = 64,             /* return addresses whose kind is kept, per thread */
    ARGS_MAX = 32,            /* constant arguments that are written per frame */
    VALUE_DEPTH = 3
};

struct open_frame {
    uintptr_t sp; /* where its return address lies */
    uint64_t begin_serial;
    uint64_t end_serial; /* 0: no END was tried */
    uint32_t begin_thread;
    uint32_t end_thread;
};

/* A task that inferred. Its number is its index in `tasks` + 1. */
struct task {
    jl_any task;
    struct open_frame *frames;
    uint32_t depth;
    uint32_t capacity;
};

struct caller {
    uintptr_t address;
    bool is_entrance;
};

struct thread {
    struct segment_writer writer;
    uint64_t tool_ns;      /* spent since the last event's time */
    struct task *task;     /* of the last event */
    uint32_t written_task; /* that the stream is about */
    uint32_t line_file;    /* last LINE written */
    uint64_t line;
    uint64_t gc_begin_ns;
    struct caller callers[CALLERS];
};

static struct {
    struct agent_lock lock;
    struct hook list[HOOKS_MAX];
    size_t count;
    const uint8_t *entrances[ENTRANCES_MAX];
    size_t n_entrances;
    struct thread *threads; /* THREADS_MAX */
    uint32_t n_threads;
    struct task *tasks; /* TASKS_MAX */
    uint32_t n_tasks;
    struct intern_table task_numbers;
    char text[256];
} hooks;

static __thread struct thread *self_thread __attribute__((tls_model("initial-exec")));

static void *map_memory(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static struct thread *this_thread(void)
{
    struct thread *thread = self_thread;

    if (thread != NULL) {
        return thread;
    }
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    agent_lock_take(&hooks.lock, tid);
    if (hooks.threads == NULL) {
        hooks.threads = map_memory(THREADS_MAX * sizeof *hooks.threads);
    }
    if (hooks.threads != NULL && hooks.n_threads < THREADS_MAX) {
        thread = &hooks.threads[hooks.n_threads];
        thread->writer.thread = hooks.n_threads;
        thread->writer.os_tid = tid;
        thread->writer.last_ns = segment_header()->begin_ns;
        hooks.n_threads++;
        self_thread = thread;
    }
    agent_lock_release(&hooks.lock);
    return thread;
}

static void count_dropped_frame(void)
{
    (void)__atomic_fetch_add(&segment_header()->dropped_frames, 1, __ATOMIC_RELAXED);
}

static void count_dropped_record(void)
{
    (void)__atomic_fetch_add(&segment_header()->dropped_records, 1, __ATOMIC_RELAXED);
}

/* Writes an event: dt and tool first, then what `tail` holds. */
static bool write_event(struct thread *thread, uint32_t tag, uint64_t now, const uint8_t *tail, size_t tail_size)
{
    uint8_t payload[20 + 16 + 10 * 2 * ARGS_MAX];
    const uint64_t last = segment_last_ns(&thread->writer);
    uint8_t *at = put_varint(payload, now > last ? now - last : 0);

    at = put_varint(at, thread->tool_ns);
    memcpy(at, tail, tail_size);
    at += tail_size;
    if (!segment_append(&thread->writer, tag, payload, (size_t)(at - payload), now > last ? now : last)) {
        return false;
    }
    thread->tool_ns = 0;
    return true;
}

/* --- open frames --- */

static bool was_written(uint64_t serial, uint32_t thread)
{
    return serial != 0 && segment_frame_events(&hooks.threads[thread].writer) >= serial;
}

static bool is_open_in_stream(const struct open_frame *frame)
{
    return was_written(frame->begin_serial, frame->begin_thread) && !was_written(frame->end_serial, frame->end_thread);
}

/* Makes `task` the one that the thread's records are about. */
static void write_task(struct thread *thread, const struct task *task)
{
    const uint32_t number = (uint32_t)(task - hooks.tasks) + 1;
    uint8_t payload[10];

    if (thread->written_task != number) {
        const size_t size = (size_t)(put_varint(payload, number) - payload);
        if (segment_append(&thread->writer, WIRE_TASK, payload, size, 0)) {
            thread->written_task = number;
        } else {
            count_dropped_record();
        }
    }
}

/* Closes the frames of `task` from depth `keep` on: they were left by a jump. */
static void abort_frames(struct thread *thread, struct task *task, uint32_t keep, uint64_t now)
{
    uint64_t open = 0;
    uint8_t tail[10];

    for (uint32_t i = keep; i < task->depth; i++) {
        open += is_open_in_stream(&task->frames[i]) ? 1 : 0;
    }
    if (open > 0) {
        write_task(thread, task);
        if (!write_event(thread, WIRE_ABORT, now, tail, (size_t)(put_varint(tail, open) - tail))) {
            count_dropped_record();
        }
    }
    task->depth = keep;
}

/* Frames whose return address lies below `sp` are gone: the stack is above them. */
static void sweep(struct thread *thread, struct task *task, uintptr_t sp, uint64_t now)
{
    uint32_t keep = task->depth;
    while (keep > 0 && task->frames[keep - 1].sp <= sp) {
        keep--;
    }
    if (keep < task->depth) {
        abort_frames(thread, task, keep, now);
    }
}

static struct task *find_task(struct thread *thread, jl_any current)
{
    struct task *task = NULL;

    agent_lock_take(&hooks.lock, thread->writer.os_tid);
    if (hooks.tasks == NULL) {
        hooks.tasks = map_memory(TASKS_MAX * sizeof *hooks.tasks);
    }
    if (hooks.tasks != NULL) {
        uint32_t number = intern_find(&hooks.task_numbers, intern_key(current, 0, 0));
        if (number == 0 && hooks.n_tasks < TASKS_MAX) {
            number = ++hooks.n_tasks;
            (void)intern_put(&hooks.task_numbers, intern_key(current, 0, 0), number);
        }
        if (number != 0) {
            task = &hooks.tasks[number - 1];
            task->task = current;
        }
    }
    agent_lock_release(&hooks.lock);
    return task;
}

/* The current task's frames; what another task left on this thread is closed. */
static struct task *current_task(struct thread *thread, uint64_t now)
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

static bool reserve_frame(struct task *task)
{
    if (task->depth < task->capacity) {
        return true;
    }
    const uint32_t capacity = task->capacity == 0 ? FRAMES_FIRST : task->capacity * 2;
    struct open_frame *const frames = map_memory(capacity * sizeof *frames);
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

/* --- what a frame is --- */

static bool is_entrance(struct thread *thread, uintptr_t sp)
{
    const uintptr_t address = *(uintptr_t *)sp;
    struct caller *const caller = &thread->callers[(address >> 2) % CALLERS];

    if (caller->address != address) {
        const uint8_t *const start = function_start((const uint8_t *)address - 1);
        bool found = false;
        for (size_t i = 0; i < hooks.n_entrances && !found; i++) {
            found = hooks.entrances[i] == start;
        }
        caller->is_entrance = found;
        caller->address = address;
    }
    return caller->is_entrance;
}

static bool any_bit(jl_any bitvector, size_t word_count, uint64_t *words)
{
    jl_any const chunks = load_ptr(bitvector, julia.at.bitvector_chunks);
    const uint64_t *const data = array_data(chunks);
    uint64_t any = 0;

    for (size_t i = 0; i < word_count; i++) {
        words[i] = i < array_length(chunks) ? data[i] : 0;
        any |= words[i];
    }
    return any != 0;
}

static uint32_t argument_node(jl_any argument)
{
    jl_any const type = argument == NULL ? NULL : type_of(argument);
    if (type == julia.const_type) {
        return value_node(load_ptr(argument, julia.at.const_val), VALUE_DEPTH);
    }
    return type == julia.partialstruct_type ? value_partial(argument, VALUE_DEPTH) : 0;
}

/* Puts n and the constant arguments at `at`; returns the position behind them, or `at` when there are none to tell. */
static uint8_t *put_arguments(uint8_t *at, jl_any argtypes, const uint64_t *overridden)
{
    uint32_t positions[ARGS_MAX];
    uint32_t nodes[ARGS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < array_length(argtypes) && i < 64 && n < ARGS_MAX; i++) {
        if ((overridden[0] >> i & 1) != 0) {
            const uint32_t node = argument_node(((jl_any *)array_data(argtypes))[i]);
            if (node != 0) {
                positions[n] = (uint32_t)i + 1;
                nodes[n++] = node;
            }
        }
    }
    if (n == 0) {
        return at;
    }
    at = put_varint(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_varint(at, positions[i]);
        at = put_varint(at, nodes[i]);
    }
    return at;
}

/* Writes where the interpreter is in toplevel code, when that changed. */
static void write_line(struct thread *thread)
{
    const char *const name = *julia.filename;
    const int number = *julia.lineno;
    const uint64_t line = number > 0 ? (uint64_t)number : 0;
    uint8_t payload[20];

    if (name == NULL) {
        return;
    }
    const uint32_t file = graph_file(name);
    if (file == 0 || (file == thread->line_file && line == thread->line)) {
        return;
    }
    uint8_t *at = put_varint(payload, file);
    at = put_varint(at, line);
    if (segment_append(&thread->writer, WIRE_LINE, payload, (size_t)(at - payload), 0)) {
        thread->line_file = file;
        thread->line = line;
    } else {
        count_dropped_record();
    }
}

/* The tail of a BEGIN: instance, flags, arguments. 0 when the instance could not be written. */
static size_t describe_frame(const struct hook *hook, jl_any frame, bool is_nested, uint8_t *tail)
{
    jl_any const instance = load_ptr(frame, julia.at.frame_instance);
    jl_any const result = load_ptr(frame, julia.at.frame_result);
    uint64_t overridden[4] = {0};
    uint8_t arguments[10 * 2 * ARGS_MAX];
    uint8_t *arguments_end = arguments;
    uint64_t flags = is_nested ? WIRE_FLAG_NESTED : 0;

    const uint32_t id = graph_instance(instance, load_ptr(instance, julia.at.mi_source));
    if (id == 0) {
        return 0;
    }
    if (hook->is_tooling) {
        flags |= WIRE_FLAG_TOOLING;
    }
    if (any_bit(load_ptr(result, julia.at.result_overridden), 4, overridden)) {
        flags |= WIRE_FLAG_CONSTPROP;
        if (agent_options.want_args) {
            arguments_end = put_arguments(arguments, load_ptr(result, julia.at.result_argtypes), overridden);
        }
    }
    if (arguments_end > arguments) {
        flags |= WIRE_FLAG_ARGS;
    }
    uint8_t *at = put_varint(tail, id);
    at = put_varint(at, flags);
    memcpy(at, arguments, (size_t)(arguments_end - arguments));
    return (size_t)(at - tail) + (size_t)(arguments_end - arguments);
}

/* --- events --- */

static void begin_frame(struct thread *thread, const struct hook *hook, jl_any frame, uintptr_t sp, uint64_t now)
{
    uint8_t tail[16 + 10 * 2 * ARGS_MAX];
    struct task *const task = current_task(thread, now);

    if (task == NULL) {
        count_dropped_frame();
        return;
    }
    sweep(thread, task, sp, now);
    graph_begin(&thread->writer);
    if (task->depth == 0) {
        write_line(thread);
        segment_header()->world_end = julia.get_world_counter();
    }
    const size_t size = describe_frame(hook, frame, task->depth > 0 && is_entrance(thread, sp), tail);
    graph_end();
    if (size == 0 || !reserve_frame(task)) {
        count_dropped_frame();
        return;
    }
    write_task(thread, task);
    struct open_frame *const open = &task->frames[task->depth];
    open->sp = sp;
    open->end_serial = 0;
    open->begin_thread = thread->writer.thread;
    open->begin_serial = segment_frame_events(&thread->writer) + 1;
    task->depth++;
    if (!write_event(thread, WIRE_BEGIN, now, tail, size)) {
        task->depth--;
        count_dropped_frame();
    }
}

static void end_frame(struct thread *thread, const struct hook *hook, bool is_finished, uintptr_t sp, uint64_t now)
{
    struct task *const task = current_task(thread, now);
    uint8_t tail[10];

    if (task == NULL) {
        return;
    }
    sweep(thread, task, sp - 1, now);
    if (task->depth == 0 || task->frames[task->depth - 1].sp != sp) {
        return; /* its begin was not recorded */
    }
    struct open_frame *const open = &task->frames[task->depth - 1];
    const uint64_t flags = hook->kind == TARGET_TYPEINF && !is_finished ? WIRE_FLAG_CYCLE : 0;
    write_task(thread, task);
    open->end_thread = thread->writer.thread;
    open->end_serial = segment_frame_events(&thread->writer) + 1;
    if (!write_event(thread, WIRE_END, now, tail, (size_t)(put_varint(tail, flags) - tail))) {
        count_dropped_record();
    }
    task->depth--;
}

void agent_frame_begin(void *const *registers, const struct hook *hook, uintptr_t sp)
{
    if (!agent_is_recording()) {
        return;
    }
    const uint64_t now = agent_now();
    const int saved_errno = errno;
    struct thread *const thread = this_thread();
    if (thread == NULL) {
        count_dropped_frame();
    } else {
        begin_frame(thread, hook, registers[hook->frame_register], sp, now);
        thread->tool_ns += agent_now() - now;
    }
    errno = saved_errno;
}

void agent_frame_end(uintptr_t result, const struct hook *hook, uintptr_t sp)
{
    if (!agent_is_recording()) {
        return;
    }
    const uint64_t now = agent_now();
    const int saved_errno = errno;
    struct thread *const thread = this_thread();
    if (thread != NULL) {
        end_frame(thread, hook, (result & 0xff) != 0, sp, now);
        thread->tool_ns += agent_now() - now;
    }
    errno = saved_errno;
}

void hook_gc_begin(int full)
{
    (void)full;
    struct thread *const thread = agent_is_recording() ? this_thread() : NULL;
    if (thread != NULL) {
        thread->gc_begin_ns = agent_now();
    }
}

void hook_gc_end(int full)
{
    (void)full;
    struct thread *const thread = agent_is_recording() ? this_thread() : NULL;
    if (thread != NULL && thread->gc_begin_ns != 0) {
        const uint64_t now = agent_now();
        uint8_t tail[10];
        const size_t size = (size_t)(put_varint(tail, now - thread->gc_begin_ns) - tail);
        thread->gc_begin_ns = 0;
        if (!write_event(thread, WIRE_GC, now, tail, size)) {
            count_dropped_record();
        }
    }
}

void hook_process_end(void)
{
    struct thread *const thread = agent_is_recording() ? this_thread() : NULL;
    if (thread == NULL) {
        return;
    }
    const uint64_t now = agent_now();
    if (thread->task != NULL) {
        /* This very frame of C lies below every frame that is still running. */
        sweep(thread, thread->task, (uintptr_t)__builtin_frame_address(0), now);
    }
    if (!write_event(thread, WIRE_CLOSE, now, NULL, 0)) {
        count_dropped_record();
    }
}

void hook_info(const char *key, const char *value, uint64_t size)
{
    struct thread *const thread = this_thread();
    uint8_t payload[16 << 10];
    const size_t key_size = strlen(key);
    const size_t room = sizeof payload - 10 - key_size;

    if (thread == NULL) {
        return;
    }
    uint8_t *at = put_varint(payload, key_size);
    memcpy(at, key, key_size);
    at += key_size;
    const size_t kept = size < room ? size : room;
    memcpy(at, value, kept);
    at += kept;
    if (!segment_append(&thread->writer, WIRE_INFO, payload, (size_t)(at - payload), 0)) {
        count_dropped_record();
    }
}

void hook_mark(const char *name)
{
    struct thread *const thread = agent_is_recording() ? this_thread() : NULL;
    if (thread == NULL) {
        return;
    }
    const uint64_t now = agent_now();
    uint8_t tail[10];
    graph_begin(&thread->writer);
    const uint32_t id = graph_text(name, strlen(name));
    graph_end();
    if (id == 0 || !write_event(thread, WIRE_MARK, now, tail, (size_t)(put_varint(tail, id) - tail))) {
        count_dropped_record();
    }
}

/* --- setting it --- */

static void add_text(const char *word, size_t copies)
{
    const size_t used = strlen(hooks.text);
    const size_t n = strlen(word);
    if (used + n + 8 < sizeof hooks.text) {
        char *at = hooks.text + used;
        if (used > 0) {
            *at++ = ' ';
        }
        memcpy(at, word, n);
        at += n;
        *at++ = '*';
        *at++ = (char)('0' + copies % 10);
        *at = '\0';
    }
}

static bool is_hooked(const uint8_t *code)
{
    for (size_t i = 0; i < hooks.count; i++) {
        if (hooks.list[i].code == code) {
            return true;
        }
    }
    return false;
}

/* `is_rescan`: the compiler was replaced, so what is new is what it runs now. */
static bool install_target(const struct julia_target *target, bool is_rescan, const char **reason)
{
    struct compiled_copy copies[HOOKS_MAX];
    const size_t n = find_copies(target, copies, HOOKS_MAX);

    if (n == 0) {
        *reason = "the compiler has no native code in this system image";
        return false;
    }
    for (size_t i = 0; i < n && hooks.count < HOOKS_MAX; i++) {
        struct hook *const hook = &hooks.list[hooks.count];
        if (is_hooked(copies[i].code)) {
            continue;
        }
        hook->code = copies[i].code;
        hook->kind = target->kind;
        hook->frame_register = target->frame_register;
        hook->is_tooling = copies[i].is_tooling && !is_rescan;
        if (!patch_install(hook, reason)) {
            return false;
        }
        hooks.count++;
    }
    function_start_prepare(copies[0].code);
    add_text(target->function, n);
    return true;
}

static void find_entrances(void)
{
    for (size_t i = 0; i < sizeof julia.row->entrances / sizeof julia.row->entrances[0]; i++) {
        struct compiled_copy copies[HOOKS_MAX];
        const struct julia_target target = {.function = julia.row->entrances[i]};
        const size_t n = target.function == NULL ? 0 : find_copies(&target, copies, HOOKS_MAX);
        for (size_t k = 0; k < n && hooks.n_entrances < ENTRANCES_MAX; k++) {
            hooks.entrances[hooks.n_entrances++] = copies[k].code;
        }
    }
}

bool hook_install(const char **reason)
{
    const bool is_rescan = hooks.count > 0;
    hooks.n_entrances = 0;
    find_entrances();
    graph_prepare();
    for (size_t i = 0; i < TARGETS_MAX && julia.row->targets[i].kind != TARGET_NONE; i++) {
        if (!install_target(&julia.row->targets[i], is_rescan, reason)) {
            return false;
        }
    }
    return true;
}

const char *hook_text(void)
{
    return hooks.text;
}

bool hook_is_in_place(void)
{
    for (size_t i = 0; i < hooks.count; i++) {
        if (!patch_is_in_place(&hooks.list[i])) {
            return false;
        }
    }
    return true;
}
