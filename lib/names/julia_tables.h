// SPDX-License-Identifier: MIT
#ifndef SNOOPI_JULIA_TABLES_H
#define SNOOPI_JULIA_TABLES_H

/**
 * @file
 * What Julia's parser thinks of characters and operators. Tables have a column for each syntax; tables.c is made by generate_tables.jl. Ask
 * through symbols.h.
 */
#include <stddef.h>
#include <stdint.h>

/** The parser of a version; a column of the tables. */
typedef enum {
    SYNTAX_1_5,
    SYNTAX_1_6,
    SYNTAX_1_7,
    SYNTAX_1_8,
    SYNTAX_1_9,
    SYNTAX_1_10,
    SYNTAX_1_11,
    SYNTAX_1_12,
    SYNTAXES
} snoopi__syntax;

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

/** Sorted, from 0: first character of a range << 8 | row of snoopi__char_kinds for all in it. */
extern const uint32_t snoopi__char_ranges[];
extern const size_t snoopi__n_char_ranges;
extern const uint8_t snoopi__char_kinds[][SYNTAXES]; /* TABLE_CHAR_* */

/** Sorted by bytes. */
extern const struct snoopi__operator {
    char word[6]; /* without the dot of `.+`, NUL-terminated */
    uint8_t kind; /* row of snoopi__operator_kinds */
} snoopi__operators[];
extern const size_t snoopi__n_operators;
extern const uint8_t snoopi__operator_kinds[][SYNTAXES]; /* TABLE_OPERATOR_*; 0: it is none */

#endif
