// SPDX-License-Identifier: MIT
// Locks whose holder may have jumped out of them.
#include "tests/unit/cmocka_all.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/lock.h"

static const char *why_off;

void agent_turn_off(const char *reason)
{
    why_off = reason;
}

enum { ROUNDS = 20000, THREADS = 4 };

static uint64_t counter; // behind LOCK_SEGMENT

static void *count_up(void *me)
{
    for (int i = 0; i < ROUNDS; i++) {
        agent_lock_take(LOCK_SEGMENT, (uint32_t)(uintptr_t)me);
        counter++;
        agent_lock_release(LOCK_SEGMENT);
    }
    return NULL;
}

static void one_thread_at_a_time_has_a_lock(void **state)
{
    pthread_t threads[THREADS];

    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, (void *)(i + 1)), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_true(counter == (uint64_t)ROUNDS * THREADS);
}

static void who_jumped_out_of_a_lock_may_take_it_again(void **state)
{
    (void)state;
    agent_lock_take(LOCK_DEFINITIONS, 7);
    agent_lock_take(LOCK_DEFINITIONS, 7);
    agent_lock_release(LOCK_DEFINITIONS);
    agent_lock_take(LOCK_DEFINITIONS, 8);
    agent_lock_release(LOCK_DEFINITIONS);
    assert_null(why_off);
}

static void giving_back_leaves_the_locks_of_others(void **state)
{
    (void)state;
    agent_lock_take(LOCK_SEGMENT, 7);
    agent_lock_take(LOCK_DEFINITIONS, 7);
    agent_lock_take(LOCK_THREADS, 8);
    agent_lock_give_back(7);
    assert_int_equal(agent_lock_owners[LOCK_SEGMENT], 0);
    assert_int_equal(agent_lock_owners[LOCK_DEFINITIONS], 0);
    assert_int_equal(agent_lock_owners[LOCK_THREADS], 8);
    agent_lock_give_back(8);
    assert_int_equal(agent_lock_owners[LOCK_THREADS], 0);
}

static atomic_bool is_waiting;

static void *wait_for_it(void *unused)
{
    (void)unused;
    is_waiting = true;
    agent_lock_take(LOCK_SEGMENT, 9);
    agent_lock_release(LOCK_SEGMENT);
    return NULL;
}

static void who_waits_goes_on_when_the_lock_is_given_back(void **state)
{
    pthread_t waiter;

    (void)state;
    agent_lock_take(LOCK_SEGMENT, 7);
    is_waiting = false;
    assert_int_equal(pthread_create(&waiter, NULL, wait_for_it, NULL), 0);
    while (!is_waiting) {
        (void)sched_yield();
    }
    agent_lock_give_back(7);
    assert_int_equal(pthread_join(waiter, NULL), 0);
    assert_null(why_off);
}

// The recording ends, and not the program.
static void who_waits_for_one_that_does_not_come_goes_on_too(void **state)
{
    (void)state;
    agent_lock_take(LOCK_SEGMENT, 7);
    agent_lock_take(LOCK_SEGMENT, 8);
    assert_non_null(why_off);
    assert_non_null(strstr(why_off, "interrupted"));
    assert_int_equal(agent_lock_owners[LOCK_SEGMENT], 8);
    agent_lock_release(LOCK_SEGMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_at_a_time_has_a_lock),
        cmocka_unit_test(who_jumped_out_of_a_lock_may_take_it_again),
        cmocka_unit_test(giving_back_leaves_the_locks_of_others),
        cmocka_unit_test(who_waits_goes_on_when_the_lock_is_given_back),
        cmocka_unit_test(who_waits_for_one_that_does_not_come_goes_on_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
