// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FINDINGS_H
#define SNOOPI_FINDINGS_H

/**
 * @file
 * Findings while they are made. A failure for want of memory is remembered, and asked for once at the end.
 */
#include <snoopi/advice.h>

#include "base/arena.h"
#include "format/defs.h"

enum { SNOOPI__EVIDENCE_MAX = 6 };

typedef struct {
    snoopi_finding public;
    const char *evidence[SNOOPI__EVIDENCE_MAX];
} snoopi__finding;

/** Zero-initialize it, and set the first four. */
typedef struct {
    snoopi_trace *trace;
    const snoopi__defs *defs;
    const snoopi_advice_options *options;
    snoopi__arena *arena;
    snoopi__finding **items;
    size_t n;
    size_t capacity;
    bool has_failed;
} snoopi__findings;

void snoopi__findings_clear(snoopi__findings *findings);

/**
 * A new finding; NULL if it could not save enough, or memory is short.
 *
 * @param about  instance that it is at the method of: gives name, module, file and line, which may be changed. NULL: none.
 */
snoopi__finding *snoopi__findings_add(snoopi__findings *findings, snoopi_advice_kind kind,
                                      uint64_t saved_ns, uint64_t count,
                                      const snoopi_instance *about);

/** Text in the arena; "" when memory is short. */
__attribute__((format(printf, 2, 3))) const char *snoopi__findings_text(snoopi__findings *findings,
                                                                        const char *format, ...);

/** Adds a line of evidence, unless there are enough. */
__attribute__((format(printf, 3, 4))) void snoopi__findings_evidence(snoopi__findings *findings,
                                                                     snoopi__finding *finding,
                                                                     const char *format, ...);

/** Whether somebody may change the code that the instance is of: it is not Julia's own, or all is asked for; and it matches the
 * filter. */
bool snoopi__findings_may_change(const snoopi__findings *findings, const snoopi_instance *instance);

/** Whether a file came with Julia, by its path. */
bool snoopi__is_file_of_julia(const char *file, const char *raw_file);

/** "1.23 s", "45.6 ms", "789 µs" in `out`, which it returns. */
enum { SNOOPI__TIME_SIZE = 32 };
const char *snoopi__time_text(char out[SNOOPI__TIME_SIZE], uint64_t ns);

#endif
