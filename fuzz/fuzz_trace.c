// SPDX-License-Identifier: MIT
// Any bytes as a trace. Checksums keep most of what a fuzzer makes outside; fuzz_pages.c goes behind them.
#include <unistd.h>

#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    const int fd = fuzz_file(data, size, path);
    fuzz_open(path, false);
    (void)close(fd);
    return 0;
}
