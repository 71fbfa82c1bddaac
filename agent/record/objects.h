// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_OBJECTS_H
#define SNOOPI_AGENT_OBJECTS_H

/**
 * @file
 * Which object file an address lies in. What is C is named from here: Julia would read the debug
 * information of the whole library for it.
 */
#include <stddef.h>
#include <stdint.h>

enum object_kind {
    OBJECT_NONE, /* made by the JIT */
    OBJECT_C,    /* a library, or the program itself */
    OBJECT_IMAGE /* compiled Julia: the system image, or a package's */
};

struct object_place {
    enum object_kind kind;
    const uint8_t *address;
    const void *base;     /* tells objects apart */
    const char *file;     /* NULL: OBJECT_NONE */
    const char *function; /* "" when no exported symbol covers the address */
};

struct object_place object_at(uintptr_t address);

enum { BUILD_ID_MAX = 64 };

/** Size in memory of the object at `base`, and its build id: `*id_size` bytes, 0 if it has none. */
uint64_t object_extent(const void *base, uint8_t id[BUILD_ID_MAX], size_t *id_size);

#endif
