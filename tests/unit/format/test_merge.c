// SPDX-License-Identifier: MIT
// Many traces to one: what is in each is in the whole, and no more.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snoopi/merge.h>

#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

enum { MARK_NAME = 40 }; // an id that sb_definitions() leaves free

// A process that began at `begin_ns` of its clock, when the wall clock said `real_ns`: f(g(7)), with a stack, a mark and a line.
static const char *make(void **state, const char *name, uint64_t begin_ns, uint64_t real_ns,
                        uint32_t pid, uint32_t ppid)
{
    segbuilder b;
    sb_init(&b);
    b.head.begin_ns = begin_ns;
    b.head.begin_real_ns = real_ns;
    b.head.pid = pid;
    b.head.ppid = ppid;
    sb_chunk_begin(&b, 0, 0, begin_ns + 1000);
    sb_definitions(&b);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 1, 1, 1, 30, 2, 0);
    sb_string(&b, MARK_NAME, "ready");
    SB_REC(&b, WIRE_MARK, 0, 0, MARK_NAME);
    SB_REC(&b, WIRE_LINE, 1, 12);
    sb_task(&b, 3);
    SB_REC(&b, WIRE_STACK, 0, 0, 2, 1, 0, WIRE_STACK_CUT);
    SB_REC(&b, WIRE_INVALIDATED, 1, begin_ns + 17);
    sb_begin(&b, 10, 0, 1);
    sb_begin_args(&b, 10, 1, 2, 2, 3);
    sb_end(&b, 30, 2);
    sb_end(&b, 50, 0);
    const char *const path = tc_path(state, name);
    sb_write(&b, path);
    sb_clear(&b);
    return path;
}

// A process whose instance 2 returns `node`, and 3 nothing that is known.
static const char *make_result(void **state, const char *name, uint64_t node)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    SB_REC(&b, WIRE_RESULT, 2, node == 1 ? 3 : 1); // not the last one
    SB_REC(&b, WIRE_RESULT, 2, node);
    SB_REC(&b, WIRE_RESULT, 3, 999); // was lost
    sb_definitions(&b);
    sb_begin(&b, 10, 0, 2);
    sb_begin(&b, 10, 0, 3);
    const char *const path = tc_path(state, name);
    sb_write(&b, path);
    sb_clear(&b);
    return path;
}

static snoopi_trace *merge(void **state, const char *const *paths, size_t n)
{
    snoopi_error err = {0};
    const char *const path = tc_path(state, "merged");
    if (snoopi_merge(paths, n, path, NULL, &err) < 0) {
        fail_msg("%s", err.text);
    }
    return tc_open(path);
}

#define BOOT ((uint64_t)1000000000 * 1000000)

static void frames_of_all_are_there_with_all_they_have(void **state)
{
    const char *const paths[] = {make(state, "a", 1000, BOOT, 100, 1),
                                 make(state, "b", 5000, BOOT + 4000, 200, 1)};
    snoopi_trace *const trace = merge(state, paths, 2);
    assert_int_equal(snoopi_trace_n_processes(trace), 2);
    assert_int_equal(tc_check(trace), 4);
    for (uint32_t i = 0; i < 2; i++) {
        snoopi_trace *const part = tc_open(paths[i]);
        size_t n = 0;
        size_t n_part = 0;
        snoopi_frame *const frames = tc_frames(trace, i, &n);
        snoopi_frame *const parts = tc_frames(part, 0, &n_part);
        assert_int_equal(n, n_part);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(frames[k].begin_ns, parts[k].begin_ns);
            assert_int_equal(frames[k].end_ns, parts[k].end_ns);
            assert_int_equal(frames[k].total_ns, parts[k].total_ns);
            assert_int_equal(frames[k].self_ns, parts[k].self_ns);
            assert_int_equal(frames[k].task, 3);
            assert_int_equal(frames[k].flags, parts[k].flags);
            assert_int_equal(frames[k].line, 12);
            assert_string_equal(snoopi_trace_instance(trace, frames[k].instance)->name,
                                snoopi_trace_instance(part, parts[k].instance)->name);
        }
        assert_int_equal(snoopi_trace_process(trace, i)->inference_ns,
                         snoopi_trace_process(part, 0)->inference_ns);
        assert_int_equal(snoopi_trace_process(trace, i)->wall_ns,
                         snoopi_trace_process(part, 0)->wall_ns);
        // What is equal in both is defined once.
        assert_int_equal(snoopi_trace_n_instances(trace), snoopi_trace_n_instances(part));
        assert_int_equal(snoopi_trace_n_codes(trace), snoopi_trace_n_codes(part));
        free(frames);
        free(parts);
        snoopi_trace_close(part);
    }
    snoopi_trace_close(trace);
}

