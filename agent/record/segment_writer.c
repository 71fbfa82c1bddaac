// SPDX-License-Identifier: MIT
//
// The segment file: header and chunks, mapped shared, so that what was stored outlives even
// SIGKILL.

#include "record/segment_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "lock.h"

enum {
    FIRST_CHUNK = 64 << 10,
    CHUNK_DOUBLINGS = 4, /* up to 1 MiB */
    ASK_AGAIN_NS = 100000000,
    PAGE = 4096,
    ADVICE_POPULATE_WRITE = 23 /* MADV_POPULATE_WRITE, which older headers lack */
};

static struct {
    struct wire_segment_header *header;
    uint64_t file_size;
    uint64_t full_until_ns; /* no room was had; asking again costs too much to do at each record */
    /* The chunk that was made last, and where the file ends with it: before file_size says so. */
    struct wire_chunk_header *newest;
    uint64_t newest_end;
    char path[4096 + 64];
} segment;

struct wire_segment_header *segment_header(void)
{
    return segment.header;
}

const char *segment_path(void)
{
    return segment.path;
}

/* fallocate, for a host whose timers send signals: some file systems give up at one. */
static bool take_space(int fd, uint64_t offset, uint64_t size)
{
    int tries = 1000;
    while (fallocate(fd, 0, (off_t)offset, (off_t)size) != 0) {
        if (errno != EINTR || --tries == 0) {
            return false;
        }
    }
    return true;
}

/* Backs [offset, offset + size) of the file with disk space; false with errno when that can't
 * be promised. */
