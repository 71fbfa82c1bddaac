// SPDX-License-Identifier: MIT
// Any bytes as contents of pages, which are compressed and given their checksums here (fuzz_input.h).
#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snoopi__pagewriter writer;
    char path[32];
    fuzz_pages(&writer, data, size, path);
    fuzz_open(path, false);
    snoopi__pagewriter_close(&writer);
    return 0;
}
