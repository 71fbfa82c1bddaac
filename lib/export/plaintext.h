// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PLAINTEXT_H
#define SNOOPI_PLAINTEXT_H

/**
 * @file
 * Text that may be any bytes, as the formats that are picky about text take it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buffer.h"

/** A name to show: thunks have no method's name, and readers make "unknown" of an empty one, or fail. */
static inline const char *snoopi__shown_name(const char *name)
{
    return name && *name ? name : "toplevel";
}

/** Whether the character of this length is a control character (C0, DEL, C1), which terminals act on. */
bool snoopi__is_control(const char *text, size_t length);

/** Puts text as UTF-8: what is none becomes U+FFFD. */
void snoopi__put_utf8(snoopi__buffer *buffer, const char *text);

/**
 * Writes text as content of XML, or as an attribute's value in double quotes: escaped, and what XML has no characters for (control
 * characters, bytes that are not UTF-8) becomes U+FFFD.
 */
void snoopi__put_xml(FILE *out, const char *text);

/** The same of at most `size` bytes. */
void snoopi__put_xml_n(FILE *out, const char *text, size_t size);

#endif
