// SPDX-License-Identifier: MIT
// Growing buffers and arrays, little-endian numbers.
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>

#include "base/buffer.h"

static void numbers_are_little_endian(void **state)
{
    (void)state;
    snoopi__buffer buffer = {0};
    snoopi__buffer_u16(&buffer, 0x0102);
    snoopi__buffer_u32(&buffer, 0x03040506);
    snoopi__buffer_u64(&buffer, 0x0708090a0b0c0d0e);
    const unsigned char expected[] = {2, 1, 6, 5, 4, 3, 0xe, 0xd, 0xc, 0xb, 0xa, 9, 8, 7};
    assert_int_equal(buffer.size, sizeof expected);
    assert_memory_equal(buffer.data, expected, sizeof expected);
    assert_int_equal(snoopi__load_u16(buffer.data), 0x0102);
    assert_int_equal(snoopi__load_u32(buffer.data + 2), 0x03040506);
    assert_true(snoopi__load_u64(buffer.data + 6) == 0x0708090a0b0c0d0e);
    snoopi__buffer_clear(&buffer);
}

static void record_is_tag_length_payload(void **state)
{
    (void)state;
    snoopi__buffer buffer = {0};
    snoopi__buffer_record(&buffer, 300, "abc", 3);
    snoopi__buffer_record(&buffer, 1, NULL, 0);
    const unsigned char expected[] = {0xac, 2, 3, 'a', 'b', 'c', 1, 0};
    assert_int_equal(buffer.size, sizeof expected);
    assert_memory_equal(buffer.data, expected, sizeof expected);
    snoopi__buffer_clear(&buffer);
}

static void a_buffer_remembers_that_it_failed(void **state)
{
    (void)state;
    snoopi__buffer buffer = {0};
    snoopi__buffer_varint(&buffer, 1);
    assert_false(snoopi__buffer_reserve(&buffer, SIZE_MAX));
    snoopi__buffer_varint(&buffer, 2);
    assert_true(buffer.has_failed);
    snoopi__buffer_clear(&buffer);
    assert_false(buffer.has_failed);
}

static void an_array_grows_or_stays(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *items = snoopi__grow(NULL, &capacity, 1, sizeof *items);
    assert_non_null(items);
    items[0] = 7;
    items = snoopi__grow(items, &capacity, 1000, sizeof *items);
    assert_true(capacity >= 1000);
    assert_int_equal(items[0], 7);
    const size_t before = capacity;
    assert_null(snoopi__grow(items, &capacity, SIZE_MAX, sizeof *items));
    assert_null(snoopi__grow(items, &capacity, SIZE_MAX / 4 + 2, sizeof *items));
    assert_int_equal(capacity, before);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(record_is_tag_length_payload),
        cmocka_unit_test(a_buffer_remembers_that_it_failed),
        cmocka_unit_test(an_array_grows_or_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
