// SPDX-License-Identifier: MIT
#ifndef SNOOPI_MERGE_H
#define SNOOPI_MERGE_H

/**
 * @file
 * Many recordings to one: their processes side by side, each with its parent, their definitions once.
 *
 * Sums of the result are the sums of its parts. Clocks of machines and boots differ, so each recording's times are moved to those of the first, by
 * what the wall clock said; durations are not touched. Memory follows the distinct definitions, not the recordings.
 */
#include <stddef.h>

#include "pack.h"

SNOOPI_BEGIN_DECLS

/**
 * Merges the traces or segments at `paths` into the trace `path`, as snoopi_pack() writes it. `path` may be one of them.
 *
 * What could not be read of a recording is told as damage of its processes.
 *
 * @param n       at least 1.
 * @param result  may be NULL; `damaged` counts processes.
 * @return as snoopi_trace_open() of any of them, before anything is written; SNOOPI_E_IO, SNOOPI_E_NOMEM.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_merge(const char *const *paths, size_t n, const char *path,
                                              snoopi_pack_result *result, snoopi_error *err);

SNOOPI_END_DECLS
#endif
