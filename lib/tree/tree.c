// SPDX-License-Identifier: MIT
// Trees, merged while frames stream by: of the frames themselves nothing is kept but the path to the current one.
#include <snoopi/tree.h>

#include <stdlib.h>

#include "base/fail.h"
#include "nodes.h"
#include "path.h"
#include "select.h"

struct snoopi_tree {
    snoopi__select select;
    snoopi__nodes nodes;
    snoopi__layout layout;
    snoopi_totals totals;
    snoopi_totals scope_totals;
    snoopi__path path;  // of the frames in the tree: numbers of nodes; inverted: of keys
    uint32_t max_depth; // levels, UINT32_MAX: all
    uint32_t levels;    // the same, once there were too many nodes; else 0
    uint64_t max_nodes;
    uint32_t *n_open; // inverted, by key: frames on the path
    size_t n_open_capacity;
};

static void add_to_node(snoopi__node *node, const snoopi_frame *frame, bool is_outermost)
{
    node->self_ns += frame->self_ns;
    node->total_ns += is_outermost ? frame->total_ns : 0;
    node->gc_ns += frame->gc_ns;
    node->count++;
    node->roots += frame->depth == 0;
}

static int add_downward(snoopi_tree *t, const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t key = SNOOPI__KEY_NONE;
    uint32_t number = 0;

    while (snoopi__path_has_left(&t->path, frame->depth)) {
        (void)snoopi__path_pop(&t->path);
    }
    const int status = snoopi__select_frame(&t->select, frame, &key, err);
    if (status < 0 || key == SNOOPI__KEY_NONE || t->path.n >= t->max_depth) {
        return status;
    }
    const uint32_t above =
        t->path.n > 0 ? (uint32_t)t->path.items[t->path.n - 1].number : SNOOPI__NODE_TOP;
    if (!snoopi__nodes_find(&t->nodes, above, key, &number) ||
        !snoopi__path_push(&t->path, frame->depth, number)) {
        return snoopi__fail_nomem(err);
    }
    // A path never goes through a node twice, so each of its frames is an outermost one.
    add_to_node(&t->nodes.nodes[number], frame, true);
    return SNOOPI_OK;
}

// Makes room for a count of each key so far.
static bool grow_open(snoopi_tree *t)
{
    const size_t before = t->n_open_capacity;
    uint32_t *const grown =
        snoopi__grow(t->n_open, &t->n_open_capacity, t->select.keys.n_keys, sizeof *grown);
    if (!grown) {
        return false;
    }
    t->n_open = grown;
    for (size_t i = before; i < t->n_open_capacity; i++) {
        t->n_open[i] = 0;
    }
    return true;
}

// From the frame to the root, each step a level deeper.
static int add_upward(snoopi_tree *t, const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t key = SNOOPI__KEY_NONE;

    while (snoopi__path_has_left(&t->path, frame->depth)) {
        t->n_open[snoopi__path_pop(&t->path).number]--;
    }
    int status = snoopi__select_frame(&t->select, frame, &key, err);
    if (status < 0 || key == SNOOPI__KEY_NONE) {
        return status;
    }
    if ((key >= t->n_open_capacity && !grow_open(t)) ||
        !snoopi__path_push(&t->path, frame->depth, key)) {
        return snoopi__fail_nomem(err);
    }
    const bool is_outermost = t->n_open[key]++ == 0;

    status = snoopi__select_matches(&t->select, frame->instance, err);
    uint32_t node = SNOOPI__NODE_TOP;
    for (size_t i = t->path.n; status == 1 && i-- > 0 && t->path.n - i <= t->max_depth;) {
        if (!snoopi__nodes_find(&t->nodes, node, (uint32_t)t->path.items[i].number, &node)) {
            return snoopi__fail_nomem(err);
        }
        add_to_node(&t->nodes.nodes[node], frame, is_outermost);
    }
    return status < 0 ? status : SNOOPI_OK;
}

// Gives up the deepest levels. Frames on them that are open do not count any more.
static bool cut_levels(snoopi_tree *t, bool is_inverted)
{
    uint32_t *map = NULL;
    t->levels = snoopi__nodes_cut(&t->nodes, t->max_nodes / 2, &map);
    if (t->levels == 0) {
        return false;
    }
    t->max_depth = t->levels;
    if (!is_inverted) {
        t->path.n = t->path.n < t->levels ? t->path.n : t->levels;
        for (size_t i = 0; i < t->path.n; i++) {
            t->path.items[i].number = map[t->path.items[i].number];
        }
    }
    free(map);
    return true;
}

static int add_frames(snoopi_tree *t, snoopi_scan *scan, bool is_inverted, snoopi_error *err)
{
    snoopi_frame frame;
    int status;
    while ((status = snoopi_scan_next(scan, &frame, err)) == 1) {
        status = is_inverted ? add_upward(t, &frame, err) : add_downward(t, &frame, err);
        if (status < 0) {
            return status;
        }
        if (t->nodes.n > t->max_nodes && t->levels != 1 && !cut_levels(t, is_inverted)) {
            return snoopi__fail_nomem(err);
        }
    }
    return status;
}

static uint32_t levels(const snoopi_tree_options *options)
{
    return options->depth > 0 ? options->depth : UINT32_MAX;
}

