// SPDX-License-Identifier: MIT
// See rules.h.
#include "rules.h"

#include <stddef.h>
#include <stdlib.h>

static const snoopi__rules rows[] = {
    {.major = 1, .minor = 5, .parameter_separator = ",", .has_strided_unions = true},
};

const snoopi__rules *snoopi__rules_of(const char *julia_version)
{
    char *end = NULL;
    const unsigned long major = strtoul(julia_version, &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    const snoopi__rules *best = &rows[0];
    for (size_t i = 1; i < sizeof rows / sizeof rows[0]; i++) {
        const snoopi__rules *row = &rows[i];
        if (row->major < major || (row->major == major && row->minor <= minor)) {
            best = row;
        }
    }
    return best;
}
