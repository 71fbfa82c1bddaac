// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TRIGGERS_H
#define SNOOPI_TRIGGERS_H

/**
 * @file
 * Who caused inference: the trigger of a root is the call that entered the compiler for it.
 *
 * It is read off the native stack at the root's entry: the innermost Julia function outside of the compiler is the caller,
 * the place in it is the site, and what the runtime and Base have on the stack before it says how the call was made. What only
 * passes on what another asked for (include, eval, invokelatest, package loading, Test, what runs programs) is stepped over.
 *
 * What can't be known is said to be so: a root without a stack has no caller, and its site is the top-level line that was
 * running. Places that were not looked up before the process ended, or for want of time, are stepped over: the caller that is
 * shown then may have called the real one (`is_near` is false).
 */
#include <stddef.h>

#include "aggregate.h"

SNOOPI_BEGIN_DECLS

/** How a call entered the compiler. The words are those of snoopi_trigger_class_name(). */
typedef enum {
    SNOOPI_TRIGGER_UNKNOWN,
    SNOOPI_TRIGGER_DISPATCH,    /* a call whose method was chosen at run time */
    SNOOPI_TRIGGER_TOPLEVEL,    /* top-level code */
    SNOOPI_TRIGGER_TASK,        /* the start of a task */
    SNOOPI_TRIGGER_PRECOMPILE,  /* a precompile directive */
    SNOOPI_TRIGGER_RETURN_TYPE, /* Core.Compiler.return_type, promote_op */
    SNOOPI_TRIGGER_REFLECTION,  /* code_typed and the like */
    SNOOPI_TRIGGER_EVAL,        /* invokelatest or eval in a function */
    SNOOPI_TRIGGER_CCALLBACK,   /* C code called Julia */
    SNOOPI_TRIGGER_LOAD         /* a package was loaded: its top-level code, or __init__ */
} snoopi_trigger_class;

/** "dispatch", "toplevel", …; NULL for SNOOPI_TRIGGER_UNKNOWN and beyond the last. */
SNOOPI_API const char *snoopi_trigger_class_name(int trigger_class);

/** The trigger of a root. Text and places are borrowed from the trace. */
typedef struct {
    snoopi_trigger_class trigger_class;
    bool is_near;     /* nothing between the caller and the callee was left unknown */
    uint32_t callee;  /* instance */
    uint32_t caller;  /* instance; 0: none (top-level code, the start of a task), or not known */
    const char *file; /* of the site; NULL: not known */
    uint32_t line;    /* 0: not known */
    uint32_t
        n_places; /* of the site, innermost first; what stands before the last is inlined. 0: top-level, or not known */
    const snoopi_place *places;
    uint32_t depth; /* how many codes of the frame's stack lie inside of the caller's */
} snoopi_trigger;

/** Finds triggers; remembers what it found of each code. */
typedef struct snoopi_trigger_finder snoopi_trigger_finder;

/**
 * @param out    NULL on failure; free with snoopi_trigger_finder_free(), before the trace is closed.
 * @param is_all  false: step over what only passes on; true: only over the compiler.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_trigger_finder_new(snoopi_trigger_finder **out,
                                                           snoopi_trace *trace, bool is_all,
                                                           snoopi_error *err);
SNOOPI_API void snoopi_trigger_finder_free(snoopi_trigger_finder *finder);

/** Finds the trigger of `root`, as a walk yields it (depth 0). Returns 0 or SNOOPI_E_NOMEM. */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_trigger_find(snoopi_trigger_finder *finder,
                                                     const snoopi_frame *root,
                                                     snoopi_trigger *trigger, snoopi_error *err);

/** The function that made the call, where its instance is not known; NULL for other callers, and for none. */
SNOOPI_API const snoopi_place *snoopi_trigger_nameless_caller(const snoopi_trigger *trigger);

/** What is one row. The words are those of snoopi_triggers_by_name(). */
typedef enum {
    SNOOPI_TRIGGERS_BY_PAIR,   /* callee instance, caller instance, site, class */
    SNOOPI_TRIGGERS_BY_SITE,   /* file:line and function of the call */
    SNOOPI_TRIGGERS_BY_CALLEE, /* callee instance */
    SNOOPI_TRIGGERS_BY_METHOD, /* method of the caller */
    SNOOPI_TRIGGERS_BY_TREE    /* as pairs; below each what was triggered while its callee ran */
} snoopi_triggers_by;

