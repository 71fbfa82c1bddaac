// SPDX-License-Identifier: MIT
// Findings of hand-made recordings: where the thresholds are, and what order findings come in. Programs that have each fault, and
// such as have not, are in tests/cli/advise.bats.
#include <string.h>

#include <snoopi/advice.h>

#include "base/varint.h"
#include "tests/unit/format/tracecheck.h"
#include "tests/unit/triggers/stackscript.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

enum { F = 1, G, H, SPEC_NODE = 40, SPEC_INSTANCE = 20, STRING_F = 5, MAIN = 1, SAMPLE_JL = 1 };

#define CALL "e:typeinf_ext c:jl_apply_generic "
#define TOP  " c:jl_toplevel_eval_flex ? c:main"

// Instances SPEC_INSTANCE … of method f, for n types of its argument: Tuple{Tuple{…}, Tk}.
static void define_instances(stackscript *s, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t type = SPEC_NODE + 2 * i;
        SB_REC(&s->b, WIRE_TYPENAME, 10 + i, STRING_F + i, MAIN, 0, WIRE_TN_CONCRETE);
        SB_REC(&s->b, WIRE_NODE, type, WIRE_FORM_DATATYPE, 10 + i, WIRE_DATATYPE_WRAPPER, 0);
        SB_REC(&s->b, WIRE_NODE, type + 1, WIRE_FORM_DATATYPE, 2, 0, 2, 2, type);
        SB_REC(&s->b, WIRE_INSTANCE, SPEC_INSTANCE + i, WIRE_INSTANCE_METHOD, F, type + 1);
    }
}

static snoopi_advice *advise(snoopi_trace *trace, snoopi_advice_options options)
{
    snoopi_advice *advice;
    assert_int_equal(snoopi_advice_new(&advice, trace, &options, NULL), 0);
    return advice;
}

// The first finding of a kind, or NULL.
static const snoopi_finding *find(const snoopi_advice *advice, snoopi_advice_kind kind)
{
    for (size_t i = 0; i < snoopi_advice_n_findings(advice); i++) {
        const snoopi_finding *f = snoopi_advice_finding(advice, i);
        if (f->kind == kind) {
            return f;
        }
    }
    return NULL;
}

static void four_instances_are_many_and_three_are_not(void **state)
{
    for (uint64_t n = 3; n <= 4; n++) {
        stackscript s;
        ss_init(&s);
        define_instances(&s, n);
        for (uint64_t i = 0; i < n; i++) {
            ss_root(&s, SPEC_INSTANCE + i, "");
        }
        snoopi_trace *trace = tc_open_segment(state, &s.b);
        snoopi_advice *advice = advise(trace, (snoopi_advice_options)SNOOPI_ADVICE_INIT);
        const snoopi_finding *f = find(advice, SNOOPI_ADVICE_SPECIALIZATION);
        assert_int_equal(f != NULL, n == 4);
        if (f) {
            assert_int_equal(f->saved_ns, 30); // all but the dearest one
            assert_int_equal(f->count, 4);
            assert_string_equal(f->file, "sample.jl");
            assert_int_equal(f->line, 10);
            assert_string_equal(f->evidence[1], "argument 1 takes 4 types: f, g, h, gen");
        }
        snoopi_advice_free(advice);
        snoopi_trace_close(trace);
        ss_clear(&s);
    }
}

static void calls_of_a_place_are_one_finding(void **state)
{
    stackscript s;
    ss_init(&s);
    define_instances(&s, 2);
    ss_root(&s, SPEC_INSTANCE, CALL "h31 g21" TOP);
    ss_root(&s, SPEC_INSTANCE + 1, CALL "h31 g22" TOP);
    ss_root(&s, SPEC_INSTANCE, CALL "h32" TOP);
    ss_root(&s, G, CALL TOP); // the top level may call what it likes
    snoopi_trace *trace = tc_open_segment(state, &s.b);
    snoopi_advice_options options = SNOOPI_ADVICE_INIT;
    snoopi_advice *advice = advise(trace, options);
    const snoopi_finding *f = find(advice, SNOOPI_ADVICE_DISPATCH);
    assert_ptr_equal(f, snoopi_advice_finding(advice, 0));
    assert_string_equal(f->file, "/src/own.jl");
    assert_int_equal(f->line, 31);
    assert_int_equal(f->count, 2);
    assert_int_equal(f->saved_ns, 20);
    assert_string_equal(f->name, "h");
    assert_string_equal(f->what, "h calls f by dispatch, with 2 sets of argument types");
    assert_string_equal(f->evidence[1], "argument 1 arrives as 2 types: f, g");
    assert_int_equal(snoopi_advice_finding(advice, 1)->line, 32);
    options.filter.file = "nothing.jl";
    snoopi_advice_free(advice);
    advice = advise(trace, options);
    assert_int_equal(snoopi_advice_n_found(advice), 0);
    snoopi_advice_free(advice);
    snoopi_trace_close(trace);
    ss_clear(&s);
}

