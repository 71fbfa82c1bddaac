// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_FIND_H
#define SNOOPI_AGENT_FIND_H

/**
 * @file Compiled copies of the compiler's functions, found through Julia's method tables. The
 * address comes from the CodeInstance, never from a symbol: a system image holds clones of each
 * copy, of which one is used.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "julia/julia.h"

/** A compiled copy of a function of the compiler. */
struct compiled_copy {
    uint8_t *code;
    uint64_t min_world;
    uint64_t max_world;
    bool is_tooling; /* what tools use; not what the compiler itself runs */
    bool is_foreign; /* of an interpreter that is not the compiler's own; a tool's */
    int frame_register;
    const uint8_t *wrapper; /* what calls it with boxed arguments; NULL: nothing does */
};

/**
 * Finds the copies of `target` that can be called with arguments in registers.
 * @return their number, at most `capacity`.
 */
size_t find_copies(const struct julia_target *target, struct compiled_copy *copies,
                   size_t capacity);

/** The CodeInstance that runs when a function of one method and no arguments is called; NULL when there is none with code. */
jl_any find_live_code(jl_any function);

/**
 * Start of the function that holds `address`, from the unwind table of the object around it; NULL
 * when there is none. Reads tables that are mapped for good, without the loader's lock.
 */
const uint8_t *function_start(const uint8_t *address);

/** Whether `address` lies in the object that function_start() knows: the system image. */
bool function_is_in_image(const uint8_t *address);

/** Prepares function_start() for the object that holds `code`. */
void function_start_prepare(const uint8_t *code);

#endif
