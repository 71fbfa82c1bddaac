// SPDX-License-Identifier: MIT
// snoopi tree: the call tree of inference, merged, inverted, or in the order of time.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <snoopi/tree.h>

#include "cmd.h"
#include "global.h"
#include "listing.h"
#include "progress.h"
#include "rowcols.h"
#include "say.h"
#include "text.h"
#include "view.h"

enum {
    INVERTED_DEPTH = 8
}; // callers of callers: their number grows with the depth of the whole tree

typedef struct {
    int by; // without SNOOPI_BY_FRAME: index + 1
    uint64_t depth;
    const char *root;
    bool is_inverted;
    bool is_timed;
    cli_rows_args rows;
    snoopi_filter filter;
    cli_scope_args scope;
} tree_args;

static const tree_args defaults = {.by = SNOOPI_BY_INSTANCE - 1,
                                   .depth = UINT64_MAX,
                                   .rows = {.sort = SNOOPI_SORT_TOTAL, .limit = CLI_LIMIT_NONE},
                                   .scope = CLI_SCOPE_ALL};

// Keys that make a tree: all between frame and root.
static const char *by_word(int index)
{
    return index + 1 < SNOOPI_BY_ROOT ? snoopi_by_name(index + 1) : NULL;
}

static const cli_option options[] = {
    {"by", 0, CLI_OPT_CHOICE, "KEY", "what is one node (instance)", offsetof(tree_args, by),
     by_word},
    {"depth", 0, CLI_OPT_NUMBER, "N", "at most N levels; 0: all (all; inverted: 8)",
     offsetof(tree_args, depth), NULL},
    {"root", 0, CLI_OPT_TEXT, "NAME",
     "only what is below frames of this name; inverted: only their callers",
     offsetof(tree_args, root), NULL},
    {"inverted", 0, CLI_OPT_SET, NULL, "callers below callees", offsetof(tree_args, is_inverted),
     NULL},
    {"time", 0, CLI_OPT_SET, NULL, "each frame for itself, in the order of time",
     offsetof(tree_args, is_timed), NULL},
    {0}};

static const cli_option_group groups[] = {{options, 0},
                                          {cli_rows_options, offsetof(tree_args, rows)},
                                          {cli_filter_options, offsetof(tree_args, filter)},
                                          {cli_scope_options, offsetof(tree_args, scope)},
                                          {0}};

// ---- the table: printed as nodes come, so that no tree is too large for it

enum { INDENT_MAX = 40, TIME_WIDTH = 9, COUNT_WIDTH = 9 };

static void print_right(const char *text, size_t width)
{
    const size_t used = cli_text_width(text);
    (void)printf("%*s%s ", used < width ? (int)(width - used) : 0, "", text);
}

static void print_head(bool is_timed)
{
    const bool is_colored = cli_is_colored();
    (void)printf("%s%*s %*s ", is_colored ? "\x1b[1m" : "", TIME_WIDTH, "TOTAL", TIME_WIDTH,
                 "SELF");
    if (!is_timed) {
        (void)printf("%*s ", COUNT_WIDTH, "COUNT");
    }
    (void)printf(" NAME%s\n", is_colored ? "\x1b[0m" : "");
}

static bool print_node(const snoopi_row *row, bool is_timed)
{
    char text[CLI_TEXT_SIZE];
    char flags[CLI_FLAGS_SIZE];
    const bool is_colored = cli_is_colored();
    char *const place = cli_place(row->file, row->line);
    if (!place) {
        return false;
    }
    print_right(cli_text_time(text, row->total_ns), TIME_WIDTH);
    print_right(cli_text_time(text, row->self_ns), TIME_WIDTH);
    if (!is_timed) {
        print_right(cli_text_count(text, row->count), COUNT_WIDTH);
    }
    (void)printf("%*s", 1 + 2 * (int)(row->depth < INDENT_MAX ? row->depth : INDENT_MAX), "");
    if (row->depth > INDENT_MAX) {
        (void)printf("[level %u] ", (unsigned)row->depth);
    }
    cli_text_put(stdout, row->name);
    if (row->file && row->module) { // else the name is the place
        (void)fputs(is_colored ? "  \x1b[2m" : "  ", stdout);
        cli_text_put(stdout, row->module);
        (void)putchar(' ');
        cli_text_put(stdout, place);
        (void)fputs(is_colored ? "\x1b[0m" : "", stdout);
    }
    if (is_timed && row->flags != 0) {
        (void)printf("  [%s]", cli_flags_text(flags, row->flags));
    }
    (void)putchar('\n');
    free(place);
    return true;
}

static void print_foot(const tree_args *args, uint64_t n_shown, uint64_t n_found,
                       const snoopi_totals *totals, const snoopi_totals *scope)
{
    char more[CLI_TEXT_SIZE];
    if (n_found > n_shown) {
        (void)printf("… %s more nodes; --limit=0 shows all\n",
                     cli_text_count(more, n_found - n_shown));
    } else if (args->is_timed && n_shown > 0 && n_shown == cli_limit(&args->rows)) {
        (void)printf("… there may be more; --limit=0 shows all\n");
    } else if (n_shown == 0) {
        (void)printf("no frames\n");
    }
    cli_totals_print(totals, scope);
}

// ---- both kinds of trees, in any format

// Where nodes go. Exactly one of the two is in use.
typedef struct {
    cli_listing *listing; // NULL: the table
    bool is_timed;
    uint64_t n;
    snoopi_totals totals; // for shares, which trees do not show
} sink;

static bool put_node(void *payload, const snoopi_row *row)
{
    sink *const s = payload;
    s->n++;
    if (s->listing) {
        return cli_row_put(s->listing, row, &s->totals);
    }
    return print_node(row, s->is_timed) && !ferror(stdout);
}

