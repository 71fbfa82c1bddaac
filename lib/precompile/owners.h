// SPDX-License-Identifier: MIT
#ifndef SNOOPI_OWNERS_H
#define SNOOPI_OWNERS_H

/**
 * @file
 * Which module can keep what an instance was inferred to. Learns from all frames first, and is asked then.
 */
#include <snoopi/precompile.h>

#include "names/rules.h"
#include "packages.h"

/** Set the first four, which are borrowed; the rest is to be 0. */
typedef struct {
    snoopi_trace *trace;
    const snoopi__defs *defs;
    const snoopi__rules *rules;
    snoopi__packages *packages;
    uint16_t *callers; /* by instance: package whose code triggered it as a root first; 0: none */
    bool *is_super;    /* by typename: another was declared as its subtype */
    uint32_t base;     /* module */
} snoopi__owners;

/** False when memory is short. */
bool snoopi__owners_init(snoopi__owners *owners);
void snoopi__owners_clear(snoopi__owners *owners);

/** An instance called another. */
void snoopi__owners_learn_call(snoopi__owners *owners, uint32_t caller, uint32_t callee);

/** A root was entered, by what its stack tells. */
void snoopi__owners_learn_root(snoopi__owners *owners, const snoopi_frame *root);

/** The module that can keep an instance of a method. False when there is none: `why` tells. */
bool snoopi__owners_find(snoopi__owners *owners, uint32_t instance, uint32_t *module,
                         snoopi_precompile_reason *why);

/** Whether precompile() takes a signature. */
bool snoopi__owners_is_definite(const snoopi__owners *owners, uint32_t spec);

#endif
