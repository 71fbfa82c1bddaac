// SPDX-License-Identifier: MIT
#ifndef SNOOPI_GRAMMAR_H
#define SNOOPI_GRAMMAR_H

/**
 * @file
 * The strict grammar that what is written is read again by. It knows nothing of how it was written, and takes nothing but:
 *
 *     line     = "    " {NAME " === nothing || "} call ["   # " …] | "    " NAME " = " module | one of the fixed lines
 *     call     = "Base.precompile(" type ")" | "_precompile_body_(" path "," string {"," type} ")"
 *     type     = path ["{" [type {"," type}] "}"] | "typeof(" path ")" | "Core.kwftype(" type ")" | "(" type " where " bound ")"
 *              | number | "Int8(" number ")" | ":" NAME | "Symbol(" string ")" | "(" [type "," | type {"," type}] ")"
 *     bound    = [type "<:"] NAME ["<:" type] | NAME ">:" type
 *     path     = NAME {"." (NAME | "var" string | ":(" OPERATOR ")")}
 *     string   = '"' without quotes, backslashes, dollars (but in var"") and what can't be seen '"'
 *
 * Evaluating any such line looks up names, builds types and tuples, and calls Base.precompile(), whatever the names are.
 */
#include <stdbool.h>
#include <stddef.h>

/** Whether it is one call. */
bool snoopi__is_directive(const char *text, size_t size);

/** Whether it is a whole file: fixed lines, variables that hold modules, and calls. */
bool snoopi__is_directive_file(const char *text, size_t size);

/** Lines that stand in every file, or where they are needed. NULL beyond the last. */
typedef enum {
    LINES_PACKAGE, /* the function _precompile_package_ */
    LINES_BODY,    /* the function _precompile_body_ */
    LINES_BEGIN,   /* of the function _precompile_ */
    LINES_END,
    LINES_KINDS
} snoopi__fixed_lines;
const char *snoopi__directive_lines(snoopi__fixed_lines kind);

/** Words of Julia that can't be a name. */
bool snoopi__is_reserved_word(const char *text, size_t size);

/** Whether all characters can be seen, are UTF-8, and none ends a literal: not empty; no `"`, `\`, controls, bidirectional marks. */
bool snoopi__is_safe_text(const char *text, size_t size);

/** Whether it holds only what an operator may be made of. */
bool snoopi__is_operator_text(const char *text, size_t size);

#endif
