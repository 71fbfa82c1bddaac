// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SEGBUILDER_H
#define SNOOPI_SEGBUILDER_H

/**
 * @file
 * Builds segments by hand, as docs/format.md 2 describes them: what tests pack. It checks nothing, so that it can also
 * build what is wrong.
 */
#include "base/buffer.h"
#include "format/wire.h"
#include "snoopi/trace.h"

enum { SB_CHUNKS_MAX = 16 };

typedef struct {
    struct wire_chunk_header head;
    snoopi__buffer records;
} sb_chunk;

typedef struct {
    struct wire_segment_header head;
    sb_chunk chunks[SB_CHUNKS_MAX];
    size_t n_chunks;
} segbuilder;

/** A segment of pid 100, begun at 1000 ns, recording, with no chunk. */
void sb_init(segbuilder *b);
void sb_clear(segbuilder *b);

/** Begins a chunk; records go there from now on. */
void sb_chunk_begin(segbuilder *b, uint32_t thread, uint32_t sequence, uint64_t base_ns);

void sb_record(segbuilder *b, uint64_t tag, const void *payload, size_t size);

/** A record of varints. */
void sb_numbers(segbuilder *b, uint64_t tag, size_t n, const uint64_t *numbers);
#define SB_REC(b, tag, ...)                                                  \
    sb_numbers(b, tag, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
               (const uint64_t[]){__VA_ARGS__})

void sb_string(segbuilder *b, uint64_t id, const char *text);
void sb_info(segbuilder *b, const char *key, const void *value, size_t size);

/** The same as SB_REC, with the names of format.md 2.3. */
void sb_begin(segbuilder *b, uint64_t dt, uint64_t tool, uint64_t instance);
void sb_begin_args(segbuilder *b, uint64_t dt, uint64_t tool, uint64_t instance, uint64_t position,
                   uint64_t node);
void sb_end(segbuilder *b, uint64_t dt, uint64_t tool);
void sb_task(segbuilder *b, uint64_t task);

/**
 * The definitions that most tests use: module Main; file "sample.jl"; instances 1 to 4 of methods f, g, h and
 * of the generator `gen`; instance 5 is a thunk. Nodes 1 to 3 are Int64, Tuple{Int64} and the Int64 value 7.
 */
void sb_definitions(segbuilder *b);

/** The segment's bytes. */
void sb_bytes(const segbuilder *b, snoopi__buffer *out);

/** Writes bytes to a file; fails the test if it can't. */
void sb_write_file(const char *path, const void *bytes, size_t size);
void sb_write(const segbuilder *b, const char *path);

#endif
