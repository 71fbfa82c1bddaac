// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_CFI_H
#define SNOOPI_AGENT_CFI_H

/**
 * @file
 * Reads one entry of an unwind table (DWARF 4, section 6.4; Linux Standard Base, "Exception Frames"):
 * how the caller's stack pointer and frame pointer are found at a given address.
 */
#include <stdbool.h>
#include <stdint.h>

/** How to step out of a function. */
struct cfi_rule {
    bool from_frame_pointer; /* the CFA is rbp + cfa_offset, else rsp + cfa_offset */
    bool has_frame_pointer;  /* the caller's rbp lies at CFA + frame_offset, else it is unchanged */
    int64_t cfa_offset;
    int64_t frame_offset;
};

/**
 * Works out the rule at `address` from the frame description entry `fde` of the function that begins at
 * `function`. False when the entry says something that these rules cannot.
 */
bool cfi_rule_at(const uint8_t *fde, uintptr_t function, uintptr_t address, struct cfi_rule *rule);

#endif
