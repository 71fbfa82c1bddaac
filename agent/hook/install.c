// SPDX-License-Identifier: MIT
//
// Sets the hooks, and knows the functions through which inference is entered.

#include "hook/install.h"

#include <string.h>

#include "julia/find.h"
#include "julia/julia.h"
#include "machine/patch.h"
#include "phrase.h"
#include "record/graph.h"

enum { ENTRANCES_MAX = 64 };

static struct {
    struct hook list[HOOKS_MAX];
    size_t count;
    struct {
        const uint8_t *code;
        const uint8_t *wrapper;
        const char *name;
    } entrances[ENTRANCES_MAX];
    size_t n_entrances;
    void (*set_compiler)(void *function); /* jl_set_typeinf_func */
    bool is_switched;                     /* it was called since the hooks were set */
    char text[256];
} hooks;

bool hook_is_entrance(struct thread *thread, uintptr_t sp)
{
    const uintptr_t address = *(uintptr_t *)sp;
    struct caller *const caller = &thread->callers[(address >> 2) % CALLERS];

    if (caller->address != address) {
        const uint8_t *const start = function_start((const uint8_t *)address - 1);
        bool found = false;
        for (size_t i = 0; i < hooks.n_entrances && !found; i++) {
            found = hooks.entrances[i].code == start;
        }
        caller->is_entrance = found;
        caller->address = address;
    }
    return caller->is_entrance;
}

const char *hook_entrance_name(uintptr_t address)
{
    const uint8_t *const start = function_start((const uint8_t *)address - 1);
    for (size_t i = 0; i < hooks.n_entrances && start != NULL; i++) {
        if (hooks.entrances[i].code == start || hooks.entrances[i].wrapper == start) {
            return hooks.entrances[i].name;
        }
    }
    return NULL;
}

static void add_text(const char *word, size_t copies)
{
    const size_t used = strlen(hooks.text);
    const size_t n = strlen(word);
    if (used + n + 8 < sizeof hooks.text) {
        char *at = hooks.text + used;
        if (used > 0) {
            *at++ = ' ';
        }
        memcpy(at, word, n);
        at += n;
        *at++ = '*';
        *at++ = (char)('0' + copies % 10);
        *at = '\0';
    }
}

static bool is_hooked(const uint8_t *code)
{
    for (size_t i = 0; i < hooks.count; i++) {
        if (hooks.list[i].code == code) {
            return true;
        }
    }
    return false;
}

/* Where code can't be patched there may be another way in. */
static void name_other_way(const char **reason)
{
    static char text[200];

    if (julia.row->can_be_redefined) {
        text[0] = '\0';
        phrase_add(text, sizeof text, *reason);
        phrase_add(text, sizeof text, "; --hook=override gets in without");
        *reason = text;
    }
}

/* What is to be patched: copies of a function of the compiler, or a function of Julia's in C. */
static size_t find_code(const struct julia_target *target, struct compiled_copy *copies)
{
    if (target->kind != TARGET_WORLD_CALL) {
        return find_copies(target, copies, HOOKS_MAX);
    }
    copies[0] = (struct compiled_copy){.code = julia_symbol(target->function),
                                       .frame_register = target->frame_register};
    return copies[0].code == NULL ? 0 : 1;
}

