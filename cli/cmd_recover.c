// SPDX-License-Identifier: MIT
// snoopi recover and snoopi pack: a trace of segments that lie in a folder. They differ in what they are told: recover comes after a
// recording that was killed and may be given its file's name; pack comes after what `snoopi env` set up.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <snoopi/pack.h>

#include "cmd.h"
#include "global.h"
#include "parts.h"
#include "say.h"
#include "summary.h"

typedef struct {
    const char *output;
} pack_args;

static const cli_option options[] = {
    {"output", 'o', CLI_OPT_TEXT, "FILE",
     "the trace to write (DIR without .parts, else " CLI_DEFAULT_FILE ")",
     offsetof(pack_args, output), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0}, {0}};

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int pack_folder(const char *folder, const char *output)
{
    snoopi_pack_result result = {0};
    snoopi_error err = {0};
    uint32_t pid = 0;

    const int n_living = snoopi_pack_living(folder, &pid, 1, NULL);
    if (n_living > 0) {
        cli_say("%d julia process%s (pid %u%s); packing what is recorded so far", n_living,
                n_living == 1 ? " still runs" : "es still run", (unsigned)pid,
                n_living > 1 ? ", …" : "");
    }
    if (snoopi_pack(folder, output, NULL, &result, &err) < 0) {
        return cli_fail("%s", err.text);
    }
    cli_summary_print(output, 0, &result);
    cli_say(result.damaged > 0 || result.refused > 0
                ? "%s is as it was, with what could not be read"
                : "%s is as it was; it can be removed now",
            folder);
    return CLI_OK;
}

// -o, else the name that the folder's name is made of.
static int pack_to(const pack_args *args, const char *folder)
{
    char *const file = args->output ? strdup(args->output) : cli_parts_file(folder);
    const int status = pack_folder(folder, file ? file : CLI_DEFAULT_FILE);
    free(file);
    return status;
}

static int run_pack(const void *payload, int n_operands, char **operands)
{
    (void)n_operands;
    if (!is_folder(operands[0])) {
        return cli_fail("%s: not a folder of segments", operands[0]);
    }
    return pack_to(payload, operands[0]);
}

static int run_recover(const void *payload, int n_operands, char **operands)
{
    const char *const name = n_operands > 0 ? operands[0] : CLI_DEFAULT_FILE;
    if (is_folder(name)) {
        return pack_to(payload, name);
    }
    char *const folder = cli_parts_folder(name);
    if (!folder) {
        return cli_fail("out of memory");
    }
    const int status =
        is_folder(folder)
            ? pack_to(payload, folder)
            : cli_fail("there is no folder %s: nothing was left of a recording into %s", folder,
                       name);
    free(folder);
    return status;
}

const cli_command cli_cmd_recover = {
    .name = "recover",
    .operands = "[DIR|FILE]",
    .summary = "save what a killed recording left",
    .about =
        "A recording into FILE lies in the folder FILE.parts until it is packed. DIR is that folder, or one that was moved aside.",
    .groups = groups,
    .args_size = sizeof(pack_args),
    .max_operands = 1,
    .run = run_recover,
};

const cli_command cli_cmd_pack = {
    .name = "pack",
    .operands = "DIR",
    .summary = "make a trace of what recorded processes left in a folder",
    .about = "DIR is the folder that snoopi env was given.",
    .groups = groups,
    .args_size = sizeof(pack_args),
    .min_operands = 1,
    .max_operands = 1,
    .run = run_pack,
};
