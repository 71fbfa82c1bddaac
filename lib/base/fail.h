// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FAIL_H
#define SNOOPI_FAIL_H

/**
 * @file
 * Failing in one statement: `return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));`
 */
#include "snoopi/error.h"

/**
 * Fills `*err` (if any) and returns `status`. errno is preserved, and noted when the status is SNOOPI_E_IO. Control
 * characters in the text, which a path may hold, become `?`: a message is one line.
 */
__attribute__((format(printf, 3, 4))) int snoopi__fail(snoopi_error *err, snoopi_status status,
                                                       const char *format, ...);

/** "out of memory", for the many places where that is all there is to say. */
int snoopi__fail_nomem(snoopi_error *err);

#endif
