// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PRECOMPILE_H
#define SNOOPI_PRECOMPILE_H

/**
 * @file
 * Precompile directives: what a package can ask Julia to infer when it is precompiled, so that its users need not wait for it.
 *
 * From each root downward, the first frame that a module can keep becomes a directive of that module, worth its total. Frames
 * that no module can keep are passed over, with the reason. Each nanosecond of inference in the scope is covered or has a
 * reason: covered + Σ left = inference.
 *
 * A module can keep what its package knows all types of: its own ones, Julia's, and those of packages that it depends on, as
 * far as the recording shows that. Up to Julia 1.8 it must have the method, too.
 *
 * Text is written from the decoded types, never from recorded text, and read again by a strict grammar before it is given out:
 * whatever bytes a trace has as names, a directive can look up names and types, and call precompile(), no more.
 */
#include <stddef.h>

#include "scope.h"

SNOOPI_BEGIN_DECLS

/** Why inference is not covered. The words are those of snoopi_precompile_reason_name(). */
typedef enum {
    SNOOPI_PRECOMPILE_MAIN,      /* code or types of Main, which is no package */
    SNOOPI_PRECOMPILE_TOPLEVEL,  /* top-level code */
    SNOOPI_PRECOMPILE_CONSTANTS, /* inferred anew for constant arguments */
    SNOOPI_PRECOMPILE_CLOSURE,   /* closures: their names differ from build to build */
    SNOOPI_PRECOMPILE_GENERATOR, /* bodies of generators */
    SNOOPI_PRECOMPILE_ABSTRACT, /* abstract argument types: precompile() does not take them as a rule */
    SNOOPI_PRECOMPILE_VALUE,   /* a parameter of a type is a value that has no literal */
    SNOOPI_PRECOMPILE_NAME,    /* a name that can't be written, or too long a type */
    SNOOPI_PRECOMPILE_UNKNOWN, /* no package is seen to know all the types */
    SNOOPI_PRECOMPILE_FOREIGN, /* a method that is not of the types' package: this Julia would not keep it */
    SNOOPI_PRECOMPILE_LOST,     /* a definition was lost */
    SNOOPI_PRECOMPILE_SMALL,    /* less than tmin */
    SNOOPI_PRECOMPILE_TOOL,     /* inferred while precompiling, or for a tool */
    SNOOPI_PRECOMPILE_FILTERED, /* of a module that was not asked for */
    SNOOPI_PRECOMPILE_REASONS
} snoopi_precompile_reason;

/** "main", "toplevel", …; NULL beyond the last. And a sentence of it. */
SNOOPI_API const char *snoopi_precompile_reason_name(int reason);
SNOOPI_API const char *snoopi_precompile_reason_text(int reason);

/** Begin with SNOOPI_PRECOMPILE_INIT. */
typedef struct {
    uint64_t tmin_ns;   /* frames of less total are left out, with all below them */
    const char *module; /* only directives of modules that match this pattern; NULL: all */
    snoopi_scope scope;
} snoopi_precompile_options;

// clang-format off
#define SNOOPI_PRECOMPILE_INIT {0, NULL, SNOOPI_SCOPE_ALL}
// clang-format on

/** A directive. Text is borrowed from the precompile or the trace. */
typedef struct {
    const char *text;  /* "Base.precompile(Tuple{typeof(f),Int64})" */
    uint32_t instance; /* one that it is for */
    uint64_t total_ns; /* what it is worth: the greatest total of a frame, summed over processes */
    uint64_t count;    /* frames that it covers */
} snoopi_directive;

/** A module with directives, those of most worth first. */
typedef struct {
    const char *module;  /* "Foo.Sub" */
    const char *package; /* "Foo" */
    const char *file;    /* "precompile_Foo.Sub.jl" */
    uint64_t total_ns;   /* sum of its directives' */
    uint64_t covered_ns; /* inference that they cover: frames that came again count again */
    size_t n_directives;
    const snoopi_directive *directives;
} snoopi_precompile_module;

/** Inference that is not covered. */
typedef struct {
    uint64_t ns;
    uint64_t frames;   /* that were passed over */
    uint32_t instance; /* the one of them that took most; 0: none */
} snoopi_precompile_left;

/** Modules and directives, those of most worth first. */
typedef struct snoopi_precompile snoopi_precompile;

/**
 * Finds directives. Memory follows the number of instances and of the directives' text.
 *
 * @param out      NULL on failure; free with snoopi_precompile_free(), before the trace is closed.
 * @param options  NULL: SNOOPI_PRECOMPILE_INIT.
 * @return as snoopi_scan_open() and snoopi_scan_next().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_precompile_new(snoopi_precompile **out, snoopi_trace *trace,
                                                       const snoopi_precompile_options *options,
                                                       snoopi_error *err);
SNOOPI_API void snoopi_precompile_free(snoopi_precompile *precompile);

SNOOPI_API size_t snoopi_precompile_n_modules(const snoopi_precompile *precompile);
SNOOPI_API const snoopi_precompile_module *snoopi_precompile_module_at(
    const snoopi_precompile *precompile, size_t index);

/** What a reason stands for; all zeros beyond the last. */
SNOOPI_API snoopi_precompile_left snoopi_precompile_left_for(const snoopi_precompile *precompile,
                                                             int reason);

/** Inference that is covered; sums of the whole recording, and of the scope. */
SNOOPI_API uint64_t snoopi_precompile_covered_ns(const snoopi_precompile *precompile);
SNOOPI_API const snoopi_totals *snoopi_precompile_totals(const snoopi_precompile *precompile);
SNOOPI_API const snoopi_totals *snoopi_precompile_scope_totals(const snoopi_precompile *precompile);

/**
 * The file of a module, which is to be included in it: it defines `_precompile_()`, and does nothing else.
 *
 * @param size  its bytes, without the NUL behind them.
 * @return text of the precompile's; NULL if the index is out of range or memory is short.
 */
SNOOPI_API const char *snoopi_precompile_file_text(snoopi_precompile *precompile, size_t index,
                                                   size_t *size);

/**
 * Writes the files of all modules into a folder, which is made if it is not there. Each takes the place of one that was there
 * when it is whole.
 *
 * @return 0, SNOOPI_E_NOMEM or SNOOPI_E_IO.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_precompile_write(snoopi_precompile *precompile,
                                                         const char *folder, snoopi_error *err);

SNOOPI_END_DECLS
#endif
