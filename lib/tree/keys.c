// SPDX-License-Identifier: MIT
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

int snoopi__keys_init(snoopi__keys *keys, snoopi_trace *trace, snoopi_by by,
                      const snoopi_filter *filter, snoopi_error *err)
{
    *keys = (snoopi__keys){.trace = trace, .by = by};
    if (filter) {
        keys->filter = *filter;
        keys->has_filter = filter->module || filter->package || filter->file;
    }
    keys->of_instance =
        calloc((size_t)snoopi_trace_n_instances(trace) + 1, sizeof *keys->of_instance);
    return keys->of_instance ? SNOOPI_OK : snoopi__fail_nomem(err);
}

void snoopi__keys_clear(snoopi__keys *keys)
{
    free(keys->of_instance);
    free(keys->keys);
    snoopi__idset_clear(&keys->set);
    snoopi__buffer_clear(&keys->text);
    snoopi__arena_clear(&keys->arena);
    *keys = (snoopi__keys){0};
}

// The part of an instance that is its key.
static snoopi__key instance_key(snoopi_by by, const snoopi_instance *i)
{
    snoopi__key key = {.instance = i->id, .process = -1, .thread = -1};
    switch (by) {
    case SNOOPI_BY_FRAME:
    case SNOOPI_BY_INSTANCE:
    case SNOOPI_BY_ROOT:
    case SNOOPI_BY_METHOD:
        key.name = by == SNOOPI_BY_METHOD ? i->method_name : i->name;
        key.module = i->module;
        key.package = i->package;
        key.file = i->file;
        key.line = i->line;
        break;
    case SNOOPI_BY_FUNCTION:
        key.name = i->function;
        key.module = i->module;
        key.package = i->package;
        break;
    case SNOOPI_BY_MODULE:
        key.name = key.module = i->module;
        key.package = i->package;
        break;
    case SNOOPI_BY_PACKAGE: key.name = key.package = i->package; break;
    case SNOOPI_BY_FILE: key.name = key.file = i->file; break;
    case SNOOPI_BY_PROCESS:
    case SNOOPI_BY_THREAD: break;
    }
    return key;
}

static void put_text(snoopi__buffer *buffer, const char *text)
{
    if (text) {
        snoopi__buffer_put(buffer, text, strlen(text) + 1);
    }
}

// The number of a key + 1, given when it is new. 0 when memory is short.
static uint32_t intern(snoopi__keys *keys, const snoopi__key *key)
{
    snoopi__buffer *const text = &keys->text;
    text->size = 0;
    put_text(text, key->module);
    put_text(text, key->name);
    put_text(text, key->file);
    snoopi__buffer_u32(text, (uint32_t)key->line);
    snoopi__buffer_u64(text, (uint64_t)key->process);
    snoopi__buffer_u64(text, (uint64_t)key->thread);
    if (text->has_failed) {
        return 0;
    }
    uint32_t *const number = snoopi__idset_find(&keys->set, 0, text->data, text->size);
    if (!number || *number != 0) {
        return number ? *number : 0;
    }
    snoopi__key *const grown =
        snoopi__grow(keys->keys, &keys->capacity, keys->n_keys + 1, sizeof *grown);
    if (!grown) {
        return 0;
    }
    keys->keys = grown;
    keys->keys[keys->n_keys++] = *key;
    *number = (uint32_t)keys->n_keys;
    return *number;
}

// What of_instance holds for an instance; 0 when memory is short.
static uint32_t number_of_instance(snoopi__keys *keys, uint32_t id)
{
    uint32_t *const known = &keys->of_instance[id];
    if (*known == 0) {
        const snoopi_instance *const instance = snoopi_trace_instance(keys->trace, id);
        if (!instance) {
            return 0;
        }
        if (keys->has_filter && !snoopi_filter_matches(&keys->filter, instance)) {
            *known = UINT32_MAX;
        } else if (keys->by < SNOOPI_BY_PROCESS) {
            const snoopi__key key = instance_key(keys->by, instance);
            *known = intern(keys, &key);
        } else {
            *known = 1; // not left out; its key is another matter
        }
    }
    return *known;
}

static uint32_t intern_thread(snoopi__keys *keys, const snoopi_frame *frame)
{
    const bool has_thread = keys->by == SNOOPI_BY_THREAD;
    char name[160];
    const snoopi_process *const process = snoopi_trace_process(keys->trace, frame->process);
    int length = snprintf(name, sizeof name, "process %u", (unsigned)frame->process);
    if (has_thread) {
        length = snprintf(name, sizeof name, "process %u thread %u", (unsigned)frame->process,
                          (unsigned)frame->thread);
    } else if (*process->role) {
        length = snprintf(name, sizeof name, "process %u (%.100s)", (unsigned)frame->process,
                          process->role);
    }
    snoopi__key key = {.name = name,
                       .process = frame->process,
                       .thread = has_thread ? (int64_t)frame->thread : -1};
    const size_t before = keys->n_keys;
    const uint32_t number = intern(keys, &key);
    if (number != 0 && keys->n_keys > before) { // a new one: its name must last
        keys->keys[before].name = snoopi__arena_text(&keys->arena, name, (size_t)length);
        if (!keys->keys[before].name) {
            return 0;
        }
    }
    return number;
}

// Frames of a thread come in a row.
static uint32_t number_of_thread(snoopi__keys *keys, const snoopi_frame *frame)
{
    if (keys->last_key == 0 || keys->last_process != frame->process ||
        keys->last_thread != frame->thread) {
        keys->last_key = intern_thread(keys, frame);
        keys->last_process = frame->process;
        keys->last_thread = frame->thread;
    }
    return keys->last_key;
}

int snoopi__keys_find_new(snoopi__keys *keys, const snoopi_frame *frame, uint32_t *number,
                          snoopi_error *err)
{
    uint32_t found = 0;
    if (keys->by == SNOOPI_BY_ROOT) {
        if (frame->depth == 0) {
            keys->root_key = number_of_instance(keys, frame->instance);
        }
        found = keys->root_key;
    } else {
        found = number_of_instance(keys, frame->instance);
        if (found != 0 && found != UINT32_MAX && keys->by >= SNOOPI_BY_PROCESS) {
            found = number_of_thread(keys, frame);
        }
    }
    if (found == 0) {
        return snoopi__fail_nomem(err);
    }
    *number = found == UINT32_MAX ? SNOOPI__KEY_NONE : found - 1;
    return SNOOPI_OK;
}

snoopi_row snoopi__keys_row(const snoopi__keys *keys, uint32_t number)
{
    const snoopi__key *const key = &keys->keys[number];
    return (snoopi_row){.name = key->name,
                        .module = key->module,
                        .package = key->package,
                        .file = key->file,
                        .line = key->line,
                        .instance = key->instance,
                        .process = key->process,
                        .thread = key->thread,
                        .parent = -1};
}

void snoopi__row_set_frame(snoopi_row *row, const snoopi_frame *frame)
{
    row->instance = frame->instance;
    row->process = frame->process;
    row->thread = frame->thread;
    row->self_ns = frame->self_ns;
    row->total_ns = frame->total_ns;
    row->gc_ns = frame->gc_ns;
    row->count = 1;
    row->roots = frame->depth == 0;
    row->id = frame->id;
    row->parent = frame->parent;
    row->depth = frame->depth;
    row->flags = frame->flags;
    row->begin_ns = frame->begin_ns;
    row->end_ns = frame->end_ns;
}
