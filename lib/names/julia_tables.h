// SPDX-License-Identifier: MIT
#ifndef SNOOPI_JULIA_TABLES_H
#define SNOOPI_JULIA_TABLES_H

/**
 * @file
 * What Julia's parser thinks of characters and operators; julia_tables.c is made by generate_tables.jl. Ask through
 * symbols.h.
 */
#include <stddef.h>
#include <stdint.h>

enum {
    TABLE_CHAR_ID_START = 1,
    TABLE_CHAR_ID = 2,
    TABLE_CHAR_PRINT = 4,
    TABLE_CHAR_SUFFIX = 8 /* may follow an operator: `+₁` */
};

/** Sorted; the first begins at character 0. */
extern const uint32_t snoopi__char_ranges[];
extern const size_t snoopi__n_char_ranges;

enum {
    TABLE_OPERATOR_PLAIN = 1,  /* `+` is one */
    TABLE_OPERATOR_DOTTED = 2, /* `.+` is one */
    TABLE_OPERATOR_PLAIN_SUFFIX = 4,
    TABLE_OPERATOR_DOTTED_SUFFIX = 8
};

struct snoopi__operator {
    char word[6]; /* NUL-terminated */
    uint8_t flags;
};

/** Sorted by bytes. */
extern const struct snoopi__operator snoopi__operators[];
extern const size_t snoopi__n_operators;

#endif
