// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include <snoopi/scope.h>

#include "tests/unit/tree/scripttrace.h"

// Ids of the frames in a scope, as in "0 1 4". Returns the status that opening gave when that fails.
static int scan(snoopi_trace *trace, const snoopi_scope *scope, char *ids, snoopi_totals *totals,
                snoopi_totals *part)
{
    snoopi_scan *s = NULL;
    snoopi_frame frame;
    snoopi_error err = {0};
    int status = snoopi_scan_open(&s, trace, scope, &err);
    if (status < 0) {
        assert_null(s);
        assert_true(strlen(err.text) > 0);
        return status;
    }
    ids[0] = '\0';
    while ((status = snoopi_scan_next(s, &frame, &err)) == 1) {
        (void)sprintf(ids + strlen(ids), "%s%u", *ids ? " " : "", (unsigned)frame.id);
    }
    *totals = *snoopi_scan_totals(s);
    *part = *snoopi_scan_scope_totals(s);
    snoopi_scan_close(s);
    return status;
}

#define ASSERT_SCOPE(trace, scope, expected)                          \
    do {                                                              \
        char ids[256];                                                \
        snoopi_totals totals, part;                                   \
        assert_int_equal(scan(trace, scope, ids, &totals, &part), 0); \
        assert_string_equal(ids, expected);                           \
    } while (0)

static void all_of_a_recording_is_the_default(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)h");
    ASSERT_SCOPE(trace, NULL, "0 1 2");
    script_clear(&s);
}

// Roots begin at 2000, 2030 (a gap of 10 before it makes 2040), …; the process at 1000.
static void times_choose_whole_roots(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)f(g)f");
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    assert_int_equal(snoopi_trace_origin_ns(trace), SCRIPT_BEGIN_NS);

    scope.from_ns = 1001; // after the first root began
    ASSERT_SCOPE(trace, &scope, "2 3 4");
    scope.to_ns = 1080; // the third begins then
    ASSERT_SCOPE(trace, &scope, "2 3");
    scope.to_ns = 1081;
    ASSERT_SCOPE(trace, &scope, "2 3 4");
    scope.to_ns = 1001;
    ASSERT_SCOPE(trace, &scope, "");
    script_clear(&s);
}

static void totals_are_of_the_whole_and_of_the_scope(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)f(h*)h");
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    char ids[256];
    snoopi_totals totals, part;
    scope.from_ns = 1001;
    assert_int_equal(scan(trace, &scope, ids, &totals, &part), 0);
    assert_int_equal(totals.frames, 5);
    assert_int_equal(totals.roots, 3);
    assert_int_equal(totals.instances, 3);
    assert_int_equal(totals.inference_ns, 30 + 35 + 10);
    assert_int_equal(totals.gc_ns, 5);
    assert_int_equal(part.frames, 3);
    assert_int_equal(part.roots, 2);
    assert_int_equal(part.instances, 2);
    assert_int_equal(part.inference_ns, 35 + 10);

    const snoopi_process *const p = snoopi_trace_process(trace, 0);
    assert_int_equal(totals.wall_ns, p->wall_ns);
    assert_int_equal(totals.inference_ns, p->inference_ns);
    assert_int_equal(totals.busy_ns, p->busy_ns);
    script_clear(&s);
}

static void a_toplevel_line_begins_a_scope(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "@3;f g @7;f @12;h @7;f");
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    static const struct {
        const char *after;
        const char *ids;
    } cases[] = {
        {"a.jl:7", "2 3 4"},   {"/src/a.jl:12", "3 4"}, {"src/a.jl:3", "0 1 2 3 4"},
        {"a.jl", "0 1 2 3 4"}, {"*.jl:1?", "3 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scope.after = cases[i].after;
        ASSERT_SCOPE(trace, &scope, cases[i].ids);
    }

    char ids[256];
    snoopi_totals totals, part;
    scope.after = "a.jl:4";
    assert_int_equal(scan(trace, &scope, ids, &totals, &part), SNOOPI_E_INVALID);
    scope.after = "l:7"; // not a whole component
    assert_int_equal(scan(trace, &scope, ids, &totals, &part), SNOOPI_E_INVALID);
    script_clear(&s);
}

static void a_mark_begins_a_scope(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f !ready;g !done;h");
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    scope.mark = "ready";
    ASSERT_SCOPE(trace, &scope, "1 2");
    scope.mark = "done";
    ASSERT_SCOPE(trace, &scope, "2");

    char ids[256];
    snoopi_totals totals, part;
    scope.mark = "never";
    assert_int_equal(scan(trace, &scope, ids, &totals, &part), SNOOPI_E_INVALID);
    script_clear(&s);
}

static void a_process_is_chosen_by_index_or_role(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    script_process(&s, "f(g)");
    script_process(&s, "h");
    snoopi_trace *const trace = script_open(&s);
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    scope.process = "1";
    ASSERT_SCOPE(trace, &scope, "2");
    scope.process = "0";
    ASSERT_SCOPE(trace, &scope, "0 1");
    scope.process = snoopi_trace_process(trace, 0)->role;
    ASSERT_SCOPE(trace, &scope, "0 1 2");

    char ids[256];
    snoopi_totals totals, part;
    scope.process = "2";
    assert_int_equal(scan(trace, &scope, ids, &totals, &part), SNOOPI_E_INVALID);
    script_clear(&s);
}

static void patterns_match_texts_and_ends_of_paths(void **state)
{
    (void)state;
    assert_true(snoopi_pattern_matches("Base", "Base"));
    assert_false(snoopi_pattern_matches("Base", "Base.Sort"));
    assert_true(snoopi_pattern_matches("Base*", "Base.Sort"));
    assert_true(snoopi_pattern_matches("a[1]", "a[1]")); // the text itself, before any glob
    assert_true(snoopi_pattern_matches_file("sort.jl", "/usr/share/julia/base/sort.jl"));
    assert_true(snoopi_pattern_matches_file("base/*.jl", "/usr/share/julia/base/sort.jl"));
    assert_false(snoopi_pattern_matches_file("ort.jl", "/usr/share/julia/base/sort.jl"));
    assert_true(snoopi_pattern_matches_file("REPL[1]", "REPL[1]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_recording_is_the_default),
        cmocka_unit_test(times_choose_whole_roots),
        cmocka_unit_test(totals_are_of_the_whole_and_of_the_scope),
        cmocka_unit_test(a_toplevel_line_begins_a_scope),
        cmocka_unit_test(a_mark_begins_a_scope),
        cmocka_unit_test(a_process_is_chosen_by_index_or_role),
        cmocka_unit_test(patterns_match_texts_and_ends_of_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
