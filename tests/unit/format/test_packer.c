// SPDX-License-Identifier: MIT
// From events to frames: hand-built segments, and what must come of them.
#include <stdlib.h>
#include <string.h>

#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

static void frames_nest(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_task(&b, 1);
    sb_begin(&b, 100, 0, 1); // f 2100 … 2600
    sb_begin(&b, 50, 0, 2);  //   g 2150 … 2350
    sb_begin(&b, 50, 0, 3);  //     h 2200 … 2300
    sb_end(&b, 100, 0);
    sb_end(&b, 50, 0);
    sb_begin(&b, 100, 0, 3); //   h again 2450 … 2500
    sb_end(&b, 50, 0);
    sb_end(&b, 100, 0);
    sb_begin(&b, 400, 0, 5); // thunk 3000 … 3001
    sb_end(&b, 1, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2600, 500, 250, 1, 0},
        {1, 2150, 2350, 200, 100, 2, 0},
        {2, 2200, 2300, 100, 100, 3, 0},
        {1, 2450, 2500, 50, 50, 3, SNOOPI_FRAME_REPEATED},
        {0, 3000, 3001, 1, 1, 5, SNOOPI_FRAME_TOPLEVEL},
    };
    TC_COMPARE(trace, expected);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_int_equal(p->frames, 5);
    assert_int_equal(p->roots, 2);
    assert_int_equal(p->inference_ns, 501);
    assert_int_equal(p->busy_ns, 501);
    assert_int_equal(p->wall_ns, 2001);
    assert_int_equal(p->outside_ns, 1500);
    assert_int_equal(p->instances, 4);
    assert_false(p->is_complete);
    assert_string_equal(p->damage, "");
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void flags_of_the_agent_are_kept_and_others_added(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    SB_REC(&b, WIRE_BEGIN, 1, 0, 4, SNOOPI_FRAME_NESTED | SNOOPI_FRAME_TOOLING | (1u << 20));
    SB_REC(&b, WIRE_END, 1, 0, SNOOPI_FRAME_CYCLE | SNOOPI_FRAME_NESTED);
    sb_begin_args(&b, 1, 0, 1, 2, 3); // the same arguments twice, then others
    sb_end(&b, 1, 0);
    sb_begin_args(&b, 1, 0, 1, 2, 3);
    sb_end(&b, 1, 0);
    sb_begin_args(&b, 1, 0, 1, 2, 2);
    sb_end(&b, 1, 0);
    sb_begin(&b, 1, 0, 5); // two thunks, which are never the same
    sb_end(&b, 1, 0);
    sb_begin(&b, 1, 0, 5);
    sb_end(&b, 1, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2001, 2002, 1, 1, 4,
         SNOOPI_FRAME_NESTED | SNOOPI_FRAME_TOOLING | SNOOPI_FRAME_CYCLE | SNOOPI_FRAME_GENERATOR},
        {0, 2003, 2004, 1, 1, 1, SNOOPI_FRAME_CONSTPROP},
        {0, 2005, 2006, 1, 1, 1, SNOOPI_FRAME_CONSTPROP | SNOOPI_FRAME_REPEATED},
        {0, 2007, 2008, 1, 1, 1, SNOOPI_FRAME_CONSTPROP},
        {0, 2009, 2010, 1, 1, 5, SNOOPI_FRAME_TOPLEVEL},
        {0, 2011, 2012, 1, 1, 5, SNOOPI_FRAME_TOPLEVEL},
    };
    TC_COMPARE(trace, expected);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void arguments_come_with_their_frame(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    SB_REC(&b, WIRE_BEGIN, 1, 0, 1, WIRE_FLAG_ARGS, 3, 2, 3, 4, 1, 5, 999);
    sb_end(&b, 1, 0);
    sb_begin(&b, 1, 0, 2);
    sb_end(&b, 1, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    snoopi_walk *walk;
    snoopi_frame frame;
    assert_int_equal(snoopi_walk_open(&walk, trace, -1, NULL), 0);
    assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
    assert_int_equal(frame.n_args, 3);
    assert_int_equal(frame.args[0].position, 2);
    assert_int_equal(frame.args[0].node, 3);
    assert_int_equal(frame.args[1].position, 4);
    assert_int_equal(frame.args[1].node, 1);
    assert_int_equal(frame.args[2].node, 4); // node 999 was never defined: a CUT node stands for it
    assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
    assert_int_equal(frame.n_args, 0);
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void tool_time_is_charged_where_it_was_spent(void **state)
{
    segbuilder b;
    sb_init(&b);
    b.head.tool_other_ns = 7;
    b.head.agent_start_ns = 11;
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 5, 1);  // 5 before the first frame: outside
    sb_begin(&b, 100, 10, 2); // 10 inside f
    sb_end(&b, 100, 20);      // 20 inside g
    sb_end(&b, 100, 40);      // 40 inside f
    sb_begin(&b, 100, 80, 3); // 80 between roots
    sb_end(&b, 10, 15);       // more than h's whole span: 5 are outside
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2400, 300 - 70, 200 - 50, 1, 0},
        {1, 2200, 2300, 80, 80, 2, 0},
        {0, 2500, 2510, 0, 0, 3, 0},
    };
    TC_COMPARE(trace, expected);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_int_equal(p->tool_ns, 5 + 10 + 20 + 40 + 80 + 15 + 7 + 11);
    assert_int_equal(p->busy_ns, 310);
    assert_int_equal(p->outside_ns, 1510 - 310 - (5 + 80 + 5 + 7 + 11));
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void frames_that_were_left_end_when_last_seen(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);             // f 2100
    sb_begin(&b, 100, 0, 2);             //   g 2200, left
    sb_begin(&b, 100, 0, 3);             //     h 2300 … 2400
    sb_end(&b, 100, 0);                  //
    sb_begin(&b, 50, 0, 4);              //     gen 2450, left, seen last at its begin
    SB_REC(&b, WIRE_ABORT, 1000, 30, 2); // seen at 3450: the 30 were spent in f
    sb_end(&b, 100, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 3550, 1450 - 30, 1450 - 30 - 250, 1, 0},
        {1, 2200, 2450, 250, 150, 2, SNOOPI_FRAME_ABORTED},
        {2, 2300, 2400, 100, 100, 3, 0},
        {2, 2450, 2450, 0, 0, 4, SNOOPI_FRAME_ABORTED | SNOOPI_FRAME_GENERATOR},
    };
    TC_COMPARE(trace, expected);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_whole_root_may_be_left(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);
    sb_begin(&b, 100, 0, 2);
    SB_REC(&b, WIRE_ABORT, 1000, 0, 7); // more than are open
    sb_begin(&b, 100, 0, 3);
    sb_end(&b, 100, 0);
    sb_end(&b, 100, 0);              // of nothing
    SB_REC(&b, WIRE_ABORT, 1, 0, 1); // of nothing
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2200, 100, 100, 1, SNOOPI_FRAME_ABORTED},
        {1, 2200, 2200, 0, 0, 2, SNOOPI_FRAME_ABORTED},
        {0, 3300, 3400, 100, 100, 3, 0},
    };
    TC_COMPARE(trace, expected);
    assert_non_null(strstr(snoopi_trace_process(trace, 0)->damage, "END without an open frame"));
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void frames_open_at_the_end_are_unfinished(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_task(&b, 1);
    sb_begin(&b, 100, 0, 3); // left in task 1, which is never seen again
    sb_task(&b, 2);
    sb_begin(&b, 100, 0, 1);
    sb_begin(&b, 100, 0, 2);
    const uint64_t ends[] = {0, 9000};
    for (int i = 0; i < 2; i++) { // killed, or ended in order
        b.head.end_ns = ends[i];
        const uint64_t end = ends[i] ? ends[i] : 2300;
        snoopi_trace *trace = tc_open_segment(state, &b);
        const tc_expected expected[] = {
            {0, 2100, 2100, 0, 0, 3, SNOOPI_FRAME_ABORTED},
            {0, 2200, end, end - 2200, 100, 1, SNOOPI_FRAME_UNFINISHED},
            {1, 2300, end, end - 2300, end - 2300, 2, SNOOPI_FRAME_UNFINISHED},
        };
        TC_COMPARE(trace, expected);
        assert_int_equal(snoopi_trace_process(trace, 0)->wall_ns, end - 1000);
        snoopi_trace_close(trace);
    }
    sb_clear(&b);
}

