// SPDX-License-Identifier: MIT
// Writing of traces, page by page. See pagewriter.h; the layout is format.md 3.
#include "pagewriter.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL // no symbol of a library that the host may have too
#include <xxhash.h>

#include "base/fail.h"
#include "tempfile.h"
#include "wire.h"

enum { ZSTD_LEVEL = 3, COPY_SIZE = 1 << 18, NAME_TRIES = 100 };

static const char *name_of(const snoopi__pagewriter *writer)
{
    return writer->temp_path ? writer->temp_path : "temporary trace";
}

// --- opening ---

static int split_path(snoopi__pagewriter *writer, const char *path)
{
    const char *slash = strrchr(path, '/');
    writer->path = strdup(path);
    if (!slash) {
        writer->dir = strdup(".");
    } else {
        writer->dir = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    }
    return writer->path && writer->dir ? 0 : SNOOPI_E_NOMEM;
}

// Renaming over a device would replace it: as root, /dev/null itself.
static int check_target(const char *path, snoopi_error *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        errno = EEXIST;
        return snoopi__fail(err, SNOOPI_E_IO, "%s: exists and is not a regular file", path);
    }
    return 0;
}

static int open_named(snoopi__pagewriter *writer, snoopi_error *err)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        free(writer->temp_path);
        writer->temp_path = NULL;
        if (asprintf(&writer->temp_path, "%s.tmp-%d-%d", writer->path, (int)getpid(), i) < 0) {
            writer->temp_path = NULL;
            return snoopi__fail_nomem(err);
        }
        writer->fd = open(writer->temp_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (writer->fd >= 0 || errno != EEXIST) {
            break;
        }
    }
    if (writer->fd < 0) {
        const int st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", writer->temp_path, strerror(errno));
        free(writer->temp_path); // not ours to remove
        writer->temp_path = NULL;
        return st;
    }
    return 0;
}

static int open_files(snoopi__pagewriter *writer, const char *path, snoopi_error *err)
{
    int st = 0;
    if (path) {
        if (split_path(writer, path) < 0) {
            return snoopi__fail_nomem(err);
        }
        st = check_target(path, err);
        if (st == 0) {
            st = open_named(writer, err);
        }
    } else {
        st = snoopi__tempfile_open(NULL, err);
        writer->fd = st;
    }
    if (st < 0) {
        return st;
    }
    writer->spool_fd = snoopi__tempfile_open(writer->dir, err);
    return writer->spool_fd < 0 ? writer->spool_fd : 0;
}

static int write_header(snoopi__pagewriter *writer, snoopi_error *err)
{
    snoopi__buffer head = {0};
    snoopi__buffer_put(&head, WIRE_TRACE_MAGIC, sizeof WIRE_TRACE_MAGIC - 1);
    snoopi__buffer_u32(&head, WIRE_TRACE_VERSION);
    snoopi__buffer_u32(&head, 0);
    int st = 0;
    if (head.has_failed) {
        st = snoopi__fail_nomem(err);
    } else {
        st = snoopi__write_all(writer->fd, head.data, head.size, name_of(writer), err);
        writer->bytes = head.size;
    }
    snoopi__buffer_clear(&head);
    return st;
}

int snoopi__pagewriter_open(snoopi__pagewriter *writer, const char *path, snoopi_error *err)
{
    *writer = (snoopi__pagewriter){.fd = -1, .spool_fd = -1};
    writer->zstd = ZSTD_createCCtx();
    int st = writer->zstd ? 0 : snoopi__fail_nomem(err);
    if (st == 0) {
        st = open_files(writer, path, err);
    }
    if (st == 0) {
        st = write_header(writer, err);
    }
    if (st < 0) {
        snoopi__pagewriter_close(writer);
    }
    return st;
}

void snoopi__pagewriter_close(snoopi__pagewriter *writer)
{
    if (writer->fd >= 0) {
        (void)close(writer->fd);
    }
    if (writer->spool_fd >= 0) {
        (void)close(writer->spool_fd);
    }
    if (writer->temp_path) {
        (void)unlink(writer->temp_path);
    }
    free(writer->temp_path);
    free(writer->path);
    free(writer->dir);
    (void)ZSTD_freeCCtx(writer->zstd);
    snoopi__buffer_clear(&writer->stored);
    *writer = (snoopi__pagewriter){.fd = -1, .spool_fd = -1};
}

// --- pages ---

