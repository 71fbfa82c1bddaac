// SPDX-License-Identifier: MIT
// Which return types are written, and when: of the CodeInstance that holds, once the frame's cycle is over.
#include "tests/unit/cmocka_all.h"

#include <stddef.h>
#include <string.h>

#include "agent/record/graph.h"
#include "agent/record/results.h"

struct julia_api julia;

struct code {
    struct code *next;
    uint64_t min_world;
    uint64_t max_world;
    void *inferred;
    void *rettype;
    void *owner;
};

static char nothing, other, type_a, type_b;
static struct {
    struct code *cache;
} instances[64];
static struct julia_row row;
static struct {
    uint32_t n;
    uint32_t ids[64];
    jl_any types[64];
} written;

jl_any graph_live_instance(uint32_t id)
{
    return id == 13 ? NULL : &instances[id]; // 13 is a thunk's
}

void graph_result(struct segment_writer *writer, uint32_t id, jl_any type)
{
    (void)writer;
    written.ids[written.n] = id;
    written.types[written.n++] = type;
}

static size_t get_world_counter(void)
{
    return 100;
}

static int begin(void **state)
{
    static struct thread thread;
    memset(&thread, 0, sizeof thread);
    memset(instances, 0, sizeof instances);
    memset(&written, 0, sizeof written);
    row = (struct julia_row){0};
    julia.row = &row;
    julia.get_world_counter = get_world_counter;
    julia.nothing = &nothing;
    julia.at.mi_cache = 0;
    julia.at.ci_next = offsetof(struct code, next);
    julia.at.ci_min_world = offsetof(struct code, min_world);
    julia.at.ci_max_world = offsetof(struct code, max_world);
    julia.at.ci_inferred = offsetof(struct code, inferred);
    julia.at.ci_rettype = offsetof(struct code, rettype);
    julia.at.ci_owner = offsetof(struct code, owner);
    *state = &thread;
    return 0;
}

static struct code whole(void *rettype)
{
    return (struct code){NULL, 50, UINT64_MAX, &nothing, rettype, &nothing};
}

static void the_first_code_that_holds_counts(void **state)
{
    struct code older = whole(&type_b);
    static const struct code passed_over[] = {
        {NULL, 50, 99, &nothing, &type_a, &nothing},          // another world
        {NULL, 101, UINT64_MAX, &nothing, &type_a, &nothing}, //
        {NULL, 1, UINT64_MAX, NULL, &type_a, &nothing},       // was never inferred
        {NULL, 1, UINT64_MAX, &nothing, &type_a, &other},     // another compiler's
    };
    row.code_has_owner = true;
    for (uint32_t i = 0; i < 4; i++) {
        struct code code = passed_over[i];
        code.next = &older;
        instances[1].cache = &code;
        results_write(*state, 1, 0, true);
        assert_int_equal(written.n, i + 1);
        assert_ptr_equal(written.types[i], &type_b);
        code.next = NULL;
        results_write(*state, 1, 0, true);
        assert_int_equal(written.n, i + 1); // nothing holds
    }
    struct code newer = whole(&type_a);
    newer.next = &older;
    instances[1].cache = &newer;
    results_write(*state, 1, 0, true);
    assert_ptr_equal(written.types[4], &type_a);
    results_write(*state, 13, 0, true);
    results_write(*state, 0, 0, true);
    assert_int_equal(written.n, 5);
}

static void frames_of_a_cycle_wait_for_the_one_on_top(void **state)
{
    struct code code = whole(&type_a);
    for (uint32_t id = 1; id < 20; id++) {
        instances[id].cache = &code;
    }
    results_write(*state, 5, 5, false); // below frame 2
    results_write(*state, 6, 6, true);  // one that it had inferred for it
    assert_int_equal(written.n, 1);
    results_write(*state, 4, 4, false);
    results_write(*state, 7, 4, true); // beside it: no frame above
    assert_int_equal(written.n, 2);
    results_write(*state, 3, 3, false);
    results_write(*state, 2, 2, true);
    assert_int_equal(written.n, 6);
    const uint32_t order[] = {6, 7, 3, 4, 5, 2};
    assert_memory_equal(written.ids, order, sizeof order);
    results_write(*state, 1, 1, true);
    assert_int_equal(written.n, 7); // nothing waits any longer
}

static void of_too_many_that_wait_the_rest_have_none(void **state)
{
    struct code code = whole(&type_a);
    instances[1].cache = &code;
    for (uint32_t depth = WAITING_MAX + 10; depth > 0; depth--) {
        results_write(*state, depth > 10 ? 2 : 1, depth, false);
    }
    results_write(*state, 1, 0, true);
    assert_int_equal(written.n, 1);
}

static void begins_with_constants_infer_no_result(void **state)
{
    (void)state;
    static const struct {
        uint64_t flags;
        bool is_of;
    } table[] = {{0, true},
                 {WIRE_FLAG_NESTED | WIRE_FLAG_TOOLING, true},
                 {WIRE_FLAG_CONSTPROP | WIRE_FLAG_ARGS, false},
                 {WIRE_FLAG_SEMICONCRETE, false}};
    static const uint32_t ids[] = {1, 127, 128, 300000, UINT32_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
            assert_int_equal(results_of(ids[i], table[k].flags), table[k].is_of ? ids[i] : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_first_code_that_holds_counts, begin),
        cmocka_unit_test_setup(frames_of_a_cycle_wait_for_the_one_on_top, begin),
        cmocka_unit_test_setup(of_too_many_that_wait_the_rest_have_none, begin),
        cmocka_unit_test(begins_with_constants_infer_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
