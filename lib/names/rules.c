// SPDX-License-Identifier: MIT
// See rules.h. Read from base/show.jl of each version, and compared with what each shows (docs/julia-internals.md, Names).
#include "rules.h"

#include <stddef.h>
#include <stdlib.h>

// What all rows from a version on have in common.
#define SINCE_1_6                                                               \
    .parameter_separator = ", ", .has_aliases = true, .quotes_functions = true, \
    .calls_open_types = true, .parenthesizes_callees = true, .wraps_float16_zero = true
#define SINCE_1_7  SINCE_1_6, .elides_wheres = true, .has_open_aliases = true
#define SINCE_1_9  SINCE_1_7, .has_tuple_tails = true, .keeps_foreign_methods = true
#define SINCE_1_10 SINCE_1_9, .has_named_tuple_macro = true
#define SINCE_1_11                                                                \
    SINCE_1_10, .has_vararg_ntuples = true, .qualifies = QUALIFY_UNLESS_EXPORTED, \
                .shows_visible_functions = true, .shows_type_of_uuid = true

static const snoopi__rules rows[] = {
    {
        .major = 1,
        .minor = 5,
        .syntax = SYNTAX_1_5,
        .parameter_separator = ",",
        .has_strided_unions = true,
    },
    {
        .major = 1,
        .minor = 6,
        SINCE_1_6,
        .syntax = SYNTAX_1_6,
        .sorts_aliases = true,
        .has_core_aliases = true,
    },
    {
        .major = 1,
        .minor = 7,
        SINCE_1_7,
        .syntax = SYNTAX_1_7,
        .sorts_aliases = true,
        .has_core_aliases = true,
        .qualifies = QUALIFY_UNLESS_VISIBLE,
        .unknown_place = "unknown",
    },
    {
        .major = 1,
        .minor = 8,
        SINCE_1_7,
        .syntax = SYNTAX_1_8,
        .sorts_aliases = true,
        .has_core_aliases = true,
        .qualifies = QUALIFY_UNLESS_VISIBLE,
        .unknown_place = "unknown",
    },
    {
        .major = 1,
        .minor = 9,
        SINCE_1_9,
        .syntax = SYNTAX_1_9,
        .has_core_aliases = true,
        .qualifies = QUALIFY_UNLESS_VISIBLE,
        .unknown_place = "unknown",
    },
    {
        .major = 1,
        .minor = 10,
        SINCE_1_10,
        .syntax = SYNTAX_1_10,
        .has_core_aliases = true,
        .qualifies = QUALIFY_UNLESS_VISIBLE,
        .unknown_place = "unknown",
    },
    {
        .major = 1,
        .minor = 11,
        SINCE_1_11,
        .syntax = SYNTAX_1_11,
        .has_core_aliases = true,
        .unknown_place = "unknown",
    },
    {
        .major = 1,
        .minor = 12,
        SINCE_1_11,
        .syntax = SYNTAX_1_12,
        .quotes_named_tuples = true,
        .calls_pointers = true,
        .unknown_place = "<unknown>",
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
