// SPDX-License-Identifier: MIT
// replay_NAME PATH…: runs a fuzz target on files, or on all files of folders. What a fuzzer found once is tested ever after,
// with any compiler.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz_input.h"

static int run_file(const char *path, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);
    FILE *file = fopen(path, "rb");
    const bool is_read = data && file && fread(data, 1, size, file) == size;
    if (file) {
        (void)fclose(file);
    }
    if (!is_read) {
        perror(path);
    } else {
        fprintf(stderr, "%s\n", path); // before it runs: it may be what the program ends with
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return is_read ? 1 : -1;
}

// Returns how many files were run, or −1.
static int run_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0) {
        perror(path);
        return -1;
    }
    if (!S_ISDIR(st.st_mode)) {
        return run_file(path, (size_t)st.st_size);
    }
    DIR *folder = opendir(path);
    int n = 0;
    const struct dirent *entry;
    while (folder && n >= 0 && (entry = readdir(folder))) {
        char name[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        const int more = run_path(name);
        n = more < 0 ? more : n + more;
    }
    if (folder) {
        (void)closedir(folder);
    }
    return folder ? n : -1;
}

int main(int argc, char **argv)
{
    int n = 0;
    for (int i = 1; i < argc && n >= 0; i++) {
        const int more = run_path(argv[i]);
        n = more < 0 ? more : n + more;
    }
    if (n <= 0) {
        fprintf(stderr, "%s: nothing was run\n", argv[0]);
        return 1;
    }
    printf("%d inputs\n", n);
    return 0;
}
