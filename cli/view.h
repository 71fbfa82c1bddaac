// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_VIEW_H
#define SNOOPI_CLI_VIEW_H

/**
 * @file
 * What the commands that read a trace share: opening it, choosing a part of it, and telling its totals.
 */
#include <snoopi/aggregate.h>
#include <snoopi/json.h>

#include "listing.h"
#include "opt.h"

/** Which part: options of every command that walks over frames. */
typedef struct {
    const char *process;
    uint64_t from_ns;
    uint64_t to_ns;
    const char *after;
    const char *mark;
} cli_scope_args;

extern const cli_option cli_scope_options[];
#define CLI_SCOPE_ALL       \
    {                       \
        .to_ns = UINT64_MAX \
    }

snoopi_scope cli_scope(const cli_scope_args *args);

/** Which frames count. */
extern const cli_option cli_filter_options[]; /* of a snoopi_filter */

/** Rows: how many, in what order, in what format. */
typedef struct {
    int format;
    int sort;
    uint64_t limit;
    uint64_t tmin_ns;
} cli_rows_args;

extern const cli_option cli_rows_options[];
enum { CLI_TABLE_LIMIT = 30 };
#define CLI_LIMIT_NONE UINT64_MAX /* no --limit was given */
#define CLI_ROWS_DEFAULT                                  \
    {                                                     \
        .sort = SNOOPI_SORT_SELF, .limit = CLI_LIMIT_NONE \
    }

/** --limit, or what holds without: CLI_TABLE_LIMIT rows of a table, all in the formats for programs. */
uint64_t cli_limit(const cli_rows_args *args);

/**
 * Opens the trace that the operands name, CLI_DEFAULT_FILE if there are none. A folder of segments is packed into a temporary
 * file first. NULL, having said why, when that fails.
 */
snoopi_trace *cli_trace_open(int n_operands, char **operands);

/** Says on stderr what could not be read, if anything; after the frames were walked over. */
void cli_trace_warn(const snoopi_trace *trace);

/** Totals, and those of a scope if it is not the same, in a line each for people, on stdout. */
void cli_totals_print(const snoopi_totals *totals, const snoopi_totals *scope);

/**
 * "file:line" for a table: of a file that came with Julia what follows share/julia or the folder of its standard library, as in
 * "base/sort.jl:12". "" without a file.
 * To be freed.
 */
char *cli_place(const char *file, int32_t line);

/** Flags of a frame as words: "constprop repeated". Returns `text`. */
enum { CLI_FLAGS_SIZE = 160 };
char *cli_flags_text(char text[CLI_FLAGS_SIZE], uint32_t flags);

/** The same as a list; `flags` points to the uint32_t. */
void cli_flags_json(snoopi_json *json, const void *flags);

#endif
