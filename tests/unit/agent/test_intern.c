// SPDX-License-Identifier: MIT
// Keys to ids, across growth; and keys that tell things apart.
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/intern.h"

enum { MANY = 300000 }; // more than the first table holds, twice

static uint64_t key_of(uint64_t i)
{
    return intern_key((const void *)(uintptr_t)(0x7f0000000000u + 16 * i), 3, 0);
}

static void every_key_keeps_its_id_while_the_table_grows(void **state)
{
    (void)state;
    struct intern_table table = {0};

    assert_int_equal(intern_find(&table, key_of(0)), 0);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(intern_find(&table, key_of(i)), 0);
        assert_true(intern_put(&table, key_of(i), i + 1));
        assert_int_equal(intern_find(&table, key_of(i)), i + 1);
        assert_int_equal(intern_find(&table, key_of(i / 2)), i / 2 + 1);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(intern_find(&table, key_of(i)), i + 1);
    }
    assert_true(table.count == MANY);
    assert_true(table.count * 2 <= table.mask + 1);
}

static void a_key_that_is_put_again_gets_the_new_id(void **state)
{
    (void)state;
    struct intern_table table = {0};

    assert_true(intern_reserve(&table));
    assert_true(intern_put(&table, 7, 1));
    assert_true(intern_put(&table, 7, 2));
    assert_int_equal(intern_find(&table, 7), 2);
    assert_true(table.count == 1);
}

// All at one slot, and at the end of the table, so that looking goes on at its beginning.
static void keys_of_one_slot_are_told_apart(void **state)
{
    (void)state;
    struct intern_table table = {0};

    assert_true(intern_reserve(&table));
    for (uint32_t i = 1; i <= 100; i++) {
        assert_true(intern_put(&table, ((uint64_t)i << 32) | 0xffffffff, i));
    }
    for (uint32_t i = 1; i <= 100; i++) {
        assert_int_equal(intern_find(&table, ((uint64_t)i << 32) | 0xffffffff), i);
    }
    assert_int_equal(intern_find(&table, ((uint64_t)101 << 32) | 0xffffffff), 0);
}

static void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    struct intern_table table = {0};
    struct rlimit old;
    uint32_t n = 0;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); // they live in address space without end
#endif
    assert_true(intern_reserve(&table));
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    const struct rlimit none = {.rlim_cur = 1 << 20, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    while (intern_put(&table, key_of(n), n + 1)) {
        n++;
    }
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_true(n > 1000 && n < MANY);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(intern_find(&table, key_of(i)), i + 1);
    }
    assert_true(intern_put(&table, key_of(n), n + 1)); // there is memory again
    assert_int_equal(intern_find(&table, key_of(n)), n + 1);
}

static void keys_tell_address_kind_and_check_apart(void **state)
{
    (void)state;
    static char things[2];
    const uint64_t key = intern_key(&things[0], 1, 0);

    assert_true(key != 0);
    assert_true(key == intern_key(&things[0], 1, 0));
    assert_true(key != intern_key(&things[1], 1, 0));
    assert_true(key != intern_key(&things[0], 2, 0));
    assert_true(key != intern_key(&things[0], 1, 1));
    assert_true(intern_key(NULL, 0, 0) != 0); // 0 is a free entry
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

// As types lie in a system image: each with its name at one distance, and all with the same empty list of parameters.
static void things_of_one_layout_have_keys_of_their_own(void **state)
{
    (void)state;
    static uint64_t keys[MANY];

    for (uint64_t distance = 64; distance <= 256; distance += 96) {
        uint64_t at = 0x7f0000000000u;
        for (size_t i = 0; i < MANY; i++) {
            at += 16 + at % 13 * 16;
            keys[i] = intern_key((const void *)(uintptr_t)at, 3,
                                 intern_mix(at + distance, 0x7f0000001000u));
        }
        qsort(keys, MANY, sizeof keys[0], compare_keys);
        for (size_t i = 1; i < MANY; i++) {
            assert_true(keys[i] != keys[i - 1]);
        }
    }
}

// Each bit of what is hashed matters, wherever it stands, and so does the length.
static void hashes_depend_on_each_bit(void **state)
{
    (void)state;
    uint8_t bytes[40] = {0};

    for (size_t size = 0; size <= sizeof bytes; size++) {
        const uint64_t hash = intern_hash(bytes, size, 5);
        assert_true(hash != 0);
        assert_true(hash != intern_hash(bytes, size, 6));
        assert_true(size == sizeof bytes || hash != intern_hash(bytes, size + 1, 5));
        for (size_t bit = 0; bit < size * 8; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_true(intern_hash(bytes, size, 5) != hash);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        assert_true(intern_hash(bytes, size, 5) == hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_keeps_its_id_while_the_table_grows),
        cmocka_unit_test(a_key_that_is_put_again_gets_the_new_id),
        cmocka_unit_test(keys_of_one_slot_are_told_apart),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(keys_tell_address_kind_and_check_apart),
        cmocka_unit_test(things_of_one_layout_have_keys_of_their_own),
        cmocka_unit_test(hashes_depend_on_each_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
