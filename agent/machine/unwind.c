// SPDX-License-Identifier: MIT
//
// A rule is packed as: where the return address lies, whether the CFA is found by the frame pointer, whether that is saved, a
// place, the CFA's offset; the last two in words. Compilers put the return address to one of three places, so one place is enough.

#include "machine/unwind.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "intern.h"
#include "machine/cfi.h"
#include "machine/registers.h"
#include "real.h"

/* What libgcc fills for _Unwind_Find_FDE() (its unwind-dw2-fde.h). */
struct bases {
    void *text;
    void *data;
    void *function;
};

enum {
    RETURN_MASK = 3,
    RETURN_AT_TOP = 1,       /* right below the CFA */
    RETURN_BESIDE_FRAME = 2, /* right above the frame pointer, at the place */
    RETURN_ALONE = 3,        /* at the place; no frame pointer is saved */
    RULE_BY_FRAME = 4,
    RULE_HAS_FRAME = 8,
    RULE_NONE = RULE_BY_FRAME, /* no return address */
    WORDS_MAX = 1 << 14
};

static const void *(*find_fde)(void *address, struct bases *bases);
static struct intern_table rules = {.first_entries = 8 << 10};

int unwind_prepare(void)
{
    void *const found = real_dlsym(RTLD_DEFAULT, "_Unwind_Find_FDE");
    memcpy(&find_fde, &found, sizeof found);
    return find_fde != NULL && intern_reserve(&rules);
}

static bool is_in_words(int64_t offset)
{
    return offset % 8 == 0 && offset >= 0 && offset / 8 < WORDS_MAX;
}

static uint32_t pack(const struct cfi_rule *rule)
{
    const bool has_frame = rule->frame_pointer.is_saved;
    const int64_t below = -rule->return_address.offset; /* the CFA */
    const int64_t frame_below = -rule->frame_pointer.offset;
    const int64_t place = has_frame ? frame_below : below;
    const uint32_t kind = below == 8                          ? RETURN_AT_TOP
                          : !has_frame                        ? RETURN_ALONE
                          : frame_below == below + (int64_t)8 ? RETURN_BESIDE_FRAME
                                                              : RULE_NONE;

    if (kind == RULE_NONE || !is_in_words(rule->cfa_offset) || !is_in_words(place)) {
        return RULE_NONE;
    }
    return kind | (rule->from_frame_pointer ? RULE_BY_FRAME : 0) |
           (has_frame ? RULE_HAS_FRAME : 0) | (uint32_t)(place / 8) << 4 |
           (uint32_t)(rule->cfa_offset / 8) << 18;
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

/* Whether a word at `at` lies in [low, high). */
static bool is_word(uintptr_t at, uintptr_t low, uintptr_t high)
{
    return at >= low && at <= high - sizeof at && at % sizeof at == 0;
}

/* One step outwards on a stack that lies in [low, high). */
static inline bool step(struct unwind_place *place, uintptr_t low, uintptr_t high)
{
    const uint32_t rule = rule_of(plain_address(*(const uintptr_t *)place->at));
    const uint32_t kind = rule & RETURN_MASK;
    const uintptr_t base = (rule & RULE_BY_FRAME) != 0 ? place->frame : place->stack;
    const uintptr_t cfa = base + (uintptr_t)(rule >> 18) * 8;
    const uintptr_t saved = cfa - (uintptr_t)(rule >> 4 & (WORDS_MAX - 1)) * 8;
    const uintptr_t at = kind == RETURN_AT_TOP         ? cfa - sizeof at
                         : kind == RETURN_BESIDE_FRAME ? saved + sizeof at
                                                       : saved;

    if (kind == 0 || cfa <= place->stack || cfa > high || !is_word(at, low, high)) {
        return false;
    }
    if ((rule & RULE_HAS_FRAME) != 0) {
        if (!is_word(saved, low, high)) {
            return false;
        }
        place->frame = *(const uintptr_t *)saved;
    }
    place->at = at;
    place->stack = cfa;
    return true;
}

bool unwind_step(struct unwind_place *place)
{
    return step(place, place->at, UINTPTR_MAX);
}

size_t unwind_stack(struct unwind_place from, uintptr_t low, uintptr_t high, uintptr_t *addresses,
                    size_t capacity)
{
    size_t n = 0;

    if (!is_word(from.at, low, high)) {
        return 0;
    }
    while (n < capacity) {
        const uintptr_t address = plain_address(*(const uintptr_t *)from.at);
        if (address == 0) {
            break;
        }
        addresses[n++] = address;
        if (!step(&from, low, high)) {
            break;
        }
    }
    return n;
}
