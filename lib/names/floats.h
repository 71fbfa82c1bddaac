// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FLOATS_H
#define SNOOPI_FLOATS_H

/**
 * @file
 * Floating point numbers as Julia (1.4 and later) shows them: the shortest decimal that reads back as the same number, with the
 * marks that tell the type (`1.0f0`, `Float16(1.0)`, `Inf32`). Independent of the locale.
 */
#include "boundtext.h"

void snoopi__put_float64(snoopi__text *out, uint64_t bits);
void snoopi__put_float32(snoopi__text *out, uint32_t bits);

/** @param wraps_zero  whether zeros are written as `Float16(0.0)` too. */
void snoopi__put_float16(snoopi__text *out, uint16_t bits, bool wraps_zero);

#endif
