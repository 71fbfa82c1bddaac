// SPDX-License-Identifier: MIT
// Decoding and checking of definition records. See defs.h; the fields are format.md 1.1 and 1.2.
#include "defs.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/varint.h"
#include "snoopi/error.h"

#define DEFS_MAP(X)             \
    X(WIRE_STRING, strings)     \
    X(WIRE_MODULE, modules)     \
    X(WIRE_FILE, files)         \
    X(WIRE_TYPENAME, typenames) \
    X(WIRE_NODE, nodes)         \
    X(WIRE_METHOD, methods)     \
    X(WIRE_INSTANCE, instances) \
    X(WIRE_CODE, codes)

void snoopi__defs_init(snoopi__defs *defs, struct snoopi__arena *arena, uint32_t max_id)
{
    *defs = (snoopi__defs){.arena = arena, .max_id = max_id};
}

void snoopi__defs_clear(snoopi__defs *defs)
{
#define FREE_KIND(kind, field) free(defs->field);
    DEFS_MAP(FREE_KIND)
#undef FREE_KIND
    for (int kind = 0; kind < WIRE_DEF_KINDS; kind++) {
        free(defs->is_defined[kind]);
    }
    *defs = (snoopi__defs){0};
}

uint32_t snoopi__defs_count(const snoopi__defs *defs, uint32_t kind)
{
    switch (kind) {
#define COUNT_CASE(kind, field) \
    case kind: return defs->n_##field;
        DEFS_MAP(COUNT_CASE)
#undef COUNT_CASE
    default: return 0;
    }
}

bool snoopi__defs_has(const snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    return id < snoopi__defs_count(defs, kind) && defs->is_defined[kind][id];
}

const char *snoopi__defs_text(const snoopi__defs *defs, uint32_t string)
{
    return snoopi__defs_has(defs, WIRE_STRING, string) ? defs->strings[string].text : "";
}

const char *snoopi__defs_file_text(const snoopi__defs *defs, uint32_t file)
{
    if (!snoopi__defs_has(defs, WIRE_FILE, file)) {
        return "";
    }
    const def_file *def = &defs->files[file];
    return snoopi__defs_text(defs, def->path ? def->path : def->raw);
}

// --- room ---

// `items` grown from `old` to `wanted` items, the new ones zero.
static void *grow_zeroed(void *items, size_t old, size_t wanted, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(wanted, size, &bytes)) {
        return NULL;
    }
    unsigned char *grown = realloc(items, bytes);
    if (grown) {
        memset(grown + old * size, 0, bytes - old * size);
    }
    return grown;
}

// Makes slots for the ids of a kind up to `id`.
static int make_room(snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    const size_t old = defs->capacity[kind];
    size_t wanted = old ? old : 16;
    while (wanted <= id) {
        wanted *= 2;
    }
    if (wanted > UINT32_MAX) {
        wanted = UINT32_MAX;
    }
    if (wanted == old) {
        return 0;
    }
    unsigned char *is_defined = grow_zeroed(defs->is_defined[kind], old, wanted, 1);
    if (!is_defined) {
        return SNOOPI_E_NOMEM;
    }
    defs->is_defined[kind] = is_defined;
    void *items = NULL;
    switch (kind) {
#define GROW_CASE(kind, field)                                              \
    case kind:                                                              \
        items = grow_zeroed(defs->field, old, wanted, sizeof *defs->field); \
        defs->field = items ? items : defs->field;                          \
        break;
        DEFS_MAP(GROW_CASE)
#undef GROW_CASE
    default: break;
    }
    if (!items) {
        return SNOOPI_E_NOMEM;
    }
    defs->capacity[kind] = (uint32_t)wanted;
    return 0;
}

static void set_defined(snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    switch (kind) {
#define DEFINED_CASE(kind, field)     \
    case kind:                        \
        if (id >= defs->n_##field) {  \
            defs->n_##field = id + 1; \
        }                             \
        break;
        DEFS_MAP(DEFINED_CASE)
#undef DEFINED_CASE
    default: break;
    }
    defs->is_defined[kind][id] = 1;
}

// --- decoding ---

