// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGGREGATE_H
#define SNOOPI_AGGREGATE_H

/**
 * @file
 * Flat sums: the frames of a scope, added up by a key.
 *
 * self adds up to inference over all rows. total of a row counts only the outermost frame of its key on each path from a
 * root, so that recursion is not counted twice. Keys are texts: equal ones merge, also those of several processes.
 * Memory follows the number of distinct keys, not of frames (by frame: the number of rows that are asked for).
 */
#include <stddef.h>
#include <stdint.h>

#include "scope.h"

SNOOPI_BEGIN_DECLS

/** What is one row. The words are those of snoopi_by_name(). */
typedef enum {
    SNOOPI_BY_FRAME,    /* every frame for itself */
    SNOOPI_BY_INSTANCE, /* module, name with argument types, file, line */
    SNOOPI_BY_METHOD,   /* module, name, file, line */
    SNOOPI_BY_FUNCTION, /* module of the methods, name */
    SNOOPI_BY_MODULE,
    SNOOPI_BY_PACKAGE, /* root module */
    SNOOPI_BY_FILE,
    SNOOPI_BY_ROOT, /* all frames below roots of one instance: what each entry into the compiler cost */
    SNOOPI_BY_PROCESS,
    SNOOPI_BY_THREAD
} snoopi_by;

typedef enum {
    SNOOPI_SORT_SELF, /* the greatest first, as also for the next three */
    SNOOPI_SORT_TOTAL,
    SNOOPI_SORT_COUNT,
    SNOOPI_SORT_GC,
    SNOOPI_SORT_NAME
} snoopi_sort;

/** "frame", "instance", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_by_name(int by);

/** "self", "total", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_sort_name(int sort);

/** Begin with SNOOPI_AGGREGATE_INIT. */
typedef struct {
    snoopi_by by;
    snoopi_sort sort;
    uint64_t
        tmin_ns; /* rows whose sort key is less are left out; by count and name: whose total is */
    uint64_t limit; /* rows kept; 0: all */
    snoopi_scope scope;
    snoopi_filter
        filter; /* only frames of matching instances count; by root: below matching roots */
} snoopi_aggregate_options;

// clang-format off
#define SNOOPI_AGGREGATE_INIT {SNOOPI_BY_INSTANCE, SNOOPI_SORT_SELF, 0, 0, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}}
// clang-format on

/** A row. Text is borrowed from the trace or the aggregate; NULL, and a line of 0, where the key has none. */
typedef struct {
    const char *name;
    const char *module;
    const char *package;
    const char *file;
    int32_t line;
    uint32_t instance; /* one that has this key; 0 where keys are of processes and threads */
    int64_t process;   /* by frame, process and thread; else −1 */
    int64_t thread;    /* by frame and thread; else −1 */
    uint64_t self_ns;
    uint64_t total_ns;
    uint64_t gc_ns;
    uint64_t count; /* frames */
    uint64_t roots; /* those of them that were entered from outside inference */

    /* by frame only */
    uint64_t id;
    int64_t parent;
    uint32_t depth;
    uint32_t flags;
    uint64_t begin_ns;
    uint64_t end_ns;
} snoopi_row;

/** Sorted rows. */
typedef struct snoopi_aggregate snoopi_aggregate;

/**
 * Adds up the frames of a trace.
 *
 * @param out  NULL on failure; free with snoopi_aggregate_free(), before the trace is closed.
 * @param options  NULL: SNOOPI_AGGREGATE_INIT.
 * @return as snoopi_scan_open() and snoopi_scan_next().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_aggregate_new(snoopi_aggregate **out, snoopi_trace *trace,
                                                      const snoopi_aggregate_options *options,
                                                      snoopi_error *err);

SNOOPI_API void snoopi_aggregate_free(snoopi_aggregate *aggregate);

/** Rows that are kept, and the row of an index below that. */
SNOOPI_API size_t snoopi_aggregate_n_rows(const snoopi_aggregate *aggregate);
SNOOPI_API const snoopi_row *snoopi_aggregate_row(const snoopi_aggregate *aggregate, size_t index);

/** Rows that there would be without a limit. */
SNOOPI_API uint64_t snoopi_aggregate_n_found(const snoopi_aggregate *aggregate);

/** Sums of the whole recording, and of the scope. */
SNOOPI_API const snoopi_totals *snoopi_aggregate_totals(const snoopi_aggregate *aggregate);
SNOOPI_API const snoopi_totals *snoopi_aggregate_scope_totals(const snoopi_aggregate *aggregate);

SNOOPI_END_DECLS
#endif
