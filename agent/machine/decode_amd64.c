// SPDX-License-Identifier: MIT
//
// amd64. Opcodes and ModRM after the Intel 64 Architecture Manual, volume 2, chapter 2 and
// appendix A.

#include "machine/decode.h"

#include <stdbool.h>
#include <string.h>

/* Length of ModRM, SIB and displacement; 0 when it addresses relative to the instruction or
 * does not fit. */
static size_t modrm_length(const uint8_t *at, size_t available)
{
    if (available < 1) {
        return 0;
    }
    const unsigned mod = at[0] >> 6;
    const unsigned rm = at[0] & 7;
    size_t length = 1;

    if (mod == 3) {
        return length;
    }
    if (mod == 0 && rm == 5) {
        return 0; /* rip-relative */
    }
    if (rm == 4) {
        if (available < 2) {
            return 0;
        }
        length++;
        if (mod == 0 && (at[1] & 7) == 5) {
            length += 4; /* absolute, or base-less index */
        }
    }
    length += mod == 1 ? 1 : mod == 2 ? 4 : 0;
    return length <= available ? length : 0;
}

/* Operations that take a ModRM byte and no immediate. */
static bool takes_modrm(uint8_t opcode)
{
    static const uint8_t known[] = {
        /* add or and sub xor cmp */
        0x01, 0x03, 0x09, 0x0b, 0x21, 0x23, 0x29, 0x2b, 0x31,
        0x33, 0x39, 0x3b, 0x85, 0x88, 0x89, 0x8a, 0x8b, 0x8d, /* test mov lea */
    };
    return memchr(known, opcode, sizeof known) != NULL;
}

/* Two-byte VEX: only the moves and xor that clear or spill vector registers. In the second byte
 * vvvv, inverted, is a further source, so 1111 where there is none; pp chooses the kind of operand,
 * which not every opcode has. */
static size_t vex_length(const uint8_t *code, size_t available)
{
    static const struct {
        uint8_t opcode;
        uint8_t kinds; /* mask of pp */
        bool is_binary;
    } known[] = {{0x10, 15, false}, {0x11, 15, false}, {0x28, 3, false}, {0x29, 3, false},
                 {0x57, 3, true},   {0x6f, 6, false},  {0x7f, 6, false}, {0xef, 2, true}};

    for (size_t i = 0; available >= 4 && i < sizeof known / sizeof known[0]; i++) {
        const bool is_unary = (code[1] & 0x78) == 0x78;
        if (known[i].opcode == code[2] && (known[i].kinds >> (code[1] & 3) & 1) != 0 &&
            (known[i].is_binary || is_unary)) {
            const size_t rest = modrm_length(code + 3, available - 3);
            return rest == 0 ? 0 : 3 + rest;
        }
    }
    return 0;
}

/* The same moves without VEX: 0F op. */
static size_t two_byte_length(const uint8_t *code, size_t available, size_t prefix)
{
    static const uint8_t known[] = {0x10, 0x11, 0x28, 0x29, 0x57, 0x6f, 0x7f, 0xef, 0x1f};
    if (available < prefix + 3 || memchr(known, code[prefix + 1], sizeof known) == NULL) {
        return 0;
    }
    if (code[prefix + 1] == 0x1f && ((code[prefix + 2] & 0x38) != 0 || code[prefix + 2] >= 0xc0)) {
        return 0; /* of the nops, only the one that compilers pad with */
    }
    const size_t rest = modrm_length(code + prefix + 2, available - prefix - 2);
    return rest == 0 ? 0 : prefix + 2 + rest;
}

size_t decode_movable(const uint8_t *code, size_t available)
{
    size_t at = 0;
    bool wide = false;

    if (available >= 4 && memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0) {
        return 4; /* endbr64 */
    }
    if (available >= 3 && code[0] == 0xc5) {
        return vex_length(code, available);
    }
    if (available > 0 && code[0] == 0x64) {
        at++; /* fs: an address in the thread's block */
    }
    if (available > at && (code[at] & 0xf0) == 0x40) {
        wide = (code[at] & 8) != 0;
        at++;
    }
    if (available <= at) {
        return 0;
    }
    const uint8_t opcode = code[at];
    if (opcode >= 0x50 && opcode <= 0x5f) {
        return at + 1; /* push, pop */
    }
    if (opcode >= 0xb8 && opcode <= 0xbf) {
        const size_t length = at + 1 + (wide ? 8 : 4);
        return length <= available ? length : 0; /* mov register, immediate */
    }
    if (opcode == 0x0f) {
        return two_byte_length(code, available, at);
    }
    if (takes_modrm(opcode) || opcode == 0x81 || opcode == 0x83 || opcode == 0xc7) {
        const size_t immediate = opcode == 0x83 ? 1 : opcode == 0x81 || opcode == 0xc7 ? 4 : 0;
        const size_t rest = modrm_length(code + at + 1, available - at - 1);
        const bool is_xbegin = opcode == 0xc7 && rest != 0 && (code[at + 1] & 0x38) != 0;
        const bool is_undefined = opcode == 0x8d && rest != 0 && code[at + 1] >= 0xc0; /* lea */
        const size_t length = at + 1 + rest + immediate;
        return rest == 0 || is_xbegin || is_undefined || length > available ? 0 : length;
    }
    return 0;
}

size_t decode_prologue(const uint8_t *code, size_t available, size_t need)
{
    size_t length = 0;
    while (length < need) {
        const size_t next = decode_movable(code + length, available - length);
        if (next == 0) {
            return 0;
        }
        length += next;
    }
    return length;
}