static int32_t get_line(snoopi__cursor *at)
{
    const int64_t line = snoopi__unzigzag(snoopi__get_varint(at));
    if (line < INT32_MIN || line > INT32_MAX) {
        at->is_bad = true;
        return 0;
    }
    return (int32_t)line;
}

static uint8_t get_small_flags(snoopi__cursor *at)
{
    return (uint8_t)snoopi__get_varint(at); // bits to come are ignored
}

static uint32_t get_flags(snoopi__cursor *at)
{
    return (uint32_t)snoopi__get_varint(at);
}

static int decode_string(snoopi__defs *defs, snoopi__cursor *at, def_string *string)
{
    const size_t size = snoopi__cursor_left(at);
    if (size > WIRE_STRING_MAX) {
        at->is_bad = true;
        return 0;
    }
    string->size = (uint32_t)size;
    string->text = snoopi__arena_text(defs->arena, at->at, size);
    return string->text ? 0 : SNOOPI_E_NOMEM;
}

static int decode_kids(snoopi__defs *defs, snoopi__cursor *at, def_node *node)
{
    node->n = snoopi__get_varint32(at);
    // Each kid takes a byte at least, so a list is never larger than 4 times its record.
    if (node->n > WIRE_KIDS_MAX || node->n > snoopi__cursor_left(at)) {
        at->is_bad = true;
    }
    if (at->is_bad) {
        return 0;
    }
    uint32_t *kids = snoopi__arena_array(defs->arena, node->n, sizeof *kids);
    if (!kids) {
        return SNOOPI_E_NOMEM;
    }
    for (uint32_t i = 0; i < node->n; i++) {
        kids[i] = snoopi__get_varint32(at);
    }
    node->kids = kids;
    return 0;
}

static int decode_bits(snoopi__defs *defs, snoopi__cursor *at, def_node *node)
{
    const size_t size = snoopi__cursor_left(at);
    if (size > WIRE_STRING_MAX) {
        at->is_bad = true;
        return 0;
    }
    node->n = (uint32_t)size;
    node->bits = (const unsigned char *)snoopi__arena_text(defs->arena, at->at, size);
    return node->bits ? 0 : SNOOPI_E_NOMEM;
}

static int decode_node(snoopi__defs *defs, snoopi__cursor *at, def_node *node)
{
    const uint64_t form = snoopi__get_varint(at);
    node->form = form > UINT8_MAX ? UINT8_MAX : (uint8_t)form;
    switch (node->form) {
    case 0: at->is_bad = true; return 0;
    case WIRE_FORM_DATATYPE:
        node->a = snoopi__get_varint32(at);
        node->flags = get_small_flags(at);
        return decode_kids(defs, at, node);
    case WIRE_FORM_UNIONALL:
        node->flags = get_small_flags(at);
        node->a = snoopi__get_varint32(at);
        node->b = snoopi__get_varint32(at);
        return 0;
    case WIRE_FORM_UNION:
    case WIRE_FORM_VARARG:
        node->a = snoopi__get_varint32(at);
        node->b = snoopi__get_varint32(at);
        return 0;
    case WIRE_FORM_TYPEVAR:
        node->a = snoopi__get_varint32(at);
        node->b = snoopi__get_varint32(at);
        node->c = snoopi__get_varint32(at);
        return 0;
    case WIRE_FORM_BITS: node->a = snoopi__get_varint32(at); return decode_bits(defs, at, node);
    case WIRE_FORM_TEXT:
        node->a = snoopi__get_varint32(at);
        node->whole_length = snoopi__get_varint(at);
        return 0;
    case WIRE_FORM_ENUM:
        node->a = snoopi__get_varint32(at);
        node->b = snoopi__get_varint32(at);
        node->flags = get_small_flags(at);
        return 0;
    case WIRE_FORM_ALIAS:
        node->a = snoopi__get_varint32(at);
        node->b = snoopi__get_varint32(at);
        node->c = snoopi__get_varint32(at);
        node->flags = get_small_flags(at);
        return 0;
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_PARTIAL: node->a = snoopi__get_varint32(at); return decode_kids(defs, at, node);
    case WIRE_FORM_SYMBOL:
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_MODULE:
    case WIRE_FORM_CONST_TYPE: node->a = snoopi__get_varint32(at); return 0;
    default: return 0; // BOTTOM, CUT, and forms to come
    }
}

