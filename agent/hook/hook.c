// SPDX-License-Identifier: MIT
//
// What runs at each begin and end of a frame, and at the other moments that are events. The budget
// is about two microseconds a frame; most of it goes to four looks at the clock and to the caches
// that the compiler has just used.

#include "hook/hook.h"

#include <errno.h>
#include <string.h>

#include "agent.h"
#include "hook/install.h"
#include "hook/turns.h"
#include "julia/julia.h"
#include "machine/entry.h"
#include "record/describe.h"
#include "record/frames.h"
#include "record/graph.h"
#include "record/results.h"
#include "record/segment_writer.h"
#include "record/stacks.h"

RARELY static void count_dropped_frame(void)
{
    (void)__atomic_fetch_add(&segment_header()->dropped_frames, 1, __ATOMIC_RELAXED);
}

/* What is written before the BEGIN of a root. */
RARELY static void begin_root(struct thread *thread, void *const *registers, uintptr_t sp,
                              uint64_t now)
{
    const struct unwind_place call = {.at = sp,
                                      .stack = (uintptr_t)registers[REGISTER_STACK_POINTER],
                                      .frame = (uintptr_t)registers[REGISTER_FRAME_POINTER]};
    describe_line(thread);
    stacks_write(thread, call, now);
    segment_header()->world_end = julia.get_world_counter();
}

static bool takes_turns(const struct hook *hook)
{
    return hook->kind >= TARGET_LOOP ||
           (hook->kind == TARGET_SEMICONCRETE && julia.row->takes_turns);
}

/* Whether a tool enters here: what is called in the compiler's world tells it by the function that it calls. */
static bool is_entrance_of_tool(const struct task *task, const struct hook *hook,
                                void *const *registers)
{
    if (hook->kind == TARGET_WORLD_CALL) {
        return *(jl_any *)registers[hook->frame_register] != julia.return_type_function;
    }
    return hook->kind == TARGET_QUERY && frames_at_entrance(task) &&
           task->frames[task->depth - 1].is_tooling;
}

static void begin_frame(struct thread *thread, struct hook *hook, void *const *registers,
                        uintptr_t sp, uint64_t now)
{
    jl_any const frame = registers[hook->frame_register];
    struct description description;
    if (!hook->is_tried) {
        if (!describe_is_frame(hook->kind, frame)) {
            agent_turn_off(julia_reason("the first frame did not look as one should"));
            return;
        }
        hook->is_tried = true;
    }
    describe_expect(hook->kind, frame);
    struct task *const task = frames_task(thread, now);

    if (task == NULL) {
        count_dropped_frame();
        return;
    }
    frames_sweep(thread, task, sp, now);
    if (target_is_entrance(hook->kind)) {
        (void)frames_enter(thread, task, OPEN_ENTRANCE, sp,
                           hook->is_tooling || is_entrance_of_tool(task, hook, registers));
        return;
    }
    if (frames_count(task) == 0 && hook->kind <= TARGET_LOOP) {
        begin_root(thread, registers, sp, now);
    }
    if (takes_turns(hook)) {
        turns_begin(thread, task, hook, registers, sp, now);
        return;
    }
    const bool is_nested =
        frames_count(task) > 0 && (frames_at_entrance(task) || hook_is_entrance(thread, sp));
    const uint64_t flags =
        (is_nested ? WIRE_FLAG_NESTED : 0) |
        (hook->is_tooling || frames_at_tool(task, is_nested) ? WIRE_FLAG_TOOLING : 0);
    if (!describe_frame(thread, hook->kind, frame, flags, &description) ||
        !frames_open(thread, task, sp, description.tail, description.size, now)) {
        count_dropped_frame();
        return;
    }
    struct open_frame *const open = &task->frames[task->depth - 1];
    open->is_tooling = (flags & WIRE_FLAG_TOOLING) != 0;
    open->result_of = description.result_of;
}

