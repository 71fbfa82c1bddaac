// SPDX-License-Identifier: MIT
#ifndef SNOOPI_JSON_H
#define SNOOPI_JSON_H

/**
 * @file
 * Writes JSON as a stream: what was given is on its way to the file, nothing is kept but a bit per open container. Commas,
 * line breaks and escapes are the writer's, so the text is valid as long as the calls nest; that they do is asserted.
 *
 * Text stays UTF-8 as it is. Control characters are escaped, and bytes that are not UTF-8 become U+FFFD, so the
 * output is valid whatever a program called its functions. Equal calls give equal bytes.
 *
 * Errors are those of the FILE: check ferror() or fclose() at the end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scope.h"

SNOOPI_BEGIN_DECLS

enum { SNOOPI_JSON_DEPTH_MAX = 31 };

/** A writer, in the caller's storage. Fields are the writer's own. */
typedef struct {
    FILE *out;           /* borrowed */
    uint32_t is_array;   /* a bit for each open container */
    uint32_t has_items;  /* likewise */
    unsigned depth;      /* open containers */
    unsigned line_depth; /* items of containers that lie less deep stand on lines of their own */
    bool has_key;        /* a key waits for its value */
} snoopi_json;

/**
 * Starts a document on `out`.
 *
 * @param line_depth  0 for all on one line, 1 to put the members of the outermost container on lines of their own, and so on.
 */
SNOOPI_API void snoopi_json_init(snoopi_json *json, FILE *out, unsigned line_depth);

SNOOPI_API void snoopi_json_begin_object(snoopi_json *json);
SNOOPI_API void snoopi_json_end_object(snoopi_json *json);
SNOOPI_API void snoopi_json_begin_array(snoopi_json *json);
SNOOPI_API void snoopi_json_end_array(snoopi_json *json);

/** The key of the value that comes next. Inside of objects only. */
SNOOPI_API void snoopi_json_key(snoopi_json *json, const char *key);

SNOOPI_API void snoopi_json_string(snoopi_json *json, const char *text);
SNOOPI_API void snoopi_json_string_n(snoopi_json *json, const char *text, size_t size);
SNOOPI_API void snoopi_json_uint(snoopi_json *json, uint64_t value);
SNOOPI_API void snoopi_json_int(snoopi_json *json, int64_t value);

/** Nanoseconds as microseconds, with three decimals: exact, which a double is not always. */
SNOOPI_API void snoopi_json_micros(snoopi_json *json, uint64_t ns);

SNOOPI_API void snoopi_json_bool(snoopi_json *json, bool value);
SNOOPI_API void snoopi_json_null(snoopi_json *json);

/** Members of an object: a key and its value. */
static inline void snoopi_json_member_string(snoopi_json *json, const char *key, const char *text)
{
    snoopi_json_key(json, key);
    snoopi_json_string(json, text);
}

static inline void snoopi_json_member_uint(snoopi_json *json, const char *key, uint64_t value)
{
    snoopi_json_key(json, key);
    snoopi_json_uint(json, value);
}

static inline void snoopi_json_member_int(snoopi_json *json, const char *key, int64_t value)
{
    snoopi_json_key(json, key);
    snoopi_json_int(json, value);
}

static inline void snoopi_json_member_bool(snoopi_json *json, const char *key, bool value)
{
    snoopi_json_key(json, key);
    snoopi_json_bool(json, value);
}

/** Member "totals", an object with all of snoopi_totals_field(), and "scope" with those that a scope has, if it is not the same. NULL: no scope. */
SNOOPI_API void snoopi_json_totals(snoopi_json *json, const snoopi_totals *totals,
                                   const snoopi_totals *scope);

/** Ends the line of a finished document: JSON Lines are documents that each end so. */
SNOOPI_API void snoopi_json_end_line(snoopi_json *json);

/**
 * Length of the UTF-8 character at `text`, 1 to 4; 0 if the bytes there are not one (also surrogates, overlong forms and
 * what lies above U+10FFFF), or if `size` is 0.
 */
SNOOPI_API size_t snoopi_utf8_length(const char *text, size_t size);

SNOOPI_END_DECLS
#endif