static void decode_typename(snoopi__cursor *at, def_typename *name)
{
    name->name = snoopi__get_varint32(at);
    name->module = snoopi__get_varint32(at);
    name->mt_name = snoopi__get_varint32(at);
    name->flags = get_flags(at);
    name->super = snoopi__cursor_left(at) > 0 ? snoopi__get_varint32(at) : 0; // not written by all
    name->boxes = snoopi__cursor_left(at) > 0 ? snoopi__get_varint32(at) : 0;
}

static void decode_method(snoopi__cursor *at, def_method *method)
{
    method->name = snoopi__get_varint32(at);
    method->module = snoopi__get_varint32(at);
    method->file = snoopi__get_varint32(at);
    method->line = get_line(at);
    method->world = snoopi__get_varint(at);
    method->flags = get_flags(at);
    method->nargs = snoopi__get_varint32(at);
    method->sig = snoopi__get_varint32(at);
}

static void decode_instance(snoopi__cursor *at, def_instance *instance)
{
    instance->kind = snoopi__get_varint32(at);
    if (instance->kind == WIRE_INSTANCE_METHOD) {
        instance->method = snoopi__get_varint32(at);
        instance->spec = snoopi__get_varint32(at);
        instance->agent_id = snoopi__cursor_left(at) > 0 ? snoopi__get_varint32(at) : 0;
    } else if (instance->kind == WIRE_INSTANCE_TOPLEVEL) {
        instance->module = snoopi__get_varint32(at);
        instance->file = snoopi__get_varint32(at);
        instance->line = get_line(at);
    } else if (instance->kind == 0) {
        at->is_bad = true; // kinds to come are kept, without fields
    }
}

static int decode_code(snoopi__defs *defs, snoopi__cursor *at, def_code *code)
{
    code->address = snoopi__get_varint(at);
    code->n_places = snoopi__get_varint32(at);
    // Each place takes five bytes at least, so a list is never larger than 4 times its record.
    if (code->n_places > WIRE_PLACES_MAX || code->n_places > snoopi__cursor_left(at) / 5) {
        at->is_bad = true;
    }
    if (at->is_bad || code->n_places == 0) {
        return 0;
    }
    code->places = snoopi__arena_array(defs->arena, code->n_places, sizeof *code->places);
    if (!code->places) {
        return SNOOPI_E_NOMEM;
    }
    for (uint32_t i = 0; i < code->n_places; i++) {
        def_place *place = &code->places[i];
        place->name = snoopi__get_varint32(at);
        place->file = snoopi__get_varint32(at);
        place->line = snoopi__get_varint32(at);
        place->instance = snoopi__get_varint32(at);
        place->flags = get_flags(at);
    }
    return 0;
}

union definition {
    def_string string;
    def_module module;
    def_file file;
    def_typename name;
    def_node node;
    def_method method;
    def_instance instance;
    def_code code;
};

static int decode(snoopi__defs *defs, uint64_t kind, snoopi__cursor *at, union definition *out)
{
    memset(out, 0, sizeof *out);
    switch (kind) {
    case WIRE_STRING: return decode_string(defs, at, &out->string);
    case WIRE_MODULE:
        out->module.name = snoopi__get_varint32(at);
        out->module.parent = snoopi__get_varint32(at);
        out->module.flags = get_flags(at);
        return 0;
    case WIRE_FILE:
        out->file.raw = snoopi__get_varint32(at);
        out->file.path = snoopi__get_varint32(at);
        return 0;
    case WIRE_TYPENAME: decode_typename(at, &out->name); return 0;
    case WIRE_NODE: return decode_node(defs, at, &out->node);
    case WIRE_METHOD: decode_method(at, &out->method); return 0;
    case WIRE_INSTANCE: decode_instance(at, &out->instance); return 0;
    default: return decode_code(defs, at, &out->code);
    }
}

