// SPDX-License-Identifier: MIT
//
// Waiting for a lock. Nobody holds one for longer than it takes to have a piece of a file
// allocated.

#include "lock.h"

#include <sched.h>
#include <stdbool.h>

#include "agent.h"

enum { LOOKS_PER_CLOCK = 256 };
static const uint64_t patience_ns = 3000000000u;

_Atomic uint32_t agent_lock_owners[AGENT_LOCKS];

static bool try_to_take(_Atomic uint32_t *owner, uint32_t me)
{
    uint32_t seen = 0;
    return atomic_compare_exchange_strong_explicit(owner, &seen, me, memory_order_acquire,
                                                   memory_order_relaxed) ||
           seen == me;
}

void agent_lock_take(enum agent_lock lock, uint32_t me)
{
    _Atomic uint32_t *const owner = &agent_lock_owners[lock];
    uint64_t since = 0;

    for (uint32_t looks = 1; !try_to_take(owner, me); looks++) {
        if (looks % LOOKS_PER_CLOCK == 0) {
            const uint64_t now = agent_now();
            since = since == 0 ? now : since;
            if (now - since > patience_ns) {
                agent_turn_off("a thread was interrupted while it recorded, and did not go on");
                atomic_store_explicit(owner, me, memory_order_relaxed);
                return;
            }
        }
        (void)sched_yield();
    }
}
