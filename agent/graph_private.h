// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_GRAPH_PRIVATE_H
#define SNOOPI_AGENT_GRAPH_PRIVATE_H

/**
 * @file
 * What graph.c and typename.c share.
 */
#include "graph.h"

/** Writes a definition whose payload is its id and then `fields`; the id. */
uint32_t graph_define(uint32_t kind, const uint8_t *fields, size_t size);

/** Where to put fields that graph_define() will take; nothing else may be written meanwhile. */
uint8_t *graph_fields(void);

/** The id of an object that is known as `kind`, or 0. `check` is a word that changes when its address is used again. */
uint32_t graph_find(jl_any object, uint32_t kind, uint64_t check);
uint32_t graph_remember(jl_any object, uint32_t kind, uint64_t check, uint32_t id);
uint64_t graph_mix(jl_any a, jl_any b);

/** What stands inside the UnionAlls of a type. */
jl_any graph_unwrap(jl_any type);

/** Whether a UnionAll is what the TypeName at its core calls its wrapper. */
bool graph_is_wrapper(jl_any unionall);

uint32_t graph_typename(jl_any name);

/** Writes the aliases that types written so far may be shown by. */
void typename_write_pending(void);

#endif
