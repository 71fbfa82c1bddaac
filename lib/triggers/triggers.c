// SPDX-License-Identifier: MIT
// Triggers, added up. See snoopi/triggers.h; finder.c has what is told of one root.
#include <snoopi/triggers.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/idset.h"
#include "roles.h"
#include "stacktrie.h"
#include "tree/keys.h"
#include "triggerrows.h"

struct snoopi_triggers {
    snoopi__arena arena;
    snoopi__triggerrows rows;
    snoopi_totals totals;
    snoopi_totals scope_totals;
    uint64_t n_stacks;
};

typedef struct {
    snoopi_trace *trace;
    const snoopi_triggers_options *options;
    snoopi_triggers *out;
    snoopi_trigger_finder *finder;
    snoopi__keys instances;
    snoopi__keys methods;
    snoopi__idset known;     // key of a row → its index + 1
    snoopi__idset functions; // callers without an instance → number
    snoopi__idset members;   // row and callee or caller: was counted
    snoopi__stacktrie trie;
    snoopi__buffer key;
} gathering;

const char *snoopi_triggers_by_name(int by)
{
    static const char *const names[] = {"pair", "site", "callee", "method", "tree"};
    return by >= 0 && (size_t)by < sizeof names / sizeof names[0] ? names[by] : NULL;
}

const char *snoopi_triggers_sort_name(int sort)
{
    static const char *const names[] = {"total", "count", "callees", "callers", "name"};
    return sort >= 0 && (size_t)sort < sizeof names / sizeof names[0] ? names[sort] : NULL;
}

// --- keys ---

// Number of the key of an instance, from 1; 0 for none. Negative when memory is short.
static int64_t number_of(snoopi__keys *keys, uint32_t instance, snoopi_error *err)
{
    uint32_t number = 0;
    const snoopi_frame frame = {.instance = instance};
    if (instance == 0) {
        return 0;
    }
    const int st = snoopi__keys_find(keys, &frame, &number, err);
    return st < 0 ? st : (int64_t)number + 1;
}

// Code of an image has no instance.
const snoopi_place *snoopi_trigger_nameless_caller(const snoopi_trigger *trigger)
{
    const snoopi_place *place = trigger->n_places ? &trigger->places[trigger->n_places - 1] : NULL;
    const bool is_function = place && !place->is_c && !snoopi__is_toplevel_place(place);
    return trigger->caller == 0 && is_function ? place : NULL;
}

// A root's trigger in numbers that are the same for what is the same.
typedef struct {
    const snoopi_frame *root;
    const snoopi_place *function; // the caller's, if it has no instance; else NULL
    snoopi_trigger trigger;
    uint64_t callee;
    uint64_t caller;
    uint64_t caller_method;
    uint32_t node;  // by tree
    uint32_t above; // by tree: row
} entry;

static void put_text(snoopi__buffer *key, const char *text)
{
    snoopi__buffer_put(key, text ? text : "", text ? strlen(text) + 1 : 1);
}

// Number of a caller that has no instance, by name and file, beyond those of number_of(); 0 for none. Negative when memory is
// short.
static int64_t number_of_function(gathering *g, const snoopi_place *function)
{
    if (!function) {
        return 0;
    }
    g->key.size = 0;
    put_text(&g->key, function->name);
    put_text(&g->key, function->raw_file);
    uint32_t *number = snoopi__idset_find(&g->functions, 0, g->key.data, g->key.size);
    if (!number || g->key.has_failed) {
        return SNOOPI_E_NOMEM;
    }
    *number = *number ? *number : (uint32_t)g->functions.count;
    return ((int64_t)1 << 32) + *number;
}

static void put_site(snoopi__buffer *key, const snoopi_trigger *t)
{
    put_text(key, t->file);
    snoopi__buffer_varint(key, t->line);
    put_text(key, t->n_places ? t->places->name : NULL);
}

