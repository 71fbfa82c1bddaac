// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include <snoopi/diff.h>

#include "tests/unit/tree/scripttrace.h"

enum { RUNS_MAX = 4 };

typedef struct {
    scripttrace scripts[2][RUNS_MAX];
    snoopi_trace *traces[2][RUNS_MAX];
    size_t n[2];
    snoopi_diff *diff;
} comparison;

// Compares the runs of two sides, whose scripts end with NULL.
static void compare(comparison *c, const char *const *before, const char *const *after,
                    snoopi_diff_options options)
{
    const char *const *const sides[] = {before, after};
    snoopi_error err = {0};
    memset(c, 0, sizeof *c);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; sides[side][i]; i++) {
            script_init(&c->scripts[side][i]);
            c->traces[side][i] = script_trace(&c->scripts[side][i], sides[side][i]);
            c->n[side]++;
        }
    }
    if (snoopi_diff_new(&c->diff, c->traces[0], c->n[0], c->traces[1], c->n[1], &options, &err) <
        0) {
        fail_msg("%s", err.text);
    }
}

static void clear(comparison *c)
{
    snoopi_diff_free(c->diff);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->n[side]; i++) {
            script_clear(&c->scripts[side][i]);
        }
    }
}

static const snoopi_diff_options by_method = {.by = SNOOPI_BY_METHOD, .scope = SNOOPI_SCOPE_ALL};

#define RUNS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const snoopi_diff_row *find(const comparison *c, const char *name)
{
    for (size_t i = 0; i < snoopi_diff_n_rows(c->diff); i++) {
        const snoopi_diff_row *const row = snoopi_diff_row_at(c->diff, i);
        if (strcmp((row->after ? row->after : row->before)->name, name) == 0) {
            return row;
        }
    }
    fail_msg("no row %s", name);
    return NULL;
}

static void rows_are_matched_appear_and_vanish(void **state)
{
    (void)state;
    comparison c;
    compare(&c, RUNS("f(g)h"), RUNS("f(g(g))w"), by_method);
    assert_int_equal(snoopi_diff_n_rows(c.diff), 4);
    assert_int_equal(snoopi_diff_n_appeared(c.diff), 1);
    assert_int_equal(snoopi_diff_n_vanished(c.diff), 1);
    assert_null(find(&c, "h")->after);
    assert_null(find(&c, "a;b \"c\"")->before);
    const snoopi_diff_row *const g = find(&c, "g");
    assert_int_equal(g->before->count, 1);
    assert_int_equal(g->after->count, 2);
    assert_int_equal(g->before->self_ns, 10);
    assert_int_equal(g->after->self_ns, 30);
    assert_int_equal(snoopi_diff_before(c.diff)->part.frames, 3);
    assert_int_equal(snoopi_diff_after(c.diff)->part.frames, 4);
    clear(&c);
}

// What stands in one recording's table of rows stands in the diff, whatever the key.
static void changes_add_up_to_the_change_of_the_sums(void **state)
{
    (void)state;
    for (int by = SNOOPI_BY_INSTANCE; snoopi_by_name(by); by++) {
        comparison c;
        snoopi_diff_options options = SNOOPI_DIFF_INIT;
        options.by = (snoopi_by)by;
        compare(&c, RUNS("t f(g(f(h)F)h*) F |g(g)h"), RUNS("f(f(f))w @9;t g(h)"), options);
        uint64_t self[2] = {0};
        uint64_t count[2] = {0};
        for (size_t i = 0; i < snoopi_diff_n_rows(c.diff); i++) {
            const snoopi_diff_row *const row = snoopi_diff_row_at(c.diff, i);
            assert_true(row->before || row->after);
            const snoopi_row *const sides[] = {row->before, row->after};
            for (int side = 0; side < 2; side++) {
                self[side] += sides[side] ? sides[side]->self_ns : 0;
                count[side] += sides[side] ? sides[side]->count : 0;
            }
        }
        assert_int_equal(self[0], snoopi_diff_before(c.diff)->whole.inference_ns);
        assert_int_equal(self[1], snoopi_diff_after(c.diff)->whole.inference_ns);
        assert_int_equal(count[0], snoopi_diff_before(c.diff)->whole.frames);
        assert_int_equal(count[1], snoopi_diff_after(c.diff)->whole.frames);
        clear(&c);
    }
}