/* `is_rescan`: the compiler was replaced, so what is new is what it runs now. */
static bool install_target(const struct julia_target *target, bool is_rescan, const char **reason)
{
    struct compiled_copy copies[HOOKS_MAX];
    const size_t n = find_code(target, copies);

    if (n == 0 && target_is_entrance(target->kind)) {
        return true; /* it is compiled into its caller */
    }
    if (n == 0) {
        *reason = "the compiler has no native code in this system image";
        return false;
    }
    for (size_t i = 0; i < n && hooks.count < HOOKS_MAX; i++) {
        struct hook *const hook = &hooks.list[hooks.count];
        /* Where in registers a foreign interpreter puts what follows it depends on its fields. */
        if (is_hooked(copies[i].code) ||
            (copies[i].is_foreign && julia.row->interpreter_is_split)) {
            continue;
        }
        hook->code = copies[i].code;
        hook->kind = target->kind;
        hook->frame_register = copies[i].frame_register;
        hook->is_tooling = copies[i].is_foreign || (copies[i].is_tooling && !is_rescan);
        if (!patch_install(hook, reason)) {
            if (copies[i].is_foreign) {
                continue;
            }
            name_other_way(reason);
            return false;
        }
        hooks.count++;
    }
    if (target->kind != TARGET_WORLD_CALL) {
        function_start_prepare(copies[0].code);
    }
    add_text(target->function, n);
    return true;
}

static void add_entrance(const struct julia_target *target)
{
    struct compiled_copy copies[HOOKS_MAX];
    const size_t n = find_copies(target, copies, HOOKS_MAX);

    for (size_t k = 0; k < n && hooks.n_entrances < ENTRANCES_MAX; k++) {
        hooks.entrances[hooks.n_entrances].code = copies[k].code;
        hooks.entrances[hooks.n_entrances].wrapper = copies[k].wrapper;
        hooks.entrances[hooks.n_entrances].name = target->function;
        hooks.n_entrances++;
    }
}

static void find_entrances(void)
{
    for (size_t i = 0; i < sizeof julia.row->entrances / sizeof julia.row->entrances[0]; i++) {
        const struct julia_target target = {.function = julia.row->entrances[i]};
        if (target.function != NULL) {
            add_entrance(&target);
        }
    }
    for (size_t i = 0; i < TARGETS_MAX && julia.row->targets[i].kind != TARGET_NONE; i++) {
        const enum target_kind kind = julia.row->targets[i].kind;
        if (kind == TARGET_ENTRANCE || kind == TARGET_QUERY) {
            add_entrance(&julia.row->targets[i]);
        }
    }
}

bool hook_install(const char **reason)
{
    const bool is_rescan = hooks.count > 0;
    hooks.n_entrances = 0;
    hooks.is_switched = false;
    find_entrances();
    graph_prepare();
    for (size_t i = 0; i < TARGETS_MAX && julia.row->targets[i].kind != TARGET_NONE; i++) {
        if (!install_target(&julia.row->targets[i], is_rescan, reason)) {
            return false;
        }
    }
    return true;
}

const char *hook_text(void)
{
    return hooks.text;
}

/* Julia infers in the world of this call from here on, be it by the same functions. */
static void switch_compiler(void *function)
{
    hooks.is_switched = true;
    hooks.set_compiler(function);
}

void *hook_switch(void)
{
    void *const found = julia_symbol("jl_set_typeinf_func");
    memcpy(&hooks.set_compiler, &found, sizeof found);
    return found == NULL ? NULL : (void *)(uintptr_t)switch_compiler;
}

bool hook_is_in_place(void)
{
    for (size_t i = 0; i < hooks.count; i++) {
        if (!patch_is_in_place(&hooks.list[i])) {
            return false;
        }
    }
    return true;
}

unsigned hook_misses_copies(void)
{
    struct compiled_copy copies[HOOKS_MAX];
    unsigned missed = hooks.is_switched ? MISSED_OWN : MISSED_NONE;

    for (size_t i = 0; i < TARGETS_MAX && julia.row->targets[i].kind != TARGET_NONE; i++) {
        const struct julia_target *const target = &julia.row->targets[i];
        const size_t n =
            target_is_entrance(target->kind) ? 0 : find_copies(target, copies, HOOKS_MAX);
        for (size_t k = 0; k < n; k++) {
            if (!is_hooked(copies[k].code)) {
                missed |= copies[k].is_foreign ? MISSED_FOREIGN : MISSED_OWN;
            }
        }
    }
    return missed;
}
