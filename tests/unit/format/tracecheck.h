// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TRACECHECK_H
#define SNOOPI_TRACECHECK_H

/**
 * @file
 * What tests of traces share: a folder of their own, reading of all frames, and the sums that always hold.
 */
#include "snoopi/trace.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/format/segbuilder.h"

/** Setup and teardown of a test: *state is the path of an empty folder, which goes with all that is in it. */
int tc_folder(void **state);
int tc_remove_folder(void **state);

/** DIR/NAME in static memory; four at a time. */
const char *tc_path(void *const *state, const char *name);

/** Opens what must open. */
snoopi_trace *tc_open(const char *path);

/** Writes the segment to a file and opens that. */
snoopi_trace *tc_open_segment(void **state, const segbuilder *b);

/** All frames of a process (−1: of the trace), to be freed; also checks what tc_check() does. */
snoopi_frame *tc_frames(snoopi_trace *trace, int64_t process, size_t *n);

/**
 * Walks over a trace whatever it holds, and checks what holds for each: ids count up, depths and parents fit, times nest
 * and sum up.
 *
 * @return number of frames.
 */
uint64_t tc_check(snoopi_trace *trace);

/** What a test expects of a frame. */
typedef struct {
    uint32_t depth;
    uint64_t begin;
    uint64_t end;
    uint64_t total;
    uint64_t self;
    uint32_t instance;
    uint32_t flags;
} tc_expected;

void tc_compare(snoopi_trace *trace, const tc_expected *expected, size_t n);
#define TC_COMPARE(trace, expected) \
    tc_compare(trace, expected, sizeof(expected) / sizeof((expected)[0]))

#endif
