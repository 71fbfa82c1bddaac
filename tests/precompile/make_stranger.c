// SPDX-License-Identifier: MIT
// make_stranger SEED FILE: writes a segment of tests/unit/precompile/stranger.h.
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/precompile/stranger.h"

int main(int argc, char **argv)
{
    segbuilder b;
    if (argc != 3) {
        (void)fprintf(stderr, "usage: make_stranger SEED FILE\n");
        return 2;
    }
    stranger_segment(&b, strtoull(argv[1], NULL, 10));
    sb_write(&b, argv[2]);
    sb_clear(&b);
    return 0;
}
