// SPDX-License-Identifier: MIT
#ifndef SNOOPI_BUFFER_H
#define SNOOPI_BUFFER_H

/**
 * @file
 * A growing buffer of bytes, and the growing of arrays.
 *
 * A buffer remembers that memory ran short: an encoder puts all its fields and asks once at the end. Zero-initialize it
 * to begin.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    unsigned char *data;
    size_t size;
    size_t capacity;
    bool has_failed;
} snoopi__buffer;

/** Frees the bytes; the buffer is empty then, and usable. */
void snoopi__buffer_clear(snoopi__buffer *buffer);

/** Makes room for `more` bytes behind the last; false when memory is short. */
bool snoopi__buffer_reserve(snoopi__buffer *buffer, size_t more);

void snoopi__buffer_put(snoopi__buffer *buffer, const void *bytes, size_t size);
void snoopi__buffer_varint(snoopi__buffer *buffer, uint64_t value);
void snoopi__buffer_u16(snoopi__buffer *buffer, uint16_t value);
void snoopi__buffer_u32(snoopi__buffer *buffer, uint32_t value);
void snoopi__buffer_u64(snoopi__buffer *buffer, uint64_t value);

/** Puts a record: tag, length, payload. */
void snoopi__buffer_record(snoopi__buffer *buffer, uint64_t tag, const void *payload, size_t size);

/**
 * Grows the malloced array `items` to hold at least `needed` items of `size` bytes, by doubling. New items are not zeroed.
 *
 * @return the array, which may have moved, with `*capacity` set; NULL when memory is short, and then `items` is as it was.
 */
void *snoopi__grow(void *items, size_t *capacity, size_t needed, size_t size);

/** Reading of little-endian numbers at any address. Compilers make one load of each. */
static inline uint16_t snoopi__load_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t snoopi__load_u32(const unsigned char *at)
{
    return snoopi__load_u16(at) | (uint32_t)snoopi__load_u16(at + 2) << 16;
}

static inline uint64_t snoopi__load_u64(const unsigned char *at)
{
    return snoopi__load_u32(at) | (uint64_t)snoopi__load_u32(at + 4) << 32;
}

#endif
