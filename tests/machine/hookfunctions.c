// SPDX-License-Identifier: MIT
// Hooks functions of its own as the agent hooks Julia's, and looks at what the hook is told and what the functions do: stub, jump,
// decoder and unwinder on the machine that it was compiled for, which may be an emulated one. It needs libc alone, so it is no
// cmocka test.
#include <dlfcn.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hooktargets.h"
#include "machine/entry.h"
#include "machine/patch.h"
#include "machine/unwind.h"
#include "real.h"

static void check(bool is_so, const char *what, int line)
{
    if (!is_so) {
        (void)fprintf(stderr, "hookfunctions.c:%d: not so: %s\n", line, what);
        exit(1);
    }
}
#define CHECK(condition) check((condition), #condition, __LINE__)

// --- what the stubs call ---

uint8_t agent_is_settled = 1;
void *(*real_dlopen)(const char *path, int mode)AGENT_HIDDEN;
void *(*real_dlsym)(void *handle, const char *name)AGENT_HIDDEN;
static volatile unsigned considered; // dlsym is declared not to call back

void agent_consider(void)
{
    considered++;
}

static void of_its_own(void) {}

void *agent_instead(const char *name)
{
    return strcmp(name, "getppid") == 0 ? (void *)(uintptr_t)of_its_own : NULL;
}

// --- the hook ---

enum { CALLS_MAX = 64, ADDRESSES_MAX = 64, LAST_NOTE = 77 };

static struct call {
    const struct hook *hook;
    uintptr_t sp;
    uintptr_t caller; // what lay there
    void *registers[REGISTERS];
    bool has_ended;
    uintptr_t result;
} calls[CALLS_MAX];
static size_t n_calls;
static size_t n_open;
static bool is_walking; // compare stacks with what libgcc finds

