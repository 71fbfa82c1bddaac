// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_SQLITE_EXPORT_H
#define SNOOPI_CLI_SQLITE_EXPORT_H

/**
 * @file
 * A trace as an SQLite database (docs/sqlite.md). It is written here and not in the library, which Julia loads and which
 * therefore links nothing that Julia may have of its own.
 */
#include <snoopi/export.h>

/** Writes to `path` as snoopi_export_file() does, or to standard output. `options->format` does not matter. */
int cli_sqlite_export(snoopi_trace *trace, const snoopi_export_options *options, const char *path,
                      bool is_stdout, snoopi_error *err);

#endif
