// SPDX-License-Identifier: MIT
//
// amd64:
//
//     function:  movabs $hook, %r11     10 bytes
//                jmp *(%r11)             3 bytes → hook.stub (entry.S)
//     slot:      the instructions that stood there
//                jmp *0(%rip)            to what follows them

#include <string.h>

#include "machine/decode.h"
#include "machine/jump.h"

enum { JUMP_SIZE = 13 };

static void write_jump(uint8_t over[JUMP_SIZE], const struct hook *hook)
{
    over[0] = 0x49; /* movabs $hook, %r11 */
    over[1] = 0xbb;
    memcpy(over + 2, &hook, sizeof hook);
    memcpy(over + 10, "\x41\xff\x23", 3); /* jmp *(%r11) */
}

bool jump_make(struct jump *jump, const struct hook *hook, const uint8_t *slot, size_t readable)
{
    const size_t length = decode_prologue(hook->code, readable, JUMP_SIZE);
    const uint8_t *const rest = hook->code + length;

    (void)slot;
    if (length == 0) {
        return false;
    }
    memset(jump->slot, 0xcc, sizeof jump->slot);
    memcpy(jump->slot, hook->code, length);
    memcpy(jump->slot + length, "\xff\x25\0\0\0\0", 6); /* jmp *0(%rip): the address follows */
    memcpy(jump->slot + length + 6, &rest, sizeof rest);
    jump->moved = 0;
    jump->size = JUMP_SIZE;
    write_jump(jump->over, hook);
    return true;
}

bool jump_is_at(const uint8_t *code)
{
    return code[0] == 0x49 && code[1] == 0xbb && memcmp(code + 10, "\x41\xff\x23", 3) == 0;
}

bool jump_is_in_place(const struct hook *hook)
{
    uint8_t over[JUMP_SIZE];
    write_jump(over, hook);
    return memcmp(hook->code, over, sizeof over) == 0;
}
