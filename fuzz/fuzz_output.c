// SPDX-License-Identifier: MIT
// See fuzz_output.h. The checks are made from the grammars of JSON and XML, not from what our writers do.
#include "fuzz_output.h"

#include <stdbool.h>
#include <string.h>

#include "export/html_page.h"
#include "fuzz_input.h"
#include "snoopi/json.h"

typedef struct {
    const char *at;
    const char *end;
} text;

// --- characters ---

// C0, DEL and C1, which terminals act on. A line may end, where the format has lines.
static void check_characters(text t)
{
    while (t.at < t.end) {
        const size_t length = snoopi_utf8_length(t.at, (size_t)(t.end - t.at));
        const unsigned char first = (unsigned char)t.at[0];
        fuzz_demand(length > 0, "UTF-8");
        fuzz_demand(first >= 0x20 || first == '\n' || first == '\t', "no control character");
        fuzz_demand(first != 0x7F && !(first == 0xC2 && (unsigned char)t.at[1] < 0xA0),
                    "no DEL, no C1");
        t.at += length;
    }
}

// --- JSON (RFC 8259) ---

static void skip_blanks(text *t)
{
    while (t->at < t->end && strchr(" \n\t\r", *t->at)) {
        t->at++;
    }
}

static bool take(text *t, char c)
{
    skip_blanks(t);
    const bool is_there = t->at < t->end && *t->at == c;
    t->at += is_there;
    return is_there;
}

static void check_string(text *t)
{
    fuzz_demand(take(t, '"'), "a string");
    while (t->at < t->end && *t->at != '"') {
        fuzz_demand((unsigned char)*t->at >= 0x20, "no control character in a string");
        if (*t->at++ == '\\') {
            fuzz_demand(t->at < t->end && strchr("\"\\/bfnrtu", *t->at), "an escape");
            t->at++;
        }
    }
    fuzz_demand(take(t, '"'), "the end of a string");
}

static void check_value(text *t, int depth);

static void check_members(text *t, char end, int depth)
{
    if (take(t, end)) {
        return;
    }
    do {
        if (end == '}') {
            check_string(t);
            fuzz_demand(take(t, ':'), "a colon");
        }
        check_value(t, depth + 1);
    } while (take(t, ','));
    fuzz_demand(take(t, end), "the end of a container");
}

static void check_value(text *t, int depth)
{
    fuzz_demand(depth <= SNOOPI_JSON_DEPTH_MAX, "few levels");
    skip_blanks(t);
    fuzz_demand(t->at < t->end, "a value");
    if (*t->at == '"') {
        check_string(t);
    } else if (take(t, '{')) {
        check_members(t, '}', depth);
    } else if (take(t, '[')) {
        check_members(t, ']', depth);
    } else {
        const char *const begin = t->at;
        while (t->at < t->end && strchr("+-.0123456789eEtrufalsn", *t->at)) {
            t->at++;
        }
        fuzz_demand(t->at > begin, "a number or a word");
    }
}

// One document, or lines that are each one.
static void check_json(text t)
{
    do {
        check_value(&t, 0);
        skip_blanks(&t);
    } while (t.at < t.end);
}

// --- XML ---

static bool begins_with(const text *t, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(t->end - t->at) >= length && memcmp(t->at, word, length) == 0;
}

static void skip_behind(text *t, const char *word)
{
    const char *const found = memmem(t->at, (size_t)(t->end - t->at), word, strlen(word));
    fuzz_demand(found != NULL, word);
    t->at = found + strlen(word);
}

// From '<' to '>': attributes are quoted, and nothing in them opens an element. Adds to the depth.
static void check_tag(text *t, int *depth)
{
    const bool is_end = t->at[1] == '/';
    char quote = '\0';
    while (++t->at < t->end && (quote || *t->at != '>')) {
        fuzz_demand(*t->at != '<', "no element within a tag");
        if (quote ? *t->at == quote : *t->at == '"' || *t->at == '\'') {
            quote = quote ? '\0' : *t->at;
        }
    }
    fuzz_demand(t->at < t->end, "the end of a tag");
    *depth += is_end ? -1 : t->at[-1] == '/' ? 0 : 1;
    fuzz_demand(*depth >= 0, "elements nest");
    t->at++;
}

static void check_xml(text t)
{
    int depth = 0;
    while (t.at < t.end) {
        if (begins_with(&t, "<![CDATA[")) {
            skip_behind(&t, "]]>");
        } else if (begins_with(&t, "<?")) {
            skip_behind(&t, "?>");
        } else if (begins_with(&t, "<!")) {
            skip_behind(&t, ">");
        } else if (*t.at == '<') {
            check_tag(&t, &depth);
        } else if (*t.at == '&') {
            const char *const end = memchr(t.at, ';', (size_t)(t.end - t.at));
            fuzz_demand(end && end - t.at <= 6, "an entity");
            t.at = end;
        } else {
            t.at++;
        }
    }
    fuzz_demand(depth == 0, "each element ends");
}

// --- HTML ---

// Between the two parts of the page lie elements of packed text, and nothing else.
static void check_html(text t)
{
    fuzz_demand((size_t)(t.end - t.at) >= snoopi__html_head_size + snoopi__html_tail_size,
                "the whole page");
    t.at += snoopi__html_head_size;
    t.end -= snoopi__html_tail_size;
    while (t.at < t.end) {
        fuzz_demand(begins_with(&t, "<script type=\"text/plain\" "), "an element of data");
        skip_behind(&t, ">");
        while (t.at < t.end && *t.at != '<') {
            fuzz_demand((*t.at > 0x20 && *t.at < 0x7F) || *t.at == '\n', "packed text");
            t.at++;
        }
        fuzz_demand(begins_with(&t, "</script>\n"), "the end of an element of data");
        skip_behind(&t, "\n");
    }
}

void fuzz_check_output(snoopi_export_format format, const char *bytes, size_t size)
{
    const text t = {bytes, bytes + size};
    switch (format) {
    case SNOOPI_EXPORT_HTML: check_html(t); break;
    case SNOOPI_EXPORT_SVG:
        check_characters(t);
        check_xml(t);
        break;
    case SNOOPI_EXPORT_JSON:
    case SNOOPI_EXPORT_JSONL:
    case SNOOPI_EXPORT_CHROME:
    case SNOOPI_EXPORT_SPEEDSCOPE:
        check_characters(t);
        if (size > 0) {
            check_json(t);
        }
        break;
    case SNOOPI_EXPORT_FOLDED:
    case SNOOPI_EXPORT_CSV: check_characters(t); break;
    case SNOOPI_EXPORT_PPROF: break;
    }
}
