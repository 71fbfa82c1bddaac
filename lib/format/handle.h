// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HANDLE_H
#define SNOOPI_HANDLE_H

/**
 * @file
 * What an open trace shows to the layers above, beside snoopi/trace.h. lib/names prints names from the definitions, and
 * keeps what it printed with the trace.
 */
#include "base/arena.h"
#include "defs.h"
#include "snoopi/trace.h"

/** The definitions, all loaded when the trace was opened. */
const snoopi__defs *snoopi__trace_defs(const snoopi_trace *trace);

/**
 * The process that an instance or a node (WIRE_INSTANCE, WIRE_NODE) was defined for: the first that has it. NULL if none does.
 */
const snoopi_process *snoopi__trace_definer(const snoopi_trace *trace, uint32_t kind, uint32_t id);

/** Arena that lives as long as the trace. */
snoopi__arena *snoopi__trace_arena(snoopi_trace *trace);

/** What lib/names keeps; NULL until it is set. `clear` is called on it when the trace is closed. */
void *snoopi__trace_names(const snoopi_trace *trace);
void snoopi__trace_set_names(snoopi_trace *trace, void *names, void (*clear)(void *names));

#endif
