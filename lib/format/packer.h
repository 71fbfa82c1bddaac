// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PACKER_H
#define SNOOPI_PACKER_H

/**
 * @file
 * A trace that is being made of segments: begin, add each, finish.
 *
 * Memory follows the distinct definitions, and the open frames of the process in work; the frames of roots that wait for
 * an open one go to a file when they are many.
 */
#include <stdint.h>

#include "defpool.h"
#include "imagecodes.h"
#include "pagewriter.h"
#include "segment.h"
#include "snoopi/pack.h"

/** A part of a process's time; both ends are in it. */
typedef struct {
    uint64_t begin_ns;
    uint64_t end_ns;
} snoopi__window;

typedef struct {
    snoopi__pagewriter writer;
    snoopi__defpool pool;
    snoopi__imagecache images;
    uint32_t n_processes;
    uint64_t frames;
    uint64_t inference_ns;
    uint64_t wall_ns;
    uint64_t dropped_frames;
    uint32_t damaged;
} snoopi__packer;

/** Begins a trace; as snoopi__pagewriter_open(). To be closed also on failure. */
int snoopi__packer_open(snoopi__packer *packer, const char *path, snoopi_error *err);

/**
 * Adds the process of a segment. What fails here is the trace's fault, or memory's, not the segment's.
 *
 * @param parent     index of its parent, −1: none.
 * @param exit_kind  and `exit_value`: how it ended, if its segment does not know; else SNOOPI_EXIT_UNKNOWN.
 */
int snoopi__packer_add(snoopi__packer *packer, snoopi__segment *segment, int64_t parent,
                       snoopi_exit_kind exit_kind, int exit_value, snoopi_error *err);

/** Adds a part of that process; its instances keep the ids that the agent gave them. */
int snoopi__packer_add_window(snoopi__packer *packer, snoopi__segment *segment,
                              const snoopi__window *window, snoopi_error *err);

/** Counts a process that was written by other means than snoopi__packer_add(). */
void snoopi__packer_count(snoopi__packer *packer, const snoopi_process *process);

/** Fills in what was written, but not what was refused. */
void snoopi__packer_result(const snoopi__packer *packer, snoopi_pack_result *result);

/** Writes the end of the trace; its number of processes and frames are filled in. */
int snoopi__packer_finish(snoopi__packer *packer, snoopi_recording *recording, snoopi_error *err);

void snoopi__packer_close(snoopi__packer *packer);

#endif