static bool allocate_range(int fd, uint64_t offset, uint64_t size)
{
    struct rlimit limit;
    static const uint8_t zeros[PAGE];

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        offset + size > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
    if (take_space(fd, offset, size)) {
        return true;
    }
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    /* No promise to be had from this file system: write the bytes, which takes the space. */
    for (uint64_t done = 0; done < size; done += PAGE) {
        ssize_t written = 0;
        do {
            written = pwrite(fd, zeros, PAGE, (off_t)(offset + done));
        } while (written < 0 && errno == EINTR);
        if (written != PAGE) {
            return false;
        }
    }
    return true;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map_range(int fd, uint64_t offset, uint64_t size)
{
    if (!allocate_range(fd, offset, size)) {
        return NULL;
    }
    /* Where pages are larger than what the format aligns to, from the begin of the page on. */
    const uint64_t before = offset % page_size();
    uint8_t *const page =
        mmap(NULL, size + before, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(offset - before));
    if (page == MAP_FAILED) {
        return NULL;
    }
    uint8_t *const at = page + before;
    /* The pages are made ready all at once, which costs a third of a fault for each (Linux 5.14; before, each faults). */
    (void)madvise(page, size + before, ADVICE_POPULATE_WRITE);
    return at;
}

static void unmap_range(void *at, uint64_t size)
{
    const uintptr_t before = (uintptr_t)at % page_size();
    (void)munmap((uint8_t *)at - before, size + before);
}

static char *put_text(char *at, const char *text)
{
    const size_t n = strlen(text);
    memcpy(at, text, n);
    return at + n;
}

static char *put_hex(char *at, uint64_t value)
{
    for (int shift = 60; shift >= 0; shift -= 4) {
        *at++ = "0123456789abcdef"[(value >> shift) & 15];
    }
    return at;
}

static char *put_decimal(char *at, uint32_t value)
{
    char digits[10];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (n > 0) {
        *at++ = digits[--n];
    }
    return at;
}

/* DIR/PID-RANDOM.seg. stdio is not used: it may allocate. */
static void make_path(const char *dir)
{
    uint64_t random = 0;
    if (syscall(SYS_getrandom, &random, sizeof random, 1 /* do not wait */) !=
        (long)sizeof random) {
        random = agent_now() * 0x9e3779b97f4a7c15u;
    }
    char *at = put_text(segment.path, dir);
    *at++ = '/';
    at = put_decimal(at, (uint32_t)getpid());
    *at++ = '-';
    at = put_hex(at, random);
    at = put_text(at, ".seg");
    *at = '\0';
}

static void tell(char *reason, size_t size, const char *what, int error)
{
    const char *why = error == ENOSPC   ? "no space left on the device"
                      : error == EFBIG  ? "the file size limit is reached"
                      : error == EMFILE ? "no file descriptor left"
                      : error == ENOENT ? "the folder is gone"
                      : error == EACCES ? "permission denied"
                      : error == EROFS  ? "the file system is read-only"
                      : error == ENOMEM ? "out of memory"
                                        : "input/output error";
    size_t n = strlen(what);
    if (n + strlen(why) + 3 > size) {
        return;
    }
    memcpy(reason, what, n);
    memcpy(reason + n, ": ", 2);
    memcpy(reason + n + 2, why, strlen(why) + 1);
}

bool segment_create(const char *dir, uint64_t begin_ns, char *reason, size_t reason_size)
{
    int fd = -1;
    bool ok = false;

    make_path(dir);
    fd = open(segment.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        tell(reason, reason_size, "the segment could not be created", errno);
        return false;
    }
    struct wire_segment_header *const header = map_range(fd, 0, WIRE_SEGMENT_HEADER_SIZE);
    if (header == NULL) {
        tell(reason, reason_size, "the segment could not be mapped", errno);
    } else {
        struct timespec real;
        header->version = WIRE_SEGMENT_VERSION;
        header->state = WIRE_STATE_OPENED;
        header->pid = (uint32_t)getpid();
        header->ppid = (uint32_t)getppid();
        header->begin_ns = begin_ns;
        (void)clock_gettime(CLOCK_REALTIME, &real);
        header->begin_real_ns =
            (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec - (agent_now() - begin_ns);
        memcpy(header->magic, WIRE_SEGMENT_MAGIC, 8); /* last: without it the file is no segment */
        segment.header = header;
        segment.file_size = WIRE_SEGMENT_HEADER_SIZE;
        segment.newest_end = 0;
        ok = true;
    }
    (void)close(fd);
    return ok;
}

static bool last_append_counts(const struct segment_writer *writer)
{
    return writer->chunk != NULL && writer->chunk->used == writer->next_used;
}

uint64_t segment_last_ns(const struct segment_writer *writer)
{
    return last_append_counts(writer) ? writer->next_ns : writer->last_ns;
}

static uint64_t last_attempt(const struct segment_writer *writer)
{
    return last_append_counts(writer) ? writer->next_attempt : writer->last_attempt;
}

uint64_t segment_attempt(struct segment_writer *writer)
{
    if (writer->attempts != last_attempt(writer)) {
        writer->failed[writer->n_failed % FAILED_ATTEMPTS] = writer->attempts;
        writer->n_failed++;
    }
    return ++writer->attempts;
}

bool segment_was_written(const struct segment_writer *writer, uint64_t attempt)
{
    if (attempt == 0 || attempt > last_attempt(writer)) {
        return false;
    }
    for (uint32_t i = 0; i < FAILED_ATTEMPTS; i++) {
        if (writer->failed[i] == attempt) {
            return false;
        }
    }
    return true;
}

/* A chunk is there for readers as soon as it has its magic; all else about it may be made up for
 * later. */
static bool is_published(const struct wire_chunk_header *chunk)
{
    return memcmp(chunk->magic, WIRE_CHUNK_MAGIC, sizeof chunk->magic) == 0;
}

static void publish(struct wire_chunk_header *chunk)
{
    uint32_t magic;
    memcpy(&magic, WIRE_CHUNK_MAGIC, sizeof magic);
    __atomic_store_n((uint32_t *)(void *)chunk->magic, magic, __ATOMIC_RELEASE);
}

/* Has `writer` go on in `chunk`. */
static void move_to(struct segment_writer *writer, struct wire_chunk_header *chunk)
{
    struct wire_chunk_header *const old = writer->chunk;
    const uint64_t last_ns = segment_last_ns(writer);
    const uint64_t attempt = last_attempt(writer);

    chunk->base_ns = last_ns;
    writer->last_ns = last_ns;
    writer->last_attempt = attempt;
    atomic_signal_fence(memory_order_seq_cst);
    writer->next_used = UINT64_MAX;
    atomic_signal_fence(memory_order_seq_cst);
    writer->chunk = chunk;
    if (old != NULL) {
        unmap_range(old, old->size);
    }
}

/* Gives `writer` a new chunk with room for `need` bytes of records, or the one that a jump kept it
 * from moving to, whatever room that has. */
RARELY static bool next_chunk(struct segment_writer *writer, size_t need)
{
    const uint32_t sequence = writer->chunk == NULL ? 0 : writer->chunk->sequence + 1;
    uint64_t size = (uint64_t)FIRST_CHUNK
                    << (sequence < CHUNK_DOUBLINGS ? sequence : CHUNK_DOUBLINGS);
    struct wire_chunk_header *chunk = NULL;

    if (segment.header == NULL ||
        (segment.full_until_ns != 0 && agent_now() < segment.full_until_ns)) {
        return false;
    }
    if (size < need + WIRE_CHUNK_HEADER_SIZE) {
        size = (need + WIRE_CHUNK_HEADER_SIZE + PAGE - 1) / PAGE * PAGE;
    }
    agent_lock_take(LOCK_SEGMENT, writer->os_tid);
    if (segment.newest_end > segment.file_size && is_published(segment.newest)) {
        segment.file_size = segment.newest_end;
    }
    if (writer->made != NULL && writer->made != writer->chunk && is_published(writer->made)) {
        chunk = writer->made;
    } else {
        const int fd = open(segment.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0) {
            chunk = map_range(fd, segment.file_size, size);
            (void)close(fd);
        }
        if (chunk != NULL) {
            chunk->size = (uint32_t)size;
            chunk->thread = writer->thread;
            chunk->sequence = sequence;
            chunk->base_ns = segment_last_ns(writer);
            chunk->os_tid = writer->os_tid;
            writer->made = chunk;
            segment.newest = chunk;
            atomic_signal_fence(memory_order_seq_cst);
            segment.newest_end = segment.file_size + size;
            atomic_signal_fence(memory_order_seq_cst);
            publish(chunk);
            atomic_signal_fence(memory_order_seq_cst);
            segment.file_size = segment.newest_end;
        }
    }
    if (chunk != NULL) {
        move_to(writer, chunk);
    }
    agent_lock_release(LOCK_SEGMENT);
    return chunk != NULL;
}

static size_t varint_size(uint64_t value)
{
    size_t n = 1;
    while (value >= 0x80) {
        value >>= 7;
        n++;
    }
    return n;
}

static bool is_frame_event(uint32_t tag)
{
    return tag == WIRE_BEGIN || tag == WIRE_END || tag == WIRE_ABORT;
}

bool segment_append(struct segment_writer *writer, uint32_t tag, const uint8_t *payload,
                    size_t size, uint64_t time_ns)
{
    const size_t need = varint_size(tag) + varint_size(size) + size;

    while (writer->chunk == NULL ||
           writer->chunk->size - WIRE_CHUNK_HEADER_SIZE - writer->chunk->used < need) {
        if (!next_chunk(writer, need)) {
            return false;
        }
    }
    struct wire_chunk_header *const chunk = writer->chunk;
    uint8_t *at = (uint8_t *)chunk + WIRE_CHUNK_HEADER_SIZE + chunk->used;
    at = put_varint(at, tag);
    at = put_varint(at, size);
    (void)put_bytes(at, payload, size);

    const uint64_t last_ns = segment_last_ns(writer);
    const uint64_t attempt = last_attempt(writer);
    writer->last_ns = last_ns;
    writer->last_attempt = attempt;
    atomic_signal_fence(memory_order_seq_cst);
    writer->next_used = UINT64_MAX; /* next_* are not to be believed while they change */
    atomic_signal_fence(memory_order_seq_cst);
    writer->next_ns = time_ns == 0 ? last_ns : time_ns;
    writer->next_attempt = is_frame_event(tag) ? writer->attempts : attempt;
    atomic_signal_fence(memory_order_seq_cst);
    writer->next_used = chunk->used + need;
    atomic_signal_fence(memory_order_seq_cst);
    __atomic_store_n(&chunk->used, chunk->used + need, __ATOMIC_RELEASE);
    return true;
}
