// SPDX-License-Identifier: MIT
// Folded stacks: `outer;inner;innermost N`, N the self time in ns of all frames of that path, or their number.
//
// The format has no escape: `;` separates and a newline ends. So a `;` inside of a name is written as U+037E, which looks the same
// and which Unicode holds for the same character; control characters are written as JSON would.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "exporter.h"
#include "mergedstacks.h"
#include "plaintext.h"

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

static void put_path(FILE *out, const char *const *path, size_t n, uint64_t weight)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            (void)putc_unlocked(';', out);
        }
        put_text(out, path[i]);
    }
    (void)fprintf(out, " %" PRIu64 "\n", weight);
}

static int put_stacks(snoopi__export *x, const snoopi__stacks *stacks, snoopi_error *err)
{
    const char **path = NULL; // names from the top to the current node
    size_t capacity = 0;
    for (size_t i = 0; i < stacks->layout.n && !ferror(x->out); i++) {
        const uint32_t number = stacks->layout.order[i];
        const snoopi__node *const node = &stacks->nodes.nodes[number];
        const snoopi__stack_own *const own = &stacks->own[number];
        const char **const grown =
            snoopi__grow(path, &capacity, (size_t)node->depth + 1, sizeof *grown);
        if (!grown) {
            free(path);
            return snoopi__fail_nomem(err);
        }
        path = grown;
        path[node->depth] = snoopi__shown_name(stacks->select.keys.keys[node->key].name);
        const uint64_t weight = snoopi__stacks_weight(x->options, own->self_ns, own->count);
        if (weight > 0) {
            put_path(x->out, path, (size_t)node->depth + 1, weight);
        }
    }
    free(path);
    return SNOOPI_OK;
}

static int put_folded(snoopi__export *x, snoopi_error *err)
{
    snoopi__stacks stacks;
    int status = snoopi__stacks_init(&stacks, x->trace, x->options, SNOOPI_SORT_NAME, false, err);
    if (status == SNOOPI_OK) {
        status = put_stacks(x, &stacks, err);
    }
    snoopi__stacks_clear(&stacks);
    return status;
}

const snoopi__exporter snoopi__export_folded = {.name = "folded", .whole = put_folded};
