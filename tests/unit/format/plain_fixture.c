// SPDX-License-Identifier: MIT
// Code without debug information, of which test_imagecodes.c finds symbols alone. They are named as those of an image are.
void *julia_plain_12(void);
void *jfptr_plain_13(void);

static void *volatile seen;

__attribute__((noinline)) static void take(void)
{
    seen = __builtin_return_address(0);
}

void *julia_plain_12(void)
{
    take();
    return seen;
}

void *jfptr_plain_13(void)
{
    take();
    return seen;
}
