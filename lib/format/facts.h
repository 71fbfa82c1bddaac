// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FACTS_H
#define SNOOPI_FACTS_H

/**
 * @file
 * What a first pass over a segment gathers, before frames are put together: its definitions, facts about the process,
 * its collections, and when it was last seen.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "defs.h"
#include "gcspans.h"
#include "imagecodes.h"
#include "segment.h"
#include "snoopi/trace.h"

typedef struct {
    snoopi__arena arena; /* of the definitions and strings */
    snoopi__defs defs;
    snoopi__gcspans gc;
    snoopi_process process; /* what the header and INFO records tell; the sums are 0 */
    const char *image;      /* what the image that is being written is of; "" if not known */
    snoopi__imagelist images;
    uint64_t end_ns; /* of the process, or the last that was seen of it */
    bool is_window;  /* only a part is wanted, from process.begin_ns to end_ns */
} snoopi__facts;

/** Gathers them. `facts` is to be cleared by the caller, also on failure. Damage is noted in the segment. */
int snoopi__facts_gather(snoopi__facts *facts, snoopi__segment *segment, snoopi_error *err);

/** Narrows the process down to a part of its time; times are inclusive. */
void snoopi__facts_narrow(snoopi__facts *facts, uint64_t begin_ns, uint64_t end_ns);

void snoopi__facts_clear(snoopi__facts *facts);

#endif
