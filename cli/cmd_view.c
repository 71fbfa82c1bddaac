// SPDX-License-Identifier: MIT
// snoopi view: the trace as a page, in a browser.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "exporting.h"
#include "say.h"

extern char **environ;

typedef struct {
    const char *output;
    bool has_no_browser;
    cli_export_args choice;
    snoopi_filter filter;
    cli_scope_args scope;
} view_args;

static const view_args defaults = {.scope = CLI_SCOPE_ALL};

static const cli_option options[] = {
    {"output", 'o', CLI_OPT_TEXT, "OUT", "the file to write (a new one in a folder of its own)",
     offsetof(view_args, output), NULL},
    {"no-browser", 0, CLI_OPT_SET, NULL, "write it, say where it is, and leave the rest to you",
     offsetof(view_args, has_no_browser), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_export_options, offsetof(view_args, choice)},
                                          {cli_filter_options, offsetof(view_args, filter)},
                                          {cli_scope_options, offsetof(view_args, scope)},
                                          {0}};

// A name in a new folder that nobody else can read. To be freed; NULL, having said why.
static char *temporary_path(void)
{
    const char *const folder = getenv("TMPDIR");
    char *name = NULL;
    char *path = NULL;
    if (asprintf(&name, "%s/snoopi-view-XXXXXX", folder && *folder ? folder : "/tmp") < 0) {
        (void)cli_fail("out of memory");
        return NULL;
    }
    if (!mkdtemp(name)) {
        (void)cli_fail("%s: %s", name, strerror(errno));
    } else if (asprintf(&path, "%s/profile.html", name) < 0) {
        path = NULL;
        (void)cli_fail("out of memory");
    }
    free(name);
    return path;
}

// The program that opens pages: the first of $BROWSER, which may be a list separated by colons. To be freed.
static char *browser_name(void)
{
    const char *const list = getenv("BROWSER");
    const size_t length = list ? strcspn(list, ":") : 0;
    return length > 0 ? strndup(list, length) : strdup("xdg-open");
}

// Starts it away from this terminal. Browsers talk much, and to no purpose of ours.
static int start(const char *program, char *path, pid_t *pid)
{
    char *const argv[] = {(char[]){"browser"}, path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&files);
    if (reason != 0) {
        return reason;
    }
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        (void)posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        (void)posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        reason = posix_spawnp(pid, program, &files, &attributes, argv, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return reason;
}

// One that fails does so soon; one that stays is a browser with its window open.
static bool has_failed_soon(pid_t pid)
{
    enum { TRIES = 40, PAUSE_NS = 25 * 1000 * 1000 };
    for (int i = 0; i < TRIES; i++) {
        int status = 0;
        if (waitpid(pid, &status, WNOHANG) == pid) {
            return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return false;
}

static int open_browser(const char *path)
{
    int status = CLI_OK;
    pid_t pid = 0;
    char *const program = browser_name();
    char *const shown = realpath(path, NULL);
    if (!program || !shown) {
        status = cli_fail("%s: %s", path, strerror(errno));
        goto out;
    }
    const int reason = start(program, shown, &pid);
    if (reason != 0) {
        status =
            cli_fail("cannot run %s: %s; open %s in a browser", program, strerror(reason), shown);
    } else if (has_failed_soon(pid)) {
        status = cli_fail("%s could not open a browser; open %s in one", program, shown);
    } else {
        cli_say("%s is open in a browser", shown);
    }
out:
    free(program);
    free(shown);
    return status;
}

static int run_view(const void *payload, int n_operands, char **operands)
{
    const view_args *const args = payload;
    if (args->output && (!*args->output || strcmp(args->output, "-") == 0)) {
        return cli_usage("view", "-o needs a file");
    }
    char *const path = args->output ? strdup(args->output) : temporary_path();
    if (!path) {
        return CLI_FAILED;
    }
    snoopi_export_options chosen = cli_export_choice(&args->choice, &args->filter, &args->scope);
    int status = cli_export(&chosen, NULL, SNOOPI_EXPORT_HTML, path, n_operands, operands);
    if (status == CLI_OK && args->has_no_browser) {
        cli_say("%s is there; a browser shows it", path);
    } else if (status == CLI_OK) {
        status = open_browser(path);
    } else if (!args->output) {
        *strrchr(path, '/') = '\0'; // an empty folder serves nobody
        (void)rmdir(path);
    }
    free(path);
    return status;
}

const cli_command cli_cmd_view = {
    .name = "view",
    .operands = "[FILE]",
    .summary = "the recording in a browser: timeline, flame graph, table",
    .about =
        "Writes one HTML file that needs no network, and opens it with $BROWSER or xdg-open. The same page as of\n"
        "snoopi export --to=html.",
    .groups = groups,
    .args_size = sizeof(view_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_view,
};
