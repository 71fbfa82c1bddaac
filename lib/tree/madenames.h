// SPDX-License-Identifier: MIT
#ifndef SNOOPI_MADENAMES_H
#define SNOOPI_MADENAMES_H

/**
 * @file
 * Names that Julia made, inside of other names: `#12#13` (a closure), `#kw#5` (the body of a function with keywords), `##s14#7`.
 * Their numbers count up as code is lowered, so an edit above changes all that follow; and they are part of the type, so
 * they stand in the names of all that a closure is passed to.
 *
 * This finds out which made name of one recording is which of another: of the same module and the same but for the numbers, used in the same
 * rows, in the same order. Then each name gets a form in which partners are equal:
 *
 *     add, both sides in any order → pair → put
 */
#include <stdbool.h>

#include <snoopi/error.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/idset.h"

/** A made name of one side. */
typedef struct {
    const char *text; /* "#12#13" */
    uint32_t size;
    uint32_t group;  /* of those that are equal but for their numbers */
    uint64_t number; /* the first in it: their order */
    int32_t line;    /* where it is a function itself; else 0 */
    uint32_t
        *rows; /* hashes of the names that it stands in, without numbers; ascending after pairing */
    size_t n_rows;
    size_t capacity;
    uint32_t pair; /* number of the pair + 1; 0: none */
} snoopi__madename;

typedef struct {
    snoopi__madename *names;
    size_t n;
    size_t capacity;
    snoopi__idset set;
} snoopi__madeside;

/** Zero-initialize it to begin. */
typedef struct {
    snoopi__madeside sides[2];
    snoopi__idset groups;
    uint32_t n_groups;
    snoopi__arena arena;
    snoopi__buffer scratch;
} snoopi__madenames;

void snoopi__madenames_clear(snoopi__madenames *made);

/** Puts `name` without the numbers in made names. */
void snoopi__madenames_bare(snoopi__buffer *out, const char *name);

/**
 * Takes up the made names in the name of a row of side 0 or 1.
 *
 * @param module  of the row, and `line`; "" and 0 where it has none.
 * @return 0 or SNOOPI_E_NOMEM.
 */
int snoopi__madenames_add(snoopi__madenames *made, int side, const char *name, const char *module,
                          int32_t line);

/** Finds partners. Returns 0 or SNOOPI_E_NOMEM. */
int snoopi__madenames_pair(snoopi__madenames *made);

/** Puts `name` of a side in the form in which partners are equal, and all others differ. */
void snoopi__madenames_put(snoopi__madenames *made, int side, snoopi__buffer *out, const char *name,
                           const char *module);

#endif