static void each_task_has_its_own_frames(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_task(&b, 1);
    sb_begin(&b, 100, 0, 1); // task 1: f 2100 … 2600
    sb_task(&b, 2);
    sb_begin(&b, 100, 9, 2); // task 2: g 2200 … 2400; the 9 were task 1's
    sb_begin(&b, 50, 0, 3);  //         h 2250 … 2300
    sb_end(&b, 50, 0);
    sb_end(&b, 100, 0);
    sb_task(&b, 1);
    sb_begin(&b, 100, 0, 3); // task 1: h 2500 … 2550
    sb_end(&b, 50, 0);
    sb_end(&b, 50, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2600, 491, 441, 1, 0},
        {1, 2500, 2550, 50, 50, 3, SNOOPI_FRAME_REPEATED},
        {0, 2200, 2400, 200, 150, 2, 0},
        {1, 2250, 2300, 50, 50, 3, 0},
    };
    TC_COMPARE(trace, expected);
    assert_int_equal(snoopi_trace_process(trace, 0)->busy_ns, 500);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    const uint32_t tasks[] = {1, 1, 2, 2};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(frames[i].task, tasks[i]);
    }
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_task_may_go_on_on_another_thread(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_task(&b, 1);
    sb_begin(&b, 100, 0, 1); // task 1 on thread 0 at 2100
    sb_chunk_begin(&b, 3, 0, 2000);
    sb_begin(&b, 150, 0, 3); // task 0 of thread 3: h 2150 … 2160
    sb_end(&b, 10, 0);
    sb_task(&b, 1);
    sb_begin(&b, 40, 0, 2); // task 1 on thread 3: g 2200 … 2300
    sb_end(&b, 100, 0);
    sb_end(&b, 100, 0); // f ends at 2400
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2400, 300, 200, 1, 0},
        {1, 2200, 2300, 100, 100, 2, 0},
        {0, 2150, 2160, 10, 10, 3, 0},
    };
    TC_COMPARE(trace, expected);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(frames[0].thread, 0);
    assert_int_equal(frames[1].thread, 0); // that of its root
    assert_int_equal(frames[2].thread, 3);
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void busy_is_the_union_of_roots_of_all_threads(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 0, 0, 1); // 2000 … 2300
    sb_end(&b, 300, 0);
    sb_begin(&b, 200, 0, 1); // 2500 … 2600
    sb_end(&b, 100, 0);
    sb_chunk_begin(&b, 1, 0, 2000);
    sb_begin(&b, 100, 0, 2); // 2100 … 2200
    sb_end(&b, 100, 0);
    sb_begin(&b, 50, 0, 3); // 2250 … 2400
    sb_end(&b, 150, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_int_equal(tc_check(trace), 4);
    assert_int_equal(snoopi_trace_process(trace, 0)->busy_ns, 400 + 100);
    assert_int_equal(snoopi_trace_process(trace, 0)->inference_ns, 300 + 100 + 100 + 150);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void collections_are_charged_to_all_that_was_open(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);           // f 2100 … 2600
    sb_begin(&b, 100, 0, 2);           //   g 2200 … 2400
    SB_REC(&b, WIRE_GC, 100, 0, 50);   //     2250 … 2300
    sb_end(&b, 100, 0);                //
    SB_REC(&b, WIRE_GC, 100, 0, 30);   //   2470 … 2500
    SB_REC(&b, WIRE_GC, 10, 0, 20);    //   2490 … 2510, which overlaps
    sb_end(&b, 90, 0);                 //
    SB_REC(&b, WIRE_GC, 1000, 0, 500); // in no frame of this thread
    sb_chunk_begin(&b, 1, 0, 2000);
    sb_begin(&b, 280, 0, 3); // h 2280 … 3300
    sb_end(&b, 1020, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, 3);
    assert_int_equal(frames[0].gc_ns, 40);
    assert_int_equal(frames[1].gc_ns, 50);
    assert_int_equal(frames[2].gc_ns, 20 + 40 + (3300 - 3100));
    assert_int_equal(snoopi_trace_process(trace, 0)->gc_ns, 40 + 50 + 260);
    free(frames);
    assert_int_equal(tc_check(trace), 3);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void frames_of_a_cycle_take_turns(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);         // f 2100
    sb_begin(&b, 100, 0, 2);         //   g 2200, of f
    SB_REC(&b, WIRE_RUN, 100, 0, 1); //   f goes on at 2300
    sb_begin(&b, 50, 0, 3);          //   h 2350 … 2400, of f though g is open
    sb_end(&b, 50, 0);               //
    SB_REC(&b, WIRE_RUN, 50, 0, 0);  //   g goes on at 2450
    sb_begin(&b, 50, 0, 5);          //     a thunk 2500 … 2550, of g
    sb_end(&b, 50, 0);               //
    sb_end(&b, 50, 0);               //   g ends at 2600
    sb_end(&b, 100, 0);              // f ends at 2700
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2700, 600, 100 + 50 + 50 + 100, 1, 0},
        {1, 2200, 2450, 250, 100 + 50 + 50, 2, 0}, // its parts drawn together
        {2, 2400, 2450, 50, 50, 5, SNOOPI_FRAME_TOPLEVEL},
        {1, 2450, 2500, 50, 50, 3, 0}, // behind g
    };
    TC_COMPARE(trace, expected);
    assert_int_equal(snoopi_trace_process(trace, 0)->inference_ns, 600);
    assert_int_equal(snoopi_trace_process(trace, 0)->busy_ns, 600);
    assert_string_equal(snoopi_trace_process(trace, 0)->damage, "");
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void what_runs_is_charged_with_the_tool_and_collections(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);         // f 2100
    sb_begin(&b, 100, 1, 2);         //   g 2200; the 1 is f's
    sb_begin(&b, 100, 2, 3);         //     h 2300; the 2 are g's
    SB_REC(&b, WIRE_RUN, 100, 4, 2); //     f goes on at 2400; the 4 are h's
    SB_REC(&b, WIRE_GC, 60, 8, 40);  //     2420 … 2460; the 8 are f's
    SB_REC(&b, WIRE_RUN, 40, 0, 1);  //     g goes on at 2500
    SB_REC(&b, WIRE_GC, 10, 16, 20); //     2490 … 2510: 10 of it f's, 10 of it and the 16 g's
    sb_end(&b, 90, 0);               //     h ends at 2600 while g runs
    sb_end(&b, 100, 0);              //   g ends at 2700
    sb_end(&b, 100, 0);              // f ends at 2800
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 2800, 700 - 31, 300 - 9, 1, 0},
        {1, 2200, 2600, 400 - 22, 300 - 18, 2, 0},
        {2, 2300, 2400, 100 - 4, 100 - 4, 3, 0},
    };
    TC_COMPARE(trace, expected);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(frames[0].gc_ns, 50);
    assert_int_equal(frames[1].gc_ns, 10);
    assert_int_equal(frames[2].gc_ns, 0);
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void frames_that_took_turns_may_be_left(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 100, 0, 1);         // f 2100
    sb_begin(&b, 100, 0, 2);         //   g 2200, left
    sb_begin(&b, 100, 0, 3);         //     h 2300, left
    SB_REC(&b, WIRE_RUN, 100, 0, 1); //     g goes on at 2400
    SB_REC(&b, WIRE_RUN, 10, 0, 3);  //     of nobody
    SB_REC(&b, WIRE_ABORT, 1000, 0, 2);
    SB_REC(&b, WIRE_RUN, 10, 0, 0); //   f, which runs already
    sb_end(&b, 90, 0);              // 3510
    SB_REC(&b, WIRE_RUN, 10, 0, 0); // of nobody
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {
        {0, 2100, 3510, 1410, 1410 - 210, 1, 0},
        {1, 2200, 2410, 210, 110, 2, SNOOPI_FRAME_ABORTED},
        {2, 2300, 2400, 100, 100, 3, SNOOPI_FRAME_ABORTED},
    };
    TC_COMPARE(trace, expected);
    assert_non_null(
        strstr(snoopi_trace_process(trace, 0)->damage, "RUN of a frame that is not open"));
    snoopi_trace_close(trace);
    sb_clear(&b);
}

