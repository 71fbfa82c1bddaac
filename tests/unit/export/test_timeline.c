// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/timeline.h"

// What a timeline said: "+0" a new lane, "[0@5" an opening on lane 0 at 5, "]0@7" a closing, "." the end of a process.
static char said[512];

static void say(const char *sign, const snoopi__lane *lane, bool has_time)
{
    const size_t used = strlen(said);
    (void)snprintf(said + used, sizeof said - used, "%s%s%u", used > 0 ? " " : "", sign,
                   (unsigned)lane->number);
    if (has_time) {
        (void)snprintf(said + strlen(said), sizeof said - strlen(said), "@%" PRIu64, lane->at);
    }
}

static void on_lane(snoopi__export *x, const snoopi__lane *lane)
{
    (void)x;
    say("+", lane, false);
}

static void on_open(snoopi__export *x, const snoopi__lane *lane, const snoopi__export_frame *frame)
{
    (void)x;
    (void)frame;
    say("[", lane, true);
}

static void on_close(snoopi__export *x, const snoopi__lane *lane, uint32_t depth)
{
    (void)x;
    (void)depth;
    say("]", lane, true);
}

static void on_end(snoopi__export *x)
{
    (void)x;
    (void)strncat(said, " .", sizeof said - strlen(said) - 1);
}

static const snoopi__timeline_ops ops = {on_lane, on_open, on_close, on_end};

typedef struct {
    uint32_t depth;
    uint64_t begin_ns;
    uint64_t end_ns;
    uint32_t thread;
    uint32_t process;
} moment;

static void assert_said(const moment *moments, size_t n, snoopi_weight weight, const char *expected)
{
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    options.weight = weight;
    snoopi__export x = {.options = &options};
    snoopi__timeline timeline = {.ops = &ops};
    said[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        const snoopi_frame frame = {.id = i,
                                    .depth = moments[i].depth,
                                    .begin_ns = moments[i].begin_ns,
                                    .end_ns = moments[i].end_ns,
                                    .thread = moments[i].thread,
                                    .process = moments[i].process};
        const snoopi__export_frame exported = {.frame = &frame, .depth = moments[i].depth};
        snoopi__timeline_frame(&x, &timeline, &exported);
    }
    snoopi__timeline_end(&x, &timeline);
    snoopi__timeline_clear(&timeline);
    assert_false(x.has_failed);
    assert_string_equal(said, expected);
}

#define ASSERT_SAID(weight, expected, ...)                                        \
    do {                                                                          \
        static const moment moments[] = {__VA_ARGS__};                            \
        assert_said(moments, sizeof moments / sizeof *moments, weight, expected); \
    } while (0)

static void frames_nest_and_a_lane_is_used_again(void **state)
{
    (void)state;
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 [0@6 ]0@7 [0@7 ]0@8 ]0@9 [0@9 ]0@10 .",
                {0, 5, 9, 0, 0}, {1, 6, 7, 0, 0}, {1, 7, 8, 0, 0}, {0, 9, 10, 0, 0});
}

static void a_root_meanwhile_on_the_same_thread_has_a_lane_of_its_own(void **state)
{
    (void)state;
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 ]0@20 +1 [1@6 ]1@7 [1@8 ]1@9 [0@20 ]0@21 .",
                {0, 5, 20, 0, 0}, {0, 6, 7, 0, 0}, {0, 8, 9, 0, 0}, {0, 20, 21, 0, 0});
}

static void threads_and_processes_have_lanes_of_their_own(void **state)
{
    (void)state;
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 ]0@6 +1 [1@5 ]1@6 . +0 [0@1 ]0@2 .", {0, 5, 6, 0, 0},
                {0, 5, 6, 1, 0}, {0, 1, 2, 0, 1});
}

static void counted_frames_have_a_step_each(void **state)
{
    (void)state;
    ASSERT_SAID(SNOOPI_WEIGHT_COUNT, "+0 [0@0 [0@1 ]0@2 [0@2 ]0@3 ]0@3 [0@3 ]0@4 .",
                {0, 5, 20, 0, 0}, {1, 6, 7, 0, 0}, {1, 7, 8, 0, 0}, {0, 9, 10, 0, 0});
}

static void times_of_a_damaged_trace_are_cut_to_nest(void **state)
{
    (void)state;
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 [0@9 ]0@9 ]0@9 .", {0, 5, 9, 0, 0}, {1, 50, 2, 0, 0});
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 [0@5 ]0@9 ]0@9 .", {0, 5, 9, 0, 0}, {1, 1, 99, 0, 0});
    ASSERT_SAID(SNOOPI_WEIGHT_TIME, "+0 [0@5 ]0@5 .", {0, 5, 1, 0, 0});
}

// Overlapping roots, more than there may be lanes: the last lane takes the rest, and time does not go back on it.
static void lanes_have_a_limit(void **state)
{
    (void)state;
    enum { N = SNOOPI__LANES_MAX + 5 };
    static uint32_t highest;
    static uint64_t at[SNOOPI__LANES_MAX];
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    snoopi__export x = {.options = &options};
    snoopi__timeline timeline = {.ops = &ops};
    for (uint64_t i = 0; i < N; i++) {
        const snoopi_frame frame = {.begin_ns = i, .end_ns = 1000 - i};
        const snoopi__export_frame exported = {.frame = &frame};
        said[0] = '\0';
        snoopi__timeline_frame(&x, &timeline, &exported);
        const snoopi__lane *const lane = &timeline.lanes[timeline.lane];
        assert_true(lane->at >= at[lane->number]);
        at[lane->number] = lane->at;
        highest = lane->number > highest ? lane->number : highest;
    }
    snoopi__timeline_end(&x, &timeline);
    snoopi__timeline_clear(&timeline);
    assert_int_equal(highest, SNOOPI__LANES_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_nest_and_a_lane_is_used_again),
        cmocka_unit_test(a_root_meanwhile_on_the_same_thread_has_a_lane_of_its_own),
        cmocka_unit_test(threads_and_processes_have_lanes_of_their_own),
        cmocka_unit_test(counted_frames_have_a_step_each),
        cmocka_unit_test(times_of_a_damaged_trace_are_cut_to_nest),
        cmocka_unit_test(lanes_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
