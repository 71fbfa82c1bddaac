// SPDX-License-Identifier: MIT
// See grammar.h. A parser by descent; the depth is bounded, so that no text is a danger to the stack.
#include "grammar.h"

#include <stdint.h>
#include <string.h>

#include <snoopi/json.h>

enum { DEPTH_MAX = 120 };

// --- characters ---

bool snoopi__is_reserved_word(const char *text, size_t size)
{
    static const char *const words[] = {
        "abstract", "baremodule", "begin",  "break",  "catch",   "const", "continue",
        "do",       "else",       "elseif", "end",    "export",  "false", "finally",
        "for",      "function",   "global", "if",     "import",  "in",    "isa",
        "let",      "local",      "macro",  "module", "mutable", "outer", "primitive",
        "public",   "quote",      "return", "struct", "true",    "try",   "type",
        "using",    "var",        "where",  "while",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == size && memcmp(words[i], text, size) == 0) {
            return true;
        }
    }
    return false;
}

static uint32_t code_point(const unsigned char *at, size_t length)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = at[0] & masks[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (at[i] & 0x3fu);
    }
    return code;
}

// Controls, spaces that look like others, marks that change the order of what is seen, and what has no character.
static bool is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0, 0x1f},        {0x7f, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},   {0x1680, 0x1680},
        {0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
        {0xd800, 0xf8ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

// Length of the character at `at` if it may be part of a text; 0 if not.
static size_t safe_length(const char *at, size_t size)
{
    const size_t length = snoopi_utf8_length(at, size);
    if (length == 0 || is_hidden(code_point((const unsigned char *)at, length))) {
        return 0;
    }
    return *at == '"' || *at == '\\' ? 0 : length;
}

bool snoopi__is_safe_text(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        const size_t length = safe_length(text + at, size - at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return size > 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

bool snoopi__is_operator_text(const char *text, size_t size)
{
    enum { LONGEST = 24 };
    for (size_t at = 0; at < size;) {
        const char c = text[at];
        const size_t length = c == '\\' ? 1 : safe_length(text + at, size - at);
        if (length == 0 || (length == 1 && !strchr("+-*/\\^<>=!%&|~:.'?", c))) {
            return false;
        }
        at += length;
    }
    return size > 0 && size <= LONGEST;
}

// --- parts of a line ---

typedef struct {
    const char *at;
    const char *end;
    unsigned depth;
} reader;

static bool take(reader *r, const char *text)
{
    const size_t size = strlen(text);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, text, size) != 0) {
        return false;
    }
    r->at += size;
    return true;
}

static bool take_name(reader *r)
{
    const char *start = r->at;
    while (r->at < r->end) {
        const char c = *r->at;
        if (!is_letter(c) && (r->at == start || (!is_digit(c) && c != '!'))) {
            break;
        }
        const size_t length = safe_length(r->at, (size_t)(r->end - r->at));
        if (length == 0) {
            return false;
        }
        r->at += length;
    }
    return r->at > start && !snoopi__is_reserved_word(start, (size_t)(r->at - start));
}

static bool take_string(reader *r, bool has_dollars)
{
    if (!take(r, "\"")) {
        return false;
    }
    const char *start = r->at;
    const char *quote = memchr(start, '"', (size_t)(r->end - start));
    if (!quote || !snoopi__is_safe_text(start, (size_t)(quote - start)) ||
        (!has_dollars && memchr(start, '$', (size_t)(quote - start)))) {
        return false;
    }
    r->at = quote + 1;
    return true;
}

static bool take_operator(reader *r)
{
    const char *start = r->at;
    const char *close = memchr(start, ')', (size_t)(r->end - start));
    if (!close || !snoopi__is_operator_text(start, (size_t)(close - start))) {
        return false;
    }
    r->at = close + 1;
    return true;
}

static bool take_path(reader *r)
{
    if (!take_name(r)) {
        return false;
    }
    while (take(r, ".")) {
        const bool is_good = take(r, ":(")      ? take_operator(r)
                             : take(r, "var\"") ? (r->at--, take_string(r, true))
                                                : take_name(r);
        if (!is_good) {
            return false;
        }
    }
    return true;
}

static bool take_digits(reader *r, const char *digits)
{
    enum { LONGEST = 20 };
    const char *start = r->at;
    while (r->at < r->end && *r->at && strchr(digits, *r->at)) {
        r->at++;
    }
    return r->at > start && r->at - start <= LONGEST;
}

static bool take_number(reader *r)
{
    if (take(r, "0x")) {
        return take_digits(r, "0123456789abcdef");
    }
    (void)take(r, "-");
    return take_digits(r, "0123456789");
}

static bool take_type(reader *r);

// Types with commas between, up to `end`; a comma may come last.
static bool take_types(reader *r, const char *end)
{
    while (!take(r, end)) {
        if (!take_type(r) || !(take(r, ",") || (r->at < r->end && *r->at == *end))) {
            return false;
        }
    }
    return true;
}

static bool is_variable(const char *start, const char *end)
{
    return end - start > 1 && *start == 'T' && start[1] >= '1' && start[1] <= '9';
}

static bool take_bound(reader *r)
{
    const char *start = r->at;
    if (!take_type(r)) {
        return false;
    }
    bool is_name = is_variable(start, r->at);
    if (is_name && take(r, ">:")) {
        return take_type(r);
    }
    if (!is_name) {
        start = r->at + 2;
        if (!take(r, "<:") || !take_name(r) || !is_variable(start, r->at)) {
            return false;
        }
    }
    return !take(r, "<:") || take_type(r);
}

// Behind "(": a where-clause, or a tuple.
static bool take_parenthesis(reader *r)
{
    if (take(r, ")")) {
        return true;
    }
    if (!take_type(r)) {
        return false;
    }
    if (take(r, " where ")) {
        return take_bound(r) && take(r, ")");
    }
    return take(r, ",") && take_types(r, ")");
}

static bool take_signed_value(reader *r)
{
    static const char *const words[] = {"Int8(", "Int16(", "Int32("};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (take(r, words[i])) {
            return take_number(r) && take(r, ")");
        }
    }
    return false;
}

static bool take_named(reader *r)
{
    const char *start = r->at;
    if (take_signed_value(r)) {
        return true;
    }
    r->at = start;
    if (take(r, "typeof(")) {
        return take_path(r) && take(r, ")");
    }
    if (take(r, "Core.kwftype(")) {
        return take_type(r) && take(r, ")");
    }
    if (take(r, "Symbol(")) {
        return take_string(r, false) && take(r, ")");
    }
    if (take(r, "true") || take(r, "false")) {
        const bool is_whole = r->at == r->end || !(is_letter(*r->at) || is_digit(*r->at));
        if (is_whole) {
            return true;
        }
        r->at = start;
    }
    return take_path(r) && (!take(r, "{") || take_types(r, "}"));
}

static bool take_type(reader *r)
{
    if (r->at == r->end || ++r->depth > DEPTH_MAX) {
        return false;
    }
    bool is_good = false;
    if (take(r, "(")) {
        is_good = take_parenthesis(r);
    } else if (take(r, ":")) {
        is_good = take_name(r);
    } else if (is_digit(*r->at) || *r->at == '-') {
        is_good = take_number(r);
    } else {
        is_good = take_named(r);
    }
    r->depth--;
    return is_good;
}

static bool take_call(reader *r)
{
    if (take(r, "Base.precompile(")) {
        return take_type(r) && take(r, ")");
    }
    return take(r, "_precompile_body_(") && take_path(r) && take(r, ",") && take_string(r, false) &&
           (take(r, ")") || (take(r, ",") && take_types(r, ")")));
}

bool snoopi__is_directive(const char *text, size_t size)
{
    reader r = {text, text + size, 0};
    return take_call(&r) && r.at == r.end;
}

// --- files ---

const char *snoopi__directive_lines(snoopi__fixed_lines kind)
{
    static const char *const lines[] = {
        "# The package of that name, if it is loaded: those that this one depends on are.\n"
        "function _precompile_package_(name)\n"
        "    for m in Base.loaded_modules_array()\n"
        "        string(nameof(m)) == name && return m\n"
        "    end\n"
        "    return nothing\n"
        "end\n"
        "\n",
        "# What has the code of a function with keywords is called #NAME#12, with a number that differs from build to build.\n"
        "function _precompile_body_(m, name, types...)\n"
        "    start, found = string(\"#\", name, \"#\"), false\n"
        "    for s in names(m; all = true)\n"
        "        text = string(s)\n"
        "        if startswith(text, start) && all(isdigit, text[nextind(text, ncodeunits(start)):end]) && isdefined(m, s)\n"
        "            found |= Base.precompile(Tuple{typeof(getfield(m, s)), types...})\n"
        "        end\n"
        "    end\n"
        "    return found\n"
        "end\n"
        "\n",
        "function _precompile_()\n"
        "    ccall(:jl_generating_output, Cint, ()) == 1 || return nothing\n",
        "    return nothing\n"
        "end\n",
    };
    return kind < LINES_KINDS ? lines[kind] : NULL;
}

// "   # 12.3 ms": any characters that can be seen.
static bool take_comment(reader *r)
{
    const bool is_good =
        r->at == r->end || (take(r, "   # ") && r->at < r->end && is_digit(*r->at) &&
                            snoopi__is_safe_text(r->at, (size_t)(r->end - r->at)));
    r->at = r->end;
    return is_good;
}

static void take_guards(reader *r)
{
    const char *start;
    do {
        start = r->at;
    } while (take_name(r) && take(r, " === nothing || "));
    r->at = start;
}

static bool take_line(reader *r)
{
    const char *const start = r->at;
    if (take(r, "# ")) { // a sentence; "#=" would begin a long comment
        return snoopi__is_safe_text(r->at, (size_t)(r->end - r->at));
    }
    if (!take(r, "    ")) {
        return r->at == r->end;
    }
    take_guards(r);
    const char *call = r->at;
    if (take_call(r)) {
        return take_comment(r);
    }
    r->at = call;
    return call == start + 4 && take_name(r) && take(r, " = ") &&
           (take(r, "Base.moduleroot(@__MODULE__)") ||
            (take(r, "_precompile_package_(") && take_string(r, false) && take(r, ")"))) &&
           r->at == r->end;
}

// The fixed lines that a file goes on with.
static const char *skip_fixed(const char *at, const char *end, unsigned *seen)
{
    for (unsigned kind = 0; kind < LINES_KINDS; kind++) {
        const char *lines = snoopi__directive_lines((snoopi__fixed_lines)kind);
        const size_t size = strlen(lines);
        if (!(*seen & 1u << kind) && (size_t)(end - at) >= size && memcmp(at, lines, size) == 0) {
            *seen |= 1u << kind;
            return at + size;
        }
    }
    return at;
}

bool snoopi__is_directive_file(const char *text, size_t size)
{
    const char *at = text;
    const char *const end = text + size;
    unsigned seen = 0;
    while (at < end) {
        const char *next = skip_fixed(at, end, &seen);
        if (next == at) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            reader r = {at, newline, 0};
            if (!newline || !take_line(&r)) {
                return false;
            }
            next = newline + 1;
        }
        at = next;
    }
    return (seen & 1u << LINES_BEGIN) && (seen & 1u << LINES_END);
}
