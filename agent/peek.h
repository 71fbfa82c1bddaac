// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_PEEK_H
#define SNOOPI_AGENT_PEEK_H

/**
 * @file
 * Reading memory of this process that may not be there, or may go away meanwhile.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Copies `size` bytes from `address` to `to`; false where not all of them can be read, and then `to` holds anything. It takes a
 * call to the system. errno is changed. */
bool peek(uintptr_t address, void *to, size_t size);

#endif
