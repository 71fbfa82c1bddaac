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

// Puts a name so that it separates nothing.
static void put_text(snoopi__buffer *path, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = snoopi_utf8_length(text, left);
        const unsigned char c = (unsigned char)*text;
        if (length == 0) {
            length = 1;
            snoopi__buffer_put(path, "\xEF\xBF\xBD", 3);
        } else if (c == ';') {
            snoopi__buffer_put(path, LOOKS_LIKE_SEMICOLON, sizeof LOOKS_LIKE_SEMICOLON - 1);
        } else if (snoopi__is_control(text, length)) {
            const unsigned char control = (unsigned char)text[length - 1];
            const char escape[] = {'\\', 'u', '0', '0', digits[control >> 4], digits[control & 15]};
            snoopi__buffer_put(path, escape, sizeof escape);
        } else {
            snoopi__buffer_put(path, text, length);
        }
        text += length;
        left -= length;
    }
}

// The path of the current node, and where the names on it end: siblings share what is above them.
typedef struct {
    snoopi__buffer text;
    size_t *ends; // by depth
    size_t capacity;
} path;

static bool set_path(path *p, const snoopi__node *node, const char *name)
{
    size_t *const grown =
        snoopi__grow(p->ends, &p->capacity, (size_t)node->depth + 1, sizeof *grown);
    if (!grown) {
        return false;
    }
    p->ends = grown;
    p->text.size = node->depth > 0 ? p->ends[node->depth - 1] : 0;
    if (node->depth > 0) {
        snoopi__buffer_put(&p->text, ";", 1);
    }
    put_text(&p->text, name);
    p->ends[node->depth] = p->text.size;
    return !p->text.has_failed;
}

static int put_stacks(snoopi__export *x, const snoopi__stacks *stacks, snoopi_error *err)
{
    path p = {0};
    int status = SNOOPI_OK;
    for (size_t i = 0; i < stacks->layout.n && !ferror(x->out); i++) {
        const uint32_t number = stacks->layout.order[i];
        const snoopi__node *const node = &stacks->nodes.nodes[number];
        const snoopi__stack_own *const own = &stacks->own[number];
        const uint64_t weight = snoopi__stacks_weight(x->options, own->self_ns, own->count);
        if (!set_path(&p, node, snoopi__shown_name(stacks->select.keys.keys[node->key].name))) {
            status = snoopi__fail_nomem(err);
            break;
        }
        if (weight > 0) {
            (void)fwrite(p.text.data, 1, p.text.size, x->out);
            (void)fprintf(x->out, " %" PRIu64 "\n", weight);
        }
    }
    snoopi__buffer_clear(&p.text);
    free(p.ends);
    return status;
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
