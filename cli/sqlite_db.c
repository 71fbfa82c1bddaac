// SPDX-License-Identifier: MIT
#include "sqlite_db.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/json.h>

extern const char cli_sqlite_schema[]; // sqlite_schema.sql

static const char *const statements[] = {
    [CLI_DB_META] = "INSERT INTO meta VALUES (?,?)",
    [CLI_DB_PROCESS] = "INSERT INTO processes VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [CLI_DB_MODULE] = "INSERT INTO modules (name, package) VALUES (?,?)",
    [CLI_DB_FIND_MODULE] = "SELECT id FROM modules WHERE name = ?",
    [CLI_DB_FILE] = "INSERT INTO files (path) VALUES (?)",
    [CLI_DB_FIND_FILE] = "SELECT id FROM files WHERE path = ?",
    [CLI_DB_METHOD] = "INSERT INTO methods (name, module, file, line, function) VALUES (?,?,?,?,?)",
    [CLI_DB_FIND_METHOD] =
        "SELECT id FROM methods WHERE name = ? AND module = ? AND file = ? AND line = ?",
    [CLI_DB_INSTANCE] = "INSERT INTO instances VALUES (?,?,?,?,?,?,?)",
    [CLI_DB_STRING] = "INSERT INTO strings (text) VALUES (?)",
    [CLI_DB_FIND_STRING] = "SELECT id FROM strings WHERE text = ?",
    [CLI_DB_FLAG] = "INSERT INTO flags VALUES (?,?)",
    [CLI_DB_FRAME] = "INSERT INTO frames VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [CLI_DB_ARGUMENT] = "INSERT OR IGNORE INTO arguments VALUES (?,?,?)",
    [CLI_DB_SUMS] = "INSERT INTO sums VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    [CLI_DB_KEY] = "INSERT INTO keys (kind, name, module, file, line) VALUES (?,?,?,?,?)",
    [CLI_DB_FIND_KEY] =
        "SELECT id FROM keys WHERE kind = ? AND name = ? AND module = ? AND file = ? "
        "AND line = ?",
    [CLI_DB_TRIGGER] = "INSERT INTO triggers VALUES (?,?,?,?,?,?,?,?,?,?)",
    [CLI_DB_STACK] = "INSERT INTO stacks (outer_stack, code) VALUES (?,?)",
    [CLI_DB_FIND_STACK] = "SELECT id FROM stacks WHERE outer_stack IS ? AND code = ?",
    [CLI_DB_CODE] = "INSERT INTO codes VALUES (?,?)",
    [CLI_DB_PLACE] = "INSERT INTO places VALUES (?,?,?,?,?,?,?)",
};

static void fail(cli_db *db, snoopi_status status, const char *why)
{
    if (!db->has_failed) {
        db->has_failed = true;
        db->err->status = status;
        db->err->sys_errno = db->db ? sqlite3_system_errno(db->db) : 0;
        (void)snprintf(db->err->text, sizeof db->err->text, "cannot write the database: %s", why);
    }
}

void cli_db_fail_nomem(cli_db *db)
{
    fail(db, SNOOPI_E_NOMEM, "out of memory");
}

static bool check(cli_db *db, int result)
{
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW) {
        fail(db, result == SQLITE_NOMEM ? SNOOPI_E_NOMEM : SNOOPI_E_IO,
             db->db ? sqlite3_errmsg(db->db) : sqlite3_errstr(result));
    }
    return !db->has_failed;
}

void cli_db_run(cli_db *db, const char *sql)
{
    if (!db->has_failed) {
        (void)check(db, sqlite3_exec(db->db, sql, NULL, NULL, NULL));
    }
}

void cli_db_open(cli_db *db, const char *path, snoopi_error *err)
{
    *db = (cli_db){.err = err};
    if (!check(db, sqlite3_open_v2(path, &db->db,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                   NULL))) {
        return;
    }
    // Nobody else sees the file before it is whole, and a broken one is thrown away.
    cli_db_run(
        db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
            "PRAGMA temp_store = FILE; PRAGMA cache_size = -65536; BEGIN");
    cli_db_run(db, cli_sqlite_schema);
    for (size_t i = 0; i < CLI_DB_STATEMENTS && !db->has_failed; i++) {
        (void)check(db, sqlite3_prepare_v3(db->db, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                                           &db->statements[i], NULL));
    }
}

