// SPDX-License-Identifier: MIT
// Hash-consing of definitions over processes. See defpool.h.
#include "defpool.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/varint.h"
#include "paths.h"
#include "varranks.h"

// A page is written when it has so much. Any one record is smaller than the rest up to WIRE_PAGE_RAW_MAX.
enum { PAGE_SIZE = 1 << 20 };

void snoopi__defpool_clear(snoopi__defpool *pool)
{
    snoopi__idset_clear(&pool->known);
    snoopi__buffer_clear(&pool->page);
    snoopi__buffer_clear(&pool->payload);
    snoopi__buffer_clear(&pool->record);
    free(pool->results);
    pool->results = NULL;
}

void snoopi__remap_clear(snoopi__remap *remap)
{
    for (int kind = 0; kind < WIRE_DEF_KINDS; kind++) {
        free(remap->ids[kind]);
    }
    *remap = (snoopi__remap){0};
}

// --- one definition ---

static snoopi__buffer *begin(snoopi__defpool *pool)
{
    pool->payload.size = 0;
    return &pool->payload;
}

// Id of the definition whose payload was put since begin(); a new one goes to the page. 0 when memory is short. What is
// equal is told apart by `mark` (format.md 1.2, type variables).
static uint32_t intern(snoopi__defpool *pool, uint32_t kind, uint32_t mark)
{
    const uint64_t seed = kind | (uint64_t)mark << 8;
    const snoopi__buffer *payload = &pool->payload;
    uint32_t *id = snoopi__idset_find(&pool->known, seed, payload->data, payload->size);
    if (!id || payload->has_failed) {
        return 0;
    }
    if (*id == 0) {
        *id = ++pool->last_id[kind];
        pool->record.size = 0;
        snoopi__buffer_varint(&pool->record, *id);
        snoopi__buffer_put(&pool->record, payload->data, payload->size);
        snoopi__buffer_record(&pool->page, kind, pool->record.data, pool->record.size);
        if (pool->record.has_failed || pool->page.has_failed) {
            return 0;
        }
    }
    return *id;
}

uint32_t snoopi__defpool_text(snoopi__defpool *pool, const char *text, size_t size)
{
    snoopi__buffer_put(begin(pool), text, size);
    return intern(pool, WIRE_STRING, 0);
}

uint32_t snoopi__defpool_lost_node(snoopi__defpool *pool)
{
    snoopi__buffer_varint(begin(pool), WIRE_FORM_CUT);
    return intern(pool, WIRE_NODE, 0);
}

uint32_t snoopi__defpool_lost_instance(snoopi__defpool *pool)
{
    snoopi__buffer *out = begin(pool);
    snoopi__buffer_varint(out, WIRE_INSTANCE_METHOD);
    snoopi__buffer_varint(out, 0);
    snoopi__buffer_varint(out, 0);
    return intern(pool, WIRE_INSTANCE, 0);
}

int snoopi__defpool_flush(snoopi__defpool *pool, snoopi_error *err)
{
    if (pool->page.size == 0) {
        return 0;
    }
    return snoopi__pagewriter_page(pool->writer, WIRE_PAGE_DEFS, &pool->page, err);
}

// --- the definitions of a process ---

typedef struct {
    snoopi__defpool *pool;
    const snoopi__defs *defs;
    snoopi__remap *remap;
    const snoopi__codesource *source; // NULL: nothing is looked up
    uint32_t *marks;
    snoopi__arena texts; // of the code in work
} taking;

static void put_ref(taking *t, uint32_t kind, uint32_t id)
{
    snoopi__buffer_varint(&t->pool->payload, snoopi__remap_id(t->remap, kind, id));
}

static void put_number(taking *t, uint64_t value)
{
    snoopi__buffer_varint(&t->pool->payload, value);
}

static void put_node_refs(taking *t, const def_node *node, uint32_t n)
{
    const uint32_t refs[3] = {node->a, node->b, node->c};
    for (uint32_t i = 0; i < n; i++) {
        put_ref(t, WIRE_NODE, refs[i]);
    }
}

