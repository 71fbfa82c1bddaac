// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "precompile/grammar.h"
#include "tests/unit/cmocka_all.h"

static void directives_are_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Base.precompile(Tuple{typeof(f),Int64})",
        "Base.precompile(Tuple{})",
        "Base.precompile(Tuple{Type{Foo.Bar{T}},Base.Dict{Int64,Array{Float64,1}}})",
        "Base.precompile(Tuple{typeof(Foo.:(+)),Int64})",
        "Base.precompile(Tuple{typeof(Foo.:(\\)),Int64})",
        "Base.precompile(Tuple{typeof(Foo.var\"a b\"),Int64})",
        "Base.precompile(Tuple{typeof(Foo.var\"a$b\"),Int64})",
        "Base.precompile(Tuple{Core.kwftype(typeof(f)),NamedTuple{(:a,),Tuple{Int64}},typeof(f)})",
        "Base.precompile(Tuple{f,Val{(1,-2,0x03,Int8(4),true,:x,Symbol(\"a b\"),(),nothing)}})",
        "Base.precompile((Tuple{f,T1,T2} where T1<:Array{T2}))",
        "Base.precompile((Tuple{f,T1} where Int64<:T1<:Real))",
        "Base.precompile((Tuple{f,T1} where T1>:Int64))",
        "Base.precompile(Tuple{f,\xce\xb1\xce\xb2!})",
        "_precompile_body_(Foo.Bar,\"f\",Int64,typeof(Foo.f))",
        "_precompile_body_(Foo,\"f\")",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (!snoopi__is_directive(texts[i], strlen(texts[i]))) {
            fail_msg("refused: %s", texts[i]);
        }
    }
}

static void all_else_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "Base.precompile",
        "Base.precompile()",
        "Base.precompile(Tuple{f}) ",
        "Base.precompile(Tuple{f}); run(x)",
        "Base.precompile(Tuple{f})\nrun(x)",
        "precompile(Tuple{f})",
        "run(Tuple{f})",
        "Base.precompile(run(x))",
        "Base.precompile(Tuple{run(x)})",
        "Base.precompile(Tuple{f(x)})",
        "Base.precompile(Tuple{typeof(f(x))})",
        "Base.precompile(Tuple{typeof(`rm`)})",
        "Base.precompile(Tuple{`rm`})",
        "Base.precompile(Tuple{@eval})",
        "Base.precompile(Tuple{f;g})",
        "Base.precompile(Tuple{f=g})",
        "Base.precompile(Tuple{f.g.})",
        "Base.precompile(Tuple{f[1]})",
        "Base.precompile(Tuple{\"a\"})",
        "Base.precompile(Tuple{Symbol(\"a$b\")})",
        "Base.precompile(Tuple{Symbol(\"a\\x\")})",
        "Base.precompile(Tuple{Symbol(a)})",
        "Base.precompile(Tuple{Foo.var\"a\"b\"})",
        "Base.precompile(Tuple{Foo.var\"a\nb\"})",
        "Base.precompile(Tuple{Foo.var\"a\\\"})",
        "Base.precompile(Tuple{Foo.:(a;b)})",
        "Base.precompile(Tuple{Foo.:(`)})",
        "Base.precompile(Tuple{Foo.:(@)})",
        "Base.precompile(Tuple{Foo.:($)})",
        "Base.precompile(Tuple{begin})",
        "Base.precompile(Tuple{:end})",
        "Base.precompile(Tuple{Int8(f)})",
        "Base.precompile(Tuple{1.5})",
        "Base.precompile((Tuple{f} where f))",
        "Base.precompile((Tuple{f} where T1=g))",
        "Base.precompile((f))",
        "Base.precompile(Tuple{f...})",
        "Base.precompile(Tuple{a b})",
        "Base.precompile(Tuple{a\xe2\x80\xa8"
        "b})", // a line separator
        "Base.precompile(Tuple{a\xe2\x80\xae"
        "b})", // what follows is shown from right to left
        "Base.precompile(Tuple{\xff})",
        "_precompile_body_(Foo,f)",
        "_precompile_body_(Foo,\"a$b\")",
        "_precompile_body_(run(x),\"f\")",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (snoopi__is_directive(texts[i], strlen(texts[i]))) {
            fail_msg("taken: %s", texts[i]);
        }
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    char *text = malloc(2 * LEVELS + 32);
    assert_non_null(text);
    char *at = stpcpy(text, "Base.precompile(");
    for (int i = 0; i < LEVELS; i++) {
        at = stpcpy(at, "A{");
    }
    assert_false(snoopi__is_directive(text, (size_t)(at - text)));
    free(text);
}

static bool is_file(const char *before, const char *line)
{
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s%s%s", before, snoopi__directive_lines(LINES_BEGIN),
                   line, snoopi__directive_lines(LINES_END));
    return snoopi__is_directive_file(text, strlen(text));
}

static void files_hold_fixed_lines_variables_and_directives(void **state)
{
    (void)state;
    const char *package = snoopi__directive_lines(LINES_PACKAGE);
    assert_true(is_file("# A sentence.\n", ""));
    assert_true(is_file(package,
                        "    Foo = _precompile_package_(\"Foo\")\n"
                        "    Foo === nothing || Base.precompile(Tuple{Foo.f})   # 1.5 ms\n"));
    assert_true(
        is_file("", "    Foo = Base.moduleroot(@__MODULE__)\n    Base.precompile(Tuple{f})\n"));
    static const char *const bad[] = {
        "    run(x)\n",
        "run(x)\n",
        "    Foo = run(x)\n",
        "    Foo = _precompile_package_(\"$(run(x))\")\n",
        "    Foo === nothing || run(x)\n",
        "    run(x) === nothing || Base.precompile(Tuple{f})\n",
        "    Foo === nothing || Foo = Base.moduleroot(@__MODULE__)\n",
        "    Base.precompile(Tuple{f})   # 1 ms\n    run(x)\n",
        "    Base.precompile(Tuple{f}) # 1 ms\n",
        "    Base.precompile(Tuple{f}); run(x)\n",
        "#= a\n",
        "# a\xe2\x80\xa8"
        "b\n",
        "    Base.precompile(Tuple{f})",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (is_file("", bad[i])) {
            fail_msg("taken: %s", bad[i]);
        }
    }
    assert_false(snoopi__is_directive_file("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives_are_taken),
        cmocka_unit_test(all_else_is_refused),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(files_hold_fixed_lines_variables_and_directives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
