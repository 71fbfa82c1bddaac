// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SELECT_H
#define SNOOPI_SELECT_H

/**
 * @file
 * Which frames of a scope are in a tree: those below frames of a name, passing over what the filter leaves out.
 */
#include <snoopi/tree.h>

#include "keys.h"

typedef struct {
    snoopi__keys keys;
    const char *pattern;     /* of names; NULL: all match */
    bool has_top;            /* only what is below a match is in the tree */
    unsigned char *is_match; /* by instance: 0 not yet asked, 1 no, 2 yes */
    bool is_below;           /* of a frame that matched … */
    uint32_t below_depth;    /* … at this depth, which is still open */
} snoopi__select;

/** Returns 0 or SNOOPI_E_NOMEM. To be cleared also after a failure. */
int snoopi__select_init(snoopi__select *select, snoopi_trace *trace, snoopi_by by,
                        const char *pattern, bool has_top, const snoopi_filter *filter,
                        snoopi_error *err);
void snoopi__select_clear(snoopi__select *select);

/** Whether the frame's instance has the name that is wanted: 1 or 0, or SNOOPI_E_NOMEM. */
int snoopi__select_matches(snoopi__select *select, uint32_t instance, snoopi_error *err);

/**
 * Takes the next frame in pre-order. *number is its key if it is in the tree, SNOOPI__KEY_NONE if not.
 * Returns 0 or SNOOPI_E_NOMEM.
 */
int snoopi__select_frame(snoopi__select *select, const snoopi_frame *frame, uint32_t *number,
                         snoopi_error *err);

#endif
