// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

#include "export/plaintext.h"

#define REPLACED "\xEF\xBF\xBD"

static void xml_has_no_markup_and_no_character_that_it_forbids(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *xml;
    } cases[] = {
        {"f(::Int64)", "f(::Int64)"},
        {"</title><script>alert(1)</script>",
         "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"a&b \"c\" 'd' ]]>", "a&amp;b &quot;c&quot; 'd' ]]&gt;"},
        {"⊕ α 😀", "⊕ α 😀"},
        {"a\x01"
         "b\nc\td\x7f",
         "a" REPLACED "b" REPLACED "c" REPLACED "d" REPLACED},
        {"\xC2\x85|\xC2\xA0", REPLACED "|\xC2\xA0"}, // a C1 control, a space
        {"\xEF\xBF\xBE|\xEF\xBF\xBF|\xEF\xBF\xBD", REPLACED "|" REPLACED "|" REPLACED},
        {"a\xFFz\xE2\x88", "a" REPLACED "z" REPLACED REPLACED}, // no UTF-8, and cut
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *const out = open_memstream(&text, &size);
        assert_non_null(out);
        snoopi__put_xml(out, cases[i].text);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(text, cases[i].xml);
        free(text);
    }
}

static void what_is_no_utf8_is_replaced(void **state)
{
    (void)state;
    snoopi__buffer buffer = {0};
    snoopi__put_utf8(&buffer, "a\xFF⊕\n\xF0\x9F");
    snoopi__buffer_put(&buffer, "", 1);
    assert_string_equal((const char *)buffer.data, "a" REPLACED "⊕\n" REPLACED REPLACED);
    snoopi__buffer_clear(&buffer);
}

static void a_name_is_never_empty(void **state)
{
    (void)state;
    assert_string_equal(snoopi__shown_name(""), "toplevel");
    assert_string_equal(snoopi__shown_name("f"), "f");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xml_has_no_markup_and_no_character_that_it_forbids),
        cmocka_unit_test(what_is_no_utf8_is_replaced),
        cmocka_unit_test(a_name_is_never_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
