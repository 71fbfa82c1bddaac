// SPDX-License-Identifier: MIT
// Varints: what is written is read, and nothing else is.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "base/varint.h"

static const uint64_t numbers[] = {
    0,          1,         0x7f,       0x80,           0x3fff,
    0x4000,     1u << 21,  UINT32_MAX, 1ull << 32,     (1ull << 35) - 1,
    1ull << 56, INT64_MAX, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};
enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static void varint_reads_what_was_written(void **state)
{
    (void)state;
    for (int i = 0; i < N_NUMBERS; i++) {
        unsigned char bytes[2 * SNOOPI__VARINT_MAX] = {0};
        const size_t size = (size_t)(snoopi__put_varint(bytes, numbers[i]) - bytes);
        snoopi__cursor at = snoopi__cursor_of(bytes, size);
        assert_true(snoopi__get_varint(&at) == numbers[i]);
        assert_false(at.is_bad);
        assert_ptr_equal(at.at, at.end);
        at = snoopi__cursor_of(bytes, size);
        assert_true(snoopi__get_varint_unchecked(&at) == numbers[i]);
        assert_false(at.is_bad);
        assert_ptr_equal(at.at, at.end);
    }
}

static void varint_ends_with_its_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < N_NUMBERS; i++) {
        unsigned char bytes[SNOOPI__VARINT_MAX];
        const size_t size = (size_t)(snoopi__put_varint(bytes, numbers[i]) - bytes);
        for (size_t cut = 0; cut < size; cut++) {
            snoopi__cursor at = snoopi__cursor_of(bytes, cut);
            assert_true(snoopi__get_varint(&at) == 0);
            assert_true(at.is_bad);
            assert_true(snoopi__get_varint(&at) == 0);
        }
    }
}

static void varint_may_be_padded_to_ten_bytes(void **state)
{
    (void)state;
    const unsigned char padded[SNOOPI__VARINT_MAX] = {0x85, 0x80, 0x80, 0x80, 0x80,
                                                      0x80, 0x80, 0x80, 0x80, 0x00};
    snoopi__cursor at = snoopi__cursor_of(padded, sizeof padded);
    assert_int_equal(snoopi__get_varint(&at), 5);
    assert_false(at.is_bad);
    at = snoopi__cursor_of(padded, sizeof padded);
    assert_int_equal(snoopi__get_varint_unchecked(&at), 5);
    assert_false(at.is_bad);
}

static void varint_rejects_an_eleventh_byte_and_bits_beyond_64(void **state)
{
    (void)state;
    unsigned char bytes[2 * SNOOPI__VARINT_MAX];
    for (unsigned last = 2; last < 256; last++) { // 0 and 1 are the only tenth bytes there can be
        memset(bytes, 0xff, sizeof bytes);
        bytes[9] = (unsigned char)last;
        snoopi__cursor at = snoopi__cursor_of(bytes, sizeof bytes);
        (void)snoopi__get_varint(&at);
        assert_true(at.is_bad);
        at = snoopi__cursor_of(bytes, sizeof bytes);
        (void)snoopi__get_varint_unchecked(&at);
        assert_true(at.is_bad);
    }
}

static void varint32_rejects_what_is_larger(void **state)
{
    (void)state;
    unsigned char bytes[SNOOPI__VARINT_MAX];
    const struct {
        uint64_t number;
        int is_bad;
    } cases[] = {{0, 0}, {UINT32_MAX, 0}, {(uint64_t)UINT32_MAX + 1, 1}, {UINT64_MAX, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)snoopi__put_varint(bytes, cases[i].number);
        snoopi__cursor at = snoopi__cursor_of(bytes, sizeof bytes);
        const uint32_t read = snoopi__get_varint32(&at);
        assert_int_equal(at.is_bad, cases[i].is_bad);
        assert_int_equal(read, cases[i].is_bad ? 0 : cases[i].number);
    }
}

static void zigzag_keeps_small_numbers_small(void **state)
{
    (void)state;
    const struct {
        int64_t number;
        uint64_t coded;
    } cases[] = {
        {0, 0}, {-1, 1}, {1, 2}, {-2, 3}, {INT64_MAX, UINT64_MAX - 1}, {INT64_MIN, UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(snoopi__zigzag(cases[i].number) == cases[i].coded);
        assert_true(snoopi__unzigzag(cases[i].coded) == cases[i].number);
    }
}

static void bytes_are_taken_only_if_all_are_there(void **state)
{
    (void)state;
    const char text[] = "abc";
    snoopi__cursor at = snoopi__cursor_of(text, 3);
    assert_memory_equal(snoopi__get_bytes(&at, 2), "ab", 2);
    assert_null(snoopi__get_bytes(&at, 2));
    assert_true(at.is_bad);
    at = snoopi__cursor_of(text, 3);
    assert_null(snoopi__get_bytes(&at, UINT64_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varint_reads_what_was_written),
        cmocka_unit_test(varint_ends_with_its_bytes),
        cmocka_unit_test(varint_may_be_padded_to_ten_bytes),
        cmocka_unit_test(varint_rejects_an_eleventh_byte_and_bits_beyond_64),
        cmocka_unit_test(varint32_rejects_what_is_larger),
        cmocka_unit_test(zigzag_keeps_small_numbers_small),
        cmocka_unit_test(bytes_are_taken_only_if_all_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
