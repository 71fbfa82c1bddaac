// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TEMPFILE_H
#define SNOOPI_TEMPFILE_H

/**
 * @file
 * Files without a name, and writing to files.
 */
#include <stddef.h>
#include <stdint.h>

#include "snoopi/error.h"

/**
 * Opens a file in `dir` (NULL: $TMPDIR, else /tmp) that has no name and goes when it is closed.
 *
 * @return the descriptor, or a negative status.
 */
int snoopi__tempfile_open(const char *dir, snoopi_error *err);

/** Writes all bytes; `name` is for the message. Returns 0 or SNOOPI_E_IO. */
int snoopi__write_all(int fd, const void *bytes, size_t size, const char *name, snoopi_error *err);

/** Reads `size` bytes at `offset`. Returns how many there were before the end of the file, or −1 with errno. */
int64_t snoopi__read_at(int fd, void *bytes, size_t size, uint64_t offset);

#endif
