// SPDX-License-Identifier: MIT
// Any bytes as contents of pages, and what is made of a trace: sums, trees, triggers, comparisons, merged traces, files for
// other tools. What is written is checked for what a hostile trace would break out by.
//
// Input: 8 bytes of options, then pages (fuzz_input.h). What takes two traces cuts the pages in two.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "fuzz_output.h"
#include "snoopi/aggregate.h"
#include "snoopi/diff.h"
#include "snoopi/export.h"
#include "snoopi/merge.h"
#include "snoopi/tree.h"

typedef struct {
    const uint8_t *bytes; // the options
    snoopi_scope scope;
    snoopi_filter filter;
} choices;

enum { N_CHOICES = 8, LIMIT = 1000 };

static const char *word(uint8_t choice)
{
    static const char *const words[] = {NULL, NULL, NULL, "*",         "Main",
                                        "f*", "0",  "x",  "name1.jl:3"};
    return words[choice % (sizeof words / sizeof *words)];
}

static choices choose(const uint8_t *bytes)
{
    choices c = {.bytes = bytes, .scope = SNOOPI_SCOPE_ALL};
    if (bytes[5] & 1) {
        c.scope.from_ns = bytes[6] * 100u;
        c.scope.to_ns = bytes[7] * 1000u;
    }
    c.scope.process = bytes[5] & 2 ? word(bytes[6]) : NULL;
    c.scope.after = bytes[5] & 4 ? word(bytes[6]) : NULL;
    c.scope.mark = bytes[5] & 8 ? word(bytes[7]) : NULL;
    c.filter.module = bytes[5] & 16 ? word(bytes[6]) : NULL;
    c.filter.package = bytes[5] & 32 ? word(bytes[7]) : NULL;
    c.filter.file = bytes[5] & 64 ? word(bytes[7]) : NULL;
    return c;
}

static void check_row(const snoopi_row *row)
{
    fuzz_demand(row->name == NULL || strlen(row->name) < (1u << 20), "a name's bound");
    (void)(row->file ? strlen(row->file) : 0);
}

static void sum_up(const choices *c, snoopi_trace *trace)
{
    snoopi_aggregate_options o = SNOOPI_AGGREGATE_INIT;
    snoopi_aggregate *aggregate;
    o.by = (snoopi_by)(c->bytes[1] % (SNOOPI_BY_THREAD + 1));
    o.sort = (snoopi_sort)(c->bytes[2] % (SNOOPI_SORT_NAME + 1));
    o.tmin_ns = c->bytes[3];
    o.limit = c->bytes[4];
    o.scope = c->scope;
    o.filter = c->filter;
    if (snoopi_aggregate_new(&aggregate, trace, &o, NULL) < 0) {
        return;
    }
    for (size_t i = 0; i < snoopi_aggregate_n_rows(aggregate); i++) {
        check_row(snoopi_aggregate_row(aggregate, i));
    }
    fuzz_demand(!o.limit || snoopi_aggregate_n_rows(aggregate) <= o.limit, "the limit of rows");
    snoopi_aggregate_free(aggregate);
}

static bool visit(void *payload, const snoopi_row *frame)
{
    unsigned *const left = payload;
    check_row(frame);
    return --*left > 0;
}

static void grow_tree(const choices *c, snoopi_trace *trace)
{
    snoopi_tree_options o = SNOOPI_TREE_INIT;
    snoopi_tree *tree;
    snoopi_totals totals;
    snoopi_totals scope_totals;
    unsigned left = LIMIT;
    o.by = (snoopi_by)(c->bytes[1] % (SNOOPI_BY_FILE + 1));
    o.sort = (snoopi_sort)(c->bytes[2] % (SNOOPI_SORT_NAME + 1));
    o.is_inverted = c->bytes[2] & 128;
    o.depth = c->bytes[3] & 15;
    o.limit = c->bytes[4];
    o.root = word(c->bytes[3] >> 4);
    o.scope = c->scope;
    o.filter = c->filter;
    (void)!snoopi_tree_visit(trace, &o, visit, &left, &totals, &scope_totals, NULL);
    if (snoopi_tree_new(&tree, trace, &o, NULL) < 0) {
        return;
    }
    for (size_t i = 0; i < snoopi_tree_n_nodes(tree); i++) {
        snoopi_row node;
        snoopi_tree_node(tree, i, &node);
        check_row(&node);
        fuzz_demand(node.parent < (int64_t)i && (node.parent < 0) == (node.depth == 0),
                    "nodes in pre-order");
    }
    snoopi_tree_free(tree);
}

