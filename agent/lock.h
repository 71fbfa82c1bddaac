// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_LOCK_H
#define SNOOPI_AGENT_LOCK_H

/**
 * @file A spin lock that survives a longjmp out of its holder. The word holds the kernel's id of
 * the thread that has it. Code under it never reaches a safepoint of Julia's collector, so a
 * holder is never stopped by one; and a thread that finds itself as the owner has jumped out from
 * under it, and goes on as the owner: data behind the lock is changed by one last store, so what
 * the jump left behind is whole.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

struct agent_lock {
    _Atomic uint32_t owner;
};

static inline void agent_lock_take(struct agent_lock *lock, uint32_t me)
{
    for (;;) {
        uint32_t seen = 0;
        if (atomic_compare_exchange_strong_explicit(&lock->owner, &seen, me, memory_order_acquire,
                                                    memory_order_relaxed) ||
            seen == me) {
            return;
        }
        (void)sched_yield();
    }
}

static inline void agent_lock_release(struct agent_lock *lock)
{
    atomic_store_explicit(&lock->owner, 0, memory_order_release);
}

#endif
