// SPDX-License-Identifier: MIT
#ifndef SNOOPI_VARINT_H
#define SNOOPI_VARINT_H

/**
 * @file
 * LEB128 numbers (format.md, introduction): writing, and reading of bytes that may be anything.
 *
 * A cursor remembers that a read failed: a decoder reads all its fields, which are 0 from the first bad one on, and asks
 * once at the end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SNOOPI__VARINT_MAX = 10 }; /* bytes of the longest */

typedef struct {
    const unsigned char *at;
    const unsigned char *end;
    bool is_bad;
} snoopi__cursor;

static inline snoopi__cursor snoopi__cursor_of(const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return (snoopi__cursor){.at = at, .end = size ? at + size : at, .is_bad = false};
}

static inline size_t snoopi__cursor_left(const snoopi__cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

/**
 * Reads a varint where SNOOPI__VARINT_MAX bytes are known to be readable, whatever the cursor's end is: the caller
 * compares `at` with it afterwards. One that is too long, or holds bits beyond 64, makes the cursor bad.
 */
static inline uint64_t snoopi__get_varint_unchecked(snoopi__cursor *cursor)
{
    uint64_t byte = *cursor->at++;
    uint64_t result = byte & 0x7f;
    for (unsigned shift = 7; byte & 0x80; shift += 7) {
        byte = *cursor->at++;
        if (__builtin_expect(shift == 63 && byte > 1, 0)) {
            cursor->is_bad = true;
            return 0;
        }
        result |= (byte & 0x7f) << shift;
    }
    return result;
}

/** Reads a varint. 0, and the cursor is bad and at its end, if there is none. */
static inline uint64_t snoopi__get_varint(snoopi__cursor *cursor)
{
    uint64_t result = 0;
    for (unsigned shift = 0; cursor->at < cursor->end; shift += 7) {
        const uint64_t byte = *cursor->at++;
        if (shift == 63 && byte > 1) {
            break;
        }
        result |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            return result;
        }
    }
    cursor->is_bad = true;
    cursor->at = cursor->end;
    return 0;
}

/** Reads a varint of at most 32 bits; a larger one is bad. */
static inline uint32_t snoopi__get_varint32(snoopi__cursor *cursor)
{
    const uint64_t value = snoopi__get_varint(cursor);
    if (value > UINT32_MAX) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return 0;
    }
    return (uint32_t)value;
}

/** The signed number that zigzag made `value` of. */
static inline int64_t snoopi__unzigzag(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

static inline uint64_t snoopi__zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

/** Reads `size` bytes in place; NULL if there are fewer. */
static inline const unsigned char *snoopi__get_bytes(snoopi__cursor *cursor, uint64_t size)
{
    if (size > snoopi__cursor_left(cursor)) {
        cursor->is_bad = true;
        cursor->at = cursor->end;
        return NULL;
    }
    const unsigned char *bytes = cursor->at;
    cursor->at += size;
    return bytes;
}

/** Writes a varint to `at`, which has room for SNOOPI__VARINT_MAX bytes, and returns the byte behind it. */
static inline unsigned char *snoopi__put_varint(unsigned char *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}

#endif
