// SPDX-License-Identifier: MIT
// The first pass over a segment. See facts.h.
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "processfields.h"

// No definition is shorter than tag, length and id: so many ids a segment of honest origin can have.
enum { DEFINITION_MIN = 3 };

static const char *limited_text(snoopi__arena *arena, const char *text, size_t size)
{
    return snoopi__arena_text(arena, text, strnlen(text, size));
}

static int read_header(snoopi__facts *facts, const snoopi__segment *segment)
{
    const struct wire_segment_header *head = &segment->head;
    snoopi_process *p = &facts->process;
    *p = (snoopi_process){.parent = -1,
                          .pid = head->pid,
                          .ppid = head->ppid,
                          .begin_ns = head->begin_ns,
                          .begin_real_ns = head->begin_real_ns,
                          .agent_start_ns = head->agent_start_ns,
                          .world_begin = head->world_begin,
                          .world_end = head->world_end,
                          .dropped_frames = head->dropped_frames,
                          .dropped_records = head->dropped_records,
                          .segment_bytes = segment->size,
                          .compiler_replaced = (head->flags & WIRE_SEG_COMPILER_REPLACED) != 0,
                          .has_args = (head->flags & WIRE_SEG_NO_ARGS) == 0,
                          .has_stacks = (head->flags & WIRE_SEG_NO_STACKS) == 0,
                          .julia = "",
                          .role = "main",
                          .bindir = "",
                          .cwd = "",
                          .exe = "",
                          .hook_text = "",
                          .compile_mode = "",
                          .origin = "",
                          .damage = ""};
    if (head->hook <= SNOOPI_HOOK_OVERRIDE) {
        p->hook = (snoopi_hook_kind)head->hook;
    }
    if (head->exit_kind == WIRE_EXIT_STATUS || head->exit_kind == WIRE_EXIT_SIGNAL) {
        p->exit_kind =
            head->exit_kind == WIRE_EXIT_STATUS ? SNOOPI_EXIT_STATUS : SNOOPI_EXIT_SIGNAL;
        p->exit_value = head->exit_value;
    }
    facts->image = "";
    facts->end_ns = head->end_ns > head->begin_ns ? head->end_ns : head->begin_ns;
    p->reason = limited_text(&facts->arena, head->reason, sizeof head->reason);
    return p->reason ? 0 : SNOOPI_E_NOMEM;
}

static int take_argv(snoopi__facts *facts, const unsigned char *bytes, size_t size)
{
    const char *joined = snoopi__arena_text(&facts->arena, bytes, size);
    if (!joined) {
        return SNOOPI_E_NOMEM;
    }
    facts->process.argv = snoopi__argv_split(&facts->arena, joined, size, &facts->process.argc);
    return facts->process.argv ? 0 : SNOOPI_E_NOMEM;
}

static bool is_key(const unsigned char *key, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(key, word, size) == 0;
}

static int take_info(snoopi__facts *facts, const snoopi__record *record, bool *is_bad)
{
    snoopi__cursor at = snoopi__record_fields(record);
    const uint64_t key_size = snoopi__get_varint(&at);
    const unsigned char *key = snoopi__get_bytes(&at, key_size);
    const size_t size = snoopi__cursor_left(&at);
    if (at.is_bad || size > WIRE_STRING_MAX) {
        *is_bad = true;
        return 0;
    }
    if (is_key(key, key_size, "argv")) {
        return take_argv(facts, at.at, size);
    }
    snoopi_process *p = &facts->process;
    const struct {
        const char *word;
        const char **text;
    } known[] = {
        {"julia", &p->julia},     {"bindir", &p->bindir},  {"exe", &p->exe},
        {"cwd", &p->cwd},         {"hook", &p->hook_text}, {"compile", &p->compile_mode},
        {"image", &facts->image}, {"origin", &p->origin},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (is_key(key, key_size, known[i].word)) {
            *known[i].text = limited_text(&facts->arena, (const char *)at.at, size);
            return *known[i].text ? 0 : SNOOPI_E_NOMEM;
        }
    }
    return 0;
}

