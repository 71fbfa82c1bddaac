// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include <snoopi/aggregate.h>

#include "tests/unit/tree/scripttrace.h"

// The row of a name; fails the test if there is none.
static const snoopi_row *find_row(const snoopi_aggregate *a, const char *name)
{
    for (size_t i = 0; i < snoopi_aggregate_n_rows(a); i++) {
        if (strcmp(snoopi_aggregate_row(a, i)->name, name) == 0) {
            return snoopi_aggregate_row(a, i);
        }
    }
    fail_msg("no row %s", name);
    return NULL;
}

static snoopi_aggregate *sum(snoopi_trace *trace, snoopi_aggregate_options options)
{
    snoopi_aggregate *a = NULL;
    snoopi_error err = {0};
    if (snoopi_aggregate_new(&a, trace, &options, &err) < 0) {
        fail_msg("%s", err.text);
    }
    return a;
}

static snoopi_aggregate *sum_by(snoopi_trace *trace, snoopi_by by)
{
    snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
    options.by = by;
    return sum(trace, options);
}

#define ASSERT_ROW(row, self, total, n)           \
    do {                                          \
        assert_int_equal((row)->self_ns, self);   \
        assert_int_equal((row)->total_ns, total); \
        assert_int_equal((row)->count, n);        \
    } while (0)

// Whatever the key, self adds up to inference, and count to frames.
static void self_adds_up_to_inference_by_every_key(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    script_process(&s, "t f(g(f(h)F)h*) F |g(g)h");
    script_process(&s, "f(f(f))w");
    snoopi_trace *const trace = script_open(&s);
    for (int by = 0; snoopi_by_name(by); by++) {
        snoopi_aggregate *const a = sum_by(trace, (snoopi_by)by);
        uint64_t self_ns = 0;
        uint64_t count = 0;
        uint64_t gc_ns = 0;
        uint64_t roots = 0;
        for (size_t i = 0; i < snoopi_aggregate_n_rows(a); i++) {
            const snoopi_row *const row = snoopi_aggregate_row(a, i);
            self_ns += row->self_ns;
            count += row->count;
            gc_ns += row->gc_ns;
            roots += row->roots;
            assert_true(row->total_ns >= row->self_ns);
            assert_true(row->self_ns >= row->gc_ns);
        }
        const snoopi_totals *const totals = snoopi_aggregate_totals(a);
        assert_int_equal(self_ns, totals->inference_ns);
        assert_int_equal(count, totals->frames);
        assert_int_equal(gc_ns, totals->gc_ns);
        assert_int_equal(roots, totals->roots);
        assert_int_equal(totals->frames, 15);
        snoopi_aggregate_free(a);
    }
    script_clear(&s);
}

