// SPDX-License-Identifier: MIT
#ifndef SNOOPI_GZIPSTREAM_H
#define SNOOPI_GZIPSTREAM_H

/**
 * @file
 * A gzip file (RFC 1952) written to a stream, without a time in it: equal bytes in, equal bytes out.
 */
#include <stdbool.h>
#include <stdio.h>
#define ZLIB_CONST
#include <zlib.h>

typedef struct {
    FILE *out; /* borrowed; its errors stay in it */
    z_stream z;
    unsigned char block[16384];
} snoopi__gzip;

/** False when memory is short; else it is to be ended. */
bool snoopi__gzip_begin(snoopi__gzip *gzip, FILE *out);
void snoopi__gzip_put(snoopi__gzip *gzip, const void *bytes, size_t size);

/** Writes what is left, if `is_whole`, and frees. */
void snoopi__gzip_end(snoopi__gzip *gzip, bool is_whole);

#endif
