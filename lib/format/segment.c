// SPDX-License-Identifier: MIT
// Reading of segments. See segment.h; the layout is format.md 2.
#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "tempfile.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "segments are copied as they are");

void snoopi__damage_note(snoopi__damage *damage, const char *format, ...)
{
    if (damage->count++ > 0) {
        return;
    }
    va_list args;
    va_start(args, format);
    if (vsnprintf(damage->text, sizeof damage->text, format, args) < 0) {
        damage->text[0] = '\0';
    }
    va_end(args);
}

// --- opening ---

static int check_file(snoopi__segment *segment, const char *path, snoopi_error *err)
{
    struct stat st;
    if (fstat(segment->fd, &st) < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    if (!S_ISREG(st.st_mode)) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: not a regular file", path);
    }
    if (st.st_size < WIRE_SEGMENT_HEADER_SIZE) {
        return snoopi__fail(err, SNOOPI_E_FORMAT,
                            "%s: not a segment: it has %lld bytes, the header alone has %d", path,
                            (long long)st.st_size, WIRE_SEGMENT_HEADER_SIZE);
    }
    segment->size = (size_t)st.st_size;
    return 0;
}

static int read_header(snoopi__segment *segment, const char *path, snoopi_error *err)
{
    struct wire_segment_header *head = &segment->head;
    const int64_t n = snoopi__read_at(segment->fd, head, sizeof *head, 0);
    if (n < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    if (n < (int64_t)sizeof *head ||
        memcmp(head->magic, WIRE_SEGMENT_MAGIC, sizeof head->magic) != 0) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: not a segment", path);
    }
    if (head->version > WIRE_SEGMENT_VERSION) {
        return snoopi__fail(err, SNOOPI_E_VERSION,
                            "%s: segment of format version %u; this snoopi reads up to %d", path,
                            head->version, WIRE_SEGMENT_VERSION);
    }
    if (head->version == 0) {
        return snoopi__fail(err, SNOOPI_E_FORMAT, "%s: segment of format version 0", path);
    }
    head->reason[sizeof head->reason - 1] = '\0';
    return 0;
}

static int compare_chunks(const void *left, const void *right)
{
    const snoopi__chunk *a = left;
    const snoopi__chunk *b = right;
    if (a->thread != b->thread) {
        return a->thread < b->thread ? -1 : 1;
    }
    if (a->sequence != b->sequence) {
        return a->sequence < b->sequence ? -1 : 1;
    }
    return a->offset < b->offset ? -1 : 1;
}

// The chunk at `offset`; false if there is none. Its `used` is read before the records that it vouches for.
static bool read_chunk(snoopi__segment *segment, size_t offset, snoopi__chunk *chunk, size_t *next)
{
    struct wire_chunk_header head;
    if (segment->size - offset < sizeof head) {
        return false;
    }
    if (snoopi__read_at(segment->fd, &head, sizeof head, offset) != (int64_t)sizeof head) {
        snoopi__damage_note(&segment->damage, "chunk at byte %zu: cannot be read", offset);
        return false;
    }
    if (memcmp(head.magic, WIRE_CHUNK_MAGIC, sizeof head.magic) != 0) {
        return false;
    }
    if (head.size < 4096 || head.size % 4096 != 0 || head.size > WIRE_CHUNK_MAX) {
        snoopi__damage_note(&segment->damage, "chunk at byte %zu: size %u", offset, head.size);
        return false;
    }
    const size_t in_file = segment->size - offset;
    const size_t whole = head.size < in_file ? head.size : in_file;
    const size_t room = whole - sizeof head;
    if (head.used > room) {
        snoopi__damage_note(
            &segment->damage,
            "chunk at byte %zu: says it has %llu bytes of records, there is room for %zu", offset,
            (unsigned long long)head.used, room);
    }
    *chunk = (snoopi__chunk){.thread = head.thread,
                             .sequence = head.sequence,
                             .base_ns = head.base_ns,
                             .offset = offset + sizeof head,
                             .size = head.used < room ? (size_t)head.used : room};
    *next = offset + whole;
    return true;
}

