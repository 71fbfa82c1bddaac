// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PACK_H
#define SNOOPI_PACK_H

/**
 * @file
 * Packing: segments of a folder into one trace.
 */
#include <stddef.h>
#include <stdint.h>

#include "trace.h"

SNOOPI_BEGIN_DECLS

/** What is known of the recording apart from its segments. Zero-initialized means "not known". */
typedef struct {
    uint64_t begin_real_ns;
    uint64_t elapsed_ns;
    snoopi_exit_kind exit_kind; /* of the command */
    int exit_value;
    /* the process with this pid gets the command's exit, if it did not tell its own */
    uint32_t command_pid;
    int argc;
    const char *const *argv; /* the command; borrowed for the call */
    const char *note;        /* what the recording lacks, or NULL */
} snoopi_pack_options;

/** What was packed. */
typedef struct {
    uint32_t processes;
    uint64_t frames;
    uint64_t inference_ns;
    uint64_t wall_ns; /* sum over processes */
    uint64_t dropped_frames;
    uint64_t file_bytes;
    uint32_t damaged; /* segments that could be read in part only */
    uint32_t refused; /* files that are no segments or could not be read at all */
} snoopi_pack_result;

/**
 * Packs all segments (*.seg) in `dir` into the trace `path`.
 *
 * Written to a temporary name beside `path` (mode 0600) and renamed when it is whole and synced;
 * an existing `path` becomes `path`.old. The segments are left where they are. Files of methods
 * are looked up on this machine's disk.
 *
 * @param result  may be NULL.
 * @return SNOOPI_OK, SNOOPI_E_IO, SNOOPI_E_NOMEM; SNOOPI_E_INVALID when `dir` holds no segment
 * (nothing is written).
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_pack(const char *dir, const char *path,
                                             const snoopi_pack_options *options,
                                             snoopi_pack_result *result, snoopi_error *err);

/**
 * Packs a part of one process's time, as of a running one that looks at itself. Its trace is one of a process that began
 * and ended with the window.
 *
 * In it are the frames that began in the window. Those that were open before are not: what was inferred inside of them is
 * a root. Those that are open at its end are flagged unfinished. `repeated` tells of the window alone.
 *
 * @param segment   of the process, which may be running.
 * @param begin_ns  and `end_ns`: CLOCK_MONOTONIC; both ends are in it.
 * @param path, result  as in snoopi_pack().
 * @return as snoopi_trace_open() of the segment; SNOOPI_E_IO when the trace could not be written.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_pack_window(const char *segment, uint64_t begin_ns,
                                                    uint64_t end_ns, const char *path,
                                                    snoopi_pack_result *result, snoopi_error *err);

/**
 * Whether a process whose segment is in `dir` still lives; for waiting before packing.
 *
 * @param pids     filled with up to `capacity` pids; may be NULL when capacity is 0.
 * @return number of segments whose process lives (may exceed capacity), or a negative status.
 */
SNOOPI_API int snoopi_pack_living(const char *dir, uint32_t *pids, size_t capacity,
                                  snoopi_error *err);

SNOOPI_END_DECLS
#endif
