// SPDX-License-Identifier: MIT
// Stacks of roots: from the records of the agent to what a walk yields.
#include <stdlib.h>
#include <string.h>

#include "snoopi/pack.h"
#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

// Ids of strings that sb_definitions() has.
enum { S_SAMPLE_JL = 2, S_F = 5, S_G = 6, FILE_SAMPLE = 1 };

static void begin(segbuilder *b)
{
    sb_init(b);
    sb_chunk_begin(b, 0, 0, 2000);
    sb_definitions(b);
    sb_task(b, 1);
}

static void stack(segbuilder *b, uint64_t code)
{
    SB_REC(b, WIRE_STACK, 1, 0, 1, code, 0);
}

static void root(segbuilder *b, uint64_t instance)
{
    sb_begin(b, 1, 0, instance);
    sb_end(b, 1, 0);
}

static const snoopi_code *only_code(snoopi_trace *trace, const snoopi_frame *frame)
{
    assert_int_equal(frame->n_stack, 1);
    const snoopi_code *code = snoopi_trace_code(trace, frame->stack[0]);
    assert_non_null(code);
    assert_ptr_equal(code, snoopi_trace_code(trace, frame->stack[0]));
    return code;
}

// Steps to the next frame, which must be there.
static void step(snoopi_walk *walk, snoopi_frame *frame)
{
    assert_int_equal(snoopi_walk_next(walk, frame, NULL), 1);
}

static snoopi_walk *walk_of(snoopi_trace *trace)
{
    snoopi_walk *walk;
    assert_int_equal(snoopi_walk_open(&walk, trace, -1, NULL), 0);
    return walk;
}

static void a_root_has_the_stack_that_stands_before_it(void **state)
{
    segbuilder b;
    begin(&b);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 2, S_G, FILE_SAMPLE, 21, 0, WIRE_CODE_INLINED, S_F,
           FILE_SAMPLE, 11, 1, 0);
    SB_REC(&b, WIRE_CODE, 2, 0x2000, 1, S_F, 0, 0, 0, WIRE_CODE_C);
    SB_REC(&b, WIRE_CODE, 3, UINT64_MAX, 0);
    SB_REC(&b, WIRE_STACK, 1, 0, 3, 1, 2, 3, WIRE_STACK_CUT);
    sb_begin(&b, 1, 0, 1);
    root(&b, 2); // its child
    sb_end(&b, 1, 0);
    root(&b, 3);
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_int_equal(snoopi_trace_n_codes(trace), 3);
    snoopi_walk *walk = walk_of(trace);
    snoopi_frame frame;
    step(walk, &frame);
    assert_int_equal(frame.n_stack, 3);
    assert_true(frame.is_stack_cut);
    const snoopi_code *code = snoopi_trace_code(trace, frame.stack[0]);
    assert_int_equal(code->address, 0x1000);
    assert_int_equal(code->n_places, 2);
    assert_string_equal(code->places[0].name, "g");
    assert_string_equal(code->places[0].file, "sample.jl");
    assert_int_equal(code->places[0].line, 21);
    assert_int_equal(code->places[0].instance, 0);
    assert_true(code->places[0].is_inlined);
    assert_string_equal(code->places[1].name, "f");
    assert_int_equal(code->places[1].instance, 1);
    assert_false(code->places[1].is_inlined || code->places[1].is_c);
    code = snoopi_trace_code(trace, frame.stack[1]);
    assert_true(code->places[0].is_c);
    assert_string_equal(code->places[0].file, "");
    code = snoopi_trace_code(trace, frame.stack[2]);
    assert_true(code->address == UINT64_MAX);
    assert_int_equal(code->n_places, 0);
    for (int i = 0; i < 2; i++) { // the child, and a root without
        step(walk, &frame);
        assert_int_equal(frame.n_stack, 0);
    }
    assert_null(snoopi_trace_code(trace, 0));
    assert_null(snoopi_trace_code(trace, 4));
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_code_that_was_looked_up_later_holds(void **state)
{
    segbuilder b;
    begin(&b);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 0);
    stack(&b, 1);
    root(&b, 1);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 1, S_F, FILE_SAMPLE, 11, 1, 0);
    sb_chunk_begin(&b, 1, 0, 3000); // read after it, though written before
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 0);
    snoopi_trace *trace = tc_open_segment(state, &b);
    snoopi_walk *walk = walk_of(trace);
    snoopi_frame frame;
    step(walk, &frame);
    assert_string_equal(only_code(trace, &frame)->places[0].name, "f");
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void a_stack_belongs_to_the_next_begin_of_its_thread(void **state)
{
    segbuilder b;
    begin(&b);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 0);
    SB_REC(&b, WIRE_CODE, 2, 0x2000, 0);
    stack(&b, 1);
    stack(&b, 2); // the root of the first was never written
    sb_begin(&b, 1, 0, 1);
    stack(&b, 1);
    root(&b, 2); // no root
    sb_end(&b, 1, 0);
    root(&b, 3);
    sb_chunk_begin(&b, 1, 0, 2001);
    sb_task(&b, 2);
    root(&b, 4); // between the stack and the begin of the other thread
    snoopi_trace *trace = tc_open_segment(state, &b);
    snoopi_walk *walk = walk_of(trace);
    snoopi_frame frame;
    static const uint64_t expected[] = {0, 0x2000, 0, 0}; // by begin: 4, 1, 2, 3
    for (size_t i = 0; i < 4; i++) {
        step(walk, &frame);
        assert_int_equal(frame.n_stack > 0 ? only_code(trace, &frame)->address : 0, expected[i]);
    }
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void what_was_lost_is_not_known(void **state)
{
    segbuilder b;
    begin(&b);
    SB_REC(&b, WIRE_CODE, 1, 0x1000, 1, 77, 77, 5, 77, 0);
    SB_REC(&b, WIRE_STACK, 1, 0, 2, 9, 1, 0);
    root(&b, 1);
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_non_null(strstr(snoopi_trace_process(trace, 0)->damage, "refer to lost ones: 1"));
    snoopi_walk *walk = walk_of(trace);
    snoopi_frame frame;
    step(walk, &frame);
    assert_int_equal(frame.n_stack, 2);
    assert_int_equal(frame.stack[0], 0);
    const snoopi_place *place = &snoopi_trace_code(trace, frame.stack[1])->places[0];
    assert_string_equal(place->name, "");
    assert_string_equal(place->file, "");
    assert_int_equal(place->line, 5);
    assert_int_equal(place->instance, 0);
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
    sb_clear(&b);
}

