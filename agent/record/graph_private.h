// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_GRAPH_PRIVATE_H
#define SNOOPI_AGENT_GRAPH_PRIVATE_H

/**
 * @file
 * What graph.c, typenode.c and typename.c share.
 */
#include "intern.h"
#include "record/graph.h"

/** Kinds of keys beyond those of definitions, which are known by addresses. */
enum {
    KIND_NODE_CONTENT = WIRE_DEF_KINDS,
    KIND_TEXT_CONTENT,
    KIND_THUNK_CONTENT,
    KIND_FILE_CONTENT,
    KIND_INT64,
    KIND_FORM,                 /* and the form of a node */
    KIND_ALIASES_OF = 1 << 16, /* modules whose aliases are written */
    KIND_COMPILER_OF_BASE      /* the compiler as what its modules are in */
};

/** What is known, and its ids. */
extern struct intern_table graph_ids;

/** Writes a definition whose payload is its id and then `fields`; the id. */
uint32_t graph_define(uint32_t kind, const uint8_t *fields, size_t size);

/** Where to put fields that graph_define() will take; nothing else may be written meanwhile. */
uint8_t *graph_fields(void);

/** The id of an object that is known as `kind`, or 0. `check` is a word that changes when its address is used again. */
uint32_t graph_find(jl_any object, uint32_t kind, uint64_t check);
uint32_t graph_remember(jl_any object, uint32_t kind, uint64_t check, uint32_t id);
static inline uint64_t graph_mix(jl_any a, jl_any b)
{
    return intern_mix((uintptr_t)a, (uintptr_t)b);
}

/** What stands inside the UnionAlls of a type. */
jl_any graph_unwrap(jl_any type);

/** Whether a UnionAll is what the TypeName at its core calls its wrapper. */
bool graph_is_wrapper(jl_any unionall);

uint32_t graph_typename(jl_any name);

void typenode_prepare(void);

/** For graph_begin(). */
void typenode_begin(void);

/** Has the processor fetch what graph_type() will look at. */
void typenode_expect(jl_any type);

/**
 * Id of the node of the arguments' types of an instance of a method with signature `sig`. They begin with the function's, so the
 * signature is all that is likely to be the same type. Nothing else is looked for: what is written twice for once is one node again in the trace.
 */
uint32_t typenode_of_arguments(jl_any spec, jl_any sig);

/** Writes the aliases that a module gives to types. */
void typename_write_aliases(jl_any module);

/** Has graph_end() write a type, or the aliases of a module, when nothing else is under way. */
void graph_later(jl_any object);

#endif
