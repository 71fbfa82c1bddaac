// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PACKEDTEXT_H
#define SNOOPI_PACKEDTEXT_H

/**
 * @file
 * Bytes as text that is safe inside of HTML: raw deflate (RFC 1951), then base64. A browser unpacks it with atob() and
 * DecompressionStream('deflate-raw').
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * Writes `size` bytes at `data` to `out`. Equal bytes give equal text.
 *
 * @return false when memory is short. Errors of the stream stay in it.
 */
bool snoopi__put_packed_text(FILE *out, const void *data, size_t size);

#endif
