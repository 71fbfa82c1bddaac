// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DIFF_H
#define SNOOPI_DIFF_H

/**
 * @file
 * What changed between two recordings, by key.
 *
 * Keys match across runs, machines, versions of Julia, and edits that move lines:
 *
 *   1. Rows belong together that have the same module, name and base name of file. The line is not looked at. Numbers that Julia
 *      made (`#12#13`, `#kw#5`) do not count as part of a name, nor does the number of a notebook's or REPL's cell.
 *   2. Closures and the like whose names are then equal are told apart by where they are used, by line, and by their order in the
 *      source. Each one has one partner, in all names that it is part of.
 *   3. Rows that still share a name (methods of one name, top-level code) are aligned in the order of their lines, those first that lie on the same
 *      line or at the same distance from their neighbours.
 *   4. What is left goes by module and name alone: code that moved to another file, or whose file has another name.
 *
 * Methods go by their signatures. When the recordings are of different versions of Julia, names of types are compared as one version prints them.
 *
 * Each side may be several recordings of the same (`record --repeat`): numbers are then medians, and times have a spread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aggregate.h"

SNOOPI_BEGIN_DECLS

/** The greatest first, changes by their size whatever their sign. */
typedef enum {
    SNOOPI_DIFF_DELTA_SELF,
    SNOOPI_DIFF_DELTA_TOTAL,
    SNOOPI_DIFF_DELTA_COUNT,
    SNOOPI_DIFF_SELF, /* of the side that has more */
    SNOOPI_DIFF_COUNT,
    SNOOPI_DIFF_NAME
} snoopi_diff_sort;

/** "delta-self", "delta-total", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_diff_sort_name(int sort);

/** Begin with SNOOPI_DIFF_INIT. */
typedef struct {
    snoopi_by by; /* any but frame */
    snoopi_diff_sort sort;
    uint64_t tmin_ns;     /* rows whose self time changed by less are left out */
    bool is_changed_only; /* rows with the same self time and count are left out */
    uint64_t limit;       /* rows kept; 0: all */
    snoopi_scope scope;
    snoopi_filter filter;
} snoopi_diff_options;

// clang-format off
#define SNOOPI_DIFF_INIT \
    {SNOOPI_BY_INSTANCE, SNOOPI_DIFF_DELTA_SELF, 0, false, 0, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}}
// clang-format on

/** The least and the greatest of the recordings of a side. */
typedef struct {
    uint64_t min_ns;
    uint64_t max_ns;
} snoopi_spread;

/** A key. Numbers of its rows are medians; text is borrowed from the traces or the diff. */
typedef struct {
    const snoopi_row *before;  /* NULL: it appeared */
    const snoopi_row *after;   /* NULL: it vanished */
    snoopi_spread before_self; /* zeros where there is no row */
    snoopi_spread after_self;
} snoopi_diff_row;

/** The sums of a side. */
typedef struct {
    size_t n_recordings;
    snoopi_totals whole; /* medians, of the whole recordings */
    snoopi_totals
        part; /* likewise of scope and filter: inference, gc, frames, roots, instances; the rest is 0 */
    snoopi_spread inference; /* of the part */
    bool is_steady; /* its recordings agree about frames, roots and instances of the part */
} snoopi_diff_side;

typedef struct snoopi_diff snoopi_diff;

/**
 * Compares.
 *
 * @param out  NULL on failure; free with snoopi_diff_free(), before the traces are closed.
 * @param before,after  recordings of each side, at least one.
 * @param options  NULL: SNOOPI_DIFF_INIT.
 * @return as snoopi_aggregate_new(); SNOOPI_E_INVALID by frame.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_diff_new(snoopi_diff **out, snoopi_trace *const *before,
                                                 size_t n_before, snoopi_trace *const *after,
                                                 size_t n_after, const snoopi_diff_options *options,
                                                 snoopi_error *err);

SNOOPI_API void snoopi_diff_free(snoopi_diff *diff);

/** Rows that are kept, and the row of an index below that. */
SNOOPI_API size_t snoopi_diff_n_rows(const snoopi_diff *diff);
SNOOPI_API const snoopi_diff_row *snoopi_diff_row_at(const snoopi_diff *diff, size_t index);

/** Rows that there would be without a limit; of all keys, those that appeared and vanished. */
SNOOPI_API size_t snoopi_diff_n_found(const snoopi_diff *diff);
SNOOPI_API size_t snoopi_diff_n_appeared(const snoopi_diff *diff);
SNOOPI_API size_t snoopi_diff_n_vanished(const snoopi_diff *diff);

SNOOPI_API const snoopi_diff_side *snoopi_diff_before(const snoopi_diff *diff);
SNOOPI_API const snoopi_diff_side *snoopi_diff_after(const snoopi_diff *diff);

SNOOPI_END_DECLS
#endif
