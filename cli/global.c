// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "global.h"

cli_globals cli_global = {.color = CLI_COLOR_AUTO};

static const char *color_word(int index)
{
    static const char *const words[] = {"auto", "always", "never"};
    return index < 3 ? words[index] : NULL;
}

const cli_option cli_global_options[] = {
    {"color", 0, CLI_OPT_CHOICE, "WHEN", "colours; auto: on a terminal, unless NO_COLOR is set",
     offsetof(cli_globals, color), color_word},
    {"julia", 0, CLI_OPT_TEXT, "PATH", "the julia to run, where a command runs one",
     offsetof(cli_globals, julia), NULL},
    {"help", 'h', CLI_OPT_SET, NULL, "print this", offsetof(cli_globals, help), NULL},
    {"version", 0, CLI_OPT_SET, NULL, "print the version", offsetof(cli_globals, version), NULL},
    {0}};

bool cli_is_colored(void)
{
    if (cli_global.color != CLI_COLOR_AUTO) {
        return cli_global.color == CLI_COLOR_ALWAYS;
    }
    const char *const no_color = getenv("NO_COLOR");
    const char *const term = getenv("TERM");
    return (!no_color || !*no_color) && term && strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

size_t cli_screen_width(void)
{
    enum { USUAL = 120, NARROWEST = 60 };
    struct winsize size;
    unsigned long width = 0;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    } else if (getenv("COLUMNS")) {
        width = strtoul(getenv("COLUMNS"), NULL, 10);
    }
    return width == 0 ? USUAL : width < NARROWEST ? NARROWEST : width;
}
