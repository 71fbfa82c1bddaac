// SPDX-License-Identifier: MIT
#include "peek.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

bool peek(uintptr_t address, void *to, size_t size)
{
    const struct iovec here = {.iov_base = to, .iov_len = size};
    const struct iovec there = {.iov_base = (void *)address, .iov_len = size};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size) {
        return true;
    }
    /* Sandboxes forbid that one; the other needs a descriptor, and the host may have none left. */
    const int fd = errno == EFAULT ? -1 : open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && pread(fd, to, size, (off_t)address) == (ssize_t)size;
    if (fd >= 0) {
        (void)close(fd);
    }
    return ok;
}
