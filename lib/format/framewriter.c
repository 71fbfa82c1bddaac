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

// Puts a number in as few bytes as it takes, and their number into a hexadecimal digit of `widths`.
static unsigned char *put_number(unsigned char *at, uint32_t *widths, unsigned digit,
                                 uint64_t number)
{
    const unsigned width = number ? (71 - (unsigned)__builtin_clzll(number)) / 8 : 0;
    *widths |= width << 4 * digit;
    for (unsigned i = 0; i < width; i++) {
        *at++ = (unsigned char)(number >> 8 * i);
    }
    return at;
}

// Puts the fields that each frame has.
static void put_fields(snoopi__buffer *out, const snoopi__whole_frame *frame, uint64_t begin)
{
    const uint64_t fields[WIRE_FRAME_FIELDS] = {
        frame->flags | (frame->n_args ? WIRE_FLAG_ARGS : 0),
        frame->depth,
        begin,
        frame->span_ns,
        frame->span_ns - frame->total_ns,
        frame->total_ns - frame->self_ns,
        frame->gc_ns,
        frame->instance,
    };
    unsigned char bytes[WIRE_FRAME_FIELDS * sizeof *fields];
    unsigned char *at = bytes;
    uint32_t widths = 0;
    for (unsigned i = 0; i < WIRE_FRAME_FIELDS; i++) {
        at = put_number(at, &widths, i, fields[i]);
    }
    snoopi__buffer_u32(out, widths);
    snoopi__buffer_put(out, bytes, (size_t)(at - bytes));
}

int snoopi__framewriter_put(void *payload, const snoopi__whole_frame *frame, snoopi_error *err)
{
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
    put_fields(out, frame, begin);
    if (frame->depth == 0) {
        snoopi__buffer_varint(out, frame->thread);
        snoopi__buffer_varint(out, frame->task);
    }
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
