// SPDX-License-Identifier: MIT
// Directives of hand-made recordings: what is covered adds up with what is not, and no name gets out of where it belongs. What
// Julia makes of directives is in tests/precompile.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <snoopi/precompile.h>

#include "precompile/grammar.h"
#include "tests/unit/format/tracecheck.h"
#include "tests/unit/precompile/stranger.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

static snoopi_trace *open_stranger(void **state, uint64_t seed)
{
    segbuilder b;
    stranger_segment(&b, seed);
    snoopi_trace *trace = tc_open_segment(state, &b);
    sb_clear(&b);
    return trace;
}

static void check_sums(const snoopi_precompile *p)
{
    uint64_t covered = 0;
    uint64_t left = 0;
    for (size_t i = 0; i < snoopi_precompile_n_modules(p); i++) {
        covered += snoopi_precompile_module_at(p, i)->covered_ns;
    }
    for (int reason = 0; reason < SNOOPI_PRECOMPILE_REASONS; reason++) {
        left += snoopi_precompile_left_for(p, reason).ns;
    }
    assert_int_equal(covered, snoopi_precompile_covered_ns(p));
    assert_int_equal(covered + left, snoopi_precompile_scope_totals(p)->inference_ns);
}

static void a_package_gets_its_directives(void **state)
{
    snoopi_trace *trace = open_stranger(state, 0);
    snoopi_precompile *p;
    assert_int_equal(snoopi_precompile_new(&p, trace, NULL, NULL), 0);
    assert_int_equal(snoopi_precompile_n_modules(p), 1);
    const snoopi_precompile_module *m = snoopi_precompile_module_at(p, 0);
    assert_string_equal(m->module, "Pkg.f");
    assert_string_equal(m->package, "Pkg");
    assert_string_equal(m->file, "precompile_Pkg.f.jl");
    static const char *const expected[] = {
        "Base.precompile(Tuple{f{:f,60},typeof(f)})",
        "Base.precompile(Tuple{typeof(f),NamedTuple{(:f,),Tuple{Int64}}})",
        "_precompile_body_(Pkg.f,\"f\",Int64,typeof(f))",
        "Base.precompile(Tuple{Core.kwftype(typeof(f)),NamedTuple{(:f,),Tuple{Int64}},typeof(f)})",
        "Base.precompile(Tuple{typeof(f),Other.f})",
        "Base.precompile(Tuple{typeof(f),f{:f,60}})",
        "Base.precompile(Tuple{typeof(f),Int64})",
    };
    const uint64_t worth[] = {70, 60, 50, 40, 30, 20, 10};
    size_t found = 0;
    for (size_t i = 0; i < m->n_directives; i++) {
        if (found < 7 && strcmp(m->directives[i].text, expected[found]) == 0) {
            assert_int_equal(m->directives[i].total_ns, worth[found]);
            found++;
        }
    }
    assert_int_equal(found, 7);
    check_sums(p);
    snoopi_precompile_free(p);
    snoopi_trace_close(trace);
}

static void tmin_and_module_leave_out_and_say_so(void **state)
{
    snoopi_trace *trace = open_stranger(state, 0);
    snoopi_precompile_options options = SNOOPI_PRECOMPILE_INIT;
    snoopi_precompile *p;
    options.tmin_ns = 35;
    assert_int_equal(snoopi_precompile_new(&p, trace, &options, NULL), 0);
    assert_int_equal(snoopi_precompile_left_for(p, SNOOPI_PRECOMPILE_SMALL).ns, 60);
    check_sums(p);
    snoopi_precompile_free(p);
    options.tmin_ns = 0;
    options.module = "Nothing.*";
    assert_int_equal(snoopi_precompile_new(&p, trace, &options, NULL), 0);
    assert_int_equal(snoopi_precompile_n_modules(p), 0);
    assert_true(snoopi_precompile_left_for(p, SNOOPI_PRECOMPILE_FILTERED).ns > 0);
    check_sums(p);
    snoopi_precompile_free(p);
    snoopi_trace_close(trace);
}

