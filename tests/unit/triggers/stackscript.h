// SPDX-License-Identifier: MIT
#ifndef SNOOPI_STACKSCRIPT_H
#define SNOOPI_STACKSCRIPT_H

/**
 * @file
 * Stacks from a line of text, so that a test shows what it is about. Words are places, innermost first:
 *
 *     f12      in f (g, h likewise), an instance of it, at line 12         e:NAME  entrance into the compiler
 *     +f12     the same, inlined into the next word                         c:NAME  C code
 *     ?        an address that was not looked up                            b:NAME  a function of Base
 *     !13      a thunk's code, at line 13                                   t:NAME  a function of the Test package
 */
#include "tests/unit/format/segbuilder.h"

typedef struct {
    segbuilder b;
    uint64_t n_strings;
    uint64_t n_codes;
    char known[64][64]; /* words of codes, so that equal ones are one address */
} stackscript;

/** Begins a segment with the definitions of sb_definitions(): instances 1 to 3 are f, g and h, 5 is a thunk. */
void ss_init(stackscript *s);
void ss_clear(stackscript *s);

/** A root of 10 ns with that stack; "": none. */
void ss_root(stackscript *s, uint64_t instance, const char *stack);

/** The top-level line from now on. */
void ss_line(stackscript *s, uint64_t line);

#endif
