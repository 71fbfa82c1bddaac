// SPDX-License-Identifier: MIT
#include "export/packedtext.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/unit/cmocka_all.h"

// The packed text of bytes; to be freed.
static char *pack(const void *data, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_true(snoopi__put_packed_text(out, data, size));
    assert_int_equal(fclose(out), 0);
    return text;
}

static unsigned digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *const found = c == '=' ? digits : strchr(digits, c);
    assert_non_null(found);
    return (unsigned)(found - digits);
}

// Number of bytes that the base64 of `text` stands for.
static size_t decode(const char *text, unsigned char *bytes)
{
    const size_t length = strlen(text);
    size_t n = 0;
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        const unsigned group = digit(text[i]) << 18 | digit(text[i + 1]) << 12 |
                               digit(text[i + 2]) << 6 | digit(text[i + 3]);
        bytes[n++] = (unsigned char)(group >> 16);
        bytes[n++] = (unsigned char)(group >> 8);
        bytes[n++] = (unsigned char)group;
    }
    return n - (length > 0 && text[length - 1] == '=') - (length > 0 && text[length - 2] == '=');
}

static void check_round_trip(const unsigned char *data, size_t size)
{
    char *const text = pack(data, size);
    unsigned char *const packed = malloc(strlen(text) + 4);
    unsigned char *const plain = malloc(size + 1);
    assert_non_null(packed);
    assert_non_null(plain);
    z_stream z = {.next_in = packed,
                  .avail_in = (uInt)decode(text, packed),
                  .next_out = plain,
                  .avail_out = (uInt)size + 1};
    assert_int_equal(inflateInit2(&z, -MAX_WBITS), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, size);
    assert_memory_equal(plain, data, size);
    assert_int_equal(inflateEnd(&z), Z_OK);
    free(text);
    free(packed);
    free(plain);
}

static void text_of_any_length_comes_back(void **state)
{
    unsigned char bytes[300];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * i * 7 + i / 3);
    }
    for (size_t size = 0; size <= sizeof bytes; size++) {
        check_round_trip(bytes, size);
    }
}

// More than the window holds, and hardly to be compressed.
static void much_comes_back(void **state)
{
    enum { SIZE = 300001 };
    unsigned char *const bytes = malloc(SIZE);
    uint32_t random = 1;
    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(random >> 24);
    }
    check_round_trip(bytes, SIZE);
    free(bytes);
}

static void text_cannot_end_its_element(void **state)
{
    (void)state;
    char *const text = pack("</script><!--", 13);
    assert_int_equal(
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
        strlen(text));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_any_length_comes_back),
        cmocka_unit_test(much_comes_back),
        cmocka_unit_test(text_cannot_end_its_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
