// SPDX-License-Identifier: MIT
// Stands for a program of another machine: runs in QEMU the file beside it that has its name with ".aarch64" behind. Linked
// statically, since the agent for that machine is preloaded where it is started, and is none for the loader of this one.
//
// ROOT: the folder that has the program's libraries.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".aarch64"

int main(int argc, char **argv)
{
    char path[PATH_MAX + sizeof SUFFIX];
    const char *const before[] = {"qemu-aarch64-static", "-L", ROOT, "-0", argv[0], path};
    enum { BEFORE = sizeof before / sizeof before[0] };
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    char **const arguments = calloc((size_t)argc + BEFORE, sizeof *arguments);

    if (n < 0 || !arguments) {
        perror(argv[0]);
        return 126;
    }
    memcpy(path + n, SUFFIX, sizeof SUFFIX);
    memcpy(arguments, before, sizeof before);
    memcpy(arguments + BEFORE, argv + 1, (size_t)argc * sizeof *argv); // its NULL with them
    (void)execvp(before[0], arguments);
    perror(before[0]);
    return 127;
}
