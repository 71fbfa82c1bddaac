// SPDX-License-Identifier: MIT
// Folded stacks: `outer;inner;innermost N`, N the self time in ns of all frames of that path.
//
// The format has no escape: `;` separates and a newline ends. So a `;` inside of a name is written as U+037E, which looks the same
// and which Unicode holds for the same character; control characters are written as JSON would.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/tree.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "exporter.h"

#define LOOKS_LIKE_SEMICOLON "\xCD\xBE"

static void put_text(FILE *out, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = snoopi_utf8_length(text, left);
        const unsigned char c = (unsigned char)*text;
        if (length == 0) {
            length = 1;
            (void)fputs_unlocked("\xEF\xBF\xBD", out);
        } else if (c == ';') {
            (void)fputs_unlocked(LOOKS_LIKE_SEMICOLON, out);
        } else if (c < 0x20 || c == 0x7F) {
            (void)fprintf(out, "\\u%04x", (unsigned)c);
        } else {
            (void)fwrite_unlocked(text, 1, length, out);
        }
        text += length;
        left -= length;
    }
}

static void put_path(FILE *out, const snoopi_row *path, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            (void)putc_unlocked(';', out);
        }
        put_text(out, path[i].name);
    }
    (void)fprintf(out, " %" PRIu64 "\n", path[n - 1].self_ns);
}

static int put_folded(snoopi__export *x, snoopi_error *err)
{
    snoopi_tree_options options = SNOOPI_TREE_INIT;
    options.sort = SNOOPI_SORT_NAME;
    options.scope = x->options->scope;
    options.filter = x->options->filter;
    snoopi_tree *tree = NULL;
    snoopi_row *path = NULL; // from the top to the current node
    size_t capacity = 0;

    int status = snoopi_tree_new(&tree, x->trace, &options, err);
    const size_t n = status == SNOOPI_OK ? snoopi_tree_n_nodes(tree) : 0;
    for (size_t i = 0; i < n && status == SNOOPI_OK && !ferror(x->out); i++) {
        snoopi_row node;
        snoopi_tree_node(tree, i, &node);
        snoopi_row *const grown =
            snoopi__grow(path, &capacity, (size_t)node.depth + 1, sizeof *grown);
        if (!grown) {
            status = snoopi__fail_nomem(err);
            break;
        }
        path = grown;
        path[node.depth] = node;
        if (node.self_ns > 0) {
            put_path(x->out, path, (size_t)node.depth + 1);
        }
    }
    free(path);
    snoopi_tree_free(tree);
    return status;
}

const snoopi__exporter snoopi__export_folded = {.name = "folded", .whole = put_folded};
