// SPDX-License-Identifier: MIT
// Stacks are gathered while frames stream by. A node has a higher number than the one above it, so one pass from the last to the
// first adds up what is below each, and one from the first to the last hands down whose the left-out ones are.
#include "mergedstacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"

void snoopi__stacks_clear(snoopi__stacks *s)
{
    snoopi__select_clear(&s->select);
    snoopi__path_clear(&s->path);
    snoopi__nodes_clear(&s->nodes);
    snoopi__layout_clear(&s->layout);
    snoopi__idset_clear(&s->sample_set);
    snoopi__idset_clear(&s->labels_set);
    free(s->own);
    free(s->samples);
    free(s->labels);
    snoopi__arena_clear(&s->arena);
    snoopi__idset_clear(&s->root_stack_set);
    free(s->root_stacks);
    *s = (snoopi__stacks){0};
}

static bool find_labels(snoopi__stacks *s, const snoopi__stack_labels *labels, uint32_t *number)
{
    uint32_t *const known = snoopi__idset_find(&s->labels_set, 0, labels, sizeof *labels);
    if (!known) {
        return false;
    }
    if (*known == 0) {
        snoopi__stack_labels *const grown =
            snoopi__grow(s->labels, &s->labels_capacity, s->n_labels + 1, sizeof *grown);
        if (!grown) {
            return false;
        }
        s->labels = grown;
        s->labels[s->n_labels++] = *labels;
        *known = (uint32_t)s->n_labels;
    }
    *number = *known - 1;
    return true;
}

// The sample of a node with these labels, made if it is new. NULL when memory is short.
static snoopi__stack_sample *find_sample(snoopi__stacks *s, uint32_t node,
                                         const snoopi__stack_labels *labels)
{
    uint32_t number = 0;
    if (!find_labels(s, labels, &number)) {
        return NULL;
    }
    const uint32_t place[2] = {node, number};
    uint32_t *const known = snoopi__idset_find(&s->sample_set, 0, place, sizeof place);
    if (!known) {
        return NULL;
    }
    if (*known == 0) {
        snoopi__stack_sample *const grown =
            snoopi__grow(s->samples, &s->samples_capacity, s->n_samples + 1, sizeof *grown);
        if (!grown || s->n_samples >= UINT32_MAX - 1) {
            return NULL;
        }
        s->samples = grown;
        s->samples[s->n_samples++] = (snoopi__stack_sample){.node = node, .labels = number};
        *known = (uint32_t)s->n_samples;
    }
    return &s->samples[*known - 1];
}

static bool add_sample(snoopi__stacks *s, const snoopi_frame *frame, uint32_t node)
{
    const snoopi__stack_labels labels = {frame->process, frame->thread, frame->flags,
                                         s->root_stack};
    snoopi__stack_sample *const sample = find_sample(s, node, &labels);
    if (!sample) {
        return false;
    }
    sample->self_ns += frame->self_ns;
    sample->count++;
    return true;
}

static bool add_to_node(snoopi__stacks *s, const snoopi_frame *frame, uint32_t above, uint32_t key,
                        uint32_t *number)
{
    const size_t before = s->nodes.n;
    if (!snoopi__nodes_find(&s->nodes, above, key, number)) {
        return false;
    }
    if (s->nodes.n > before) {
        snoopi__stack_own *const grown =
            snoopi__grow(s->own, &s->own_capacity, s->nodes.n, sizeof *grown);
        if (!grown) {
            return false;
        }
        s->own = grown;
        s->own[before] = (snoopi__stack_own){0};
    }
    snoopi__stack_own *const own = &s->own[*number];
    own->self_ns += frame->self_ns;
    own->count++;
    own->n_constprop += (frame->flags & SNOOPI_FRAME_CONSTPROP) != 0;
    own->flags |= frame->flags;
    return true;
}

// Notes what called a root. False when memory is short.
static bool enter_root(snoopi__stacks *s, const snoopi_frame *root)
{
    const size_t size = root->n_stack * sizeof *root->stack;
    s->root_stack = 0;
    if (root->n_stack == 0) {
        return true;
    }
    uint32_t *const known = snoopi__idset_find(&s->root_stack_set, 0, root->stack, size);
    if (!known) {
        return false;
    }
    if (*known == 0) {
        uint32_t *const codes = snoopi__arena_array(&s->arena, root->n_stack, sizeof *codes);
        snoopi__root_stack *const grown = snoopi__grow(s->root_stacks, &s->root_stacks_capacity,
                                                       s->n_root_stacks + 1, sizeof *grown);
        s->root_stacks = grown ? grown : s->root_stacks;
        if (!codes || !grown) {
            return false;
        }
        memcpy(codes, root->stack, size);
        grown[s->n_root_stacks++] = (snoopi__root_stack){codes, root->n_stack};
        *known = (uint32_t)s->n_root_stacks;
    }
    s->root_stack = *known;
    return true;
}

