// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PROCESSFIELDS_H
#define SNOOPI_PROCESSFIELDS_H

/**
 * @file
 * PROCESS and RECORDING records (format.md 3): fields with keys.
 */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/varint.h"
#include "snoopi/trace.h"

/** Puts the payload of a PROCESS record. `state` is that of the segment. */
void snoopi__process_put(snoopi__buffer *out, const snoopi_process *process, uint32_t state);

/**
 * Reads one. Its strings go to the arena. Nothing is checked but that the fields can be read.
 *
 * @param state  gets the state of the segment; 0: not known.
 * @return 0, SNOOPI_E_FORMAT or SNOOPI_E_NOMEM.
 */
int snoopi__process_get(snoopi_process *process, uint32_t *state, snoopi__arena *arena,
                        snoopi__cursor fields);

void snoopi__recording_put(snoopi__buffer *out, const snoopi_recording *recording);
int snoopi__recording_get(snoopi_recording *recording, snoopi__arena *arena, snoopi__cursor fields);

/** Splits NUL-joined arguments, which the result points into. NULL when memory is short. */
const char *const *snoopi__argv_split(snoopi__arena *arena, const char *joined, size_t size,
                                      uint32_t *argc);

#endif
