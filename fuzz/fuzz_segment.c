// SPDX-License-Identifier: MIT
// Any bytes as a segment: what comes of them is a sound trace, or an error.
#include <unistd.h>

#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    const int fd = fuzz_file(data, size, path);
    fuzz_open(path, size >= 8 && data[0] == 'S' && data[1] == 'N' && data[2] == 'P');
    (void)close(fd);
    return 0;
}
