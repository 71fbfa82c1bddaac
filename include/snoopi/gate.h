// SPDX-License-Identifier: MIT
#ifndef SNOOPI_GATE_H
#define SNOOPI_GATE_H

/**
 * @file
 * Conditions on how the sums of a recording changed, for programs that are to fail when something got worse:
 *
 *     gate      = condition *("or" condition)
 *     condition = metric ("<" | "<=" | ">" | ">=") change
 *     metric    = "frames" | "instances" | "roots" | "inference"
 *     change    = ("+" | "-") number ["%" | unit]      a unit ("ms") for a time, and only there
 *
 * `instances>+0`: there are more instances than before. `inference>+20% or frames>+100`. Blanks may stand between the parts. Frames, instances and roots of a
 * program that does the same each time are the same each time; times never are.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scope.h"

SNOOPI_BEGIN_DECLS

typedef enum {
    SNOOPI_METRIC_FRAMES,
    SNOOPI_METRIC_INSTANCES,
    SNOOPI_METRIC_ROOTS,
    SNOOPI_METRIC_INFERENCE /* ns */
} snoopi_metric;

/** "frames", "instances", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_metric_name(int metric);

/** The number that a metric stands for. */
SNOOPI_API uint64_t snoopi_metric_of(snoopi_metric metric, const snoopi_totals *totals);

typedef struct {
    snoopi_metric metric;
    bool is_less;  /* it holds below the change, else above */
    bool is_equal; /* also at the change itself */
    bool is_percent;
    double change; /* signed; a number, ns, or percent of what was before */
    size_t at;     /* where in the text it stands, in bytes, … */
    size_t size;   /* … and its length */
} snoopi_condition;

enum { SNOOPI_CONDITIONS_MAX = 32 };

/** A gate: it holds when any of its conditions does. */
typedef struct {
    size_t n;
    snoopi_condition conditions[SNOOPI_CONDITIONS_MAX];
} snoopi_gate;

/**
 * Reads a gate.
 *
 * @param at  on failure: the byte of the text at which it cannot go on. May be NULL.
 * @return SNOOPI_OK, or SNOOPI_E_INVALID with what was expected there.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_gate_parse(snoopi_gate *gate, const char *text, size_t *at,
                                                   snoopi_error *err);

/** Whether the change from `before` to `after` is one that the condition means. */
SNOOPI_API bool snoopi_condition_holds(const snoopi_condition *condition,
                                       const snoopi_totals *before, const snoopi_totals *after);

SNOOPI_END_DECLS
#endif