static void total_counts_the_outermost_frame_of_a_key_alone(void **state)
{
    (void)state;
    scripttrace s;
    //                                     f 0…70: g 10…50 (f 20…40 (F 30…40 … )) h
    snoopi_trace *const trace = script_trace(&s, "f(g(f(F)))f(f)");
    snoopi_aggregate *a = sum_by(trace, SNOOPI_BY_METHOD);
    // First root: 7 steps of 10 ns; second: 3 steps. g: 5 steps.
    ASSERT_ROW(find_row(a, "f"), 100 - 20, 70 + 30, 5);
    ASSERT_ROW(find_row(a, "g"), 20, 50, 1);
    snoopi_aggregate_free(a);

    a = sum_by(trace, SNOOPI_BY_INSTANCE); // F is an instance of its own
    uint64_t total_ns = 0;
    for (size_t i = 0; i < snoopi_aggregate_n_rows(a); i++) {
        total_ns += snoopi_aggregate_row(a, i)->total_ns;
    }
    assert_int_equal(snoopi_aggregate_n_rows(a), 3);
    assert_int_equal(total_ns, 100 + 50 + 10);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void a_key_that_left_the_path_counts_again(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "t(f)t(f(f)f)");
    snoopi_aggregate *const a = sum_by(trace, SNOOPI_BY_FUNCTION);
    ASSERT_ROW(find_row(a, "f"), 50, 10 + 30 + 10, 4);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void keys_merge_across_processes(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    script_process(&s, "f g");
    script_process(&s, "f(g)");
    snoopi_trace *const trace = script_open(&s);
    snoopi_aggregate *a = sum_by(trace, SNOOPI_BY_INSTANCE);
    assert_int_equal(snoopi_aggregate_n_rows(a), 2);
    ASSERT_ROW(snoopi_aggregate_row(a, 0), 10 + 20, 10 + 30, 2);
    ASSERT_ROW(snoopi_aggregate_row(a, 1), 20, 20, 2);
    assert_int_equal(snoopi_aggregate_totals(a)->instances, 2);
    snoopi_aggregate_free(a);

    a = sum_by(trace, SNOOPI_BY_PROCESS);
    assert_int_equal(snoopi_aggregate_n_rows(a), 2);
    ASSERT_ROW(snoopi_aggregate_row(a, 0), 30, 30, 2); // the one with more self time is first
    assert_int_equal(snoopi_aggregate_row(a, 0)->process, 1);
    assert_null(snoopi_aggregate_row(a, 0)->module);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void keys_say_what_they_are_of(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(F)))");
    static const struct {
        snoopi_by by;
        const char *name, *module, *package, *file;
        int line;
        uint64_t self_ns, total_ns;
        size_t n_rows;
    } cases[] = {
        {SNOOPI_BY_METHOD, "h", "Lib.Sub", "Lib", "/src/b.jl", 30, 20, 30, 3},
        {SNOOPI_BY_FUNCTION, "h", "Lib.Sub", "Lib", NULL, 0, 20, 30, 3},
        {SNOOPI_BY_MODULE, "Lib.Sub", "Lib.Sub", "Lib", NULL, 0, 20, 30, 3},
        {SNOOPI_BY_PACKAGE, "Lib", NULL, "Lib", NULL, 0, 40, 50, 2},
        {SNOOPI_BY_FILE, "/src/b.jl", NULL, NULL, "/src/b.jl", 0, 40, 50, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snoopi_aggregate *const a = sum_by(trace, cases[i].by);
        const snoopi_row *const row = find_row(a, cases[i].name);
        assert_int_equal(snoopi_aggregate_n_rows(a), cases[i].n_rows);
        assert_true(cases[i].module ? strcmp(row->module, cases[i].module) == 0 : !row->module);
        assert_true(cases[i].package ? strcmp(row->package, cases[i].package) == 0 : !row->package);
        assert_true(cases[i].file ? strcmp(row->file, cases[i].file) == 0 : !row->file);
        assert_int_equal(row->line, cases[i].line);
        assert_int_equal(row->self_ns, cases[i].self_ns);
        assert_int_equal(row->total_ns, cases[i].total_ns);
        snoopi_aggregate_free(a);
    }
    script_clear(&s);
}

static void a_root_has_all_frames_below_it(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)g(f(f))f");
    snoopi_aggregate *const a = sum_by(trace, SNOOPI_BY_ROOT);
    assert_int_equal(snoopi_aggregate_n_rows(a), 2);
    const snoopi_row *const g = snoopi_aggregate_row(a, 0);
    assert_string_equal(g->module, "Lib");
    ASSERT_ROW(g, 50, 50, 3);
    assert_int_equal(g->roots, 1);
    const snoopi_row *const f = snoopi_aggregate_row(a, 1);
    ASSERT_ROW(f, 40, 40, 3);
    assert_int_equal(f->roots, 2);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void threads_are_told_apart(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)|f f");
    snoopi_aggregate *const a = sum_by(trace, SNOOPI_BY_THREAD);
    assert_int_equal(snoopi_aggregate_n_rows(a), 2);
    ASSERT_ROW(find_row(a, "process 0 thread 0"), 30, 30, 2);
    ASSERT_ROW(find_row(a, "process 0 thread 1"), 20, 20, 2);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void frames_keep_the_greatest_when_limited(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(t)))f f f");
    snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
    options.by = SNOOPI_BY_FRAME;
    options.sort = SNOOPI_SORT_TOTAL;
    options.limit = 3;
    snoopi_aggregate *a = sum(trace, options);
    assert_int_equal(snoopi_aggregate_n_rows(a), 3);
    assert_int_equal(snoopi_aggregate_n_found(a), 7);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(snoopi_aggregate_row(a, i)->id, i);
        assert_int_equal(snoopi_aggregate_row(a, i)->total_ns, 70 - 20 * i);
        assert_int_equal(snoopi_aggregate_row(a, i)->parent, (int64_t)i - 1);
        assert_int_equal(snoopi_aggregate_row(a, i)->depth, i);
    }
    snoopi_aggregate_free(a);

    options.limit = 0;
    options.tmin_ns = 30;
    a = sum(trace, options);
    assert_int_equal(snoopi_aggregate_n_rows(a), 3);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

