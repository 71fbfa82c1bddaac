// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TYPEGRAPH_H
#define SNOOPI_TYPEGRAPH_H

/**
 * @file
 * Questions about the type graph that printing needs answered. All walk it with a stack of their own, so depth is no
 * danger, and count their steps, so time is bounded: a graph can stand for a type that is exponentially larger.
 */
#include "base/buffer.h"
#include "format/defs.h"

typedef struct {
    const snoopi__defs *defs;
    uint64_t steps_left; /* at 0 the answer is what is known by then */

    /* Whether a type variable is in a node or below, for nodes below n_marked. */
    unsigned char *has_variables;
    uint32_t n_marked;

    /* Nodes that the search in progress has seen. */
    uint32_t *seen;
    uint32_t n_seen;
    uint32_t search;

    uint32_t *stack;
    size_t n_stack;
    size_t stack_capacity;

    struct graph_pair *pairs;
    size_t n_pairs;
    size_t pairs_capacity;
} snoopi__graph;

void snoopi__graph_init(snoopi__graph *graph, const snoopi__defs *defs);
void snoopi__graph_clear(snoopi__graph *graph);

/** A node; one of form 0 for an id that is not defined. The same for the other kinds. */
const def_node *snoopi__node(const snoopi__defs *defs, uint32_t id);
const def_typename *snoopi__typename(const snoopi__defs *defs, uint32_t id);
const def_module *snoopi__module(const snoopi__defs *defs, uint32_t id);
const def_string *snoopi__string(const snoopi__defs *defs, uint32_t id);

/** Typename of a DATATYPE, also below `where`s; one of zeros for other nodes. */
const def_typename *snoopi__typename_of(const snoopi__defs *defs, uint32_t node);

/** Whether a string is `word`. */
bool snoopi__string_is(const snoopi__defs *defs, uint32_t id, const char *word);

/** Whether a typename is `name` of the root module `module` or of a module in it. */
bool snoopi__typename_is(const snoopi__defs *defs, const def_typename *tn, const char *module,
                         const char *name);

/** Whether a node is the DataType `name` of the root module `module`. */
bool snoopi__is_type(const snoopi__defs *defs, uint32_t node, const char *module, const char *name);

/** Whether the typename `name` is `ancestor` or was declared as a subtype of it, as far as is known. */
bool snoopi__descends(const snoopi__defs *defs, uint32_t name, uint32_t ancestor);

/** jl_has_typevar: whether `variable` occurs free in `node`. */
bool snoopi__has_variable(snoopi__graph *graph, uint32_t node, uint32_t variable);

/** jl_has_free_typevars */
bool snoopi__has_free_variables(snoopi__graph *graph, uint32_t node);

/** `===` of types and values: variables that are bound inside need the same names and bounds, not be the same. */
bool snoopi__is_egal(snoopi__graph *graph, uint32_t a, uint32_t b);

/** Variables of a pattern, and what they stand for; 0: not known yet. */
typedef struct {
    uint32_t variables[16];
    uint32_t values[16];
    uint32_t n;
} snoopi__match;

/** Whether `node` is what `pattern` becomes when its variables are given values; finds those that are not known. */
bool snoopi__unify(snoopi__graph *graph, snoopi__match *match, uint32_t pattern, uint32_t node);

#endif
