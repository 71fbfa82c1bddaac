// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HTML_PARTS_H
#define SNOOPI_HTML_PARTS_H

/**
 * @file
 * The elements of a page that hold data, as export_html.c describes them: packed text in a script element.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <snoopi/json.h>

#include "base/buffer.h"

/** Writes what is in the outermost object. False when that failed. */
typedef bool snoopi__html_put_members(void *payload, snoopi_json *json);

/**
 * Writes an element with the id `id` that holds an object as JSON.
 *
 * @return false when `put` failed or memory is short. Errors of the stream stay in it.
 */
bool snoopi__html_put_json(FILE *out, const char *id, snoopi__html_put_members *put, void *payload);

/** Writes an element of the class `kind` that holds frames as columns, and empties these. Returns as snoopi__html_put_json(). */
bool snoopi__html_put_block(FILE *out, const char *kind, uint32_t n_frames, snoopi__buffer *columns,
                            size_t n_columns);

#endif