static void a_recording_is_equal_to_itself(void **state)
{
    (void)state;
    comparison c;
    snoopi_diff_options options = SNOOPI_DIFF_INIT;
    options.is_changed_only = true;
    compare(&c, RUNS("t f(g(f(h)F)h*)"), RUNS("t f(g(f(h)F)h*)"), options);
    assert_int_equal(snoopi_diff_n_rows(c.diff), 0);
    assert_int_equal(snoopi_diff_n_appeared(c.diff), 0);
    clear(&c);
}

static void several_recordings_count_by_their_medians(void **state)
{
    (void)state;
    comparison c;
    compare(&c, RUNS("f(g( ))", "f(g)", "f(g(    ))"), RUNS("f(g)", "f(g(  ))"), by_method);
    const snoopi_diff_row *const g = find(&c, "g");
    assert_int_equal(g->before->self_ns, 20);
    assert_int_equal(g->before_self.min_ns, 10);
    assert_int_equal(g->before_self.max_ns, 50);
    assert_int_equal(g->after->self_ns, 20); // between 10 and 30
    assert_int_equal(g->before->count, 1);
    assert_true(snoopi_diff_before(c.diff)->is_steady);
    assert_int_equal(snoopi_diff_before(c.diff)->n_recordings, 3);
    clear(&c);
    compare(&c, RUNS("f", "f g"), RUNS("f"), by_method);
    assert_false(snoopi_diff_before(c.diff)->is_steady);
    clear(&c);
}

static void a_filter_is_for_rows_and_sums(void **state)
{
    (void)state;
    const snoopi_by keys[] = {SNOOPI_BY_INSTANCE, SNOOPI_BY_METHOD, SNOOPI_BY_PACKAGE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        comparison c;
        snoopi_diff_options options = SNOOPI_DIFF_INIT;
        options.by = keys[i];
        options.filter.package = "Lib";
        compare(&c, RUNS("f(g)"), RUNS("f(f(f(g h)))"), options);
        assert_int_equal(snoopi_diff_before(c.diff)->part.frames, 1);
        assert_int_equal(snoopi_diff_after(c.diff)->part.frames, 2);
        assert_int_equal(snoopi_diff_after(c.diff)->part.instances, 2);
        assert_int_equal(snoopi_diff_after(c.diff)->whole.frames, 5);
        clear(&c);
    }
}

static void order_and_limit(void **state)
{
    (void)state;
    comparison c;
    snoopi_diff_options options = by_method;
    options.sort = SNOOPI_DIFF_DELTA_COUNT;
    options.limit = 1;
    compare(&c, RUNS("f(g)"), RUNS("f(   )g g g"), options);
    assert_int_equal(snoopi_diff_n_rows(c.diff), 1);
    assert_int_equal(snoopi_diff_n_found(c.diff), 2);
    assert_string_equal(snoopi_diff_row_at(c.diff, 0)->after->name, "g");
    clear(&c);
    options.sort = SNOOPI_DIFF_NAME;
    compare(&c, RUNS("f(g)"), RUNS("f(   )g g g"), options);
    assert_string_equal(snoopi_diff_row_at(c.diff, 0)->after->name, "f");
    clear(&c);
    options.tmin_ns = 50;
    compare(&c, RUNS("f(g)"), RUNS("f(   )g g g"), options);
    assert_int_equal(snoopi_diff_n_found(c.diff), 0);
    clear(&c);
}

static void frames_cannot_be_compared(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    snoopi_trace *const trace = script_trace(&s, "f");
    snoopi_diff_options options = SNOOPI_DIFF_INIT;
    snoopi_diff *diff = NULL;
    options.by = SNOOPI_BY_FRAME;
    assert_int_equal(snoopi_diff_new(&diff, &trace, 1, &trace, 1, &options, NULL),
                     SNOOPI_E_INVALID);
    assert_null(diff);
    script_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_matched_appear_and_vanish),
        cmocka_unit_test(changes_add_up_to_the_change_of_the_sums),
        cmocka_unit_test(a_recording_is_equal_to_itself),
        cmocka_unit_test(several_recordings_count_by_their_medians),
        cmocka_unit_test(a_filter_is_for_rows_and_sums),
        cmocka_unit_test(order_and_limit),
        cmocka_unit_test(frames_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