static void check_sequence(snoopi__segment *segment)
{
    for (size_t i = 0; i < segment->n_chunks; i++) {
        const snoopi__chunk *chunk = &segment->chunks[i];
        const bool is_first = i == 0 || chunk[-1].thread != chunk->thread;
        const uint32_t expected = is_first ? 0 : chunk[-1].sequence + 1;
        if (chunk->sequence != expected) {
            snoopi__damage_note(&segment->damage,
                                "chunk at byte %llu: number %u of thread %u, expected %u",
                                (unsigned long long)chunk->offset - WIRE_CHUNK_HEADER_SIZE,
                                chunk->sequence, chunk->thread, expected);
        }
    }
}

static int find_chunks(snoopi__segment *segment, snoopi_error *err)
{
    size_t capacity = 0;
    size_t offset = WIRE_SEGMENT_HEADER_SIZE;
    snoopi__chunk chunk;
    while (offset < segment->size && read_chunk(segment, offset, &chunk, &offset)) {
        snoopi__chunk *chunks = snoopi__grow(segment->chunks, &capacity, segment->n_chunks + 1,
                                             sizeof *segment->chunks);
        if (!chunks) {
            return snoopi__fail_nomem(err);
        }
        segment->chunks = chunks;
        chunks[segment->n_chunks++] = chunk;
    }
    if (segment->n_chunks > 0) {
        qsort(segment->chunks, segment->n_chunks, sizeof *segment->chunks, compare_chunks);
    }
    check_sequence(segment);
    return 0;
}

int snoopi__segment_open(snoopi__segment *segment, const char *path, snoopi_error *err)
{
    *segment = (snoopi__segment){0};
    segment->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO must not hang us
    if (segment->fd < 0) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    segment->is_open = true;
    int st = check_file(segment, path, err);
    if (st == 0) {
        st = read_header(segment, path, err);
    }
    if (st == 0) {
        st = find_chunks(segment, err);
    }
    if (st < 0) {
        snoopi__segment_close(segment);
    }
    return st;
}

void snoopi__segment_close(snoopi__segment *segment)
{
    if (segment->is_open) {
        (void)close(segment->fd);
    }
    free(segment->chunks);
    *segment = (snoopi__segment){0};
}

// --- records ---

size_t snoopi__thread_open(snoopi__thread *thread, const snoopi__segment *segment, size_t chunk,
                           snoopi__damage *damage)
{
    size_t end = chunk;
    while (end < segment->n_chunks &&
           segment->chunks[end].thread == segment->chunks[chunk].thread) {
        end++;
    }
    *thread = (snoopi__thread){.segment = segment,
                               .damage = damage,
                               .chunk = chunk,
                               .end_chunk = end,
                               .thread = segment->chunks[chunk].thread};
    return end;
}

void snoopi__thread_close(snoopi__thread *thread)
{
    free(thread->bytes);
    thread->bytes = NULL;
}

static void note(snoopi__thread *thread, uint64_t offset, const char *what)
{
    if (thread->damage) {
        snoopi__damage_note(thread->damage, "record at byte %llu: %s", (unsigned long long)offset,
                            what);
    }
}

// Enters the thread's next chunk. Time does not run backwards from one to the next, whatever base_ns says.
static bool enter_chunk(snoopi__thread *thread)
{
    if (thread->chunk == thread->end_chunk) {
        return false;
    }
    const snoopi__chunk *chunk = &thread->segment->chunks[thread->chunk];
    unsigned char *bytes =
        snoopi__grow(thread->bytes, &thread->capacity, chunk->size ? chunk->size : 1, 1);
    if (!bytes) {
        thread->has_failed = true;
        return false;
    }
    thread->bytes = bytes;
    thread->chunk++;
    const int64_t n = snoopi__read_at(thread->segment->fd, bytes, chunk->size, chunk->offset);
    if (n < (int64_t)chunk->size) {
        thread->is_short = true;
        note(thread, chunk->offset + (uint64_t)(n > 0 ? n : 0),
             n < 0 ? strerror(errno) : "the file was shortened while it was read");
    }
    thread->at = snoopi__cursor_of(bytes, n > 0 ? (size_t)n : 0);
    if (chunk->base_ns > thread->time_ns) {
        thread->time_ns = chunk->base_ns;
    }
    return true;
}

