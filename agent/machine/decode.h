// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_DECODE_H
#define SNOOPI_AGENT_DECODE_H

/**
 * @file Understands the few instructions that the beginning of a compiled Julia function has,
 * enough to know that they may run at another address. All else is refused.
 */
#include <stddef.h>
#include <stdint.h>

/**
 * Length of the instruction at `code`, if it is one that does the same anywhere: no branch, no
 * address relative to itself. 0 if it is not known, not such, or longer than `available`.
 */
size_t decode_movable(const uint8_t *code, size_t available);

/**
 * Length of the shortest run of whole movable instructions of at least `need` bytes; 0 if there is
 * none. For machines whose instructions differ in length.
 */
size_t decode_prologue(const uint8_t *code, size_t available, size_t need);

#endif
