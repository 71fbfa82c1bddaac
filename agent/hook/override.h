// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_OVERRIDE_H
#define SNOOPI_AGENT_OVERRIDE_H

/**
 * @file
 * The other way into the compiler, for those who ask for it (--hook=override): its functions are redefined in Julia
 * (override.jl), where code can't be patched. It runs Julia code in the host and compiles the compiler's invalidated functions,
 * about a second at each start.
 *
 * It can't be done when the agent wakes, inside Julia's start. So the entry of Base._start in Julia's own data is put aside for one
 * that does it first: that runs after all of Julia is initialized and before any code of the user.
 */
#include <stdbool.h>

/**
 * Arranges for it. False with a reason when that can't be; else `done` is called once: with NULL when frames are reported from
 * now on, or with a reason.
 */
bool override_arrange(void (*done)(const char *reason), const char **reason);

#endif
