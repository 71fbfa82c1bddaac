// SPDX-License-Identifier: MIT
// From the tables to getopt_long and to --help.
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "global.h"
#include "opt.h"
#include "say.h"
#include "text.h"

// The tables flattened for getopt_long. Option i is told by the value FIRST_VALUE + i, or its letter.
enum { OPTIONS_MAX = 48, FIRST_VALUE = 256 };

typedef struct {
    const cli_option *option[OPTIONS_MAX];
    void *field[OPTIONS_MAX];
    int n;
    struct option longs[OPTIONS_MAX + 1];
    char letters[3 * OPTIONS_MAX + 3];
} flat;

static bool takes_value(const cli_option *option)
{
    return option->kind != CLI_OPT_SET && option->kind != CLI_OPT_CLEAR;
}

static void flatten_table(flat *f, const cli_option *options, void *base)
{
    for (; options->name; options++) {
        if (f->n == OPTIONS_MAX) {
            abort(); // a table of ours has grown: raise OPTIONS_MAX
        }
        f->option[f->n] = options;
        f->field[f->n] = (char *)base + options->offset;
        f->longs[f->n] =
            (struct option){.name = options->name,
                            .has_arg = takes_value(options) ? required_argument : no_argument,
                            .val = FIRST_VALUE + f->n};
        if (options->letter) {
            const char letter[] = {options->letter, takes_value(options) ? ':' : '\0', '\0'};
            strcat(f->letters, letter);
        }
        f->n++;
    }
}

static void flatten(flat *f, const cli_command *command, void *args)
{
    // '+': stop at the first operand. ':': tell a missing value from an unknown option.
    strcpy(f->letters, command->is_prefix ? "+:" : ":");
    for (const cli_option_group *group = command->groups; group && group->options; group++) {
        flatten_table(f, group->options, (char *)args + group->offset);
    }
    flatten_table(f, cli_global_options, &cli_global);
}

// "1.5s" → ns. A number without a unit is refused: it would be guessed.
static bool read_time(uint64_t *ns, const char *text)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},   {"us", 1e3}, {"µs", 1e3},  {"μs", 1e3},
                 {"ms", 1e6}, {"s", 1e9},  {"min", 60e9}};

    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || !isfinite(value) || value < 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(end, units[i].name) == 0) {
            const double product = value * units[i].ns;
            if (product >= 1.8e19) {
                return false;
            }
            *ns = (uint64_t)llround(product < 9e18 ? product : 9e18);
            return true;
        }
    }
    if (value == 0 && *end == '\0') {
        *ns = 0;
        return true;
    }
    return false;
}

static bool read_number(uint64_t *number, const char *text)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static int word_index(const cli_option *option, const char *text)
{
    for (int i = 0; option->word(i); i++) {
        if (strcmp(option->word(i), text) == 0) {
            return i;
        }
    }
    return -1;
}

static void say_words(const cli_command *command, const cli_option *option, const char *text)
{
    char words[256] = "";
    for (int i = 0; option->word(i); i++) {
        if (strlen(words) + strlen(option->word(i)) + 3 < sizeof words) {
            strcat(words, i > 0 ? ", " : "");
            strcat(words, option->word(i));
        }
    }
    (void)cli_usage(command->name, "--%s=%s: it is one of %s", option->name, text, words);
}

static bool set_field(const cli_command *command, const cli_option *option, void *field,
                      const char *text)
{
    switch (option->kind) {
    case CLI_OPT_SET: *(bool *)field = true; return true;
    case CLI_OPT_CLEAR: *(bool *)field = false; return true;
    case CLI_OPT_TEXT: *(const char **)field = text; return true;
    case CLI_OPT_TIME:
        if (!read_time(field, text)) {
            (void)cli_usage(command->name,
                            "--%s=%s: a time is a number with a unit, as in 1.5s, 200ms, 30us",
                            option->name, text);
            return false;
        }
        return true;
    case CLI_OPT_NUMBER:
        if (!read_number(field, text)) {
            (void)cli_usage(command->name, "--%s=%s: not a whole number from 0 on", option->name,
                            text);
            return false;
        }
        return true;
    case CLI_OPT_CHOICE: {
        const int index = word_index(option, text);
        if (index < 0) {
            say_words(command, option, text);
            return false;
        }
        *(int *)field = index;
        return true;
    }
    }
    return false;
}