// As code of ours may, changes all that a function may change.
static void spoil_registers(void)
{
#if defined(__x86_64__)
    __asm__ volatile(
        "xorl %%eax, %%eax; xorl %%ecx, %%ecx; xorl %%edx, %%edx; xorl %%esi, %%esi; xorl %%edi, %%edi;"
        "xorl %%r8d, %%r8d; xorl %%r9d, %%r9d; xorl %%r10d, %%r10d; xorl %%r11d, %%r11d"
        :
        :
        : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#elif defined(__aarch64__)
    __asm__ volatile(
        "mov x0, #-1; mov x1, x0; mov x2, x0; mov x3, x0; mov x4, x0; mov x5, x0; mov x6, x0; mov x7, x0;"
        "mov x8, x0; mov x9, x0; mov x16, x0; mov x17, x0; movi v0.2d, #0; movi v1.2d, #0; movi v2.2d, #0;"
        "movi v3.2d, #0; movi v4.2d, #0; movi v5.2d, #0; movi v6.2d, #0; movi v7.2d, #0"
        :
        :
        : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x16", "x17", "v0", "v1",
          "v2", "v3", "v4", "v5", "v6", "v7");
#endif
}

// The unwinder of the agent against that of the compiler's library, which passes the stub by its unwind table as well. It goes along
// what is still there of its walk before, as it does in the agent.
static void compare_stacks(const struct call *call)
{
    static struct unwind_walk walks[2];
    static uintptr_t high;
    void *theirs[ADDRESSES_MAX];
    const struct unwind_walk *const before = &walks[n_calls % 2];
    struct unwind_walk *const ours = &walks[1 - n_calls % 2];
    const struct unwind_place from = {call->sp, (uintptr_t)call->registers[REGISTER_STACK_POINTER],
                                      (uintptr_t)call->registers[REGISTER_FRAME_POINTER]};
    const size_t n_theirs = (size_t)backtrace(theirs, ADDRESSES_MAX);
    size_t skipped = 0;

    high = high == 0 ? from.at + (1 << 20) : high;
    unwind_stack(from, high - (8 << 20), high, before, ours);
    CHECK(ours->n > 2);
    CHECK(before->n == 0 || ours->calls[ours->n - 1].note == LAST_NOTE);
    ours->calls[ours->n - 1].note = LAST_NOTE;
    while (skipped < n_theirs && (uintptr_t)theirs[skipped] != ours->calls[0].address) {
        skipped++;
    }
    CHECK(skipped > 0);
    // Theirs may go on below main, into what has tables that ours does not take.
    CHECK(n_theirs - skipped >= ours->n);
    for (size_t i = 0; i < ours->n; i++) {
        CHECK((uintptr_t)theirs[skipped + i] == ours->calls[i].address);
    }
}

void agent_frame_begin(void *const *registers, struct hook *hook, uintptr_t sp)
{
    struct call *const call = &calls[n_calls++];

    CHECK(n_calls < CALLS_MAX);
    *call = (struct call){.hook = hook, .sp = sp, .caller = *(const uintptr_t *)sp};
    memcpy(call->registers, registers, sizeof call->registers);
    CHECK((uintptr_t)registers[REGISTER_STACK_POINTER] == sp + sizeof sp);
    CHECK((uintptr_t)__builtin_frame_address(0) < sp); // what the sweep of frames relies on
    if (is_walking) {
        compare_stacks(call);
    }
    n_open++;
    spoil_registers();
}

void agent_frame_end(uintptr_t result, const struct hook *hook, uintptr_t sp)
{
    size_t i = n_calls;
    while (i > 0 && calls[i - 1].has_ended) {
        i--;
    }
    CHECK(i > 0);
    CHECK(calls[i - 1].hook == hook && calls[i - 1].sp == sp);
    CHECK(calls[i - 1].caller == *(const uintptr_t *)sp);
    calls[i - 1].has_ended = true;
    calls[i - 1].result = result;
    n_open--;
    spoil_registers();
}

static void forget_calls(void)
{
    n_calls = 0;
    n_open = 0;
}

// Whether all calls were told of, and ended.
static bool were_whole(size_t n)
{
    return n_calls == n && n_open == 0;
}

static void set_hook(struct hook *hook, const void *function)
{
    const char *reason = NULL;
    hook->code = (uint8_t *)(uintptr_t)function;
    CHECK(patch_install(hook, &reason));
    CHECK(patch_is_in_place(hook));
    CHECK(!patch_install(hook, &reason));
    CHECK(reason != NULL && strstr(reason, "already") != NULL);
}

#define SET_HOOK(function)                                    \
    do {                                                      \
        static struct hook hook;                              \
        set_hook(&hook, (const void *)(uintptr_t)(function)); \
    } while (0)

// --- the functions, hooked ---

static long plus_one(long n)
{
    return n + 1;
}

static void arguments_and_results_pass(void)
{
    SET_HOOK(target_sum);
    SET_HOOK(target_two);
    SET_HOOK(target_memory);

    CHECK(target_sum(1, 2, 3, 4, 5, plus_one) == 65432 + 15);
    CHECK(were_whole(1));
    CHECK(calls[0].registers[0] == (void *)1 && calls[0].registers[4] == (void *)5);
    CHECK(calls[0].registers[5] == (void *)(uintptr_t)plus_one);
    CHECK(calls[0].result == 65432 + 15);
    forget_calls();

    const target_pair two = target_two(10, 20, plus_one);
    CHECK(were_whole(1) && two.first == 31 && two.second == 11);
    CHECK(calls[0].result == 31);
    forget_calls();

    const target_large large = target_memory(10, 20, plus_one);
    CHECK(were_whole(1));
    CHECK(large.parts[0] == 11 && large.parts[1] == 21 && large.parts[4] == 21 &&
          large.parts[5] == 41);
    forget_calls();
#if defined(__aarch64__)
    SET_HOOK(target_vectors);
    CHECK(target_vectors(1, 1, 1, 1, 1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, plus_one) == 32 + 30);
    CHECK(were_whole(1) && calls[0].registers[7] == (void *)(uintptr_t)plus_one);
    forget_calls();
#endif
}

static void calls_of_calls_lie_on_the_stack_in_order(void)
{
    enum { DEPTH = 20 };
    SET_HOOK(target_deep);
    is_walking = true;
    const long result = target_deep(DEPTH, 1, plus_one);
    is_walking = false;
    CHECK(were_whole(DEPTH + 1));
    CHECK(result == 22 + 2 * (DEPTH + 1) * DEPTH / 2 - DEPTH * (DEPTH + 1) / 2 +
                        (DEPTH + 1) * (DEPTH + 2) / 2);
    for (size_t i = 1; i <= DEPTH; i++) {
        CHECK(calls[i].sp < calls[i - 1].sp);
        CHECK(calls[i].registers[0] == (void *)(DEPTH - i));
    }
    CHECK(calls[2].caller == calls[3].caller && calls[0].caller != calls[1].caller);
    forget_calls();
}

static jmp_buf escape;

static long jump_out(long n)
{
    if (n > 0) {
        longjmp(escape, 1);
    }
    return 1;
}

static void what_is_left_by_a_jump_does_no_harm(void)
{
    for (volatile int i = 0; i < 3; i++) {
        if (setjmp(escape) == 0) {
            (void)target_deep(5, 1, jump_out);
            CHECK(false);
        }
        CHECK(n_calls == 6 && n_open == 6);
        forget_calls();
    }
    CHECK(target_deep(0, 1, plus_one) == 3);
    CHECK(were_whole(1));
    forget_calls();
}

static void what_can_not_be_moved_stays_as_it_is(void)
{
    static struct hook hook;
    uint8_t before[16];
    const char *reason = NULL;

    hook.code = (uint8_t *)(uintptr_t)target_short;
    memcpy(before, hook.code, sizeof before);
    CHECK(!patch_install(&hook, &reason));
    CHECK(reason != NULL && strstr(reason, "not known to be movable") != NULL);
    CHECK(memcmp(before, hook.code, sizeof before) == 0);
    CHECK(target_short(1) == 2);
    CHECK(were_whole(0));
}

#if defined(__aarch64__)
static sigjmp_buf trap;

static void leave_trap(int sig)
{
    (void)sig;
    siglongjmp(trap, 1);
}

// A page where an indirect branch must find a landing pad.
static uint8_t *make_guarded(void)
{
    enum { PAGE = 4096, GUARDED = 0x10 };
    uint8_t *const page =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    memcpy(page, target_guarded, target_guarded_size);
    CHECK(mprotect(page, PAGE, PROT_READ | PROT_EXEC | GUARDED) == 0);
    __builtin___clear_cache((char *)page, (char *)page + target_guarded_size);
    return page;
}

typedef long guarded(long a, target_back *back);

static void guarded_pages_stay_guarded(void)
{
    // That the machine does guard them is seen where there is no landing pad.
    guarded *const behind = (guarded *)(uintptr_t)(make_guarded() + 4);
    (void)signal(SIGILL, leave_trap);
    volatile bool is_trapped = true;
    if (sigsetjmp(trap, 1) == 0) {
        (void)behind(1, plus_one);
        is_trapped = false;
    }
    CHECK(is_trapped);
    (void)signal(SIGILL, SIG_DFL);

    uint8_t *const code = make_guarded();
    SET_HOOK(code);
    CHECK(((guarded *)(uintptr_t)code)(1, plus_one) == 3);
    CHECK(were_whole(1));
    forget_calls();
}
#endif

static void the_loader_is_asked_through_the_agent(void)
{
    agent_is_settled = 0;
    const unsigned before = considered;
    void *const found = dlsym(RTLD_DEFAULT, "getpid");
    CHECK(considered == before + 1);
    CHECK(found != NULL && found == real_dlsym(RTLD_DEFAULT, "getpid"));
    CHECK(dlopen(NULL, RTLD_LAZY) != NULL);
    CHECK(considered == before + 2);
    agent_is_settled = 1;
    CHECK(dlsym(RTLD_DEFAULT, "getppid") == (void *)(uintptr_t)of_its_own);
    CHECK(dlsym(RTLD_DEFAULT, "_exiting") == NULL && dlsym(RTLD_DEFAULT, "_") == NULL);
    CHECK(dlsym(RTLD_DEFAULT, "exit") == real_dlsym(RTLD_DEFAULT, "exit"));
    CHECK(considered == before + 2);
}

int main(void)
{
    const char *const versions[] = {"GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; i < 2 && real_dlsym == NULL; i++) {
        void *const found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        memcpy(&real_dlsym, &found, sizeof found);
    }
    CHECK(real_dlsym != NULL);
    void *const found = real_dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real_dlopen, &found, sizeof found);
    CHECK(unwind_prepare());

    arguments_and_results_pass();
    calls_of_calls_lie_on_the_stack_in_order();
    what_is_left_by_a_jump_does_no_harm();
    what_can_not_be_moved_stays_as_it_is();
    the_loader_is_asked_through_the_agent();
#if defined(__aarch64__)
    guarded_pages_stay_guarded();
#endif
    return 0;
}