static int add_frame(snoopi__stacks *s, const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t key = SNOOPI__KEY_NONE;
    uint32_t node = 0;
    while (snoopi__path_has_left(&s->path, frame->depth)) {
        (void)snoopi__path_pop(&s->path);
    }
    const int status = snoopi__select_frame(&s->select, frame, &key, err);
    if (status < 0 || key == SNOOPI__KEY_NONE) {
        return status;
    }
    const uint32_t above =
        s->path.n > 0 ? (uint32_t)s->path.items[s->path.n - 1].number : SNOOPI__NODE_TOP;
    if (!add_to_node(s, frame, above, key, &node) ||
        !snoopi__path_push(&s->path, frame->depth, node) ||
        (s->has_samples && !add_sample(s, frame, node))) {
        return snoopi__fail_nomem(err);
    }
    return SNOOPI_OK;
}

static void add_up(snoopi__stacks *s)
{
    snoopi__node *const nodes = s->nodes.nodes;
    for (size_t i = s->nodes.n; i-- > 0;) {
        nodes[i].self_ns = s->own[i].self_ns;
        nodes[i].total_ns += s->own[i].self_ns; // what is below was added already
        nodes[i].count += s->own[i].count;
        if (nodes[i].above != SNOOPI__NODE_TOP) {
            nodes[nodes[i].above].total_ns += nodes[i].total_ns;
            nodes[nodes[i].above].count += nodes[i].count;
        }
    }
}

// Samples of nodes that are left out become those of the node above that is kept, whose flags theirs are not.
static bool move_samples(snoopi__stacks *s, const uint32_t *heir)
{
    const size_t n = s->n_samples;
    for (size_t i = 0; i < n; i++) {
        const snoopi__stack_sample left = s->samples[i];
        if (heir[left.node] == left.node) {
            continue;
        }
        s->samples[i].count = 0;
        if (heir[left.node] == SNOOPI__NODE_TOP) {
            continue;
        }
        snoopi__stack_labels labels = s->labels[left.labels];
        labels.flags = 0;
        snoopi__stack_sample *const sample = find_sample(s, heir[left.node], &labels);
        if (!sample) {
            return false;
        }
        sample->self_ns += left.self_ns;
        sample->count += left.count;
    }
    return true;
}

// Hands what belongs to nodes that are left out to the nearest one above that is kept.
static bool inherit(snoopi__stacks *s)
{
    const size_t n = s->nodes.n;
    uint32_t *const heir = malloc((n + 1) * sizeof *heir);
    if (!heir) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        heir[i] = SNOOPI__NODE_TOP;
    }
    for (size_t i = 0; i < s->layout.n; i++) {
        heir[s->layout.order[i]] = s->layout.order[i];
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t above = s->nodes.nodes[i].above;
        if (heir[i] == i) {
            if (above == SNOOPI__NODE_TOP) {
                s->total_ns += s->nodes.nodes[i].total_ns;
                s->count += s->nodes.nodes[i].count;
            }
            continue;
        }
        heir[i] = above == SNOOPI__NODE_TOP ? above : heir[above];
        if (heir[i] != SNOOPI__NODE_TOP) {
            s->own[heir[i]].self_ns += s->own[i].self_ns;
            s->own[heir[i]].count += s->own[i].count;
        }
    }
    const bool is_done = !s->has_samples || s->layout.n == n || move_samples(s, heir);
    free(heir);
    return is_done;
}

static int add_frames(snoopi__stacks *s, snoopi_scan *scan, bool has_root_stacks, snoopi_error *err)
{
    snoopi_frame frame;
    int status;
    while ((status = snoopi_scan_next(scan, &frame, err)) == 1) {
        if (has_root_stacks && frame.depth == 0 && !enter_root(s, &frame)) {
            return snoopi__fail_nomem(err);
        }
        status = add_frame(s, &frame, err);
        if (status < 0) {
            return status;
        }
    }
    return status;
}

int snoopi__stacks_init(snoopi__stacks *s, snoopi_trace *trace,
                        const snoopi_export_options *options, snoopi_sort sort, bool has_samples,
                        snoopi_error *err)
{
    snoopi_scan *scan = NULL;
    *s = (snoopi__stacks){.has_samples = has_samples};
    int status =
        snoopi__select_init(&s->select, trace, options->by, NULL, false, &options->filter, err);
    if (status == SNOOPI_OK) {
        status = snoopi_scan_open(&scan, trace, &options->scope, err);
    }
    if (status == SNOOPI_OK) {
        status = add_frames(s, scan, options->has_stacks, err);
    }
    if (status < 0) {
        goto out;
    }
    s->totals = *snoopi_scan_totals(scan);
    s->scope_totals = *snoopi_scan_scope_totals(scan);
    add_up(s);
    status =
        snoopi__layout_init(&s->layout, &s->nodes, &s->select.keys, sort, options->tmin_ns, 0, err);
    if (status == SNOOPI_OK && !inherit(s)) {
        status = snoopi__fail_nomem(err);
    }
out:
    snoopi_scan_close(scan);
    return status;
}
