// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_CFI_H
#define SNOOPI_AGENT_CFI_H

/**
 * @file
 * Reads one entry of an unwind table (DWARF 4, section 6.4; Linux Standard Base, "Exception Frames"):
 * how the caller's stack pointer, its frame pointer and the return address are found at a given address.
 */
#include <stdbool.h>
#include <stdint.h>

/** Where a register's value at the call lies: at CFA + offset, if it was saved. */
struct cfi_saved {
    bool is_saved;
    int64_t offset;
};

/** How to step out of a function. The CFA is the stack pointer at its call. */
struct cfi_rule {
    bool
        from_frame_pointer; /* the CFA is the frame pointer + cfa_offset, else the stack pointer + it */
    int64_t cfa_offset;
    struct cfi_saved frame_pointer; /* else it is unchanged */
    struct cfi_saved return_address;
};

/**
 * Works out the rule at `address` from the frame description entry `fde` of the function that begins at
 * `function`. False when the entry says something that these rules cannot, or that there is no caller.
 */
bool cfi_rule_at(const uint8_t *fde, uintptr_t function, uintptr_t address, struct cfi_rule *rule);

#endif
