// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FRAMEWRITER_H
#define SNOOPI_FRAMEWRITER_H

/**
 * @file
 * Writes the frames of a process into FRAMES pages (format.md 3.1).
 */
#include <stdint.h>

#include "base/buffer.h"
#include "forest.h"
#include "pagewriter.h"

/** Zero-initialize it, and set the writer and process_begin_ns. */
typedef struct {
    snoopi__pagewriter *writer; /* borrowed */
    uint64_t process_begin_ns;
    uint64_t count; /* frames written */
    uint64_t last_begin_ns;
    uint32_t line_file; /* in force */
    uint32_t line;
    snoopi__buffer page;
    snoopi__buffer payload;
} snoopi__framewriter;

void snoopi__framewriter_clear(snoopi__framewriter *writer);

/** Writes a frame. A snoopi__frame_sink whose payload is the snoopi__framewriter. */
int snoopi__framewriter_put(void *payload, const snoopi__whole_frame *frame, snoopi_error *err);

/** Writes the page that is begun, if any. */
int snoopi__framewriter_flush(snoopi__framewriter *writer, snoopi_error *err);

#endif
