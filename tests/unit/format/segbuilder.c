// SPDX-License-Identifier: MIT
// Segments by hand. See segbuilder.h.
#include "tests/unit/format/segbuilder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/varint.h"

static void must(bool is_so, const char *what)
{
    if (!is_so) {
        perror(what);
        abort();
    }
}

void sb_init(segbuilder *b)
{
    memset(b, 0, sizeof *b);
    memcpy(b->head.magic, WIRE_SEGMENT_MAGIC, sizeof b->head.magic);
    b->head.version = WIRE_SEGMENT_VERSION;
    b->head.state = WIRE_STATE_RECORDING;
    b->head.pid = 100;
    b->head.begin_ns = 1000;
    b->head.hook = WIRE_HOOK_NATIVE;
}

void sb_clear(segbuilder *b)
{
    for (size_t i = 0; i < b->n_chunks; i++) {
        snoopi__buffer_clear(&b->chunks[i].records);
    }
    b->n_chunks = 0;
}

void sb_chunk_begin(segbuilder *b, uint32_t thread, uint32_t sequence, uint64_t base_ns)
{
    must(b->n_chunks < SB_CHUNKS_MAX, "too many chunks");
    sb_chunk *chunk = &b->chunks[b->n_chunks++];
    memcpy(chunk->head.magic, WIRE_CHUNK_MAGIC, sizeof chunk->head.magic);
    chunk->head.thread = thread;
    chunk->head.sequence = sequence;
    chunk->head.base_ns = base_ns;
}

void sb_record(segbuilder *b, uint64_t tag, const void *payload, size_t size)
{
    must(b->n_chunks > 0, "no chunk");
    snoopi__buffer_record(&b->chunks[b->n_chunks - 1].records, tag, payload, size);
}

void sb_numbers(segbuilder *b, uint64_t tag, size_t n, const uint64_t *numbers)
{
    snoopi__buffer payload = {0};
    for (size_t i = 0; i < n; i++) {
        snoopi__buffer_varint(&payload, numbers[i]);
    }
    sb_record(b, tag, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
}

void sb_string(segbuilder *b, uint64_t id, const char *text)
{
    snoopi__buffer payload = {0};
    snoopi__buffer_varint(&payload, id);
    snoopi__buffer_put(&payload, text, strlen(text));
    sb_record(b, WIRE_STRING, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
}

void sb_info(segbuilder *b, const char *key, const void *value, size_t size)
{
    snoopi__buffer payload = {0};
    snoopi__buffer_varint(&payload, strlen(key));
    snoopi__buffer_put(&payload, key, strlen(key));
    snoopi__buffer_put(&payload, value, size);
    sb_record(b, WIRE_INFO, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
}

void sb_begin(segbuilder *b, uint64_t dt, uint64_t tool, uint64_t instance)
{
    SB_REC(b, WIRE_BEGIN, dt, tool, instance, 0);
}

void sb_begin_args(segbuilder *b, uint64_t dt, uint64_t tool, uint64_t instance, uint64_t position,
                   uint64_t node)
{
    SB_REC(b, WIRE_BEGIN, dt, tool, instance, WIRE_FLAG_ARGS | SNOOPI_FRAME_CONSTPROP, 1, position,
           node);
}

void sb_end(segbuilder *b, uint64_t dt, uint64_t tool)
{
    SB_REC(b, WIRE_END, dt, tool, 0);
}

void sb_task(segbuilder *b, uint64_t task)
{
    SB_REC(b, WIRE_TASK, task);
}

void sb_definitions(segbuilder *b)
{
    static const char *const names[] = {"Main", "sample.jl", "Int64", "Tuple",
                                        "f",    "g",         "h",     "gen"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sb_string(b, i + 1, names[i]);
    }
    SB_REC(b, WIRE_MODULE, 1, 1, 0, WIRE_MODULE_MAIN);
    SB_REC(b, WIRE_FILE, 1, 2, 0);
    SB_REC(b, WIRE_TYPENAME, 1, 3, 1, 0, WIRE_TN_VISIBLE | WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, 2, 4, 1, 0, WIRE_TN_VISIBLE | WIRE_TN_TUPLE);
    SB_REC(b, WIRE_NODE, 1, WIRE_FORM_DATATYPE, 1, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(b, WIRE_NODE, 2, WIRE_FORM_DATATYPE, 2, 0, 1, 1);
    const unsigned char seven[] = {3, WIRE_FORM_BITS, 1, 7, 0, 0, 0, 0, 0, 0, 0};
    sb_record(b, WIRE_NODE, seven, sizeof seven);
    for (uint64_t i = 1; i <= 4; i++) {
        const uint64_t flags = i == 4 ? WIRE_METHOD_GENERATOR : 0;
        SB_REC(b, WIRE_METHOD, i, i + 4, 1, 1, snoopi__zigzag((int64_t)i * 10), 5000 + i, flags, 1,
               2);
        SB_REC(b, WIRE_INSTANCE, i, WIRE_INSTANCE_METHOD, i, 2);
    }
    SB_REC(b, WIRE_INSTANCE, 5, WIRE_INSTANCE_TOPLEVEL, 1, 1, snoopi__zigzag(3));
}

static void put_zeros(snoopi__buffer *out, size_t size)
{
    static const unsigned char zeros[4096];
    for (; size > 0; size -= size < sizeof zeros ? size : sizeof zeros) {
        snoopi__buffer_put(out, zeros, size < sizeof zeros ? size : sizeof zeros);
    }
}

void sb_bytes(const segbuilder *b, snoopi__buffer *out)
{
    snoopi__buffer_put(out, &b->head, sizeof b->head);
    for (size_t i = 0; i < b->n_chunks; i++) {
        struct wire_chunk_header head = b->chunks[i].head;
        const snoopi__buffer *records = &b->chunks[i].records;
        const size_t whole = (sizeof head + records->size + 4095) / 4096 * 4096;
        head.size = head.size ? head.size : (uint32_t)whole;
        head.used = head.used ? head.used : records->size;
        snoopi__buffer_put(out, &head, sizeof head);
        snoopi__buffer_put(out, records->data, records->size);
        put_zeros(out, whole - sizeof head - records->size);
    }
    must(!out->has_failed, "memory");
}

void sb_write_file(const char *path, const void *bytes, size_t size)
{
    (void)unlink(path); // writing over a file makes ext4 wait for the disk
    FILE *file = fopen(path, "wb");
    must(file != NULL, path);
    must(size == 0 || fwrite(bytes, size, 1, file) == 1, path);
    must(fclose(file) == 0, path);
}

void sb_write(const segbuilder *b, const char *path)
{
    snoopi__buffer out = {0};
    sb_bytes(b, &out);
    sb_write_file(path, out.data, out.size);
    snoopi__buffer_clear(&out);
}
