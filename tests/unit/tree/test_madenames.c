// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "tree/align.h"
#include "tree/madenames.h"

static void numbers_of_julia_do_not_count(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"f(::Int64)", "f(::Int64)"},
        {"(::var\"#1#2\")(::Int64)", "(::var\"##\")(::Int64)"},
        {"map(::Prog.var\"#12#13\"{Int64}, ::Array{Int64,1})",
         "map(::Prog.var\"##\"{Int64}, ::Array{Int64,1})"},
        {"#kw#5(::Int64)", "#kw#(::Int64)"},
        {"(::Base.var\"#foldl##kw\")(::Int64)", "(::Base.var\"#foldl##kw\")(::Int64)"},
        {"##s14#7(::Any)", "##s#(::Any)"},
        {"#s14(::Any)", "#s14(::Any)"},
        {"#12", "#"},
        {"#foo##0#foo##1(::Int64)", "#foo###foo##(::Int64)"},
        {"f(::A{Symbol(\"##253\")})", "f(::A{Symbol(\"##\")})"},
        {"a#b", "a#b"},
        {"#", "#"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snoopi__buffer out = {0};
        snoopi__madenames_bare(&out, cases[i][0]);
        snoopi__buffer_put(&out, "", 1);
        assert_string_equal((const char *)out.data, cases[i][1]);
        snoopi__buffer_clear(&out);
    }
}

typedef struct {
    const char *name;
    int line;
} use;

// Whether two names are the same when all of both sides are known. Module is M for all.
static void add_all(snoopi__madenames *made, int side, const use *uses)
{
    for (; uses->name; uses++) {
        assert_int_equal(snoopi__madenames_add(made, side, uses->name, "M", uses->line), 0);
    }
}

static bool are_equal(snoopi__madenames *made, const char *before, const char *after)
{
    snoopi__buffer a = {0};
    snoopi__buffer b = {0};
    snoopi__madenames_put(made, 0, &a, before, "M");
    snoopi__madenames_put(made, 1, &b, after, "M");
    const bool is_equal = a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
    snoopi__buffer_clear(&a);
    snoopi__buffer_clear(&b);
    return is_equal;
}

static void renumbered_closures_keep_their_order(void **state)
{
    (void)state;
    snoopi__madenames made = {0};
    add_all(&made, 0,
            (use[]){{"(::M.var\"#1#2\")(::Int64)", 3}, {"(::M.var\"#9#10\")(::Int64)", 5}, {0}});
    add_all(&made, 1,
            (use[]){{"(::M.var\"#11#12\")(::Int64)", 6}, {"(::M.var\"#5#6\")(::Int64)", 4}, {0}});
    assert_int_equal(snoopi__madenames_pair(&made), 0);
    assert_true(are_equal(&made, "f(::M.var\"#1#2\")", "f(::M.var\"#5#6\")"));
    assert_true(are_equal(&made, "f(::M.var\"#9#10\")", "f(::M.var\"#11#12\")"));
    assert_false(are_equal(&made, "f(::M.var\"#1#2\")", "f(::M.var\"#11#12\")"));
    snoopi__madenames_clear(&made);
}

// #1#2 goes to map, the new #3#4 to filter; what was #3#4 goes to sum.
static void an_inserted_closure_is_told_by_its_use(void **state)
{
    (void)state;
    snoopi__madenames made = {0};
    add_all(&made, 0,
            (use[]){{"map(::M.var\"#1#2\")", 0},
                    {"(::M.var\"#1#2\")(::Int64)", 3},
                    {"sum(::M.var\"#3#4\")", 0},
                    {"(::M.var\"#3#4\")(::Int64)", 4},
                    {0}});
    add_all(&made, 1,
            (use[]){{"map(::M.var\"#1#2\")", 0},
                    {"(::M.var\"#1#2\")(::Int64)", 3},
                    {"filter(::M.var\"#3#4\")", 0},
                    {"(::M.var\"#3#4\")(::Int64)", 4},
                    {"sum(::M.var\"#5#6\")", 0},
                    {"(::M.var\"#5#6\")(::Int64)", 5},
                    {0}});
    assert_int_equal(snoopi__madenames_pair(&made), 0);
    assert_true(are_equal(&made, "(::M.var\"#1#2\")(::Int64)", "(::M.var\"#1#2\")(::Int64)"));
    assert_true(are_equal(&made, "(::M.var\"#3#4\")(::Int64)", "(::M.var\"#5#6\")(::Int64)"));
    assert_false(are_equal(&made, "(::M.var\"#3#4\")(::Int64)", "(::M.var\"#3#4\")(::Int64)"));
    snoopi__madenames_clear(&made);
}

