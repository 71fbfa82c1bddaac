// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_GRAPH_H
#define SNOOPI_AGENT_GRAPH_H

/**
 * @file Writes what frames refer to as definitions (docs/format.md 1.1, 1.2), each once per
 * process, but for what is not worth looking for. Ids are returned; 0 means that it could not be written, which is counted as a dropped
 * record.
 *
 * Things are known by address. Julia frees types that nobody uses and gives their address to
 * others, so an entry also remembers the words that make the thing what it is, and is void when
 * they changed.
 */
#include <stdint.h>

#include "julia/julia.h"
#include "record/segment_writer.h"

/**
 * Takes the lock on the definitions for `writer`, through which they are written. All functions
 * below need it. It may be taken again by the same thread after a jump.
 */
void graph_begin(struct segment_writer *writer);
void graph_end(void);

/**
 * Id of a MethodInstance. A thunk is known by where it stands (`thunk_source`: its CodeInfo, may
 * be NULL), not by its address, which will be used again.
 */
uint32_t graph_instance(jl_any instance, jl_any thunk_source);

/** Has the processor fetch what graph_instance() will look at. Needs no lock. */
void graph_expect_instance(jl_any instance);

/** The MethodInstance of an id; NULL if it is a thunk's, or its method is gone. Needs no lock. */
jl_any graph_live_instance(uint32_t id);

/** Writes that an instance was inferred to return `type`, unless that was the last written of it. Takes the lock itself. */
void graph_result(struct segment_writer *writer, uint32_t id, jl_any type);

/** Takes the memory that most programs need, so that the first frames do not pay for it. */
void graph_prepare(void);

/** Id of a file by its name. */
uint32_t graph_file(const char *name);

uint32_t graph_file_of(jl_any symbol);

/** Id of a string. */
uint32_t graph_text(const char *text, size_t size);

/* For value.c. */

/** Id of the node of a type (or of a value that stands among a type's parameters). */
uint32_t graph_type(jl_any type);
uint32_t graph_symbol_string(jl_any symbol);
uint32_t graph_module(jl_any module);
bool graph_is_type(jl_any object);

/**
 * Whether a fresh module sees `symbol` and means what `module` means by it: exported by Base or
 * Core, not deprecated.
 */
bool graph_is_visible(jl_any module, jl_any symbol);

/** Writes a NODE with `size` bytes of form and fields; equal ones share an id. */
uint32_t graph_node(const uint8_t *fields, size_t size);

/**
 * Id of a node that was remembered for an object, which is a type where `bits` are of a value: `form` says what it tells. 0 when there is none. So a value that is met
 * again takes one look-up, where that of its parts, then of its fields, would be two of which one waits for the other.
 */
uint32_t graph_find_form(jl_any object, uint32_t form, uint64_t bits);
uint32_t graph_remember_form(jl_any object, uint32_t form, uint64_t bits, uint32_t id);

/** Has the processor fetch what graph_find_form() will look at. Needs no lock. */
void graph_expect_form(jl_any object, uint32_t form, uint64_t bits);

/** A node that says that something was left out. */
uint32_t graph_cut(void);

/** Id of the node of a constant value; `depth` is how far fields of fields are followed. */
uint32_t value_node(jl_any value, int depth);

/** Has the processor fetch what value_node() will look for. Needs no lock. */
void value_expect(jl_any value);

/** Id of the node of a PartialStruct. */
uint32_t value_partial(jl_any partial, int depth);

#endif
