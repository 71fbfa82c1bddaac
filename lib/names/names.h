// SPDX-License-Identifier: MIT
#ifndef SNOOPI_NAMES_H
#define SNOOPI_NAMES_H

/**
 * @file
 * Names of instances, types, values, functions and modules, from the definitions of a trace or segment: exactly what `show`
 * of the recorded Julia prints with a fresh, empty module as the IOContext's :module, without the words "MethodInstance for " and
 * without the prefix "Main." of paths. So a name is the same at any moment and in any process.
 *
 * What can't be known without running the program are the show methods of its own types: a value of such a type, as a
 * parameter of a type, is shown as Base's default does.
 *
 * A text is written behind what its buffer holds. It is bounded: see boundtext.h.
 */

#include "boundtext.h"
#include "format/defs.h"
#include "snoopi/trace.h"

enum {
    SNOOPI__NAME_LIMIT = 64 << 10,      /* bytes, for listings */
    SNOOPI__NAME_LIMIT_WHOLE = 16 << 20 /* bytes, where the whole was asked for */
};

typedef struct snoopi__names snoopi__names;

/**
 * @param defs           outlive the names; what is added later is seen.
 * @param julia_version  "1.5.3"; "" counts as the oldest version that is known.
 * @return NULL when memory is short.
 */
snoopi__names *snoopi__names_new(const snoopi__defs *defs, const char *julia_version);
void snoopi__names_free(snoopi__names *names);

/**
 * Name of an instance: `f(::Int64)`, `(::Foo)(::Int64) where T`.
 *
 * @param max_depth  parameter lists nested deeper than this become "…"; 0: none do.
 */
void snoopi__put_instance(snoopi__names *names, snoopi__text *out, uint32_t instance,
                          unsigned max_depth);

/**
 * The same with those arguments before their types that a frame was inferred for as constants: `getproperty(::P, x::Symbol)`. Not in
 * what a vararg method takes up.
 */
void snoopi__put_frame(snoopi__names *names, snoopi__text *out, uint32_t instance, uint32_t n_args,
                       const snoopi_arg *args);

/** A type or value, as an argument or parameter: `Array{Int64,1}`, `:x`, `"text"`, `::T` for what is known by its type only. */
void snoopi__put_node(snoopi__names *names, snoopi__text *out, uint32_t node, unsigned max_depth);

/** Version of Julia that a trace is of: that of the first process of which it is known; "" if it is of none. */
const char *snoopi__julia_version(const snoopi_trace *trace);

/** Path of a module: `LinearAlgebra.BLAS`; `Main`, but `M` for Main.M. */
void snoopi__put_module(snoopi__text *out, const snoopi__defs *defs, uint32_t module);

/** Name of the root module that a module lies in. A string. */
uint32_t snoopi__package_of(const snoopi__defs *defs, uint32_t module);

/** Module of an instance. */
uint32_t snoopi__module_of(const snoopi__defs *defs, uint32_t instance);

/**
 * The user's function that a method belongs to: `kw` for what sorts its keywords (a method of `kw##kw`, or from 1.9 on of
 * `Core.kwcall`) and for their body `#kw#12`; else the method's name as it is.
 */
void snoopi__put_function(snoopi__text *out, const snoopi__defs *defs, uint32_t method);

/** Key of an instance, which is the same in other processes and recordings: module, name, file, line; tabs between. */
void snoopi__put_instance_key(snoopi__names *names, snoopi__text *out, uint32_t instance);

#endif
