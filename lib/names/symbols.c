// SPDX-License-Identifier: MIT
// See symbols.h. Written after base/show.jl (show_sym, show_unquoted_quote_expr), base/char.jl, base/strings/io.jl
// (escape_string) and flisp/julia_extensions.c of Julia 1.5.3.
#include "symbols.h"

#include <stdio.h>
#include <string.h>

// --- characters ---

// As Base.next_continued: takes only as many bytes as can belong to one character.
snoopi__char snoopi__next_char(const char *bytes, size_t size, size_t *at)
{
    const unsigned char first = (unsigned char)bytes[(*at)++];
    snoopi__char c = (snoopi__char)first << 24;
    if (first < 0xc0 || first > 0xf7) {
        return c;
    }
    const unsigned more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    for (unsigned i = 1; i <= more && *at < size; i++) {
        const unsigned char next = (unsigned char)bytes[*at];
        if ((next & 0xc0) != 0x80) {
            break;
        }
        c |= (snoopi__char)next << (24 - 8 * i);
        (*at)++;
    }
    return c;
}

static unsigned leading_ones(snoopi__char c)
{
    return ~c == 0 ? 32 : (unsigned)__builtin_clz(~c);
}

static unsigned trailing_zeros(snoopi__char c)
{
    return c == 0 ? 32 : (unsigned)__builtin_ctz(c);
}

// Base.ismalformed(::Char)
static bool is_malformed(snoopi__char c)
{
    const unsigned l1 = leading_ones(c) << 3;
    const unsigned t0 = trailing_zeros(c) & 56;
    if (l1 == 8 || l1 + t0 > 32) {
        return true;
    }
    const snoopi__char rest = t0 >= 32 ? 0 : ((c & 0x00c0c0c0) ^ 0x00808080) >> t0;
    return rest != 0;
}

// Base.isoverlong(::Char)
static bool is_overlong(snoopi__char c)
{
    return c >> 24 == 0xc0 || c >> 24 == 0xc1 || c >> 21 == 0x0704 || c >> 20 == 0x0f08;
}

// Of a character that is neither malformed nor overlong.
static uint32_t codepoint(snoopi__char c)
{
    if (c < 0x80000000) {
        return c >> 24;
    }
    const unsigned l1 = leading_ones(c);
    const unsigned t0 = trailing_zeros(c) & 56;
    const snoopi__char u = (c & (0xffffffffu >> l1)) >> t0;
    return (u & 0x0000007f) | (u & 0x00007f00) >> 2 | (u & 0x007f0000) >> 4 | (u & 0x7f000000) >> 6;
}

static bool is_valid(snoopi__char c)
{
    return !is_malformed(c) && !is_overlong(c);
}

static unsigned flags_of(snoopi__syntax syntax, snoopi__char c)
{
    if (!is_valid(c)) {
        return 0;
    }
    const uint32_t code = codepoint(c);
    size_t low = 0;
    size_t high = snoopi__n_char_ranges;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (snoopi__char_ranges[middle] >> 8 <= code) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return code > 0x10ffff ? 0 : snoopi__char_kinds[snoopi__char_ranges[low] & 255][syntax];
}

// --- words ---

static bool equals(const char *bytes, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(bytes, word, size) == 0;
}

bool snoopi__starts_identifier(snoopi__syntax syntax, const char *bytes, size_t size)
{
    size_t at = 0;
    return size > 0 && flags_of(syntax, snoopi__next_char(bytes, size, &at)) & TABLE_CHAR_ID_START;
}

bool snoopi__is_identifier(snoopi__syntax syntax, const char *bytes, size_t size)
{
    if (!snoopi__starts_identifier(syntax, bytes, size) || equals(bytes, size, "true") ||
        equals(bytes, size, "false")) {
        return false;
    }
    for (size_t at = 0; at < size;) {
        if (!(flags_of(syntax, snoopi__next_char(bytes, size, &at)) & TABLE_CHAR_ID)) {
            return false;
        }
    }
    return true;
}

