// SPDX-License-Identifier: MIT
// Segments that are cut, torn or wrong: what is whole is read, the rest is told.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/packer.h"
#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

// Two threads, a chunk more on the first; 4 frames.
static void build_small(segbuilder *b)
{
    sb_init(b);
    b->head.state = WIRE_STATE_ENDED;
    b->head.end_ns = 9000;
    sb_chunk_begin(b, 0, 0, 2000);
    sb_info(b, "julia", "1.5.3", 5);
    sb_info(b, "argv", "julia\0-e\0f(1)", 13);
    sb_definitions(b);
    sb_task(b, 1);
    sb_begin(b, 100, 3, 1);
    sb_begin_args(b, 100, 1, 2, 2, 3);
    sb_end(b, 100, 1);
    sb_chunk_begin(b, 1, 0, 2100);
    sb_begin(b, 300, 1, 3);
    SB_REC(b, WIRE_GC, 10, 0, 5);
    sb_end(b, 100, 1);
    sb_chunk_begin(b, 0, 1, 2400);
    sb_end(b, 100, 1);
    sb_begin(b, 100, 1, 5);
    sb_end(b, 100, 1);
    SB_REC(b, WIRE_CLOSE, 1000, 0);
}

static void expect_damage(snoopi_trace *trace, const char *words)
{
    const char *damage = snoopi_trace_process(trace, 0)->damage;
    if (!strstr(damage, words)) {
        fail_msg("damage is '%s', expected '%s' in it", damage, words);
    }
    assert_false(snoopi_trace_process(trace, 0)->is_complete);
}

