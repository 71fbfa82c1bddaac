// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PAGEREADER_H
#define SNOOPI_PAGEREADER_H

/**
 * @file
 * Reads pages of a trace (format.md 3): heads, which are enough to hop from page to page, and what is inside.
 */
#include <stddef.h>
#include <stdint.h>

#include "snoopi/error.h"

struct ZSTD_DCtx_s;

/** Bytes behind the last of a page that may be read, and are zero: a decoder need not look at each byte's bound. */
enum { SNOOPI__PAGE_SLACK = 256 };

typedef struct {
    uint16_t kind;
    uint32_t stored_size;
    uint32_t raw_size;
    uint64_t checksum;
} snoopi__pagehead;

/** Zero-initialize it to begin. */
typedef struct {
    struct ZSTD_DCtx_s *zstd;
    unsigned char *stored;
    size_t stored_capacity;
    unsigned char *raw; /* the page that was read last, and the slack */
    size_t raw_capacity;
    size_t size; /* of that page */
} snoopi__pagereader;

void snoopi__pagereader_clear(snoopi__pagereader *reader);

/**
 * Reads the head of the page at `offset`, and checks that its bytes lie before `end`.
 *
 * @param why  static text on SNOOPI_E_FORMAT.
 * @return 0, SNOOPI_E_FORMAT, or SNOOPI_E_IO with errno.
 */
int snoopi__pagehead_read(snoopi__pagehead *head, int fd, uint64_t offset, uint64_t end,
                          const char **why);

/** Reads the page at `offset`, whose head was read. Returns as snoopi__pagehead_read(), or SNOOPI_E_NOMEM. */
int snoopi__pagereader_read(snoopi__pagereader *reader, int fd, uint64_t offset,
                            const snoopi__pagehead *head, const char **why);

#endif