static int index_of(const flat *f, int value)
{
    if (value >= FIRST_VALUE) {
        return value - FIRST_VALUE;
    }
    for (int i = 0; i < f->n; i++) {
        if (f->option[i]->letter && f->option[i]->letter == value) {
            return i;
        }
    }
    return -1;
}

static void say_wrong(const cli_command *command, int value, char **argv)
{
    const char *const word = argv[optind - 1];
    if (value == ':') {
        (void)cli_usage(command->name, "%s needs a value", word);
    } else if (optopt > 0 && optopt < FIRST_VALUE) {
        (void)cli_usage(command->name, "unknown option -%c", optopt);
    } else if (optopt >= FIRST_VALUE) {
        (void)cli_usage(command->name, "%s: the option takes no value", word);
    } else {
        (void)cli_usage(command->name, "unknown option %s", word);
    }
}

static bool check_operands(const cli_command *command, int n, char **operands)
{
    if (n < command->min_operands) {
        (void)cli_usage(command->name, "it needs %s", command->operands);
        return false;
    }
    if (command->max_operands >= 0 && n > command->max_operands) {
        (void)cli_usage(command->name, "unexpected '%s'", operands[command->max_operands]);
        return false;
    }
    return true;
}

cli_parsed cli_opt_parse(const cli_command *command, void *args, int argc, char **argv,
                         int *operand)
{
    flat f = {0};
    flatten(&f, command, args);

    opterr = 0;
    optind = 0; // glibc: start anew, and read the leading '+' again
    for (;;) {
        const int value = getopt_long(argc, argv, f.letters, f.longs, NULL);
        if (value == -1) {
            break;
        }
        const int index = value == '?' || value == ':' ? -1 : index_of(&f, value);
        if (index < 0) {
            say_wrong(command, value, argv);
            return CLI_PARSED_WRONG;
        }
        if (!set_field(command, f.option[index], f.field[index], optarg)) {
            return CLI_PARSED_WRONG;
        }
        if (cli_global.help) {
            return CLI_PARSED_HELP;
        }
        if (cli_global.version) {
            return CLI_PARSED_VERSION;
        }
    }
    *operand = optind;
    return check_operands(command, argc - optind, argv + optind) ? CLI_PARSED : CLI_PARSED_WRONG;
}

void cli_opt_print(const cli_option *options)
{
    enum { HELP_COLUMN = 26 };
    for (; options->name; options++) {
        char left[128];
        char words[96] = "";
        if (options->kind == CLI_OPT_CHOICE) {
            for (int i = 0; options->word(i); i++) {
                const size_t used = strlen(words);
                (void)snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? "|" : "",
                               options->word(i));
            }
        }
        const char *const value = options->kind == CLI_OPT_CHOICE ? words : options->operand;
        (void)snprintf(left, sizeof left, "  %c%c%s--%s%s%s", options->letter ? '-' : ' ',
                       options->letter ? options->letter : ' ', options->letter ? ", " : "  ",
                       options->name, takes_value(options) ? "=" : "",
                       takes_value(options) ? value : "");
        const int width = (int)cli_text_width(left);
        if (width + 2 > HELP_COLUMN) {
            (void)printf("%s\n%*s%s\n", left, HELP_COLUMN, "", options->help);
        } else {
            (void)printf("%s%*s%s\n", left, HELP_COLUMN - width, "", options->help);
        }
    }
}

void cli_opt_help(const cli_command *command)
{
    (void)printf("usage: snoopi %s [options]%s%s\n\n%c%s.\n", command->name,
                 *command->operands ? " " : "", command->operands, toupper(command->summary[0]),
                 command->summary + 1);
    if (command->about) {
        (void)printf("\n%s\n", command->about);
    }
    if (command->groups && command->groups->options) {
        (void)printf("\nOptions:\n");
    }
    for (const cli_option_group *group = command->groups; group && group->options; group++) {
        cli_opt_print(group->options);
    }
    (void)printf("\nOptions of every command:\n");
    cli_opt_print(cli_global_options);
}