static void codes_of_two_processes_are_told_apart(void **state)
{
    for (uint64_t i = 0; i < 2; i++) {
        segbuilder b;
        begin(&b);
        b.head.pid = 100 + (uint32_t)i;
        b.head.begin_ns = 1000 + i;
        SB_REC(&b, WIRE_CODE, 1, 0x1000, 0);
        SB_REC(&b, WIRE_CODE, 2, 0x1000 + i, 0);
        stack(&b, 2);
        root(&b, 1);
        sb_write(&b, tc_path(state, i ? "1.seg" : "0.seg"));
        sb_clear(&b);
    }
    char folder[4096];
    strcpy(folder, tc_path(state, "0.seg"));
    *strrchr(folder, '/') = '\0';
    assert_int_equal(snoopi_pack(folder, tc_path(state, "trace"), NULL, NULL, NULL), 0);
    snoopi_trace *trace = tc_open(tc_path(state, "trace"));
    assert_int_equal(snoopi_trace_n_codes(trace), 2);
    snoopi_walk *walk = walk_of(trace);
    snoopi_frame frame;
    for (uint64_t i = 0; i < 2; i++) {
        step(walk, &frame);
        assert_int_equal(only_code(trace, &frame)->address, 0x1000 + i);
    }
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
}

static void a_stack_may_be_deep_but_not_deeper_than_the_limit(void **state)
{
    uint64_t record[WIRE_STACK_MAX + 5] = {1, 0};
    for (int over = 0; over < 2; over++) {
        const uint64_t n = WIRE_STACK_MAX + (uint64_t)over;
        segbuilder b;
        begin(&b);
        SB_REC(&b, WIRE_CODE, 1, 0x1000, 0);
        record[2] = n;
        for (uint64_t i = 0; i < n; i++) {
            record[3 + i] = 1;
        }
        record[3 + n] = 0;
        sb_numbers(&b, WIRE_STACK, n + 4, record);
        root(&b, 1);
        snoopi_trace *trace = tc_open_segment(state, &b);
        const char *damage = snoopi_trace_process(trace, 0)->damage;
        assert_true(over ? strstr(damage, "malformed event") != NULL : *damage == '\0');
        if (!over) {
            snoopi_walk *walk = walk_of(trace);
            snoopi_frame frame;
            step(walk, &frame);
            assert_int_equal(frame.n_stack, WIRE_STACK_MAX);
            snoopi_walk_close(walk);
        }
        snoopi_trace_close(trace);
        sb_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_root_has_the_stack_that_stands_before_it),
        WITH_FOLDER(a_code_that_was_looked_up_later_holds),
        WITH_FOLDER(a_stack_belongs_to_the_next_begin_of_its_thread),
        WITH_FOLDER(what_was_lost_is_not_known),
        WITH_FOLDER(codes_of_two_processes_are_told_apart),
        WITH_FOLDER(a_stack_may_be_deep_but_not_deeper_than_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