void cli_db_close(cli_db *db)
{
    for (size_t i = 0; i < CLI_DB_STATEMENTS; i++) {
        (void)sqlite3_finalize(db->statements[i]);
    }
    cli_db_run(db, "COMMIT");
    const int result = sqlite3_close(db->db);
    db->db = NULL;
    (void)check(db, result);
}

// Text as UTF-8: what is none becomes U+FFFD. NULL if it is UTF-8 as it is.
static char *clean(const char *text, size_t size)
{
    size_t at = 0;
    size_t length = 1;
    while (at < size && (length = snoopi_utf8_length(text + at, size - at)) > 0) {
        at += length;
    }
    if (at == size) {
        return NULL;
    }
    char *const cleaned = malloc(3 * size + 1);
    char *end = cleaned;
    for (at = 0; cleaned && at < size; at += length ? length : 1) {
        length = snoopi_utf8_length(text + at, size - at);
        end = length ? mempcpy(end, text + at, length) : mempcpy(end, "\xEF\xBF\xBD", 3);
    }
    if (cleaned) {
        *end = '\0';
    }
    return cleaned;
}

static int bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    const size_t size = text ? strlen(text) : 0;
    char *const cleaned = clean(text, size);
    if (cleaned) {
        return sqlite3_bind_text(statement, index, cleaned, -1, free);
    }
    return sqlite3_bind_text64(statement, index, text ? text : "", size, SQLITE_STATIC,
                               SQLITE_UTF8);
}

// Binds columns up to the end or a `|`, or over it if `is_over`.
static bool bind(cli_db *db, sqlite3_stmt *statement, const char *columns, bool is_over,
                 va_list values)
{
    int index = 1;
    int64_t number = 0;
    for (; *columns && (is_over || *columns != '|'); columns++) {
        int result = SQLITE_OK;
        switch (*columns) {
        case 't': result = bind_text(statement, index++, va_arg(values, const char *)); break;
        case 'i': result = sqlite3_bind_int64(statement, index++, va_arg(values, int64_t)); break;
        case 'o':
            number = va_arg(values, int64_t);
            result = number < 0 ? sqlite3_bind_null(statement, index++)
                                : sqlite3_bind_int64(statement, index++, number);
            break;
        case 'n':
            (void)va_arg(values, const char *);
            result = sqlite3_bind_null(statement, index++);
            break;
        default: break;
        }
        if (!check(db, result)) {
            return false;
        }
    }
    return true;
}

// Steps once; whether there was a row.
static bool step(cli_db *db, sqlite3_stmt *statement)
{
    const int result = sqlite3_step(statement);
    return check(db, result) && result == SQLITE_ROW;
}

void cli_db_put(cli_db *db, cli_db_statement insert, const char *columns, ...)
{
    if (db->has_failed) {
        return;
    }
    sqlite3_stmt *const statement = db->statements[insert];
    va_list values;
    va_start(values, columns);
    if (bind(db, statement, columns, true, values)) {
        (void)step(db, statement);
    }
    va_end(values);
    (void)sqlite3_reset(statement);
}

int64_t cli_db_find(cli_db *db, cli_db_statement find, cli_db_statement insert, const char *columns,
                    ...)
{
    int64_t id = 0;
    if (db->has_failed) {
        return id;
    }
    va_list values;
    va_start(values, columns);
    bool is_found =
        bind(db, db->statements[find], columns, false, values) && step(db, db->statements[find]);
    va_end(values);
    if (is_found) {
        id = sqlite3_column_int64(db->statements[find], 0);
    }
    (void)sqlite3_reset(db->statements[find]);
    if (is_found || db->has_failed) {
        return id;
    }
    va_start(values, columns);
    if (bind(db, db->statements[insert], columns, true, values)) {
        (void)step(db, db->statements[insert]);
        id = sqlite3_last_insert_rowid(db->db);
    }
    va_end(values);
    (void)sqlite3_reset(db->statements[insert]);
    return id;
}
