// SPDX-License-Identifier: MIT
// Ids inside definitions: that they name something, and what becomes of those that do not. See defs.h.
#include "defs.h"

static bool is_known(const snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    return id == 0 || snoopi__defs_has(defs, kind, id);
}

// Makes 0 of an id that is not defined; returns whether it had to.
static bool mend(const snoopi__defs *defs, uint32_t kind, uint32_t *id)
{
    if (is_known(defs, kind, *id)) {
        return false;
    }
    *id = 0;
    return true;
}

static bool mend_module(const snoopi__defs *defs, uint32_t id, def_module *module)
{
    bool mended = mend(defs, WIRE_STRING, &module->name);
    mended |= mend(defs, WIRE_MODULE, &module->parent);
    if (module->parent >= id) {
        module->parent = 0;
        mended = true;
    }
    return mended;
}

static bool mend_file(const snoopi__defs *defs, def_file *file)
{
    bool mended = mend(defs, WIRE_STRING, &file->raw);
    mended |= mend(defs, WIRE_STRING, &file->path);
    return mended;
}

static bool mend_typename(const snoopi__defs *defs, uint32_t id, def_typename *name)
{
    bool mended = mend(defs, WIRE_STRING, &name->name);
    mended |= mend(defs, WIRE_MODULE, &name->module);
    mended |= mend(defs, WIRE_STRING, &name->mt_name);
    mended |= mend(defs, WIRE_TYPENAME, &name->super);
    mended |= mend(defs, WIRE_STRING, &name->boxes);
    if (name->super && name->super >= id) {
        name->super = 0;
        mended = true;
    }
    return mended;
}

static bool mend_method(const snoopi__defs *defs, def_method *method)
{
    bool mended = mend(defs, WIRE_STRING, &method->name);
    mended |= mend(defs, WIRE_MODULE, &method->module);
    mended |= mend(defs, WIRE_FILE, &method->file);
    mended |= mend(defs, WIRE_NODE, &method->sig);
    return mended;
}

static bool mend_instance(const snoopi__defs *defs, def_instance *instance)
{
    bool mended = mend(defs, WIRE_METHOD, &instance->method);
    mended |= mend(defs, WIRE_NODE, &instance->spec);
    mended |= mend(defs, WIRE_MODULE, &instance->module);
    mended |= mend(defs, WIRE_FILE, &instance->file);
    mended |= mend(defs, WIRE_NODE, &instance->result);
    return mended;
}

static bool mend_code(const snoopi__defs *defs, const def_code *code)
{
    bool mended = false;
    for (uint32_t i = 0; i < code->n_places; i++) {
        def_place *place = &code->places[i];
        mended |= mend(defs, WIRE_STRING, &place->name);
        mended |= mend(defs, WIRE_FILE, &place->file);
        mended |= mend(defs, WIRE_INSTANCE, &place->instance);
    }
    return mended;
}

static bool is_kid(const snoopi__defs *defs, uint32_t parent, uint32_t id)
{
    return id > 0 && id < parent && snoopi__defs_has(defs, WIRE_NODE, id);
}

static bool are_kids(const snoopi__defs *defs, uint32_t parent, const def_node *node)
{
    for (uint32_t i = 0; i < node->n; i++) {
        if (!is_kid(defs, parent, node->kids[i])) {
            return false;
        }
    }
    return true;
}

static bool is_sound_node(const snoopi__defs *defs, uint32_t id, const def_node *node)
{
    switch (node->form) {
    case WIRE_FORM_DATATYPE:
        return snoopi__defs_has(defs, WIRE_TYPENAME, node->a) && are_kids(defs, id, node);
    case WIRE_FORM_UNIONALL:
        return is_kid(defs, id, node->a) && is_kid(defs, id, node->b) &&
               defs->nodes[node->a].form == WIRE_FORM_TYPEVAR;
    case WIRE_FORM_UNION: return is_kid(defs, id, node->a) && is_kid(defs, id, node->b);
    case WIRE_FORM_TYPEVAR:
        return is_known(defs, WIRE_STRING, node->a) && is_kid(defs, id, node->b) &&
               is_kid(defs, id, node->c);
    case WIRE_FORM_VARARG:
        return (node->a == 0 || is_kid(defs, id, node->a)) &&
               (node->b == 0 || is_kid(defs, id, node->b));
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_PARTIAL: return is_kid(defs, id, node->a) && are_kids(defs, id, node);
    case WIRE_FORM_BITS:
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_CONST_TYPE: return is_kid(defs, id, node->a);
    case WIRE_FORM_SYMBOL:
    case WIRE_FORM_TEXT: return snoopi__defs_has(defs, WIRE_STRING, node->a);
    case WIRE_FORM_ENUM: return is_kid(defs, id, node->a) && is_known(defs, WIRE_STRING, node->b);
    case WIRE_FORM_ALIAS:
        return is_kid(defs, id, node->a) && is_known(defs, WIRE_STRING, node->b) &&
               is_known(defs, WIRE_MODULE, node->c);
    case WIRE_FORM_MODULE: return snoopi__defs_has(defs, WIRE_MODULE, node->a);
    default: return true; // BOTTOM, CUT, and forms to come, of which nothing is known
    }
}

bool snoopi__defs_mend(snoopi__defs *defs, uint32_t kind, uint32_t id)
{
    switch (kind) {
    case WIRE_MODULE: return mend_module(defs, id, &defs->modules[id]);
    case WIRE_FILE: return mend_file(defs, &defs->files[id]);
    case WIRE_TYPENAME: return mend_typename(defs, id, &defs->typenames[id]);
    case WIRE_METHOD: return mend_method(defs, &defs->methods[id]);
    case WIRE_INSTANCE: return mend_instance(defs, &defs->instances[id]);
    case WIRE_CODE: return mend_code(defs, &defs->codes[id]);
    case WIRE_NODE:
        if (is_sound_node(defs, id, &defs->nodes[id])) {
            return false;
        }
        defs->nodes[id] = (def_node){.form = WIRE_FORM_CUT};
        return true;
    default: return false;
    }
}

uint64_t snoopi__defs_check(snoopi__defs *defs)
{
    uint64_t mended = 0;
    for (uint32_t kind = WIRE_MODULE; kind < WIRE_DEF_KINDS; kind++) {
        const uint32_t n = snoopi__defs_count(defs, kind);
        for (uint32_t id = 1; id < n; id++) {
            if (defs->is_defined[kind][id] && snoopi__defs_mend(defs, kind, id)) {
                mended++;
            }
        }
    }
    return mended;
}
