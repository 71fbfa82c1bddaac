// SPDX-License-Identifier: MIT
// See rules.h.
#include "rules.h"

#include <stddef.h>
#include <stdlib.h>

#include "julia_tables.h"

static const snoopi__rules rows[] = {
    {
        .major = 1,
        .minor = 5,
        .syntax = &snoopi__syntax_1_5,
        .parameter_separator = ",",
        .has_strided_unions = true,
    },
    {
        .major = 1,
        .minor = 10,
        .syntax = &snoopi__syntax_1_10,
        .parameter_separator = ", ",
        .has_aliases = true,
        .has_tuple_tails = true,
        .has_named_tuple_macro = true,
        .qualifies_functions = true,
        .quotes_functions = true,
        .calls_open_types = true,
        .parenthesizes_callees = true,
        .wraps_float16_zero = true,
        .has_thunk_place = true,
    },
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