// What is left of a line without what literals hold: a second reader, simpler than the grammar.
static void strip_literals(const char *line, char *out)
{
    bool is_inside = false;
    for (; *line; line++) {
        if (*line == '"') {
            is_inside = !is_inside;
        } else if (!is_inside) {
            *out++ = *line;
        }
    }
    assert_false(is_inside);
    *out = '\0';
}

static void check_text(const char *text, size_t size)
{
    char bare[32 << 10];
    assert_true(size < sizeof bare);
    assert_int_equal(strlen(text), size);
    strip_literals(text, bare);
    assert_null(strpbrk(bare, "`;$[]\r\t"));
    for (const char *at = bare; (at = strchr(at, '@')) != NULL; at++) {
        assert_memory_equal(at, "@__MODULE__", 11);
    }
    for (const char *at = bare; (at = strchr(at, '(')) != NULL; at++) {
        static const char *const callees[] = {"precompile",
                                              "_precompile_body_",
                                              "_precompile_package_",
                                              "typeof",
                                              "kwftype",
                                              "Symbol",
                                              "moduleroot",
                                              ":",
                                              ",",
                                              "{",
                                              "(",
                                              ")"};
        bool is_known = false;
        for (size_t i = 0; i < sizeof callees / sizeof callees[0]; i++) {
            const size_t n = strlen(callees[i]);
            is_known = is_known || ((size_t)(at - bare) >= n && memcmp(at - n, callees[i], n) == 0);
        }
        assert_true(is_known);
    }
}

static void names_of_strangers_do_not_get_out(void **state)
{
    enum { SEEDS = 400 };
    size_t n_directives = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        snoopi_trace *trace = open_stranger(state, seed);
        snoopi_precompile *p;
        assert_int_equal(snoopi_precompile_new(&p, trace, NULL, NULL), 0);
        check_sums(p);
        for (size_t i = 0; i < snoopi_precompile_n_modules(p); i++) {
            const snoopi_precompile_module *m = snoopi_precompile_module_at(p, i);
            size_t size;
            assert_null(strchr(m->file, '/'));
            for (size_t k = 0; k < m->n_directives; k++) {
                check_text(m->directives[k].text, strlen(m->directives[k].text));
            }
            n_directives += m->n_directives;
            const char *text = snoopi_precompile_file_text(p, i, &size);
            assert_non_null(text);
            assert_true(snoopi__is_directive_file(text, size));
        }
        snoopi_precompile_free(p);
        snoopi_trace_close(trace);
    }
    assert_true(n_directives > SEEDS / 2);
}

static void files_are_written(void **state)
{
    snoopi_trace *trace = open_stranger(state, 0);
    snoopi_precompile *p;
    snoopi_error err;
    char text[64] = "";
    assert_int_equal(snoopi_precompile_new(&p, trace, NULL, NULL), 0);
    assert_int_equal(snoopi_precompile_write(p, tc_path(state, "out"), &err), 0);
    assert_int_equal(snoopi_precompile_write(p, tc_path(state, "out"), &err), 0); // again
    FILE *file = fopen(tc_path(state, "out/precompile_Pkg.f.jl"), "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "# Made by snoopi precompile. In the module Pkg.f, behind all de");
    (void)fclose(file);
    assert_int_equal(snoopi_precompile_write(p, "/dev/null/out", &err), SNOOPI_E_IO);
    assert_int_equal(unlink(tc_path(state, "out/precompile_Pkg.f.jl")), 0);
    assert_int_equal(rmdir(tc_path(state, "out")), 0); // nothing else is there
    snoopi_precompile_free(p);
    snoopi_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_package_gets_its_directives),
        WITH_FOLDER(tmin_and_module_leave_out_and_say_so),
        WITH_FOLDER(names_of_strangers_do_not_get_out),
        WITH_FOLDER(files_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
