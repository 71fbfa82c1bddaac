// SPDX-License-Identifier: MIT
#ifndef SNOOPI_GATHER_H
#define SNOOPI_GATHER_H

/**
 * @file
 * One walk over the frames gathers what all kinds of advice need: sums by instance, and the places that call by dispatch.
 */
#include <snoopi/advice.h>
#include <snoopi/triggers.h>

#include "base/idset.h"
#include "callees.h"
#include "invalidations.h"

/** Sums over the frames of an instance. */
typedef struct {
    uint64_t self_ns;
    uint64_t const_self_ns; /* of those with constant arguments */
    uint64_t
        repeated_self_ns; /* of those that were inferred before with the same arguments, and not invalidated */
    uint64_t root_ns; /* total of the roots that no precompilation made */
    uint32_t frames;
    uint32_t const_frames;
    uint32_t repeated;
    uint32_t roots;
    uint32_t process;   /* index + 1 of the first that has frames of it */
    uint32_t generated; /* of a generator: an instance of the function that it generates */
} snoopi__instance_sums;

/** A place that calls a function by dispatch. */
typedef struct {
    const snoopi_place *place; /* where somebody may change something */
    const char *through;       /* Julia's own function that it called, and that calls; or NULL */
    uint32_t caller;           /* instance; 0: not known */
    uint32_t inner;            /* with `through`: instance of the code that calls; 0: not known */
    uint32_t callee;           /* one of them */
    uint64_t total_ns;
    uint64_t count;
    uint32_t
        at_fault; /* instance that returned what it is called with, of an unknown type; 0: none */
    bool is_told; /* by a finding about that instance */
    uint32_t source;   /* the same, of somebody else's code */
    uint32_t *callees; /* instances, each as often as it was called */
    size_t n_callees;
    size_t capacity;
} snoopi__call_site;

/** Zero-initialize it. */
typedef struct {
    snoopi__instance_sums *instances; /* by id */
    uint32_t n_instances;             /* ids and 0 */
    snoopi__call_site *sites;
    size_t n_sites;
    size_t capacity;
    snoopi__idset known;
    snoopi__invalidations invalidations;
    snoopi__callees callees;
    snoopi_totals totals;
    snoopi_totals scope_totals;
} snoopi__gathered;

int snoopi__gather(snoopi__gathered *gathered, snoopi_trace *trace, const snoopi_scope *scope,
                   snoopi_error *err);
void snoopi__gathered_clear(snoopi__gathered *gathered);

#endif
