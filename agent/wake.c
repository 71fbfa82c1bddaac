// SPDX-License-Identifier: MIT
//
// When to start. The dynamic loader runs the constructor in every program of the command; only
// where libjulia shows up, and only once Julia is initialized on the thread that initializes it,
// does anything else happen. The moments to look are calls of dlopen and dlsym (entry.S): Julia
// makes some after its image is restored and before any code of the user.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "format/origin.h"
#include "hook/hook.h"
#include "hook/install.h"
#include "hook/override.h"
#include "julia/julia.h"
#include "machine/entry.h"
#include "real.h"
#include "record/graph.h"
#include "record/segment_writer.h"
#include "record/stacks.h"
#include "wake.h"

/* The oldest version of it, which every glibc has; the agent must load on old hosts. */
#if defined(__x86_64__)
__asm__(".symver dlvsym, dlvsym@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver dlvsym, dlvsym@GLIBC_2.17");
#endif

void *(*real_dlopen)(const char *path, int mode) __attribute__((visibility("hidden")));
void *(*real_dlsym)(void *handle, const char *name) __attribute__((visibility("hidden")));

static int (*real_raise)(int signal);

uint8_t agent_is_settled;

struct agent_options agent_options;

static struct {
    bool is_wanted; /* the environment asked for a recording */
    bool is_found;  /* libjulia is there */
    bool is_set;    /* the hook is set, or was */
    int n_windows;  /* what is recorded for: a recording of the whole process counts as one */
    atomic_flag has_started;
    volatile uint8_t *alive; /* a page that a forked child sees as zero */
    uint64_t begin_ns;
    uint64_t spent_ns; /* before the start */
} agent = {.has_started = ATOMIC_FLAG_INIT};

bool agent_is_able(void)
{
    return agent.is_set && *agent.alive != 0;
}

bool agent_is_recording(void)
{
    return agent_is_able() && __atomic_load_n(&agent.n_windows, __ATOMIC_RELAXED) > 0;
}

void agent_add_window(int change)
{
    (void)__atomic_fetch_add(&agent.n_windows, change, __ATOMIC_SEQ_CST);
}

static void note_reason(const char *reason)
{
    struct wire_segment_header *const header = segment_header();
    memcpy(header->reason, reason, strnlen(reason, sizeof header->reason - 1));
}

RARELY void agent_turn_off(const char *reason)
{
    struct wire_segment_header *const header = segment_header();

    agent.is_set = false;
    if (header != NULL && header->state != WIRE_STATE_OFF) {
        note_reason(reason);
        header->state = WIRE_STATE_OFF;
    }
}

/* Resolves what the agent interposes. dlsym itself can only be had through dlvsym; glibc's
 * versions of it, old to new. */
static void resolve_real(void)
{
    static const char *const versions[] = {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        if (real_dlsym == NULL) {
            void *const found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
            memcpy(&real_dlsym, &found, sizeof found);
        }
    }
    void *const found = real_dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real_dlopen, &found, sizeof found);
    void *const found_raise = real_dlsym(RTLD_NEXT, "raise");
    memcpy(&real_raise, &found_raise, sizeof found_raise);
}

/* Whether `word` stands in the comma list [at, end). `*value` gets what follows it. */
static bool has_word(const char *at, const char *end, const char *word, const char **value)
{
    const size_t n = strlen(word);
    while (at < end) {
        if ((size_t)(end - at) >= n && memcmp(at, word, n) == 0) {
            *value = at + n;
            return true;
        }
        const char *const comma = memchr(at, ',', (size_t)(end - at));
        at = comma == NULL ? end : comma + 1;
    }
    return false;
}

/* SNOOPI_RECORD=WORDS:DIR */
static bool read_options(const char *text)
{
    const char *const colon = text == NULL ? NULL : strchr(text, ':');
    const char *value = NULL;

    if (colon == NULL || colon[1] != '/' || strlen(colon + 1) >= sizeof agent_options.dir) {
        return false;
    }
    agent_options.want_args = !has_word(text, colon, "noargs", &value);
    agent_options.want_stacks = !has_word(text, colon, "nostacks", &value);
    agent_options.want_override = has_word(text, colon, "hook=override", &value);
    if (has_word(text, colon, "pid=", &value)) {
        agent_options.only_pid = 0;
        while (*value >= '0' && *value <= '9') {
            agent_options.only_pid = agent_options.only_pid * 10 + (*value++ - '0');
        }
        if (agent_options.only_pid != getpid()) {
            return false;
        }
    }
    memcpy(agent_options.dir, colon + 1, strlen(colon + 1) + 1);
    return true;
}

