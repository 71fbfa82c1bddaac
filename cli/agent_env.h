// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_AGENT_ENV_H
#define SNOOPI_CLI_AGENT_ENV_H

/**
 * @file
 * How a julia process comes to be recorded: the agent's library is preloaded, and one variable, SNOOPI_RECORD, tells it
 * where to write and what. This file finds the library and makes the values of both variables.
 */
#include <stdbool.h>

#include "opt.h"
#include "runner.h"

/** What is recorded; options of `record`, `env` and `doctor`. */
typedef struct {
    bool has_args;
    bool has_stacks;
    int hook; /* cli_hook */
} cli_recording;

typedef enum { CLI_HOOK_AUTO, CLI_HOOK_NATIVE, CLI_HOOK_OVERRIDE } cli_hook;

extern const cli_option cli_recording_options[];
extern const cli_recording cli_recording_defaults;

/** The agent's library. */
typedef struct {
    char *path;        /* absolute, and such that LD_PRELOAD can hold it */
    char *link_folder; /* what was made for that, or NULL */
} cli_agent;

#define CLI_AGENT_NONE ((cli_agent){NULL, NULL})

/**
 * Finds libsnoopi-agent.so: what SNOOPI_AGENT_PATH says, else beside this program. LD_PRELOAD separates by colons and spaces
 * and has no escape; a path with such is reached by a symbolic link in a temporary folder.
 *
 * @return  0, or −1 having said where it was looked for.
 */
int cli_agent_find(cli_agent *agent);

/** Frees `agent`; the temporary folder goes, unless processes to come are to find it. */
void cli_agent_clear(cli_agent *agent, bool keep_link);

/** Value of LD_PRELOAD with the agent behind what is there. To be freed; NULL when memory is short. */
char *cli_agent_preload(const cli_agent *agent);

/** Value of SNOOPI_RECORD. `pid` 0: every process. To be freed; NULL when memory is short. */
char *cli_agent_record(const cli_recording *recording, long pid, const char *parts);

/**
 * Runs argv with the agent preloaded, and waits for it. Without children only the process of argv itself is recorded.
 * Returns as cli_run_command().
 */
int cli_agent_run(cli_run *run, char **argv, const cli_agent *agent, const cli_recording *recording,
                  bool has_children, const char *parts);

#endif
