// SPDX-License-Identifier: MIT
#include "sqlite_triggers.h"

#include <stdlib.h>

void cli_sqlite_triggers_init(cli_sqlite_triggers *t, snoopi_trace *trace, cli_db *db)
{
    snoopi_error err = {0};
    *t = (cli_sqlite_triggers){.db = db, .trace = trace};
    t->is_known = calloc((size_t)snoopi_trace_n_codes(trace) + 1, sizeof *t->is_known);
    if (!t->is_known || snoopi_trigger_finder_new(&t->finder, trace, false, &err) < 0) {
        cli_db_fail_nomem(db);
    }
}

void cli_sqlite_triggers_clear(cli_sqlite_triggers *t)
{
    snoopi_trigger_finder_free(t->finder);
    free(t->is_known);
    free(t->codes);
    free(t->ids);
    *t = (cli_sqlite_triggers){0};
}

bool cli_sqlite_triggers_find(cli_sqlite_triggers *t, const snoopi_frame *root,
                              snoopi_trigger *trigger)
{
    snoopi_error err = {0};
    if (!t->db->has_failed && snoopi_trigger_find(t->finder, root, trigger, &err) < 0) {
        cli_db_fail_nomem(t->db);
    }
    return !t->db->has_failed;
}

// The id of a file, −1 (NULL) for none.
static int64_t find_file(cli_db *db, const char *path)
{
    return path && *path ? cli_db_find(db, CLI_DB_FIND_FILE, CLI_DB_FILE, "t", path) : -1;
}

static void put_code(cli_sqlite_triggers *t, uint32_t id)
{
    const snoopi_code *const code = snoopi_trace_code(t->trace, id);
    t->is_known[id] = true;
    cli_db_put(t->db, CLI_DB_CODE, "ii", (int64_t)id, (int64_t)(code ? code->address : 0));
    for (uint32_t i = 0; code && i < code->n_places; i++) {
        const snoopi_place *const place = &code->places[i];
        cli_db_put(t->db, CLI_DB_PLACE, "iitoiii", (int64_t)id, (int64_t)i, place->name,
                   find_file(t->db, place->file), (int64_t)place->line, (int64_t)place->is_inlined,
                   (int64_t)place->is_c);
    }
}

static bool make_room(cli_sqlite_triggers *t, size_t n)
{
    if (n <= t->capacity) {
        return true;
    }
    const size_t capacity = n + n / 2;
    uint32_t *const codes = reallocarray(t->codes, capacity, sizeof *codes);
    t->codes = codes ? codes : t->codes;
    int64_t *const ids = reallocarray(t->ids, capacity, sizeof *ids);
    t->ids = ids ? ids : t->ids;
    if (!codes || !ids) {
        cli_db_fail_nomem(t->db);
        return false;
    }
    t->capacity = capacity;
    return true;
}

// The id of a root's stack, −1 for none. What it has in common with the last one is not looked for again.
static int64_t put_stack(cli_sqlite_triggers *t, const snoopi_frame *root)
{
    const uint32_t n_codes = snoopi_trace_n_codes(t->trace);
    if (root->n_stack == 0 || !make_room(t, root->n_stack)) {
        return -1;
    }
    size_t same = 0;
    while (same < t->n && same < root->n_stack &&
           t->codes[same] == root->stack[root->n_stack - 1 - same]) {
        same++;
    }
    for (size_t i = same; i < root->n_stack; i++) {
        const uint32_t given = root->stack[root->n_stack - 1 - i];
        const uint32_t code = given <= n_codes ? given : 0;
        if (!t->is_known[code]) {
            put_code(t, code);
        }
        t->codes[i] = given;
        t->ids[i] = cli_db_find(t->db, CLI_DB_FIND_STACK, CLI_DB_STACK, "oi",
                                i > 0 ? t->ids[i - 1] : -1, (int64_t)code);
    }
    t->n = root->n_stack;
    return t->ids[t->n - 1];
}

void cli_sqlite_triggers_put(cli_sqlite_triggers *t, const snoopi_frame *root,
                             const snoopi_trigger *trigger)
{
    const char *const word = snoopi_trigger_class_name((int)trigger->trigger_class);
    const snoopi_place *const nameless = snoopi_trigger_nameless_caller(trigger);
    const char *const caller = nameless ? nameless->name : NULL;
    const char *const function = trigger->n_places > 0 ? trigger->places->name : "";
    const char columns[] = {
        'i', word ? 't' : 'n', 'o', caller ? 't' : 'n', 'o', 'i', 'i', 't', 'i', 'o', '\0'};
    const int64_t file = find_file(t->db, trigger->file);
    const int64_t stack = put_stack(t, root);
    cli_db_put(t->db, CLI_DB_TRIGGER, columns, (int64_t)root->id, word,
               trigger->caller ? (int64_t)trigger->caller : (int64_t)-1, caller, file,
               (int64_t)trigger->line, (int64_t)trigger->is_near, function,
               (int64_t)trigger->n_places, stack);
}
