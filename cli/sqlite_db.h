// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_SQLITE_DB_H
#define SNOOPI_CLI_SQLITE_DB_H

/**
 * @file
 * A database that is written: rows by a letter for each column. It remembers the first failure, after which nothing happens any more;
 * the writer of many rows asks once.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include <snoopi/error.h>

/** What rows are put into, and what is looked up; the statements are in sqlite_db.c. */
typedef enum {
    CLI_DB_META,
    CLI_DB_PROCESS,
    CLI_DB_MODULE,
    CLI_DB_FIND_MODULE,
    CLI_DB_FILE,
    CLI_DB_FIND_FILE,
    CLI_DB_METHOD,
    CLI_DB_FIND_METHOD,
    CLI_DB_INSTANCE,
    CLI_DB_STRING,
    CLI_DB_FIND_STRING,
    CLI_DB_FLAG,
    CLI_DB_FRAME,
    CLI_DB_ARGUMENT,
    CLI_DB_SUMS,
    CLI_DB_KEY,
    CLI_DB_FIND_KEY,
    CLI_DB_TRIGGER,
    CLI_DB_STACK,
    CLI_DB_FIND_STACK,
    CLI_DB_CODE,
    CLI_DB_PLACE,
    CLI_DB_STATEMENTS
} cli_db_statement;

typedef struct {
    sqlite3 *db;
    sqlite3_stmt *statements[CLI_DB_STATEMENTS];
    snoopi_error *err;
    bool has_failed;
} cli_db;

/** Opens a file that is empty, makes the tables, and begins. To be closed also after a failure. */
void cli_db_open(cli_db *db, const char *path, snoopi_error *err);

/** Ends what was begun, unless it failed, and closes. */
void cli_db_close(cli_db *db);

/** Runs SQL without parameters. */
void cli_db_run(cli_db *db, const char *sql);

/**
 * Puts a row. `columns`: t for a const char *, i for an int64_t, o for one that is NULL when negative, n for a NULL (of a const
 * char *).
 */
void cli_db_put(cli_db *db, cli_db_statement insert, const char *columns, ...);

/**
 * The id of a row that `find` finds by these columns; if there is none, `insert` puts it with them and with what stands after a `|` in
 * `columns`.
 */
int64_t cli_db_find(cli_db *db, cli_db_statement find, cli_db_statement insert, const char *columns,
                    ...);

/** Remembers that memory was short. */
void cli_db_fail_nomem(cli_db *db);

#endif