static void make_key(gathering *g, const entry *e)
{
    snoopi__buffer *key = &g->key;
    key->size = 0;
    switch (g->options->by) {
    case SNOOPI_TRIGGERS_BY_PAIR:
        snoopi__buffer_varint(key, e->callee);
        snoopi__buffer_varint(key, e->caller);
        snoopi__buffer_varint(key, e->trigger.trigger_class);
        put_site(key, &e->trigger);
        break;
    case SNOOPI_TRIGGERS_BY_SITE: put_site(key, &e->trigger); break;
    case SNOOPI_TRIGGERS_BY_CALLEE: snoopi__buffer_varint(key, e->callee); break;
    case SNOOPI_TRIGGERS_BY_METHOD:
        snoopi__buffer_varint(key, e->caller_method);
        // Top-level code, tasks and the rest are no methods, but not one either.
        snoopi__buffer_varint(key, e->caller_method ? 0 : e->trigger.trigger_class);
        break;
    case SNOOPI_TRIGGERS_BY_TREE:
        snoopi__buffer_varint(key, e->node);
        snoopi__buffer_varint(key, e->callee);
        snoopi__buffer_varint(key, e->trigger.trigger_class);
        if (e->trigger.n_places == 0) { // one address, but a line of its own
            put_site(key, &e->trigger);
        }
        break;
    }
}

// --- rows ---

// Copies the stack of the row's first root.
static bool keep_stack(gathering *g, snoopi_trigger_row *row, const snoopi_frame *root)
{
    uint32_t *stack = snoopi__arena_array(&g->out->arena, root->n_stack, sizeof *stack);
    if (!stack) {
        return false;
    }
    if (root->n_stack > 0) {
        memcpy(stack, root->stack, root->n_stack * sizeof *stack);
    }
    row->stack = stack;
    row->n_stack = root->n_stack;
    return true;
}

static const char *method_place(const snoopi_instance *i, uint32_t *line)
{
    *line = i->line > 0 ? (uint32_t)i->line : 0;
    return i->file[0] ? i->file : NULL;
}

// What the first root of a row tells of it.
static void describe(gathering *g, snoopi_trigger_row *row, const entry *e)
{
    const snoopi_trigger *t = &e->trigger;
    const snoopi_triggers_by by = g->options->by;
    const snoopi_instance *callee = snoopi_trace_instance(g->trace, t->callee);
    const snoopi_instance *caller = snoopi_trace_instance(g->trace, t->caller);
    *row = (snoopi_trigger_row){.trigger_class = t->trigger_class,
                                .is_near = t->is_near,
                                .file = t->file,
                                .line = t->line,
                                .first_root = e->root->id,
                                .n_places = t->n_places,
                                .places = t->places,
                                .parent = -1};
    if (by != SNOOPI_TRIGGERS_BY_SITE && by != SNOOPI_TRIGGERS_BY_METHOD) {
        row->callee = callee->name;
        row->callee_instance = t->callee;
    }
    if (by == SNOOPI_TRIGGERS_BY_CALLEE) {
        row->file = method_place(callee, &row->line);
        row->n_places = 0;
    } else if (by == SNOOPI_TRIGGERS_BY_SITE) {
        row->caller = t->n_places ? t->places->name : NULL;
    } else if (caller) {
        row->caller = by == SNOOPI_TRIGGERS_BY_METHOD ? caller->method_name : caller->name;
        row->caller_instance = t->caller;
    } else if (e->function) {
        row->caller = e->function->name;
    }
    if (by == SNOOPI_TRIGGERS_BY_METHOD) {
        const char *file = e->function ? e->function->file : NULL;
        row->file = caller ? method_place(caller, &row->line) : file;
        row->line = caller ? row->line : 0;
        row->n_places = 0;
    }
    if (by == SNOOPI_TRIGGERS_BY_TREE && e->above != SNOOPI__NO_ROW) {
        row->parent = e->above;
    }
}

