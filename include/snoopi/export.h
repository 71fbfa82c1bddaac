// SPDX-License-Identifier: MIT
#ifndef SNOOPI_EXPORT_H
#define SNOOPI_EXPORT_H

/**
 * @file
 * Traces in the formats of other tools. Frames are streamed; the same trace and options give the same bytes.
 *
 * | format | |
 * |---|---|
 * | folded | one line for each path, `root;…;frame N`, N the self time in ns: input of flamegraph.pl, inferno, speedscope |
 * | json | one document: the recording, its processes, totals, and all frames |
 * | jsonl | a line of JSON for each frame, in pre-order |
 * | csv | the same fields as a table |
 * | chrome | trace events, for chrome://tracing and Perfetto: frames on the time axis, a track for each thread |
 * | speedscope | evented profiles, one for each thread |
 * | pprof | gzipped profile.proto: stacks with inference time and frames; labels process, thread, flag |
 * | svg | a flame graph that zooms and searches, without network |
 * | html | the viewer with the recording in it: timeline, flame graph, table, callers and callees, triggers, advice, without network |
 *
 * Fields of a frame, where it is not grouped by anything but its instance: id, parent (id of an earlier frame, or null), depth (0: a root), process, thread, name, module, file, line, begin_ns,
 * end_ns, total_ns, self_ns, gc_ns, flags (words), instance, args ({position, value} of the constant ones), method_world.
 */
#include <stdio.h>

#include "aggregate.h"
#include "scope.h"

SNOOPI_BEGIN_DECLS

typedef enum {
    SNOOPI_EXPORT_FOLDED,
    SNOOPI_EXPORT_JSON,
    SNOOPI_EXPORT_JSONL,
    SNOOPI_EXPORT_CSV,
    SNOOPI_EXPORT_CHROME,
    SNOOPI_EXPORT_SPEEDSCOPE,
    SNOOPI_EXPORT_PPROF,
    SNOOPI_EXPORT_SVG,
    SNOOPI_EXPORT_HTML
} snoopi_export_format;

/** "folded", "json", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_export_format_name(int format);

/** What the width of a frame stands for. Formats that carry both take it for what is shown first, or do not heed it. */
typedef enum {
    SNOOPI_WEIGHT_TIME, /* self time in ns */
    SNOOPI_WEIGHT_COUNT /* frames: deterministic, so that two runs compare */
} snoopi_weight;

/** "time", "count" by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_weight_name(int weight);

/** Begin with SNOOPI_EXPORT_INIT. */
typedef struct {
    snoopi_export_format format;
    snoopi_by
        by; /* what a frame is called by: instance, method, function, module, package or file */
    snoopi_weight weight;
    uint64_t tmin_ns; /* what took less is left out: frames, or nodes where paths are merged (there
                         with what is below them; their time is then the caller's own) */
    snoopi_scope scope;
    snoopi_filter
        filter; /* frames that do not match are left out; those below hang on those above */
    snoopi_trace *
        base; /* svg, html: what it is compared to: red grew, blue shrank; other formats refuse it. NULL */
    bool has_stacks; /* pprof: what called the roots stands above them; other formats refuse it */
} snoopi_export_options;

// clang-format off
#define SNOOPI_EXPORT_INIT \
    {SNOOPI_EXPORT_JSONL, SNOOPI_BY_INSTANCE, SNOOPI_WEIGHT_TIME, 0, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}, NULL, false}
// clang-format on

/**
 * Writes a trace to a stream, which is flushed and stays open.
 *
 * @return SNOOPI_OK; SNOOPI_E_INVALID for a format or key that there is not; SNOOPI_E_IO when the stream took not all, with errno noted; as snoopi_scan_open() and snoopi_scan_next().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_export_stream(snoopi_trace *trace, FILE *out,
                                                      const snoopi_export_options *options,
                                                      snoopi_error *err);

/**
 * Writes a trace to a file: to a temporary name beside it first, so that `path` is whole or as it was before. What is no plain
 * file (a pipe, /dev/stdout) is written to directly.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_export_file(snoopi_trace *trace, const char *path,
                                                    const snoopi_export_options *options,
                                                    snoopi_error *err);

SNOOPI_END_DECLS
#endif
