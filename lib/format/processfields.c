// SPDX-License-Identifier: MIT
// Keyed fields of PROCESS and RECORDING records. See processfields.h.
#include "processfields.h"

#include <string.h>

#include "wire.h"

enum { STATE_KEY = 25, FIRST_BYTES_KEY = 128 };

// --- writing ---

static void put(snoopi__buffer *out, uint64_t key, uint64_t value)
{
    if (value != 0) {
        snoopi__buffer_varint(out, key);
        snoopi__buffer_varint(out, value);
    }
}

static void put_text(snoopi__buffer *out, uint64_t key, const char *text)
{
    if (text && *text) {
        snoopi__buffer_record(out, key, text, strlen(text));
    }
}

static void put_argv(snoopi__buffer *out, uint64_t key, uint32_t argc, const char *const *argv)
{
    snoopi__buffer joined = {0};
    for (uint32_t i = 0; i < argc; i++) {
        // NULs stand between arguments, none behind the last.
        snoopi__buffer_put(&joined, argv[i], strlen(argv[i]) + (i + 1 < argc));
    }
    if (argc > 0) {
        snoopi__buffer_record(out, key, joined.data, joined.size);
    }
    out->has_failed |= joined.has_failed;
    snoopi__buffer_clear(&joined);
}

void snoopi__process_put(snoopi__buffer *out, const snoopi_process *p, uint32_t state)
{
    uint32_t flags = 0;
    flags |= p->compiler_replaced ? (uint32_t)WIRE_SEG_COMPILER_REPLACED : 0;
    flags |= p->has_args ? 0 : (uint32_t)WIRE_SEG_NO_ARGS;
    flags |= p->has_stacks ? 0 : (uint32_t)WIRE_SEG_NO_STACKS;
    put(out, 1, p->index);
    put(out, 2, p->pid);
    put(out, 3, p->ppid);
    put(out, 4, p->begin_ns);
    put(out, 5, p->begin_real_ns);
    put(out, 6, p->wall_ns);
    put(out, 7, p->agent_start_ns);
    put(out, 8, p->world_begin);
    put(out, 9, p->world_end);
    put(out, 10, p->dropped_frames);
    put(out, 11, p->dropped_records);
    put(out, 12, p->segment_bytes);
    put(out, 13, p->event_bytes);
    put(out, 14, p->hook);
    put(out, 15, flags);
    put(out, 16, p->exit_kind);
    put(out, 17, (uint32_t)p->exit_value);
    put(out, 18, p->is_complete);
    put(out, 19, p->frames);
    put(out, 20, p->roots);
    put(out, 21, p->inference_ns);
    put(out, 22, p->busy_ns);
    put(out, 23, p->tool_ns);
    put(out, 24, p->gc_ns);
    put(out, STATE_KEY, state);
    put(out, 26, p->instances);
    put(out, 27, p->outside_ns);
    put(out, 28, (uint64_t)(p->parent + 1));
    put_argv(out, 128, p->argc, p->argv);
    put_text(out, 129, p->julia);
    put_text(out, 130, p->role);
    put_text(out, 131, p->bindir);
    put_text(out, 132, p->cwd);
    put_text(out, 133, p->exe);
    put_text(out, 134, p->reason);
    put_text(out, 135, p->hook_text);
    put_text(out, 136, p->compile_mode);
    put_text(out, 137, p->damage);
    put_text(out, 138, p->origin);
}

void snoopi__recording_put(snoopi__buffer *out, const snoopi_recording *r)
{
    put(out, 1, r->begin_real_ns);
    put(out, 2, r->elapsed_ns);
    put(out, 3, r->exit_kind);
    put(out, 4, (uint32_t)r->exit_value);
    put(out, 5, r->processes);
    put(out, 6, r->frames);
    put_argv(out, 128, r->argc, r->argv);
    put_text(out, 129, r->writer);
    put_text(out, 130, r->note);
}

// --- reading ---

typedef struct {
    uint64_t key;
    uint64_t value; // key below FIRST_BYTES_KEY
    const char *text;
    size_t size;
} field;

// Takes the next field; its text is a copy in the arena. 1, 0 at the end, or a negative status.
static int next_field(snoopi__cursor *at, snoopi__arena *arena, field *out)
{
    if (at->at == at->end) {
        return at->is_bad ? SNOOPI_E_FORMAT : 0;
    }
    *out = (field){.text = ""};
    out->key = snoopi__get_varint(at);
    out->value = snoopi__get_varint(at);
    if (out->key >= FIRST_BYTES_KEY) {
        const unsigned char *bytes = snoopi__get_bytes(at, out->value);
        out->size = (size_t)out->value;
        out->text = at->is_bad ? "" : snoopi__arena_text(arena, bytes, out->size);
        if (!out->text) {
            return SNOOPI_E_NOMEM;
        }
    }
    return at->is_bad ? SNOOPI_E_FORMAT : 1;
}

