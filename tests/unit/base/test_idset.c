// SPDX-License-Identifier: MIT
// Id sets: equal bytes of one kind have one number.
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "base/idset.h"

static void numbers_are_found_again(void **state)
{
    (void)state;
    enum { N = 20000 };
    snoopi__idset set = {0};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 1; i <= N; i++) {
            char text[16];
            (void)snprintf(text, sizeof text, "%u", i);
            uint32_t *number = snoopi__idset_find(&set, 0, text, strlen(text));
            assert_non_null(number);
            assert_int_equal(*number, round ? i : 0);
            *number = i;
        }
    }
    assert_int_equal(set.count, N);
    snoopi__idset_clear(&set);
}

static void kinds_are_apart(void **state)
{
    (void)state;
    snoopi__idset set = {0};
    *snoopi__idset_find(&set, 1, "x", 1) = 5;
    assert_int_equal(*snoopi__idset_find(&set, 2, "x", 1), 0);
    assert_int_equal(*snoopi__idset_find(&set, 1, "x", 1), 5);
    assert_int_equal(*snoopi__idset_find(&set, 1, "", 0), 0);
    snoopi__idset_clear(&set);
}

// XXH3 of 4 to 8 bytes adds its seed to a secret and the bytes to that, so that other bytes with another seed can be the same.
static void kinds_are_apart_for_short_strings(void **state)
{
    (void)state;
    snoopi__idset set = {0};
    for (uint64_t kind = 5; kind <= 7; kind += 2) {
        for (unsigned i = 0; i < 1u << 16; i++) {
            const unsigned char bytes[5] = {(unsigned char)i, 1, 2, 3, (unsigned char)(i >> 8)};
            uint32_t *const number = snoopi__idset_find(&set, kind, bytes, sizeof bytes);
            assert_int_equal(*number, 0);
            *number = i + 1;
        }
    }
    snoopi__idset_clear(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_again),
        cmocka_unit_test(kinds_are_apart),
        cmocka_unit_test(kinds_are_apart_for_short_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