int snoopi_tree_new(snoopi_tree **out, snoopi_trace *trace, const snoopi_tree_options *options,
                    snoopi_error *err)
{
    static const snoopi_tree_options defaults = SNOOPI_TREE_INIT;
    const snoopi_tree_options *const o = options ? options : &defaults;
    snoopi_scan *scan = NULL;

    *out = NULL;
    if (o->by < SNOOPI_BY_INSTANCE || o->by > SNOOPI_BY_FILE) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "there is no tree by %s",
                            snoopi_by_name((int)o->by));
    }
    snoopi_tree *t = calloc(1, sizeof *t);
    if (!t) {
        return snoopi__fail_nomem(err);
    }
    t->max_depth = levels(o);
    t->max_nodes = o->max_nodes;
    int status = snoopi__select_init(&t->select, trace, o->by, o->root, o->root && !o->is_inverted,
                                     &o->filter, err);
    if (status == SNOOPI_OK) {
        status = snoopi_scan_open(&scan, trace, &o->scope, err);
    }
    if (status == SNOOPI_OK) {
        status = add_frames(t, scan, o->is_inverted, err);
    }
    if (status == SNOOPI_OK) {
        status = snoopi__layout_init(&t->layout, &t->nodes, &t->select.keys, o->sort, o->tmin_ns,
                                     o->limit, err);
    }
    if (status < 0) {
        goto out;
    }
    t->totals = *snoopi_scan_totals(scan);
    t->scope_totals = *snoopi_scan_scope_totals(scan);
    *out = t;
    t = NULL;
out:
    snoopi_scan_close(scan);
    snoopi_tree_free(t);
    return status;
}

void snoopi_tree_free(snoopi_tree *tree)
{
    if (!tree) {
        return;
    }
    snoopi__select_clear(&tree->select);
    snoopi__nodes_clear(&tree->nodes);
    snoopi__layout_clear(&tree->layout);
    snoopi__path_clear(&tree->path);
    free(tree->n_open);
    free(tree);
}

size_t snoopi_tree_n_nodes(const snoopi_tree *tree)
{
    return tree->layout.n;
}

uint64_t snoopi_tree_n_found(const snoopi_tree *tree)
{
    return tree->layout.n_found;
}

uint32_t snoopi_tree_levels(const snoopi_tree *tree)
{
    return tree->levels;
}

void snoopi_tree_node(const snoopi_tree *tree, size_t index, snoopi_row *node)
{
    const uint32_t number = tree->layout.order[index];
    const uint32_t above = tree->nodes.nodes[number].above;
    *node = snoopi__nodes_row(&tree->nodes, &tree->select.keys, number);
    node->id = index;
    node->parent = above == SNOOPI__NODE_TOP ? -1 : (int64_t)tree->layout.position[above];
}

const snoopi_totals *snoopi_tree_totals(const snoopi_tree *tree)
{
    return &tree->totals;
}

const snoopi_totals *snoopi_tree_scope_totals(const snoopi_tree *tree)
{
    return &tree->scope_totals;
}

// ---- in the order of time

typedef struct {
    snoopi__select select;
    snoopi__path path; // ids of the frames that were visited
    uint32_t max_depth;
    uint64_t tmin_ns;
    uint64_t limit; // 0: none
    uint64_t n_visited;
    snoopi_tree_visitor *visitor;
    void *payload;
} visit;

// 1: go on; 0: enough; negative: failed.
static int visit_frame(visit *v, const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t key = SNOOPI__KEY_NONE;
    while (snoopi__path_has_left(&v->path, frame->depth)) {
        (void)snoopi__path_pop(&v->path);
    }
    const int status = snoopi__select_frame(&v->select, frame, &key, err);
    if (status < 0) {
        return status;
    }
    if (key == SNOOPI__KEY_NONE || v->path.n >= v->max_depth || frame->total_ns < v->tmin_ns) {
        return 1;
    }
    if (v->limit > 0 && v->n_visited == v->limit) {
        return 0;
    }
    snoopi_row row = snoopi__keys_row(&v->select.keys, key);
    snoopi__row_set_frame(&row, frame);
    row.depth = (uint32_t)v->path.n;
    row.parent = v->path.n > 0 ? (int64_t)v->path.items[v->path.n - 1].number : -1;
    if (!snoopi__path_push(&v->path, frame->depth, frame->id)) {
        return snoopi__fail_nomem(err);
    }
    v->n_visited++;
    return v->visitor(v->payload, &row);
}

int snoopi_tree_visit(snoopi_trace *trace, const snoopi_tree_options *options,
                      snoopi_tree_visitor *visitor, void *payload, snoopi_totals *totals,
                      snoopi_totals *scope_totals, snoopi_error *err)
{
    static const snoopi_tree_options defaults = SNOOPI_TREE_INIT;
    const snoopi_tree_options *const o = options ? options : &defaults;
    visit v = {.max_depth = levels(o),
               .tmin_ns = o->tmin_ns,
               .limit = o->limit,
               .visitor = visitor,
               .payload = payload};
    snoopi_scan *scan = NULL;
    snoopi_frame frame;
    bool is_enough = false;

    int status = snoopi__select_init(&v.select, trace, SNOOPI_BY_INSTANCE, o->root, o->root != NULL,
                                     &o->filter, err);
    if (status == SNOOPI_OK) {
        status = snoopi_scan_open(&scan, trace, &o->scope, err);
    }
    // When it is enough the walk goes on for the totals, which are those of the whole recording.
    while (status >= 0 && (status = snoopi_scan_next(scan, &frame, err)) == 1) {
        if (!is_enough) {
            status = visit_frame(&v, &frame, err);
            is_enough = status == 0;
        }
    }
    if (status >= 0 && totals) {
        *totals = *snoopi_scan_totals(scan);
    }
    if (status >= 0 && scope_totals) {
        *scope_totals = *snoopi_scan_scope_totals(scan);
    }
    snoopi_scan_close(scan);
    snoopi__select_clear(&v.select);
    snoopi__path_clear(&v.path);
    return status < 0 ? status : SNOOPI_OK;
}