static void findings_are_limited_by_time_and_number(void **state)
{
    stackscript s;
    ss_init(&s);
    define_instances(&s, 4);
    for (uint64_t i = 0; i < 8; i++) {
        ss_root(&s, SPEC_INSTANCE + i % 4, ""); // each twice
    }
    snoopi_trace *trace = tc_open_segment(state, &s.b);
    snoopi_advice_options options = SNOOPI_ADVICE_INIT;
    snoopi_advice *advice = advise(trace, options);
    assert_int_equal(snoopi_advice_n_findings(advice), 2);
    assert_int_equal(snoopi_advice_finding(advice, 0)->kind, SNOOPI_ADVICE_SPECIALIZATION);
    assert_int_equal(snoopi_advice_finding(advice, 0)->saved_ns, 60);
    assert_int_equal(snoopi_advice_finding(advice, 1)->kind, SNOOPI_ADVICE_REPEATED);
    assert_int_equal(snoopi_advice_finding(advice, 1)->saved_ns, 40);
    snoopi_advice_free(advice);
    options.limit = 1;
    advice = advise(trace, options);
    assert_int_equal(snoopi_advice_n_findings(advice), 1);
    assert_int_equal(snoopi_advice_n_found(advice), 2);
    snoopi_advice_free(advice);
    options.limit = 0;
    options.tmin_ns = 61;
    advice = advise(trace, options);
    assert_int_equal(snoopi_advice_n_found(advice), 0);
    snoopi_advice_free(advice);
    options.tmin_ns = 0;
    options.filter.module = "Other";
    advice = advise(trace, options);
    assert_int_equal(snoopi_advice_n_found(advice), 0);
    snoopi_advice_free(advice);
    snoopi_trace_close(trace);
    ss_clear(&s);
}

static void a_type_that_doubles_with_each_level_is_no_trouble(void **state)
{
    enum { LEVELS = 60 };
    stackscript s;
    ss_init(&s);
    sb_string(&s.b, 200, "Weighing");
    SB_REC(&s.b, WIRE_MODULE, 2, 200, 0, 0);
    SB_REC(&s.b, WIRE_TYPENAME, 10, STRING_F, 2, 0, WIRE_TN_CONCRETE);
    SB_REC(&s.b, WIRE_NODE, SPEC_NODE, WIRE_FORM_DATATYPE, 10, WIRE_DATATYPE_WRAPPER, 0);
    for (uint64_t i = 1; i <= LEVELS; i++) {
        const uint64_t below = SPEC_NODE + i - 1;
        SB_REC(&s.b, WIRE_NODE, SPEC_NODE + i, WIRE_FORM_DATATYPE, 10, 0, 2, below, below);
    }
    const uint64_t spec = SPEC_NODE + LEVELS + 1;
    SB_REC(&s.b, WIRE_NODE, spec, WIRE_FORM_DATATYPE, 2, 0, 2, SPEC_NODE, spec - 1);
    SB_REC(&s.b, WIRE_METHOD, 9, STRING_F, 2, SAMPLE_JL, snoopi__zigzag(7), 1, 0, 2, spec);
    SB_REC(&s.b, WIRE_INSTANCE, 30, WIRE_INSTANCE_METHOD, 9, spec);
    ss_root(&s, 30, CALL "h31" TOP);
    snoopi_trace *trace = tc_open_segment(state, &s.b);
    snoopi_advice *advice = advise(trace, (snoopi_advice_options)SNOOPI_ADVICE_INIT);
    const snoopi_finding *f = find(advice, SNOOPI_ADVICE_PRECOMPILE);
    assert_non_null(f); // all its types are the package's own
    assert_string_equal(f->name, "Weighing");
    assert_int_equal(f->saved_ns, 10);
    snoopi_advice_free(advice);
    snoopi_trace_close(trace);
    ss_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(four_instances_are_many_and_three_are_not),
        WITH_FOLDER(calls_of_a_place_are_one_finding),
        WITH_FOLDER(findings_are_limited_by_time_and_number),
        WITH_FOLDER(a_type_that_doubles_with_each_level_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
