// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include "fakejulia.h"

#include <snoopi/pack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/hook/install.h"
#include "agent/lock.h"
#include "agent/machine/entry.h"
#include "agent/record/describe.h"
#include "agent/record/graph.h"
#include "agent/record/results.h"
#include "agent/record/stacks.h"

_Thread_local struct gc_frame *fake_gc_stack;
_Thread_local void *fake_current_task;
struct julia_row fake_row;
struct hook fake_hook = {.kind = TARGET_TYPEINF, .frame_register = 1, .is_tried = true};
struct julia_api julia;

static jl_any get_current_task(void)
{
    return fake_current_task;
}

static size_t get_world_counter(void)
{
    return 4711;
}

static void ***gc_stack(void)
{
    return (void ***)&fake_gc_stack;
}

void fake_begin(char folder[64])
{
    char reason[256] = "";

    (void)snprintf(folder, 64, "/tmp/snoopi-agent-XXXXXX");
    assert_non_null(mkdtemp(folder));
    julia.row = &fake_row;
    julia.get_current_task = get_current_task;
    julia.get_world_counter = get_world_counter;
    julia.gc_stack = gc_stack;
    if (!segment_create(folder, agent_now(), reason, sizeof reason)) {
        fail_msg("%s", reason);
    }
    segment_header()->state = WIRE_STATE_RECORDING;
}

void fake_end(const char *folder)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

void fake_open(const char *folder, snoopi_trace **trace, snoopi_walk **walk)
{
    char path[128];
    snoopi_error err = {0};

    (void)snprintf(path, sizeof path, "%s/trace", folder);
    if (snoopi_pack(folder, path, NULL, NULL, &err) < 0 ||
        snoopi_trace_open(trace, path, &err) < 0) {
        fail_msg("%s", err.text);
    }
    const snoopi_process *const process = snoopi_trace_process(*trace, 0);
    assert_string_equal(process->damage, "");
    assert_int_equal(process->dropped_frames, 0);
    assert_int_equal(process->dropped_records, 0);
    assert_int_equal(snoopi_walk_open(walk, *trace, 0, &err), 0);
}

void fake_frame_begin(uint32_t n, uintptr_t sp)
{
    void *const registers[16] = {NULL, (void *)(uintptr_t)n};
    agent_frame_begin(registers, &fake_hook, sp);
}

// wake.c

bool agent_is_recording(void)
{
    return true;
}

void agent_turn_off(const char *reason)
{
    (void)fprintf(stderr, "%s\n", reason);
    abort();
}

// describe.c: the instance is written anew each time, under a lock, as that of a thunk is.

const char *julia_reason(const char *reason)
{
    return reason;
}

bool describe_is_frame(enum target_kind kind, jl_any frame)
{
    (void)kind;
    (void)frame;
    return true;
}

void describe_expect(enum target_kind kind, jl_any frame)
{
    (void)kind;
    (void)frame;
}

bool describe_frame(struct thread *thread, enum target_kind kind, jl_any frame, uint64_t flags,
                    struct description *description)
{
    const uint32_t n = fake_row.takes_turns ? *(const uint32_t *)frame : (uint32_t)(uintptr_t)frame;
    uint8_t fields[32];
    uint8_t *at = put_varint(fields, n);

    (void)kind;
    at = put_varint(at, WIRE_INSTANCE_TOPLEVEL);
    at = put_varint(at, 0);
    at = put_varint(at, 0);
    at = put_svarint(at, n);
    agent_lock_take(LOCK_DEFINITIONS, thread->writer.os_tid);
    const bool is_written =
        segment_append(&thread->writer, WIRE_INSTANCE, fields, (size_t)(at - fields), 0);
    agent_lock_release(LOCK_DEFINITIONS);
    at = put_varint(description->tail, n);
    at = put_varint(at, flags);
    description->size = (size_t)(at - description->tail);
    description->result_of = results_of(n, flags);
    return is_written;
}

void describe_line(struct thread *thread)
{
    (void)thread;
}

// stacks.c, install.c, graph.c

void stacks_write(struct thread *thread, struct unwind_place from, uint64_t now)
{
    (void)thread;
    (void)from;
    (void)now;
}

void stacks_look_up(struct thread *thread)
{
    (void)thread;
}

bool hook_is_entrance(struct thread *thread, uintptr_t sp)
{
    (void)thread;
    (void)sp;
    return false;
}

void graph_begin(struct segment_writer *writer)
{
    (void)writer;
}

void graph_end(void) {}

uint32_t graph_text(const char *text, size_t size)
{
    (void)text;
    (void)size;
    return 0;
}

jl_any graph_live_instance(uint32_t id)
{
    (void)id;
    return NULL;
}

void graph_result(struct segment_writer *writer, uint32_t id, jl_any type)
{
    (void)writer;
    (void)id;
    (void)type;
}
