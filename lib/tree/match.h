// SPDX-License-Identifier: MIT
#ifndef SNOOPI_MATCH_H
#define SNOOPI_MATCH_H

/**
 * @file
 * Which row of one recording is which of another: the rules of snoopi/diff.h.
 */
#include "diffside.h"

/** Called once for each pair of rows, and for each row without a partner, whose other side is NULL. */
typedef void snoopi__match_visitor(void *payload, const snoopi__diff_entry *before,
                                   const snoopi__diff_entry *after);

/**
 * Matches the rows of two sides. Their entries are put in another order, and live as long as the sides do.
 *
 * @param by  what the rows are.
 * @return 0 or SNOOPI_E_NOMEM.
 */
int snoopi__match(snoopi__diffside sides[2], snoopi_by by, snoopi__match_visitor *visit,
                  void *payload);

#endif
