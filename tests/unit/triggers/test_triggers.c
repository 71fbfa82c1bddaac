// SPDX-License-Identifier: MIT
// Triggers of hand-made stacks: the caller, the site, the class; and what they add up to.
#include <stdio.h>
#include <string.h>

#include <snoopi/triggers.h>

#include "tests/unit/format/tracecheck.h"
#include "tests/unit/triggers/stackscript.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

enum { F = 1, G, H, THUNK = 5, LINE = 77 };

// Words that begin each stack, and those below a script.
#define ENTER "e:typeinf_ext c:jl_type_infer "
#define CALL  ENTER "c:jl_apply_generic "
#define MAIN  " c:jl_toplevel_eval_flex c:jl_load_rewrite ? ? c:main"

// "class caller line n_places near" of the trigger of a root of g.
static void describe(void **state, const char *stack, bool is_all, char text[static 128])
{
    stackscript s;
    ss_init(&s);
    ss_line(&s, LINE);
    ss_root(&s, G, stack);
    snoopi_trace *trace = tc_open_segment(state, &s.b);
    assert_string_equal(snoopi_trace_process(trace, 0)->damage, "");
    snoopi_trigger_finder *finder;
    snoopi_walk *walk;
    snoopi_frame root;
    snoopi_trigger t;
    assert_int_equal(snoopi_trigger_finder_new(&finder, trace, is_all, NULL), 0);
    assert_int_equal(snoopi_walk_open(&walk, trace, -1, NULL), 0);
    assert_int_equal(snoopi_walk_next(walk, &root, NULL), 1);
    assert_int_equal(snoopi_trigger_find(finder, &root, &t, NULL), 0);
    const char *word = snoopi_trigger_class_name((int)t.trigger_class);
    (void)snprintf(text, 128, "%s %u %u %u %s", word ? word : "-", t.caller, t.line, t.n_places,
                   t.is_near ? "near" : "far");
    assert_int_equal(t.callee, G);
    snoopi_walk_close(walk);
    snoopi_trigger_finder_free(finder);
    snoopi_trace_close(trace);
    ss_clear(&s);
}

typedef struct {
    const char *stack;
    const char *expected;
} row;

static void check(void **state, const row *rows, size_t n, bool is_all)
{
    for (size_t i = 0; i < n; i++) {
        char text[128];
        describe(state, rows[i].stack, is_all, text);
        if (strcmp(text, rows[i].expected) != 0) {
            fail_msg("'%s': %s, expected %s", rows[i].stack, text, rows[i].expected);
        }
    }
}
#define CHECK(state, rows, is_all) check(state, rows, sizeof(rows) / sizeof(rows)[0], is_all)

static void each_class_is_told(void **state)
{
    static const row rows[] = {
        {CALL "h12 c: f3" MAIN, "dispatch 3 12 1 near"},
        {CALL MAIN, "toplevel 0 77 0 near"},
        {CALL "!13" MAIN, "toplevel 0 13 1 near"},
        {CALL "c:start_task", "task 0 77 0 near"},
        {CALL "c:", "task 0 77 0 near"}, // the library was stripped
        {ENTER "c:jl_compile_hint b:precompile f3" MAIN, "precompile 1 3 1 near"},
        {ENTER "c:ijl_compile_hint b:precompile" MAIN, "precompile 0 77 0 near"},
        {"e:typeinf_type f3" MAIN, "return_type 1 3 1 near"},
        {"e:typeinf_type b:return_type f3" MAIN, "return_type 1 3 1 near"},
        {"e:typeinf_type b:return_types f3" MAIN, "reflection 1 3 1 near"},
        {"e:typeinf_code f3" MAIN, "reflection 1 3 1 near"},
        {"e:typeinf_code b:code_typed" MAIN, "reflection 0 77 0 near"},
        {"e:typeinf_type c:jl_call_in_typeinf_world b:invoke_in_typeinf_world b:return_types f3" MAIN,
         "reflection 1 3 1 near"},
        {CALL "c:jl_f__call_latest f3" MAIN, "eval 1 3 1 near"},
        {CALL "c: +b:#invokelatest#1 +b:invokelatest f3" MAIN, "eval 1 3 1 near"},
        {CALL "c:jl_toplevel_eval_flex c:jl_toplevel_eval_in b:eval f3" MAIN, "eval 1 3 1 near"},
        {CALL "c:jl_toplevel_eval_flex c:jl_toplevel_eval_in ? f3" MAIN, "eval 1 3 1 near"},
        {CALL "c:jl_call1 f3" MAIN, "ccallback 1 3 1 near"},
        {CALL "c:jlcapi_cmp_12 c:qsort f3" MAIN, "ccallback 1 3 1 near"},
        {CALL "c:ijl_init_restored_modules b:_include_from_serialized f3" MAIN, "load 0 77 0 near"},
        {CALL "c:jl_toplevel_eval_flex b:include_string b:include f3" MAIN, "toplevel 0 77 0 near"},
        {CALL "c:jl_toplevel_eval_flex b:eval b:include_string b:include b:_require" MAIN,
         "toplevel 0 77 0 near"},
        {CALL "c:jl_toplevel_eval_flex b:eval b:_require b:require" MAIN, "load 0 77 0 near"},
    };
    CHECK(state, rows, false);
}

