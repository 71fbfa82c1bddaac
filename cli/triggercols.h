// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_TRIGGERCOLS_H
#define SNOOPI_CLI_TRIGGERCOLS_H

/**
 * @file
 * Columns of snoopi_trigger_row: what `snoopi triggers` and `snoopi report` show of triggers.
 */
#include <snoopi/triggers.h>

#include "listing.h"

enum { CLI_TRIGGER_COLUMNS = 19 };

/** What rows of a key have to say. `has_stack`: also the whole stack. */
void cli_trigger_columns(cli_column columns[CLI_TRIGGER_COLUMNS], snoopi_triggers_by by,
                         bool has_stack);

/** The columns of pairs for a table that is to be narrow. */
void cli_trigger_report_columns(cli_column columns[CLI_TRIGGER_COLUMNS]);

/** Puts a row with these columns. Shares are of the inference of `totals`. False when memory is short. */
bool cli_trigger_put(cli_listing *listing, snoopi_trace *trace, const snoopi_trigger_row *row,
                     size_t index, const snoopi_totals *totals);

/** The same as an object, for documents that are no listing. */
bool cli_trigger_put_json(snoopi_json *json, snoopi_trace *trace,
                          const cli_column columns[CLI_TRIGGER_COLUMNS],
                          const snoopi_trigger_row *row, size_t index);

/** Who called, for people: the caller's name, or why there is none. */
const char *cli_trigger_caller(const snoopi_trigger_row *row);

/** Where the call stands, for people, and where that is inlined: "a.jl:3, inlined at b.jl:7". To be freed. */
char *cli_trigger_site(const snoopi_trigger_row *row);

/** Prints a stack, a place on each line. */
void cli_trigger_print_stack(snoopi_trace *trace, const snoopi_trigger_row *row);

#endif
