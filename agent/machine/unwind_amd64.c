// SPDX-License-Identifier: MIT
//
// amd64. A rule is packed as: 1, CFA by rbp, rbp saved, then its place and the CFA's offset, both in words.

#include "machine/unwind.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "intern.h"
#include "machine/cfi.h"
#include "real.h"

/* What libgcc fills for _Unwind_Find_FDE() (its unwind-dw2-fde.h). */
struct bases {
    void *text;
    void *data;
    void *function;
};

enum { RULE = 1, RULE_BY_FRAME = 2, RULE_HAS_FRAME = 4, RULE_NONE = 8, WORDS_MAX = 1 << 14 };

static const void *(*find_fde)(void *address, struct bases *bases);
static struct intern_table rules = {.first_entries = 8 << 10};

int unwind_prepare(void)
{
    void *const found = real_dlsym(RTLD_DEFAULT, "_Unwind_Find_FDE");
    memcpy(&find_fde, &found, sizeof found);
    return find_fde != NULL && intern_reserve(&rules);
}

static uint32_t pack(const struct cfi_rule *rule)
{
    const int64_t cfa = rule->cfa_offset / 8;
    const int64_t frame = rule->has_frame_pointer ? -rule->frame_offset / 8 : 0;

    if (rule->cfa_offset % 8 != 0 || cfa < 0 || cfa >= WORDS_MAX || frame < 0 ||
        frame >= WORDS_MAX) {
        return RULE_NONE;
    }
    return RULE | (rule->from_frame_pointer ? RULE_BY_FRAME : 0) |
           (rule->has_frame_pointer ? RULE_HAS_FRAME : 0) | (uint32_t)frame << 4 |
           (uint32_t)cfa << 18;
}

static uint32_t rule_of(uintptr_t address)
{
    const uint64_t key = intern_key((const void *)address, 0, 0);
    uint32_t packed = intern_find(&rules, key);

    if (packed == 0) {
        struct bases bases = {0};
        struct cfi_rule rule = {0};
        /* The call, not what follows it: a function may end with a call. */
        const uint8_t *const fde = find_fde((void *)(address - 1), &bases);
        const bool ok =
            fde != NULL && cfi_rule_at(fde, (uintptr_t)bases.function, address - 1, &rule);
        packed = ok ? pack(&rule) : RULE_NONE;
        (void)intern_put(&rules, key, packed);
    }
    return packed;
}

/* One step outwards on a stack that lies in [low, high). */
static inline bool step(uintptr_t *at, uintptr_t *frame, uintptr_t low, uintptr_t high)
{
    const uint32_t rule = rule_of(*(const uintptr_t *)*at);
    const uintptr_t base = (rule & RULE_BY_FRAME) != 0 ? *frame : *at + sizeof *at;
    const uintptr_t cfa = base + (uintptr_t)(rule >> 18) * 8;

    if ((rule & RULE) == 0 || cfa < *at + 2 * sizeof *at || cfa > high) {
        return false;
    }
    if ((rule & RULE_HAS_FRAME) != 0) {
        const uintptr_t saved = cfa - (uintptr_t)(rule >> 4 & (WORDS_MAX - 1)) * 8;
        if (saved < low || saved + sizeof saved > high) {
            return false;
        }
        *frame = *(const uintptr_t *)saved;
    }
    *at = cfa - sizeof *at;
    return true;
}

bool unwind_step(uintptr_t *at, uintptr_t *frame)
{
    return step(at, frame, *at, UINTPTR_MAX);
}

size_t unwind_stack(uintptr_t at, uintptr_t frame, uintptr_t low, uintptr_t high,
                    uintptr_t *addresses, size_t capacity)
{
    size_t n = 0;

    while (n < capacity && at >= low && at + sizeof at <= high && at % sizeof at == 0 &&
           *(const uintptr_t *)at != 0) {
        addresses[n++] = *(const uintptr_t *)at;
        if (!step(&at, &frame, low, high)) {
            break;
        }
    }
    return n;
}
