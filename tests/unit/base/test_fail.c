// SPDX-License-Identifier: MIT
// Errors: one line of text, errno kept.
#include "tests/unit/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"

static void failing_fills_the_error_and_keeps_errno(void **state)
{
    (void)state;
    snoopi_error err;
    errno = ENOSPC;
    assert_int_equal(snoopi__fail(&err, SNOOPI_E_IO, "%s: %d", "disk", 7), SNOOPI_E_IO);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_int_equal(err.status, SNOOPI_E_IO);
    assert_string_equal(err.text, "disk: 7");
    (void)snoopi__fail(&err, SNOOPI_E_FORMAT, "x");
    assert_int_equal(err.sys_errno, 0);
    assert_int_equal(snoopi__fail(NULL, SNOOPI_E_INVALID, "x"), SNOOPI_E_INVALID);
}

static void a_message_is_one_line(void **state)
{
    (void)state;
    snoopi_error err;
    (void)snoopi__fail(&err, SNOOPI_E_IO, "%s", "a\nb\tc\x7f");
    assert_string_equal(err.text, "a?b?c?");
}

static void a_long_message_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char text[400] = "";
        memset(text, 'x', lead);
        for (size_t i = lead; i + 4 < sizeof text; i += 4) {
            memcpy(text + i, "\xf0\x9f\x98\x80", 4);
        }
        snoopi_error err;
        (void)snoopi__fail(&err, SNOOPI_E_IO, "%s", text);
        const size_t length = strlen(err.text);
        assert_true(length >= sizeof err.text - 5);
        assert_int_equal((length - lead) % 4, 0);
    }
}

static void each_status_has_words(void **state)
{
    (void)state;
    assert_string_equal(snoopi_status_text(SNOOPI_OK), "no error");
    assert_string_equal(snoopi_status_text(SNOOPI_E_VERSION), "newer trace format");
    assert_string_equal(snoopi_status_text((snoopi_status)-99), "unknown error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_fills_the_error_and_keeps_errno),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test(a_long_message_is_cut_between_characters),
        cmocka_unit_test(each_status_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
