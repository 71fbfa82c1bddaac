// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ROLE_H
#define SNOOPI_ROLE_H

/**
 * @file
 * What a julia process is for, as its command line tells.
 */
#include <stdint.h>

#include "base/arena.h"

/**
 * The role: `main`, `precompile:NAME`, `worker` or `image`.
 *
 * @param image  the package whose cache is written, for when the command line does not tell; else "".
 * @return NULL when memory is short.
 */
const char *snoopi__role_of(snoopi__arena *arena, uint32_t argc, const char *const *argv,
                            const char *image);

#endif
