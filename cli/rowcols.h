// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_ROWCOLS_H
#define SNOOPI_CLI_ROWCOLS_H

/**
 * @file
 * Columns of snoopi_row, for the commands whose rows are such: equal fields have equal names everywhere.
 */
#include <snoopi/aggregate.h>

#include "listing.h"

enum { CLI_ROW_COLUMNS = 20 };

/** What rows of a key have to say: the columns that a table shows, and the fields of the other formats. */
void cli_row_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by, bool has_gc);

/** The same for the nodes of a tree, which have an id, a parent and a depth besides. */
void cli_row_tree_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by);

/** The same for a table that is to be narrow. */
void cli_row_report_columns(cli_column columns[CLI_ROW_COLUMNS], snoopi_by by);

/** Puts a row with these columns. Shares are of the inference of `totals`. False when memory is short. */
bool cli_row_put(cli_listing *listing, const snoopi_row *row, const snoopi_totals *totals);

/** The same as an object, for documents that are no listing. False when memory is short. */
bool cli_row_put_json(snoopi_json *json, const cli_column columns[CLI_ROW_COLUMNS],
                      const snoopi_row *row);

#endif
