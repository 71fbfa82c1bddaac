// SPDX-License-Identifier: MIT
// Calls of functions that return what is not concrete. See callees.h.
#include "callees.h"

#include <snoopi/error.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

enum { SEED_FUNCTION, SEED_CALL }; // of the idset

void snoopi__callees_clear(snoopi__callees *callees)
{
    free(callees->items);
    free(callees->path);
    snoopi__idset_clear(&callees->known);
    snoopi__buffer_clear(&callees->key);
    *callees = (snoopi__callees){0};
}

static void put_text(snoopi__buffer *key, const char *text)
{
    snoopi__buffer_put(key, text, strlen(text) + 1);
}

// Where the number of what has that key is; NULL when memory is short.
static uint32_t *find_function(snoopi__callees *callees, const char *name, const char *file)
{
    callees->key.size = 0;
    put_text(&callees->key, name);
    put_text(&callees->key, file);
    return callees->key.has_failed ? NULL
                                   : snoopi__idset_find(&callees->known, SEED_FUNCTION,
                                                        callees->key.data, callees->key.size);
}

uint32_t snoopi__callees_function(snoopi__callees *callees, const char *name, const char *file)
{
    const uint32_t *const number = callees->n > 0 ? find_function(callees, name, file) : NULL;
    return number ? *number : 0;
}

// A function of the program that returns what is not concrete, whatever it is given: where its own arguments are abstract, that
// may be why.
static bool is_loose(snoopi_trace *trace, const snoopi__defs *defs, uint32_t id)
{
    const def_instance *const def = &defs->instances[id];
    if (def->kind != WIRE_INSTANCE_METHOD || !def->result || !snoopi__is_loose(defs, def->result) ||
        snoopi__takes_abstract(defs, id)) {
        return false;
    }
    const snoopi_instance *const instance = snoopi_trace_instance(trace, id);
    return instance && strcmp(instance->package, "Base") != 0 &&
           strcmp(instance->package, "Core") != 0;
}

static int add_call(snoopi__callees *callees, snoopi_trace *trace, uint32_t caller, uint32_t callee)
{
    const uint32_t pair[] = {caller, callee};
    uint32_t *const known = snoopi__idset_find(&callees->known, SEED_CALL, pair, sizeof pair);
    if (!known) {
        return SNOOPI_E_NOMEM;
    }
    if (*known) {
        return SNOOPI_OK;
    }
    *known = 1;
    const snoopi_instance *const by = snoopi_trace_instance(trace, caller);
    snoopi__loose_call *const items =
        snoopi__grow(callees->items, &callees->capacity, callees->n + 1, sizeof *items);
    callees->items = items ? items : callees->items;
    uint32_t *const function = by ? find_function(callees, by->method_name, by->file) : NULL;
    if (!items || !function) {
        return SNOOPI_E_NOMEM;
    }
    *function = *function ? *function : ++callees->n_functions;
    items[callees->n++] = (snoopi__loose_call){*function, caller, callee};
    return SNOOPI_OK;
}

int snoopi__callees_add(snoopi__callees *callees, snoopi_trace *trace, const snoopi__defs *defs,
                        const snoopi_frame *frame)
{
    uint32_t *const path = snoopi__grow(callees->path, &callees->path_capacity,
                                        (size_t)frame->depth + 1, sizeof *path);
    if (!path) {
        return SNOOPI_E_NOMEM;
    }
    callees->path = path;
    path[frame->depth] = frame->instance;
    const bool is_call = frame->depth > 0 && !(frame->flags & SNOOPI_FRAME_NESTED);
    return is_call && is_loose(trace, defs, frame->instance)
               ? add_call(callees, trace, path[frame->depth - 1], frame->instance)
               : SNOOPI_OK;
}
