// SPDX-License-Identifier: MIT
// Deflate goes through a small window into base64, which works on groups of three bytes: what is left of a window waits for
// the next.
#include "packedtext.h"

#include <limits.h>
#include <string.h>
#define ZLIB_CONST // next_in points to const
#include <zlib.h>

enum { WINDOW_SIZE = 3 << 12 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(FILE *out, const unsigned char *bytes, size_t n)
{
    const unsigned group = (unsigned)bytes[0] << 16 | (n > 1 ? (unsigned)bytes[1] << 8 : 0) |
                           (n > 2 ? (unsigned)bytes[2] : 0);
    (void)putc_unlocked(digits[group >> 18], out);
    (void)putc_unlocked(digits[group >> 12 & 63], out);
    (void)putc_unlocked(n > 1 ? digits[group >> 6 & 63] : '=', out);
    (void)putc_unlocked(n > 2 ? digits[group & 63] : '=', out);
}

// Writes the whole groups of `n` bytes, and moves the rest to the front. Returns how many these are.
static size_t put_groups(FILE *out, unsigned char *bytes, size_t n)
{
    size_t at = 0;
    for (; at + 3 <= n; at += 3) {
        put_group(out, bytes + at, 3);
    }
    memmove(bytes, bytes + at, n - at);
    return n - at;
}

bool snoopi__put_packed_text(FILE *out, const void *data, size_t size)
{
    unsigned char window[WINDOW_SIZE];
    size_t waiting = 0;
    z_stream z = {0};
    int status = Z_OK;

    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return false;
    }
    z.next_in = data;
    while (status != Z_STREAM_END) {
        if (z.avail_in == 0 && size > 0) {
            z.avail_in = size < UINT_MAX ? (uInt)size : UINT_MAX;
            size -= z.avail_in;
        }
        z.next_out = window + waiting;
        z.avail_out = (uInt)(sizeof window - waiting);
        status = deflate(&z, size == 0 ? Z_FINISH : Z_NO_FLUSH);
        waiting = put_groups(out, window, sizeof window - z.avail_out);
    }
    if (waiting > 0) {
        put_group(out, window, waiting);
    }
    (void)deflateEnd(&z);
    return true;
}
