// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ADVICE_H
#define SNOOPI_ADVICE_H

/**
 * @file
 * What could be changed in a program so that less time goes into inference: findings, each with a place, what was seen there, and
 * the change to make. docs/advice.md says how each kind is decided, and what is not looked for.
 *
 * What a finding could save is an upper bound: the time of the inference that it is about. Findings overlap, so that their sum
 * means nothing.
 */
#include <stddef.h>

#include "scope.h"

SNOOPI_BEGIN_DECLS

/** What was found. The words are those of snoopi_advice_kind_name(). */
typedef enum {
    SNOOPI_ADVICE_DISPATCH,       /* a call with argument types that the compiler did not know */
    SNOOPI_ADVICE_SPECIALIZATION, /* a method compiled for many argument types */
    SNOOPI_ADVICE_VARARG,         /* the same for many numbers of arguments */
    SNOOPI_ADVICE_KEYWORDS,       /* the same for many sets of keywords */
    SNOOPI_ADVICE_CONSTPROP,      /* a method inferred again and again for constants */
    SNOOPI_ADVICE_REDEFINED,      /* one definition run several times: each is a new method */
    SNOOPI_ADVICE_REPEATED,       /* an instance whose result was not kept */
    SNOOPI_ADVICE_GENERATED,      /* generators of generated functions */
    SNOOPI_ADVICE_PRECOMPILE, /* roots of a package that could be inferred when it is precompiled */
    SNOOPI_ADVICE_BOXED,      /* a closure whose captured variable has no known type */
    SNOOPI_ADVICE_INVALIDATED, /* a definition that made inferred code invalid */
    SNOOPI_ADVICE_RESULT /* a function that returns what is not concrete, called with by dispatch */
} snoopi_advice_kind;

/** "dispatch", "specialization", …; NULL beyond the last. */
SNOOPI_API const char *snoopi_advice_kind_name(int kind);

/** A finding. Text is borrowed from the advice or the trace. */
typedef struct {
    snoopi_advice_kind kind;
    const char *name;   /* of the function or package that it is about */
    const char *module; /* "" if not known */
    const char *file;   /* where to change something; NULL: not known */
    uint32_t line;      /* 0: not known */
    uint64_t saved_ns;  /* at most */
    uint64_t count;     /* frames that it is about */
    const char *what;   /* one sentence */
    const char *change; /* what to do */
    const char *const *evidence;
    size_t n_evidence;
} snoopi_finding;

/** Begin with SNOOPI_ADVICE_INIT. */
typedef struct {
    bool is_all;      /* also what is wrong with Julia's own code */
    uint64_t tmin_ns; /* findings that could save less are left out */
    uint64_t limit;   /* findings kept; 0: all */
    snoopi_scope scope;
    snoopi_filter
        filter; /* findings at methods that match; by dispatch the caller, by precompile the callees */
} snoopi_advice_options;

// clang-format off
#define SNOOPI_ADVICE_INIT {false, 0, 0, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}}
// clang-format on

/** Findings, those that could save most first. */
typedef struct snoopi_advice snoopi_advice;

/**
 * Looks for findings. Memory follows the number of instances and of places of calls.
 *
 * @param out      NULL on failure; free with snoopi_advice_free(), before the trace is closed.
 * @param options  NULL: SNOOPI_ADVICE_INIT.
 * @return as snoopi_scan_open() and snoopi_scan_next().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_advice_new(snoopi_advice **out, snoopi_trace *trace,
                                                   const snoopi_advice_options *options,
                                                   snoopi_error *err);
SNOOPI_API void snoopi_advice_free(snoopi_advice *advice);

/** Findings that are kept, the finding of an index below that, and how many there would be without a limit. */
SNOOPI_API size_t snoopi_advice_n_findings(const snoopi_advice *advice);
SNOOPI_API const snoopi_finding *snoopi_advice_finding(const snoopi_advice *advice, size_t index);
SNOOPI_API uint64_t snoopi_advice_n_found(const snoopi_advice *advice);

/** Sums of the whole recording, and of the scope. */
SNOOPI_API const snoopi_totals *snoopi_advice_totals(const snoopi_advice *advice);
SNOOPI_API const snoopi_totals *snoopi_advice_scope_totals(const snoopi_advice *advice);

SNOOPI_END_DECLS
#endif
