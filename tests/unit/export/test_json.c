// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/json.h>

// What a writer has written, as text.
typedef struct {
    snoopi_json json;
    FILE *out;
    char *text;
    size_t size;
} document;

static snoopi_json *begin(document *d, unsigned line_depth)
{
    *d = (document){0};
    d->out = open_memstream(&d->text, &d->size);
    assert_non_null(d->out);
    snoopi_json_init(&d->json, d->out, line_depth);
    return &d->json;
}

#define ASSERT_END(d, expected)                   \
    do {                                          \
        assert_int_equal(fclose((d)->out), 0);    \
        assert_string_equal((d)->text, expected); \
        free((d)->text);                          \
    } while (0)

static void commas_and_colons_are_where_they_belong(void **state)
{
    (void)state;
    document d;
    snoopi_json *const j = begin(&d, 0);
    snoopi_json_begin_object(j);
    snoopi_json_key(j, "a");
    snoopi_json_uint(j, 1);
    snoopi_json_key(j, "b");
    snoopi_json_begin_array(j);
    snoopi_json_null(j);
    snoopi_json_bool(j, true);
    snoopi_json_begin_array(j);
    snoopi_json_end_array(j);
    snoopi_json_begin_object(j);
    snoopi_json_end_object(j);
    snoopi_json_string(j, "x");
    snoopi_json_end_array(j);
    snoopi_json_key(j, "c");
    snoopi_json_bool(j, false);
    snoopi_json_end_object(j);
    snoopi_json_end_line(j);
    ASSERT_END(&d, "{\"a\":1,\"b\":[null,true,[],{},\"x\"],\"c\":false}\n");
}

static void lines_break_down_to_a_depth(void **state)
{
    (void)state;
    document d;
    snoopi_json *const j = begin(&d, 2);
    snoopi_json_begin_object(j);
    snoopi_json_key(j, "rows");
    snoopi_json_begin_array(j);
    for (unsigned i = 0; i < 2; i++) {
        snoopi_json_begin_object(j);
        snoopi_json_key(j, "n");
        snoopi_json_uint(j, i);
        snoopi_json_end_object(j);
    }
    snoopi_json_end_array(j);
    snoopi_json_key(j, "none");
    snoopi_json_begin_array(j);
    snoopi_json_end_array(j);
    snoopi_json_end_object(j);
    ASSERT_END(&d, "{\n  \"rows\": [\n    {\"n\":0},\n    {\"n\":1}\n  ],\n  \"none\": []\n}");
}

static void numbers_are_whole_at_their_limits(void **state)
{
    (void)state;
    document d;
    snoopi_json *const j = begin(&d, 0);
    snoopi_json_begin_array(j);
    snoopi_json_uint(j, 0);
    snoopi_json_uint(j, UINT64_MAX);
    snoopi_json_int(j, -1);
    snoopi_json_int(j, INT64_MIN);
    snoopi_json_int(j, INT64_MAX);
    snoopi_json_end_array(j);
    ASSERT_END(&d, "[0,18446744073709551615,-1,-9223372036854775808,9223372036854775807]");
}

static void strings_are_escaped_and_stay_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        {"", "\"\""},
        {"f(::Int64)", "\"f(::Int64)\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\r\t\x01\x1b\x7f", "\"\\n\\r\\t\\u0001\\u001b\\u007f\""},
        {"\xC2\x9B", "\"\\u009b\""}, // CSI in one character
        {"αβ ∘ 😀 \xC2\xA0", "\"αβ ∘ 😀 \xC2\xA0\""},
        {"a\xFFz", "\"a\xEF\xBF\xBDz\""},
        {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                 // overlong
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, // surrogate
        {"\xF4\x90\x80\x80",
         "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, // beyond U+10FFFF
        {"\xE2\x88", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},             // cut
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        document d;
        snoopi_json_string(begin(&d, 0), cases[i].text);
        ASSERT_END(&d, cases[i].json);
    }
    document d;
    snoopi_json_string_n(begin(&d, 0), "a\0b", 3);
    ASSERT_END(&d, "\"a\\u0000b\"");
}

// Against a decoder of another kind: all characters, and no two lengths of one.
static void utf8_lengths_are_those_of_the_standard(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[4];
        size_t n = 0;
        if (c < 0x80) {
            text[n++] = (char)c;
        } else if (c < 0x800) {
            text[n++] = (char)(0xC0 | (c >> 6));
        } else if (c < 0x10000) {
            text[n++] = (char)(0xE0 | (c >> 12));
            text[n++] = (char)(0x80 | ((c >> 6) & 0x3F));
        } else {
            text[n++] = (char)(0xF0 | (c >> 18));
            text[n++] = (char)(0x80 | ((c >> 12) & 0x3F));
            text[n++] = (char)(0x80 | ((c >> 6) & 0x3F));
        }
        if (c >= 0x80) {
            text[n++] = (char)(0x80 | (c & 0x3F));
        }
        const bool is_surrogate = c >= 0xD800 && c < 0xE000;
        assert_int_equal(snoopi_utf8_length(text, n), is_surrogate ? 0 : n);
        assert_int_equal(snoopi_utf8_length(text, n - 1), 0);
    }
}

static void totals_have_all_sums_and_a_scope_that_differs(void **state)
{
    (void)state;
    const snoopi_totals whole = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const snoopi_totals part = {.inference_ns = 3, .frames = 7, .roots = 1, .instances = 2};
    static const char sums[] =
        "\"totals\":{\"wall_ns\":1,\"elapsed_ns\":2,\"inference_ns\":3,\"busy_ns\":4,\"outside_ns\":5,\"gc_ns\":6,"
        "\"tool_ns\":7,\"frames\":8,\"roots\":9,\"instances\":10}";
    char expected[512];
    document d;
    for (int i = 0; i < 3; i++) {
        snoopi_json *const j = begin(&d, 0);
        snoopi_json_begin_object(j);
        snoopi_json_totals(j, &whole, i == 0 ? NULL : i == 1 ? &whole : &part);
        snoopi_json_end_object(j);
        (void)snprintf(expected, sizeof expected, "{%s%s}", sums,
                       i < 2 ? ""
                             : ",\"scope\":{\"inference_ns\":3,\"gc_ns\":0,\"frames\":7,"
                               "\"roots\":1,\"instances\":2}");
        ASSERT_END(&d, expected);
    }
}

static void deep_nesting_works_to_its_limit(void **state)
{
    (void)state;
    document d;
    snoopi_json *const j = begin(&d, 0);
    for (int i = 0; i < SNOOPI_JSON_DEPTH_MAX; i++) {
        snoopi_json_begin_array(j);
    }
    for (int i = 0; i < SNOOPI_JSON_DEPTH_MAX; i++) {
        snoopi_json_end_array(j);
    }
    ASSERT_END(&d, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_and_colons_are_where_they_belong),
        cmocka_unit_test(lines_break_down_to_a_depth),
        cmocka_unit_test(numbers_are_whole_at_their_limits),
        cmocka_unit_test(strings_are_escaped_and_stay_utf8),
        cmocka_unit_test(utf8_lengths_are_those_of_the_standard),
        cmocka_unit_test(totals_have_all_sums_and_a_scope_that_differs),
        cmocka_unit_test(deep_nesting_works_to_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