__attribute__((constructor)) static void agent_constructor(void)
{
    agent.begin_ns = agent_now();
    if (real_dlsym == NULL) {
        resolve_real();
    }
    agent.is_wanted = read_options(getenv("SNOOPI_RECORD"));
    agent_is_settled = !agent.is_wanted;
    agent.spent_ns = agent_now() - agent.begin_ns;
}

/* The process is about to end of its own accord. `kind` tells what `value` is. */
static void note_end(uint32_t kind, int value)
{
    struct wire_segment_header *const header = segment_header();
    if (header == NULL || *agent.alive == 0 || header->pid != (uint32_t)getpid()) {
        return;
    }
    if (agent_is_able() && header->state != WIRE_STATE_ENDED) {
        hook_process_end();
        const unsigned missed = header->hook == WIRE_HOOK_NATIVE ? hook_misses_copies() : 0;
        if (!hook_is_in_place() || (missed & MISSED_OWN) != 0) {
            header->flags |= WIRE_SEG_COMPILER_REPLACED;
        }
        if ((missed & MISSED_FOREIGN) != 0) {
            note_reason("what another interpreter than the compiler's own inferred is not "
                        "recorded: its copy of the compiler was compiled or loaded while the "
                        "program ran, or its hook could not be set");
        }
        header->world_end = julia.get_world_counter();
        header->state = WIRE_STATE_ENDED;
    }
    header->exit_value = value;
    header->exit_kind = kind;
    header->end_ns = agent_now();
}

static void note_exit(int status, void *unused)
{
    (void)unused;
    note_end(WIRE_EXIT_STATUS, status);
}

/* The ways out that run no handlers. */
__attribute__((noreturn)) static void leave(int status)
{
    note_exit(status, NULL);
    for (;;) {
        (void)syscall(SYS_exit_group, status);
    }
}

__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
    leave(status);
}

__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
    leave(status);
}

/* Whether the process ends by this signal as soon as this thread, its first, raises it. Asked of those alone that ask a program to end: what a
 * fault raises is no end in order, nor is what another thread raises while the first one runs. */
static bool is_own_end(int signal)
{
    struct sigaction action;
    sigset_t blocked;
    return (signal == SIGTERM || signal == SIGINT || signal == SIGQUIT) &&
           syscall(SYS_gettid) == getpid() && sigaction(signal, NULL, &action) == 0 &&
           action.sa_handler == SIG_DFL && sigprocmask(SIG_BLOCK, NULL, &blocked) == 0 &&
           sigismember(&blocked, signal) == 0;
}