static void put_kids(taking *t, const def_node *node)
{
    put_number(t, node->n);
    for (uint32_t i = 0; i < node->n; i++) {
        put_ref(t, WIRE_NODE, node->kids[i]);
    }
}

static void put_node(taking *t, const def_node *node)
{
    const bool is_known = node->form >= WIRE_FORM_DATATYPE && node->form <= WIRE_FORM_ALIAS;
    put_number(t,
               is_known ? node->form : WIRE_FORM_CUT); // ids inside an unknown form can't be told
    switch (node->form) {
    case WIRE_FORM_DATATYPE:
        put_ref(t, WIRE_TYPENAME, node->a);
        put_number(t, node->flags);
        put_kids(t, node);
        break;
    case WIRE_FORM_UNIONALL:
        put_number(t, node->flags);
        put_node_refs(t, node, 2);
        break;
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG: put_node_refs(t, node, 2); break;
    case WIRE_FORM_TYPEVAR:
        put_ref(t, WIRE_STRING, node->a);
        put_ref(t, WIRE_NODE, node->b);
        put_ref(t, WIRE_NODE, node->c);
        break;
    case WIRE_FORM_BITS:
        put_ref(t, WIRE_NODE, node->a);
        snoopi__buffer_put(&t->pool->payload, node->bits, node->n);
        break;
    case WIRE_FORM_SYMBOL: put_ref(t, WIRE_STRING, node->a); break;
    case WIRE_FORM_TEXT:
        put_ref(t, WIRE_STRING, node->a);
        put_number(t, node->whole_length);
        break;
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_PARTIAL:
        put_ref(t, WIRE_NODE, node->a);
        put_kids(t, node);
        break;
    case WIRE_FORM_MODULE: put_ref(t, WIRE_MODULE, node->a); break;
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_CONST_TYPE: put_ref(t, WIRE_NODE, node->a); break;
    case WIRE_FORM_ENUM:
        put_ref(t, WIRE_NODE, node->a);
        put_ref(t, WIRE_STRING, node->b);
        put_number(t, node->flags);
        break;
    case WIRE_FORM_ALIAS:
        put_ref(t, WIRE_NODE, node->a);
        put_ref(t, WIRE_STRING, node->b);
        put_ref(t, WIRE_MODULE, node->c);
        put_number(t, node->flags);
        break;
    default: break;
    }
}

// Id of a file that Julia calls `raw`; 0 when memory is short. `path` is the id of what was found before.
static uint32_t intern_file(taking *t, const char *text, uint32_t raw, uint32_t path)
{
    char *found = t->source ? snoopi__path_find(text, t->source->bindir, t->source->cwd) : NULL;
    if (found) {
        path = snoopi__defpool_text(t->pool, found, strlen(found));
        free(found);
        if (path == 0) {
            return 0;
        }
    }
    (void)begin(t->pool);
    put_number(t, raw);
    put_number(t, path);
    return intern(t->pool, WIRE_FILE, 0);
}

static uint32_t take_file(taking *t, const def_file *file)
{
    return intern_file(t, snoopi__defs_text(t->defs, file->raw),
                       snoopi__remap_id(t->remap, WIRE_STRING, file->raw),
                       snoopi__remap_id(t->remap, WIRE_STRING, file->path));
}

static void put_method(taking *t, const def_method *method)
{
    put_ref(t, WIRE_STRING, method->name);
    put_ref(t, WIRE_MODULE, method->module);
    put_ref(t, WIRE_FILE, method->file);
    put_number(t, snoopi__zigzag(method->line));
    put_number(t, method->world);
    put_number(t, method->flags);
    put_number(t, method->nargs);
    put_ref(t, WIRE_NODE, method->sig);
}

