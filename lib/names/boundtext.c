// SPDX-License-Identifier: MIT
// See boundtext.h. Room for the ellipsis and the NUL is always kept behind the last byte.
#include "boundtext.h"

#include <stdlib.h>
#include <string.h>

enum { ELLIPSIS_SIZE = sizeof SNOOPI__ELLIPSIS - 1, TAIL_SIZE = ELLIPSIS_SIZE + 1 };

void snoopi__text_clear(snoopi__text *text)
{
    free(text->data);
    *text = (snoopi__text){.limit = text->limit};
}

void snoopi__text_reset(snoopi__text *text)
{
    text->size = 0;
    text->is_cut = false;
    text->has_failed = false;
    if (text->data) {
        text->data[0] = '\0';
    }
}

static bool make_room(snoopi__text *text, size_t size)
{
    if (size <= text->capacity) {
        return true;
    }
    size_t wanted = text->capacity ? text->capacity * 2 : 128;
    if (wanted < size) {
        wanted = size;
    }
    char *grown = realloc(text->data, wanted);
    if (!grown) {
        text->has_failed = true;
        return false;
    }
    text->data = grown;
    text->capacity = wanted;
    return true;
}

// Where the character that holds byte `at` begins, if it is one of UTF-8; else `at`.
static size_t character_start(const char *data, size_t at)
{
    size_t start = at;
    while (start > 0 && at - start < 3 && ((unsigned char)data[start] & 0xc0) == 0x80) {
        start--;
    }
    return ((unsigned char)data[start] & 0xc0) == 0xc0 ? start : at;
}

static void put_ellipsis(snoopi__text *text)
{
    if (text->limit < ELLIPSIS_SIZE) {
        text->size = 0;
    } else {
        memcpy(text->data + text->size, SNOOPI__ELLIPSIS, ELLIPSIS_SIZE);
        text->size += ELLIPSIS_SIZE;
    }
    text->data[text->size] = '\0';
    text->is_cut = true;
}

void snoopi__text_put(snoopi__text *text, const char *bytes, size_t size)
{
    if (snoopi__text_is_over(text)) {
        return;
    }
    const bool is_too_much = size > text->limit - text->size;
    const size_t taken = is_too_much ? text->limit - text->size : size;
    if (!make_room(text, text->size + taken + TAIL_SIZE)) {
        return;
    }
    memcpy(text->data + text->size, bytes, taken);
    text->size += taken;
    text->data[text->size] = '\0';
    if (is_too_much) {
        const size_t end = text->limit < ELLIPSIS_SIZE ? 0 : text->limit - ELLIPSIS_SIZE;
        text->size = end < text->size ? character_start(text->data, end) : text->size;
        put_ellipsis(text);
    }
}

void snoopi__text_cut(snoopi__text *text)
{
    if (snoopi__text_is_over(text) || !make_room(text, text->size + TAIL_SIZE)) {
        return;
    }
    if (text->limit < ELLIPSIS_SIZE || text->size > text->limit - ELLIPSIS_SIZE) {
        const size_t end = text->limit < ELLIPSIS_SIZE ? 0 : text->limit - ELLIPSIS_SIZE;
        text->data[text->size] = '\0';
        text->size = character_start(text->data, end);
    }
    put_ellipsis(text);
}

void snoopi__text_puts(snoopi__text *text, const char *string)
{
    snoopi__text_put(text, string, strlen(string));
}

void snoopi__text_putc(snoopi__text *text, char byte)
{
    snoopi__text_put(text, &byte, 1);
}

void snoopi__text_unsigned(snoopi__text *text, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    snoopi__text_put(text, digits + at, sizeof digits - at);
}

void snoopi__text_signed(snoopi__text *text, int64_t value)
{
    if (value < 0) {
        snoopi__text_putc(text, '-');
    }
    snoopi__text_unsigned(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
