// SPDX-License-Identifier: MIT
// Frames that take turns: what is recorded of a compiler that works on them is packed.
#include "tests/unit/cmocka_all.h"

#include <snoopi/trace.h>
#include <string.h>

#include "fakecompiler.h"
#include "fakejulia.h"

struct expected {
    uint32_t n;
    uint32_t depth;
    uint64_t self_ns;
    uint32_t flags;
};

static void compare(void **state, const struct expected *expected, size_t n_expected)
{
    snoopi_error err = {0};
    snoopi_trace *trace = NULL;
    snoopi_walk *walk = NULL;
    snoopi_frame frame;
    size_t n = 0;
    uint64_t self_sum = 0;
    uint64_t total_sum = 0;

    fake_open(*state, &trace, &walk);
    while (snoopi_walk_next(walk, &frame, &err) == 1) {
        const uint32_t is = (uint32_t)snoopi_trace_instance(trace, frame.instance)->line;
        const uint32_t flags = frame.flags & ~(uint32_t)SNOOPI_FRAME_TOPLEVEL;
        if (n >= n_expected || is != expected[n].n || frame.depth != expected[n].depth ||
            frame.self_ns != expected[n].self_ns || flags != expected[n].flags) {
            fail_msg("frame %zu: %u at depth %u, %lu ns, flags %x", n, is, frame.depth,
                     (unsigned long)frame.self_ns, flags);
        }
        self_sum += frame.self_ns;
        total_sum += frame.depth == 0 ? frame.total_ns : 0;
        n++;
    }
    assert_int_equal(n, n_expected);
    assert_int_equal(self_sum, total_sum);
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
}
#define COMPARE(expected) compare(state, expected, sizeof(expected) / sizeof((expected)[0]))

// --- tests ---

static void play_one_loop_works_on_a_tree(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    pass(1); // the loop's own
    step(2, 1, 10);
    push(2, 1);
    pass(1); // and what it does between turns is that of the frame before
    step(2, 2, 20);
    push(3, 2);
    step(2, 3, 40);
    finish(2, 3, 1000);
    pop();
    step(2, 2, 80);
    finish(2, 2, 2000);
    pop();
    step(2, 1, 160);
    finish(2, 1, 4000);
    pop();
    end_typeinf(1);
    begin_typeinf(1, 4);
    step(2, 4, 5);
    finish(2, 4, 6);
    end_typeinf(1);
}

static void one_loop_works_on_a_tree(void **state)
{
    apart(play_one_loop_works_on_a_tree);
    const struct expected expected[] = {
        {1, 0, 1 + 10 + 1 + 160 + 4000, 0},
        {2, 1, 20 + 80 + 2000, 0},
        {3, 2, 40 + 1000, 0},
        {4, 0, 11, 0},
    };
    COMPARE(expected);
}

static void play_frames_that_wait_have_the_parent_that_asked_for_them(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    step(2, 1, 1);
    push(2, 1);
    push(3, 1);
    step(2, 3, 10); // the last one comes first
    push(4, 3);
    step(2, 4, 20);
    finish(2, 4, 100);
    pop();
    finish(2, 3, 200);
    pop();
    step(2, 2, 40);
    finish(2, 2, 400);
    pop();
    finish(2, 1, 800);
    end_typeinf(1);
}

static void frames_that_wait_have_the_parent_that_asked_for_them(void **state)
{
    apart(play_frames_that_wait_have_the_parent_that_asked_for_them);
    const struct expected expected[] = {
        {1, 0, 801, 0},
        {3, 1, 210, 0},
        {4, 2, 120, 0},
        {2, 1, 440, 0},
    };
    COMPARE(expected);
}

// The compiler finishes a cycle in one call: first each of its frames, then what it optimized of each.
static void end_cycle(int depth, int first, const int *members, int n)
{
    call(&finish_cycle, depth, &callstack, (uint64_t)first);
    pass(1); // that of the topmost
    for (int i = 0; i < n; i++) {
        step(depth + 1, members[i], 100);
    }
    for (int i = 0; i < n; i++) {
        call(&optimize, depth + 1, &states[members[i]].result, 0);
        pass(1000);
        leave(&optimize, depth + 1);
    }
    leave(&finish_cycle, depth);
    callstack.length = (size_t)first - 1;
}

static void play_a_cycle_of_two_stands_the_right_way_up(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    step(2, 1, 1);
    push(2, 1);
    step(2, 2, 10);
    push(3, 2);
    step(2, 3, 20); // calls 2 again
    step(2, 2, 40);
    step(2, 3, 80);
    step(2, 2, 160);
    end_cycle(2, 2, (const int[]){2, 3}, 2);
    step(2, 1, 2);
    finish(2, 1, 4);
    end_typeinf(1);
}

