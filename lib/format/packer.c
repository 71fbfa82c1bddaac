// SPDX-License-Identifier: MIT
// Making a trace of segments. See packer.h.
#include "packer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "facts.h"
#include "framewriter.h"
#include "processfields.h"
#include "replay.h"
#include "role.h"
#include "snoopi/version.h"

typedef struct {
    snoopi__segment *segment;
    snoopi__facts facts;
    snoopi__remap remap;
    snoopi__framewriter frames;
    snoopi__replay_result result;
    char damage[256];
} work;

int snoopi__packer_open(snoopi__packer *packer, const char *path, snoopi_error *err)
{
    *packer = (snoopi__packer){0};
    packer->pool.writer = &packer->writer;
    return snoopi__pagewriter_open(&packer->writer, path, err);
}

void snoopi__packer_close(snoopi__packer *packer)
{
    snoopi__defpool_clear(&packer->pool);
    snoopi__imagecache_clear(&packer->images);
    snoopi__pagewriter_close(&packer->writer);
}

static void describe_damage(work *w)
{
    const snoopi__damage *damage = &w->segment->damage;
    if (damage->count == 1) {
        (void)snprintf(w->damage, sizeof w->damage, "%s", damage->text);
    } else if (damage->count > 1) {
        (void)snprintf(w->damage, sizeof w->damage, "%s (and %llu more)", damage->text,
                       (unsigned long long)damage->count - 1);
    }
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

// Completes the process by what came of its events.
static void sum_up(work *w)
{
    const struct wire_segment_header *head = &w->segment->head;
    const snoopi__sums *sums = &w->result.sums;
    snoopi_process *p = &w->facts.process;
    const bool is_window = w->facts.is_window;
    const uint64_t tool_other_ns = is_window ? 0 : sum(head->tool_other_ns, head->agent_start_ns);
    const uint64_t outside_tool_ns = sum(w->result.outside_tool_ns, tool_other_ns);
    p->wall_ns = w->facts.end_ns - p->begin_ns;
    p->inference_ns = sums->inference_ns;
    p->busy_ns = sums->busy_ns;
    p->outside_ns = less(less(p->wall_ns, p->busy_ns), outside_tool_ns);
    p->tool_ns = sum(w->result.event_tool_ns, tool_other_ns);
    p->gc_ns = sums->gc_ns;
    p->frames = sums->frames;
    p->roots = sums->roots;
    p->instances = w->result.instances;
    describe_damage(w);
    p->damage = w->damage;
    p->is_complete = (is_window || head->state == WIRE_STATE_ENDED) && head->dropped_frames == 0 &&
                     head->dropped_records == 0 && w->segment->damage.count == 0;
}

static int write_process_page(snoopi__packer *packer, work *w, snoopi_error *err)
{
    snoopi__buffer page = {0};
    snoopi__buffer payload = {0};
    snoopi__process_put(&payload, &w->facts.process, w->segment->head.state);
    snoopi__buffer_record(&page, WIRE_PROCESS, payload.data, payload.size);
    for (size_t i = 0; i < w->result.n_marks; i++) {
        payload.size = 0;
        snoopi__buffer_varint(&payload, w->result.marks[i].time_ns);
        snoopi__buffer_varint(&payload, w->result.marks[i].name);
        snoopi__buffer_record(&page, WIRE_TRACE_MARK, payload.data, payload.size);
    }
    for (size_t i = 0; i < w->result.n_invalidated; i++) {
        payload.size = 0;
        snoopi__buffer_varint(&payload, w->result.invalidated[i].instance);
        snoopi__buffer_varint(&payload, w->result.invalidated[i].world);
        snoopi__buffer_record(&page, WIRE_TRACE_INVALIDATED, payload.data, payload.size);
    }
    page.has_failed |= payload.has_failed;
    const int st = snoopi__pagewriter_page(&packer->writer, WIRE_PAGE_PROCESS, &page, err);
    snoopi__buffer_clear(&page);
    snoopi__buffer_clear(&payload);
    return st;
}

static int write_process(snoopi__packer *packer, work *w, snoopi_error *err)
{
    snoopi_process *p = &w->facts.process;
    const snoopi__codesource source = {
        .bindir = p->bindir, .cwd = p->cwd, .images = &w->facts.images, .cache = &packer->images};
    int st = snoopi__defpool_take(&packer->pool, &w->facts.defs, &source, &w->remap, err);
    if (st < 0) {
        return st;
    }
    w->frames.writer = &packer->writer;
    w->frames.process_begin_ns = p->begin_ns;
    st = snoopi__replay(w->segment, &w->facts, &packer->pool, &w->remap, &w->frames,
                        packer->writer.dir, &w->result, err);
    if (st == 0) {
        sum_up(w);
        st = snoopi__defpool_flush(&packer->pool, err);
    }
    if (st == 0) {
        st = write_process_page(packer, w, err);
    }
    if (st == 0) {
        st = snoopi__pagewriter_unspool(&packer->writer, err);
    }
    return st;
}

void snoopi__packer_count(snoopi__packer *packer, const snoopi_process *p)
{
    packer->n_processes++;
    packer->frames += p->frames;
    packer->inference_ns += p->inference_ns;
    packer->wall_ns = sum(packer->wall_ns, p->wall_ns);
    packer->dropped_frames = sum(packer->dropped_frames, p->dropped_frames);
    packer->damaged += *p->damage != '\0';
}

// `window`: NULL for the whole. An exit that the segment does not know is given.
static int add(snoopi__packer *packer, snoopi__segment *segment, int64_t parent,
               const snoopi__window *window, snoopi_exit_kind exit_kind, int exit_value,
               snoopi_error *err)
{
    work w = {.segment = segment};
    int st = snoopi__facts_gather(&w.facts, segment, err);
    if (st == 0) {
        snoopi_process *p = &w.facts.process;
        if (window) {
            snoopi__facts_narrow(&w.facts, window->begin_ns, window->end_ns);
        }
        p->index = packer->n_processes;
        p->parent = parent;
        if (p->exit_kind == SNOOPI_EXIT_UNKNOWN) {
            p->exit_kind = exit_kind;
            p->exit_value = exit_value;
        }
        p->role = snoopi__role_of(&w.facts.arena, p->argc, p->argv, w.facts.image);
        st = p->role ? write_process(packer, &w, err) : snoopi__fail_nomem(err);
    }
    if (st == 0) {
        snoopi__packer_count(packer, &w.facts.process);
    }
    free(w.result.marks);
    free(w.result.invalidated);
    snoopi__framewriter_clear(&w.frames);
    snoopi__remap_clear(&w.remap);
    snoopi__facts_clear(&w.facts);
    return st;
}

int snoopi__packer_add(snoopi__packer *packer, snoopi__segment *segment, int64_t parent,
                       snoopi_exit_kind exit_kind, int exit_value, snoopi_error *err)
{
    return add(packer, segment, parent, NULL, exit_kind, exit_value, err);
}

int snoopi__packer_add_window(snoopi__packer *packer, snoopi__segment *segment,
                              const snoopi__window *window, snoopi_error *err)
{
    packer->pool.keeps_agent_ids = true;
    return add(packer, segment, -1, window, SNOOPI_EXIT_UNKNOWN, 0, err);
}

void snoopi__packer_result(const snoopi__packer *packer, snoopi_pack_result *result)
{
    result->processes = packer->n_processes;
    result->frames = packer->frames;
    result->inference_ns = packer->inference_ns;
    result->wall_ns = packer->wall_ns;
    result->dropped_frames = packer->dropped_frames;
    result->file_bytes = packer->writer.bytes;
    result->damaged = packer->damaged;
}

int snoopi__packer_finish(snoopi__packer *packer, snoopi_recording *recording, snoopi_error *err)
{
    snoopi__buffer page = {0};
    snoopi__buffer payload = {0};
    recording->processes = packer->n_processes;
    recording->frames = packer->frames;
    recording->writer = SNOOPI_VERSION;
    snoopi__recording_put(&payload, recording);
    snoopi__buffer_record(&page, WIRE_RECORDING, payload.data, payload.size);
    page.has_failed |= payload.has_failed;
    int st = snoopi__pagewriter_page(&packer->writer, WIRE_PAGE_END, &page, err);
    if (st == 0) {
        st = snoopi__pagewriter_finish(&packer->writer, err);
    }
    snoopi__buffer_clear(&page);
    snoopi__buffer_clear(&payload);
    return st;
}
