// SPDX-License-Identifier: MIT
// snoopi record: runs a command with the agent preloaded, and packs what its julia processes left. With --repeat it does so
// several times, each into a file of its own, so that whoever compares has the spread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <snoopi/pack.h>
#include <snoopi/trace.h>

#include "agent_env.h"
#include "cmd.h"
#include "global.h"
#include "parts.h"
#include "runner.h"
#include "say.h"
#include "summary.h"
#include "traceset.h"

enum { WAIT_SECONDS = 3 };

typedef struct {
    const char *output;
    uint64_t repeat; /* 0: once, into the file itself */
    bool has_children;
    cli_recording recording;
} record_args;

static const record_args defaults = {.output = CLI_DEFAULT_FILE,
                                     .has_children = true,
                                     .recording = {.has_args = true, .has_stacks = true}};

static const cli_option options[] = {
    {"output", 'o', CLI_OPT_TEXT, "FILE",
     "the trace to write (" CLI_DEFAULT_FILE "); what is there becomes FILE.old",
     offsetof(record_args, output), NULL},
    {"repeat", 0, CLI_OPT_NUMBER, "N",
     "run the command N times, into FILE.1 … FILE.N; ends when it fails",
     offsetof(record_args, repeat), NULL},
    {"no-children", 0, CLI_OPT_CLEAR, NULL, "record the command's own process only",
     offsetof(record_args, has_children), NULL},
    {0}};

static const cli_option_group groups[] = {
    {options, 0}, {cli_recording_options, offsetof(record_args, recording)}, {0}};

// Errors that would come after the command has run for an hour are found before. Returns CLI_OK, or the status to exit with.
static int check_output(const char *file)
{
    struct stat s;
    if (!*file || strcmp(file, "-") == 0) {
        return cli_usage("record", "-o needs the name of a file, not '%s'", file);
    }
    if (stat(file, &s) == 0 && !S_ISREG(s.st_mode)) {
        cli_say("%s: %s", file,
                S_ISDIR(s.st_mode) ? "it is a folder; name a file with -o" : "not a plain file");
        return CLI_RUN_OURS;
    }
    return CLI_OK;
}

static void say_not_run(const char *command, int reason)
{
    if (reason == ENOENT && !strchr(command, '/')) {
        cli_say("%s: no such command in PATH", command);
    } else {
        cli_say("%s: cannot run it: %s", command, strerror(reason));
    }
}

static int pack(const record_args *args, const cli_run *run, const cli_parts *parts, int argc,
                char **argv, snoopi_pack_result *result, snoopi_error *err)
{
    const bool is_signal = WIFSIGNALED(run->wait_status);
    const snoopi_pack_options pack_options = {
        .begin_real_ns = run->begin_real_ns,
        .elapsed_ns = run->elapsed_ns,
        .exit_kind = is_signal ? SNOOPI_EXIT_SIGNAL : SNOOPI_EXIT_STATUS,
        .exit_value = is_signal ? WTERMSIG(run->wait_status) : WEXITSTATUS(run->wait_status),
        .command_pid = (uint32_t)run->pid,
        .argc = argc,
        .argv = (const char *const *)argv,
    };
    return snoopi_pack(parts->path, args->output, &pack_options, result, err);
}

// Returns whether the recording is in the file. What is not, stays in the folder.
static bool finish(const record_args *args, const cli_run *run, cli_parts *parts, int argc,
                   char **argv)
{
    snoopi_error err = {0};
    snoopi_pack_result result = {0};

    cli_parts_wait(parts->path, (uint64_t)WAIT_SECONDS * 1000000000u);
    const int status = pack(args, run, parts, argc, argv, &result, &err);
    if (status == SNOOPI_E_INVALID && cli_parts_is_empty(parts)) {
        cli_summary_no_julia(args->output, argv[0]);
        cli_parts_remove(parts);
        return true;
    }
    if (status < 0) {
        cli_say("%s", err.text);
        cli_say("the recording is kept in %s; to save it: snoopi recover %s", parts->path,
                parts->path);
        return false;
    }
    cli_summary_print(args->output, run->elapsed_ns, &result);
    if (result.damaged > 0 || result.refused > 0) {
        cli_say("what could not be read is kept in %s", parts->path);
    } else {
        cli_parts_remove(parts);
    }
    return true;
}

static int record_once(const record_args *args, int argc, char **argv)
{
    cli_agent agent = CLI_AGENT_NONE;
    cli_parts parts = CLI_PARTS_NONE;
    cli_run run;

    int status = check_output(args->output);
    if (status != CLI_OK) {
        return status;
    }
    status = CLI_RUN_OURS;
    if (cli_agent_find(&agent) != 0 || cli_parts_create(&parts, args->output) != 0) {
        goto out;
    }
    if (cli_agent_run(&run, argv, &agent, &args->recording, args->has_children, parts.path) != 0) {
        (void)cli_fail("cannot start a process: %s", strerror(errno));
        cli_parts_remove(&parts);
        goto out;
    }
    status = cli_run_status(&run);
    if (run.exec_errno != 0) {
        say_not_run(argv[0], run.exec_errno);
        cli_parts_remove(&parts);
        goto out;
    }
    if (!finish(args, &run, &parts, argc, argv) && status == 0) {
        status = CLI_RUN_OURS;
    }
out:
    cli_parts_clear(&parts);
    cli_agent_clear(&agent, false);
    return status;
}

// What lies there from before would be taken for one of these repetitions, or for all of them.
static void move_aside(const char *file)
{
    char *old = NULL;
    if (asprintf(&old, "%s.old", file) >= 0) {
        if (rename(file, old) != 0 && errno != ENOENT) {
            cli_say("cannot move %s to %s: %s", file, old, strerror(errno));
        }
        free(old);
    }
}

static void move_others_aside(const record_args *args)
{
    bool is_there = true;
    move_aside(args->output);
    for (uint64_t i = args->repeat + 1; is_there; i++) {
        char *const name = cli_repeat_name(args->output, (size_t)i);
        is_there = name && access(name, F_OK) == 0;
        if (is_there) {
            move_aside(name);
        }
        free(name);
    }
}

static int record_repeatedly(const record_args *args, int argc, char **argv)
{
    int status = check_output(args->output);
    if (status != CLI_OK) {
        return status;
    }
    move_others_aside(args);
    for (uint64_t i = 1; i <= args->repeat && status == 0; i++) {
        char *const name = cli_repeat_name(args->output, (size_t)i);
        if (!name) {
            (void)cli_fail("out of memory");
            return CLI_RUN_OURS;
        }
        record_args one = *args;
        one.output = name;
        status = record_once(&one, argc, argv);
        free(name);
        if (status != 0 && i < args->repeat) {
            cli_say("run %llu of %llu ended with status %d; no more are made",
                    (unsigned long long)i, (unsigned long long)args->repeat, status);
        }
    }
    return status;
}

static int run_record(const void *payload, int argc, char **argv)
{
    const record_args *const args = payload;
    return args->repeat > 0 ? record_repeatedly(args, argc, argv) : record_once(args, argc, argv);
}

const cli_command cli_cmd_record = {
    .name = "record",
    .operands = "[--] COMMAND…",
    .summary = "run a command and record the inference of every julia in it",
    .about =
        "The command runs as it would without, and its exit status is that of snoopi: 128 + n if signal n ended it,\n"
        "126 if it could not be run, 127 if it was not found, 125 if it was never run, or did well but its\n"
        "recording could not be saved.",
    .groups = groups,
    .args_size = sizeof(record_args),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = -1,
    .is_prefix = true,
    .run = run_record,
};
