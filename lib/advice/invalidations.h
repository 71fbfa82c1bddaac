// SPDX-License-Identifier: MIT
#ifndef SNOOPI_INVALIDATIONS_H
#define SNOOPI_INVALIDATIONS_H

/**
 * @file
 * Which frames replaced code that had been invalidated, by what ended it: a definition is known by its process and world.
 */
#include <snoopi/trace.h>
#include <stddef.h>

#include "format/defs.h"

/** What one definition invalidated, as far as it was inferred again. */
typedef struct {
    uint32_t process;
    uint64_t world; /* the last before the definition */
    uint32_t frames;
    uint64_t self_ns;
    uint32_t most; /* instance of the frame that cost most; 0: no frame in scope */
    uint64_t most_self_ns;
    uint32_t definer; /* an instance of a method that was defined next; 0: none has frames */
    bool has_others;  /* more methods were: a package brings all of its own at once */
} snoopi__invalidation;

typedef struct snoopi__invalidated_entry snoopi__invalidated_entry;

/** Zero-initialize it. */
typedef struct {
    snoopi__invalidation *items; /* in order of process and world */
    size_t n;
    snoopi__invalidated_entry *entries; /* what the trace tells, in order of process and instance */
    size_t n_entries;
} snoopi__invalidations;

/** Begins with what the trace tells. False when memory is short. */
bool snoopi__invalidations_begin(snoopi__invalidations *list, const snoopi_trace *trace);

/** Counts a frame. To be told of all frames in scope, in the order of a walk. */
void snoopi__invalidations_add(snoopi__invalidations *list, const snoopi__defs *defs,
                               const snoopi_frame *frame);

void snoopi__invalidations_clear(snoopi__invalidations *list);

#endif
