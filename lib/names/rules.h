// SPDX-License-Identifier: MIT
#ifndef SNOOPI_RULES_H
#define SNOOPI_RULES_H

/**
 * @file
 * How the versions of Julia differ in what `show` prints. A difference is a field here, and a version a row of the table in
 * rules.c; nowhere else is a version asked for.
 */
#include <stdbool.h>
#include <stdint.h>

typedef struct snoopi__rules {
    uint16_t major;
    uint16_t minor; /* the first version that the row describes */

    const char *parameter_separator; /* "Array{Int64,1}" */
    bool has_strided_unions;         /* StridedArray{T,N} for the union that it is */
} snoopi__rules;

/** The row for a version ("1.5.3", "1.12.0-DEV"): the newest that is not newer, or the oldest; never NULL. */
const snoopi__rules *snoopi__rules_of(const char *julia_version);

#endif
