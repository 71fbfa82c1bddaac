// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FUZZ_INPUT_H
#define SNOOPI_FUZZ_INPUT_H

/**
 * @file
 * What fuzz targets share: any bytes as a file, and reading all that libsnoopi can read of it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pagewriter.h"
#include "snoopi/advice.h"
#include "snoopi/precompile.h"
#include "snoopi/trace.h"
#include "snoopi/triggers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Ends the program, as a finding, unless it is so. */
void fuzz_demand(bool is_so, const char *what);

/** A file in memory with these bytes; `path` opens it while the descriptor is open. */
int fuzz_file(const void *data, size_t size, char path[static 32]);

/**
 * A trace without a name, of pages that are compressed and given their checksums here: kind (1 byte), size (3 bytes,
 * little-endian), that many bytes; again and again. `path` opens it until the writer is closed.
 */
void fuzz_pages(snoopi__pagewriter *writer, const uint8_t *data, size_t size, char path[static 32]);

/**
 * Reads all of a trace: processes, marks, frames, names, and aborts if two readings differ.
 *
 * @param is_ours  libsnoopi packed it, so that what a trace promises must hold.
 */
void fuzz_read(snoopi_trace *trace, bool is_ours);

/** Opens the file, reads it if it opens, and aborts if an error says nothing. */
void fuzz_open(const char *path, bool is_ours);

#endif