// What a tree that did not fit lacks.
static void say_levels(uint32_t levels)
{
    if (levels > 0) {
        cli_say("tree: more than %d paths: only the first %u levels are kept; "
                "--root=NAME shows a part deeper, a coarser --by has fewer paths",
                SNOOPI_TREE_NODES_MAX, (unsigned)levels);
    }
}

static int put_merged(snoopi_trace *trace, const snoopi_tree_options *tree_options, sink *s,
                      snoopi_totals *totals, snoopi_totals *scope, uint64_t *n_found,
                      uint32_t *levels)
{
    snoopi_tree *tree = NULL;
    snoopi_error err = {0};
    if (snoopi_tree_new(&tree, trace, tree_options, &err) < 0) {
        return cli_fail("%s", err.text);
    }
    *totals = *snoopi_tree_totals(tree);
    *scope = *snoopi_tree_scope_totals(tree);
    *n_found = snoopi_tree_n_found(tree);
    cli_progress_end();
    *levels = snoopi_tree_levels(tree);
    say_levels(*levels);
    const size_t n = snoopi_tree_n_nodes(tree);
    for (size_t i = 0; i < n; i++) {
        snoopi_row row;
        snoopi_tree_node(tree, i, &row);
        if (!put_node(s, &row)) {
            break;
        }
    }
    snoopi_tree_free(tree);
    return CLI_OK;
}

static int put_timed(snoopi_trace *trace, const snoopi_tree_options *tree_options, sink *s,
                     snoopi_totals *totals, snoopi_totals *scope)
{
    snoopi_error err = {0};
    if (snoopi_tree_visit(trace, tree_options, put_node, s, totals, scope, &err) < 0) {
        return cli_fail("%s", err.text);
    }
    return CLI_OK;
}

static int print(const tree_args *args, snoopi_trace *trace,
                 const snoopi_tree_options *tree_options)
{
    cli_column columns[CLI_ROW_COLUMNS];
    snoopi_totals totals = {0};
    snoopi_totals scope = {0};
    uint64_t n_found = 0;
    uint32_t levels = 0;
    sink s = {.is_timed = args->is_timed};

    cli_row_tree_columns(columns, args->is_timed ? SNOOPI_BY_FRAME : tree_options->by);
    if (args->rows.format == CLI_FORMAT_TABLE) {
        print_head(args->is_timed);
    } else {
        s.listing = cli_listing_begin((cli_format)args->rows.format, "snoopi.tree/1", "rows",
                                      columns, CLI_ROW_COLUMNS);
        if (!s.listing) {
            return CLI_FAILED;
        }
    }
    snoopi_json *const json = s.listing ? cli_listing_json(s.listing) : NULL;
    if (json) {
        snoopi_json_member_string(json, "order",
                                  args->is_timed      ? "time"
                                  : args->is_inverted ? "inverted"
                                                      : "merged");
        snoopi_json_member_string(json, "by",
                                  args->is_timed ? "frame" : snoopi_by_name((int)tree_options->by));
    }
    int status = args->is_timed
                     ? put_timed(trace, tree_options, &s, &totals, &scope)
                     : put_merged(trace, tree_options, &s, &totals, &scope, &n_found, &levels);
    if (!s.listing) {
        if (status == CLI_OK) {
            print_foot(args, s.n, n_found, &totals, &scope);
        }
        return status;
    }
    cli_listing_end_rows(s.listing);
    if (json && levels > 0) {
        snoopi_json_member_uint(json, "levels", levels);
    }
    if (json) {
        snoopi_json_totals(json, &totals, &scope);
    }
    const int end = cli_listing_end(s.listing);
    return status == CLI_OK ? end : status;
}

static uint32_t depth_limit(const tree_args *args)
{
    if (args->depth == UINT64_MAX) {
        return args->is_inverted ? INVERTED_DEPTH : 0;
    }
    return args->depth < UINT32_MAX ? (uint32_t)args->depth : UINT32_MAX;
}

static int run_tree(const void *payload, int n_operands, char **operands)
{
    const tree_args *const args = payload;
    if (args->is_timed && args->is_inverted) {
        return cli_usage("tree", "--time and --inverted exclude each other");
    }
    snoopi_trace *const trace = cli_trace_open(n_operands, operands);
    if (!trace) {
        return CLI_FAILED;
    }
    snoopi_tree_options tree_options = {
        .by = (snoopi_by)(args->by + 1),
        .sort = (snoopi_sort)args->rows.sort,
        .is_inverted = args->is_inverted,
        .depth = depth_limit(args),
        .root = args->root,
        .tmin_ns = args->rows.tmin_ns,
        .limit = cli_limit(&args->rows),
        .max_nodes = SNOOPI_TREE_NODES_MAX,
        .scope = cli_scope(&args->scope),
        .filter = args->filter,
    };
    if (args->is_timed && isatty(STDOUT_FILENO)) {
        tree_options.scope.progress = NULL; // the frames themselves show how far it has come
    }
    const int status = print(args, trace, &tree_options);
    cli_trace_warn(trace);
    snoopi_trace_close(trace);
    return status;
}

const cli_command cli_cmd_tree = {
    .name = "tree",
    .operands = "[FILE]",
    .summary = "the call tree of inference, merged, inverted, or in the order of time",
    .about =
        "Merged: frames with the same key and the same path above them are one node. Inverted: below each key stand those that\n"
        "caused it, and what a node says is about the frames of the outermost one, as far as they came this way. Frames that\n"
        "--module, --package or --file leave out are passed over: what is below them hangs on what is above them.",
    .groups = groups,
    .args_size = sizeof(tree_args),
    .defaults = &defaults,
    .max_operands = 1,
    .run = run_tree,
};
