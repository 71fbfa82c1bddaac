// SPDX-License-Identifier: MIT
// See accesses.h. The names and signatures are those of the thread sanitizer's runtime, as far as the agent needs them.
#include "accesses.h"

static _Thread_local uint64_t left;
static _Thread_local void (*to_call)(void);

uint64_t accesses_until(uint64_t n, void (*call)(void))
{
    const uint64_t old = left;
    left = n;
    to_call = call;
    return old;
}

#if SNOOPI_TEST_ACCESSES
static void tell(void)
{
    if (left > 0 && --left == 0) {
        to_call();
    }
}

#define TOLD(name)       \
    void name(void *at); \
    void name(void *at)  \
    {                    \
        (void)at;        \
        tell();          \
    }
TOLD(__tsan_read1)
TOLD(__tsan_read2)
TOLD(__tsan_read4)
TOLD(__tsan_read8)
TOLD(__tsan_read16)
TOLD(__tsan_write1)
TOLD(__tsan_write2)
TOLD(__tsan_write4)
TOLD(__tsan_write8)
TOLD(__tsan_write16)
TOLD(__tsan_unaligned_read2)
TOLD(__tsan_unaligned_read4)
TOLD(__tsan_unaligned_read8)
TOLD(__tsan_unaligned_read16)
TOLD(__tsan_unaligned_write2)
TOLD(__tsan_unaligned_write4)
TOLD(__tsan_unaligned_write8)
TOLD(__tsan_unaligned_write16)
TOLD(__tsan_volatile_read1)
TOLD(__tsan_volatile_read8)
TOLD(__tsan_func_entry)

void __tsan_read_range(void *at, unsigned long size);
void __tsan_read_range(void *at, unsigned long size)
{
    (void)at;
    (void)size;
    tell();
}

void __tsan_write_range(void *at, unsigned long size);
void __tsan_write_range(void *at, unsigned long size)
{
    (void)at;
    (void)size;
    tell();
}

void __tsan_init(void);
void __tsan_init(void) {}

void __tsan_func_exit(void);
void __tsan_func_exit(void) {}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

uint32_t __tsan_atomic32_load(const uint32_t *at, int order);
uint32_t __tsan_atomic32_load(const uint32_t *at, int order)
{
    (void)order;
    tell();
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

void __tsan_atomic32_store(uint32_t *at, uint32_t value, int order);
void __tsan_atomic32_store(uint32_t *at, uint32_t value, int order)
{
    (void)order;
    tell();
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

int __tsan_atomic32_compare_exchange_strong(uint32_t *at, uint32_t *seen, uint32_t value, int order,
                                            int failure_order);
int __tsan_atomic32_compare_exchange_strong(uint32_t *at, uint32_t *seen, uint32_t value, int order,
                                            int failure_order)
{
    (void)order;
    (void)failure_order;
    tell();
    return __atomic_compare_exchange_n(at, seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void __tsan_atomic64_store(uint64_t *at, uint64_t value, int order);
void __tsan_atomic64_store(uint64_t *at, uint64_t value, int order)
{
    (void)order;
    tell();
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

uint64_t __tsan_atomic64_fetch_add(uint64_t *at, uint64_t value, int order);
uint64_t __tsan_atomic64_fetch_add(uint64_t *at, uint64_t value, int order)
{
    (void)order;
    tell();
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
#endif
