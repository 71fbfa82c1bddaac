// SPDX-License-Identifier: MIT
#include "plaintext.h"

#include <stdbool.h>
#include <string.h>

#include <snoopi/json.h>

#define REPLACEMENT "\xEF\xBF\xBD" // U+FFFD

void snoopi__put_utf8(snoopi__buffer *buffer, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        const size_t length = snoopi_utf8_length(text, left);
        if (length == 0) {
            snoopi__buffer_put(buffer, REPLACEMENT, sizeof REPLACEMENT - 1);
        } else {
            snoopi__buffer_put(buffer, text, length);
        }
        text += length ? length : 1;
        left -= length ? length : 1;
    }
}

bool snoopi__is_control(const char *text, size_t length)
{
    const unsigned char *const c = (const unsigned char *)text;
    return length == 1 ? c[0] < 0x20 || c[0] == 0x7F : length == 2 && c[0] == 0xC2 && c[1] < 0xA0;
}

// What XML 1.0 has no character for, even escaped: most controls, U+FFFE and U+FFFF. C1 controls and DEL are allowed there but no
// one can see them.
static bool is_printable(const char *text, size_t length)
{
    const unsigned char *const c = (const unsigned char *)text;
    return !snoopi__is_control(text, length) &&
           (length != 3 || c[0] != 0xEF || c[1] != 0xBF || c[2] < 0xBE);
}

void snoopi__put_xml_n(FILE *out, const char *text, size_t size)
{
    while (size > 0) {
        const size_t length = snoopi_utf8_length(text, size);
        if (length == 0 || !is_printable(text, length)) {
            (void)fputs_unlocked(REPLACEMENT, out);
        } else {
            switch (*text) {
            case '&': (void)fputs_unlocked("&amp;", out); break;
            case '<': (void)fputs_unlocked("&lt;", out); break;
            case '>': (void)fputs_unlocked("&gt;", out); break;
            case '"': (void)fputs_unlocked("&quot;", out); break;
            default: (void)fwrite_unlocked(text, 1, length, out); break;
            }
        }
        text += length ? length : 1;
        size -= length ? length : 1;
    }
}

void snoopi__put_xml(FILE *out, const char *text)
{
    snoopi__put_xml_n(out, text, strlen(text));
}
