// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_SQLITE_TRIGGERS_H
#define SNOOPI_CLI_SQLITE_TRIGGERS_H

/**
 * @file
 * Triggers of roots in a database, with their stacks. Stacks are kept from the outside in: what two have in common is there once.
 */
#include <snoopi/triggers.h>

#include "sqlite_db.h"

typedef struct {
    cli_db *db;
    snoopi_trace *trace;
    snoopi_trigger_finder *finder;
    bool *is_known;  /* by code: its places are in the database */
    uint32_t *codes; /* of the last stack, outermost first … */
    int64_t *ids;    /* … and what the database calls the stack up to each */
    size_t n;
    size_t capacity;
} cli_sqlite_triggers;

/** What goes wrong is remembered by the database. To be cleared in any case, before the trace is closed. */
void cli_sqlite_triggers_init(cli_sqlite_triggers *triggers, snoopi_trace *trace, cli_db *db);
void cli_sqlite_triggers_clear(cli_sqlite_triggers *triggers);

/** The trigger of a root; its caller has to be put before cli_sqlite_triggers_put(). False after a failure. */
bool cli_sqlite_triggers_find(cli_sqlite_triggers *triggers, const snoopi_frame *root,
                              snoopi_trigger *trigger);

void cli_sqlite_triggers_put(cli_sqlite_triggers *triggers, const snoopi_frame *root,
                             const snoopi_trigger *trigger);

#endif
