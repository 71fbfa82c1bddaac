// SPDX-License-Identifier: MIT
//
// Writes the jump, and the moved instructions.

#include "machine/patch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/jump.h"

enum { READABLE_MAX = 48 };

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
    __builtin___clear_cache((char *)at, (char *)at + size);
    return written == (ssize_t)size && memcmp(at, bytes, size) == 0;
}

/* Bytes that may be read at `code`: to the end of its page at least. */
static size_t readable(const uint8_t *code)
{
    const size_t page = 4096;
    const size_t left = page - ((uintptr_t)code & (page - 1));
    return left < READABLE_MAX ? left : READABLE_MAX;
}

bool patch_install(struct hook *hook, const char **reason)
{
    struct jump jump = {0};
    uint8_t *const slot = agent_moved_code + (size_t)slots_used * SLOT_SIZE;

    if (slots_used == HOOKS_MAX) {
        *reason = "there are more copies of the compiler than there is room for";
        return false;
    }
    if (jump_is_at(hook->code)) {
        *reason = "the compiler is hooked already";
        return false;
    }
    if (!jump_make(&jump, hook, slot, readable(hook->code))) {
        *reason = "the first instructions of the compiler's function are not known to be movable";
        return false;
    }
    hook->stub = snoopi_inference_hook;
    hook->moved = slot + jump.moved;
    if (!write_text(slot, jump.slot, sizeof jump.slot) ||
        !write_text(hook->code, jump.over, jump.size)) {
        *reason = "the kernel does not let /proc/self/mem write code pages";
        return false;
    }
    slots_used++;
    return true;
}

bool patch_is_in_place(const struct hook *hook)
{
    return jump_is_in_place(hook);
}
