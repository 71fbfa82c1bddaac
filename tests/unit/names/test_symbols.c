// SPDX-License-Identifier: MIT
// Symbols, strings, characters and floats. tests/names compares many more with Julia.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "names/floats.h"
#include "names/rules.h"
#include "names/symbols.h"

typedef struct {
    const char *text;
    size_t size;
    const char *name;
    const char *symbol;
} symbol_case;

#define SYMBOL(text, name, symbol)           \
    {                                        \
        text, sizeof(text) - 1, name, symbol \
    }

static void symbols_are_quoted_where_they_must_be(void **state)
{
    (void)state;
    static const symbol_case cases[] = {
        SYMBOL("x", "x", ":x"),
        SYMBOL("a!", "a!", ":a!"),
        SYMBOL("\xce\xb2", "\xce\xb2", ":\xce\xb2"),
        SYMBOL("1a", "var\"1a\"", "Symbol(\"1a\")"),
        SYMBOL("", "var\"\"", "Symbol(\"\")"),
        SYMBOL("a b", "var\"a b\"", "Symbol(\"a b\")"),
        SYMBOL("#1#2", "var\"#1#2\"", "Symbol(\"#1#2\")"),
        SYMBOL("true", "var\"true\"", "Symbol(\"true\")"),
        SYMBOL("'", "var\"'\"", "Symbol(\"'\")"),
        SYMBOL("+", "+", ":+"),
        SYMBOL(".+", ".+", ":.+"),
        SYMBOL("+\xe2\x82\x81", "+\xe2\x82\x81", ":+\xe2\x82\x81"),
        SYMBOL("=\xe2\x82\x81", "var\"=\xe2\x82\x81\"", "Symbol(\"=\xe2\x82\x81\")"),
        SYMBOL("==", "==", ":(==)"),
        SYMBOL("=>", "=>", ":(=>)"),
        SYMBOL("a\"$\n\xff", "var\"a\\\"\\$\\n\\xff\"", "Symbol(\"a\\\"\\$\\n\\xff\")"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text text = {.limit = 100};
        snoopi__put_name(SYNTAX_1_5, &text, cases[i].text, cases[i].size);
        assert_string_equal(text.data, cases[i].name);
        snoopi__text_reset(&text);
        snoopi__put_symbol(SYNTAX_1_5, &text, cases[i].text, cases[i].size);
        assert_string_equal(text.data, cases[i].symbol);
        snoopi__text_clear(&text);
    }
}

// As the versions themselves show them.
static void what_prints_and_what_is_an_operator_is_the_versions(void **state)
{
    (void)state;
    static const char *const versions[] = {"1.6.7", "1.7.3", "1.8.5", "1.9.4", "1.10.6"};
    static const struct {
        const char *symbol;
        const char *before; // `since`, an index of versions
        const char *after;
        size_t since;
    } cases[] = {
        {"\xc2\xb7", "Symbol(\"\xc2\xb7\")", ":\xc2\xb7", 1},             // an operator of 1.7
        {"\xe0\xa1\xb0", "Symbol(\"\\u870\")", ":\xe0\xa1\xb0", 2},       // of Unicode 14
        {"a\xe0\xb3\xb3", "Symbol(\"a\\ucf3\")", ":a\xe0\xb3\xb3", 3},    // of Unicode 15
        {"\xe2\x9f\x87", "Symbol(\"\xe2\x9f\x87\")", ":\xe2\x9f\x87", 4}, // an operator of 1.10
    };
    for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
        const snoopi__syntax syntax = snoopi__rules_of(versions[v])->syntax;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            snoopi__text text = {.limit = 100};
            snoopi__put_symbol(syntax, &text, cases[i].symbol, strlen(cases[i].symbol));
            assert_string_equal(text.data, v < cases[i].since ? cases[i].before : cases[i].after);
            snoopi__text_clear(&text);
        }
    }
}