// Makes the whole page, header and stored bytes, in writer->stored.
static int make_page(snoopi__pagewriter *writer, uint16_t kind, const snoopi__buffer *raw,
                     snoopi_error *err)
{
    snoopi__buffer *page = &writer->stored;
    const size_t bound = ZSTD_compressBound(raw->size);
    page->size = 0;
    if (!snoopi__buffer_reserve(page, WIRE_PAGE_HEADER_SIZE + bound)) {
        return snoopi__fail_nomem(err);
    }
    unsigned char *stored = page->data + WIRE_PAGE_HEADER_SIZE;
    const size_t size =
        ZSTD_compressCCtx(writer->zstd, stored, bound, raw->data, raw->size, ZSTD_LEVEL);
    if (ZSTD_isError(size)) {
        return snoopi__fail(err, SNOOPI_E_NOMEM, "zstd: %s", ZSTD_getErrorName(size));
    }
    snoopi__buffer_put(page, WIRE_PAGE_MAGIC, 4);
    snoopi__buffer_u16(page, kind);
    snoopi__buffer_u16(page, 0);
    snoopi__buffer_u32(page, (uint32_t)size);
    snoopi__buffer_u32(page, (uint32_t)raw->size);
    snoopi__buffer_u64(page, XXH3_64bits(stored, size));
    page->size += size;
    return 0;
}

int snoopi__pagewriter_page(snoopi__pagewriter *writer, uint16_t kind, snoopi__buffer *raw,
                            snoopi_error *err)
{
    if (raw->has_failed) {
        return snoopi__fail_nomem(err);
    }
    assert(raw->size <= WIRE_PAGE_RAW_MAX);
    int st = make_page(writer, kind, raw, err);
    if (st < 0) {
        return st;
    }
    const snoopi__buffer *page = &writer->stored;
    if (kind == WIRE_PAGE_FRAMES) {
        st = snoopi__write_all(writer->spool_fd, page->data, page->size, name_of(writer), err);
        writer->spool_bytes += page->size;
    } else {
        st = snoopi__write_all(writer->fd, page->data, page->size, name_of(writer), err);
        writer->bytes += page->size;
    }
    raw->size = 0;
    return st;
}

static int copy_spool(snoopi__pagewriter *writer, unsigned char *bytes, snoopi_error *err)
{
    uint64_t offset = 0;
    while (offset < writer->spool_bytes) {
        const uint64_t left = writer->spool_bytes - offset;
        const size_t size = left < COPY_SIZE ? (size_t)left : COPY_SIZE;
        if (snoopi__read_at(writer->spool_fd, bytes, size, offset) != (int64_t)size) {
            return snoopi__fail(err, SNOOPI_E_IO, "%s: reading frames back: %s", name_of(writer),
                                strerror(errno));
        }
        const int st = snoopi__write_all(writer->fd, bytes, size, name_of(writer), err);
        if (st < 0) {
            return st;
        }
        offset += size;
    }
    return 0;
}

int snoopi__pagewriter_unspool(snoopi__pagewriter *writer, snoopi_error *err)
{
    unsigned char *bytes = malloc(COPY_SIZE);
    if (!bytes) {
        return snoopi__fail_nomem(err);
    }
    const int st = copy_spool(writer, bytes, err);
    free(bytes);
    if (st < 0) {
        return st;
    }
    writer->bytes += writer->spool_bytes;
    writer->spool_bytes = 0;
    if (ftruncate(writer->spool_fd, 0) < 0 || lseek(writer->spool_fd, 0, SEEK_SET) < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", name_of(writer), strerror(errno));
    }
    return 0;
}

// --- finishing ---

// Moves the trace to its name. The old one keeps a name at every moment.
static int move_into_place(snoopi__pagewriter *writer, snoopi_error *err)
{
    char *old = NULL;
    if (asprintf(&old, "%s.old", writer->path) < 0) {
        return snoopi__fail_nomem(err);
    }
    int st = check_target(old, err);
    if (st == 0 && rename(writer->path, old) < 0 && errno != ENOENT) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: cannot become %s: %s", writer->path, old,
                          strerror(errno));
    }
    if (st == 0 && rename(writer->temp_path, writer->path) < 0) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", writer->path, strerror(errno));
    }
    free(old);
    if (st < 0) {
        return st;
    }
    free(writer->temp_path);
    writer->temp_path = NULL;
    // That the rename reaches the disk too is good to have, not more: some file systems can't.
    const int dir = open(writer->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0) {
        (void)fsync(dir);
        (void)close(dir);
    }
    return 0;
}

int snoopi__pagewriter_finish(snoopi__pagewriter *writer, snoopi_error *err)
{
    if (!writer->path) {
        return 0;
    }
    // EINVAL, EROFS: a file system that can't sync.
    if (fsync(writer->fd) < 0 && errno != EINVAL && errno != EROFS) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", name_of(writer), strerror(errno));
    }
    const int fd = writer->fd;
    writer->fd = -1;
    if (close(fd) < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", name_of(writer), strerror(errno));
    }
    return move_into_place(writer, err);
}