static int take_image(snoopi__facts *facts, const snoopi__record *record, bool *is_bad)
{
    snoopi__cursor at = snoopi__record_fields(record);
    snoopi__image image = {.base = snoopi__get_varint(&at), .size = snoopi__get_varint(&at)};
    image.id_size = snoopi__get_varint(&at);
    const unsigned char *id = snoopi__get_bytes(&at, image.id_size);
    const size_t size = snoopi__cursor_left(&at);
    snoopi__imagelist *images = &facts->images;
    if (at.is_bad || size > WIRE_STRING_MAX || images->n >= WIRE_IMAGES_MAX) {
        *is_bad = true;
        return 0;
    }
    image.path = limited_text(&facts->arena, (const char *)at.at, size);
    image.build_id = (const unsigned char *)snoopi__arena_text(&facts->arena, id, image.id_size);
    snoopi__image *items =
        snoopi__grow(images->items, &images->capacity, images->n + 1, sizeof *items);
    images->items = items ? items : images->items;
    if (!image.path || !image.build_id || !items) {
        return SNOOPI_E_NOMEM;
    }
    items[images->n++] = image;
    return 0;
}

static int take_record(snoopi__facts *facts, snoopi__segment *segment, const snoopi__event *event)
{
    const uint64_t tag = event->record.tag;
    const char *why = NULL;
    int st = 0;
    if (snoopi__is_event(tag)) {
        facts->process.event_bytes += event->bytes;
        facts->end_ns = event->time_ns > facts->end_ns ? event->time_ns : facts->end_ns;
        if (tag == WIRE_GC) {
            st = snoopi__gcspans_add(&facts->gc, event->time_ns, event->value);
        }
    } else if (snoopi__is_definition(tag)) {
        st = snoopi__defs_add(&facts->defs, tag, event->record.payload, event->record.size, &why);
    } else if (tag == WIRE_INFO) {
        bool is_bad = false;
        st = take_info(facts, &event->record, &is_bad);
        why = is_bad ? "malformed INFO record" : NULL;
    } else if (tag == WIRE_IMAGE) {
        bool is_bad = false;
        st = take_image(facts, &event->record, &is_bad);
        why = is_bad ? "malformed IMAGE record" : NULL;
    }
    if (st == SNOOPI_E_NOMEM) {
        return st;
    }
    if (why) {
        snoopi__damage_note(&segment->damage, "record at byte %llu: %s",
                            (unsigned long long)event->offset, why);
    }
    return 0;
}

int snoopi__facts_gather(snoopi__facts *facts, snoopi__segment *segment, snoopi_error *err)
{
    *facts = (snoopi__facts){0};
    size_t bytes = 0;
    for (size_t i = 0; i < segment->n_chunks; i++) {
        bytes += segment->chunks[i].size;
    }
    const size_t most = bytes / DEFINITION_MIN + 1;
    snoopi__defs_init(&facts->defs, &facts->arena,
                      most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1);
    if (read_header(facts, segment) < 0) {
        return snoopi__fail_nomem(err);
    }
    for (size_t chunk = 0; chunk < segment->n_chunks;) {
        snoopi__thread thread;
        snoopi__event event;
        chunk = snoopi__thread_open(&thread, segment, chunk, &segment->damage);
        int st = 0;
        while (st == 0 && snoopi__thread_next(&thread, &event)) {
            st = take_record(facts, segment, &event);
        }
        const bool has_failed = st < 0 || thread.has_failed;
        snoopi__thread_close(&thread);
        if (has_failed) {
            return snoopi__fail_nomem(err);
        }
    }
    const uint64_t mended = snoopi__defs_check(&facts->defs);
    if (mended > 0) {
        snoopi__damage_note(&segment->damage, "definitions that refer to lost ones: %llu",
                            (unsigned long long)mended);
    }
    snoopi__gcspans_sort(&facts->gc);
    return 0;
}

void snoopi__facts_narrow(snoopi__facts *facts, uint64_t begin_ns, uint64_t end_ns)
{
    snoopi_process *p = &facts->process;
    if (begin_ns > p->begin_ns) {
        p->begin_real_ns += begin_ns - p->begin_ns;
        p->begin_ns = begin_ns;
        p->agent_start_ns = 0;
    }
    facts->end_ns = end_ns > p->begin_ns ? end_ns : p->begin_ns;
    facts->is_window = true;
    p->event_bytes = 0; // these two are of the whole
    p->segment_bytes = 0;
}

void snoopi__facts_clear(snoopi__facts *facts)
{
    snoopi__defs_clear(&facts->defs);
    snoopi__gcspans_clear(&facts->gc);
    free(facts->images.items);
    snoopi__arena_clear(&facts->arena);
}
