// SPDX-License-Identifier: MIT
// Growing buffers and little-endian numbers. See buffer.h.
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "varint.h"

enum { CAPACITY_MIN = 16 };

void *snoopi__grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    size_t wanted = *capacity < CAPACITY_MIN ? CAPACITY_MIN : *capacity;
    while (wanted < needed) {
        if (__builtin_mul_overflow(wanted, 2, &wanted)) {
            return NULL;
        }
    }
    if (items && wanted == *capacity) {
        return items;
    }
    size_t bytes;
    if (__builtin_mul_overflow(wanted, size, &bytes)) {
        return NULL;
    }
    void *grown = realloc(items, bytes);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}

void snoopi__buffer_clear(snoopi__buffer *buffer)
{
    free(buffer->data);
    *buffer = (snoopi__buffer){0};
}

bool snoopi__buffer_reserve(snoopi__buffer *buffer, size_t more)
{
    if (more <= buffer->capacity - buffer->size) {
        return true;
    }
    size_t needed;
    unsigned char *data = NULL;
    if (!__builtin_add_overflow(buffer->size, more, &needed)) {
        data = snoopi__grow(buffer->data, &buffer->capacity, needed, 1);
    }
    if (!data) {
        buffer->has_failed = true;
        return false;
    }
    buffer->data = data;
    return true;
}

void snoopi__buffer_put(snoopi__buffer *buffer, const void *bytes, size_t size)
{
    if (size > 0 && snoopi__buffer_reserve(buffer, size)) {
        memcpy(buffer->data + buffer->size, bytes, size);
        buffer->size += size;
    }
}

void snoopi__buffer_varint(snoopi__buffer *buffer, uint64_t value)
{
    if (snoopi__buffer_reserve(buffer, SNOOPI__VARINT_MAX)) {
        unsigned char *end = snoopi__put_varint(buffer->data + buffer->size, value);
        buffer->size = (size_t)(end - buffer->data);
    }
}

static void put_little_endian(snoopi__buffer *buffer, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    snoopi__buffer_put(buffer, bytes, size);
}

void snoopi__buffer_u16(snoopi__buffer *buffer, uint16_t value)
{
    put_little_endian(buffer, value, 2);
}

void snoopi__buffer_u32(snoopi__buffer *buffer, uint32_t value)
{
    put_little_endian(buffer, value, 4);
}

void snoopi__buffer_u64(snoopi__buffer *buffer, uint64_t value)
{
    put_little_endian(buffer, value, 8);
}

void snoopi__buffer_record(snoopi__buffer *buffer, uint64_t tag, const void *payload, size_t size)
{
    snoopi__buffer_varint(buffer, tag);
    snoopi__buffer_varint(buffer, size);
    snoopi__buffer_put(buffer, payload, size);
}
