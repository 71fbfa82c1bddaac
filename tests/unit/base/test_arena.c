// SPDX-License-Identifier: MIT
// Arenas: what is allocated is apart, aligned, and gone at once.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "base/arena.h"

static void allocations_do_not_overlap(void **state)
{
    (void)state;
    enum { N = 3000 };
    static unsigned char *items[N];
    snoopi__arena arena;
    snoopi__arena_init(&arena);
    for (size_t i = 0; i < N; i++) {
        items[i] = snoopi__arena_alloc(&arena, i);
        assert_non_null(items[i]);
        assert_int_equal((uintptr_t)items[i] % _Alignof(max_align_t), 0);
        memset(items[i], (int)(i % 251), i);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(items[i][k], i % 251);
        }
    }
    snoopi__arena_clear(&arena);
    assert_int_equal(arena.total, 0);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    snoopi__arena arena = {0};
    assert_null(snoopi__arena_array(&arena, SIZE_MAX / 2, 3));
    assert_null(snoopi__arena_alloc(&arena, SIZE_MAX));
    assert_null(snoopi__arena_alloc(&arena, SIZE_MAX - 8));
    assert_null(snoopi__arena_text(&arena, "", SIZE_MAX));
    snoopi__arena_clear(&arena);
}

static void text_is_terminated_and_may_hold_nuls(void **state)
{
    (void)state;
    snoopi__arena arena = {0};
    const char *text = snoopi__arena_text(&arena, "a\0b", 3);
    assert_memory_equal(text, "a\0b\0", 4);
    assert_string_equal(snoopi__arena_text(&arena, NULL, 0), "");
    snoopi__arena_clear(&arena);
}

static void a_cleared_arena_can_be_used_again(void **state)
{
    (void)state;
    snoopi__arena arena = {0};
    assert_non_null(snoopi__arena_alloc(&arena, 100));
    snoopi__arena_clear(&arena);
    assert_string_equal(snoopi__arena_text(&arena, "x", 1), "x");
    snoopi__arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(text_is_terminated_and_may_hold_nuls),
        cmocka_unit_test(a_cleared_arena_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
