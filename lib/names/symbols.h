// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SYMBOLS_H
#define SNOOPI_SYMBOLS_H

/**
 * @file
 * Symbols, strings and characters as Julia shows them: which are identifiers or operators, and how the rest is quoted.
 */
#include "boundtext.h"
#include "julia_tables.h"

/** A character as Julia's Char has it: UTF-8 bytes in the high end of a word, so that malformed ones exist. */
typedef uint32_t snoopi__char;

/** Takes one character as Julia's string iteration does; `*at` < `size`. */
snoopi__char snoopi__next_char(const char *bytes, size_t size, size_t *at);

bool snoopi__is_identifier(snoopi__syntax syntax, const char *bytes, size_t size);
bool snoopi__is_operator(snoopi__syntax syntax, const char *bytes, size_t size);

/** Whether the first character may begin an identifier. */
bool snoopi__starts_identifier(snoopi__syntax syntax, const char *bytes, size_t size);

/** Whether it is one of `: :: := = == === =>`, which are shown in parentheses when they are quoted. */
bool snoopi__is_quoted_symbol(const char *bytes, size_t size);

/** As part of an expression: `x`, `+`, `var"a b"`. */
void snoopi__put_name(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size);

/** As a value: `:x`, `:+`, `:(==)`, `Symbol("a b")`. */
void snoopi__put_symbol(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size);

/** The inside of a String literal, without the quotes. */
void snoopi__put_escaped(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size);

/** A Char literal: `'a'`, `'\n'`, `'\u200b'`, `'\xff'`. */
void snoopi__put_char(snoopi__syntax syntax, snoopi__text *out, snoopi__char c);

#endif