// Two frames and one that runs by turns: what is in which order, and that spans nest, tc_check() sees.
static void spans_nest_however_many_turns_there_are(void **state)
{
    enum { TURNS = 2000 };
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 10, 0, 1);
    sb_begin(&b, 10, 0, 2);
    for (uint64_t i = 0; i < TURNS; i++) {
        SB_REC(&b, WIRE_RUN, i % 7, 0, i % 2);
        sb_begin(&b, i % 5, 0, 3);
        sb_end(&b, i % 3, 0);
    }
    sb_end(&b, 10, 0);
    sb_end(&b, 10, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, 2 + TURNS);
    for (size_t i = 1; i < n; i++) {
        const bool is_of_g = i > 1 && i < 2 + TURNS / 2;
        assert_int_equal(frames[i].depth, is_of_g ? 2 : 1);
    }
    free(frames);
    assert_int_equal(tc_check(trace), n);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void roots_go_out_by_begin_however_they_end(void **state)
{
    enum { INNER = 5000 };
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_begin(&b, 1, 0, 1); // open all the time
    sb_end(&b, 10 * INNER + 100, 0);
    sb_chunk_begin(&b, 1, 0, 2000);
    for (int i = 0; i < INNER; i++) {
        sb_begin(&b, 5, 0, 2);
        sb_end(&b, 5, 0);
    }
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, INNER + 1);
    assert_int_equal(frames[0].instance, 1);
    assert_int_equal(frames[INNER].begin_ns, 2000 + 10 * INNER - 5);
    free(frames);
    assert_int_equal(tc_check(trace), INNER + 1);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_frame_may_be_deep_but_not_deeper_than_the_limit(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    for (uint32_t i = 0; i < WIRE_DEPTH_MAX + 3; i++) {
        sb_begin(&b, 1, 0, 1);
    }
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, WIRE_DEPTH_MAX);
    assert_int_equal(frames[n - 1].depth, WIRE_DEPTH_MAX - 1);
    free(frames);
    assert_null(snoopi_trace_damage(trace));
    assert_non_null(strstr(snoopi_trace_process(trace, 0)->damage, "too deep (and 2 more)"));
    snoopi_trace_close(trace);
    sb_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(frames_nest),
        WITH_FOLDER(flags_of_the_agent_are_kept_and_others_added),
        WITH_FOLDER(arguments_come_with_their_frame),
        WITH_FOLDER(tool_time_is_charged_where_it_was_spent),
        WITH_FOLDER(frames_that_were_left_end_when_last_seen),
        WITH_FOLDER(a_whole_root_may_be_left),
        WITH_FOLDER(frames_open_at_the_end_are_unfinished),
        WITH_FOLDER(each_task_has_its_own_frames),
        WITH_FOLDER(a_task_may_go_on_on_another_thread),
        WITH_FOLDER(busy_is_the_union_of_roots_of_all_threads),
        WITH_FOLDER(collections_are_charged_to_all_that_was_open),
        WITH_FOLDER(frames_of_a_cycle_take_turns),
        WITH_FOLDER(what_runs_is_charged_with_the_tool_and_collections),
        WITH_FOLDER(frames_that_took_turns_may_be_left),
        WITH_FOLDER(spans_nest_however_many_turns_there_are),
        WITH_FOLDER(roots_go_out_by_begin_however_they_end),
        WITH_FOLDER(a_frame_may_be_deep_but_not_deeper_than_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
