// SPDX-License-Identifier: MIT
// The JSON writer. Runs of characters that need no escape are written at once, which is what most text is.
#include <assert.h>
#include <string.h>

#include <snoopi/json.h>

// U+FFFD, what stands for bytes that are not UTF-8.
#define REPLACEMENT "\xEF\xBF\xBD"

size_t snoopi_utf8_length(const char *text, size_t size)
{
    const unsigned char *const s = (const unsigned char *)text;

    if (size == 0) {
        return 0;
    }
    if (s[0] < 0x80) {
        return 1;
    }
    // The second byte has the narrower range that rules out overlong forms and surrogates.
    size_t length;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        length = 2;
    } else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        length = 3;
        low = s[0] == 0xE0 ? 0xA0 : 0x80;
        high = s[0] == 0xED ? 0x9F : 0xBF;
    } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        length = 4;
        low = s[0] == 0xF0 ? 0x90 : 0x80;
        high = s[0] == 0xF4 ? 0x8F : 0xBF;
    } else {
        return 0;
    }
    if (size < length || s[1] < low || s[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (s[i] < 0x80 || s[i] > 0xBF) {
            return 0;
        }
    }
    return length;
}

static void put(snoopi_json *json, const char *text, size_t size)
{
    (void)fwrite_unlocked(text, 1, size, json->out); // errors stay in the FILE
}

static void put_char(snoopi_json *json, char c)
{
    (void)putc_unlocked(c, json->out);
}

static uint32_t innermost(const snoopi_json *json)
{
    return 1u << (json->depth - 1);
}

static void break_line(snoopi_json *json)
{
    put_char(json, '\n');
    for (unsigned i = 0; i < json->depth; i++) {
        put(json, "  ", 2);
    }
}

// What stands before an item of the innermost container.
static void begin_item(snoopi_json *json)
{
    if (json->depth == 0) {
        return;
    }
    if (json->has_items & innermost(json)) {
        put_char(json, ',');
    }
    json->has_items |= innermost(json);
    if (json->depth <= json->line_depth) {
        break_line(json);
    }
}

static void begin_value(snoopi_json *json)
{
    if (json->has_key) {
        json->has_key = false;
        return;
    }
    assert(json->depth == 0 || (json->is_array & innermost(json)));
    begin_item(json);
}

static void begin_container(snoopi_json *json, char bracket, bool is_array)
{
    assert(json->depth < SNOOPI_JSON_DEPTH_MAX);
    begin_value(json);
    put_char(json, bracket);
    json->depth++;
    json->has_items &= ~innermost(json);
    json->is_array =
        is_array ? json->is_array | innermost(json) : json->is_array & ~innermost(json);
}

static void end_container(snoopi_json *json, char bracket, bool is_array)
{
    assert(json->depth > 0 && !json->has_key);
    assert(is_array == ((json->is_array & innermost(json)) != 0));
    (void)is_array; // for builds without assertions

    const bool had_items = (json->has_items & innermost(json)) != 0;
    json->depth--;
    if (had_items && json->depth < json->line_depth) {
        break_line(json);
    }
    put_char(json, bracket);
}

