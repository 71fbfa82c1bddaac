// SPDX-License-Identifier: MIT
// What a segment tells beside its frames: lines, marks, code that was invalidated.
#include <stdlib.h>

#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

static void lines_and_marks_come_through(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_string(&b, 9, "warm");
    sb_begin(&b, 1, 0, 1);
    sb_end(&b, 1, 0);
    SB_REC(&b, WIRE_LINE, 1, 42);
    SB_REC(&b, WIRE_MARK, 8, 0, 9);
    sb_begin(&b, 10, 0, 2);
    SB_REC(&b, WIRE_LINE, 1, 43);
    sb_begin(&b, 10, 0, 3); // not a root: still line 42
    sb_end(&b, 10, 0);
    sb_end(&b, 10, 0);
    sb_begin(&b, 10, 0, 2);
    sb_end(&b, 10, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, 4);
    const uint32_t lines[] = {0, 42, 42, 43};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(frames[i].line, lines[i]);
        assert_int_equal(frames[i].line_file, i > 0);
    }
    assert_string_equal(snoopi_trace_file(trace, 1), "sample.jl");
    assert_string_equal(snoopi_trace_file(trace, 0), "");
    assert_int_equal(snoopi_trace_n_marks(trace), 1);
    const snoopi_mark *mark = snoopi_trace_mark(trace, 0);
    assert_string_equal(mark->name, "warm");
    assert_int_equal(mark->time_ns, 2010);
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

// It is told of the next frame of its thread, if that is of its instance.
static void what_was_invalidated_comes_through(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    SB_REC(&b, WIRE_INVALIDATED, 2, 5001);
    SB_REC(&b, WIRE_LINE, 1, 42);
    sb_begin(&b, 1, 0, 2);
    SB_REC(&b, WIRE_INVALIDATED, 3, 5002); // its frame was dropped
    sb_begin(&b, 1, 0, 2);
    sb_begin(&b, 1, 0, 3);
    SB_REC(&b, WIRE_INVALIDATED, 3, 5003);
    sb_end(&b, 1, 0);
    SB_REC(&b, WIRE_INVALIDATED, 1, UINT64_MAX);
    sb_begin(&b, 1, 0, 1);
    snoopi_trace *trace = tc_open_segment(state, &b);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, 4);
    const bool are_flagged[] = {true, false, false, true};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal((frames[i].flags & SNOOPI_FRAME_INVALIDATED) != 0, are_flagged[i]);
    }
    assert_int_equal(snoopi_trace_n_invalidated(trace), 2);
    assert_int_equal(snoopi_trace_invalidated(trace, 0)->instance, frames[0].instance);
    assert_int_equal(snoopi_trace_invalidated(trace, 0)->world, 5001);
    assert_int_equal(snoopi_trace_invalidated(trace, 0)->process, 0);
    assert_int_equal(snoopi_trace_invalidated(trace, 1)->instance, frames[3].instance);
    assert_int_equal(snoopi_trace_invalidated(trace, 1)->world, UINT64_MAX);
    assert_null(snoopi_trace_invalidated(trace, 2));
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(lines_and_marks_come_through),
        WITH_FOLDER(what_was_invalidated_comes_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
