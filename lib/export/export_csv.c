// SPDX-License-Identifier: MIT
// Frames as CSV (RFC 4180, but lines end with a newline alone). Flags are words separated by spaces; constant arguments are
// `position=value`, separated by "; ".
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exporter.h"
#include "plaintext.h"

// A field of text. Bytes that are not UTF-8 become U+FFFD, and control characters \u001b, as in the other formats; the format itself
// would let them through to a terminal. A line may end within quotes.
static void put_quoted(FILE *out, const char *text)
{
    size_t left = strlen(text);
    if (!*text) {
        return;
    }
    (void)putc_unlocked('"', out);
    while (left > 0) {
        size_t length = snoopi_utf8_length(text, left);
        if (length == 0) {
            length = 1;
            (void)fputs_unlocked("\xEF\xBF\xBD", out);
        } else if (snoopi__is_control(text, length) && *text != '\n' && *text != '\t') {
            (void)fprintf(out, "\\u%04x", (unsigned char)text[length - 1]);
        } else {
            if (*text == '"') {
                (void)putc_unlocked('"', out);
            }
            (void)fwrite_unlocked(text, 1, length, out);
        }
        text += length;
        left -= length;
    }
    (void)putc_unlocked('"', out);
}

static void begin_csv(snoopi__export *x)
{
    (void)fputs(
        "id,parent,depth,process,thread,name,module,file,line,begin_ns,end_ns,total_ns,self_ns,gc_ns,flags,instance,args,"
        "method_world,result\n",
        x->out);
}

static void put_flags(FILE *out, uint32_t flags)
{
    const char *separator = "";
    for (const char *word = snoopi__export_next_flag(&flags); word;
         word = snoopi__export_next_flag(&flags)) {
        (void)fprintf(out, "%s%s", separator, word);
        separator = " ";
    }
}

static void put_args(snoopi__export *x, const snoopi_frame *frame)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const list = frame->n_args > 0 ? open_memstream(&text, &size) : NULL;
    if (!list) {
        return;
    }
    for (uint32_t i = 0; i < frame->n_args; i++) {
        const char *const value = snoopi_trace_node_text(x->trace, frame->args[i].node);
        (void)fprintf(list, "%s%u=%s", i > 0 ? "; " : "", (unsigned)frame->args[i].position,
                      value ? value : "");
    }
    if (fclose(list) == 0) {
        put_quoted(x->out, text);
    }
    free(text);
}

static void put_frame(snoopi__export *x, const snoopi__export_frame *exported)
{
    const snoopi_frame *const f = exported->frame;
    const snoopi__key *const key = exported->key;
    FILE *const out = x->out;

    (void)fprintf(out, "%" PRIu64 ",", f->id);
    if (exported->parent >= 0) {
        (void)fprintf(out, "%" PRId64, exported->parent);
    }
    (void)fprintf(out, ",%u,%u,%u,", (unsigned)exported->depth, (unsigned)f->process,
                  (unsigned)f->thread);
    put_quoted(out, key->name);
    (void)putc_unlocked(',', out);
    put_quoted(out, snoopi__export_text(key->module));
    (void)putc_unlocked(',', out);
    put_quoted(out, snoopi__export_text(key->file));
    (void)fprintf(out, ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
                  (int)key->line, f->begin_ns, f->end_ns, f->total_ns, f->self_ns, f->gc_ns);
    put_flags(out, f->flags);
    (void)fprintf(out, ",%u,", (unsigned)f->instance);
    put_args(x, f);
    (void)fprintf(out, ",%" PRIu64 ",", exported->instance->method_world);
    if (exported->instance->result) {
        put_quoted(
            out, snoopi__export_text(snoopi_trace_node_text(x->trace, exported->instance->result)));
    }
    (void)putc_unlocked('\n', out);
}

const snoopi__exporter snoopi__export_csv = {.name = "csv", .begin = begin_csv, .frame = put_frame};
