// SPDX-License-Identifier: MIT
// Bindings in a module's hash table, which other threads change meanwhile as libsupport does: a larger table, the names one by
// one, and the smaller one is gone.
#include "tests/unit/cmocka_all.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "agent/julia/module_table.h"

struct julia_api julia;

enum { MODULE_BYTES = 1024, TABLE_AT = 16, LOCK_AT = 592, PAIRS_MIN = 16, ROUNDS = 60 };

#define NOT_THERE ((char *)1)

static struct julia_row row;
static int n_threads;
static _Alignas(16) char module[MODULE_BYTES];
// What names are looked up by: addresses, as symbols are, and what they are bound to.
static char names[1 << 15][16];
static char bindings[1 << 15];

struct pair {
    char *key, *value;
};

static struct pair *table(void)
{
    return __atomic_load_n((struct pair **)(void *)(module + TABLE_AT + 8), __ATOMIC_RELAXED);
}

static size_t n_pairs(void)
{
    return __atomic_load_n((size_t *)(void *)(module + TABLE_AT), __ATOMIC_RELAXED) / 2;
}

static void set_lock(uintptr_t owner)
{
    __atomic_store_n((uintptr_t *)(void *)(module + LOCK_AT), owner, __ATOMIC_SEQ_CST);
}

// The same as in libsupport's hashing.c.
static uint64_t int64hash(uint64_t key)
{
    key = (~key) + (key << 21);
    key = key ^ (key >> 24);
    key = (key + (key << 3)) + (key << 8);
    key = key ^ (key >> 14);
    key = (key + (key << 2)) + (key << 4);
    key = key ^ (key >> 28);
    return key + (key << 31);
}

static struct pair *map_pairs(size_t n)
{
    struct pair *const pairs =
        mmap(NULL, n * sizeof *pairs, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pairs != MAP_FAILED);
    for (size_t i = 0; i < n; i++) {
        pairs[i] = (struct pair){NOT_THERE, NOT_THERE};
    }
    return pairs;
}

static void use_table(struct pair *pairs, size_t n)
{
    __atomic_store_n((struct pair **)(void *)(module + TABLE_AT + 8), pairs, __ATOMIC_RELEASE);
    __atomic_store_n((size_t *)(void *)(module + TABLE_AT), 2 * n, __ATOMIC_RELEASE);
}

static void insert(char *key, char *value)
{
    size_t at = int64hash((uintptr_t)key) & (n_pairs() - 1);
    while (table()[at].key != NOT_THERE) {
        at = (at + 1) & (n_pairs() - 1);
    }
    table()[at] = (struct pair){key, value};
}

static void grow(void)
{
    struct pair *const old = table();
    const size_t n = n_pairs();
    use_table(map_pairs(4 * n), 4 * n);
    for (size_t i = 0; i < n; i++) {
        if (old[i].key != NOT_THERE) {
            insert(old[i].key, old[i].value);
        }
    }
    munmap(old, n * sizeof *old);
}

// Adds names from `first` on, under the lock.
static void add(size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++) {
        set_lock(1);
        if (i * 2 >= n_pairs()) {
            grow();
        }
        insert(names[i], &bindings[i]);
        set_lock(0);
    }
}

// Between the look-up's reading of the table and its look at what it has read.
static void (*after_peek)(struct pair *copy);

bool __real_peek(uintptr_t address, void *to, size_t size); // NOLINT(bugprone-reserved-identifier)
bool __wrap_peek(uintptr_t address, void *to, size_t size); // NOLINT(bugprone-reserved-identifier)

bool __wrap_peek(uintptr_t address, void *to, size_t size) // NOLINT(bugprone-reserved-identifier)
{
    void (*const then)(struct pair * copy) = after_peek;
    const bool ok = __real_peek(address, to, size);
    after_peek = NULL;
    if (then != NULL) {
        then(to);
    }
    return ok;
}

static int begin(void **state)
{
    (void)state;
    row = (struct julia_row){.module_bindings = TABLE_AT, .module_lock = LOCK_AT};
    julia.row = &row;
    julia.n_threads = &n_threads;
    n_threads = 1;
    set_lock(0);
    use_table(map_pairs(PAIRS_MIN), PAIRS_MIN);
    return 0;
}

static int end(void **state)
{
    (void)state;
    munmap(table(), n_pairs() * sizeof(struct pair));
    return 0;
}

static void names_are_found(void **state)
{
    (void)state;
    add(0, 3000);
    for (n_threads = 1; n_threads <= 4; n_threads += 3) {
        for (size_t i = 0; i < 3000; i++) {
            assert_ptr_equal(module_table_find(module, names[i]), &bindings[i]);
        }
        for (size_t i = 3000; i < 6000; i++) {
            assert_null(module_table_find(module, names[i]));
        }
    }
}

