// SPDX-License-Identifier: MIT
//
// From calls that work on frames to BEGIN, RUN and END.

#include "hook/turns.h"

#include "julia/julia.h"
#include "record/describe.h"
#include "record/results.h"

/* The entry (index + 1) of the open frame that the compiler knows as `state`; 0: it is not open. A turn is mostly that of a frame near to
 * the one that runs. */
static uint32_t find_frame(const struct task *task, jl_any state)
{
    const uint32_t near = task->running == NOT_KNOWN ? task->depth : task->running;

    for (uint32_t entry = near; entry > 0; entry--) {
        if (task->frames[entry - 1].state == state) {
            return entry;
        }
    }
    for (uint32_t entry = task->depth; entry > near; entry--) {
        if (task->frames[entry - 1].state == state) {
            return entry;
        }
    }
    return 0;
}

static uint32_t find_frame_of_result(const struct task *task, jl_any result)
{
    for (uint32_t entry = task->depth; entry > 0; entry--) {
        const struct open_frame *const open = &task->frames[entry - 1];
        if (open->kind != OPEN_FRAME || open->loop == 0) {
            break; /* what lies below is not worked on now */
        }
        if (load_ptr(open->state, julia.at.frame_result) == result) {
            return entry;
        }
    }
    return 0;
}

/* What runs, or the innermost frame if that is not known. */
static uint32_t running(const struct task *task)
{
    uint32_t entry = task->running;

    if (entry == NOT_KNOWN) {
        entry = task->depth;
        while (entry > 0 && task->frames[entry - 1].kind != OPEN_FRAME) {
            entry--;
        }
    }
    return entry;
}

/* The frame that a new one is inferred for: by the compiler's stack, else the one that runs. That is the one for which inference was entered
 * anew. */
static uint32_t parent_of(const struct task *task, jl_any stack, uint64_t parent_id)
{
    const uint32_t entry = parent_id == 0 || parent_id > array_length(stack)
                               ? 0
                               : find_frame(task, ((jl_any *)array_data(stack))[parent_id - 1]);
    return entry == 0 ? running(task) : entry;
}

/* Opens the frame `state`: of the innermost loop, or (sp is not 0) of the call that runs it. */
static bool open_frame(struct thread *thread, struct task *task, const struct hook *hook,
                       jl_any state, uint64_t flags, uintptr_t sp, uint64_t now)
{
    const bool is_semiconcrete = hook->kind == TARGET_SEMICONCRETE;
    const enum target_kind kind = is_semiconcrete ? TARGET_SEMICONCRETE : TARGET_TYPEINF;
    struct description description;

    if (frames_count(task) > 0) {
        jl_any const stack =
            load_ptr(state, is_semiconcrete ? julia.at.irsv_callstack : julia.at.frame_callstack);
        const uint64_t id =
            load_u64(state, is_semiconcrete ? julia.at.irsv_parentid : julia.at.frame_parentid);
        frames_run(thread, task, parent_of(task, stack, id), now);
    }
    if (!describe_frame(thread, kind, state, flags, &description) ||
        !frames_open(thread, task, sp, description.tail, description.size, now)) {
        return false;
    }
    struct open_frame *const open = &task->frames[task->depth - 1];
    open->is_tooling = (flags & WIRE_FLAG_TOOLING) != 0;
    open->state = state;
    open->result_of = description.result_of;
    return true;
}

/* Lets the frame run; opens it if this is its first turn. False when it could not be written. */
static bool let_run(struct thread *thread, struct task *task, const struct hook *hook, jl_any state,
                    uint64_t flags, uint64_t now)
{
    const uint32_t entry = find_frame(task, state);

    if (entry == 0) {
        return open_frame(thread, task, hook, state, flags, 0, now);
    }
    frames_run(thread, task, entry, now);
    return true;
}

/* Flags of what begins within what is innermost. */
static uint64_t inherited_flags(const struct task *task)
{
    return task->depth > 0 && task->frames[task->depth - 1].is_tooling ? WIRE_FLAG_TOOLING : 0;
}

static bool enter_loop(struct thread *thread, struct task *task, const struct hook *hook,
                       jl_any state, uintptr_t sp, uint64_t now)
{
    const bool is_nested = frames_count(task) > 0 && frames_at_entrance(task);
    const bool is_tooling = hook->is_tooling || frames_at_tool(task, is_nested);

    return frames_enter(thread, task, OPEN_LOOP, sp, is_tooling) &&
           let_run(thread, task, hook, state,
                   (is_nested ? WIRE_FLAG_NESTED : 0) | (is_tooling ? WIRE_FLAG_TOOLING : 0), now);
}

