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

/** False, having said why, when these options are not to be had. */
bool cli_recording_check(const cli_recording *recording, const char *command);

/**
 * Path of libsnoopi-agent.so: what SNOOPI_AGENT_PATH says, else beside this program.
 *
 * @return  to be freed; NULL, having said where it was looked for, when it is not there.
 */
char *cli_agent_find(void);

/** Value of LD_PRELOAD with the agent behind what is there. To be freed; NULL when memory is short. */
char *cli_agent_preload(const char *agent);

/** Value of SNOOPI_RECORD. `pid` 0: every process. To be freed; NULL when memory is short. */
char *cli_agent_record(const cli_recording *recording, long pid, const char *parts);

/**
 * Runs argv with the agent preloaded, and waits for it. Without children only the process of argv itself is recorded.
 * Returns as cli_run_command().
 */
int cli_agent_run(cli_run *run, char **argv, const char *agent, const cli_recording *recording,
                  bool has_children, const char *parts);

#endif
