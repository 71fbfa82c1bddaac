// SPDX-License-Identifier: MIT
// While the command runs, the terminal's signals are its own: SIGINT and SIGQUIT reach it from the terminal as well as us, and we
// ignore them; what is sent to our pid alone (SIGTERM, SIGHUP, SIGUSR1, SIGUSR2) is passed on.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner.h"

static const int ignored[] = {SIGINT, SIGQUIT};
static const int forwarded[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
enum {
    N_IGNORED = sizeof ignored / sizeof *ignored,
    N_FORWARDED = sizeof forwarded / sizeof *forwarded
};

// What the signals did before, for the child, and for us when the command is gone.
typedef struct {
    struct sigaction ignored[N_IGNORED];
    struct sigaction forwarded[N_FORWARDED];
    sigset_t mask;
} dispositions;

static volatile sig_atomic_t child_pid;

static void forward(int signal_number)
{
    const int reason = errno;
    if (child_pid > 0) {
        (void)kill((pid_t)child_pid, signal_number);
    }
    errno = reason;
}

// Blocks the forwarded signals: one that comes before the child is known must wait for it.
static void take_signals(dispositions *before)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < N_FORWARDED; i++) {
        (void)sigaddset(&set, forwarded[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &set, &before->mask);
    for (size_t i = 0; i < N_IGNORED; i++) {
        (void)sigaction(ignored[i], &ignore, &before->ignored[i]);
    }
    for (size_t i = 0; i < N_FORWARDED; i++) {
        struct sigaction pass = {.sa_handler = forward, .sa_flags = SA_RESTART};
        (void)sigaction(forwarded[i], NULL, &before->forwarded[i]);
        if (before->forwarded[i].sa_handler != SIG_IGN) { // under nohup it stays ignored
            (void)sigaction(forwarded[i], &pass, NULL);
        }
    }
}

static void give_signals_back(const dispositions *before)
{
    for (size_t i = 0; i < N_IGNORED; i++) {
        (void)sigaction(ignored[i], &before->ignored[i], NULL);
    }
    for (size_t i = 0; i < N_FORWARDED; i++) {
        (void)sigaction(forwarded[i], &before->forwarded[i], NULL);
    }
    (void)sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((noreturn)) static void become(char **argv, int report, cli_run_prepare *prepare,
                                             void *payload)
{
    int reason = ENOMEM;
    if (prepare(payload, getpid()) == 0) {
        (void)execvp(argv[0], argv);
        reason = errno;
    }
    ssize_t n;
    do {
        n = write(report, &reason, sizeof reason);
    } while (n < 0 && errno == EINTR);
    _exit(CLI_RUN_NOT_FOUND);
}

// The pipe closes itself when exec succeeds; otherwise it carries why not.
static int read_exec_errno(int report)
{
    int reason = 0;
    ssize_t n;
    do {
        n = read(report, &reason, sizeof reason);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof reason ? reason : 0;
}

int cli_run_command(cli_run *run, char **argv, cli_run_prepare *prepare, void *payload)
{
    dispositions before;
    int report[2];

    *run = (cli_run){.begin_real_ns = now_ns(CLOCK_REALTIME)};
    if (pipe2(report, O_CLOEXEC) != 0) {
        return -1;
    }
    take_signals(&before);
    const uint64_t begin_ns = now_ns(CLOCK_MONOTONIC);
    const pid_t pid = fork();
    if (pid < 0) {
        const int reason = errno;
        give_signals_back(&before);
        (void)close(report[0]);
        (void)close(report[1]);
        errno = reason;
        return -1;
    }
    if (pid == 0) {
        give_signals_back(&before);
        become(argv, report[1], prepare, payload);
    }

    run->pid = pid;
    child_pid = pid;
    (void)sigprocmask(SIG_SETMASK, &before.mask, NULL);
    (void)close(report[1]);
    run->exec_errno = read_exec_errno(report[0]);
    (void)close(report[0]);
    while (waitpid(pid, &run->wait_status, 0) < 0 && errno == EINTR) {
    }
    child_pid = 0;
    run->elapsed_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
    // SIGINT and the others stay as they are: packing is not to be cut by the ^C that ended the command.
    return 0;
}

int cli_run_status(const cli_run *run)
{
    if (run->exec_errno != 0) {
        return run->exec_errno == ENOENT ? CLI_RUN_NOT_FOUND : CLI_RUN_NOT_EXECUTABLE;
    }
    if (WIFSIGNALED(run->wait_status)) {
        return CLI_RUN_SIGNAL + WTERMSIG(run->wait_status);
    }
    return WEXITSTATUS(run->wait_status);
}
