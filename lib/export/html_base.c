// SPDX-License-Identifier: MIT
// Blocks of the base have a few columns of those of export_html.c. Its instances come behind them, as JSON: one that matches is the number
// of the page's; of another, what it is and, by each greater key, the number of an instance of the page that has that key, or −1.
#include "html_base.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/varint.h"
#include "basestacks.h"
#include "html_parts.h"

enum { BASE_BLOCK_FRAMES = 1 << 15 };
enum { N_GREATER = SNOOPI_BY_FILE - SNOOPI_BY_INSTANCE }; // method, function, module, package, file

typedef enum { BASE_INSTANCE, BASE_DEPTH, BASE_SELF, BASE_BELOW, N_BASE_COLUMNS } base_column;

typedef struct {
    snoopi__html_about about;
    snoopi__buffer columns[N_BASE_COLUMNS];
    uint32_t n_frames; // in the block
    uint32_t
        *matches[1 + N_GREATER]; // by instance, one for each key: number in the page, or UINT32_MAX
} base_page;

// ---- frames

static void put_block(snoopi__export *x, base_page *p)
{
    x->has_failed = x->has_failed || !snoopi__html_put_block(x->out, "base-frames", p->n_frames,
                                                             p->columns, N_BASE_COLUMNS);
    p->n_frames = 0;
}

static void put_frame(snoopi__export *x, const snoopi__export_frame *exported)
{
    const snoopi_frame *const f = exported->frame;
    base_page *const p = x->state;
    const uint32_t instance = snoopi__html_count(&p->about, f);
    x->has_failed |= instance == SNOOPI__HTML_FAILED;
    snoopi__buffer_varint(&p->columns[BASE_INSTANCE], instance);
    snoopi__buffer_varint(&p->columns[BASE_DEPTH], exported->depth);
    snoopi__buffer_varint(&p->columns[BASE_SELF], f->self_ns);
    snoopi__buffer_varint(&p->columns[BASE_BELOW],
                          snoopi__zigzag((int64_t)(f->total_ns - f->self_ns)));
    if (++p->n_frames == BASE_BLOCK_FRAMES) {
        put_block(x, p);
    }
}

// ---- instances

// Numbers of the keys of a list's instances, in its order; NULL when memory is short.
static uint32_t *keys_of(snoopi__keys *keys, const snoopi__html_list *list, snoopi_error *err)
{
    uint32_t *const numbers = calloc(list->n + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < list->n; i++) {
        const snoopi_frame frame = {.instance = list->ids[i]};
        if (snoopi__keys_find(keys, &frame, &numbers[i], err) < 0) {
            free(numbers);
            return NULL;
        }
    }
    return numbers;
}

// By instance of the base, one of the page that has the matching key.
static uint32_t *match_lists(const uint32_t *base_keys, size_t n_base, const uint32_t *of_base,
                             const uint32_t *keys, size_t n, size_t n_keys)
{
    uint32_t *const matches = calloc(n_base + 1, sizeof *matches);
    uint32_t *const of_key = malloc((n_keys + 1) * sizeof *of_key);
    if (!matches || !of_key) {
        free(matches);
        free(of_key);
        return NULL;
    }
    for (size_t i = 0; i < n_keys; i++) {
        of_key[i] = UINT32_MAX;
    }
    for (size_t i = n; i-- > 0;) { // so that the first one stays
        of_key[keys[i]] = (uint32_t)i;
    }
    for (size_t i = 0; i < n_base; i++) {
        const uint32_t key = of_base[base_keys[i]];
        matches[i] = key == UINT32_MAX ? UINT32_MAX : of_key[key];
    }
    free(of_key);
    return matches;
}

