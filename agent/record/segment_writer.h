// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_SEGMENT_WRITER_H
#define SNOOPI_AGENT_SEGMENT_WRITER_H

/**
 * @file The segment file of this process (docs/format.md 2). The descriptor is not kept between
 * calls: the host may close every one that it does not know. A chunk is allocated on disk before
 * it is mapped, so that a full disk is an error here and not a SIGBUS in the host, and the file
 * never grows past RLIMIT_FSIZE.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/wire.h"

enum { FAILED_ATTEMPTS = 32 };

/**
 * One writer of records: a thread of the host. What was written is told by one word alone, `used`
 * of its chunk, so a jump out of an append leaves either the whole record or nothing. The time of
 * the last event follows that word: `next_ns` holds once `used` has become `next_used`, else
 * `last_ns` does.
 */
struct segment_writer {
    struct wire_chunk_header *chunk; /* NULL before the first record */
    struct wire_chunk_header *made;  /* the last one that was made for it */
    uint64_t last_ns;
    uint64_t next_ns;
    uint64_t next_used;
    uint64_t last_attempt; /* of the last frame event that was written, in the same way */
    uint64_t next_attempt;
    uint64_t attempts; /* of writing a frame event, so far */
    uint32_t thread;   /* number of the writer, from 0 */
    uint32_t os_tid;
    uint32_t n_failed;
    uint64_t failed[FAILED_ATTEMPTS];
};

/**
 * Creates the file in `dir` and maps its header. False on failure, with the reason in `reason` (at
 * most 255 bytes).
 */
bool segment_create(const char *dir, uint64_t begin_ns, char *reason, size_t reason_size);

/** The mapped header; NULL before segment_create(). Writable for as long as the process lives. */
struct wire_segment_header *segment_header(void);

/** Where it is. */
const char *segment_path(void);

/** Time of the last event that was written; the dt of the next one counts from it. */
uint64_t segment_last_ns(const struct segment_writer *writer);

/**
 * Numbers the attempt, from 1, to write a frame event (BEGIN, END, ABORT). The next one that is appended has this
 * number, unless another attempt is begun before.
 */
uint64_t segment_attempt(struct segment_writer *writer);

/**
 * Whether the frame event of that number was written. Of those that were not, the last
 * FAILED_ATTEMPTS are known.
 */
bool segment_was_written(const struct segment_writer *writer, uint64_t attempt);

/**
 * Appends one record. Whole or not at all. `time_ns` becomes the time of the last event; 0 leaves
 * it as it is. False when there is no room on disk; the caller counts the loss.
 */
bool segment_append(struct segment_writer *writer, uint32_t tag, const uint8_t *payload,
                    size_t size, uint64_t time_ns);

/** Puts `value` at `at` as a varint (at most 10 bytes) and returns the position behind it. */
static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/** Puts `size` bytes at `at` and returns the position behind them. Few, so they are copied here: libc's code for it would have to be fetched. */
static inline uint8_t *put_bytes(uint8_t *at, const uint8_t *bytes, size_t size)
{
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        memcpy(at, &word, sizeof word);
        at += sizeof word;
        bytes += sizeof word;
    }
    for (; size > 0; size--) {
        *at++ = *bytes++;
    }
    return at;
}

/** The same with zigzag. */
static inline uint8_t *put_svarint(uint8_t *at, int64_t value)
{
    return put_varint(at, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

#endif
