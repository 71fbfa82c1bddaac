// SPDX-License-Identifier: MIT
// A turn may be left by a longjmp at any instruction: before each access to memory that the agent makes, it is once.
#include "tests/unit/cmocka_all.h"

#include <setjmp.h>
#include <snoopi/trace.h>

#include "accesses.h"
#include "fakecompiler.h"
#include "fakejulia.h"

static sigjmp_buf landing;
static bool is_done; // fewer accesses are left than were asked for

static void jump(void)
{
    siglongjmp(landing, 1);
}

// A generator, for which a cycle is inferred and two frames of that.
static void infer_a_generator(void)
{
    static void *data[STATES_MAX];
    static struct array stack = {data, 0};

    for (uint32_t n = 4; n <= 7; n++) {
        states[n].callstack = &stack;
        states[n].parentid = n == 7 ? 1 : n - 4;
        data[n - 4] = &states[n];
    }
    call(&entrance, 5, NULL, 0);
    begin_typeinf(6, 4);
    stack.length = 3;
    step(7, 4, 1);
    step(7, 5, 1);
    step(7, 6, 1);
    step(7, 4, 1);
    stack.length = 4;
    step(7, 7, 1);
    finish(7, 7, 1);
    stack.length = 3;
    step(7, 6, 1);
    step(7, 5, 1);
    call(&finish_cycle, 7, &stack, 1);
    for (int n = 4; n <= 6; n++) {
        step(8, n, 1);
    }
    leave(&finish_cycle, 7);
    end_typeinf(6);
    leave(&entrance, 5);
}

// A root in whose turn that is left before the n-th access, and which then goes on.
static void play_left(uint64_t n)
{
    callstack.length = 0;
    push(1, 0);
    begin_typeinf(1, 1);
    call(&step_hook, 2, &states[1], 0);
    if (sigsetjmp(landing, 0) == 0) {
        (void)accesses_until(n, jump);
        infer_a_generator();
        is_done = accesses_until(0, NULL) > 0;
    }
    pass(1);
    leave(&step_hook, 2);
    push(2, 1);
    step(2, 2, 1);
    push(3, 2);
    step(2, 3, 1);
    finish(2, 3, 1);
    pop();
    step(2, 2, 1);
    finish(2, 2, 1);
    pop();
    finish(2, 1, 1);
    end_typeinf(1);
}

static uint64_t n_left;

static void play_a_turn_may_be_left_before_each_access(void)
{
    is_done = false;
    for (n_left = 0; !is_done; n_left++) {
        play_left(n_left + 1);
    }
    print_message("left before each of %lu accesses\n", (unsigned long)n_left - 1);
}

static void check_left(snoopi_walk *walk, snoopi_trace *trace)
{
    static const uint32_t parent_of[] = {0, 0, 1, 2, 1, 4, 5, 4};
    uint32_t number[64]; // by depth
    uint64_t count[8] = {0};
    snoopi_frame frame;

    while (snoopi_walk_next(walk, &frame, NULL) == 1) {
        const uint32_t n = (uint32_t)snoopi_trace_instance(trace, frame.instance)->line;
        assert_in_range(n, 1, 7);
        assert_in_range(frame.depth, 0, 63);
        number[frame.depth] = n;
        if ((frame.depth == 0 ? 0 : number[frame.depth - 1]) != parent_of[n]) {
            fail_msg("frame %u below %u", n, frame.depth == 0 ? 0 : number[frame.depth - 1]);
        }
        if (n <= 3 && (frame.flags & ~(uint32_t)SNOOPI_FRAME_TOPLEVEL) != 0) {
            fail_msg("frame %u has flags %x", n, frame.flags);
        }
        count[n]++;
    }
    for (int n = 1; n <= 3; n++) {
        assert_int_equal(count[n], n_left);
    }
    for (int n = 4; n <= 7; n++) {
        assert_in_range(count[n], 1, n_left);
    }
}

static void a_turn_may_be_left_before_each_access(void **state)
{
    snoopi_trace *trace = NULL;
    snoopi_walk *walk = NULL;

    apart(play_a_turn_may_be_left_before_each_access);
    assert_true(n_left > 100); // else they are not told
    fake_open(*state, &trace, &walk);
    check_left(walk, trace);
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_turn_may_be_left_before_each_access, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
