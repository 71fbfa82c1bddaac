// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_REGISTERS_H
#define SNOOPI_AGENT_REGISTERS_H

/**
 * @file
 * What unwinding has to know of the machine.
 */
#include <stdint.h>

/* Registers by the numbers that unwind tables have for them. */
#if defined(__x86_64__)
enum { DWARF_FRAME_POINTER = 6, DWARF_STACK_POINTER = 7, DWARF_RETURN_ADDRESS = 16 };
#elif defined(__aarch64__)
enum { DWARF_FRAME_POINTER = 29, DWARF_STACK_POINTER = 31, DWARF_RETURN_ADDRESS = 30 };
#endif

/** A return address as it was before the function signed it, which some do on aarch64. */
static inline uintptr_t plain_address(uintptr_t address)
{
#if defined(__aarch64__)
    /* xpaclri, which machines without signatures take for nothing. */
    register uintptr_t x30 __asm__("x30") = address;
    __asm__("hint #7" : "+r"(x30));
    address = x30;
#endif
    return address;
}

#endif
