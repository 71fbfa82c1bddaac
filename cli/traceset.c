// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"
#include "traceset.h"
#include "view.h"

char *cli_repeat_name(const char *file, size_t number)
{
    char *name = NULL;
    return asprintf(&name, "%s.%zu", file, number) < 0 ? NULL : name;
}

static int open_one(cli_traceset *set, char *file)
{
    if (set->n == set->capacity) {
        const size_t capacity = set->capacity ? 2 * set->capacity : 8;
        snoopi_trace **const grown = reallocarray(set->traces, capacity, sizeof(snoopi_trace *));
        if (!grown) {
            return cli_fail("out of memory");
        }
        set->traces = grown;
        set->capacity = capacity;
    }
    snoopi_trace *const trace = cli_trace_open(1, &file);
    if (!trace) {
        return CLI_FAILED;
    }
    set->traces[set->n++] = trace;
    return CLI_OK;
}

// Opens FILE.1, FILE.2, … as far as they go.
static int open_repetitions(cli_traceset *set, const char *file)
{
    int status = CLI_OK;
    for (size_t i = 1; status == CLI_OK; i++) {
        char *const name = cli_repeat_name(file, i);
        if (!name) {
            return cli_fail("out of memory");
        }
        const bool is_there = access(name, F_OK) == 0;
        status = is_there ? open_one(set, name) : CLI_OK;
        free(name);
        if (!is_there) {
            break;
        }
    }
    return status;
}

int cli_traceset_open(cli_traceset *set, const char *file)
{
    *set = CLI_TRACESET_NONE;
    char *const name = access(file, F_OK) == 0 ? NULL : cli_repeat_name(file, 1);
    const bool is_repeated = name && access(name, F_OK) == 0;
    free(name);
    if (is_repeated) {
        return open_repetitions(set, file);
    }
    char *copy = NULL; // operands are not const
    if (asprintf(&copy, "%s", file) < 0) {
        return cli_fail("out of memory");
    }
    const int status = open_one(set, copy);
    free(copy);
    return status;
}

void cli_traceset_warn(const cli_traceset *set)
{
    for (size_t i = 0; i < set->n; i++) {
        cli_trace_warn(set->traces[i]);
    }
}

void cli_traceset_close(cli_traceset *set)
{
    for (size_t i = 0; i < set->n; i++) {
        snoopi_trace_close(set->traces[i]);
    }
    free(set->traces);
    *set = CLI_TRACESET_NONE;
}
