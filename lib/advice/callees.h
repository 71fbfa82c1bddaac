// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CALLEES_H
#define SNOOPI_CALLEES_H

/**
 * @file
 * Functions that return what is not concrete, by the functions that were inferred to call them.
 */
#include <snoopi/trace.h>

#include "base/buffer.h"
#include "base/idset.h"
#include "format/defs.h"

/** A call that was inferred. */
typedef struct {
    uint32_t function; /* number of the function that calls, by its name and file */
    uint32_t caller;   /* instance */
    uint32_t callee;   /* instance that returns what is not concrete */
} snoopi__loose_call;

/** Zero-initialize it. */
typedef struct {
    snoopi__loose_call *items;
    size_t n;
    size_t capacity;
    snoopi__idset known;
    uint32_t n_functions;
    uint32_t *path; /* instances of the frames that the walk is in, by depth */
    size_t path_capacity;
    snoopi__buffer key;
} snoopi__callees;

void snoopi__callees_clear(snoopi__callees *callees);

/** Takes the next frame of a walk. SNOOPI_OK, or SNOOPI_E_NOMEM. */
int snoopi__callees_add(snoopi__callees *callees, snoopi_trace *trace, const snoopi__defs *defs,
                        const snoopi_frame *frame);

/** Number of a function that calls; 0: it calls none of these, or memory is short. */
uint32_t snoopi__callees_function(snoopi__callees *callees, const char *name, const char *file);

#endif
