// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include <snoopi/tree.h>

#include "tests/unit/tree/scripttrace.h"

typedef struct {
    char text[1024];
    uint64_t stop_after; // 0: never
    uint64_t n;
    uint32_t levels;
} drawing;

// The first letter of a name, with "F" for f(::Float64) and "t" for the thunk.
static char letter_of(const snoopi_row *row)
{
    if (strstr(row->name, "Float64")) {
        return 'F';
    }
    return row->line == 3 ? 't' : row->line == 40 ? 'w' : row->name[0];
}

// A node as "f:30/50x2": self, total and count, after as many dots as it is deep.
static void draw(drawing *d, const snoopi_row *row)
{
    char dots[32] = "";
    for (uint32_t i = 0; i < row->depth && i + 1 < sizeof dots; i++) {
        strcat(dots, ".");
    }
    const size_t used = strlen(d->text);
    (void)snprintf(d->text + used, sizeof d->text - used, "%s%s%c:%u/%ux%u", used > 0 ? " " : "",
                   dots, letter_of(row), (unsigned)row->self_ns, (unsigned)row->total_ns,
                   (unsigned)row->count);
}

static void draw_tree(drawing *d, snoopi_trace *trace, const snoopi_tree_options *options)
{
    snoopi_tree *tree = NULL;
    snoopi_error err = {0};
    *d = (drawing){0};
    if (snoopi_tree_new(&tree, trace, options, &err) < 0) {
        fail_msg("%s", err.text);
    }
    const size_t n = snoopi_tree_n_nodes(tree);
    d->levels = snoopi_tree_levels(tree);
    for (size_t i = 0; i < n; i++) {
        snoopi_row row;
        snoopi_tree_node(tree, i, &row);
        assert_int_equal(row.id, i);
        assert_true(row.parent < (int64_t)i);
        if (row.parent >= 0) {
            snoopi_row above;
            snoopi_tree_node(tree, (size_t)row.parent, &above);
            assert_int_equal(above.depth + 1, row.depth);
        } else {
            assert_int_equal(row.depth, 0);
        }
        draw(d, &row);
    }
    snoopi_tree_free(tree);
}

#define ASSERT_TREE(trace, options, expected)  \
    do {                                       \
        drawing d;                             \
        draw_tree(&d, trace, options);         \
        assert_string_equal(d.text, expected); \
    } while (0)

static void equal_paths_are_one_node(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(gg(h))f(g)g");
    ASSERT_TREE(trace, NULL, "f:50/100x2 .g:40/50x3 ..h:10/10x1 g:10/10x1");
    script_clear(&s);
}

static void frames_that_take_turns_are_of_those_that_asked_for_them(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(^1h^0w))f(g(h))");
    ASSERT_TREE(trace, NULL, "f:60/140x2 .g:50/70x2 ..w:10/10x1 ..h:10/10x1 .h:10/10x1");
    script_clear(&s);
}

static void recursion_is_a_path(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(f(f))");
    ASSERT_TREE(trace, NULL, "f:20/50x1 .f:20/30x1 ..f:10/10x1");
    script_clear(&s);
}

static void processes_and_threads_merge(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    script_process(&s, "f(g)|f(g)");
    script_process(&s, "f(h)");
    ASSERT_TREE(script_open(&s), NULL, "f:60/90x3 .g:20/20x2 .h:10/10x1");
    script_clear(&s);
}

static void depth_cuts_levels_and_leaves_sums(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(t)))g");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.depth = 2;
    ASSERT_TREE(trace, &options, "f:20/70x1 .g:20/50x1 g:10/10x1");
    options.depth = 1;
    ASSERT_TREE(trace, &options, "f:20/70x1 g:10/10x1");
    script_clear(&s);
}

static void too_many_nodes_cut_the_deepest_levels(void **state)
{
    (void)state;
    static const struct {
        uint64_t max_nodes;
        bool is_inverted;
        uint32_t levels;
        const char *expected;
    } cases[] = {
        {10, false, 0,
         "f:40/200x2 .g:40/160x2 ..h:30/120x2 ...t:20/90x1 ....f:20/70x1 .....g:20/50x1 "
         "......h:20/30x1 .......t:10/10x1 g:20/30x1 .h:10/10x1"},
        {9, false, 2, "f:40/200x2 .g:40/160x2 g:20/30x1 .h:10/10x1"},
        {8, false, 3, "f:40/200x2 .g:40/160x2 ..h:30/120x2 g:20/30x1 .h:10/10x1"},
        {4, false, 2, "f:40/200x2 .g:40/160x2 g:20/30x1 .h:10/10x1"},
        {1, false, 1, "f:40/200x2 g:20/30x1"},
        {3, true, 1, "f:60/200x3 g:80/190x4 h:60/130x4 t:30/90x2"},
    };
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(t(f(g(h(t)))))))g(h)f(g(h))");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi_tree_options options = SNOOPI_TREE_INIT;
        drawing d;
        options.max_nodes = cases[i].max_nodes;
        options.is_inverted = cases[i].is_inverted;
        draw_tree(&d, trace, &options);
        assert_string_equal(d.text, cases[i].expected);
        assert_int_equal(d.levels, cases[i].levels);
    }
    script_clear(&s);
}

static void a_root_by_name_is_the_top(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h(g)))h g(t)");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.root = "g";
    ASSERT_TREE(trace, &options, "g:40/80x2 .h:20/30x1 ..g:10/10x1 .t:10/10x1");
    options.root = "nothing";
    ASSERT_TREE(trace, &options, "");
    script_clear(&s);
}