static void closures_that_changed_places_are_found(void **state)
{
    (void)state;
    snoopi__madenames made = {0};
    add_all(&made, 0, (use[]){{"map(::M.var\"#1#2\")", 0}, {"sum(::M.var\"#3#4\")", 0}, {0}});
    add_all(&made, 1, (use[]){{"sum(::M.var\"#1#2\")", 0}, {"map(::M.var\"#3#4\")", 0}, {0}});
    assert_int_equal(snoopi__madenames_pair(&made), 0);
    assert_true(are_equal(&made, "map(::M.var\"#1#2\")", "map(::M.var\"#3#4\")"));
    assert_true(are_equal(&made, "sum(::M.var\"#3#4\")", "sum(::M.var\"#1#2\")"));
    snoopi__madenames_clear(&made);
}

static void modules_count_up_by_themselves(void **state)
{
    (void)state;
    snoopi__madenames made = {0};
    add_all(&made, 0, (use[]){{"f(::A.var\"#1#2\", ::B.var\"#1#2\")", 0}, {0}});
    add_all(&made, 1, (use[]){{"f(::A.var\"#3#4\", ::B.var\"#1#2\")", 0}, {0}});
    assert_int_equal(snoopi__madenames_pair(&made), 0);
    assert_true(are_equal(&made, "f(::A.var\"#1#2\", ::B.var\"#1#2\")",
                          "f(::A.var\"#3#4\", ::B.var\"#1#2\")"));
    assert_false(are_equal(&made, "g(::A.var\"#1#2\")", "g(::B.var\"#1#2\")"));
    snoopi__madenames_clear(&made);
}

// --- align

static unsigned equal_letters(void *payload, size_t i, size_t j)
{
    const char *const *const words = payload;
    return words[0][i] == words[1][j] ? 10 : 1;
}

static void an_alignment_keeps_the_order_and_scores_the_most(void **state)
{
    (void)state;
    const struct {
        const char *words[2];
        const char *partners; // digits, '-' for none
    } cases[] = {
        {{"abc", "abc"}, "012"},    {{"abc", "xabc"}, "123"}, {{"abc", "ac"}, "0-1"},
        {{"", "abc"}, ""},          {{"abc", ""}, "---"},     {{"a", "b"}, "0"},
        {{"abcd", "bcde"}, "-012"}, {{"ab", "xaxb"}, "13"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[] = {cases[i].words[0], cases[i].words[1]};
        uint32_t partner[8];
        const size_t n = strlen(words[0]);
        assert_int_equal(snoopi__align(partner, n, strlen(words[1]), equal_letters, words), 0);
        for (size_t k = 0; k < n; k++) {
            const char expected = cases[i].partners[k];
            const uint32_t wanted =
                expected == '-' ? SNOOPI__ALIGN_NONE : (uint32_t)(expected - '0');
            if (partner[k] != wanted) {
                fail_msg("%s to %s: %zu got %d", words[0], words[1], k, (int)partner[k]);
            }
        }
    }
}

static unsigned never_called(void *payload, size_t i, size_t j)
{
    (void)payload;
    (void)i;
    (void)j;
    fail_msg("too many pairs to look at each");
    return 0;
}

static void what_is_too_long_is_paired_as_it_comes(void **state)
{
    (void)state;
    enum { N = 5000 };
    static uint32_t partner[N];
    assert_int_equal(snoopi__align(partner, N, N - 1, never_called, NULL), 0);
    assert_int_equal(partner[0], 0);
    assert_int_equal(partner[N - 2], N - 2);
    assert_int_equal(partner[N - 1], SNOOPI__ALIGN_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_julia_do_not_count),
        cmocka_unit_test(renumbered_closures_keep_their_order),
        cmocka_unit_test(an_inserted_closure_is_told_by_its_use),
        cmocka_unit_test(closures_that_changed_places_are_found),
        cmocka_unit_test(modules_count_up_by_themselves),
        cmocka_unit_test(an_alignment_keeps_the_order_and_scores_the_most),
        cmocka_unit_test(what_is_too_long_is_paired_as_it_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