static unsigned operator_flags(snoopi__syntax syntax, const char *bytes, size_t size)
{
    size_t low = 0;
    size_t high = snoopi__n_operators;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *word = snoopi__operators[middle].word;
        const size_t length = strlen(word);
        int order = memcmp(word, bytes, length < size ? length : size);
        if (order == 0) {
            order = length < size ? -1 : length > size;
        }
        if (order == 0) {
            return snoopi__operator_kinds[snoopi__operators[middle].kind][syntax];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

static bool is_operator_word(snoopi__syntax syntax, const char *bytes, size_t size, bool has_suffix)
{
    const unsigned plain = has_suffix ? TABLE_OPERATOR_PLAIN_SUFFIX : TABLE_OPERATOR_PLAIN;
    const unsigned dotted = has_suffix ? TABLE_OPERATOR_DOTTED_SUFFIX : TABLE_OPERATOR_DOTTED;
    return operator_flags(syntax, bytes, size) & plain ||
           (size > 1 && bytes[0] == '.' && operator_flags(syntax, bytes + 1, size - 1) & dotted);
}

bool snoopi__is_operator(snoopi__syntax syntax, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const size_t start = at;
        if (flags_of(syntax, snoopi__next_char(bytes, size, &at)) & TABLE_CHAR_SUFFIX) {
            // As the parser has it: whatever follows a suffix counts as suffix.
            return start > 0 && is_operator_word(syntax, bytes, start, true);
        }
    }
    return is_operator_word(syntax, bytes, size, false);
}

bool snoopi__is_quoted_symbol(const char *bytes, size_t size)
{
    static const char *const words[] = {":", "::", ":=", "=", "==", "===", "=>"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (equals(bytes, size, words[i])) {
            return true;
        }
    }
    return false;
}

// --- printing ---

static bool is_plain_word(snoopi__syntax syntax, const char *bytes, size_t size)
{
    return snoopi__is_identifier(syntax, bytes, size) ||
           (snoopi__is_operator(syntax, bytes, size) && !equals(bytes, size, "'"));
}

// Whether it is an operator that is syntax and not the name of a function.
static bool is_syntax(snoopi__syntax syntax, const char *bytes, size_t size)
{
    return operator_flags(syntax, bytes, size) & TABLE_OPERATOR_PLAIN_SYNTAX ||
           (size > 1 && bytes[0] == '.' &&
            operator_flags(syntax, bytes + 1, size - 1) & TABLE_OPERATOR_DOTTED_SYNTAX);
}

void snoopi__put_name(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size)
{
    if (is_plain_word(syntax, bytes, size) && !is_syntax(syntax, bytes, size)) {
        snoopi__text_put(out, bytes, size);
    } else {
        snoopi__text_puts(out, "var\"");
        snoopi__put_escaped(syntax, out, bytes, size);
        snoopi__text_putc(out, '"');
    }
}

void snoopi__put_symbol(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size)
{
    if (snoopi__is_quoted_symbol(bytes, size)) {
        snoopi__text_puts(out, ":(");
        snoopi__text_put(out, bytes, size);
        snoopi__text_putc(out, ')');
    } else if (is_plain_word(syntax, bytes, size)) {
        snoopi__text_putc(out, ':');
        snoopi__text_put(out, bytes, size);
    } else {
        snoopi__text_puts(out, "Symbol(\"");
        snoopi__put_escaped(syntax, out, bytes, size);
        snoopi__text_puts(out, "\")");
    }
}

static void put_hex(snoopi__text *out, const char *prefix, uint32_t value, int width)
{
    char text[24];
    snprintf(text, sizeof text, "%s%0*x", prefix, width, value);
    snoopi__text_puts(out, text);
}

static void put_raw(snoopi__text *out, snoopi__char c)
{
    char bytes[4];
    size_t size = 0;
    do {
        bytes[size++] = (char)(c >> 24);
        c <<= 8;
    } while (c);
    snoopi__text_put(out, bytes, size);
}

static void put_invalid(snoopi__text *out, snoopi__char c)
{
    do {
        put_hex(out, "\\x", c >> 24, 2);
        c <<= 8;
    } while (c);
}

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// `next` is the character behind, or 0 at the end of the text.
static void put_escaped_char(snoopi__syntax syntax, snoopi__text *out, snoopi__char c, char next)
{
    if (!is_valid(c)) {
        put_invalid(out, c);
        return;
    }
    const uint32_t code = codepoint(c);
    if (code == '"' || code == '$' || code == '\\') {
        snoopi__text_putc(out, '\\');
        snoopi__text_putc(out, (char)code);
    } else if (code == 0) {
        snoopi__text_puts(out, next >= '0' && next <= '7' ? "\\x00" : "\\0");
    } else if (code == 0x1b) {
        snoopi__text_puts(out, "\\e");
    } else if (code >= '\a' && code <= '\r') {
        snoopi__text_putc(out, '\\');
        snoopi__text_putc(out, "abtnvfr"[code - '\a']);
    } else if (flags_of(syntax, c) & TABLE_CHAR_PRINT) {
        put_raw(out, c);
    } else if (code <= 0x7f) {
        put_hex(out, "\\x", code, 2);
    } else if (code <= 0xffff) {
        put_hex(out, "\\u", code, is_hex_digit(next) ? 4 : 2);
    } else {
        put_hex(out, "\\U", code, is_hex_digit(next) ? 8 : 4);
    }
}

void snoopi__put_escaped(snoopi__syntax syntax, snoopi__text *out, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size && !snoopi__text_is_over(out);) {
        const snoopi__char c = snoopi__next_char(bytes, size, &at);
        put_escaped_char(syntax, out, c, at < size ? bytes[at] : 0);
    }
}

void snoopi__put_char(snoopi__syntax syntax, snoopi__text *out, snoopi__char c)
{
    static const char specials[] = "\0\a\b\t\n\v\f\r\x1b'\\";
    static const char letters[] = "0abtnvfre'\\";
    snoopi__text_putc(out, '\'');
    const char *special =
        c & 0x00ffffff ? NULL : memchr(specials, (int)(c >> 24), sizeof letters - 1);
    if (special) {
        snoopi__text_putc(out, '\\');
        snoopi__text_putc(out, letters[special - specials]);
    } else if (!is_valid(c)) {
        put_invalid(out, c);
    } else if (flags_of(syntax, c) & TABLE_CHAR_PRINT) {
        put_raw(out, c);
    } else {
        const uint32_t code = codepoint(c);
        int width = 8 - (__builtin_clz(code | 1) >> 2);
        put_hex(out,
                code <= 0x7f     ? "\\x"
                : code <= 0xffff ? "\\u"
                                 : "\\U",
                code, width < 2 ? 2 : width);
    }
    snoopi__text_putc(out, '\'');
}
