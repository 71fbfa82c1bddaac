// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_LOCK_H
#define SNOOPI_AGENT_LOCK_H

/**
 * @file Spin locks that survive a longjmp out of their holder. The word holds the kernel's id of
 * the thread that has it. Code under one never reaches a safepoint of Julia's collector, so a
 * holder is never stopped by one; and data behind it is changed by one last store, so what a jump
 * leaves behind is whole. A thread that comes into the agent gives back what it jumped out of; if
 * it does not come, whoever waits for it ends the recording rather than the program.
 */
#include <stdatomic.h>
#include <stdint.h>

enum agent_lock { LOCK_THREADS, LOCK_SEGMENT, LOCK_DEFINITIONS, AGENT_LOCKS };

extern _Atomic uint32_t agent_lock_owners[AGENT_LOCKS];

/** Takes a lock for the thread `me`, also when it has it already. */
void agent_lock_take(enum agent_lock lock, uint32_t me);

static inline void agent_lock_release(enum agent_lock lock)
{
    atomic_store_explicit(&agent_lock_owners[lock], 0, memory_order_release);
}

/** Gives back what `me` jumped out of; to be called where it can hold no lock. */
static inline void agent_lock_give_back(uint32_t me)
{
    for (int lock = 0; lock < AGENT_LOCKS; lock++) {
        if (atomic_load_explicit(&agent_lock_owners[lock], memory_order_relaxed) == me) {
            agent_lock_release((enum agent_lock)lock);
        }
    }
}

#endif
