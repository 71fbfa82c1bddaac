// SPDX-License-Identifier: MIT
#include "gzipstream.h"

#include <assert.h>
#include <limits.h>

enum { GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8 }; // the greatest window, as gzip and not as zlib

bool snoopi__gzip_begin(snoopi__gzip *gzip, FILE *out)
{
    gzip->out = out;
    gzip->z = (z_stream){0};
    return deflateInit2(&gzip->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

static void run(snoopi__gzip *gzip, int flush)
{
    int status;
    do {
        gzip->z.next_out = gzip->block;
        gzip->z.avail_out = sizeof gzip->block;
        status = deflate(&gzip->z, flush);
        assert(status != Z_STREAM_ERROR);
        (void)fwrite(gzip->block, 1, sizeof gzip->block - gzip->z.avail_out, gzip->out);
    } while (gzip->z.avail_out == 0 && status == Z_OK);
}

void snoopi__gzip_put(snoopi__gzip *gzip, const void *bytes, size_t size)
{
    gzip->z.next_in = bytes;
    while (size > 0) {
        const uInt n = size < UINT_MAX ? (uInt)size : UINT_MAX;
        gzip->z.avail_in = n;
        run(gzip, Z_NO_FLUSH);
        size -= n;
    }
}

void snoopi__gzip_end(snoopi__gzip *gzip, bool is_whole)
{
    if (is_whole) {
        run(gzip, Z_FINISH);
    }
    (void)deflateEnd(&gzip->z);
}