static void store(snoopi__defs *defs, uint64_t kind, uint32_t id, const union definition *def)
{
    switch (kind) {
    case WIRE_STRING: defs->strings[id] = def->string; break;
    case WIRE_MODULE: defs->modules[id] = def->module; break;
    case WIRE_FILE: defs->files[id] = def->file; break;
    case WIRE_TYPENAME: defs->typenames[id] = def->name; break;
    case WIRE_NODE: defs->nodes[id] = def->node; break;
    case WIRE_METHOD: defs->methods[id] = def->method; break;
    case WIRE_INSTANCE: {
        const uint32_t result = defs->instances[id].result; // may come before it in a segment
        defs->instances[id] = def->instance;
        defs->instances[id].result = result;
        break;
    }
    default: defs->codes[id] = def->code; break;
    }
}

static bool is_id_allowed(const snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    if (defs->max_id > 0) {
        return id > 0 && id <= defs->max_id;
    }
    const uint32_t n = snoopi__defs_count(defs, kind);
    return id == (n ? n : 1);
}

// What an instance returns; the last one holds.
static int add_result(snoopi__defs *defs, snoopi__cursor at, const char **why)
{
    const bool is_segment = defs->max_id > 0;
    const uint32_t instance = snoopi__get_varint32(&at);
    const uint32_t node = snoopi__get_varint32(&at);
    if (at.is_bad || instance == 0 || (is_segment && instance > defs->max_id)) {
        *why = "malformed result of an instance";
        return SNOOPI_E_FORMAT;
    }
    if (!is_segment && (!snoopi__defs_has(defs, WIRE_INSTANCE, instance) ||
                        !snoopi__defs_has(defs, WIRE_NODE, node))) {
        *why = "result with an id inside that is not defined";
        return SNOOPI_E_FORMAT;
    }
    if (make_room(defs, WIRE_INSTANCE, instance) < 0) {
        *why = "out of memory";
        return SNOOPI_E_NOMEM;
    }
    defs->instances[instance].result = node;
    return 0;
}

int snoopi__defs_add(snoopi__defs *defs, uint64_t tag, const void *payload, size_t size,
                     const char **why)
{
    if (tag == WIRE_RESULT) {
        return add_result(defs, snoopi__cursor_of(payload, size), why);
    }
    if (!snoopi__is_definition(tag)) {
        *why = "not a definition";
        return SNOOPI_E_FORMAT;
    }
    const uint32_t kind = (uint32_t)tag;
    snoopi__cursor at = snoopi__cursor_of(payload, size);
    const uint32_t id = snoopi__get_varint32(&at);
    if (at.is_bad || !is_id_allowed(defs, kind, id)) {
        *why = "id of a definition out of order";
        return SNOOPI_E_FORMAT;
    }
    union definition def;
    if (decode(defs, kind, &at, &def) < 0 || make_room(defs, kind, id) < 0) {
        *why = "out of memory";
        return SNOOPI_E_NOMEM;
    }
    if (at.is_bad) {
        *why = "malformed definition";
        return SNOOPI_E_FORMAT;
    }
    if (kind == WIRE_CODE && def.code.n_places == 0 && snoopi__defs_has(defs, kind, id)) {
        return 0; // that it was not looked up yet says another thread, whose chunk is read later
    }
    store(defs, kind, id, &def);
    if (defs->max_id == 0 && snoopi__defs_mend(defs, kind, id)) {
        *why = "definition with an id inside that is not defined";
        return SNOOPI_E_FORMAT;
    }
    set_defined(defs, kind, id);
    return 0;
}

static const char *behind_digits(const char *at)
{
    const size_t n = strspn(at, "0123456789");
    return n > 0 ? at + n : NULL;
}

bool snoopi__is_generator(const snoopi__defs *defs, uint32_t method)
{
    if (method == 0 || method >= defs->n_methods) {
        return false;
    }
    const uint32_t string = defs->methods[method].name;
    const char *const text = string < defs->n_strings ? defs->strings[string].text : NULL;
    const char *const name = text ? text : "";
    const char *at = name + strspn(name, "#");
    at = at > name && *at == 's' ? behind_digits(at + 1) : NULL;
    at = at && *at == '#' ? behind_digits(at + 1) : NULL;
    return defs->methods[method].flags & WIRE_METHOD_GENERATOR || (at && *at == '\0');
}
