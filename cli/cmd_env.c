// SPDX-License-Identifier: MIT
// snoopi env: the variables of a recording, for where no command can be put in front.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent_env.h"
#include "cmd.h"
#include "global.h"
#include "say.h"
#include "text.h"

typedef struct {
    const char *folder;
    cli_recording recording;
} env_args;

static const env_args defaults = {.folder = CLI_DEFAULT_FILE ".parts",
                                  .recording = {.has_args = true, .has_stacks = true}};

static const cli_option options[] = {{"dir", 0, CLI_OPT_TEXT, "D",
                                      "the folder that processes write to (" CLI_DEFAULT_FILE
                                      ".parts), made if it is not there",
                                      offsetof(env_args, folder), NULL},
                                     {0}};

static const cli_option_group groups[] = {
    {options, 0}, {cli_recording_options, offsetof(env_args, recording)}, {0}};

static void print_export(const char *name, const char *value)
{
    (void)printf("export %s=", name);
    cli_shell_quote(stdout, value);
    (void)putchar('\n');
}

// Absolute, since processes change their folder. NULL, having said why, when it is not there and cannot be made.
static char *make_folder(const char *folder)
{
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        (void)cli_fail("cannot make the folder %s: %s", folder, strerror(errno));
        return NULL;
    }
    struct stat s;
    char *const real = realpath(folder, NULL);
    if (!real || stat(real, &s) != 0 || !S_ISDIR(s.st_mode)) {
        (void)cli_fail("%s: %s", folder, real ? "not a folder" : strerror(errno));
        free(real);
        return NULL;
    }
    return real;
}

static int run_env(const void *payload, int n_operands, char **operands)
{
    const env_args *const args = payload;
    cli_agent agent = CLI_AGENT_NONE;
    int status = CLI_FAILED;
    (void)n_operands;
    (void)operands;

    char *const folder = cli_agent_find(&agent) == 0 ? make_folder(args->folder) : NULL;
    char *const preload = folder ? cli_agent_preload(&agent) : NULL;
    char *const record = preload ? cli_agent_record(&args->recording, 0, folder) : NULL;
    if (record) {
        print_export("LD_PRELOAD", preload);
        print_export("SNOOPI_RECORD", record);
        status = CLI_OK;
    }
    free(record);
    free(preload);
    free(folder);
    cli_agent_clear(&agent, true);
    return status;
}

const cli_command cli_cmd_env = {
    .name = "env",
    .operands = "",
    .summary = "print the variables that make julia record, for where no prefix can be put",
    .about =
        "In a shell: eval \"$(snoopi env --dir D)\"; what runs after that records into D; snoopi pack D makes the trace.",
    .groups = groups,
    .args_size = sizeof(env_args),
    .defaults = &defaults,
    .run = run_env,
};
