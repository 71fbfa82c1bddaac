// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PAGEWRITER_H
#define SNOOPI_PAGEWRITER_H

/**
 * @file
 * Writes the pages of a trace (format.md 3).
 *
 * A PROCESS page tells what the frames sum up to, but stands before them. So FRAMES pages go to a spool file first, and
 * are copied behind the PROCESS page when that is known.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "snoopi/error.h"

struct ZSTD_CCtx_s;

typedef struct {
    char *path;      /* where the trace will be; NULL: it keeps no name */
    char *temp_path; /* where it is written until then */
    char *dir;       /* of both; NULL: that of temporary files */
    int fd;
    int spool_fd;
    uint64_t spool_bytes;
    uint64_t bytes; /* written to fd */
    struct ZSTD_CCtx_s *zstd;
    snoopi__buffer stored;
} snoopi__pagewriter;

/**
 * Begins a trace, and writes its header. With `path` it is written beside it (mode 0600) and takes its place in
 * snoopi__pagewriter_finish(); without, it is a file without a name.
 *
 * @return 0, SNOOPI_E_IO or SNOOPI_E_NOMEM; the writer is closed then.
 */
int snoopi__pagewriter_open(snoopi__pagewriter *writer, const char *path, snoopi_error *err);

/** Writes a page of `kind` with the bytes of `raw`, at most WIRE_PAGE_RAW_MAX, and empties `raw`. */
int snoopi__pagewriter_page(snoopi__pagewriter *writer, uint16_t kind, snoopi__buffer *raw,
                            snoopi_error *err);

/** Copies the FRAMES pages that were written since the last call behind the other pages. */
int snoopi__pagewriter_unspool(snoopi__pagewriter *writer, snoopi_error *err);

/** Syncs the trace; with a path, keeps what was there as PATH.old and renames. */
int snoopi__pagewriter_finish(snoopi__pagewriter *writer, snoopi_error *err);

/** Closes the writer; a trace that was not finished is removed. */
void snoopi__pagewriter_close(snoopi__pagewriter *writer);

#endif
