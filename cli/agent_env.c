// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_env.h"
#include "say.h"

#define AGENT_NAME "libsnoopi-agent.so"

#ifndef SNOOPI_LIBDIR
#define SNOOPI_LIBDIR "lib" // of an installed tree, relative to its root
#endif

static const char *hook_word(int index)
{
    static const char *const words[] = {"auto", "native", "override"};
    return index < 3 ? words[index] : NULL;
}

const cli_recording cli_recording_defaults = {
    .has_args = true, .has_stacks = true, .hook = CLI_HOOK_AUTO};

const cli_option cli_recording_options[] = {
    {"no-stacks", 0, CLI_OPT_CLEAR, NULL, "do not record which call caused an inference",
     offsetof(cli_recording, has_stacks), NULL},
    {"no-args", 0, CLI_OPT_CLEAR, NULL, "do not record constant arguments; they may hold secrets",
     offsetof(cli_recording, has_args), NULL},
    {"hook", 0, CLI_OPT_CHOICE, "HOW", "how to get into the compiler",
     offsetof(cli_recording, hook), hook_word},
    {0}};

bool cli_recording_check(const cli_recording *recording, const char *command)
{
    if (recording->hook == CLI_HOOK_OVERRIDE) {
        (void)cli_usage(command, "--hook=override is not available in this version");
        return false;
    }
    return true;
}

// Folder of this program, without a slash at its end.
static bool own_folder(char folder[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        return false;
    }
    folder[length] = '\0';
    char *const slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash != NULL;
}

static char *named_agent(const char *named)
{
    char *const real = realpath(named, NULL);
    if (!real) {
        (void)cli_fail("SNOOPI_AGENT_PATH=%s: %s", named, strerror(errno));
    }
    return real;
}

char *cli_agent_find(void)
{
    static const char *const places[] = {"../lib", "../lib/snoopi", "../" SNOOPI_LIBDIR,
                                         "../" SNOOPI_LIBDIR "/snoopi"};
    const char *const named = getenv("SNOOPI_AGENT_PATH");
    if (named && *named) {
        return named_agent(named);
    }

    char folder[PATH_MAX] = "";
    if (own_folder(folder)) {
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            char *path = NULL;
            if (asprintf(&path, "%s/%s/" AGENT_NAME, folder, places[i]) < 0) {
                return NULL;
            }
            char *const real = realpath(path, NULL);
            free(path);
            if (real) {
                return real;
            }
        }
    }
    (void)cli_fail(AGENT_NAME " is not in ../lib of %s; SNOOPI_AGENT_PATH can name it",
                   *folder ? folder : "this program");
    return NULL;
}

char *cli_agent_preload(const char *agent)
{
    const char *const before = getenv("LD_PRELOAD");
    char *value = NULL;
    if (asprintf(&value, "%s%s%s", before ? before : "", before && *before ? ":" : "", agent) < 0) {
        return NULL;
    }
    return value;
}

char *cli_agent_record(const cli_recording *recording, long pid, const char *parts)
{
    char *value = NULL;
    char only[32] = "";
    if (pid > 0) {
        (void)snprintf(only, sizeof only, ",pid=%ld", pid);
    }
    if (asprintf(&value, "v1%s%s%s%s:%s", recording->has_args ? "" : ",noargs",
                 recording->has_stacks ? "" : ",nostacks",
                 recording->hook == CLI_HOOK_NATIVE ? ",hook=native" : "", only, parts) < 0) {
        return NULL;
    }
    return value;
}

typedef struct {
    const char *agent;
    const cli_recording *recording;
    bool has_children;
    const char *parts;
} environment;

// Runs in the child, between fork and exec.
static int set_environment(void *payload, pid_t pid)
{
    const environment *const e = payload;
    char *const preload = cli_agent_preload(e->agent);
    char *const record = cli_agent_record(e->recording, e->has_children ? 0 : (long)pid, e->parts);
    const bool is_set = preload && record && setenv("LD_PRELOAD", preload, 1) == 0 &&
                        setenv("SNOOPI_RECORD", record, 1) == 0;
    free(preload);
    free(record);
    return is_set ? 0 : -1;
}

int cli_agent_run(cli_run *run, char **argv, const char *agent, const cli_recording *recording,
                  bool has_children, const char *parts)
{
    environment e = {agent, recording, has_children, parts};
    return cli_run_command(run, argv, set_environment, &e);
}
