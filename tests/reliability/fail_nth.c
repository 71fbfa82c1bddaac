// SPDX-License-Identifier: MIT
// A library to preload: the n-th call to the system of one program fails, as on a full disk or with no descriptor left.
//
//     FAIL_PROGRAM=NAME   the program, by its short name, or
//     FAIL_CALLER=PART    the library that calls, by a part of its path, in any program
//     FAIL_NTH=N          the call that fails, from 1; none if it is 0
//     FAIL_HOW=fail       it fails with the error that is likely for it
//              short      it reads or writes half, if it reads or writes; the result is to be the same
//              memory     calls to malloc and its like are counted instead, and the n-th has none
//     FAIL_COUNT=FILE     gets a dot for each call
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The allocator behind the interposed functions; dlsym itself allocates.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long n_calls;

static bool is_word(const char *variable, const char *word)
{
    const char *const value = getenv(variable);
    return value && strcmp(value, word) == 0;
}

static bool is_counted(const void *caller)
{
    const char *const program = getenv("FAIL_PROGRAM");
    const char *const part = getenv("FAIL_CALLER");
    Dl_info info;
    if (program) {
        return strcmp(program, program_invocation_short_name) == 0;
    }
    return part && dladdr(caller, &info) != 0 && info.dli_fname && strstr(info.dli_fname, part);
}

// Counts a call; whether it is the one.
static bool is_nth(const void *caller)
{
    const char *const nth = getenv("FAIL_NTH");
    const char *const count = getenv("FAIL_COUNT");
    const int reason = errno;
    if (!nth || !is_counted(caller)) {
        errno = reason;
        return false;
    }
    if (count) {
        const int fd =
            (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)!syscall(SYS_write, fd, ".", 1);
        (void)syscall(SYS_close, fd);
    }
    errno = reason;
    return atomic_fetch_add(&n_calls, 1) + 1 == atol(nth);
}

static bool fails(const void *caller, int error)
{
    if (is_word("FAIL_HOW", "fail") && is_nth(caller)) {
        errno = error;
        return true;
    }
    return false;
}

static bool is_short(const void *caller, size_t size)
{
    return size > 1 && is_word("FAIL_HOW", "short") && is_nth(caller);
}

static bool lacks_memory(const void *caller)
{
    // Before the environment is set up there is nothing to be asked.
    if (environ && is_word("FAIL_HOW", "memory") && is_nth(caller)) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

#define CALLER __builtin_return_address(0)

// The next definition of a function, in the function that takes its place.
#define NEXT(name)                                 \
    static __typeof__(&name) next;                 \
    if (!next) {                                   \
        *(void **)&next = dlsym(RTLD_NEXT, #name); \
    }

#define WRAP(type, name, params, args, error, failed)     \
    type name params                                      \
    {                                                     \
        NEXT(name)                                        \
        return fails(CALLER, error) ? failed : next args; \
    }

static mode_t mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define WRAP_OPEN(name)                                              \
    int name(const char *path, int flags, ...)                       \
    {                                                                \
        NEXT(name)                                                   \
        va_list list;                                                \
        va_start(list, flags);                                       \
        const mode_t mode = mode_of(flags, list);                    \
        va_end(list);                                                \
        return fails(CALLER, EMFILE) ? -1 : next(path, flags, mode); \
    }

WRAP_OPEN(open)
WRAP_OPEN(open64)

WRAP(int, mkostemp, (char *name, int flags), (name, flags), EMFILE, -1)
WRAP(int, mkostemp64, (char *name, int flags), (name, flags), EMFILE, -1)
WRAP(char *, mkdtemp, (char *name), (name), EACCES, NULL)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), EACCES, -1)
WRAP(int, rmdir, (const char *path), (path), EACCES, -1)
WRAP(int, unlink, (const char *path), (path), EACCES, -1)
WRAP(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), EACCES, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), EACCES, -1)
WRAP(DIR *, opendir, (const char *path), (path), EMFILE, NULL)
WRAP(struct dirent *, readdir, (DIR * folder), (folder), EIO, NULL)
WRAP(int, flock, (int fd, int how), (fd, how), ENOLCK, -1)
WRAP(int, pipe2, (int fds[2], int flags), (fds, flags), EMFILE, -1)
WRAP(pid_t, fork, (void), (), EAGAIN, -1)
WRAP(int, fsync, (int fd), (fd), EIO, -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), ENOSPC, -1)
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size), ENOSPC, -1)
WRAP(int, fallocate, (int fd, int how, off_t at, off_t size), (fd, how, at, size), ENOSPC, -1)
WRAP(int, posix_fallocate, (int fd, off_t at, off_t size), (fd, at, size), ENOSPC, ENOSPC)
WRAP(off_t, lseek, (int fd, off_t at, int from), (fd, at, from), EIO, -1)
WRAP(char *, realpath, (const char *path, char *real), (path, real), EACCES, NULL)
WRAP(void *, mmap, (void *at, size_t size, int prot, int flags, int fd, off_t offset),
     (at, size, prot, flags, fd, offset), ENOMEM, MAP_FAILED)

// The descriptor is closed all the same, as Linux does.
int close(int fd)
{
    NEXT(close)
    const bool is_failed = fails(CALLER, EIO);
    const int status = next(fd);
    if (is_failed) {
        errno = EIO;
    }
    return is_failed ? -1 : status;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    NEXT(write)
    return fails(CALLER, ENOSPC) ? -1 : next(fd, bytes, is_short(CALLER, size) ? size / 2 : size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    NEXT(read)
    return fails(CALLER, EIO) ? -1 : next(fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    NEXT(pread)
    return fails(CALLER, EIO) ? -1 : next(fd, bytes, is_short(CALLER, size) ? size / 2 : size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    NEXT(pwrite)
    return fails(CALLER, ENOSPC) ? -1
                                 : next(fd, bytes, is_short(CALLER, size) ? size / 2 : size, at);
}

void *malloc(size_t size)
{
    return lacks_memory(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return lacks_memory(CALLER) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return lacks_memory(CALLER) ? NULL : __libc_realloc(old, size);
}
