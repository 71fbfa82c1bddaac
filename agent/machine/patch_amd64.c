// SPDX-License-Identifier: MIT
//
// amd64: the jump, and the moved instructions.

#include "machine/patch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/decode.h"

enum { JUMP_SIZE = 13, MOVED_MAX = 48, SLOT_SIZE = 64 };

/* In entry.S. */
extern void snoopi_inference_hook(void) __attribute__((visibility("hidden")));
extern uint8_t agent_moved_code[HOOKS_MAX * SLOT_SIZE] __attribute__((visibility("hidden")));

static unsigned slots_used;

/* Writes text of this process without making its page writable. */
static bool write_text(uint8_t *at, const uint8_t *bytes, size_t size)
{
    const int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const ssize_t written = pwrite(fd, bytes, size, (off_t)(uintptr_t)at);
    (void)close(fd);
    return written == (ssize_t)size && memcmp(at, bytes, size) == 0;
}

static void make_jump(uint8_t jump[JUMP_SIZE], const struct hook *hook)
{
    jump[0] = 0x49; /* movabs $hook, %r11 */
    jump[1] = 0xbb;
    memcpy(jump + 2, &hook, sizeof hook);
    memcpy(jump + 10, "\x41\xff\x23", 3); /* jmp *(%r11) */
}

static bool is_our_jump(const uint8_t *code)
{
    return code[0] == 0x49 && code[1] == 0xbb && memcmp(code + 10, "\x41\xff\x23", 3) == 0;
}

/* Bytes that may be read at `code`: to the end of its page at least. */
static size_t readable(const uint8_t *code)
{
    const size_t page = 4096;
    const size_t left = page - ((uintptr_t)code & (page - 1));
    return left < MOVED_MAX ? left : MOVED_MAX;
}

bool patch_install(struct hook *hook, const char **reason)
{
    uint8_t moved[SLOT_SIZE];
    uint8_t jump[JUMP_SIZE];
    uint8_t *const slot = agent_moved_code + (size_t)slots_used * SLOT_SIZE;

    if (slots_used == HOOKS_MAX) {
        *reason = "there are more copies of the compiler than there is room for";
        return false;
    }
    if (is_our_jump(hook->code)) {
        *reason = "the compiler is hooked already";
        return false;
    }
    const size_t length = decode_prologue(hook->code, readable(hook->code), JUMP_SIZE);
    if (length == 0) {
        *reason = "the first instructions of the compiler's function are not known to be movable";
        return false;
    }
    const uint8_t *const rest = hook->code + length;
    memset(moved, 0xcc, sizeof moved);
    memcpy(moved, hook->code, length);
    memcpy(moved + length, "\xff\x25\0\0\0\0", 6); /* jmp *0(%rip): the address follows */
    memcpy(moved + length + 6, &rest, sizeof rest);
    hook->stub = snoopi_inference_hook;
    hook->moved = slot;
    make_jump(jump, hook);
    if (!write_text(slot, moved, sizeof moved) || !write_text(hook->code, jump, sizeof jump)) {
        *reason = "the kernel does not let /proc/self/mem write code pages";
        return false;
    }
    slots_used++;
    return true;
}

bool patch_is_in_place(const struct hook *hook)
{
    uint8_t jump[JUMP_SIZE];
    make_jump(jump, hook);
    return memcmp(hook->code, jump, sizeof jump) == 0;
}