static void marks_invalidations_arguments_and_stacks_are_kept(void **state)
{
    const char *const paths[] = {make(state, "a", 1000, BOOT, 100, 1),
                                 make(state, "b", 5000, BOOT + 4000, 200, 1)};
    snoopi_trace *const trace = merge(state, paths, 2);
    assert_int_equal(snoopi_trace_n_marks(trace), 2);
    assert_int_equal(snoopi_trace_mark(trace, 1)->process, 1);
    assert_int_equal(snoopi_trace_mark(trace, 1)->time_ns, 6000);
    assert_string_equal(snoopi_trace_mark(trace, 1)->name, "ready");
    snoopi_walk *walk = NULL;
    snoopi_frame frame;
    assert_int_equal(snoopi_walk_open(&walk, trace, 1, NULL), 0);
    assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
    assert_int_equal(snoopi_trace_n_invalidated(trace), 2);
    assert_int_equal(snoopi_trace_invalidated(trace, 0)->world, 1017);
    assert_int_equal(snoopi_trace_invalidated(trace, 1)->process, 1);
    assert_int_equal(snoopi_trace_invalidated(trace, 1)->world, 5017);
    assert_int_equal(snoopi_trace_invalidated(trace, 1)->instance, frame.instance);
    assert_int_equal(frame.n_stack, 2);
    assert_int_equal(snoopi_trace_code(trace, frame.stack[0])->address, 0x1000);
    assert_int_equal(frame.stack[1], 0);
    assert_true(frame.is_stack_cut);
    assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
    assert_int_equal(frame.n_args, 1);
    // Int64 is no module's here, so that its value shows by its bytes.
    assert_string_equal(snoopi_trace_node_text(trace, frame.args[0].node),
                        "Int64(0x0000000000000007)");
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
}

static void parents_stay_with_their_children(void **state)
{
    snoopi_error err = {0};
    (void)make(state, "1.seg", 1000, BOOT, 100, 1);
    (void)make(state, "2.seg", 1500, BOOT + 500, 101, 100);
    char *const folder = *state;
    const char *const pair = tc_path(state, "pair");
    assert_int_equal(snoopi_pack(folder, pair, NULL, NULL, &err), 0);
    const char *const paths[] = {make(state, "a", 1000, BOOT, 100, 1), pair, pair};
    snoopi_trace *const trace = merge(state, paths, 3);
    const int64_t parents[] = {-1, -1, 1, -1, 3};
    assert_int_equal(snoopi_trace_n_processes(trace), 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(snoopi_trace_process(trace, i)->parent, parents[i]);
    }
    snoopi_trace_close(trace);
}

// The second machine was started an hour before the first, so its clock says an hour more.
static void clocks_are_set_by_the_wall(void **state)
{
    const uint64_t hour = (uint64_t)3600 * 1000000000;
    const char *const paths[] = {make(state, "a", hour + 1000, BOOT, 100, 1),
                                 make(state, "b", 2000, BOOT + 5000, 200, 1)};
    snoopi_trace *const trace = merge(state, paths, 2);
    // Of the two, a's clock is the one that is ahead: the least offset is a's.
    assert_int_equal(snoopi_trace_process(trace, 0)->begin_ns, hour + 1000);
    assert_int_equal(snoopi_trace_process(trace, 1)->begin_ns, hour + 6000);
    size_t n = 0;
    snoopi_frame *const frames = tc_frames(trace, 1, &n);
    assert_int_equal(frames[0].begin_ns, hour + 6000 + 1010);
    assert_int_equal(snoopi_trace_mark(trace, 1)->time_ns, hour + 6000 + 1000);
    free(frames);
    snoopi_trace_close(trace);
}

