// SPDX-License-Identifier: MIT
// Safe names and readable numbers.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <snoopi/json.h>

#include "text.h"

static bool is_control(utf8proc_int32_t c)
{
    // C0, DEL, C1, and the marks that reorder or hide text (bidi controls, zero width, line separators).
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

static void put_control(FILE *out, utf8proc_int32_t c)
{
    switch (c) {
    case '\n': (void)fputs("\\n", out); return;
    case '\t': (void)fputs("\\t", out); return;
    case '\r': (void)fputs("\\r", out); return;
    case 0x1B: (void)fputs("\\e", out); return;
    default: break;
    }
    if (c < 0x100) {
        (void)fprintf(out, "\\x%02x", (unsigned)c);
    } else {
        (void)fprintf(out, "\\u%04x", (unsigned)c);
    }
}

void cli_text_put(FILE *out, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = snoopi_utf8_length(text, left);
        utf8proc_int32_t c = 0xFFFD;
        if (length == 0) {
            length = 1;
            (void)fputs("\xEF\xBF\xBD", out);
        } else {
            (void)utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &c);
            if (is_control(c)) {
                put_control(out, c);
            } else {
                (void)fwrite(text, 1, length, out);
            }
        }
        text += length;
        left -= length;
    }
}

char *cli_text_escape(const char *text)
{
    char *copy = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&copy, &size);
    if (!out) {
        return NULL;
    }
    cli_text_put(out, text);
    if (fclose(out) != 0) {
        free(copy);
        return NULL;
    }
    return copy;
}

void cli_shell_quote(FILE *out, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*word && !word[strspn(word, plain)]) {
        (void)fputs(word, out);
        return;
    }
    (void)putc('\'', out);
    for (; *word; word++) {
        if (*word == '\'') {
            (void)fputs("'\\''", out);
        } else {
            (void)putc(*word, out);
        }
    }
    (void)putc('\'', out);
}

size_t cli_text_width(const char *text)
{
    size_t width = 0;
    size_t left = strlen(text);
    while (left > 0) {
        utf8proc_int32_t c;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, &c);
        if (length <= 0) {
            return width;
        }
        const int columns = utf8proc_charwidth(c);
        width += columns > 0 ? (size_t)columns : 0;
        text += length;
        left -= (size_t)length;
    }
    return width;
}

// Three significant digits of value / unit.
static char *scaled(char out[CLI_TEXT_SIZE], uint64_t value, uint64_t unit, const char *name)
{
    const double x = (double)value / (double)unit;
    const int decimals = x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    (void)snprintf(out, CLI_TEXT_SIZE, "%.*f %s", decimals, x, name);
    return out;
}

char *cli_text_time(char out[CLI_TEXT_SIZE], uint64_t ns)
{
    if (ns >= 999500000) {
        return scaled(out, ns, 1000000000, "s");
    }
    if (ns >= 999500) {
        return scaled(out, ns, 1000000, "ms");
    }
    if (ns >= 1000) {
        return scaled(out, ns, 1000, "µs");
    }
    (void)snprintf(out, CLI_TEXT_SIZE, "%u ns", (unsigned)ns);
    return out;
}

char *cli_text_count(char out[CLI_TEXT_SIZE], uint64_t n)
{
    char digits[CLI_TEXT_SIZE];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[at++] = ',';
        }
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

char *cli_text_counted(char out[CLI_TEXT_SIZE], uint64_t n, const char *thing)
{
    char count[CLI_TEXT_SIZE];
    (void)snprintf(out, CLI_TEXT_SIZE, "%s %s%s", cli_text_count(count, n), thing,
                   n == 1 ? "" : "s");
    return out;
}

char *cli_text_size(char out[CLI_TEXT_SIZE], uint64_t bytes)
{
    if (bytes >= 999500000) {
        return scaled(out, bytes, 1000000000, "GB");
    }
    if (bytes >= 999500) {
        return scaled(out, bytes, 1000000, "MB");
    }
    if (bytes >= 1000) {
        return scaled(out, bytes, 1000, "kB");
    }
    (void)snprintf(out, CLI_TEXT_SIZE, "%u bytes", (unsigned)bytes);
    return out;
}

char *cli_text_share(char out[CLI_TEXT_SIZE], uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        (void)snprintf(out, CLI_TEXT_SIZE, "–");
        return out;
    }
    const double percent = 100.0 * (double)part / (double)whole;
    (void)snprintf(out, CLI_TEXT_SIZE, percent >= 9.95 || percent == 0 ? "%.0f %%" : "%.1f %%",
                   percent);
    return out;
}
