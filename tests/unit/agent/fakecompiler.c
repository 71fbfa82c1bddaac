// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include "fakecompiler.h"

#include <pthread.h>
#include <time.h>

#include "agent/machine/entry.h"
#include "fakejulia.h"

static uint64_t now_ns = 1000000000;

int clock_gettime(clockid_t clock, struct timespec *ts)
{
    (void)clock;
    ts->tv_sec = (time_t)(now_ns / 1000000000);
    ts->tv_nsec = (long)(now_ns % 1000000000);
    return 0;
}

enum { FRAME_REGISTER = 2 };

struct state states[STATES_MAX];
void *stack_data[STATES_MAX];
struct array callstack = {stack_data, 0};
struct array no_callstack = {NULL, 0};

// The stack of the task: calls go from high to low.
char fake_task;
static uintptr_t cells[64];
static struct gc_frame roots = {2, NULL};

struct hook loop = {.kind = TARGET_LOOP, .frame_register = FRAME_REGISTER};
struct hook step_hook = {.kind = TARGET_STEP, .frame_register = FRAME_REGISTER};
struct hook optimize = {.kind = TARGET_STEP_OF_RESULT, .frame_register = FRAME_REGISTER};
struct hook finish_hook = {.kind = TARGET_FINISH, .frame_register = FRAME_REGISTER};
struct hook finish_cycle = {.kind = TARGET_FINISH_CYCLE, .frame_register = FRAME_REGISTER};
struct hook semiconcrete = {.kind = TARGET_SEMICONCRETE, .frame_register = FRAME_REGISTER};
struct hook entrance = {.kind = TARGET_ENTRANCE, .frame_register = FRAME_REGISTER};

static uintptr_t sp_of(int depth)
{
    return (uintptr_t)&cells[60 - depth];
}

void pass(uint64_t ns)
{
    now_ns += ns;
}

void call(struct hook *hook, int depth, void *argument, uint64_t next)
{
    void *registers[REGISTERS] = {0};
    registers[FRAME_REGISTER] = argument;
    registers[FRAME_REGISTER + 1] = (void *)(uintptr_t)next;
    agent_frame_begin(registers, hook, sp_of(depth));
}

void leave(const struct hook *hook, int depth)
{
    agent_frame_end(1, hook, sp_of(depth));
}

void begin_typeinf(int depth, int n)
{
    call(&loop, depth, &states[n], 0);
}

void end_typeinf(int depth)
{
    leave(&loop, depth);
}

void step(int depth, int n, uint64_t ns)
{
    call(&step_hook, depth, &states[n], 0);
    pass(ns);
    leave(&step_hook, depth);
}

void finish(int depth, int n, uint64_t ns)
{
    call(&finish_hook, depth, &states[n], 0);
    pass(ns);
    leave(&finish_hook, depth);
}

void push(int n, int parent)
{
    stack_data[callstack.length++] = &states[n];
    states[n].parentid = 0;
    for (size_t i = 0; i < callstack.length; i++) {
        if (parent != 0 && stack_data[i] == &states[parent]) {
            states[n].parentid = i + 1;
        }
    }
}

void pop(void)
{
    callstack.length--;
}

int set_up(void **state)
{
    static char folder[64];

    fake_row = (struct julia_row){.takes_turns = true, .inference_may_switch = true};
    fake_begin(folder);
    julia.at.frame_callstack = offsetof(struct state, callstack);
    julia.at.frame_parentid = offsetof(struct state, parentid);
    julia.at.irsv_callstack = offsetof(struct state, callstack);
    julia.at.irsv_parentid = offsetof(struct state, parentid);
    julia.at.frame_result = offsetof(struct state, result_of);
    callstack.length = 0;
    for (uint32_t n = 0; n < STATES_MAX; n++) {
        states[n] = (struct state){.n = n, .callstack = &callstack, .result_of = &states[n].result};
    }
    *state = folder;
    return 0;
}

static void *start(void *argument)
{
    void (*const *const play)(void) = argument;

    fake_current_task = &fake_task;
    fake_gc_stack = &roots;
    (*play)();
    return NULL;
}

void apart(void (*play)(void))
{
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, start, &play), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int tear_down(void **state)
{
    fake_end(*state);
    return 0;
}