static void an_inverted_tree_tells_callers(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(h)g(h)g(f(h))");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.is_inverted = true;
    options.root = "h";
    // h: thrice; of f twice, once of these from g; of g once.
    ASSERT_TREE(trace, &options, "h:30/30x3 .f:20/20x2 ..g:10/10x1 .g:10/10x1");
    options.depth = 2;
    ASSERT_TREE(trace, &options, "h:30/30x3 .f:20/20x2 .g:10/10x1");
    options.root = NULL;
    options.depth = 1; // the same as a list by instance
    ASSERT_TREE(trace, &options, "g:40/80x2 f:40/60x2 h:30/30x3");
    script_clear(&s);
}

static void an_inverted_tree_counts_total_of_recursion_once(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(f(f))");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.is_inverted = true;
    options.depth = 2;
    ASSERT_TREE(trace, &options, "f:50/50x3 .f:30/0x2");
    script_clear(&s);
}

static void a_filter_passes_frames_over(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(t(h)))");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.filter.package = "Lib";
    ASSERT_TREE(trace, &options, "g:20/50x1 .h:10/10x1");
    options.filter.package = "Main";
    ASSERT_TREE(trace, &options, "f:20/70x1 .t:20/30x1");
    script_clear(&s);
}

static void a_minimum_keeps_what_is_above(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "t(g(f f f f))h(f)");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.tmin_ns = 40;
    ASSERT_TREE(trace, &options, "t:20/140x1 .g:80/120x1 ..f:40/40x4");
    options.sort = SNOOPI_SORT_SELF;
    options.tmin_ns = 60;
    ASSERT_TREE(trace, &options, "t:20/140x1 .g:80/120x1");
    script_clear(&s);
}

static void a_limit_keeps_the_greatest_with_what_is_above(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h)t)h(g(f)f)w");
    static const char *const expected[] = {
        "",
        "f:30/70x1",
        "f:30/70x1 h:30/70x1",
        "f:30/70x1 .g:20/30x1 h:30/70x1",
        "f:30/70x1 .g:20/30x1 h:30/70x1 .g:20/30x1",
    };
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    for (options.limit = 1; options.limit < 5; options.limit++) {
        ASSERT_TREE(trace, &options, expected[options.limit]);
    }
    script_clear(&s);
}

static void nodes_may_be_of_functions_and_modules(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(F(g(h)))");
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    snoopi_tree *tree = NULL;
    options.by = SNOOPI_BY_PACKAGE;
    assert_int_equal(snoopi_tree_new(&tree, trace, &options, NULL), 0);
    assert_int_equal(snoopi_tree_n_nodes(tree), 4); // Main, Main, Lib, Lib: frames stay frames
    snoopi_tree_free(tree);
    options.by = SNOOPI_BY_THREAD;
    assert_int_equal(snoopi_tree_new(&tree, trace, &options, NULL), SNOOPI_E_INVALID);
    assert_null(tree);
    script_clear(&s);
}

// ---- in the order of time

static bool draw_frame(void *payload, const snoopi_row *row)
{
    drawing *const d = payload;
    draw(d, row);
    d->n++;
    return d->n != d->stop_after;
}

static void visit(drawing *d, snoopi_trace *trace, const snoopi_tree_options *options)
{
    snoopi_totals totals;
    snoopi_error err = {0};
    d->text[0] = '\0';
    d->n = 0;
    if (snoopi_tree_visit(trace, options, draw_frame, d, &totals, NULL, &err) < 0) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(totals.frames, snoopi_trace_recording(trace)->frames);
}

static void time_order_shows_each_frame(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h))f(g)");
    drawing d = {0};
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    visit(&d, trace, &options);
    assert_string_equal(d.text, "f:20/50x1 .g:20/30x1 ..h:10/10x1 f:20/30x1 .g:10/10x1");

    options.depth = 2;
    options.tmin_ns = 20;
    visit(&d, trace, &options);
    assert_string_equal(d.text, "f:20/50x1 .g:20/30x1 f:20/30x1");

    options = (snoopi_tree_options)SNOOPI_TREE_INIT;
    options.root = "g";
    visit(&d, trace, &options);
    assert_string_equal(d.text, "g:20/30x1 .h:10/10x1 g:10/10x1");

    options.root = NULL;
    options.limit = 2;
    visit(&d, trace, &options);
    assert_string_equal(d.text, "f:20/50x1 .g:20/30x1");

    options.limit = 0;
    d.stop_after = 1;
    visit(&d, trace, &options);
    assert_string_equal(d.text, "f:20/50x1");
    script_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_paths_are_one_node),
        cmocka_unit_test(frames_that_take_turns_are_of_those_that_asked_for_them),
        cmocka_unit_test(recursion_is_a_path),
        cmocka_unit_test(processes_and_threads_merge),
        cmocka_unit_test(depth_cuts_levels_and_leaves_sums),
        cmocka_unit_test(too_many_nodes_cut_the_deepest_levels),
        cmocka_unit_test(a_root_by_name_is_the_top),
        cmocka_unit_test(an_inverted_tree_tells_callers),
        cmocka_unit_test(an_inverted_tree_counts_total_of_recursion_once),
        cmocka_unit_test(a_filter_passes_frames_over),
        cmocka_unit_test(a_minimum_keeps_what_is_above),
        cmocka_unit_test(a_limit_keeps_the_greatest_with_what_is_above),
        cmocka_unit_test(nodes_may_be_of_functions_and_modules),
        cmocka_unit_test(time_order_shows_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
