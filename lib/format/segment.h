// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SEGMENT_H
#define SNOOPI_SEGMENT_H

/**
 * @file
 * A segment, read (format.md 2). The file may be the live one of a running process: what was whole when it was opened is
 * read, what comes later is not. Nothing in it is trusted; what cannot be read is noted and stepped over.
 *
 * It is read, not mapped: a file that somebody shortens meanwhile is damage here, and would be SIGBUS there. Memory: a chunk for each
 * thread that is open.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/varint.h"
#include "record.h"
#include "snoopi/error.h"
#include "wire.h"

/** What could not be read: the first finding in words, and how many there were. */
typedef struct {
    char text[200];
    uint64_t count;
} snoopi__damage;

__attribute__((format(printf, 2, 3))) void snoopi__damage_note(snoopi__damage *damage,
                                                               const char *format, ...);

typedef struct {
    uint32_t thread;
    uint32_t sequence;
    uint64_t base_ns;
    uint64_t offset; /* of the first record in the file */
    size_t size;     /* bytes of records, within the chunk and the file */
} snoopi__chunk;

typedef struct {
    int fd; /* valid while is_open */
    bool is_open;
    size_t size; /* of the file */
    struct wire_segment_header head;
    snoopi__chunk *chunks; /* by thread, then by sequence */
    size_t n_chunks;
    snoopi__damage damage;
} snoopi__segment;

/**
 * Opens a segment, and finds its chunks.
 *
 * @return 0, SNOOPI_E_IO, SNOOPI_E_NOMEM, SNOOPI_E_VERSION, or SNOOPI_E_FORMAT for what is no segment.
 */
int snoopi__segment_open(snoopi__segment *segment, const char *path, snoopi_error *err);

/** Closes it. A zero-initialized one is allowed. */
void snoopi__segment_close(snoopi__segment *segment);

/** A record that the agent wrote, the fields of an event decoded (format.md 2.3). */
typedef struct {
    snoopi__record record;
    uint64_t time_ns; /* of the event, or of the one before */
    uint64_t tool_ns; /* 0 for TASK and LINE */
    uint64_t value;   /* instance | n | task | duration_ns | string | file */
    uint32_t flags;   /* BEGIN, END, STACK; of LINE the line */
    uint32_t n_args;  /* BEGIN; of STACK its codes */
    snoopi__cursor args;
    size_t bytes;    /* of the record, tag and length included */
    uint64_t offset; /* of the record in the file */
} snoopi__event;

/** A position in the records of one thread. */
typedef struct {
    const snoopi__segment *segment;
    snoopi__damage *damage; /* where to note what can't be read; NULL: it was noted before */
    size_t chunk;           /* the next one */
    bool has_failed;        /* memory was short: it ended before its last record */
    bool is_short;          /* the file had less than when the segment was opened */
    size_t end_chunk;
    uint32_t thread;
    uint64_t time_ns;
    unsigned char *bytes; /* records of the chunk before `chunk` */
    size_t capacity;
    snoopi__cursor at; /* in `bytes` */
} snoopi__thread;

/**
 * Starts at the first record of the thread that `chunk` is the first of; returns the first chunk of the next thread. To be closed
 * also when no record is taken.
 */
size_t snoopi__thread_open(snoopi__thread *thread, const snoopi__segment *segment, size_t chunk,
                           snoopi__damage *damage);

/** Steps to the next record of any kind; false at the end. What the event points to is valid until the next step. */
bool snoopi__thread_next(snoopi__thread *thread, snoopi__event *event);

void snoopi__thread_close(snoopi__thread *thread);

/** Whether the tag is that of an event. */
static inline bool snoopi__is_event(uint64_t tag)
{
    return tag >= WIRE_BEGIN && tag <= WIRE_INVALIDATED;
}

/** Of an event that says something of those that follow it in its thread: false. */
static inline bool snoopi__has_time(uint64_t tag)
{
    return tag != WIRE_TASK && tag != WIRE_LINE && tag != WIRE_INVALIDATED;
}

#endif
