// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_PHRASE_H
#define SNOOPI_AGENT_PHRASE_H

/**
 * @file
 * Texts in buffers of a fixed size. stdio is not used: it may allocate.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Appends as much of a word as there is room for. */
static inline void phrase_add(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    const size_t n = strnlen(word, size - 1 - used);
    memcpy(text + used, word, n);
    text[used + n] = '\0';
}

static inline void phrase_add_number(char *text, size_t size, uint64_t number)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    phrase_add(text, size, at);
}

#endif