static void decode_args(snoopi__event *event, snoopi__cursor *at)
{
    event->n_args = snoopi__get_varint32(at);
    if (event->n_args > WIRE_ARGS_MAX) {
        at->is_bad = true;
        return;
    }
    event->args = *at;
    for (uint32_t i = 0; i < event->n_args; i++) {
        (void)snoopi__get_varint32(at);
        (void)snoopi__get_varint32(at);
    }
}

static void decode_stack(snoopi__event *event, snoopi__cursor *at)
{
    event->n_args = snoopi__get_varint32(at);
    if (event->n_args > WIRE_STACK_MAX) {
        at->is_bad = true;
        return;
    }
    event->args = *at;
    for (uint32_t i = 0; i < event->n_args; i++) {
        (void)snoopi__get_varint32(at);
    }
    event->flags = (uint32_t)snoopi__get_varint(at);
}

// The fields behind dt and tool, or all of TASK and LINE.
static void decode_fields(snoopi__event *event, snoopi__cursor *at)
{
    switch (event->record.tag) {
    case WIRE_BEGIN:
        event->value = snoopi__get_varint32(at);
        event->flags = (uint32_t)snoopi__get_varint(at);
        if (event->flags & WIRE_FLAG_ARGS) {
            decode_args(event, at);
        }
        break;
    case WIRE_END: event->flags = (uint32_t)snoopi__get_varint(at); break;
    case WIRE_ABORT:
    case WIRE_RUN:
    case WIRE_GC: event->value = snoopi__get_varint(at); break;
    case WIRE_MARK:
    case WIRE_TASK: event->value = snoopi__get_varint32(at); break;
    case WIRE_LINE:
        event->value = snoopi__get_varint32(at);
        event->flags = snoopi__get_varint32(at);
        break;
    case WIRE_STACK: decode_stack(event, at); break;
    case WIRE_INVALIDATED:
        event->flags = snoopi__get_varint32(at);
        event->value = snoopi__get_varint(at);
        break;
    default: break; // CLOSE
    }
}

// Decodes the fields of the event that `event->record` is; false if it is damaged.
static bool decode_event(snoopi__thread *thread, snoopi__event *event)
{
    snoopi__cursor at = snoopi__record_fields(&event->record);
    uint64_t time_ns = thread->time_ns;
    if (snoopi__has_time(event->record.tag)) {
        if (__builtin_add_overflow(time_ns, snoopi__get_varint(&at), &time_ns)) {
            return false;
        }
        event->tool_ns = snoopi__get_varint(&at);
    }
    decode_fields(event, &at);
    if (at.is_bad) {
        return false;
    }
    thread->time_ns = time_ns;
    return true;
}

// Where in the file the next record is.
static uint64_t offset_of(const snoopi__thread *thread)
{
    return thread->bytes ? thread->segment->chunks[thread->chunk - 1].offset +
                               (uint64_t)(thread->at.at - thread->bytes)
                         : 0;
}

bool snoopi__thread_next(snoopi__thread *thread, snoopi__event *event)
{
    for (;;) {
        *event = (snoopi__event){.time_ns = thread->time_ns, .offset = offset_of(thread)};
        const unsigned char *begin = thread->at.at;
        if (!snoopi__next_record(&thread->at, &event->record)) {
            if (thread->at.is_bad) {
                note(thread, event->offset, "it does not end within its chunk");
            }
            if (!enter_chunk(thread)) {
                return false;
            }
            continue;
        }
        event->bytes = (size_t)(thread->at.at - begin);
        const bool is_written = event->record.tag != 0;
        if (is_written && (!snoopi__is_event(event->record.tag) || decode_event(thread, event))) {
            event->time_ns = thread->time_ns;
            return true;
        }
        // The times behind it hang on it, so that the rest of this chunk is lost.
        note(thread, event->offset, is_written ? "malformed event" : "nothing was written here");
        thread->at = snoopi__cursor_of(thread->bytes, 0);
    }
}
