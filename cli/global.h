// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_GLOBAL_H
#define SNOOPI_CLI_GLOBAL_H

/**
 * @file
 * Options of every command: they may stand before the command's name and behind it. The one global state of the program.
 */
#include <stdbool.h>

#include "opt.h"

typedef enum { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

typedef struct {
    bool help;
    bool version;
    int color;         /* cli_color */
    const char *julia; /* path of a julia, or NULL */
} cli_globals;

extern cli_globals cli_global;
extern const cli_option cli_global_options[];

/** Whether to colour what goes to stdout: by --color, else by NO_COLOR, TERM, and whether it is a terminal. */
bool cli_is_colored(void);

/** Columns of the terminal that stdout is, of COLUMNS, or a number that suits most. */
size_t cli_screen_width(void);

/** The file that a command reads when none was named. */
#define CLI_DEFAULT_FILE "snoopi.data"

#endif