// The row of the key in g->key, a new one if there is none; NULL when memory is short.
static snoopi_trigger_row *find_row(gathering *g, const entry *e, uint32_t *number)
{
    uint32_t *known = snoopi__idset_find(&g->known, 0, g->key.data, g->key.size);
    if (!known || g->key.has_failed) {
        return NULL;
    }
    if (*known == 0) {
        snoopi_trigger_row *row = snoopi__triggerrows_add(&g->out->rows);
        if (!row) {
            return NULL;
        }
        *known = (uint32_t)g->out->rows.n;
        describe(g, row, e);
        if (!keep_stack(g, row, e->root)) {
            return NULL;
        }
    }
    *number = *known - 1;
    return &g->out->rows.rows[*number];
}

// Whether the member was not counted in the row yet: 1 or 0; negative when memory is short.
static int is_new_member(gathering *g, uint32_t row, bool is_caller, uint64_t member)
{
    const uint64_t key[] = {row, is_caller, member};
    uint32_t *known = snoopi__idset_find(&g->members, 0, key, sizeof key);
    if (!known) {
        return SNOOPI_E_NOMEM;
    }
    const int is_new = *known == 0;
    *known = 1;
    return is_new;
}

static int count_in(gathering *g, const entry *e, snoopi_error *err)
{
    uint32_t number = 0;
    make_key(g, e);
    snoopi_trigger_row *row = find_row(g, e, &number);
    if (!row) {
        return snoopi__fail_nomem(err);
    }
    const int callee = is_new_member(g, number, false, e->callee);
    // Top-level code is a caller too; what is not known is none.
    const bool has_caller = e->caller || e->trigger.trigger_class == SNOOPI_TRIGGER_TOPLEVEL;
    const int caller = has_caller ? is_new_member(g, number, true, e->caller) : 0;
    if (callee < 0 || caller < 0) {
        return snoopi__fail_nomem(err);
    }
    row->count++;
    row->total_ns += e->root->total_ns;
    row->callees += (uint64_t)callee;
    row->callers += (uint64_t)caller;
    row->is_near &= e->trigger.is_near;
    if (row->trigger_class != e->trigger.trigger_class) {
        row->trigger_class = SNOOPI_TRIGGER_UNKNOWN;
    }
    // What is at the stack's very end called all there is: that is nothing to hang anything on.
    if (g->options->by == SNOOPI_TRIGGERS_BY_TREE && e->trigger.depth < e->root->n_stack) {
        g->trie.last_row[e->node] = number;
    }
    return 0;
}

// --- roots ---

static bool is_wanted(gathering *g, const snoopi_trigger *t)
{
    const snoopi_filter *filter = &g->options->filter;
    if (!filter->module && !filter->package && !filter->file) {
        return true;
    }
    const snoopi_instance *caller = snoopi_trace_instance(g->trace, t->caller);
    return snoopi_filter_matches(filter, snoopi_trace_instance(g->trace, t->callee)) ||
           (caller && snoopi_filter_matches(filter, caller));
}

static int take_root(gathering *g, const snoopi_frame *root, snoopi_error *err)
{
    entry e = {.root = root, .above = SNOOPI__NO_ROW};
    const int st = snoopi_trigger_find(g->finder, root, &e.trigger, err);
    if (st < 0 || !is_wanted(g, &e.trigger)) {
        return st;
    }
    e.function = snoopi_trigger_nameless_caller(&e.trigger);
    const int64_t callee = number_of(&g->instances, e.trigger.callee, err);
    const int64_t caller = number_of(&g->instances, e.trigger.caller, err);
    const int64_t method = number_of(&g->methods, e.trigger.caller, err);
    const int64_t function = number_of_function(g, e.function);
    if (callee < 0 || caller < 0 || method < 0 || function < 0) {
        return SNOOPI_E_NOMEM;
    }
    e.callee = (uint64_t)callee;
    e.caller = (uint64_t)(e.function ? function : caller);
    e.caller_method = (uint64_t)(e.function ? function : method);
    if (g->options->by == SNOOPI_TRIGGERS_BY_TREE &&
        !snoopi__stacktrie_find(&g->trie, root, e.trigger.depth, &e.node, &e.above)) {
        return snoopi__fail_nomem(err);
    }
    g->out->n_stacks += root->n_stack > 0;
    return count_in(g, &e, err);
}