// A limit keeps what the whole list begins with, whatever the order.
static void limited_rows_begin_the_whole_list(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h)F)w t(f*)h g(w)w(w)F(F*)");
    for (int by = 0; snoopi_by_name(by); by++) {
        for (int sort = 0; snoopi_sort_name(sort); sort++) {
            snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
            options.by = (snoopi_by)by;
            options.sort = (snoopi_sort)sort;
            snoopi_aggregate *const all = sum(trace, options);
            for (options.limit = 1; options.limit <= snoopi_aggregate_n_rows(all);
                 options.limit++) {
                snoopi_aggregate *const some = sum(trace, options);
                assert_int_equal(snoopi_aggregate_n_rows(some), options.limit);
                assert_int_equal(snoopi_aggregate_n_found(some), snoopi_aggregate_n_rows(all));
                for (size_t i = 0; i < options.limit; i++) {
                    assert_string_equal(snoopi_aggregate_row(some, i)->name,
                                        snoopi_aggregate_row(all, i)->name);
                    assert_int_equal(snoopi_aggregate_row(some, i)->id,
                                     snoopi_aggregate_row(all, i)->id);
                }
                snoopi_aggregate_free(some);
            }
            snoopi_aggregate_free(all);
        }
    }
    script_clear(&s);
}

static void a_filter_leaves_frames_out_and_totals_whole(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(g)))");
    snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
    options.by = SNOOPI_BY_FUNCTION;
    options.filter.module = "Lib";
    snoopi_aggregate *a = sum(trace, options);
    assert_int_equal(snoopi_aggregate_n_rows(a), 1);
    ASSERT_ROW(find_row(a, "g"), 30, 50, 2);
    assert_int_equal(snoopi_aggregate_totals(a)->inference_ns, 70);
    snoopi_aggregate_free(a);

    options.filter = (snoopi_filter){.package = "Li*", .file = "b.jl"};
    a = sum(trace, options);
    assert_int_equal(snoopi_aggregate_n_rows(a), 2);
    snoopi_aggregate_free(a);

    options.by = SNOOPI_BY_PROCESS; // no module of its own: the sums of the frames that match
    options.filter = (snoopi_filter){.module = "Lib.Sub"};
    a = sum(trace, options);
    ASSERT_ROW(snoopi_aggregate_row(a, 0), 20, 30, 1);
    snoopi_aggregate_free(a);

    options.by = SNOOPI_BY_ROOT; // roots that match
    a = sum(trace, options);
    assert_int_equal(snoopi_aggregate_n_rows(a), 0);
    snoopi_aggregate_free(a);
    script_clear(&s);
}

static void an_empty_recording_has_no_rows(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "");
    for (int by = 0; snoopi_by_name(by); by++) {
        snoopi_aggregate *const a = sum_by(trace, (snoopi_by)by);
        assert_int_equal(snoopi_aggregate_n_rows(a), 0);
        assert_int_equal(snoopi_aggregate_totals(a)->frames, 0);
        snoopi_aggregate_free(a);
    }
    script_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_adds_up_to_inference_by_every_key),
        cmocka_unit_test(total_counts_the_outermost_frame_of_a_key_alone),
        cmocka_unit_test(a_key_that_left_the_path_counts_again),
        cmocka_unit_test(keys_merge_across_processes),
        cmocka_unit_test(keys_say_what_they_are_of),
        cmocka_unit_test(a_root_has_all_frames_below_it),
        cmocka_unit_test(threads_are_told_apart),
        cmocka_unit_test(frames_keep_the_greatest_when_limited),
        cmocka_unit_test(limited_rows_begin_the_whole_list),
        cmocka_unit_test(a_filter_leaves_frames_out_and_totals_whole),
        cmocka_unit_test(an_empty_recording_has_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
