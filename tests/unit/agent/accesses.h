// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ACCESSES_H
#define SNOOPI_ACCESSES_H

/**
 * @file
 * A place to interfere before each access to memory, in code that was compiled with -fsanitize=thread and is linked
 * without that sanitizer: accesses.c takes the calls that were meant for it.
 */
#include <stdint.h>

/**
 * Has `call` called once, before the n-th access of this thread from now on; 0: never.
 *
 * @return how many accesses were left to the call that was asked for before.
 */
uint64_t accesses_until(uint64_t n, void (*call)(void));

#endif
