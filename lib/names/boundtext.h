// SPDX-License-Identifier: MIT
#ifndef SNOOPI_BOUNDTEXT_H
#define SNOOPI_BOUNDTEXT_H

/**
 * @file
 * A growing text with an upper bound. Names of types can double with each level of nesting, so all that prints them writes
 * here: at the bound the text is cut between two characters and ends with "…", and nothing that follows changes it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** "…" */
#define SNOOPI__ELLIPSIS "\xe2\x80\xa6"

/** Zero-initialize it, and set `limit`. */
typedef struct {
    char *data; /* NUL-terminated once something was put; may hold NULs inside */
    size_t size;
    size_t capacity;
    size_t limit;    /* most bytes, the ellipsis included */
    bool is_cut;     /* the ellipsis is there */
    bool has_failed; /* memory was short: the text is not whole */
} snoopi__text;

/** Frees the bytes; the text is empty then, and usable. */
void snoopi__text_clear(snoopi__text *text);

/** Makes the text empty, and keeps its memory. */
void snoopi__text_reset(snoopi__text *text);

void snoopi__text_put(snoopi__text *text, const char *bytes, size_t size);
void snoopi__text_puts(snoopi__text *text, const char *string);
void snoopi__text_putc(snoopi__text *text, char byte);
void snoopi__text_unsigned(snoopi__text *text, uint64_t value);
void snoopi__text_signed(snoopi__text *text, int64_t value);

/** Ends the text here with an ellipsis, as if the bound were met. */
void snoopi__text_cut(snoopi__text *text);

/** Whether nothing that is put can change the text any more. */
static inline bool snoopi__text_is_over(const snoopi__text *text)
{
    return text->is_cut || text->has_failed;
}

#endif
