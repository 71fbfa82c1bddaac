// SPDX-License-Identifier: MIT
//
// aarch64, where x16 and x17 are nobody's at a function's entry:
//
//     function:  bti c                   only if it began with a landing pad: its page may be guarded
//                ldr x16, slot           16 bytes with the address
//                br x16
//                .quad slot
//     slot:      ldr x17, hook
//                ldr x16, [x17]
//                br x16                  → hook.stub (entry.S)
//                .quad hook, aligned
//     moved:     the instructions that stood there; adr and adrp as loads of what they would give
//                ldr x16, rest           what follows them; no landing pad, so in a guarded page it is gone to by
//                br x16, or ret x16      ret, which needs none
//                .quad rest
//     values:    of adr and adrp

#include <string.h>

#include "machine/decode.h"
#include "machine/jump.h"

enum {
    INSTRUCTION = 4,
    JUMP_SIZE = 16,
    MOVED_AT = 24, /* in a slot */
    VALUES_AT = 64 /* in a slot; behind the longest that can lie at MOVED_AT */
};

#define BTI         0xd503241fu
#define BTI_C       0xd503245fu
#define BTI_MASK    0xffffff3fu /* what bti, bti c, bti j and bti jc have in common */
#define PACIASP     0xd503233fu
#define PACIBSP     0xd503237fu
#define BRK         0xd4200000u
#define LDR         0x58000000u /* ldr x0, . */
#define LDR_X16_8   0x58000050u /* ldr x16, .+8 */
#define LDR_X17_16  0x58000091u /* ldr x17, .+16 */
#define LDR_X16_X17 0xf9400230u
#define BR_X16      0xd61f0200u
#define RET_X16     0xd65f0200u

static uint32_t word_at(const uint8_t *at)
{
    uint32_t word = 0;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    memcpy(at, &word, sizeof word);
    return at + sizeof word;
}

/* The jump to an address by way of x16, with br or ret. */
static void put_jump(uint8_t *at, uint32_t branch, const uint8_t *address)
{
    at = put_word(at, LDR_X16_8);
    at = put_word(at, branch);
    memcpy(at, &address, sizeof address);
}

/* Whether an indirect branch may go to this instruction in a guarded page. */
static bool is_landing_pad(uint32_t word)
{
    return (word & BTI_MASK) == BTI || word == PACIASP || word == PACIBSP;
}

/* What adr or adrp, which stands at `pc`, gives. False when it is neither. */
static bool is_address(uint32_t word, uintptr_t pc, uint64_t *value)
{
    const bool is_page = word >> 31 != 0;
    const uint64_t low = word >> 29 & 3;
    const uint64_t high = word >> 5 & 0x7ffff;
    const uint64_t distance = ((high << 2 | low) ^ 0x100000u) - 0x100000u; /* signed, of 21 bits */

    *value = is_page ? (pc & ~(uint64_t)4095) + (distance << 12) : pc + distance;
    return (word & 0x1f000000) == 0x10000000 && (word & 30) != 16;
}

/* Moves the instructions of `code` that lie in `size` bytes. False when one can't be. */
static bool move(uint8_t *slot, const uint8_t *code, size_t size, size_t readable)
{
    uint8_t *value_at = slot + VALUES_AT;

    for (size_t i = 0; i < size; i += INSTRUCTION) {
        uint8_t *const at = slot + MOVED_AT + i;
        uint64_t value = 0;
        if (decode_movable(code + i, readable - i) != 0) {
            (void)put_word(at, word_at(code + i));
        } else if (readable - i >= INSTRUCTION &&
                   is_address(word_at(code + i), (uintptr_t)code + i, &value)) {
            const uint32_t words = (uint32_t)(value_at - at) / INSTRUCTION;
            (void)put_word(at, LDR | words << 5 | (word_at(code + i) & 31));
            memcpy(value_at, &value, sizeof value);
            value_at += sizeof value;
        } else {
            return false;
        }
    }
    return true;
}

bool jump_make(struct jump *jump, const struct hook *hook, const uint8_t *slot, size_t readable)
{
    const bool has_pad = readable >= INSTRUCTION && is_landing_pad(word_at(hook->code));
    const size_t size = JUMP_SIZE + (has_pad ? INSTRUCTION : 0);
    uint8_t *at = jump->slot;

    for (size_t i = 0; i < SLOT_SIZE; i += INSTRUCTION) {
        (void)put_word(jump->slot + i, BRK);
    }
    at = put_word(at, LDR_X17_16);
    at = put_word(at, LDR_X16_X17);
    (void)put_word(at, BR_X16);
    memcpy(jump->slot + 16, &hook, sizeof hook);
    if (!move(jump->slot, hook->code, size, readable)) {
        return false;
    }
    put_jump(jump->slot + MOVED_AT + size, has_pad ? RET_X16 : BR_X16, hook->code + size);
    jump->moved = MOVED_AT;
    jump->size = size;
    at = has_pad ? put_word(jump->over, BTI_C) : jump->over;
    put_jump(at, BR_X16, slot);
    return true;
}

bool jump_is_at(const uint8_t *code)
{
    const uint8_t *const at = word_at(code) == BTI_C ? code + INSTRUCTION : code;
    return word_at(at) == LDR_X16_8 && word_at(at + INSTRUCTION) == BR_X16;
}

bool jump_is_in_place(const struct hook *hook)
{
    uint8_t over[JUMP_SIZE];
    const bool has_pad = word_at(hook->code) == BTI_C;

    put_jump(over, BR_X16, (const uint8_t *)hook->moved - MOVED_AT);
    return memcmp(hook->code + (has_pad ? INSTRUCTION : 0), over, sizeof over) == 0;
}
