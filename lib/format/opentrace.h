// SPDX-License-Identifier: MIT
#ifndef SNOOPI_OPENTRACE_H
#define SNOOPI_OPENTRACE_H

/**
 * @file
 * The inside of an open trace, for the files of this layer that read it.
 *
 * Memory: definitions and processes are kept, frames are not. Pages that are kept have at most 8 MiB + 256 times their
 * stored size, and what is decoded of them takes at most 16 times that. A walk has one page at a time, at most 32 MiB and twice
 * what is stored of it, and 8 bytes for each level of depth, at most 8 MiB.
 */
#include <stdbool.h>
#include <stdint.h>

#include "handle.h"
#include "wire.h"

#define SNOOPI__KEPT_FREE  ((uint64_t)8 << 20)
#define SNOOPI__KEPT_RATIO 256

/** Where the frames of a process are, and what else only this layer wants to know of it. */
typedef struct {
    uint64_t offset;      /* of the first page that may be a FRAMES page of it */
    uint64_t first_frame; /* number of its first frame in the trace */
    uint32_t state;       /* of its segment */
    uint32_t n_instances; /* slots of these kinds once its definitions were read */
    uint32_t n_nodes;
} snoopi__place;

struct snoopi_trace {
    int fd;
    char *path;
    uint64_t end; /* of the last page that is good, as far as known */
    snoopi__arena arena;
    snoopi__defs defs;
    snoopi_recording recording;
    snoopi_process *processes;
    snoopi__place *places; /* by process */
    size_t n_processes;
    size_t processes_capacity;
    size_t places_capacity;
    snoopi_mark *marks;
    size_t n_marks;
    size_t marks_capacity;
    snoopi_invalidated *invalidated;
    size_t n_invalidated;
    size_t invalidated_capacity;
    const snoopi_code **codes; /* by id; NULL until one is asked for */
    char damage[240];          /* empty: none is known */
    void *names;
    void (*clear_names)(void *names);
};

/** Tells the damage; what was told first stays. Pages from `offset` on are not read any more. */
__attribute__((format(printf, 3, 4))) void snoopi__trace_damaged(snoopi_trace *trace,
                                                                 uint64_t offset,
                                                                 const char *format, ...);

#endif
