// SPDX-License-Identifier: MIT
// Roles of processes, and the files that Julia's names mean.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "format/origin.h"
#include "format/paths.h"
#include "format/role.h"
#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

static void roles_are_told_by_the_command_line(void **state)
{
    (void)state;
    static const struct {
        const char *words[8];
        const char *image;
        const char *role;
    } cases[] = {
        {{"julia"}, "", "main"},
        {{"julia", "-e", "1"}, "x", "main"},
        {{"julia", "--worker", "abc"}, "", "worker"},
        {{"julia", "--project", "--worker=cookie"}, "", "worker"},
        {{"julia", "run.jl", "--worker"}, "", "main"},
        {{"julia", "--", "--worker"}, "", "main"},
        {{"julia", "-e", "--worker"}, "", "main"},
        {{"julia", "-J", "sys.so", "--worker"}, "", "worker"},
        {{"julia", "--sysimage", "sys.so", "--worker"}, "", "worker"},
        {{"julia", "--output-ji", "/d/compiled/v1.5/Example/lLvWP_x.ji",
          "--output-incremental=yes"},
         "",
         "precompile:Example"},
        {{"julia", "--output-incremental=yes", "--output-ji=/d/compiled/v1.5/Loose.ji"},
         "",
         "precompile:Loose"},
        {{"julia", "--output-o", "/d/v1.11/A/jl_1", "--output-ji", "/d/v1.11/A/jl_2",
          "--output-incremental=yes"},
         "",
         "precompile:A"},
        {{"julia", "--output-o", "sys.o"}, "", "image"},
        {{"julia", "--output-o=sys.o", "--output-incremental=no"}, "", "image"},
        {{"julia", "--output-ji", "", "--output-incremental=yes"}, "Pkg", "precompile:Pkg"},
        {{"julia", "--output-ji"}, "", "precompile:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__arena arena = {0};
        uint32_t argc = 0;
        while (argc < 8 && cases[i].words[argc]) {
            argc++;
        }
        assert_string_equal(
            snoopi__role_of(&arena, argc, (const char *const *)cases[i].words, cases[i].image),
            cases[i].role);
        snoopi__arena_clear(&arena);
    }
    snoopi__arena arena = {0};
    assert_string_equal(snoopi__role_of(&arena, 0, NULL, ""), "main");
}

static char *root;

static void expect_path(const char *raw, const char *bindir, const char *cwd, const char *expected)
{
    char bindir_path[600];
    char cwd_path[600];
    (void)snprintf(bindir_path, sizeof bindir_path, "%s%s", root, bindir);
    (void)snprintf(cwd_path, sizeof cwd_path, "%s%s", root, cwd);
    char *found = snoopi__path_find(raw, *bindir ? bindir_path : "", *cwd ? cwd_path : "");
    if (!expected) {
        assert_null(found);
    } else {
        assert_non_null(found);
        assert_true(strncmp(found, root, strlen(root)) == 0);
        assert_string_equal(found + strlen(root), expected);
    }
    free(found);
}

static int run(const char *command)
{
    char line[2000];
    (void)snprintf(line, sizeof line, "cd '%s' && %s", root, command);
    return system(line);
}

static void files_are_found_where_julia_put_them(void **state)
{
    root = *state;
    assert_int_equal(
        run("mkdir -p j/bin j/share/julia/base/compiler j/share/julia/stdlib/v1.5/Lin/src w && "
            "touch j/share/julia/base/array.jl j/share/julia/base/compiler/infer.jl "
            "j/share/julia/stdlib/v1.5/Lin/src/Lin.jl w/array.jl w/own.jl"),
        0);
    const char *base = "/j/share/julia/base/array.jl";
    expect_path("array.jl", "/j/bin", "/w", base);
    expect_path("./array.jl", "/j/bin", "/w", base);
    expect_path("array.jl", "/j/bin/", "", base);
    expect_path("compiler/infer.jl", "/j/bin", "", "/j/share/julia/base/compiler/infer.jl");
    expect_path("/build/julia-7Qx/julia-1.5.3+dfsg/usr/share/julia/stdlib/v1.5/Lin/src/Lin.jl",
                "/j/bin", "", "/j/share/julia/stdlib/v1.5/Lin/src/Lin.jl");
    expect_path("/build/usr/share/julia/stdlib/v1.5/Lin/src/Gone.jl", "/j/bin", "", NULL);
    expect_path("array.jl", "", "/w", "/w/array.jl");
    expect_path("own.jl", "/j/bin", "/w", "/w/own.jl");
    expect_path("none", "/j/bin", "/w", NULL);
    expect_path("REPL[1]", "/j/bin", "/w", NULL);
    expect_path("", "/j/bin", "/w", NULL);
    expect_path("compiler", "/j/bin", "/w", NULL); // a folder
    char own[600];
    (void)snprintf(own, sizeof own, "%s/w/own.jl", root);
    expect_path(own, "/j/bin", "", "/w/own.jl");
    expect_path("/nowhere/x.jl", "/j/bin", "/w", NULL);
    assert_int_equal(run("rm -r j w"), 0);
}

// Of a segment that says it is of this origin; NULL: it says nothing.
static bool is_from_here(void **state, const char *origin)
{
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    if (origin) {
        sb_info(&b, "origin", origin, strlen(origin));
    }
    snoopi_trace *trace = tc_open_segment(state, &b);
    assert_string_equal(snoopi_trace_process(trace, 0)->origin, origin ? origin : "");
    const bool is = snoopi_trace_is_from_here(trace);
    snoopi_trace_close(trace);
    sb_clear(&b);
    return is;
}

static void a_trace_is_from_here_if_it_has_the_mark_of_this_machine(void **state)
{
    char here[SNOOPI__ORIGIN_SIZE];
    char again[SNOOPI__ORIGIN_SIZE];
    snoopi__origin(here);
    snoopi__origin(again);
    assert_string_equal(here, again);
    assert_true(strlen(here) == 32 || *here == '\0'); // the latter on a machine without an id
    assert_int_equal(is_from_here(state, here), *here != '\0');
    assert_false(is_from_here(state, NULL));
    assert_false(is_from_here(state, "00112233445566778899aabbccddeeff"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_are_told_by_the_command_line),
        WITH_FOLDER(files_are_found_where_julia_put_them),
        WITH_FOLDER(a_trace_is_from_here_if_it_has_the_mark_of_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