typedef enum {
    SNOOPI_TRIGGERS_SORT_TOTAL, /* the greatest first, as also for the next three */
    SNOOPI_TRIGGERS_SORT_COUNT,
    SNOOPI_TRIGGERS_SORT_CALLEES,
    SNOOPI_TRIGGERS_SORT_CALLERS,
    SNOOPI_TRIGGERS_SORT_NAME
} snoopi_triggers_sort;

/** "pair", "site", … and "total", "count", … by number; NULL beyond the last. */
SNOOPI_API const char *snoopi_triggers_by_name(int by);
SNOOPI_API const char *snoopi_triggers_sort_name(int sort);

/** Begin with SNOOPI_TRIGGERS_INIT. */
typedef struct {
    snoopi_triggers_by by;
    snoopi_triggers_sort sort; /* of a tree: of siblings */
    bool is_all;               /* as for the finder */
    uint64_t tmin_ns; /* rows with less total are left out; of a tree: unless one below is kept */
    uint64_t limit;   /* rows kept; 0: all. Of a tree: the first of them */
    snoopi_scope scope;
    snoopi_filter filter; /* triggers whose callee or caller matches */
} snoopi_triggers_options;

// clang-format off
#define SNOOPI_TRIGGERS_INIT \
    {SNOOPI_TRIGGERS_BY_PAIR, SNOOPI_TRIGGERS_SORT_TOTAL, false, 0, 0, SNOOPI_SCOPE_ALL, {NULL, NULL, NULL}}
// clang-format on

/** A row. Text is borrowed from the trace; NULL where the rows of the key have none, or it is not known. */
typedef struct {
    const char *callee; /* name of the instance */
    const char *caller; /* name of the instance; by site of the function, by method of the method */
    const char *file;   /* of the site; by callee and by method of the method */
    uint32_t line;
    snoopi_trigger_class trigger_class; /* of all, else SNOOPI_TRIGGER_UNKNOWN */
    bool is_near;                       /* of all */
    uint32_t callee_instance;           /* 0 where rows have no one callee */
    uint32_t caller_instance;
    uint64_t total_ns; /* sum of the roots' totals */
    uint64_t count;    /* roots */
    uint64_t callees;  /* distinct instances */
    uint64_t callers;
    uint32_t n_places; /* the inlining chain at the site, of the first */
    const snoopi_place *places;
    uint32_t n_stack; /* the whole stack of the first, for snoopi_trace_code() */
    const uint32_t *stack;
    uint64_t first_root; /* id of the frame that these are of */
    int64_t parent;      /* by tree: index of the row above, −1: none */
    uint32_t depth;      /* by tree */
} snoopi_trigger_row;

/** Sorted rows. */
typedef struct snoopi_triggers snoopi_triggers;

/**
 * Gathers the triggers of a trace. Memory follows the number of distinct rows.
 *
 * @param out      NULL on failure; free with snoopi_triggers_free(), before the trace is closed.
 * @param options  NULL: SNOOPI_TRIGGERS_INIT.
 * @return as snoopi_scan_open() and snoopi_scan_next().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_triggers_new(snoopi_triggers **out, snoopi_trace *trace,
                                                     const snoopi_triggers_options *options,
                                                     snoopi_error *err);
SNOOPI_API void snoopi_triggers_free(snoopi_triggers *triggers);

/** Rows that are kept, and the row of an index below that. */
SNOOPI_API size_t snoopi_triggers_n_rows(const snoopi_triggers *triggers);
SNOOPI_API const snoopi_trigger_row *snoopi_triggers_row(const snoopi_triggers *triggers,
                                                         size_t index);

/** Rows that there would be without a limit. */
SNOOPI_API uint64_t snoopi_triggers_n_found(const snoopi_triggers *triggers);

/** Sums of the whole recording, and of the scope; how many of its roots have a stack. */
SNOOPI_API const snoopi_totals *snoopi_triggers_totals(const snoopi_triggers *triggers);
SNOOPI_API const snoopi_totals *snoopi_triggers_scope_totals(const snoopi_triggers *triggers);
SNOOPI_API uint64_t snoopi_triggers_n_stacks(const snoopi_triggers *triggers);

SNOOPI_END_DECLS
#endif