static void a_full_table_is_searched_once_around(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAIRS_MIN; i++) {
        insert(names[i], &bindings[i]);
    }
    for (n_threads = 1; n_threads <= 4; n_threads += 3) {
        for (size_t i = 0; i < PAIRS_MIN; i++) {
            assert_ptr_equal(module_table_find(module, names[i]), &bindings[i]);
        }
        assert_null(module_table_find(module, names[PAIRS_MIN]));
    }
}

static void a_name_without_a_binding_is_none(void **state)
{
    (void)state;
    insert(names[0], NOT_THERE);
    assert_null(module_table_find(module, names[0]));
}

static void whoever_holds_the_lock_is_not_waited_for(void **state)
{
    (void)state;
    add(0, 10);
    set_lock(1);
    assert_ptr_equal(module_table_find(module, names[3]),
                     &bindings[3]); // our own, if there is no other thread
    n_threads = 2;
    assert_null(module_table_find(module, names[3]));
    set_lock(0);
    assert_ptr_equal(module_table_find(module, names[3]), &bindings[3]);
}

static void a_table_that_is_gone_has_no_names(void **state)
{
    (void)state;
    struct pair *const kept = table();
    struct pair *const gone = map_pairs(4096);
    munmap(gone, 4096 * sizeof *gone);
    n_threads = 2;
    use_table(gone, 4096);
    assert_null(module_table_find(module, names[0]));
    use_table(kept, PAIRS_MIN);
}

// The memory was freed, and used for something else before it was read.
static void replace_table(struct pair *copy)
{
    grow();
    for (size_t i = 0; i < 8; i++) {
        copy[i] = (struct pair){names[3], &bindings[4]};
    }
}

static void what_was_read_of_a_table_that_was_replaced_does_not_count(void **state)
{
    (void)state;
    add(0, 8);
    n_threads = 2;
    after_peek = replace_table;
    assert_ptr_equal(module_table_find(module, names[3]), &bindings[3]);
    assert_null(after_peek);
}

static void *add_many(void *unused)
{
    (void)unused;
    add(8, sizeof names / sizeof *names - 8);
    return NULL;
}

static void names_are_found_while_others_are_added(void **state)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t other;
        add(0, 8);
        n_threads = 2;
        assert_int_equal(pthread_create(&other, NULL, add_many, NULL), 0);
        const size_t last = sizeof names / sizeof *names - 1;
        char *found = NULL;
        while (found == NULL) {
            for (size_t i = 0; i < 8; i++) {
                // A thread that is held up with the lock hides them, but nothing takes another's place.
                char *const binding = module_table_find(module, names[i]);
                assert_true(binding == &bindings[i] || binding == NULL);
            }
            found = module_table_find(module, names[last]);
        }
        assert_ptr_equal(found, &bindings[last]);
        pthread_join(other, NULL);
        assert_ptr_equal(module_table_find(module, names[5]), &bindings[5]);
        end(state);
        begin(state);
    }
}

static size_t visited[4000];

static bool count(jl_any symbol, char *binding, void *context)
{
    const size_t i = (size_t)(binding - bindings);
    assert_ptr_equal(symbol, names[i]);
    visited[i]++;
    return --*(size_t *)context == 0;
}

static void each_is_visited_once(void **state)
{
    (void)state;
    add(0, 3000);
    insert(names[3001], NOT_THERE);
    for (n_threads = 1; n_threads <= 4; n_threads += 3) {
        size_t left = 4000;
        memset(visited, 0, sizeof visited);
        module_table_each(module, count, &left);
        assert_int_equal(left, 1000);
        for (size_t i = 0; i < 3000; i++) {
            assert_int_equal(visited[i], 1);
        }
        left = 7;
        module_table_each(module, count, &left);
        assert_int_equal(left, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_found, begin, end),
        cmocka_unit_test_setup_teardown(a_full_table_is_searched_once_around, begin, end),
        cmocka_unit_test_setup_teardown(a_name_without_a_binding_is_none, begin, end),
        cmocka_unit_test_setup_teardown(whoever_holds_the_lock_is_not_waited_for, begin, end),
        cmocka_unit_test_setup_teardown(a_table_that_is_gone_has_no_names, begin, end),
        cmocka_unit_test_setup_teardown(what_was_read_of_a_table_that_was_replaced_does_not_count,
                                        begin, end),
        cmocka_unit_test_setup_teardown(names_are_found_while_others_are_added, begin, end),
        cmocka_unit_test_setup_teardown(each_is_visited_once, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