/* From 1.9 on Julia ends so at SIGTERM and SIGQUIT, and a script at ^C, after its exit hooks; before that it called exit. */
__attribute__((visibility("default"))) int raise(int signal)
{
    if (is_own_end(signal)) {
        note_end(WIRE_EXIT_SIGNAL, signal);
    }
    return real_raise != NULL ? real_raise(signal)
                              : (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

/* From 1.6 on Julia asks libjulia-internal first for what a program calls, and so would find libc's and its own, past what is preloaded.
 */
void *agent_instead(const char *name)
{
    if (strcmp(name, "_exit") == 0 || strcmp(name, "_Exit") == 0) {
        return (void *)(uintptr_t)leave;
    }
    if (agent.is_set &&
        (strcmp(name, "jl_set_typeinf_func") == 0 || strcmp(name, "ijl_set_typeinf_func") == 0)) {
        return hook_switch();
    }
    return NULL;
}

static void forget_in_child(void)
{
    agent.is_set = false;
    if (agent.alive != NULL) {
        *agent.alive = 0;
    }
}

/* A page that the kernel clears in every forked child, however it was forked; the handler
 * covers kernels before 4.14. */
static bool watch_forks(void)
{
    uint8_t *const page =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    (void)madvise(page, 4096, MADV_WIPEONFORK);
    *page = 1;
    agent.alive = page;
    return pthread_atfork(NULL, NULL, forget_in_child) == 0;
}

static void info_text(const char *key, const char *value)
{
    if (value != NULL) {
        hook_info(key, value, strlen(value));
    }
}

static void info_link(const char *key, const char *link)
{
    char target[4096];
    const ssize_t n = readlink(link, target, sizeof target);
    if (n > 0) {
        hook_info(key, target, (uint64_t)n);
    }
}

static void info_arguments(void)
{
    char text[12 << 10];
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t n = read(fd, text, sizeof text);
        (void)close(fd);
        if (n > 0) {
            hook_info("argv", text, (uint64_t)n - (text[n - 1] == '\0' ? 1 : 0));
        }
    }
}

static void write_infos(void)
{
    static const char *const compile_modes[] = {"no", NULL, "all", "min"};

    info_text("agent", AGENT_VERSION);
    info_text("julia", julia.ver_string == NULL ? NULL : julia.ver_string());
    info_text("hook", agent_options.want_override ? "redefined in Julia" : hook_text());
    if (julia.at.option_bindir != 0) { /* else this Julia is not known well enough to look */
        const uint8_t compile = (uint8_t)julia.options[julia.at.option_compile];
        const char *bindir = NULL;
        const char *image = NULL;
        memcpy(&bindir, julia.options + julia.at.option_bindir, sizeof bindir);
        memcpy(&image, julia.options + julia.at.option_image, sizeof image);
        info_text("bindir", bindir);
        info_text("image", image);
        info_text("compile", compile < 4 ? compile_modes[compile] : NULL);
    }
    char origin[SNOOPI__ORIGIN_SIZE];
    snoopi__origin(origin);
    info_text("origin", *origin != '\0' ? origin : NULL);
    info_arguments();
    info_link("exe", "/proc/self/exe");
    info_link("cwd", "/proc/self/cwd");
}

bool agent_claim_start(void)
{
    const bool is_first = !atomic_flag_test_and_set(&agent.has_started);
    agent_is_settled = 1;
    return is_first;
}

bool agent_open_segment(char *reason, size_t size)
{
    if (!watch_forks()) {
        memcpy(reason, "out of memory", sizeof "out of memory");
        return false;
    }
    if (!segment_create(agent_options.dir, agent.begin_ns, reason, size)) {
        return false;
    }
    segment_header()->flags = (agent_options.want_args ? 0 : WIRE_SEG_NO_ARGS) |
                              (agent_options.want_stacks ? 0 : WIRE_SEG_NO_STACKS);
    (void)on_exit(note_exit, NULL);
    return true;
}

/* From now on frames are recorded. */
static void begin_recording(uint32_t hook)
{
    struct wire_segment_header *const header = segment_header();

    stacks_prepare();
    julia.gc_set_cb_pre_gc(hook_gc_begin, 1);
    julia.gc_set_cb_post_gc(hook_gc_end, 1);
    header->hook = hook;
    header->world_begin = julia.get_world_counter();
    header->world_end = header->world_begin;
    header->state = WIRE_STATE_RECORDING;
    if (julia_is_guess()) {
        note_reason(julia_reason("what could be checked holds, names may differ from its own"));
    }
}

/* The redefinition is in place, or there is a reason why it is not. */
static void begin_override(const char *reason)
{
    struct wire_segment_header *const header = segment_header();

    if (reason != NULL) {
        agent_turn_off(julia_reason(reason));
        return;
    }
    memset(header->reason, 0, sizeof header->reason);
    begin_recording(WIRE_HOOK_OVERRIDE);
    agent.is_set = true;
}

void agent_set_hook(uint64_t begin)
{
    struct wire_segment_header *const header = segment_header();
    const char *reason = NULL;

    if (!julia_bind(&reason) ||
        !(agent_options.want_override ? override_arrange(begin_override, &reason)
                                      : hook_install(&reason))) {
        agent_turn_off(julia_reason(reason));
    } else if (agent_options.want_override) {
        graph_prepare();
        note_reason("it ended before its compiler was redefined");
    } else {
        begin_recording(WIRE_HOOK_NATIVE);
    }
    write_infos();
    header->awake_ns = agent_now();
    header->agent_start_ns = agent.spent_ns + (header->awake_ns - begin);
    agent.is_set = header->state == WIRE_STATE_RECORDING;
}

void agent_consider(void)
{
    const int saved_errno = errno;
    char reason[256];

    if (real_dlsym == NULL) {
        resolve_real(); /* a constructor of another library was faster than ours */
    }
    if (agent.is_wanted && (agent.is_found || julia_find())) {
        agent.is_found = true;
        if (getpid() == (pid_t)syscall(SYS_gettid) && julia_is_ready() && julia_is_restored() &&
            agent_claim_start()) {
            const uint64_t begin = agent_now();
            agent_add_window(1);
            if (agent_open_segment(reason, sizeof reason)) {
                agent_set_hook(begin);
            }
        }
    }
    errno = saved_errno;
}