static void find_triggers(const choices *c, snoopi_trace *trace)
{
    snoopi_triggers_options o = SNOOPI_TRIGGERS_INIT;
    snoopi_triggers *triggers;
    o.by = (snoopi_triggers_by)(c->bytes[1] % (SNOOPI_TRIGGERS_BY_TREE + 1));
    o.is_all = c->bytes[2] & 128;
    o.tmin_ns = c->bytes[3];
    o.limit = c->bytes[4];
    o.scope = c->scope;
    o.filter = c->filter;
    if (snoopi_triggers_new(&triggers, trace, &o, NULL) == 0) {
        snoopi_triggers_free(triggers);
    }
}

static void write_out(const choices *c, snoopi_trace *trace, snoopi_trace *base)
{
    snoopi_export_options o = SNOOPI_EXPORT_INIT;
    o.format = (snoopi_export_format)(c->bytes[1] % (SNOOPI_EXPORT_HTML + 1));
    o.by = (snoopi_by)(SNOOPI_BY_INSTANCE + c->bytes[2] % SNOOPI_BY_FILE);
    o.weight = c->bytes[3] & 1 ? SNOOPI_WEIGHT_COUNT : SNOOPI_WEIGHT_TIME;
    o.tmin_ns = c->bytes[4];
    o.scope = c->scope;
    o.filter = c->filter;
    o.base = o.format == SNOOPI_EXPORT_SVG && c->bytes[3] & 2 ? base : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    fuzz_demand(out != NULL, "memory");
    const int status = snoopi_export_stream(trace, out, &o, NULL);
    (void)fclose(out);
    if (status == 0) {
        fuzz_check_output(o.format, text, size);
    }
    free(text);
}

static void compare(const choices *c, snoopi_trace *a, snoopi_trace *b)
{
    snoopi_diff_options o = SNOOPI_DIFF_INIT;
    snoopi_diff *diff;
    o.by = (snoopi_by)(SNOOPI_BY_INSTANCE + c->bytes[1] % SNOOPI_BY_THREAD);
    o.sort = (snoopi_diff_sort)(c->bytes[2] % (SNOOPI_DIFF_NAME + 1));
    o.is_changed_only = c->bytes[3] & 1;
    o.limit = c->bytes[4];
    o.scope = c->scope;
    o.filter = c->filter;
    if (snoopi_diff_new(&diff, &a, 1, &b, 1, &o, NULL) < 0) {
        return;
    }
    for (size_t i = 0; i < snoopi_diff_n_rows(diff); i++) {
        const snoopi_diff_row *row = snoopi_diff_row_at(diff, i);
        fuzz_demand(row->before || row->after, "a side for each row");
        check_row(row->before ? row->before : row->after);
    }
    snoopi_diff_free(diff);
}

static void merge(const char *a, const char *b)
{
    static char path[64]; // one for all inputs
    const char *const both[] = {a, b};
    (void)snprintf(path, sizeof path, "/dev/shm/snoopi-fuzz-%d", (int)getpid());
    snoopi_error err = {0};
    if (snoopi_merge(both, 2, path, NULL, &err) == 0) {
        fuzz_open(path, false);
    } else {
        fuzz_demand(err.text[0], "words for a failure");
    }
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "/dev/shm/snoopi-fuzz-%d.old", (int)getpid());
    (void)unlink(path);
}

// Two traces, the second of the pages behind `cut`.
static void look(const choices *c, snoopi_trace *a, snoopi_trace *b, const char *path_a,
                 const char *path_b)
{
    switch (c->bytes[0] % 6) {
    case 0: sum_up(c, a); break;
    case 1: grow_tree(c, a); break;
    case 2: find_triggers(c, a); break;
    case 3: write_out(c, a, b); break;
    case 4: compare(c, a, b); break;
    default: merge(path_a, path_b); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < N_CHOICES) {
        return 0;
    }
    const choices c = choose(data);
    const uint8_t *const pages = data + N_CHOICES;
    const size_t n = size - N_CHOICES;
    // The same pages twice, or a half of them each.
    const size_t half = c.bytes[0] & 128 ? n / 2 : 0;
    snoopi__pagewriter writers[2];
    char paths[2][32];
    snoopi_trace *traces[2] = {NULL, NULL};
    fuzz_pages(&writers[0], pages, half ? half : n, paths[0]);
    fuzz_pages(&writers[1], pages + half, n - half, paths[1]);
    if (snoopi_trace_open(&traces[0], paths[0], NULL) == 0 &&
        snoopi_trace_open(&traces[1], paths[1], NULL) == 0) {
        look(&c, traces[0], traces[1], paths[0], paths[1]);
    }
    snoopi_trace_close(traces[0]);
    snoopi_trace_close(traces[1]);
    snoopi__pagewriter_close(&writers[0]);
    snoopi__pagewriter_close(&writers[1]);
    return 0;
}