static int take_roots(gathering *g, snoopi_error *err)
{
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    int st = snoopi_scan_open(&scan, g->trace, &g->options->scope, err);
    while (st == 0 && (st = snoopi_scan_next(scan, &frame, err)) == 1) {
        st = frame.depth == 0 ? take_root(g, &frame, err) : 0;
    }
    if (st == 0) {
        g->out->totals = *snoopi_scan_totals(scan);
        g->out->scope_totals = *snoopi_scan_scope_totals(scan);
    }
    snoopi_scan_close(scan);
    return st;
}

static int gather(gathering *g, snoopi_error *err)
{
    int st = snoopi_trigger_finder_new(&g->finder, g->trace, g->options->is_all, err);
    if (st == 0) {
        st = snoopi__keys_init(&g->instances, g->trace, SNOOPI_BY_INSTANCE, NULL, err);
    }
    if (st == 0) {
        st = snoopi__keys_init(&g->methods, g->trace, SNOOPI_BY_METHOD, NULL, err);
    }
    if (st == 0) {
        st = take_roots(g, err);
    }
    if (st == 0 && !snoopi__triggerrows_finish(&g->out->rows, g->options)) {
        st = snoopi__fail_nomem(err);
    }
    return st;
}

int snoopi_triggers_new(snoopi_triggers **out, snoopi_trace *trace,
                        const snoopi_triggers_options *options, snoopi_error *err)
{
    static const snoopi_triggers_options defaults = SNOOPI_TRIGGERS_INIT;
    *out = NULL;
    snoopi_triggers *triggers = calloc(1, sizeof *triggers);
    if (!triggers) {
        return snoopi__fail_nomem(err);
    }
    gathering g = {.trace = trace, .options = options ? options : &defaults, .out = triggers};
    const int st = gather(&g, err);
    snoopi_trigger_finder_free(g.finder);
    snoopi__keys_clear(&g.instances);
    snoopi__keys_clear(&g.methods);
    snoopi__idset_clear(&g.known);
    snoopi__idset_clear(&g.functions);
    snoopi__idset_clear(&g.members);
    snoopi__stacktrie_clear(&g.trie);
    snoopi__buffer_clear(&g.key);
    if (st < 0) {
        snoopi_triggers_free(triggers);
        return st;
    }
    *out = triggers;
    return 0;
}

void snoopi_triggers_free(snoopi_triggers *triggers)
{
    if (triggers) {
        snoopi__triggerrows_clear(&triggers->rows);
        snoopi__arena_clear(&triggers->arena);
        free(triggers);
    }
}

size_t snoopi_triggers_n_rows(const snoopi_triggers *triggers)
{
    return triggers->rows.n;
}

const snoopi_trigger_row *snoopi_triggers_row(const snoopi_triggers *triggers, size_t index)
{
    return &triggers->rows.rows[index];
}

uint64_t snoopi_triggers_n_found(const snoopi_triggers *triggers)
{
    return triggers->rows.n_found;
}

const snoopi_totals *snoopi_triggers_totals(const snoopi_triggers *triggers)
{
    return &triggers->totals;
}

const snoopi_totals *snoopi_triggers_scope_totals(const snoopi_triggers *triggers)
{
    return &triggers->scope_totals;
}

uint64_t snoopi_triggers_n_stacks(const snoopi_triggers *triggers)
{
    return triggers->n_stacks;
}
