// SPDX-License-Identifier: MIT
// Places of return addresses, from the debug information of a library that was compiled for it.
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/cmocka_all.h"

#include "format/imagecodes.h"

static snoopi__image image;
static uint64_t address;
static uint64_t address_in_julia; // of a function without debug information
static uint64_t address_in_wrapper;

static uint64_t address_by(void *library, const char *name)
{
    void *(*function)(void) = NULL;
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(&function, &symbol, sizeof function);
    return (uintptr_t)function();
}

static int load_fixture(void **state)
{
    (void)state;
    Dl_info info;
    void *(*outer)(int) = NULL;
    void *library = dlopen(DWARF_FIXTURE, RTLD_NOW);
    assert_non_null(library);
    void *symbol = dlsym(library, "fixture_outer");
    assert_non_null(symbol);
    memcpy(&outer, &symbol, sizeof outer);
    address = (uintptr_t)outer(1);
    address_in_julia = address_by(library, "julia_plain_12");
    address_in_wrapper = address_by(library, "jfptr_plain_13");
    assert_int_not_equal(dladdr(symbol, &info), 0);
    image =
        (snoopi__image){.base = (uintptr_t)info.dli_fbase, .size = 1 << 20, .path = DWARF_FIXTURE};
    return 0;
}

static int find_at(uint64_t at, const snoopi__image *in, snoopi__arena *arena,
                   snoopi__dwarfplace *places, bool *is_c)
{
    snoopi__image items[] = {*in};
    const snoopi__imagelist list = {.items = items, .n = 1};
    snoopi__imagecache cache = {0};
    const int n = snoopi__imagecache_find(&cache, &list, at, arena, places, is_c);
    if (n > 0) { // they live as long as the cache
        for (int i = 0; i < n; i++) {
            places[i].name = snoopi__arena_text(arena, places[i].name, strlen(places[i].name));
        }
    }
    snoopi__imagecache_clear(&cache);
    return n;
}

static int find(const snoopi__image *in, snoopi__arena *arena, snoopi__dwarfplace *places,
                bool *is_c)
{
    return find_at(address, in, arena, places, is_c);
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void an_address_has_the_whole_inlining_chain(void **state)
{
    (void)state;
    snoopi__arena arena = {0};
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    static const struct {
        const char *name;
        uint32_t line;
    } expected[] = {{"inner", 16}, {"middle", 23}, {"fixture_outer", 29}};
    assert_int_equal(find(&image, &arena, places, &is_c), 3);
    assert_false(is_c);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(places[i].name, expected[i].name);
        assert_int_equal(places[i].line, expected[i].line);
    }
    snoopi__arena_clear(&arena);
}

static void a_file_has_the_path_that_it_was_compiled_by(void **state)
{
    (void)state;
    snoopi__imagelist list = {.items = &image, .n = 1};
    snoopi__imagecache cache = {0};
    snoopi__arena arena = {0};
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    assert_int_equal(snoopi__imagecache_find(&cache, &list, address, &arena, places, &is_c), 3);
    assert_true(places[0].file[0] == '/');
    assert_true(ends_with(places[0].file, "tests/unit/format/dwarf_fixture.c"));
    snoopi__arena_clear(&arena);
    snoopi__imagecache_clear(&cache);
}

static void a_symbol_alone_is_not_taken_for_a_julia_function(void **state)
{
    (void)state;
    snoopi__arena arena = {0};
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    assert_int_equal(find_at(address_in_julia, &image, &arena, places, &is_c), 0);
    assert_int_equal(find_at(address_in_wrapper, &image, &arena, places, &is_c), 1);
    assert_true(is_c);
    assert_string_equal(places[0].name, "jfptr_plain_13");
    snoopi__arena_clear(&arena);
}

static void another_build_of_the_image_says_nothing(void **state)
{
    (void)state;
    static const unsigned char id[20] = {1, 2, 3};
    snoopi__arena arena = {0};
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    snoopi__image other = image;
    other.build_id = id;
    other.id_size = sizeof id;
    assert_int_equal(find(&other, &arena, places, &is_c), 0);
    other = image;
    other.path = "/nowhere";
    assert_int_equal(find(&other, &arena, places, &is_c), 0);
    other = image;
    other.base = address + 1;
    assert_int_equal(find(&other, &arena, places, &is_c), 0);
    snoopi__arena_clear(&arena);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long end = ftell(file);
    assert_true(end > 0);
    rewind(file);
    unsigned char *bytes = malloc((size_t)end);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)end, file), (size_t)end);
    (void)fclose(file);
    *size = (size_t)end;
    return bytes;
}

static void find_in(const unsigned char *bytes, size_t size)
{
    snoopi__arena arena = {0};
    snoopi__dwarfplace places[SNOOPI__DWARF_PLACES_MAX];
    bool is_c;
    snoopi__image other = image;
    FILE *file = fopen("damaged", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    other.path = "damaged";
    assert_in_range(find(&other, &arena, places, &is_c), 0, SNOOPI__DWARF_PLACES_MAX);
    snoopi__arena_clear(&arena);
}

// Under the address sanitizer this tells reads beyond the file.
static void a_damaged_image_says_less(void **state)
{
    (void)state;
    char folder[] = "/tmp/snoopi-test-XXXXXX";
    size_t size;
    unsigned char *bytes = read_file(DWARF_FIXTURE, &size);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t kept = 1; kept < size; kept += size / 200 + 1) {
        find_in(bytes, kept);
    }
    for (unsigned i = 0; i < 1500; i++) {
        const size_t at = (size_t)i * 2654435761u % size;
        const unsigned char before = bytes[at];
        bytes[at] = (unsigned char)(i % 2 ? 0xffu : before ^ 1u << i % 8);
        find_in(bytes, size);
        bytes[at] = before;
    }
    assert_int_equal(unlink("damaged"), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_has_the_whole_inlining_chain),
        cmocka_unit_test(a_file_has_the_path_that_it_was_compiled_by),
        cmocka_unit_test(a_symbol_alone_is_not_taken_for_a_julia_function),
        cmocka_unit_test(another_build_of_the_image_says_nothing),
        cmocka_unit_test(a_damaged_image_says_less),
    };
    return cmocka_run_group_tests(tests, load_fixture, NULL);
}