static void the_site_has_the_whole_inlining_chain(void **state)
{
    static const row rows[] = {
        {CALL "+g21 +f11 h5 f3" MAIN, "dispatch 3 21 3 near"},
        {CALL "+b:invokelatest +g21 h5 f3" MAIN, "eval 3 21 2 near"},
    };
    CHECK(state, rows, false);
}

static void what_passes_on_is_stepped_over_unless_all_is_asked_for(void **state)
{
    static const row plain[] = {
        {CALL "t:do_test f3" MAIN, "dispatch 1 3 1 near"},
        {CALL "b:include f3" MAIN, "dispatch 1 3 1 near"},
        {"e:typeinf_ext ? b:abstract_call f3" MAIN, "dispatch 0 331 1 far"},
    };
    static const row all[] = {
        {CALL "t:do_test f3" MAIN, "dispatch 0 0 1 near"},
        {CALL "b:include f3" MAIN, "dispatch 0 331 1 near"},
        {ENTER "c:jl_compile_hint b:precompile f3" MAIN, "precompile 0 331 1 near"},
    };
    CHECK(state, plain, false);
    CHECK(state, all, true);
}

static void what_is_not_known_is_said_to_be_so(void **state)
{
    static const row rows[] = {
        {"", "- 0 77 0 far"},
        {CALL "? ? c:", "dispatch 0 77 0 far"},
        {CALL "? h12 f3" MAIN, "dispatch 3 12 1 far"},
        {CALL "c:jl_toplevel_eval_flex c:jl_toplevel_eval_in ? ? f3" MAIN, "toplevel 0 77 0 near"},
    };
    CHECK(state, rows, false);
}

// --- sums ---

// f calls g and h by dispatch, g at two lines; h also from the top level; each root takes 10 ns.
static snoopi_trace *sample(void **state)
{
    stackscript s;
    ss_init(&s);
    ss_line(&s, 1);
    ss_root(&s, F, CALL MAIN);
    ss_root(&s, G, CALL "f11" MAIN);
    ss_root(&s, H, CALL "g21 f11" MAIN);
    ss_root(&s, G, CALL "f12" MAIN);
    ss_root(&s, H, CALL "f12" MAIN);
    ss_line(&s, 2);
    ss_root(&s, H, CALL MAIN);
    ss_root(&s, H, "");
    snoopi_trace *trace = tc_open_segment(state, &s.b);
    ss_clear(&s);
    return trace;
}

static const char *name_of(snoopi_trace *trace, uint32_t instance, const char *otherwise)
{
    return instance ? snoopi_trace_instance(trace, instance)->method_name : otherwise;
}

