// SPDX-License-Identifier: MIT
// Any bytes as contents of pages, which are compressed and given their checksums here.
//
// Input: kind (1 byte), size (3 bytes, little-endian), that many bytes; again and again.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/pagewriter.h"
#include "format/wire.h"
#include "fuzz_input.h"

static int write_pages(snoopi__pagewriter *writer, const uint8_t *data, size_t size)
{
    int st = 0;
    while (size >= 4 && st == 0) {
        const uint16_t kind = data[0];
        size_t length = data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
        data += 4;
        size -= 4;
        length = length < size ? length : size;
        snoopi__buffer page = {0};
        snoopi__buffer_put(&page, data, length);
        st = snoopi__pagewriter_page(writer, kind, &page, NULL);
        if (st == 0 && kind == WIRE_PAGE_FRAMES) {
            st = snoopi__pagewriter_unspool(writer, NULL);
        }
        snoopi__buffer_clear(&page);
        data += length;
        size -= length;
    }
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snoopi__pagewriter writer;
    if (snoopi__pagewriter_open(&writer, NULL, NULL) < 0 || write_pages(&writer, data, size) < 0) {
        abort();
    }
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", writer.fd);
    fuzz_open(path, false);
    snoopi__pagewriter_close(&writer);
    return 0;
}
