// SPDX-License-Identifier: MIT
// Code whose debug information test_imagecodes.c reads. The line numbers are asserted there.
#include <stddef.h>

void *fixture_outer(int deep);

static void *volatile seen;

__attribute__((noinline)) static void take(void)
{
    seen = __builtin_return_address(0);
}

static inline __attribute__((always_inline)) void inner(void)
{
    take(); // line 16
    seen = (char *)seen + 0;
}

static inline __attribute__((always_inline)) void middle(int deep)
{
    if (deep) {
        inner(); // line 23
    }
}

void *fixture_outer(int deep)
{
    middle(deep); // line 29
    return seen;
}