static void end_frame(struct thread *thread, const struct hook *hook, bool is_finished,
                      uintptr_t sp, uint64_t now)
{
    struct task *const task = frames_task(thread, now);
    uint8_t tail[10];

    if (task == NULL) {
        return;
    }
    if (task->depth == 0 || task->frames[task->depth - 1].sp != sp) {
        frames_sweep(thread, task, sp - 1, now);
    }
    if (takes_turns(hook)) {
        turns_end(thread, task, hook, sp, now);
        if (hook->kind == TARGET_LOOP && frames_count(task) == 0) {
            stacks_look_up(thread);
        }
        return;
    }
    if (task->depth == 0 || task->frames[task->depth - 1].sp != sp) {
        return; /* its begin was not recorded */
    }
    if (target_is_entrance(hook->kind)) {
        task->depth--;
        return;
    }
    const uint64_t flags = hook->kind == TARGET_TYPEINF && !is_finished ? WIRE_FLAG_CYCLE : 0;
    const uint32_t result_of = task->frames[task->depth - 1].result_of;
    frames_close(thread, task, tail, (size_t)(put_varint(tail, flags) - tail), now);
    results_write(thread, result_of, frames_count(task), flags == 0);
    if (frames_count(task) == 0) {
        stacks_look_up(thread);
    }
}

void agent_frame_begin(void *const *registers, struct hook *hook, uintptr_t sp)
{
    if (!agent_is_recording()) {
        return;
    }
    const int saved_errno = errno;
    struct thread *const thread = frames_thread();
    if (thread != NULL && turns_runs_already(thread, hook, registers)) {
        return;
    }
    const uint64_t now = agent_now();
    if (thread == NULL) {
        count_dropped_frame();
    } else if (thread->own_since_ns == 0) {
        begin_frame(thread, hook, registers, sp, now);
        thread->tool_ns += agent_now() - now;
    }
    errno = saved_errno;
}

void agent_frame_end(uintptr_t result, const struct hook *hook, uintptr_t sp)
{
    if (hook->kind == TARGET_STEP || hook->kind == TARGET_STEP_OF_RESULT || !agent_is_recording()) {
        return;
    }
    const uint64_t now = agent_now();
    const int saved_errno = errno;
    struct thread *const thread = frames_thread();
    if (thread != NULL && thread->own_since_ns == 0) {
        end_frame(thread, hook, (result & 0xff) != 0, sp, now);
        thread->tool_ns += agent_now() - now;
    }
    errno = saved_errno;
}

void hook_gc_begin(int full)
{
    (void)full;
    struct thread *const thread = agent_is_recording() ? frames_thread() : NULL;
    if (thread != NULL) {
        thread->gc_begin_ns = agent_now();
    }
}

void hook_gc_end(int full)
{
    (void)full;
    struct thread *const thread = agent_is_recording() ? frames_thread() : NULL;
    if (thread != NULL && thread->gc_begin_ns != 0) {
        const uint64_t now = agent_now();
        uint8_t tail[10];
        const size_t size = (size_t)(put_varint(tail, now - thread->gc_begin_ns) - tail);
        thread->gc_begin_ns = 0;
        if (!frames_event(thread, WIRE_GC, now, tail, size)) {
            frames_count_lost();
        }
    }
}

void hook_process_end(void)
{
    struct thread *const thread = agent_is_recording() ? frames_thread() : NULL;
    if (thread == NULL) {
        return;
    }
    const uint64_t now = agent_now();
    if (thread->task != NULL) {
        /* This very frame of C lies below every frame that is still running. */
        frames_sweep(thread, thread->task, (uintptr_t)__builtin_frame_address(0), now);
    }
    if (!frames_event(thread, WIRE_CLOSE, now, NULL, 0)) {
        frames_count_lost();
    }
}

void hook_info(const char *key, const char *value, uint64_t size)
{
    struct thread *const thread = frames_thread();
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
        frames_count_lost();
    }
}

uint64_t hook_mark(const char *name)
{
    struct thread *const thread = agent_is_recording() ? frames_thread() : NULL;
    if (thread == NULL) {
        return 0;
    }
    const uint64_t now = agent_now();
    uint8_t tail[10];
    graph_begin(&thread->writer);
    const uint32_t id = graph_text(name, strlen(name));
    graph_end();
    if (id == 0 ||
        !frames_event(thread, WIRE_MARK, now, tail, (size_t)(put_varint(tail, id) - tail))) {
        frames_count_lost();
    }
    thread->tool_ns += agent_now() - now;
    return now;
}

void hook_own(bool is_own)
{
    struct thread *const thread = segment_header() == NULL ? NULL : frames_thread();
    if (thread == NULL) {
        return;
    }
    if (thread->own_since_ns != 0) {
        thread->tool_ns += agent_now() - thread->own_since_ns;
    }
    thread->own_since_ns = is_own ? agent_now() : 0;
}
