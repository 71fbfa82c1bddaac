// SPDX-License-Identifier: MIT
// Messages. A line is built whole and written at once, so that lines of several processes do not mix.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "say.h"
#include "text.h"

static void say_line(const char *format, va_list list)
{
    char *line = NULL;
    if (vasprintf(&line, format, list) < 0) {
        return;
    }
    char *safe = cli_text_escape(line);
    (void)fprintf(stderr, "snoopi: %s\n", safe ? safe : line);
    free(safe);
    free(line);
}

void cli_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_line(format, list);
    va_end(list);
}

int cli_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_line(format, list);
    va_end(list);
    return CLI_FAILED;
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = NULL;
    if (vasprintf(&text, format, list) >= 0) {
        if (command) {
            cli_say("%s: %s; see snoopi %s --help", command, text, command);
        } else {
            cli_say("%s; see snoopi --help", text);
        }
        free(text);
    }
    va_end(list);
    return CLI_USAGE;
}
