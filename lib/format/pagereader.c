// SPDX-License-Identifier: MIT
// Reading and checking of pages. See pagereader.h.
#include "pagereader.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define XXH_INLINE_ALL // no symbol of a library that the host may have too
#include <xxhash.h>

#include "base/buffer.h"
#include "tempfile.h"
#include "wire.h"

void snoopi__pagereader_clear(snoopi__pagereader *reader)
{
    (void)ZSTD_freeDCtx(reader->zstd);
    free(reader->stored);
    free(reader->raw);
    *reader = (snoopi__pagereader){0};
}

int snoopi__pagehead_read(snoopi__pagehead *head, int fd, uint64_t offset, uint64_t end,
                          const char **why)
{
    unsigned char bytes[WIRE_PAGE_HEADER_SIZE];
    *why = "the file ends within the head of a page";
    if (end - offset < sizeof bytes) {
        return SNOOPI_E_FORMAT;
    }
    const int64_t n = snoopi__read_at(fd, bytes, sizeof bytes, offset);
    if (n < 0) {
        return SNOOPI_E_IO;
    }
    if (n < (int64_t)sizeof bytes) {
        return SNOOPI_E_FORMAT;
    }
    head->kind = snoopi__load_u16(bytes + 4);
    head->stored_size = snoopi__load_u32(bytes + 8);
    head->raw_size = snoopi__load_u32(bytes + 12);
    head->checksum = snoopi__load_u64(bytes + 16);
    if (memcmp(bytes, WIRE_PAGE_MAGIC, 4) != 0 || snoopi__load_u16(bytes + 6) != 0) {
        *why = "no page begins here";
    } else if (head->raw_size > WIRE_PAGE_RAW_MAX ||
               head->stored_size > ZSTD_compressBound(WIRE_PAGE_RAW_MAX)) {
        *why = "a page that is too large";
    } else if (head->stored_size > end - offset - sizeof bytes) {
        *why = "the file ends within a page";
    } else {
        return 0;
    }
    return SNOOPI_E_FORMAT;
}

static int make_room(snoopi__pagereader *reader, const snoopi__pagehead *head)
{
    if (!reader->zstd) {
        reader->zstd = ZSTD_createDCtx();
    }
    unsigned char *stored =
        snoopi__grow(reader->stored, &reader->stored_capacity, head->stored_size, 1);
    reader->stored = stored ? stored : reader->stored;
    unsigned char *raw = snoopi__grow(reader->raw, &reader->raw_capacity,
                                      (size_t)head->raw_size + SNOOPI__PAGE_SLACK, 1);
    reader->raw = raw ? raw : reader->raw;
    return reader->zstd && stored && raw ? 0 : SNOOPI_E_NOMEM;
}

int snoopi__pagereader_read(snoopi__pagereader *reader, int fd, uint64_t offset,
                            const snoopi__pagehead *head, const char **why)
{
    if (make_room(reader, head) < 0) {
        return SNOOPI_E_NOMEM;
    }
    const int64_t n =
        snoopi__read_at(fd, reader->stored, head->stored_size, offset + WIRE_PAGE_HEADER_SIZE);
    if (n < 0) {
        return SNOOPI_E_IO;
    }
    if (n < (int64_t)head->stored_size) {
        *why = "the file ends within a page";
        return SNOOPI_E_FORMAT;
    }
    if (XXH3_64bits(reader->stored, head->stored_size) != head->checksum) {
        *why = "the checksum of a page is wrong";
        return SNOOPI_E_FORMAT;
    }
    const size_t size = ZSTD_decompressDCtx(reader->zstd, reader->raw, head->raw_size,
                                            reader->stored, head->stored_size);
    if (ZSTD_isError(size) || size != head->raw_size) {
        *why = "a page that does not decompress";
        return SNOOPI_E_FORMAT;
    }
    memset(reader->raw + size, 0, SNOOPI__PAGE_SLACK);
    reader->size = size;
    return 0;
}
