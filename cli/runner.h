// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_RUNNER_H
#define SNOOPI_CLI_RUNNER_H

/**
 * @file
 * Runs a command as its prefix: same terminal, same signals, its status told apart from ours, as env(1) does.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Exit statuses of a prefix, as in env(1) and timeout(1). */
enum {
    CLI_RUN_OURS = 125,
    CLI_RUN_NOT_EXECUTABLE = 126,
    CLI_RUN_NOT_FOUND = 127,
    CLI_RUN_SIGNAL = 128
};

/** Environment of the command, made in the child, where its pid is known. Returns 0, or −1 to give up. */
typedef int cli_run_prepare(void *payload, pid_t pid);

typedef struct {
    pid_t pid;       /* of the command; 0 if there was none */
    int exec_errno;  /* why it could not be run, or 0 */
    int wait_status; /* as waitpid() gives it */
    uint64_t begin_real_ns;
    uint64_t elapsed_ns; /* from fork to the end of the command */
} cli_run;

/** Runs argv (NULL-terminated) and waits for it. Returns 0, or −1 with errno when it could not even fork. */
int cli_run_command(cli_run *run, char **argv, cli_run_prepare *prepare, void *payload);

/** The status to exit with: the command's own, 128 + n for a signal, 126 or 127 when it could not be run. */
int cli_run_status(const cli_run *run);

#endif
