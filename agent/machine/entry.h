// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_ENTRY_H
#define SNOOPI_AGENT_ENTRY_H

/**
 * @file
 * What entry.S calls and reads.
 */
#include <stdint.h>

#include "machine/patch.h"

#define AGENT_HIDDEN __attribute__((visibility("hidden")))

/** What the hook gets, behind the arguments: what the caller had, its stack pointer as it was at the call. */
enum { REGISTER_FRAME_POINTER = 8, REGISTER_STACK_POINTER = 9, REGISTERS = 10 };

/** 1 when a dl call need not ask any more. */
extern AGENT_HIDDEN uint8_t agent_is_settled;

/** What dlsym gives for `name` in place of what bears it; NULL: that itself. */
AGENT_HIDDEN void *agent_instead(const char *name);

/** Called before each dlopen and dlsym until things are settled. */
AGENT_HIDDEN void agent_consider(void);

/**
 * A hooked function was entered.
 *
 * @param registers  REGISTERS of them, integer arguments first: rdi rsi rdx rcx r8 r9 rax r10 on amd64, x0 to x7 on aarch64.
 * @param sp         where the return address lies; the frame's mark on its stack.
 */
AGENT_HIDDEN void agent_frame_begin(void *const *registers, struct hook *hook, uintptr_t sp);

/**
 * It returned `result` (as the integer result register holds it). Not called when it was left by a
 * jump.
 */
AGENT_HIDDEN void agent_frame_end(uintptr_t result, const struct hook *hook, uintptr_t sp);

#endif
