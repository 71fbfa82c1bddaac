// SPDX-License-Identifier: MIT
#ifndef SNOOPI_RECORD_H
#define SNOOPI_RECORD_H

/**
 * @file
 * Records: tag, length, payload (format.md 1).
 */
#include "base/varint.h"

typedef struct {
    uint64_t tag;
    const unsigned char *payload;
    size_t size;
} snoopi__record;

/**
 * Takes the next record.
 *
 * @return false at the end, and where no whole record is; the cursor is bad then.
 */
static inline bool snoopi__next_record(snoopi__cursor *cursor, snoopi__record *record)
{
    if (cursor->at == cursor->end) {
        return false;
    }
    record->tag = snoopi__get_varint(cursor);
    const uint64_t size = snoopi__get_varint(cursor);
    record->payload = snoopi__get_bytes(cursor, size);
    record->size = (size_t)size;
    return !cursor->is_bad;
}

static inline snoopi__cursor snoopi__record_fields(const snoopi__record *record)
{
    return snoopi__cursor_of(record->payload, record->size);
}

#endif
