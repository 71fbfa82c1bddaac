// SPDX-License-Identifier: MIT
//
// aarch64. Encodings after the Arm Architecture Reference Manual for A-profile, section C4.1. Left out on purpose: what an instruction
// of a prologue does not do, encodings without a meaning, and whatever names x16 or x17, which the jumps use.

#include "machine/decode.h"

#include <stdbool.h>
#include <string.h>

enum { INSTRUCTION = 4 };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((1u << count) - 1);
}

/* Whether the register field at bit `low` is one that the jumps leave alone. */
static bool is_kept(uint32_t word, unsigned low)
{
    return bits(word, low, 5) >> 1 != 16 >> 1;
}

/* Loads and stores of two registers, with an offset that may be added to the base before or after. */
static bool is_pair(uint32_t word)
{
    const uint32_t size = bits(word, 30, 2);
    const bool is_vector = bits(word, 26, 1) != 0;
    const bool is_load = bits(word, 22, 1) != 0;
    const bool changes_base = bits(word, 23, 2) != 2;
    const uint32_t first = bits(word, 0, 5);
    const uint32_t second = bits(word, 10, 5);
    const uint32_t base = bits(word, 5, 5);

    if ((word & 0x3a000000) != 0x28000000 || bits(word, 23, 2) == 0 || !is_kept(word, 5)) {
        return false;
    }
    if (is_load && first == second) {
        return false;
    }
    if (is_vector) {
        return size != 3;
    }
    return (size == 0 || size == 2) && is_kept(word, 0) && is_kept(word, 10) &&
           (!changes_base || base == 31 || (first != base && second != base));
}

/* Loads and stores of one register, with a constant offset. */
static bool is_single(uint32_t word)
{
    const uint32_t size = bits(word, 30, 2);
    const uint32_t way = bits(word, 10, 2); /* unscaled, after, unprivileged, before */
    const bool is_scaled = (word & 0x3b000000) == 0x39000000;
    const bool is_vector = bits(word, 26, 1) != 0;
    const bool is_wide = bits(word, 23, 1) != 0; /* 16 bytes; else it extends the sign */
    const bool changes_base = !is_scaled && way != 0;

    if ((!is_scaled && ((word & 0x3b200000) != 0x38000000 || way == 2)) || !is_kept(word, 5)) {
        return false;
    }
    if (is_vector) {
        return !is_wide || size == 0;
    }
    return !is_wide && is_kept(word, 0) &&
           (!changes_base || bits(word, 5, 5) == 31 || bits(word, 0, 5) != bits(word, 5, 5));
}

/* Whether the immediate of a logical instruction is one: a run of ones, but not all, in an element, repeated. */
static bool is_bit_mask(uint32_t word)
{
    const uint32_t length = bits(word, 22, 1) << 6 | (~word >> 10 & 63);
    uint32_t size = 64;

    while (size > 1 && (length & size) == 0) {
        size /= 2;
    }
    return size > 1 && (bits(word, 10, 6) & (size - 1)) != size - 1;
}

/* Arithmetic with constants. */
static bool is_immediate(uint32_t word)
{
    const bool is_64 = bits(word, 31, 1) != 0;
    const uint32_t operation = bits(word, 29, 2);

    if (!is_kept(word, 0)) {
        return false;
    }
    switch (bits(word, 23, 6)) {
    case 0x22: return is_kept(word, 5); /* add, sub */
    case 0x24:                          /* and, orr, eor */
        return is_kept(word, 5) && is_bit_mask(word) && (is_64 || bits(word, 22, 1) == 0);
    case 0x25: return operation != 1 && (is_64 || bits(word, 22, 1) == 0); /* movn, movz, movk */
    default: return false;
    }
}

/* Arithmetic with registers, moves among it. */
static bool is_register(uint32_t word)
{
    const bool is_64 = bits(word, 31, 1) != 0;
    const bool shifts = is_64 || bits(word, 15, 1) == 0;

    if (!is_kept(word, 0) || !is_kept(word, 5) || !is_kept(word, 16)) {
        return false;
    }
    if (bits(word, 24, 5) == 0x0a) {
        return shifts; /* and, orr, eor, bic … */
    }
    if (bits(word, 24, 5) == 0x0b && bits(word, 21, 1) == 0) {
        return shifts && bits(word, 22, 2) != 3; /* add, sub */
    }
    return bits(word, 21, 8) == 0x59 && bits(word, 22, 2) == 0 &&
           bits(word, 10, 3) <= 4; /* extended */
}

static bool is_other(uint32_t word)
{
    static const uint32_t known[] = {
        0xd503201f,             /* nop */
        0xd503233f, 0xd503237f, /* paciasp, pacibsp: the address is signed for where it is saved */
        0xd503241f, 0xd503245f, 0xd503249f, /* bti, bti c, bti j, */
        0xd50324df                          /* bti jc */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (word == known[i]) {
            return true;
        }
    }
    return (word & 0xffffffe0) == 0x6f00e400 ||                     /* movi v.2d, 0 */
           ((word & 0xffffffe0) == 0xd53bd040 && is_kept(word, 0)); /* mrs, of the thread's block */
}

size_t decode_movable(const uint8_t *code, size_t available)
{
    uint32_t word = 0;

    if (available < INSTRUCTION) {
        return 0;
    }
    memcpy(&word, code, sizeof word);
    return is_pair(word) || is_single(word) || is_immediate(word) || is_register(word) ||
                   is_other(word)
               ? INSTRUCTION
               : 0;
}
