// SPDX-License-Identifier: MIT
// A recording holds a lock on its folder, so that a second one can tell a folder that is in use from one that was left.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <snoopi/pack.h>

#include "parts.h"
#include "say.h"

#define SUFFIX ".parts"

enum { MOVED_MAX = 1000 };

static char *absolute(const char *file)
{
    char *path = NULL;
    if (*file == '/') {
        return strdup(file);
    }
    char *const folder = getcwd(NULL, 0);
    if (!folder || asprintf(&path, "%s/%s", folder, file) < 0) {
        path = NULL;
    }
    free(folder);
    return path;
}

char *cli_parts_folder(const char *file)
{
    char *folder = NULL;
    return asprintf(&folder, "%s" SUFFIX, file) < 0 ? NULL : folder;
}

static int open_locked(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        (void)close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

// Moves what an earlier recording left to the first free name.
static int move_aside(const char *path)
{
    const int fd = open_locked(path);
    if (fd < 0 && errno == EWOULDBLOCK) {
        return cli_fail("%s is in use by a recording that still runs; give another name with -o",
                        path);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    for (int i = 1; i < MOVED_MAX; i++) {
        char *moved = NULL;
        if (asprintf(&moved, "%s.%d", path, i) < 0) {
            break;
        }
        // The name is taken by making it; rename() then replaces the empty folder in one step.
        if (mkdir(moved, 0700) == 0) {
            const int status = rename(path, moved);
            const int reason = errno;
            if (status == 0) {
                cli_say(
                    "%s was left by an earlier recording; moved to %s (to save it: snoopi recover %s)",
                    path, moved, moved);
            } else {
                (void)rmdir(moved);
                cli_say("cannot move %s to %s: %s", path, moved, strerror(reason));
            }
            free(moved);
            return status;
        }
        free(moved);
        if (errno != EEXIST) {
            break;
        }
    }
    return cli_fail("cannot move %s aside: %s", path, strerror(errno));
}

int cli_parts_create(cli_parts *parts, const char *file)
{
    char *const whole = absolute(file);
    char *const path = whole ? cli_parts_folder(whole) : NULL;
    free(whole);
    *parts = CLI_PARTS_NONE;
    if (!path) {
        (void)cli_fail("out of memory");
        return -1;
    }

    int status = mkdir(path, 0700);
    if (status != 0 && errno == EEXIST) {
        if (move_aside(path) != 0) {
            free(path);
            return -1;
        }
        status = mkdir(path, 0700);
    }
    if (status != 0) {
        (void)cli_fail("cannot make the folder %s: %s", path, strerror(errno));
        free(path);
        return -1;
    }
    parts->path = path;
    parts->lock = open_locked(path);
    return 0;
}

bool cli_parts_is_empty(const cli_parts *parts)
{
    DIR *const dir = opendir(parts->path);
    bool is_empty = dir != NULL;
    if (dir) {
        for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
                is_empty = false;
            }
        }
        (void)closedir(dir);
    }
    return is_empty;
}

void cli_parts_remove(cli_parts *parts)
{
    DIR *const dir = opendir(parts->path);
    if (dir) {
        for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
            const char *const dot = strrchr(entry->d_name, '.');
            if (dot && strcmp(dot, ".seg") == 0) {
                (void)unlinkat(dirfd(dir), entry->d_name, 0);
            }
        }
        (void)closedir(dir);
    }
    if (rmdir(parts->path) != 0) {
        cli_say("%s stays: %s", parts->path, strerror(errno));
    }
}

void cli_parts_clear(cli_parts *parts)
{
    if (parts->lock >= 0) {
        (void)close(parts->lock);
    }
    free(parts->path);
    *parts = CLI_PARTS_NONE;
}

// "2 processes (pid 4711, 4712)"
static void describe_living(char *text, size_t size, int n, const uint32_t *pids, int n_pids)
{
    int used = snprintf(text, size, "%d process%s (pid", n, n == 1 ? "" : "es");
    for (int i = 0; i < n && i < n_pids; i++) {
        used += snprintf(text + used, size - (size_t)used, "%s %u", i > 0 ? "," : "",
                         (unsigned)pids[i]);
    }
    (void)snprintf(text + used, size - (size_t)used, n > n_pids ? ", …)" : ")");
}

void cli_parts_wait(const char *path, uint64_t limit_ns)
{
    enum { PIDS = 8, STEP_NS = 20000000, PATIENCE_NS = 500000000 };
    uint32_t pids[PIDS];
    char living[64 + 16 * PIDS];
    bool is_said = false;

    for (uint64_t waited = 0;; waited += STEP_NS) {
        const int n = snoopi_pack_living(path, pids, PIDS, NULL);
        if (n <= 0) {
            return;
        }
        describe_living(living, sizeof living, n, pids, PIDS);
        if (waited >= limit_ns) {
            cli_say("the command left julia running: %s; packing what is recorded so far", living);
            return;
        }
        if (waited >= PATIENCE_NS && !is_said) {
            cli_say("waiting for julia, which the command left running: %s", living);
            is_said = true;
        }
        const struct timespec step = {.tv_nsec = STEP_NS};
        (void)nanosleep(&step, NULL);
    }
}

char *cli_parts_file(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    const size_t suffix = sizeof SUFFIX - 1;
    if (length <= suffix || strncmp(folder + length - suffix, SUFFIX, suffix) != 0) {
        return NULL;
    }
    return strndup(folder, length - suffix);
}
