// SPDX-License-Identifier: MIT
//
// A rule is packed as: where the return address lies, whether the CFA is found by the frame pointer, whether that is saved, a
// place, the CFA's offset; the last two in words. Compilers put the return address to one of three places, so one place is enough.

#include "machine/unwind.h"

#include <dlfcn.h>
#include <stdatomic.h>
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

/* One step outwards on a stack that lies in [low, high). `*from` gets where the frame pointer was read, or 0. */
static inline bool step(struct unwind_place *place, uintptr_t low, uintptr_t high, uintptr_t *from)
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
    *from = (rule & RULE_HAS_FRAME) != 0 ? saved : 0;
    place->at = at;
    place->stack = cfa;
    return true;
}

bool unwind_step(struct unwind_place *place)
{
    uintptr_t saved = 0;
    return step(place, place->at, UINTPTR_MAX, &saved);
}

static uintptr_t address_at(struct unwind_place place)
{
    return plain_address(*(const uintptr_t *)place.at);
}

static bool is_same_place(struct unwind_place a, struct unwind_place b)
{
    return a.at == b.at && a.stack == b.stack && a.frame == b.frame;
}

/* How many calls of a walk are still so from `first` on, which is: a step depends on no more than the words that are compared. */
static size_t count_same(const struct unwind_walk *before, size_t first)
{
    size_t i = first + 1;

    for (; i < before->n; i++) {
        const struct unwind_call *const call = &before->calls[i];
        if (address_at(call->place) != call->address ||
            (call->saved != 0 && *(const uintptr_t *)call->saved != call->place.frame)) {
            break;
        }
    }
    return i - first;
}

/* Puts the call, and what `before` has of those further out, behind the `n` calls of a walk; how many it has then. `*i` is where they
 * would be in `before`. */
static size_t take_calls(struct unwind_walk *walk, size_t n, const struct unwind_call *call,
                         const struct unwind_walk *before, size_t *i)
{
    size_t same = 0;

    while (*i < before->n && before->calls[*i].place.at < call->place.at) {
        (*i)++;
    }
    if (*i < before->n && before->calls[*i].address == call->address &&
        is_same_place(before->calls[*i].place, call->place)) {
        same = count_same(before, *i);
        same = same < UNWIND_MAX - n ? same : UNWIND_MAX - n;
        memcpy(&walk->calls[n], &before->calls[*i], same * sizeof *call);
        walk->calls[n].saved = call->saved;
        *i += same;
        return n + same;
    }
    walk->calls[n] = *call;
    return n + 1;
}

void unwind_stack(struct unwind_place from, uintptr_t low, uintptr_t high,
                  const struct unwind_walk *before, struct unwind_walk *walk)
{
    struct unwind_call call = {.place = from};
    size_t i = before->low == low && before->high == high ? 0 : before->n;
    size_t n = 0;
    bool is_whole = !is_word(from.at, low, high);

    walk->n = 0;
    atomic_signal_fence(memory_order_seq_cst);
    while (!is_whole && n < UNWIND_MAX) {
        call.address = address_at(call.place);
        if (call.address == 0) {
            break;
        }
        n = take_calls(walk, n, &call, before, &i);
        call.place = walk->calls[n - 1].place;
        is_whole = (i > 0 && i == before->n && before->is_whole &&
                    is_same_place(before->calls[i - 1].place, call.place)) ||
                   !step(&call.place, low, high, &call.saved);
    }
    walk->low = low;
    walk->high = high;
    walk->is_whole = is_whole;
    atomic_signal_fence(memory_order_seq_cst);
    walk->n = (uint32_t)n;
}