static void put_escape(snoopi_json *json, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    switch (c) {
    case '"': put(json, "\\\"", 2); return;
    case '\\': put(json, "\\\\", 2); return;
    case '\n': put(json, "\\n", 2); return;
    case '\r': put(json, "\\r", 2); return;
    case '\t': put(json, "\\t", 2); return;
    default: break;
    }
    const char text[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    put(json, text, sizeof text);
}

static void put_string(snoopi_json *json, const char *text, size_t size)
{
    size_t done = 0; // up to here it is written
    size_t at = 0;

    put_char(json, '"');
    while (at < size) {
        const unsigned char c = (unsigned char)text[at];
        const size_t length = c < 0x80 ? 1 : snoopi_utf8_length(text + at, size - at);
        // DEL and the C1 controls are valid as they are, but no terminal should meet them.
        const bool is_c1 = length == 2 && c == 0xC2 && (unsigned char)text[at + 1] < 0xA0;
        if (length == 0 || is_c1 || c < 0x20 || c == 0x7F || c == '"' || c == '\\') {
            put(json, text + done, at - done);
            if (length == 0) {
                put(json, REPLACEMENT, sizeof REPLACEMENT - 1);
            } else {
                put_escape(json, is_c1 ? (unsigned char)text[at + 1] : c);
            }
            at += length ? length : 1;
            done = at;
            continue;
        }
        at += length;
    }
    put(json, text + done, at - done);
    put_char(json, '"');
}

void snoopi_json_init(snoopi_json *json, FILE *out, unsigned line_depth)
{
    *json = (snoopi_json){.out = out, .line_depth = line_depth};
}

void snoopi_json_begin_object(snoopi_json *json)
{
    begin_container(json, '{', false);
}

void snoopi_json_end_object(snoopi_json *json)
{
    end_container(json, '}', false);
}

void snoopi_json_begin_array(snoopi_json *json)
{
    begin_container(json, '[', true);
}

void snoopi_json_end_array(snoopi_json *json)
{
    end_container(json, ']', true);
}

void snoopi_json_key(snoopi_json *json, const char *key)
{
    assert(json->depth > 0 && !(json->is_array & innermost(json)) && !json->has_key);
    begin_item(json);
    put_string(json, key, strlen(key));
    put_char(json, ':');
    if (json->depth <= json->line_depth) {
        put_char(json, ' ');
    }
    json->has_key = true;
}

void snoopi_json_string(snoopi_json *json, const char *text)
{
    snoopi_json_string_n(json, text, strlen(text));
}

void snoopi_json_string_n(snoopi_json *json, const char *text, size_t size)
{
    begin_value(json);
    put_string(json, text, size);
}

void snoopi_json_uint(snoopi_json *json, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    begin_value(json);
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(json, digits + at, sizeof digits - at);
}

void snoopi_json_int(snoopi_json *json, int64_t value)
{
    if (value >= 0) {
        snoopi_json_uint(json, (uint64_t)value);
        return;
    }
    begin_value(json);
    put_char(json, '-');
    json->has_key = true; // the digits belong to this value
    snoopi_json_uint(json, 0 - (uint64_t)value);
}

void snoopi_json_micros(snoopi_json *json, uint64_t ns)
{
    const unsigned below = (unsigned)(ns % 1000);
    snoopi_json_uint(json, ns / 1000);
    const char decimals[] = {'.', (char)('0' + below / 100), (char)('0' + below / 10 % 10),
                             (char)('0' + below % 10)};
    put(json, decimals, sizeof decimals);
}

void snoopi_json_bool(snoopi_json *json, bool value)
{
    begin_value(json);
    if (value) {
        put(json, "true", 4);
    } else {
        put(json, "false", 5);
    }
}

void snoopi_json_null(snoopi_json *json)
{
    begin_value(json);
    put(json, "null", 4);
}

void snoopi_json_totals(snoopi_json *json, const snoopi_totals *totals, const snoopi_totals *scope)
{
    uint64_t value = 0;
    const char *name = NULL;
    snoopi_json_key(json, "totals");
    snoopi_json_begin_object(json);
    for (int i = 0; (name = snoopi_totals_field(totals, i, &value)); i++) {
        snoopi_json_member_uint(json, name, value);
    }
    snoopi_json_end_object(json);
    if (!scope || scope->frames == totals->frames) {
        return;
    }
    snoopi_json_key(json, "scope");
    snoopi_json_begin_object(json);
    snoopi_json_member_uint(json, "inference_ns", scope->inference_ns);
    snoopi_json_member_uint(json, "gc_ns", scope->gc_ns);
    snoopi_json_member_uint(json, "frames", scope->frames);
    snoopi_json_member_uint(json, "roots", scope->roots);
    snoopi_json_member_uint(json, "instances", scope->instances);
    snoopi_json_end_object(json);
}

void snoopi_json_end_line(snoopi_json *json)
{
    assert(json->depth == 0 && !json->has_key);
    put_char(json, '\n');
}
