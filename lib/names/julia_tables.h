// SPDX-License-Identifier: MIT
#ifndef SNOOPI_JULIA_TABLES_H
#define SNOOPI_JULIA_TABLES_H

/**
 * @file
 * What Julia's parser thinks of characters and operators, by version; tables_*.c are made by generate_tables.jl. Ask through
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

enum {
    TABLE_OPERATOR_PLAIN = 1,  /* `+` is one */
    TABLE_OPERATOR_DOTTED = 2, /* `.+` is one */
    TABLE_OPERATOR_PLAIN_SUFFIX = 4,
    TABLE_OPERATOR_DOTTED_SUFFIX = 8,
    TABLE_OPERATOR_PLAIN_SYNTAX =
        16, /* it can't be the name of a function: `&&`. Not told for 1.5 */
    TABLE_OPERATOR_DOTTED_SYNTAX = 32
};

struct snoopi__operator {
    char word[6]; /* NUL-terminated */
    uint8_t flags;
};

typedef struct snoopi__syntax {
    const uint32_t *
        char_ranges; /* sorted, from 0: first character of a range << 4 | TABLE_CHAR_* of all in it */
    size_t n_char_ranges;
    const struct snoopi__operator *operators; /* sorted by bytes */
    size_t n_operators;
} snoopi__syntax;

extern const snoopi__syntax snoopi__syntax_1_5;
extern const snoopi__syntax snoopi__syntax_1_6;
extern const snoopi__syntax snoopi__syntax_1_7;
extern const snoopi__syntax snoopi__syntax_1_8;
extern const snoopi__syntax snoopi__syntax_1_9;
extern const snoopi__syntax snoopi__syntax_1_10;
extern const snoopi__syntax snoopi__syntax_1_11;
extern const snoopi__syntax snoopi__syntax_1_12;

#endif
