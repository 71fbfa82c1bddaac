// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DIRECTIVES_H
#define SNOOPI_DIRECTIVES_H

/**
 * @file
 * What a snoopi_precompile is, for the files that make it: precompile.c finds the directives, directivefile.c writes them.
 */
#include <snoopi/precompile.h>

#include "base/arena.h"
#include "base/idset.h"
#include "packages.h"

/** What belongs to a directive beside what is public. */
typedef struct {
    snoopi_directive public;
    uint64_t covered_ns;
    uint32_t module;      /* where it is to stand */
    const uint16_t *used; /* packages whose variables it needs */
    uint32_t n_used;
    uint32_t process; /* index + 1 of the last that has frames of it */
    uint64_t most_ns; /* the greatest total there */
} snoopi__directive;

typedef struct {
    snoopi_precompile_module public;
    uint32_t module;
    size_t first; /* of its directives */
    const char *text;
    size_t size;
} snoopi__module_file;

struct snoopi_precompile {
    snoopi__arena arena;
    snoopi_trace *trace;
    const snoopi__defs *defs;
    snoopi__packages packages;
    snoopi__directive *directives; /* when all is done: by module, those of most worth first */
    snoopi_directive *publics;     /* the same, as its users see them */
    size_t n_directives;
    size_t capacity;
    snoopi__module_file *modules;
    size_t n_modules;
    snoopi_precompile_left left[SNOOPI_PRECOMPILE_REASONS];
    uint64_t covered_ns;
    snoopi_totals totals;
    snoopi_totals scope_totals;
};

#endif
