// SPDX-License-Identifier: MIT
#include "select.h"

#include <stdlib.h>

#include "base/fail.h"

enum { IS_NO_MATCH = 1, IS_MATCH = 2 };

int snoopi__select_init(snoopi__select *select, snoopi_trace *trace, snoopi_by by,
                        const char *pattern, bool has_top, const snoopi_filter *filter,
                        snoopi_error *err)
{
    *select = (snoopi__select){.pattern = pattern, .has_top = has_top};
    select->is_match = calloc((size_t)snoopi_trace_n_instances(trace) + 1, 1);
    if (!select->is_match) {
        return snoopi__fail_nomem(err);
    }
    return snoopi__keys_init(&select->keys, trace, by, filter, err);
}

void snoopi__select_clear(snoopi__select *select)
{
    snoopi__keys_clear(&select->keys);
    free(select->is_match);
    *select = (snoopi__select){0};
}

int snoopi__select_matches(snoopi__select *select, uint32_t id, snoopi_error *err)
{
    if (!select->pattern) {
        return 1;
    }
    unsigned char *const known = &select->is_match[id];
    if (*known == 0) {
        const snoopi_instance *const instance = snoopi_trace_instance(select->keys.trace, id);
        if (!instance) {
            return snoopi__fail_nomem(err);
        }
        *known =
            snoopi_pattern_matches_instance(select->pattern, instance) ? IS_MATCH : IS_NO_MATCH;
    }
    return *known == IS_MATCH;
}

int snoopi__select_frame(snoopi__select *select, const snoopi_frame *frame, uint32_t *number,
                         snoopi_error *err)
{
    *number = SNOOPI__KEY_NONE;
    if (select->has_top && (!select->is_below || frame->depth <= select->below_depth)) {
        const int matches = snoopi__select_matches(select, frame->instance, err);
        if (matches < 0) {
            return matches;
        }
        select->is_below = matches == 1;
        select->below_depth = frame->depth;
        if (!select->is_below) {
            return SNOOPI_OK;
        }
    }
    return snoopi__keys_find(&select->keys, frame, number, err);
}
