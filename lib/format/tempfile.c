// SPDX-License-Identifier: MIT
// Unnamed temporary files; writing and reading that does not stop short. See tempfile.h.
#include "tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"

int snoopi__tempfile_open(const char *dir, snoopi_error *err)
{
    if (!dir) {
        const char *tmpdir = getenv("TMPDIR");
        dir = tmpdir && *tmpdir ? tmpdir : "/tmp";
    }
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        return fd;
    }
    // Not every file system can do that.
    char *name = NULL;
    if (asprintf(&name, "%s/snoopi-XXXXXX", dir) < 0) {
        return snoopi__fail_nomem(err);
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) {
        (void)unlink(name);
    } else {
        fd = snoopi__fail(err, SNOOPI_E_IO, "%s: no temporary file: %s", dir, strerror(errno));
    }
    free(name);
    return fd;
}

int snoopi__write_all(int fd, const void *bytes, size_t size, const char *name, snoopi_error *err)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n < 0 ? errno : ENOSPC;
            return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", name, strerror(errno));
        }
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

int64_t snoopi__read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    char *at = bytes;
    size_t done = 0;
    while (done < size) {
        const ssize_t n = pread(fd, at + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        if (n == 0) {
            break;
        }
        done += (size_t)n;
    }
    return (int64_t)done;
}