static void characters_that_do_not_print_are_escaped(void **state)
{
    (void)state;
    static const struct {
        snoopi__char c;
        const char *text;
    } cases[] = {
        {0x61000000, "'a'"},          {0x00000000, "'\\0'"},       {0x0a000000, "'\\n'"},
        {0x27000000, "'\\''"},        {0x7f000000, "'\\x7f'"},     {0xceb20000, "'\xce\xb2'"},
        {0xe2808b00, "'\\u200b'"},    {0xeda08000, "'\\ud800'"},   {0xff000000, "'\\xff'"},
        {0xc0800000, "'\\xc0\\x80'"}, {0xf48fbfbf, "'\\U10ffff'"}, {0xc2ad0000, "'\\uad'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text text = {.limit = 100};
        snoopi__put_char(SYNTAX_1_5, &text, cases[i].c);
        assert_string_equal(text.data, cases[i].text);
        snoopi__text_clear(&text);
    }
}

static void escapes_are_never_run_into_by_what_follows(void **state)
{
    (void)state;
    static const symbol_case cases[] = {
        SYMBOL("\0", "\\0", NULL),
        SYMBOL("\0"
               "1",
               "\\x001", NULL),
        SYMBOL("\0a", "\\0a", NULL),
        SYMBOL("\xe2\x80\x8b"
               "1",
               "\\u200b1", NULL),
        SYMBOL("\xc2\xad"
               "1",
               "\\u00ad1", NULL),
        SYMBOL("\xc2\xadz", "\\uadz", NULL),
        SYMBOL("\xe2\x88", "\\xe2\\x88", NULL),
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text text = {.limit = 100};
        snoopi__put_escaped(SYNTAX_1_5, &text, cases[i].text, cases[i].size);
        assert_string_equal(text.data, cases[i].name);
        snoopi__text_clear(&text);
    }
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void floats_are_as_short_as_reads_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1.0, "1.0"},
        {-0.0, "-0.0"},
        {0.1, "0.1"},
        {1e-5, "1.0e-5"},
        {0.0001, "0.0001"},
        {123456.0, "123456.0"},
        {1234567.0, "1.234567e6"},
        {1e6, "1.0e6"},
        {1e100, "1.0e100"},
        {5e-324, "5.0e-324"},
        {1.5, "1.5"},
        {1e22, "1.0e22"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
    };
    snoopi__text text = {.limit = 100};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text_reset(&text);
        snoopi__put_float64(&text, bits_of(cases[i].value));
        assert_string_equal(text.data, cases[i].text);
    }
    snoopi__text_reset(&text);
    snoopi__put_float32(&text, 0x3f800000);
    snoopi__put_float32(&text, 0x50000000);
    snoopi__put_float32(&text, 0xff800000);
    snoopi__put_float32(&text, 0x7fc00000);
    assert_string_equal(text.data, "1.0f08.589935f9-Inf32NaN32");
    snoopi__text_reset(&text);
    snoopi__put_float16(&text, 0x3c00, false);
    snoopi__put_float16(&text, 0x8000, false);
    snoopi__put_float16(&text, 0x0001, false);
    assert_string_equal(text.data, "Float16(1.0)-0.0Float16(6.0e-8)");
    snoopi__text_clear(&text);
}

static void a_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        size_t limit;
        const char *text;
    } cases[] = {{20, "a\xce\xb2 and more"},
                 {9, "a\xce\xb2 an…"},
                 {6, "a\xce\xb2…"},
                 {5, "a…"},
                 {4, "a…"},
                 {3, "…"},
                 {2, ""},
                 {0, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text text = {.limit = cases[i].limit};
        snoopi__text_puts(&text, "a");
        snoopi__text_puts(&text, "\xce\xb2 and more");
        snoopi__text_puts(&text, "");
        assert_string_equal(text.data, cases[i].text);
        assert_int_equal(text.is_cut, i > 0);
        const size_t size = text.size;
        snoopi__text_puts(&text, i > 0 ? "x" : "");
        snoopi__text_cut(&text);
        assert_true(i == 0 || text.size == size);
        snoopi__text_clear(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_are_quoted_where_they_must_be),
        cmocka_unit_test(what_prints_and_what_is_an_operator_is_the_versions),
        cmocka_unit_test(characters_that_do_not_print_are_escaped),
        cmocka_unit_test(escapes_are_never_run_into_by_what_follows),
        cmocka_unit_test(floats_are_as_short_as_reads_back),
        cmocka_unit_test(a_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
