// SPDX-License-Identifier: MIT
// The program: finds the command in the table and runs it. Adding a command is a file cmd_NAME.c and a line here.
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/version.h>

#include "cmd.h"
#include "global.h"
#include "say.h"

static const cli_command *const commands[] = {
    &cli_cmd_record, &cli_cmd_report,     &cli_cmd_list,  &cli_cmd_tree,    &cli_cmd_triggers,
    &cli_cmd_advise, &cli_cmd_precompile, &cli_cmd_view,  &cli_cmd_diff,    &cli_cmd_info,
    &cli_cmd_export, &cli_cmd_flamegraph, &cli_cmd_merge, &cli_cmd_recover, &cli_cmd_env,
    &cli_cmd_pack,   &cli_cmd_doctor,     NULL,
};

static void print_version(void)
{
    (void)printf("snoopi %s\n", SNOOPI_VERSION);
}

static void print_help(void)
{
    (void)printf("usage: snoopi COMMAND [options] …\n\n"
                 "Shows where julia spends its time inferring types.\n\n"
                 "  snoopi record julia PROGRAM.jl    runs the program and records\n"
                 "  snoopi report                     shows what it found\n\n"
                 "Commands:\n");
    for (size_t i = 0; commands[i]; i++) {
        (void)printf("  %-12s%s\n", commands[i]->name, commands[i]->summary);
    }
    (void)printf("\nOptions of every command:\n");
    cli_opt_print(cli_global_options);
    (void)printf("\nsnoopi COMMAND --help tells the options of a command.\n");
}

// How many letters differ (Levenshtein), for words of up to 15 letters.
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 15 };
    size_t row[MAX + 1];
    const size_t n = strlen(b);
    if (strlen(a) > MAX || n > MAX) {
        return MAX;
    }
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 1; *a; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t changed = diagonal + (*a != b[j - 1]);
            const size_t grown = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = changed < grown ? changed : grown;
        }
    }
    return row[n];
}

static int unknown_command(const char *name)
{
    const char *nearest = NULL;
    size_t best = 3; // further away is no typing error
    for (size_t i = 0; commands[i]; i++) {
        const size_t d = distance(name, commands[i]->name);
        if (d < best) {
            best = d;
            nearest = commands[i]->name;
        }
    }
    if (nearest) {
        return cli_usage(NULL, "unknown command '%s'; is '%s' meant?", name, nearest);
    }
    return cli_usage(NULL, "unknown command '%s'", name);
}

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    void *const args = calloc(1, command->args_size ? command->args_size : 1);
    if (!args) {
        return cli_fail("out of memory");
    }
    if (command->defaults) {
        memcpy(args, command->defaults, command->args_size);
    }

    int operand = 0;
    int status = CLI_USAGE;
    switch (cli_opt_parse(command, args, argc, argv, &operand)) {
    case CLI_PARSED: status = command->run(args, argc - operand, argv + operand); break;
    case CLI_PARSED_HELP:
        cli_opt_help(command);
        status = CLI_OK;
        break;
    case CLI_PARSED_VERSION:
        print_version();
        status = CLI_OK;
        break;
    case CLI_PARSED_WRONG: break;
    }
    free(args);
    return status;
}

// Names are UTF-8 whatever the locale is: where it is not, as in the C locale, C.UTF-8 decides about widths.
static void set_locale(void)
{
    (void)setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    }
}

// Why stdout took not all. stdio forgets the reason when it has failed; failing once more tells it.
static int stdout_errno(void)
{
    if (ferror(stdout)) {
        clearerr(stdout);
        (void)putchar('\n');
    }
    errno = 0;
    return fclose(stdout) == 0 ? 0 : errno;
}

// What was printed must have arrived: a full disk is a failure. A reader that has had enough (head) is none.
static int close_stdout(int status)
{
    const bool had_error = ferror(stdout) != 0;
    const bool is_unused = !had_error && __fpending(stdout) == 0;
    const int reason = stdout_errno();
    if ((is_unused && reason == EBADF) || (!had_error && reason == 0) || reason == EPIPE ||
        status != CLI_OK) {
        return status;
    }
    return cli_fail("cannot write to standard output: %s",
                    reason ? strerror(reason) : "write error");
}

int main(int argc, char **argv)
{
    set_locale();

    // Options before the command's name are those of every command.
    static const cli_command before = {
        .name = NULL, .operands = "COMMAND", .is_prefix = true, .max_operands = -1};
    int first = 0;
    switch (cli_opt_parse(&before, NULL, argc, argv, &first)) {
    case CLI_PARSED: break;
    case CLI_PARSED_HELP: print_help(); return close_stdout(CLI_OK);
    case CLI_PARSED_VERSION: print_version(); return close_stdout(CLI_OK);
    case CLI_PARSED_WRONG: return CLI_USAGE;
    }
    if (first >= argc) {
        return cli_usage(NULL, "no command given");
    }
    const cli_command *const command = find_command(argv[first]);
    if (!command) {
        return unknown_command(argv[first]);
    }
    return close_stdout(run_command(command, argc - first, argv + first));
}