const char *const *snoopi__argv_split(snoopi__arena *arena, const char *joined, size_t size,
                                      uint32_t *argc)
{
    size_t n = 1;
    for (size_t i = 0; i < size; i++) {
        n += joined[i] == '\0';
    }
    const char **argv = snoopi__arena_array(arena, n, sizeof *argv);
    if (!argv) {
        return NULL;
    }
    const char *at = joined;
    for (size_t i = 0; i < n; i++) {
        argv[i] = at;
        at += strlen(at) + 1;
    }
    *argc = (uint32_t)n;
    return argv;
}

static void get_flags(snoopi_process *p, uint64_t flags)
{
    p->compiler_replaced = (flags & WIRE_SEG_COMPILER_REPLACED) != 0;
    p->has_args = (flags & WIRE_SEG_NO_ARGS) == 0;
    p->has_stacks = (flags & WIRE_SEG_NO_STACKS) == 0;
}

static void get_number(snoopi_process *p, uint64_t key, uint64_t value)
{
    switch (key) {
    case 1: p->index = (uint32_t)value; break;
    case 2: p->pid = (uint32_t)value; break;
    case 3: p->ppid = (uint32_t)value; break;
    case 4: p->begin_ns = value; break;
    case 5: p->begin_real_ns = value; break;
    case 6: p->wall_ns = value; break;
    case 7: p->agent_start_ns = value; break;
    case 8: p->world_begin = value; break;
    case 9: p->world_end = value; break;
    case 10: p->dropped_frames = value; break;
    case 11: p->dropped_records = value; break;
    case 12: p->segment_bytes = value; break;
    case 13: p->event_bytes = value; break;
    case 14: p->hook = value <= SNOOPI_HOOK_OVERRIDE ? (snoopi_hook_kind)value : p->hook; break;
    case 15: get_flags(p, value); break;
    case 16:
        p->exit_kind = value <= SNOOPI_EXIT_SIGNAL ? (snoopi_exit_kind)value : p->exit_kind;
        break;
    case 17: p->exit_value = (int)(uint32_t)value; break;
    case 18: p->is_complete = value == 1; break;
    case 19: p->frames = value; break;
    case 20: p->roots = value; break;
    case 21: p->inference_ns = value; break;
    case 22: p->busy_ns = value; break;
    case 23: p->tool_ns = value; break;
    case 24: p->gc_ns = value; break;
    case 26: p->instances = value; break;
    case 27: p->outside_ns = value; break;
    case 28: p->parent = value > UINT32_MAX ? -1 : (int64_t)value - 1; break;
    default: break; // fields to come
    }
}

static int get_text(snoopi_process *p, snoopi__arena *arena, const field *f)
{
    switch (f->key) {
    case 128:
        p->argv = snoopi__argv_split(arena, f->text, f->size, &p->argc);
        return p->argv ? 0 : SNOOPI_E_NOMEM;
    case 129: p->julia = f->text; break;
    case 130: p->role = f->text; break;
    case 131: p->bindir = f->text; break;
    case 132: p->cwd = f->text; break;
    case 133: p->exe = f->text; break;
    case 134: p->reason = f->text; break;
    case 135: p->hook_text = f->text; break;
    case 136: p->compile_mode = f->text; break;
    case 137: p->damage = f->text; break;
    case 138: p->origin = f->text; break;
    default: break;
    }
    return 0;
}

int snoopi__process_get(snoopi_process *process, uint32_t *state, snoopi__arena *arena,
                        snoopi__cursor fields)
{
    *state = 0;
    *process = (snoopi_process){.parent = -1,
                                .has_args = true,
                                .has_stacks = true,
                                .julia = "",
                                .role = "",
                                .bindir = "",
                                .cwd = "",
                                .exe = "",
                                .hook_text = "",
                                .compile_mode = "",
                                .reason = "",
                                .damage = "",
                                .origin = ""};
    field f;
    int st;
    while ((st = next_field(&fields, arena, &f)) > 0) {
        if (f.key == STATE_KEY) {
            *state = (uint32_t)f.value;
        } else if (f.key < FIRST_BYTES_KEY) {
            get_number(process, f.key, f.value);
        } else if (get_text(process, arena, &f) < 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    return st;
}

static int get_recording_field(snoopi_recording *r, snoopi__arena *arena, const field *f)
{
    switch (f->key) {
    case 1: r->begin_real_ns = f->value; break;
    case 2: r->elapsed_ns = f->value; break;
    case 3:
        r->exit_kind = f->value <= SNOOPI_EXIT_SIGNAL ? (snoopi_exit_kind)f->value : r->exit_kind;
        break;
    case 4: r->exit_value = (int)(uint32_t)f->value; break;
    case 5: r->processes = (uint32_t)f->value; break;
    case 6: r->frames = f->value; break;
    case 128:
        r->argv = snoopi__argv_split(arena, f->text, f->size, &r->argc);
        return r->argv ? 0 : SNOOPI_E_NOMEM;
    case 129: r->writer = f->text; break;
    case 130: r->note = f->text; break;
    default: break;
    }
    return 0;
}

int snoopi__recording_get(snoopi_recording *recording, snoopi__arena *arena, snoopi__cursor fields)
{
    field f;
    int st;
    while ((st = next_field(&fields, arena, &f)) > 0) {
        if (get_recording_field(recording, arena, &f) < 0) {
            return SNOOPI_E_NOMEM;
        }
    }
    return st;
}