/* The frames of a cycle, from `first` (index + 1) on, will end when the call at `sp` returns. The first one runs. */
static void begin_end_of_cycle(struct thread *thread, struct task *task, jl_any stack,
                               uint64_t first, uintptr_t sp, uint64_t now)
{
    const struct open_frame *const open = &task->frames[task->depth - 1];

    if (open->kind != OPEN_FRAME || stack != load_ptr(open->state, julia.at.frame_callstack)) {
        return;
    }
    for (uint64_t i = first; i > 0 && i <= array_length(stack); i++) {
        const uint32_t entry = find_frame(task, ((jl_any *)array_data(stack))[i - 1]);
        if (entry != 0) {
            task->frames[entry - 1].finish_sp = sp;
            task->frames[entry - 1].is_in_cycle = i > first;
        }
        if (i == first) {
            frames_run(thread, task, entry, now);
        }
    }
}

bool turns_runs_already(const struct thread *thread, const struct hook *hook,
                        void *const *registers)
{
    const struct task *const task = thread->task;

    if (hook->kind != TARGET_STEP || task == NULL || task->task != julia.get_current_task() ||
        task->running == NOT_KNOWN || task->running == NOBODY_RUNS) {
        return false;
    }
    const struct open_frame *const open = &task->frames[task->running - 1];
    return open->loop != 0 && open->state == registers[hook->frame_register];
}

void turns_begin(struct thread *thread, struct task *task, const struct hook *hook,
                 void *const *registers, uintptr_t sp, uint64_t now)
{
    jl_any state = registers[hook->frame_register];
    bool is_written = true;

    if (hook->kind == TARGET_LOOP) {
        is_written = enter_loop(thread, task, hook, state, sp, now);
    } else if (hook->kind == TARGET_SEMICONCRETE) {
        is_written =
            open_frame(thread, task, hook, state,
                       inherited_flags(task) | (hook->is_tooling ? WIRE_FLAG_TOOLING : 0), sp, now);
    } else if (task->depth == 0 || task->frames[task->depth - 1].loop == 0) {
        return; /* called by what is no loop */
    } else if (hook->kind == TARGET_STEP_OF_RESULT) {
        frames_run(thread, task, find_frame_of_result(task, state), now);
    } else if (hook->kind == TARGET_FINISH_CYCLE) {
        const uint64_t first = (uint64_t)(uintptr_t)registers[hook->frame_register + 1];
        begin_end_of_cycle(thread, task, state, first, sp, now);
    } else {
        is_written = let_run(thread, task, hook, state, inherited_flags(task), now);
        const uint32_t entry = hook->kind == TARGET_FINISH ? find_frame(task, state) : 0;
        if (entry != 0) {
            task->frames[entry - 1].finish_sp = sp;
        }
    }
    if (!is_written) {
        (void)__atomic_fetch_add(&segment_header()->dropped_frames, 1, __ATOMIC_RELAXED);
    }
}

static void close_frame(struct thread *thread, struct task *task, bool is_in_cycle, uint64_t now)
{
    uint8_t tail[10];
    const uint8_t *const end = put_varint(tail, is_in_cycle ? WIRE_FLAG_CYCLE : 0);
    const uint32_t result_of = task->frames[task->depth - 1].result_of;
    frames_close(thread, task, tail, (size_t)(end - tail), now);
    results_write(thread, result_of, frames_count(task), true); /* all of a cycle end together */
}

/* Closes the loop at `sp`, and the frames that nobody finished: the work on them was given up in a cycle. */
static void leave_loop(struct thread *thread, struct task *task, uintptr_t sp, uint64_t now)
{
    const uint32_t loop = task->depth == 0 ? 0 : task->frames[task->depth - 1].loop;

    if (loop == 0 || task->frames[loop - 1].sp != sp) {
        return; /* its begin was not recorded */
    }
    while (task->depth > loop) {
        close_frame(thread, task, true, now);
    }
    const uint32_t runs = task->frames[loop - 1].parent;
    task->depth--;
    if (runs != NOT_KNOWN) {
        frames_run(thread, task, runs, now);
    }
}

void turns_end(struct thread *thread, struct task *task, const struct hook *hook, uintptr_t sp,
               uint64_t now)
{
    struct open_frame *const innermost = task->depth == 0 ? NULL : &task->frames[task->depth - 1];

    if (hook->kind == TARGET_LOOP) {
        leave_loop(thread, task, sp, now);
    } else if (hook->kind == TARGET_SEMICONCRETE) {
        if (innermost != NULL && innermost->kind == OPEN_FRAME && innermost->loop == 0 &&
            innermost->sp == sp) {
            close_frame(thread, task, false, now);
        }
    } else {
        while (task->depth > 0 && task->frames[task->depth - 1].finish_sp == sp) {
            close_frame(thread, task, task->frames[task->depth - 1].is_in_cycle, now);
        }
    }
}
