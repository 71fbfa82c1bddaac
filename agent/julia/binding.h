// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_BINDING_H
#define SNOOPI_AGENT_BINDING_H

/**
 * @file
 * What names mean in modules.
 */
#include <stdbool.h>
#include <stddef.h>

#include "julia/julia.h"

/** What a module says of a name, without resolving anything. */
struct binding_view {
    jl_any value; /* NULL: not bound */
    /* the module, or its binding, or the value of a constant; the same for all who share it. NULL: not resolved */
    jl_any owner;
    bool is_own; /* the module has it from no other */
    bool exported;
    bool deprecated;
    bool constant;
};

/** Up to Julia 1.9 a name is as if it were not bound while another thread adds names to the module and is held up in that. */
struct binding_view binding_find(jl_any module, jl_any symbol);

/**
 * The name of a constant of `module` whose type is `type` and whose first `size` bytes are those
 * at `data`; NULL when there is none, or when another thread changes the module meanwhile.
 */
jl_any binding_constant_name(jl_any module, jl_any type, const void *data, size_t size);

/** Visits what `names(module)` lists, as far as it is constant and not deprecated. */
void binding_each_constant(jl_any module,
                           void (*visit)(jl_any module, jl_any symbol, jl_any value));

/** What the first name of `module` is bound to that begins with `prefix`; of bindings with partitions. NULL: there is none. */
jl_any binding_with_prefix(jl_any module, const char *prefix);

#endif
