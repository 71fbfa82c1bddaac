// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_OBJECTS_H
#define SNOOPI_AGENT_OBJECTS_H

/**
 * @file
 * Which object file an address lies in. What is C is named from here: Julia would read the debug
 * information of the whole library for it.
 */
#include <stdint.h>

enum object_kind {
    OBJECT_NONE, /* made by the JIT */
    OBJECT_C,    /* a library, or the program itself */
    OBJECT_IMAGE /* compiled Julia: the system image, or a package's */
};

struct object_place {
    enum object_kind kind;
    const void *base;     /* tells objects apart */
    const char *file;     /* NULL: OBJECT_NONE */
    const char *function; /* "" when no exported symbol covers the address */
};

struct object_place object_at(uintptr_t address);

#endif