static void a_file_may_be_merged_into_itself(void **state)
{
    const char *const a = make(state, "a", 1000, BOOT, 100, 1);
    const char *paths[] = {a, tc_path(state, "merged")};
    snoopi_trace_close(merge(state, paths, 1));
    snoopi_trace *const trace = merge(state, paths, 2);
    assert_int_equal(snoopi_trace_n_processes(trace), 2);
    assert_int_equal(tc_check(trace), 4);
    snoopi_trace_close(trace);
}

static void damage_is_told_by_the_process_that_has_it(void **state)
{
    const char *const paths[] = {make(state, "a", 1000, BOOT, 100, 1), tc_path(state, "whole")};
    snoopi_error err = {0};
    assert_int_equal(snoopi_merge(paths, 1, paths[1], NULL, &err), 0);
    snoopi_trace *whole = tc_open(paths[1]);
    assert_null(snoopi_trace_damage(whole));
    snoopi_trace_close(whole);
    assert_int_equal(truncate(paths[1], 900), 0); // somewhere in the pages
    snoopi_pack_result result;
    const char *const merged = tc_path(state, "merged");
    const int status = snoopi_merge(paths, 2, merged, &result, &err);
    assert_int_equal(status, 0);
    snoopi_trace *const trace = tc_open(merged);
    assert_null(snoopi_trace_damage(trace));
    (void)tc_check(trace);
    assert_int_equal(result.frames, snoopi_trace_recording(trace)->frames);
    snoopi_trace_close(trace);
}

static void nothing_is_written_when_one_cannot_be_read(void **state)
{
    const char *const paths[] = {make(state, "a", 1000, BOOT, 100, 1), tc_path(state, "none")};
    snoopi_error err = {0};
    const char *const merged = tc_path(state, "merged");
    assert_int_equal(snoopi_merge(paths, 2, merged, NULL, &err), SNOOPI_E_IO);
    assert_non_null(strstr(err.text, "none"));
    assert_int_equal(access(merged, F_OK), -1);
    assert_int_equal(snoopi_merge(paths, 0, merged, NULL, &err), SNOOPI_E_INVALID);
}

static void an_instance_returns_what_the_last_process_says(void **state)
{
    const char *const paths[] = {make_result(state, "a", 1), make_result(state, "b", 2),
                                 make_result(state, "c", 1)};
    for (size_t n = 1; n <= 3; n++) {
        snoopi_trace *const trace = merge(state, paths, n);
        snoopi_walk *walk;
        snoopi_frame frame;
        assert_int_equal(snoopi_walk_open(&walk, trace, -1, NULL), 0);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
            const snoopi_instance *const known = snoopi_trace_instance(trace, frame.instance);
            assert_string_equal(snoopi_trace_node_text(trace, known->result),
                                n == 2 ? "Tuple{Int64}" : "Int64");
            assert_int_equal(snoopi_walk_next(walk, &frame, NULL), 1);
            assert_int_equal(snoopi_trace_instance(trace, frame.instance)->result, 0);
        }
        snoopi_walk_close(walk);
        snoopi_trace_close(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(an_instance_returns_what_the_last_process_says),
        WITH_FOLDER(frames_of_all_are_there_with_all_they_have),
        WITH_FOLDER(marks_invalidations_arguments_and_stacks_are_kept),
        WITH_FOLDER(parents_stay_with_their_children),
        WITH_FOLDER(clocks_are_set_by_the_wall),
        WITH_FOLDER(a_file_may_be_merged_into_itself),
        WITH_FOLDER(damage_is_told_by_the_process_that_has_it),
        WITH_FOLDER(nothing_is_written_when_one_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
