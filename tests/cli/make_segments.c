// SPDX-License-Identifier: MIT
// Segments for tests of the command line: make_segments FOLDER SCRIPT…, a process for each script (see scripttrace.h).
#include <stdio.h>
#include <sys/stat.h>

#include "tests/unit/tree/scripttrace.h"

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: make_segments FOLDER SCRIPT…\n");
        return 2;
    }
    (void)mkdir(argv[1], 0700);
    for (int i = 2; i < argc; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%d.seg", argv[1], i - 2);
        script_write(path, (unsigned)(i - 2), argv[i]);
    }
    return 0;
}
