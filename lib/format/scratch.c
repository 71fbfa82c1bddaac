// SPDX-License-Identifier: MIT
// A growing mapping. See scratch.h.
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "tempfile.h"

#define CAPACITY_FIRST ((size_t)1 << 20)
#define ANONYMOUS_MAX  ((size_t)64 << 20)

void snoopi__scratch_init(snoopi__scratch *scratch, const char *dir)
{
    *scratch = (snoopi__scratch){.size = SNOOPI__SCRATCH_FIRST, .fd = -1, .dir = dir};
}

void snoopi__scratch_clear(snoopi__scratch *scratch)
{
    if (scratch->base) {
        (void)munmap(scratch->base, scratch->capacity);
    }
    if (scratch->fd >= 0) {
        (void)close(scratch->fd);
    }
    snoopi__scratch_init(scratch, scratch->dir);
}

void snoopi__scratch_reset(snoopi__scratch *scratch)
{
    scratch->size = SNOOPI__SCRATCH_FIRST;
}

static int fail(snoopi_error *err, int number)
{
    errno = number;
    return snoopi__fail(err, SNOOPI_E_IO, "memory for open frames: %s", strerror(number));
}

// Makes the file as large as it will be mapped. Blocks are allocated now: a full disk must be an error, not SIGBUS.
static int grow_file(snoopi__scratch *scratch, size_t capacity, snoopi_error *err)
{
    if (scratch->fd < 0) {
        const int fd = snoopi__tempfile_open(scratch->dir, err);
        if (fd < 0) {
            return fd;
        }
        scratch->fd = fd;
    }
    const int failed = posix_fallocate(scratch->fd, 0, (off_t)capacity);
    return failed ? fail(err, failed) : 0;
}

static void *map(int fd, size_t size)
{
    const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
}

static int grow(snoopi__scratch *scratch, size_t capacity, snoopi_error *err)
{
    const int old_fd = scratch->fd;
    if (capacity > ANONYMOUS_MAX) {
        const int st = grow_file(scratch, capacity, err);
        if (st < 0) {
            return st;
        }
    }
    void *base;
    if (scratch->base && scratch->fd == old_fd) {
        base = mremap(scratch->base, scratch->capacity, capacity, MREMAP_MAYMOVE);
    } else {
        base = map(scratch->fd, capacity);
        if (base != MAP_FAILED && scratch->base) {
            memcpy(base, scratch->base, scratch->size);
            (void)munmap(scratch->base, scratch->capacity);
        }
    }
    if (base == MAP_FAILED) {
        return fail(err, errno);
    }
    scratch->base = base;
    scratch->capacity = capacity;
    return 0;
}

size_t snoopi__scratch_alloc(snoopi__scratch *scratch, size_t size, snoopi_error *err)
{
    const size_t offset = scratch->size;
    const size_t end = offset + ((size + 7) & ~(size_t)7);
    if (end > scratch->capacity) {
        size_t capacity = scratch->capacity ? scratch->capacity * 2 : CAPACITY_FIRST;
        while (capacity < end) {
            capacity *= 2;
        }
        if (grow(scratch, capacity, err) < 0) {
            return 0;
        }
    }
    scratch->size = end;
    return offset;
}