static uint32_t *match_by(snoopi_by by, snoopi_trace *base, const snoopi__html_list *base_list,
                          snoopi_trace *trace, const snoopi__html_list *list)
{
    snoopi__keys base_keys = {0};
    snoopi__keys keys = {0};
    uint32_t *base_numbers = NULL;
    uint32_t *numbers = NULL;
    uint32_t *of_base = NULL;
    uint32_t *matches = NULL;
    if (snoopi__keys_init(&base_keys, base, by, NULL, NULL) == SNOOPI_OK &&
        snoopi__keys_init(&keys, trace, by, NULL, NULL) == SNOOPI_OK) {
        base_numbers = keys_of(&base_keys, base_list, NULL);
        numbers = keys_of(&keys, list, NULL);
    }
    if (base_numbers && numbers &&
        snoopi__base_match(&of_base, &base_keys, &base, &keys, &trace, by) == SNOOPI_OK) {
        matches = match_lists(base_numbers, base_list->n, of_base, numbers, list->n, keys.n_keys);
    }
    free(of_base);
    free(base_numbers);
    free(numbers);
    snoopi__keys_clear(&base_keys);
    snoopi__keys_clear(&keys);
    return matches;
}

static void put_instance(snoopi_json *json, snoopi_trace *base, const base_page *p, size_t number)
{
    if (p->matches[0][number] != UINT32_MAX) {
        snoopi_json_uint(json, p->matches[0][number]);
        return;
    }
    snoopi_json_begin_array(json);
    snoopi__html_put_instance(json, snoopi_trace_instance(base, p->about.instances.ids[number]), 0);
    for (size_t by = 1; by <= N_GREATER; by++) {
        const uint32_t match = p->matches[by][number];
        snoopi_json_int(json, match == UINT32_MAX ? -1 : (int64_t)match);
    }
    snoopi_json_end_array(json);
}

typedef struct {
    snoopi_trace *trace;
    const base_page *page;
    const snoopi_totals *totals;
    const snoopi_totals *scope;
} base_parts;

static bool put_members(void *payload, snoopi_json *json)
{
    const base_parts *const parts = payload;
    const base_page *const p = parts->page;
    snoopi_json_member_uint(json, "frames", p->about.n_frames);
    snoopi_json_member_uint(json, "begin_real_ns",
                            snoopi_trace_recording(parts->trace)->begin_real_ns);
    snoopi_json_member_string(json, "damage",
                              snoopi__export_text(snoopi_trace_damage(parts->trace)));
    snoopi_json_totals(json, parts->totals, parts->scope);
    snoopi_json_key(json, "instances");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < p->about.instances.n; i++) {
        put_instance(json, parts->trace, p, i);
    }
    snoopi_json_end_array(json);
    return true;
}

// ---- the whole

bool snoopi__html_base_put(const snoopi__html_about *about, snoopi__export *x)
{
    base_page p = {0};
    snoopi_totals totals = {0};
    snoopi_totals scope = {0};
    snoopi__export base = {
        .trace = x->options->base, .options = x->options, .out = x->out, .state = &p};
    const int status = snoopi__export_frames(&base, NULL, put_frame, &totals, &scope, &x->error);
    bool is_good = status == SNOOPI_OK;
    if (is_good && p.n_frames > 0) {
        put_block(&base, &p);
    }
    for (size_t i = 0; is_good && i <= N_GREATER; i++) {
        p.matches[i] = match_by((snoopi_by)(SNOOPI_BY_INSTANCE + i), base.trace, &p.about.instances,
                                x->trace, &about->instances);
        is_good = p.matches[i] != NULL;
    }
    base_parts parts = {base.trace, &p, &totals, &scope};
    is_good =
        is_good && !base.has_failed && snoopi__html_put_json(x->out, "base", put_members, &parts);
    for (size_t i = 0; i <= N_GREATER; i++) {
        free(p.matches[i]);
    }
    for (size_t i = 0; i < N_BASE_COLUMNS; i++) {
        snoopi__buffer_clear(&p.columns[i]);
    }
    snoopi__html_about_clear(&p.about);
    return is_good;
}