// Rows as "callee<caller:line xCOUNT callees/callers" with letters for names, the depth of a tree as dots.
static void list(void **state, snoopi_triggers_options options, const char *expected)
{
    char text[1024] = "";
    snoopi_trace *trace = sample(state);
    snoopi_triggers *triggers;
    uint64_t total = 0;
    assert_int_equal(snoopi_triggers_new(&triggers, trace, &options, NULL), 0);
    for (size_t i = 0; i < snoopi_triggers_n_rows(triggers); i++) {
        const snoopi_trigger_row *r = snoopi_triggers_row(triggers, i);
        char *at = text + strlen(text);
        (void)sprintf(at, "%s%.*s%.1s<%.1s:%u x%u %u/%u", i ? ", " : "", (int)r->depth, "......",
                      name_of(trace, r->callee_instance, "*"),
                      name_of(trace, r->caller_instance, r->caller ? r->caller : "-"), r->line,
                      (unsigned)r->count, (unsigned)r->callees, (unsigned)r->callers);
        total += r->total_ns;
        assert_true(r->total_ns == 10 * r->count);
        if (r->parent >= 0) {
            assert_true(r->parent < (int64_t)i);
            assert_int_equal(snoopi_triggers_row(triggers, (size_t)r->parent)->depth + 1, r->depth);
        }
    }
    assert_string_equal(text, expected);
    if (snoopi_triggers_n_found(triggers) == snoopi_triggers_n_rows(triggers) && !options.tmin_ns) {
        assert_true(total == snoopi_triggers_totals(triggers)->inference_ns);
    }
    assert_int_equal(snoopi_triggers_n_stacks(triggers), 6);
    snoopi_triggers_free(triggers);
    snoopi_trace_close(trace);
}

static void rows_are_of_the_key_that_was_asked_for(void **state)
{
    static const struct {
        snoopi_triggers_by by;
        const char *expected;
    } cases[] = {
        {SNOOPI_TRIGGERS_BY_PAIR, // names are equal here: no function is among the argument types
         "f<-:1 x1 1/1, h<-:2 x1 1/0, h<-:2 x1 1/1, g<f:11 x1 1/1, g<f:12 x1 1/1, h<f:12 x1 1/1, h<g:21 x1 1/1"},
        {SNOOPI_TRIGGERS_BY_SITE,
         "*<-:2 x2 1/1, *<f:12 x2 2/1, *<-:1 x1 1/1, *<f:11 x1 1/1, *<g:21 x1 1/1"},
        {SNOOPI_TRIGGERS_BY_CALLEE, "h<-:30 x4 1/3, g<-:20 x2 1/1, f<-:10 x1 1/1"},
        {SNOOPI_TRIGGERS_BY_METHOD, "*<f:10 x3 2/1, *<-:0 x2 2/1, *<-:0 x1 1/0, *<g:20 x1 1/1"},
        {SNOOPI_TRIGGERS_BY_TREE,
         "f<-:1 x1 1/1, .g<f:11 x1 1/1, ..h<g:21 x1 1/1, .g<f:12 x1 1/1, .h<f:12 "
         "x1 1/1, h<-:2 x1 1/0, h<-:2 x1 1/1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi_triggers_options options = SNOOPI_TRIGGERS_INIT;
        options.by = cases[i].by;
        list(state, options, cases[i].expected);
    }
}

static void rows_can_be_sorted_and_limited(void **state)
{
    snoopi_triggers_options options = SNOOPI_TRIGGERS_INIT;
    options.by = SNOOPI_TRIGGERS_BY_CALLEE;
    options.sort = SNOOPI_TRIGGERS_SORT_NAME;
    list(state, options, "f<-:10 x1 1/1, g<-:20 x2 1/1, h<-:30 x4 1/3");
    options.limit = 2;
    list(state, options, "f<-:10 x1 1/1, g<-:20 x2 1/1");
    options.tmin_ns = 20;
    list(state, options, "g<-:20 x2 1/1, h<-:30 x4 1/3");
    options.by = SNOOPI_TRIGGERS_BY_TREE;
    list(state, options, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(each_class_is_told),
        WITH_FOLDER(the_site_has_the_whole_inlining_chain),
        WITH_FOLDER(what_passes_on_is_stepped_over_unless_all_is_asked_for),
        WITH_FOLDER(what_is_not_known_is_said_to_be_so),
        WITH_FOLDER(rows_are_of_the_key_that_was_asked_for),
        WITH_FOLDER(rows_can_be_sorted_and_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
