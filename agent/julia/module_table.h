// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_MODULE_TABLE_H
#define SNOOPI_AGENT_MODULE_TABLE_H

/**
 * @file
 * The hash table that a module of Julia up to 1.9 keeps its bindings in.
 *
 * Julia's own look-up takes the module's lock, which runs finalizers when it is released and may wait for a collection. Here
 * the table is read without it. With one thread nothing can change meanwhile. With several, a thread that holds the lock may
 * add names, move all to a larger table and free the smaller one at any moment: what is read is copied by the system, which
 * tells when it is no longer there, and counts only if neither the lock was held before nor the table was another one
 * afterwards. Bindings themselves stay where they are as long as their module.
 */
#include <stdbool.h>

#include "julia/julia.h"

/** The binding of a name; NULL when there is none, or when another thread held the lock all the time. It waits for some µs at most. */
char *module_table_find(jl_any module, jl_any symbol);

/** Said of a name and its binding; true when the visitor has enough. */
typedef bool module_table_visitor(jl_any symbol, char *binding, void *context);

/** Visits all bindings once; not all of them, if another thread moves them meanwhile. */
void module_table_each(jl_any module, module_table_visitor *visit, void *context);

#endif
