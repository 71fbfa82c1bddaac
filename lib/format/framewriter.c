// SPDX-License-Identifier: MIT
// Encoding of frames. See framewriter.h.
#include "framewriter.h"

#include "base/fail.h"
#include "base/varint.h"
#include "wire.h"

// Small enough for a reader's cache, large enough for zstd.
enum { PAGE_SIZE = 1 << 19 };

void snoopi__framewriter_clear(snoopi__framewriter *writer)
{
    snoopi__buffer_clear(&writer->page);
    snoopi__buffer_clear(&writer->payload);
}

int snoopi__framewriter_flush(snoopi__framewriter *writer, snoopi_error *err)
{
    if (writer->page.size == 0) {
        return 0;
    }
    return snoopi__pagewriter_page(writer->writer, WIRE_PAGE_FRAMES, &writer->page, err);
}

static void put_line(snoopi__framewriter *writer, const snoopi__whole_frame *frame)
{
    if (frame->line_file == writer->line_file && frame->line == writer->line) {
        return;
    }
    writer->payload.size = 0;
    snoopi__buffer_varint(&writer->payload, frame->line_file);
    snoopi__buffer_varint(&writer->payload, frame->line);
    snoopi__buffer_record(&writer->page, WIRE_LINE, writer->payload.data, writer->payload.size);
    writer->line_file = frame->line_file;
    writer->line = frame->line;
}

static void put_stack(snoopi__framewriter *writer, const snoopi__whole_frame *frame)
{
    if (frame->n_stack == 0) {
        return;
    }
    writer->payload.size = 0;
    snoopi__buffer_varint(&writer->payload, frame->n_stack);
    for (uint32_t i = 0; i < frame->n_stack; i++) {
        snoopi__buffer_varint(&writer->payload, frame->stack[i]);
    }
    snoopi__buffer_varint(&writer->payload, frame->stack_flags);
    snoopi__buffer_record(&writer->page, WIRE_STACK, writer->payload.data, writer->payload.size);
}

static void put_args(snoopi__framewriter *writer, const snoopi__whole_frame *frame)
{
    snoopi__buffer_varint(&writer->payload, frame->n_args);
    for (uint32_t i = 0; i < frame->n_args; i++) {
        snoopi__buffer_varint(&writer->payload, frame->args[i].position);
        snoopi__buffer_varint(&writer->payload, frame->args[i].node);
    }
}

int snoopi__framewriter_put(void *payload, const snoopi__whole_frame *frame, snoopi_error *err)
{
    enum { FIELDS = 10 };
    snoopi__framewriter *writer = payload;
    uint64_t begin = snoopi__zigzag((int64_t)(frame->begin_ns - writer->last_begin_ns));
    if (writer->page.size == 0) {
        snoopi__buffer_varint(&writer->page, writer->count);
        begin = frame->begin_ns - writer->process_begin_ns;
    }
    if (frame->depth == 0) {
        put_line(writer, frame);
        put_stack(writer, frame);
    }
    snoopi__buffer *out = &writer->payload;
    out->size = 0;
    if (!snoopi__buffer_reserve(out, (size_t)FIELDS * SNOOPI__VARINT_MAX)) {
        return snoopi__fail_nomem(err);
    }
    unsigned char *at = out->data;
    at = snoopi__put_varint(at, frame->flags | (frame->n_args ? WIRE_FLAG_ARGS : 0));
    at = snoopi__put_varint(at, frame->depth);
    at = snoopi__put_varint(at, begin);
    at = snoopi__put_varint(at, frame->span_ns);
    at = snoopi__put_varint(at, frame->total_ns);
    at = snoopi__put_varint(at, frame->self_ns);
    at = snoopi__put_varint(at, frame->gc_ns);
    at = snoopi__put_varint(at, frame->instance);
    if (frame->depth == 0) {
        at = snoopi__put_varint(at, frame->thread);
        at = snoopi__put_varint(at, frame->task);
    }
    out->size = (size_t)(at - out->data);
    if (frame->n_args) {
        put_args(writer, frame);
    }
    snoopi__buffer_record(&writer->page, WIRE_FRAME, out->data, out->size);
    if (out->has_failed || writer->page.has_failed) {
        return snoopi__fail_nomem(err);
    }
    writer->last_begin_ns = frame->begin_ns;
    writer->count++;
    return writer->page.size >= PAGE_SIZE ? snoopi__framewriter_flush(writer, err) : 0;
}
