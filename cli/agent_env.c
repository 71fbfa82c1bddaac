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

static char *find_named(const char *named)
{
    char *const real = realpath(named, NULL);
    if (!real) {
        (void)cli_fail("SNOOPI_AGENT_PATH=%s: %s", named, strerror(errno));
    }
    return real;
}

static char *find_beside(void)
{
    static const char *const places[] = {"../lib", "../lib/snoopi", "../" SNOOPI_LIBDIR,
                                         "../" SNOOPI_LIBDIR "/snoopi"};
    char folder[PATH_MAX] = "";
    const bool has_folder = own_folder(folder);
    for (size_t i = 0; has_folder && i < sizeof places / sizeof *places; i++) {
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
    (void)cli_fail(AGENT_NAME " is not in ../lib of %s; SNOOPI_AGENT_PATH can name it",
                   has_folder ? folder : "this program");
    return NULL;
}

// Puts a link without a separator in its path between.
static int make_link(cli_agent *agent)
{
    char *const target = agent->path;
    agent->path = NULL;
    agent->link_folder = strdup("/tmp/snoopi-agent-XXXXXX");
    if (!agent->link_folder || !mkdtemp(agent->link_folder) ||
        asprintf(&agent->path, "%s/" AGENT_NAME, agent->link_folder) < 0 ||
        symlink(target, agent->path) != 0) {
        (void)cli_fail("LD_PRELOAD cannot hold the path %s, and no link to it can be made: %s",
                       target, strerror(errno));
        free(target);
        return -1;
    }
    free(target);
    return 0;
}

int cli_agent_find(cli_agent *agent)
{
    const char *const named = getenv("SNOOPI_AGENT_PATH");
    *agent = CLI_AGENT_NONE;
    agent->path = named && *named ? find_named(named) : find_beside();
    if (!agent->path) {
        return -1;
    }
    return agent->path[strcspn(agent->path, ": \t\n")] ? make_link(agent) : 0;
}

void cli_agent_clear(cli_agent *agent, bool keep_link)
{
    if (agent->link_folder && !keep_link) {
        if (agent->path) {
            (void)unlink(agent->path);
        }
        (void)rmdir(agent->link_folder);
    }
    free(agent->path);
    free(agent->link_folder);
    *agent = CLI_AGENT_NONE;
}

char *cli_agent_preload(const cli_agent *agent)
{
    const char *const before = getenv("LD_PRELOAD");
    char *value = NULL;
    if (asprintf(&value, "%s%s%s", before ? before : "", before && *before ? ":" : "",
                 agent->path) < 0) {
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
                 recording->hook == CLI_HOOK_NATIVE     ? ",hook=native"
                 : recording->hook == CLI_HOOK_OVERRIDE ? ",hook=override"
                                                        : "",
                 only, parts) < 0) {
        return NULL;
    }
    return value;
}

typedef struct {
    const cli_agent *agent;
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

int cli_agent_run(cli_run *run, char **argv, const cli_agent *agent, const cli_recording *recording,
                  bool has_children, const char *parts)
{
    environment e = {agent, recording, has_children, parts};
    return cli_run_command(run, argv, set_environment, &e);
}