static void a_process_that_ended_in_order_is_complete(void **state)
{
    segbuilder b;
    build_small(&b);
    b.head.exit_kind = WIRE_EXIT_STATUS;
    b.head.exit_value = 3;
    snoopi_trace *trace = tc_open_segment(state, &b);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_true(p->is_complete);
    assert_string_equal(p->damage, "");
    assert_int_equal(p->exit_kind, SNOOPI_EXIT_STATUS);
    assert_int_equal(p->exit_value, 3);
    assert_string_equal(p->julia, "1.5.3");
    assert_int_equal(p->argc, 3);
    assert_string_equal(p->argv[2], "f(1)");
    assert_int_equal(p->wall_ns, 8000);
    assert_string_equal(p->role, "main");
    assert_true(p->has_args && p->has_stacks && !p->compiler_replaced);
    assert_int_equal(tc_check(trace), 4);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void the_signal_that_a_process_ends_by_is_its_exit(void **state)
{
    segbuilder b;
    build_small(&b);
    b.head.exit_kind = WIRE_EXIT_SIGNAL;
    b.head.exit_value = 15;
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_true(snoopi_trace_process(trace, 0)->is_complete);
    assert_int_equal(snoopi_trace_process(trace, 0)->exit_kind, SNOOPI_EXIT_SIGNAL);
    assert_int_equal(snoopi_trace_process(trace, 0)->exit_value, 15);
    snoopi_trace_close(trace);

    b.head.exit_kind = WIRE_EXIT_SIGNAL + 1; // of a later version
    trace = tc_open_segment(state, &b);
    assert_int_equal(snoopi_trace_process(trace, 0)->exit_kind, SNOOPI_EXIT_UNKNOWN);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void unknown_records_are_skipped_and_known_ones_may_be_longer(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    SB_REC(&b, 500, 1, 2, 3);
    SB_REC(&b, WIRE_BEGIN, 100, 0, 1, 0, 77, 78);
    sb_record(&b, 47, "abc", 3);
    SB_REC(&b, WIRE_END, 100, 0, 0, 99);
    snoopi_trace *trace = tc_open_segment(state, &b);
    const tc_expected expected[] = {{0, 2100, 2200, 100, 100, 1, 0}};
    TC_COMPARE(trace, expected);
    assert_string_equal(snoopi_trace_process(trace, 0)->damage, "");
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_torn_record_ends_its_chunk_only(void **state)
{
    segbuilder b;
    build_small(&b);
    sb_chunk *torn = &b.chunks[1];
    torn->head.used = torn->records.size - 2; // within thread 1's END
    snoopi_trace *trace = tc_open_segment(state, &b);
    expect_damage(trace, "it does not end within its chunk");
    size_t n;
    snoopi_frame *frames = tc_frames(trace, 0, &n);
    assert_int_equal(n, 4);
    assert_int_equal(frames[2].flags, SNOOPI_FRAME_UNFINISHED);
    assert_int_equal(frames[2].end_ns, 9000);
    free(frames);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void used_is_not_trusted(void **state)
{
    segbuilder b;
    build_small(&b);
    b.chunks[1].head.used = UINT64_MAX;
    snoopi_trace *trace = tc_open_segment(state, &b);
    expect_damage(trace, "there is room for 4032");
    assert_int_equal(tc_check(trace), 4);
    snoopi_trace_close(trace);
    b.chunks[1].head.used = 4000; // more than was written: zeros follow
    trace = tc_open_segment(state, &b);
    expect_damage(trace, "nothing was written here");
    assert_int_equal(tc_check(trace), 4);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_chunk_that_is_missing_is_told(void **state)
{
    segbuilder b;
    build_small(&b);
    b.chunks[2].head.sequence = 2;
    snoopi_trace *trace = tc_open_segment(state, &b);
    expect_damage(trace, "number 2 of thread 0, expected 1");
    assert_int_equal(tc_check(trace), 4);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

// As a host does that writes into files it does not own; mapped memory would be gone then.
static void a_file_that_is_shortened_while_it_is_read_is_told(void **state)
{
    segbuilder b;
    build_small(&b);
    const char *path = tc_path(state, "short.seg");
    const char *out = tc_path(state, "short.snoopi");
    sb_write(&b, path);
    sb_clear(&b);
    snoopi__segment segment;
    snoopi__packer packer;
    snoopi_recording recording = {0};
    assert_int_equal(snoopi__segment_open(&segment, path, NULL), 0);
    assert_int_equal(truncate(path, WIRE_SEGMENT_HEADER_SIZE + 4096 + 10), 0);
    assert_int_equal(snoopi__packer_open(&packer, out, NULL), 0);
    assert_int_equal(snoopi__packer_add(&packer, &segment, -1, SNOOPI_EXIT_UNKNOWN, 0, NULL), 0);
    assert_int_equal(snoopi__packer_finish(&packer, &recording, NULL), 0);
    snoopi__packer_close(&packer);
    snoopi__segment_close(&segment);
    snoopi_trace *trace = tc_open(out);
    expect_damage(trace, "the file was shortened while it was read");
    assert_int_equal(tc_check(trace), 2); // those of the first chunk
    snoopi_trace_close(trace);
}

static void a_chunk_beyond_the_limit_ends_the_segment(void **state)
{
    segbuilder b;
    build_small(&b);
    b.chunks[1].head.size = WIRE_CHUNK_MAX + 4096;
    snoopi_trace *trace = tc_open_segment(state, &b);
    expect_damage(trace, "size 67112960");
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void what_has_no_magic_ends_the_segment(void **state)
{
    segbuilder b;
    build_small(&b);
    memset(b.chunks[1].head.magic, 0, 4);
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_string_equal(snoopi_trace_process(trace, 0)->damage, "");
    assert_int_equal(tc_check(trace), 2);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_chunk_of_an_impossible_size_ends_the_segment(void **state)
{
    const uint32_t sizes[] = {1, 4095, 4097};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        segbuilder b;
        build_small(&b);
        b.chunks[1].head.size = sizes[i];
        snoopi_trace *trace = tc_open_segment(state, &b);
        expect_damage(trace, "chunk at byte");
        assert_int_equal(tc_check(trace), 2);
        snoopi_trace_close(trace);
        sb_clear(&b);
    }
}

static void ids_that_are_not_defined_are_told_and_the_frame_stays(void **state)
{
    const uint64_t ids[] = {0, 6, UINT32_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        segbuilder b;
        sb_init(&b);
        sb_chunk_begin(&b, 0, 0, 2000);
        sb_definitions(&b);
        sb_begin(&b, 100, 0, ids[i]);
        sb_begin(&b, 100, 0, 1);
        sb_end(&b, 100, 0);
        sb_end(&b, 100, 0);
        snoopi_trace *trace = tc_open_segment(state, &b);
        expect_damage(trace, "instance that is not defined");
        const tc_expected expected[] = {{0, 2100, 2400, 300, 200, 6, 0},
                                        {1, 2200, 2300, 100, 100, 1, 0}};
        TC_COMPARE(trace, expected);
        assert_int_equal(snoopi_trace_process(trace, 0)->instances, 2);
        snoopi_trace_close(trace);
        sb_clear(&b);
    }
}

static void definitions_may_come_in_any_order_and_twice(void **state)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_begin(&b, 100, 0, 1); // before anything is defined
    sb_end(&b, 100, 0);
    sb_chunk_begin(&b, 1, 0, 2000);
    sb_string(&b, 2, "first");
    sb_string(&b, 1, "f");
    SB_REC(&b, WIRE_INSTANCE, 1, WIRE_INSTANCE_METHOD, 1, 0);
    SB_REC(&b, WIRE_METHOD, 1, 1, 0, 1, 0, 1, 0, 0, 0);
    SB_REC(&b, WIRE_FILE, 1, 2, 0);
    sb_string(&b, 2, "last");
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_string_equal(snoopi_trace_process(trace, 0)->damage, "");
    assert_string_equal(snoopi_trace_file(trace, 1), "last");
    assert_int_equal(tc_check(trace), 1);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void limits_of_arguments_and_marks_hold(void **state)
{
    static uint64_t numbers[5 + 2 * (WIRE_ARGS_MAX + 1)] = {10, 0, 1, WIRE_FLAG_ARGS};
    for (uint64_t n = WIRE_ARGS_MAX; n <= WIRE_ARGS_MAX + 1; n++) {
        segbuilder b;
        sb_init(&b);
        sb_chunk_begin(&b, 0, 0, 2000);
        sb_definitions(&b);
        for (uint32_t i = 0; i < WIRE_MARKS_MAX; i++) {
            SB_REC(&b, WIRE_MARK, 0, 0, 1);
        }
        numbers[4] = n;
        for (size_t i = 0; i < n; i++) {
            numbers[5 + 2 * i] = i + 1;
            numbers[6 + 2 * i] = 3;
        }
        sb_numbers(&b, WIRE_BEGIN, 5 + 2 * n, numbers);
        snoopi_trace *trace = tc_open_segment(state, &b);
        assert_int_equal(snoopi_trace_n_marks(trace), WIRE_MARKS_MAX);
        assert_int_equal(tc_check(trace), n == WIRE_ARGS_MAX);
        if (n > WIRE_ARGS_MAX) {
            expect_damage(trace, "malformed event");
        }
        snoopi_trace_close(trace);
        SB_REC(&b, WIRE_MARK, 0, 0, 1); // behind what ends the chunk, or one too many
        trace = tc_open_segment(state, &b);
        assert_int_equal(snoopi_trace_n_marks(trace), WIRE_MARKS_MAX);
        if (n == WIRE_ARGS_MAX) {
            expect_damage(trace, "one mark too many");
        }
        snoopi_trace_close(trace);
        sb_clear(&b);
    }
}

static void drops_are_counted(void **state)
{
    segbuilder b;
    build_small(&b);
    b.head.dropped_frames = 5;
    b.head.dropped_records = 6;
    snoopi_trace *trace = tc_open_segment(state, &b);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_int_equal(p->dropped_frames, 5);
    assert_int_equal(p->dropped_records, 6);
    assert_false(p->is_complete);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void recording_may_be_off(void **state)
{
    segbuilder b;
    sb_init(&b);
    b.head.state = WIRE_STATE_OFF;
    b.head.hook = WIRE_HOOK_NONE;
    b.head.flags = WIRE_SEG_NO_ARGS | WIRE_SEG_NO_STACKS | WIRE_SEG_COMPILER_REPLACED;
    memset(b.head.reason, 'x', sizeof b.head.reason); // not terminated
    snoopi_trace *trace = tc_open_segment(state, &b);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_int_equal(strlen(p->reason), sizeof b.head.reason - 1);
    assert_true(!p->has_args && !p->has_stacks && p->compiler_replaced);
    assert_int_equal(p->frames, 0);
    assert_false(p->is_complete);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void refuse(const char *path, int status, const char *words)
{
    snoopi_trace *trace;
    snoopi_error err = {0};
    assert_int_equal(snoopi_trace_open(&trace, path, &err), status);
    assert_null(trace);
    if (!strstr(err.text, words) || !strstr(err.text, path)) {
        fail_msg("'%s', expected '%s' and the path in it", err.text, words);
    }
}

static void what_is_no_segment_is_refused(void **state)
{
    segbuilder b;
    sb_init(&b);
    b.head.version = 2;
    sb_write(&b, tc_path(state, "new.seg"));
    refuse(tc_path(state, "new.seg"), SNOOPI_E_VERSION, "format version 2");
    b.head.version = 0;
    sb_write(&b, tc_path(state, "zero.seg"));
    refuse(tc_path(state, "zero.seg"), SNOOPI_E_FORMAT, "version 0");
    sb_write_file(tc_path(state, "short.seg"), &b.head, 4095);
    refuse(tc_path(state, "short.seg"), SNOOPI_E_FORMAT, "4095 bytes");
    assert_int_equal(mkfifo(tc_path(state, "fifo"), 0600), 0);
    refuse(tc_path(state, "fifo"), SNOOPI_E_FORMAT, "not a regular file");
}

static void each_cut_of_a_segment_opens_or_says_why(void **state)
{
    segbuilder b;
    snoopi__buffer bytes = {0};
    build_small(&b);
    sb_bytes(&b, &bytes);
    for (size_t size = 0; size < bytes.size; size++) {
        if (size > 64 && size % 4096 > 400 && size % 4096 < 4090) {
            continue; // padding
        }
        const char *path = tc_path(state, "cut.seg");
        sb_write_file(path, bytes.data, size);
        snoopi_trace *trace;
        snoopi_error err = {0};
        const int st = snoopi_trace_open(&trace, path, &err);
        assert_int_equal(st == 0, size >= 4096);
        if (trace) {
            assert_null(snoopi_trace_damage(trace));
            (void)tc_check(trace);
        } else {
            assert_non_null(strstr(err.text, path));
        }
        snoopi_trace_close(trace);
    }
    snoopi__buffer_clear(&bytes);
    sb_clear(&b);
}

static void no_flipped_bit_does_harm(void **state)
{
    segbuilder b;
    snoopi__buffer bytes = {0};
    build_small(&b);
    sb_bytes(&b, &bytes);
    for (size_t i = 0; i < bytes.size; i++) {
        const bool is_head = i < 120 || (i >= 256 && i < 260);
        if (!is_head && (i < 4096 || i % 4096 > 420)) {
            continue; // reserved, padding
        }
        for (int bit = 0; bit < 8; bit++) {
            const char *path = tc_path(state, "flip.seg");
            bytes.data[i] ^= (unsigned char)(1u << bit);
            sb_write_file(path, bytes.data, bytes.size);
            bytes.data[i] ^= (unsigned char)(1u << bit);
            snoopi_trace *trace;
            const int st = snoopi_trace_open(&trace, path, NULL);
            assert_true(st == 0 || i < 12);
            if (trace) {
                assert_null(snoopi_trace_damage(trace));
                (void)tc_check(trace);
            }
            snoopi_trace_close(trace);
        }
    }
    snoopi__buffer_clear(&bytes);
    sb_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_process_that_ended_in_order_is_complete),
        WITH_FOLDER(the_signal_that_a_process_ends_by_is_its_exit),
        WITH_FOLDER(unknown_records_are_skipped_and_known_ones_may_be_longer),
        WITH_FOLDER(a_torn_record_ends_its_chunk_only),
        WITH_FOLDER(used_is_not_trusted),
        WITH_FOLDER(a_chunk_that_is_missing_is_told),
        WITH_FOLDER(a_file_that_is_shortened_while_it_is_read_is_told),
        WITH_FOLDER(a_chunk_beyond_the_limit_ends_the_segment),
        WITH_FOLDER(what_has_no_magic_ends_the_segment),
        WITH_FOLDER(a_chunk_of_an_impossible_size_ends_the_segment),
        WITH_FOLDER(ids_that_are_not_defined_are_told_and_the_frame_stays),
        WITH_FOLDER(definitions_may_come_in_any_order_and_twice),
        WITH_FOLDER(limits_of_arguments_and_marks_hold),
        WITH_FOLDER(drops_are_counted),
        WITH_FOLDER(recording_may_be_off),
        WITH_FOLDER(what_is_no_segment_is_refused),
        WITH_FOLDER(each_cut_of_a_segment_opens_or_says_why),
        WITH_FOLDER(no_flipped_bit_does_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