static void put_instance(taking *t, uint32_t id)
{
    const def_instance *instance = &t->defs->instances[id];
    put_number(t, instance->kind);
    if (instance->kind == WIRE_INSTANCE_METHOD) {
        put_ref(t, WIRE_METHOD, instance->method);
        put_ref(t, WIRE_NODE, instance->spec);
        if (t->pool->keeps_agent_ids) {
            put_number(t, id);
        }
    } else if (instance->kind == WIRE_INSTANCE_TOPLEVEL) {
        put_ref(t, WIRE_MODULE, instance->module);
        put_ref(t, WIRE_FILE, instance->file);
        put_number(t, snoopi__zigzag(instance->line));
    }
}

static void put_code(taking *t, const def_code *code)
{
    put_number(t, code->address);
    put_number(t, code->n_places);
    for (uint32_t i = 0; i < code->n_places; i++) {
        const def_place *place = &code->places[i];
        put_ref(t, WIRE_STRING, place->name);
        put_ref(t, WIRE_FILE, place->file);
        put_number(t, place->line);
        put_ref(t, WIRE_INSTANCE, place->instance);
        put_number(t, place->flags);
    }
}

// Finds out what a code in an image is, which the process left to the packer. Returns 1 and its id, 0 and nothing if that can't
// be known, or SNOOPI_E_NOMEM.
static int take_image_code(taking *t, const def_code *code, uint32_t *id)
{
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    uint32_t names[SNOOPI__DWARF_PLACES_MAX];
    uint32_t files[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    const int n = snoopi__imagecache_find(t->source->cache, t->source->images, code->address,
                                          &t->texts, places, &is_c);
    for (int i = 0; i < n; i++) {
        const char *file = places[i].file;
        names[i] = snoopi__defpool_text(t->pool, places[i].name, strlen(places[i].name));
        const uint32_t raw = snoopi__defpool_text(t->pool, file, strlen(file));
        files[i] = raw ? intern_file(t, file, raw, 0) : 0;
        if (!names[i] || !files[i]) {
            return SNOOPI_E_NOMEM;
        }
    }
    if (n <= 0) {
        return n;
    }
    (void)begin(t->pool);
    put_number(t, code->address);
    put_number(t, (uint32_t)n);
    for (int i = 0; i < n; i++) {
        const uint32_t flags = i + 1 < n ? WIRE_CODE_INLINED : 0;
        put_number(t, names[i]);
        put_number(t, files[i]);
        put_number(t, places[i].line);
        put_number(t, 0); // the instance
        put_number(t, is_c ? WIRE_CODE_C : flags);
    }
    *id = intern(t->pool, WIRE_CODE, 0);
    return *id ? 1 : SNOOPI_E_NOMEM;
}

// Id in the trace of a code; 0 when memory is short.
static uint32_t take_code(taking *t, const def_code *code)
{
    if (code->n_places == 0 && t->source) {
        uint32_t id = 0;
        const int st = take_image_code(t, code, &id);
        snoopi__arena_clear(&t->texts);
        if (st != 0) {
            return id;
        }
    }
    (void)begin(t->pool);
    put_code(t, code);
    return intern(t->pool, WIRE_CODE, 0);
}

// Id in the trace of a definition of the process; 0 when memory is short.
static uint32_t take_one(taking *t, uint32_t kind, uint32_t id)
{
    const snoopi__defs *defs = t->defs;
    uint32_t mark = 0;
    if (kind == WIRE_FILE) {
        return take_file(t, &defs->files[id]);
    }
    if (kind == WIRE_CODE) {
        return take_code(t, &defs->codes[id]);
    }
    (void)begin(t->pool);
    switch (kind) {
    case WIRE_STRING:
        snoopi__buffer_put(&t->pool->payload, defs->strings[id].text, defs->strings[id].size);
        break;
    case WIRE_MODULE:
        put_ref(t, WIRE_STRING, defs->modules[id].name);
        put_ref(t, WIRE_MODULE, defs->modules[id].parent);
        put_number(t, defs->modules[id].flags);
        break;
    case WIRE_TYPENAME:
        put_ref(t, WIRE_STRING, defs->typenames[id].name);
        put_ref(t, WIRE_MODULE, defs->typenames[id].module);
        put_ref(t, WIRE_STRING, defs->typenames[id].mt_name);
        put_number(t, defs->typenames[id].flags);
        put_ref(t, WIRE_TYPENAME, defs->typenames[id].super);
        put_ref(t, WIRE_STRING, defs->typenames[id].boxes);
        break;
    case WIRE_NODE:
        mark = t->marks[id];
        put_node(t, &defs->nodes[id]);
        break;
    case WIRE_METHOD: put_method(t, &defs->methods[id]); break;
    default: put_instance(t, id); break;
    }
    return intern(t->pool, kind, mark);
}

static int take_kind(taking *t, uint32_t kind, snoopi_error *err)
{
    const uint32_t count = snoopi__defs_count(t->defs, kind);
    uint32_t *ids = calloc(count ? count : 1, sizeof *ids);
    if (!ids) {
        return snoopi__fail_nomem(err);
    }
    t->remap->ids[kind] = ids;
    t->remap->count[kind] = count;
    for (uint32_t id = 1; id < count; id++) {
        if (!snoopi__defs_has(t->defs, kind, id)) {
            continue;
        }
        ids[id] = take_one(t, kind, id);
        if (ids[id] == 0) {
            return snoopi__fail_nomem(err);
        }
        const int st = t->pool->page.size >= PAGE_SIZE ? snoopi__defpool_flush(t->pool, err) : 0;
        if (st < 0) {
            return st;
        }
    }
    return 0;
}

// Writes what an instance returns, if that is not what was written of it last. False when memory is short.
static bool put_result(snoopi__defpool *pool, uint32_t instance, uint32_t node)
{
    const size_t old = pool->results_capacity;
    uint32_t *results =
        snoopi__grow(pool->results, &pool->results_capacity, (size_t)instance + 1, sizeof *results);
    if (!results) {
        return false;
    }
    memset(results + old, 0, (pool->results_capacity - old) * sizeof *results);
    pool->results = results;
    if (results[instance] == node) {
        return true;
    }
    results[instance] = node;
    snoopi__buffer *const out = begin(pool);
    snoopi__buffer_varint(out, instance);
    snoopi__buffer_varint(out, node);
    snoopi__buffer_record(&pool->page, WIRE_RESULT, out->data, out->size);
    return !out->has_failed && !pool->page.has_failed;
}

static int take_results(taking *t, snoopi_error *err)
{
    int st = 0;
    for (uint32_t id = 1; id < t->defs->n_instances && st == 0; id++) {
        const uint32_t instance = snoopi__remap_id(t->remap, WIRE_INSTANCE, id);
        const uint32_t node = snoopi__remap_id(t->remap, WIRE_NODE, t->defs->instances[id].result);
        if (instance && node && !put_result(t->pool, instance, node)) {
            return snoopi__fail_nomem(err);
        }
        st = t->pool->page.size >= PAGE_SIZE ? snoopi__defpool_flush(t->pool, err) : 0;
    }
    return st;
}

int snoopi__defpool_take(snoopi__defpool *pool, const snoopi__defs *defs,
                         const snoopi__codesource *source, snoopi__remap *remap, snoopi_error *err)
{
    taking t = {.pool = pool, .defs = defs, .remap = remap, .source = source};
    t.marks = snoopi__variable_marks(defs);
    int st = t.marks ? 0 : snoopi__fail_nomem(err);
    // Each kind refers only to those before it, and to smaller ids of its own.
    for (uint32_t kind = WIRE_STRING; kind < WIRE_DEF_KINDS && st == 0; kind++) {
        st = take_kind(&t, kind, err);
    }
    if (st == 0) {
        st = take_results(&t, err);
    }
    free(t.marks);
    return st;
}