static void a_cycle_of_two_stands_the_right_way_up(void **state)
{
    apart(play_a_cycle_of_two_stands_the_right_way_up);
    const struct expected expected[] = {
        {1, 0, 7, 0},
        {2, 1, 10 + 40 + 160 + 1 + 1100, 0},
        {3, 2, 20 + 80 + 1100, SNOOPI_FRAME_CYCLE},
    };
    COMPARE(expected);
}

static void play_a_cycle_of_three_and_what_its_frames_call(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    step(2, 1, 1);
    push(2, 1);
    step(2, 2, 2);
    push(3, 2);
    step(2, 3, 4); // calls 1
    step(2, 2, 8);
    step(2, 1, 16);
    push(4, 1); // is of 1, though 2 and 3 are open
    step(2, 4, 32);
    finish(2, 4, 64);
    pop();
    step(2, 3, 128);
    push(5, 2); // is of 2, which does not run now
    step(2, 5, 256);
    push(6, 5);
    step(2, 6, 512);
    finish(2, 6, 1024);
    pop();
    finish(2, 5, 2048);
    pop();
    end_cycle(2, 1, (const int[]){1, 2, 3}, 3);
    end_typeinf(1);
}

static void a_cycle_of_three_and_what_its_frames_call(void **state)
{
    apart(play_a_cycle_of_three_and_what_its_frames_call);
    const struct expected expected[] = {
        {1, 0, 1 + 16 + 1 + 1100, 0},
        {2, 1, 2 + 8 + 1100, SNOOPI_FRAME_CYCLE},
        {3, 2, 4 + 128 + 1100, SNOOPI_FRAME_CYCLE},
        {5, 2, 256 + 2048, 0},
        {6, 3, 512 + 1024, 0},
        {4, 1, 32 + 64, 0},
    };
    COMPARE(expected);
}

static void play_a_loop_inside_a_turn_is_of_the_frame_whose_turn_it_is(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    call(&step_hook, 2, &states[1], 0);
    pass(1);
    push(2, 1); // constant propagation
    begin_typeinf(5, 2);
    step(6, 2, 10);
    finish(6, 2, 20);
    pop();
    end_typeinf(5);
    pass(2);
    push(3, 1); // and once more, but it hits a cycle
    begin_typeinf(5, 3);
    step(6, 3, 40);
    end_typeinf(5);
    pop();
    pass(4);
    states[4].callstack = &no_callstack; // a generator
    call(&entrance, 5, NULL, 0);
    pass(8); // that of 1, as all is that is no frame
    begin_typeinf(6, 4);
    step(7, 4, 80);
    finish(7, 4, 160);
    end_typeinf(6);
    leave(&entrance, 5);
    pass(16);
    leave(&step_hook, 2);
    finish(2, 1, 32);
    end_typeinf(1);
}

static void a_loop_inside_a_turn_is_of_the_frame_whose_turn_it_is(void **state)
{
    apart(play_a_loop_inside_a_turn_is_of_the_frame_whose_turn_it_is);
    const struct expected expected[] = {
        {1, 0, 1 + 2 + 4 + 8 + 16 + 32, 0},
        {2, 1, 30, 0},
        {3, 1, 40, SNOOPI_FRAME_CYCLE},
        {4, 1, 240, SNOOPI_FRAME_NESTED},
    };
    COMPARE(expected);
}

static void play_after_a_loop_goes_on_what_ran_before_it(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    step(2, 1, 1);
    push(2, 1);
    call(&step_hook, 2, &states[2], 0);
    pass(10);
    push(3, 1); // inferred for 1, though it is the turn of 2
    begin_typeinf(5, 3);
    step(6, 3, 20);
    finish(6, 3, 40);
    pop();
    end_typeinf(5);
    pass(80);
    leave(&step_hook, 2);
    finish(2, 2, 160);
    pop();
    finish(2, 1, 2);
    end_typeinf(1);
}

static void after_a_loop_goes_on_what_ran_before_it(void **state)
{
    apart(play_after_a_loop_goes_on_what_ran_before_it);
    const struct expected expected[] = {
        {1, 0, 3, 0},
        {2, 1, 10 + 80 + 160, 0},
        {3, 1, 60, 0},
    };
    COMPARE(expected);
}

static void play_semi_concrete_evaluation_is_a_call(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    call(&step_hook, 2, &states[1], 0);
    pass(1);
    push(2, 1);
    call(&semiconcrete, 5, &states[2], 0);
    pass(10);
    push(3, 2);
    call(&semiconcrete, 8, &states[3], 0);
    pass(20);
    leave(&semiconcrete, 8);
    pop();
    push(4, 2); // asks for the inference of a call
    begin_typeinf(8, 4);
    step(9, 4, 40);
    finish(9, 4, 80);
    pop();
    end_typeinf(8);
    pass(160);
    leave(&semiconcrete, 5);
    pop();
    pass(2);
    leave(&step_hook, 2);
    finish(2, 1, 4);
    end_typeinf(1);
}

