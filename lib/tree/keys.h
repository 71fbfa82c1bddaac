// SPDX-License-Identifier: MIT
#ifndef SNOOPI_KEYS_H
#define SNOOPI_KEYS_H

/**
 * @file
 * Numbers of keys: which row a frame belongs to. A key is text (module, name, file, line), so that what is the same in two
 * processes, or was defined twice, is one; the number of an instance's key is found once and remembered.
 */
#include <snoopi/aggregate.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/idset.h"

/** What a key says. */
typedef struct {
    const char *name;
    const char *module;
    const char *package;
    const char *file;
    int32_t line;
    uint32_t instance;
    int64_t process;
    int64_t thread;
} snoopi__key;

#define SNOOPI__KEY_NONE UINT32_MAX /* the frame is of no key: the filter leaves it out */

typedef struct {
    snoopi_trace *trace;
    snoopi_by by;
    snoopi_filter filter;
    bool has_filter;
    uint32_t *
        of_instance; /* number + 1 of the key of an instance, or 0: not yet asked, UINT32_MAX: none */
    uint32_t root_key;     /* by root: of the root that frames are below of */
    uint32_t last_process; /* by process and thread: of the frame before, … */
    uint32_t last_thread;
    uint32_t last_key; /* … and its key + 1; 0: there was none */
    snoopi__key *keys;
    size_t n_keys;
    size_t capacity;
    snoopi__idset set;
    snoopi__buffer text; /* of the key that is looked up */
    snoopi__arena arena; /* names that the trace does not have */
} snoopi__keys;

/** Returns 0 or SNOOPI_E_NOMEM. `filter` may be NULL. To be cleared also after a failure. */
int snoopi__keys_init(snoopi__keys *keys, snoopi_trace *trace, snoopi_by by,
                      const snoopi_filter *filter, snoopi_error *err);

void snoopi__keys_clear(snoopi__keys *keys);

/** Finds the number of the frame's key, from 0; SNOOPI__KEY_NONE if it has none. Returns 0 or SNOOPI_E_NOMEM. */
int snoopi__keys_find_new(snoopi__keys *keys, const snoopi_frame *frame, uint32_t *number,
                          snoopi_error *err);

static inline int snoopi__keys_find(snoopi__keys *keys, const snoopi_frame *frame, uint32_t *number,
                                    snoopi_error *err)
{
    const uint32_t known = keys->of_instance[frame->instance];
    if (__builtin_expect(known != 0 && keys->by < SNOOPI_BY_ROOT, 1)) {
        *number = known == UINT32_MAX ? SNOOPI__KEY_NONE : known - 1;
        return SNOOPI_OK;
    }
    return snoopi__keys_find_new(keys, frame, number, err);
}

/** A row of this key, whose numbers are 0. */
snoopi_row snoopi__keys_row(const snoopi__keys *keys, uint32_t number);

/** Fills in what is of one frame. */
void snoopi__row_set_frame(snoopi_row *row, const snoopi_frame *frame);

#endif
