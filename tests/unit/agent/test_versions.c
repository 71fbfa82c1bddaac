// SPDX-License-Identifier: MIT
// Which row a version of Julia is recorded with.
#include "tests/unit/cmocka_all.h"

#include "agent/julia/julia.h"

struct julia_api julia;

static const struct {
    int major, minor;
    int as_minor; // 0: none
} versions[] = {
    {1, 4, 0}, {0, 7, 0},   {2, 0, 0},   {1, 5, 5},   {1, 6, 6},
    {1, 9, 9}, {1, 10, 10}, {1, 11, 11}, {1, 12, 12},
};

static void a_known_version_has_its_own_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const struct julia_row *const row = julia_row_near(versions[i].major, versions[i].minor);
        if (versions[i].as_minor == 0) {
            assert_null(row);
        } else {
            assert_non_null(row);
            assert_int_equal(row->major, 1);
            assert_int_equal(row->minor, versions[i].as_minor);
        }
    }
}

static void a_newer_version_is_tried_with_the_newest_row(void **state)
{
    (void)state;
    const struct julia_row *const newest = julia_row_near(1, 999);
    assert_non_null(newest);
    assert_true(newest->minor >= 12);
    assert_ptr_equal(julia_row_near(1, newest->minor + 1), newest);
    assert_ptr_equal(julia_row_near(1, newest->minor), newest);
}

static void rows_can_be_hooked(void **state)
{
    (void)state;
    for (int minor = 5; minor <= julia_row_near(1, 999)->minor; minor++) {
        const struct julia_row *const row = julia_row_near(1, minor);
        assert_int_equal(row->minor, minor);
        assert_int_not_equal(row->targets[0].kind, TARGET_NONE);
        assert_int_not_equal(row->targets[0].kind, TARGET_ENTRANCE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_version_has_its_own_row),
        cmocka_unit_test(a_newer_version_is_tried_with_the_newest_row),
        cmocka_unit_test(rows_can_be_hooked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