static void semi_concrete_evaluation_is_a_call(void **state)
{
    apart(play_semi_concrete_evaluation_is_a_call);
    const struct expected expected[] = {
        {1, 0, 7, 0},
        {2, 1, 170, 0},
        {3, 2, 20, 0},
        {4, 2, 120, 0},
    };
    COMPARE(expected);
}

static void play_calls_outside_a_loop_are_nobodys(void)
{
    step(2, 1, 1); // code_typed optimizes what it inferred itself
    finish(2, 1, 1);
    call(&finish_cycle, 2, &callstack, 1);
    leave(&finish_cycle, 2);
    push(2, 0);
    begin_typeinf(1, 2);
    call(&step_hook, 2, &states[2], 0);
    pass(2);
    call(&entrance, 5, NULL, 0);
    step(6, 3, 4);
    leave(&entrance, 5);
    leave(&step_hook, 2);
    finish(2, 2, 8);
    end_typeinf(1);
}

static void calls_outside_a_loop_are_nobodys(void **state)
{
    apart(play_calls_outside_a_loop_are_nobodys);
    const struct expected expected[] = {{2, 0, 14, 0}};
    COMPARE(expected);
}

static void play_a_loop_that_was_left_by_a_jump_leaves_its_frames(void)
{
    push(1, 0);
    begin_typeinf(1, 1);
    call(&step_hook, 2, &states[1], 0);
    pass(1);
    call(&entrance, 5, NULL, 0);
    begin_typeinf(6, 2);
    step(7, 2, 10);
    states[3].callstack = &no_callstack;
    step(7, 3, 20);
    pass(40); // a generator throws, and is caught around the entrance
    push(4, 1);
    step(2, 4, 80);
    finish(2, 4, 160);
    pop();
    finish(2, 1, 2);
    end_typeinf(1);
    push(5, 0);
    begin_typeinf(1, 5); // and the whole stack
    step(2, 5, 3);
    begin_typeinf(1, 6);
    step(2, 6, 4);
    finish(2, 6, 5);
    end_typeinf(1);
}

static void a_loop_that_was_left_by_a_jump_leaves_its_frames(void **state)
{
    apart(play_a_loop_that_was_left_by_a_jump_leaves_its_frames);
    const struct expected expected[] = {
        // what nobody saw inside those that were left, too
        {1, 0, 1 + 20 + 40 + 2, 0},      {2, 1, 10, SNOOPI_FRAME_ABORTED | SNOOPI_FRAME_NESTED},
        {3, 2, 0, SNOOPI_FRAME_ABORTED}, {4, 1, 240, 0},
        {5, 0, 0, SNOOPI_FRAME_ABORTED}, {6, 0, 9, 0},
    };
    COMPARE(expected);
}

static void play_tasks_that_switch_have_their_own_turns(void)
{
    static char other;
    begin_typeinf(1, 1);
    step(2, 1, 1);
    fake_current_task = &other;
    states[2].callstack = &no_callstack;
    begin_typeinf(1, 2);
    step(2, 2, 10);
    fake_current_task = &fake_task;
    push(1, 0);
    push(3, 1);
    step(2, 3, 20); // the 10 are of 1 too, which waited
    fake_current_task = &other;
    finish(2, 2, 40);
    end_typeinf(1);
    fake_current_task = &fake_task;
    finish(2, 3, 80);
    finish(2, 1, 2);
    end_typeinf(1);
}

static void tasks_that_switch_have_their_own_turns(void **state)
{
    apart(play_tasks_that_switch_have_their_own_turns);
    const struct expected expected[] = {
        {1, 0, 1 + 10 + 2, 0},
        {3, 1, 20 + 40 + 80, 0},
        {2, 0, 10 + 20 + 40, 0},
    };
    COMPARE(expected);
}

int main(void)
{
#define WITH_SEGMENT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_SEGMENT(one_loop_works_on_a_tree),
        WITH_SEGMENT(frames_that_wait_have_the_parent_that_asked_for_them),
        WITH_SEGMENT(a_cycle_of_two_stands_the_right_way_up),
        WITH_SEGMENT(a_cycle_of_three_and_what_its_frames_call),
        WITH_SEGMENT(a_loop_inside_a_turn_is_of_the_frame_whose_turn_it_is),
        WITH_SEGMENT(after_a_loop_goes_on_what_ran_before_it),
        WITH_SEGMENT(semi_concrete_evaluation_is_a_call),
        WITH_SEGMENT(calls_outside_a_loop_are_nobodys),
        WITH_SEGMENT(a_loop_that_was_left_by_a_jump_leaves_its_frames),
        WITH_SEGMENT(tasks_that_switch_have_their_own_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
