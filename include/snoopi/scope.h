// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SCOPE_H
#define SNOOPI_SCOPE_H

/**
 * @file
 * Which part of a recording is looked at, and a walk over it.
 *
 * A scope chooses whole roots, by where and when they began: a root is in it with all its frames, or not at all. So the
 * sums of a scope keep the law of the whole: self times add up to the totals of its roots. A filter, in turn, chooses
 * by what a frame is of: module, package, file.
 *
 * Patterns are shell globs (`*`, `?`, `[…]`) on the whole text; one without any of these is the text itself. A file
 * also matches by its last components: `sort.jl` and `base/sort.jl` are `/usr/share/julia/base/sort.jl`.
 */
#include <stdbool.h>
#include <stdint.h>

#include "trace.h"

SNOOPI_BEGIN_DECLS

/** A part of a recording. Begin with SNOOPI_SCOPE_ALL. Text is borrowed for as long as the scope is in use. */
typedef struct {
    const char
        *process;     /* index ("0"), or a pattern of roles ("main", "precompile:*"); NULL: all */
    uint64_t from_ns; /* roots that began at or after this time since the first process began … */
    uint64_t to_ns;   /* … and before this one */
    const char *
        after; /* from the first root of a toplevel line that matches on: "file:line" or "file"; NULL */
    const char *mark; /* from the mark of this name on; NULL */

    /** Called now and then on long walks; may be NULL. */
    void (*progress)(void *payload, uint64_t frames_done, uint64_t frames);
    void *payload;
} snoopi_scope;

// clang-format off
#define SNOOPI_SCOPE_ALL {NULL, 0, UINT64_MAX, NULL, NULL, NULL, NULL}
// clang-format on

/** What a frame is of. NULL: any. */
typedef struct {
    const char *module;
    const char *package;
    const char *file;
} snoopi_filter;

/** Sums of the whole recording, whatever the scope. Those over frames are of what could be read. */
typedef struct {
    uint64_t wall_ns;      /* sum over processes */
    uint64_t elapsed_ns;   /* of the recording */
    uint64_t inference_ns; /* sum of the roots' totals = sum of all self times */
    uint64_t busy_ns;      /* sum over processes of the union of the roots' intervals */
    uint64_t outside_ns;   /* wall − busy − tool time outside of frames */
    uint64_t gc_ns;        /* inside frames */
    uint64_t tool_ns;
    uint64_t frames;
    uint64_t roots;
    uint64_t instances; /* distinct ones that have frames */
} snoopi_totals;

/**
 * The sums one by one, as all outputs name and order them.
 *
 * @param value  may be NULL.
 * @return "wall_ns", …, "instances" by number; NULL beyond the last.
 */
SNOOPI_API const char *snoopi_totals_field(const snoopi_totals *totals, int index, uint64_t *value);

/** A walk over the frames of a scope, in the order of snoopi_walk. */
typedef struct snoopi_scan snoopi_scan;

/**
 * Starts a walk.
 *
 * @param scope  NULL: all of the recording. Copied; its text is not.
 * @return SNOOPI_OK, SNOOPI_E_NOMEM, what reading can return; SNOOPI_E_INVALID when no process, mark or line is meant by it.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_scan_open(snoopi_scan **out, snoopi_trace *trace,
                                                  const snoopi_scope *scope, snoopi_error *err);

/** Steps to the next frame of the scope, as snoopi_walk_next(). */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_scan_next(snoopi_scan *scan, snoopi_frame *frame,
                                                  snoopi_error *err);

/** Sums of the whole recording; complete when snoopi_scan_next() has returned 0. */
SNOOPI_API const snoopi_totals *snoopi_scan_totals(const snoopi_scan *scan);

/** The same for the frames of the scope: inference, gc, frames, roots, instances. The rest is 0. */
SNOOPI_API const snoopi_totals *snoopi_scan_scope_totals(const snoopi_scan *scan);

SNOOPI_API void snoopi_scan_close(snoopi_scan *scan);

/** When the first process of the recording began: what times of a scope count from. */
SNOOPI_API uint64_t snoopi_trace_origin_ns(const snoopi_trace *trace);

/** Whether an instance is of what the filter wants. */
SNOOPI_API bool snoopi_filter_matches(const snoopi_filter *filter, const snoopi_instance *instance);

/** Whether a text, or a path, matches a pattern. */
SNOOPI_API bool snoopi_pattern_matches(const char *pattern, const char *text);
SNOOPI_API bool snoopi_pattern_matches_file(const char *pattern, const char *path);

/** Whether an instance goes by this name: its whole name, its method's, or its function's. */
SNOOPI_API bool snoopi_pattern_matches_instance(const char *pattern,
                                                const snoopi_instance *instance);

SNOOPI_END_DECLS
#endif
