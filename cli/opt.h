// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_OPT_H
#define SNOOPI_CLI_OPT_H

/**
 * @file
 * Options by table. A command has a struct of arguments; its options say which field each one sets, how it is
 * read, and what --help says of it. Groups of options that several commands share are tables of their own, with the place
 * of their struct in the command's. The parser, --help and the check of the man pages all come from these tables.
 */
#include <stdbool.h>
#include <stddef.h>

typedef enum {
    CLI_OPT_SET,    /* bool: becomes true */
    CLI_OPT_CLEAR,  /* bool: becomes false */
    CLI_OPT_TEXT,   /* const char * */
    CLI_OPT_TIME,   /* uint64_t, nanoseconds: "1.5s", "200ms" */
    CLI_OPT_NUMBER, /* uint64_t */
    CLI_OPT_CHOICE  /* int: index of one of the words */
} cli_opt_kind;

typedef struct {
    const char *name; /* long name; ends the table when NULL */
    char letter;      /* or 0 */
    cli_opt_kind kind;
    const char *operand;            /* what --help calls the value */
    const char *help;               /* one line */
    size_t offset;                  /* of the field in the group's struct */
    const char *(*word)(int index); /* the words of a choice, NULL after the last */
} cli_option;

typedef struct {
    const cli_option *options; /* ends the list of groups when NULL */
    size_t offset;             /* of the group's struct in the command's */
} cli_option_group;

typedef struct cli_command cli_command;
struct cli_command {
    const char *name;
    const char *operands; /* as --help shows them: "[FILE]" */
    const char *summary;  /* one line without a full stop */
    const char *about;    /* more for --help, or NULL */
    const cli_option_group *groups;
    size_t args_size;
    const void *defaults; /* of args_size bytes */
    int min_operands;
    int max_operands; /* −1: any number */
    bool is_prefix;   /* options end at the first operand: the rest is a command */
    int (*run)(const void *args, int n_operands, char **operands);
};

/** What parsing came to. */
typedef enum { CLI_PARSED, CLI_PARSED_HELP, CLI_PARSED_VERSION, CLI_PARSED_WRONG } cli_parsed;

/**
 * Parses argv (argv[0] is skipped) into `args`, which holds the defaults. The first operand has the index *operand in argv,
 * whose order may be changed. What is wrong is said on stderr.
 */
cli_parsed cli_opt_parse(const cli_command *command, void *args, int argc, char **argv,
                         int *operand);

/** Prints the help of a command on stdout. */
void cli_opt_help(const cli_command *command);

/** Prints the options of one table. */
void cli_opt_print(const cli_option *options);

#endif
