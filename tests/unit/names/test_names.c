// SPDX-License-Identifier: MIT
// Names of small graphs, and of graphs that no Julia writes. What Julia prints is compared by tests/names at large.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "namegraph.h"

static void a_type_is_shown_with_its_parameters(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t array = g.defs.nodes[g.defs.nodes[g.defs.nodes[g.array].b].b].a;
    const uint32_t vector = graph_type(&g, array, GRAPH_KIDS(g.int64, graph_int(&g, 1)));
    assert_string_equal(graph_show(&g, vector), "Array{Int64,1}");
    assert_string_equal(graph_show(&g, g.array), "Array");
    assert_string_equal(
        graph_show(&g, graph_type(&g, array, GRAPH_KIDS(vector, graph_int(&g, -2)))),
        "Array{Array{Int64,1},-2}");
    assert_string_equal(graph_show(&g, g.bottom), "Union{}");
    graph_close(&g);
}

static void tuples_of_four_or_more_equal_types_are_ntuples(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t i = g.int64;
    assert_string_equal(graph_show(&g, graph_type(&g, g.tuple, 0, NULL)), "Tuple{}");
    assert_string_equal(graph_show(&g, graph_type(&g, g.tuple, GRAPH_KIDS(i, i, i))),
                        "Tuple{Int64,Int64,Int64}");
    assert_string_equal(graph_show(&g, graph_type(&g, g.tuple, GRAPH_KIDS(i, i, i, i))),
                        "NTuple{4,Int64}");
    assert_string_equal(graph_show(&g, graph_type(&g, g.tuple, GRAPH_KIDS(i, i, i, g.any))),
                        "Tuple{Int64,Int64,Int64,Any}");
    const uint32_t whole = graph_type(&g, g.tuple, GRAPH_KIDS(g.any));
    g.defs.nodes[whole].flags = WIRE_DATATYPE_WRAPPER;
    assert_string_equal(graph_show(&g, whole), "Tuple");
    graph_close(&g);
}

static void modules_are_paths_without_main(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t inner = graph_module(&g, "M", g.main_module, 0);
    const uint32_t deep = graph_module(&g, "N", inner, 0);
    const uint32_t iterators = graph_module(&g, "Iterators", g.base, 0);
    const struct {
        uint32_t module;
        const char *path;
        const char *type;
    } cases[] = {{g.main_module, "Main", "T"},
                 {inner, "M", "M.T"},
                 {deep, "M.N", "M.N.T"},
                 {iterators, "Base.Iterators", "Base.Iterators.T"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t tn = graph_typename(&g, "T", cases[i].module, "Any", WIRE_TN_CONCRETE);
        assert_string_equal(graph_show(&g, graph_type(&g, tn, 0, NULL)), cases[i].type);
        snoopi__text_reset(&g.text);
        snoopi__put_module(&g.text, &g.defs, cases[i].module);
        assert_string_equal(g.text.data, cases[i].path);
    }
    assert_string_equal(snoopi__defs_text(&g.defs, snoopi__package_of(&g.defs, iterators)), "Base");
    assert_string_equal(snoopi__defs_text(&g.defs, snoopi__package_of(&g.defs, deep)), "Main");
    graph_close(&g);
}

static void types_of_functions_are_shown_by_the_function(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t function = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION | WIRE_TN_CONCRETE;
    const uint32_t inner = graph_module(&g, "M", g.main_module, 0);
    const struct {
        const char *name;
        uint32_t module;
        uint32_t flags;
        const char *type;
        const char *value;
    } cases[] = {
        {"sin", g.base, function | WIRE_TN_MT_VISIBLE, "typeof(sin)", "sin"},
        {"f", inner, function, "typeof(M.f)", "M.f"},
        {"f", g.main_module, function, "typeof(f)", "f"},
        {"+", inner, function, "typeof(M.:+)", "M.+"},
        {"==", inner, function, "typeof(M.:(==))", "M.=="},
        {"@m", inner, function, "M.var\"#@m\"", "M.@m"},
        {"g", inner, WIRE_TN_FUNCTION | WIRE_TN_CONCRETE, "M.var\"#g\"", "M.var\"#g\"()"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[16] = "#";
        strcat(name, cases[i].name);
        const uint32_t tn =
            graph_typename(&g, name, cases[i].module, cases[i].name, cases[i].flags);
        const uint32_t type = graph_type(&g, tn, 0, NULL);
        assert_string_equal(graph_show(&g, type), cases[i].type);
        assert_string_equal(
            graph_show(&g, graph_add(&g, (def_node){.form = WIRE_FORM_SINGLETON, .a = type})),
            cases[i].value);
    }
    graph_close(&g);
}

static void variables_are_shown_with_bounds_where_they_are_bound(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t ref = graph_typename(&g, "Ref", g.base, "Any", WIRE_TN_VISIBLE);
    const struct {
        uint32_t lower;
        uint32_t upper;
        const char *text;
    } cases[] = {
        {g.bottom, g.any, "Ref{T} where T"},
        {g.bottom, g.int64, "Ref{T} where T<:Int64"},
        {g.int64, g.any, "Ref{T} where T>:Int64"},
        {g.int64, g.int64, "Ref{T} where Int64<:T<:Int64"},
        {g.bottom, g.array, "Ref{T} where T<:Array"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t t = graph_variable(&g, "T", cases[i].lower, cases[i].upper);
        const uint32_t type = graph_where(&g, t, graph_type(&g, ref, GRAPH_KIDS(t)));
        assert_string_equal(graph_show(&g, type), cases[i].text);
    }
    const uint32_t t = graph_variable(&g, "T", g.bottom, g.int64);
    const uint32_t some = graph_where(&g, t, graph_type(&g, ref, GRAPH_KIDS(t)));
    const uint32_t s = graph_variable(&g, "S", g.bottom, some);
    assert_string_equal(graph_show(&g, graph_where(&g, s, graph_type(&g, ref, GRAPH_KIDS(s)))),
                        "Ref{S} where S<:(Ref{T} where T<:Int64)");
    graph_close(&g);
}

static void a_variable_is_renamed_where_its_name_is_taken(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t outer = graph_variable(&g, "T", g.bottom, g.any);
    const uint32_t inner = graph_variable(&g, "T", g.bottom, g.any);
    const uint32_t pair = graph_typename(&g, "Pair", g.base, "Any", WIRE_TN_VISIBLE);
    const uint32_t both = graph_type(&g, pair, GRAPH_KIDS(outer, inner));
    assert_string_equal(graph_show(&g, graph_where(&g, outer, graph_where(&g, inner, both))),
                        "Pair{T,T1} where T1 where T");
    const uint32_t one = graph_type(&g, pair, GRAPH_KIDS(inner, inner));
    assert_string_equal(graph_show(&g, graph_where(&g, outer, graph_where(&g, inner, one))),
                        "Pair{T,T} where T where T");
    const uint32_t blank = graph_variable(&g, "_", g.bottom, g.any);
    assert_string_equal(
        graph_show(&g, graph_where(&g, blank, graph_type(&g, pair, GRAPH_KIDS(blank, blank)))),
        "Pair{_1,_1} where _1");
    graph_close(&g);
}

static void values_are_shown_as_julia_writes_them(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t pair = graph_type(&g, g.tuple, GRAPH_KIDS(g.int64, g.int64));
    const uint32_t point = graph_type(
        &g, graph_typename(&g, "Point", g.main_module, "Any", WIRE_TN_CONCRETE), 0, NULL);
    const uint32_t kids[] = {graph_int(&g, 1), graph_int(&g, -2)};
    const uint32_t text = graph_string(&g, "a\"b\n$");
    const struct {
        def_node node;
        const char *shown;
    } cases[] = {
        {{.form = WIRE_FORM_STRUCT, .a = pair, .n = 2, .kids = kids}, "(1, -2)"},
        {{.form = WIRE_FORM_STRUCT, .a = pair, .n = 1, .kids = kids}, "(1,)"},
        {{.form = WIRE_FORM_STRUCT, .a = point, .n = 2, .kids = kids}, "Point(1, -2)"},
        {{.form = WIRE_FORM_SINGLETON, .a = point}, "Point()"},
        {{.form = WIRE_FORM_OPAQUE, .a = point}, "::Point"},
        {{.form = WIRE_FORM_PARTIAL, .a = point, .n = 2, .kids = kids}, "::Point"},
        {{.form = WIRE_FORM_TEXT, .a = text, .whole_length = 5}, "\"a\\\"b\\n\\$\""},
        {{.form = WIRE_FORM_TEXT, .a = text, .whole_length = 50}, "\"a\\\"b\\n\\$…\""},
        {{.form = WIRE_FORM_MODULE, .a = g.base}, "Base"},
        {{.form = WIRE_FORM_CONST_TYPE, .a = point}, "Point"},
        {{.form = WIRE_FORM_CUT}, "…"},
        {{.form = WIRE_FORM_ENUM, .a = point, .b = g.defs.modules[g.base].name}, "Base"},
        {{.form = 200, .a = 7}, "…"},
        {{.form = WIRE_FORM_BITS, .a = point, .n = 3, .bits = (const unsigned char *)"\1\2\xff"},
         "Point(0xff0201)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(graph_show(&g, graph_add(&g, cases[i].node)), cases[i].shown);
    }
    graph_close(&g);
}

static void pointers_are_calls_from_1_12_on(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t name = graph_typename(&g, "Ptr", g.core, "Ptr", WIRE_TN_VISIBLE);
    const uint32_t pointer =
        graph_add(&g, (def_node){.form = WIRE_FORM_BITS,
                                 .a = graph_type(&g, name, GRAPH_KIDS(g.int64)),
                                 .n = 8,
                                 .bits = (const unsigned char *)"\0\20\0\0\0\0\0\0"});
    graph_use(&g, "1.11.1");
    assert_string_equal(graph_show(&g, pointer), "Ptr{Int64} @0x0000000000001000");
    graph_use(&g, "1.12.5");
    assert_string_equal(graph_show(&g, pointer), "Ptr{Int64}(0x0000000000001000)");
    graph_close(&g);
}

static void instances_are_shown_as_calls(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t flags = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION | WIRE_TN_CONCRETE;
    const uint32_t f = graph_type(&g, graph_typename(&g, "#f", g.main_module, "f", flags), 0, NULL);
    const uint32_t closure = graph_type(
        &g, graph_typename(&g, "#1#2", g.main_module, "#1", WIRE_TN_FUNCTION | WIRE_TN_CONCRETE), 0,
        NULL);
    const uint32_t type_name =
        graph_typename(&g, "Type", g.core, "Type", WIRE_TN_VISIBLE | WIRE_TN_TYPE);
    const uint32_t constructor = graph_type(&g, type_name, GRAPH_KIDS(g.int64));
    const uint32_t t = graph_variable(&g, "T", g.bottom, g.any);
    const uint32_t s = graph_variable(&g, "S", g.bottom, t);
    const uint32_t free_type = graph_type(&g, type_name, GRAPH_KIDS(t));
    const uint32_t method = graph_method(&g, "f", 0, 0);
    const struct {
        uint32_t spec;
        const char *name;
    } cases[] = {
        {graph_type(&g, g.tuple, GRAPH_KIDS(f)), "f()"},
        {graph_type(&g, g.tuple, GRAPH_KIDS(f, g.int64, g.any)), "f(::Int64, ::Any)"},
        {graph_type(&g, g.tuple, GRAPH_KIDS(closure, f)), "(::var\"#1#2\")(::typeof(f))"},
        {graph_type(&g, g.tuple, GRAPH_KIDS(constructor, g.any)), "Int64(::Any)"},
        {graph_where(&g, t, graph_type(&g, g.tuple, GRAPH_KIDS(free_type, t))),
         "(::Type{T})(::T) where T"},
        {graph_where(&g, t, graph_where(&g, s, graph_type(&g, g.tuple, GRAPH_KIDS(f, t, s)))),
         "f(::T, ::S) where {T, S<:T}"},
        {0, "…"},
        {f, "f(...)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t id = graph_instance(&g, method, cases[i].spec);
        assert_string_equal(graph_show_instance(&g, id), cases[i].name);
    }
    g.defs.instances[1] = (def_instance){.kind = WIRE_INSTANCE_TOPLEVEL};
    assert_string_equal(graph_show_instance(&g, 1), "Toplevel MethodInstance thunk");
    assert_string_equal(graph_show_instance(&g, 4711), "…");
    graph_close(&g);
}

static void constant_arguments_stand_before_their_types(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t flags = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION | WIRE_TN_CONCRETE;
    const uint32_t f = graph_type(&g, graph_typename(&g, "#f", g.main_module, "f", flags), 0, NULL);
    const uint32_t spec = graph_type(&g, g.tuple, GRAPH_KIDS(f, g.any, g.int64, g.any));
    const uint32_t type = graph_add(&g, (def_node){.form = WIRE_FORM_CONST_TYPE, .a = g.int64});
    const snoopi_arg args[] = {
        {1, graph_symbol(&g, "f")}, {2, graph_symbol(&g, "x")}, {3, graph_int(&g, -7)}, {4, type}};
    const uint32_t plain = graph_instance(&g, graph_method(&g, "f", 0, 0), spec);
    const uint32_t method = graph_method(&g, "f", WIRE_METHOD_VARARG, 0);
    g.defs.methods[method].nargs = 3; // f(a, b...)
    const uint32_t vararg = graph_instance(&g, method, spec);
    const struct {
        uint32_t instance, n_args;
        const char *name;
    } cases[] = {
        {plain, 0, "f(::Any, ::Int64, ::Any)"},
        {plain, 2, "f(x::Any, ::Int64, ::Any)"},
        {plain, 4, "f(x::Any, -7::Int64, ::Any)"},
        {vararg, 4, "f(x::Any, ::Int64, ::Any)"},
        {4711, 1, "…"},
    };
    (void)graph_show_instance(&g, plain); // makes the names
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi__text_reset(&g.text);
        snoopi__put_frame(g.names, &g.text, cases[i].instance, cases[i].n_args, args);
        assert_string_equal(g.text.data, cases[i].name);
    }
    assert_string_equal(graph_show_instance(&g, plain), "f(::Any, ::Int64, ::Any)");
    graph_close(&g);
}

static void a_key_has_module_name_file_and_line(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t method = graph_method(&g, "f", 0, 0);
    g.defs.methods[method].line = 12;
    const uint32_t id = graph_instance(&g, method, graph_type(&g, g.tuple, GRAPH_KIDS(g.int64)));
    (void)graph_show(&g, g.any);
    snoopi__text_reset(&g.text);
    snoopi__put_instance_key(g.names, &g.text, id);
    assert_string_equal(g.text.data, "Main\t(::Int64)()\t\t12");
    graph_close(&g);
}

// --- limits ---

static void deep_parameters_become_an_ellipsis_on_demand(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t ref = graph_typename(&g, "Ref", g.base, "Any", WIRE_TN_VISIBLE);
    uint32_t type = g.int64;
    for (int i = 0; i < 5; i++) {
        type = graph_type(&g, ref, GRAPH_KIDS(type));
    }
    (void)graph_show(&g, type);
    snoopi__text_reset(&g.text);
    snoopi__put_node(g.names, &g.text, type, 2);
    assert_string_equal(g.text.data, "Ref{Ref{Ref{…}}}");
    graph_close(&g);
}

static void a_type_100000_levels_deep_is_shown_whole(void **state)
{
    (void)state;
    enum { LEVELS = 100000 };
    namegraph g;
    graph_open(&g);
    const uint32_t ref = graph_typename(&g, "R", g.base, "Any", WIRE_TN_VISIBLE);
    uint32_t type = g.int64;
    for (int i = 0; i < LEVELS; i++) {
        type = graph_type(&g, ref, GRAPH_KIDS(type));
    }
    g.text.limit = SNOOPI__NAME_LIMIT_WHOLE;
    assert_int_equal(strlen(graph_show(&g, type)), 3 * LEVELS + strlen("Int64"));
    assert_false(g.text.is_cut);
    g.text.limit = SNOOPI__NAME_LIMIT;
    assert_int_equal(strlen(graph_show(&g, type)), SNOOPI__NAME_LIMIT);
    assert_true(g.text.is_cut);
    graph_close(&g);
}

static void an_exploding_type_is_cut_at_the_bound(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    uint32_t type = g.int64;
    for (int i = 0; i < 200; i++) {
        type = graph_type(&g, g.tuple, GRAPH_KIDS(type, type));
    }
    const char *text = graph_show(&g, type);
    assert_int_equal(strlen(text), SNOOPI__NAME_LIMIT);
    assert_string_equal(text + strlen(text) - 3, "…");
    graph_close(&g);
}

static void nested_where_clauses_end_at_the_bound_of_steps(void **state)
{
    (void)state;
    enum { LEVELS = 50000 };
    namegraph g;
    graph_open(&g);
    const uint32_t first = graph_variable(&g, "T", g.bottom, g.any);
    uint32_t variables[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++) {
        variables[i] = graph_add(&g, g.defs.nodes[first]);
    }
    uint32_t type = graph_type(&g, g.tuple, LEVELS, variables);
    for (uint32_t i = 0; i < LEVELS; i++) {
        type = graph_where(&g, variables[i], type);
    }
    assert_true(strlen(graph_show(&g, type)) <= SNOOPI__NAME_LIMIT);
    assert_true(g.text.is_cut);
    graph_use(&g, "1.10.6");
    assert_true(strlen(graph_show(&g, type)) <= SNOOPI__NAME_LIMIT);
    assert_true(g.text.is_cut);
    graph_close(&g);
}

static void malformed_graphs_are_shown_somehow(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t self = g.defs.n_nodes;
    const uint32_t loop[] = {self, 99999999, 0};
    const def_node nodes[] = {
        {.form = WIRE_FORM_DATATYPE, .a = 99999999, .n = 3, .kids = loop},
        {.form = WIRE_FORM_DATATYPE, .a = g.tuple, .n = 3, .kids = loop},
        {.form = WIRE_FORM_UNIONALL, .a = self, .b = self},
        {.form = WIRE_FORM_UNIONALL, .flags = WIRE_UNIONALL_WRAPPER, .a = self, .b = self},
        {.form = WIRE_FORM_UNIONALL, .a = 0, .b = 0},
        {.form = WIRE_FORM_UNION, .a = self, .b = self},
        {.form = WIRE_FORM_UNION},
        {.form = WIRE_FORM_TYPEVAR, .a = 99999999, .b = self, .c = self},
        {.form = WIRE_FORM_VARARG, .a = self, .b = self},
        {.form = WIRE_FORM_BITS, .a = g.int64, .n = 0},
        {.form = WIRE_FORM_BITS, .a = self, .n = 0},
        {.form = WIRE_FORM_SYMBOL, .a = 99999999},
        {.form = WIRE_FORM_TEXT, .a = 0, .whole_length = 9},
        {.form = WIRE_FORM_STRUCT, .a = self, .n = 3, .kids = loop},
        {.form = WIRE_FORM_STRUCT, .a = g.int64, .n = 3, .kids = loop},
        {.form = WIRE_FORM_SINGLETON, .a = self},
        {.form = WIRE_FORM_OPAQUE, .a = self},
        {.form = WIRE_FORM_MODULE, .a = 99999999},
        {.form = WIRE_FORM_CONST_TYPE, .a = self},
        {.form = WIRE_FORM_ENUM, .a = self, .b = 99999999},
        {.form = 0},
    };
    (void)graph_add(&g, nodes[0]);
    (void)graph_alias(&g, "A", g.core, self);
    (void)graph_alias(&g, "B", 99999999, 99999999);
    const uint32_t method = graph_method(&g, "f", 0, self);
    const uint32_t instance = graph_instance(&g, method, self);
    const size_t n = sizeof nodes / sizeof nodes[0];
    for (size_t i = 0; i < 2 * n; i++) {
        g.defs.nodes[self] = nodes[i % n];
        graph_use(&g, i < n ? "1.5.3" : "1.10.6");
        assert_true(strlen(graph_show(&g, self)) <= SNOOPI__NAME_LIMIT);
        assert_true(strlen(graph_show_instance(&g, instance)) <= SNOOPI__NAME_LIMIT);
        snoopi__text_reset(&g.text);
        snoopi__put_function(&g.text, &g.defs, method);
        assert_string_equal(g.text.data, "f");
    }
    // Modules whose parents are not before them.
    const uint32_t module = graph_module(&g, "M", 0, 0);
    g.defs.modules[module].parent = module;
    snoopi__text_reset(&g.text);
    snoopi__put_module(&g.text, &g.defs, module);
    assert_string_equal(g.text.data, "M");
    assert_string_equal(snoopi__defs_text(&g.defs, snoopi__package_of(&g.defs, module)), "M");
    graph_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_is_shown_with_its_parameters),
        cmocka_unit_test(tuples_of_four_or_more_equal_types_are_ntuples),
        cmocka_unit_test(modules_are_paths_without_main),
        cmocka_unit_test(types_of_functions_are_shown_by_the_function),
        cmocka_unit_test(variables_are_shown_with_bounds_where_they_are_bound),
        cmocka_unit_test(a_variable_is_renamed_where_its_name_is_taken),
        cmocka_unit_test(values_are_shown_as_julia_writes_them),
        cmocka_unit_test(pointers_are_calls_from_1_12_on),
        cmocka_unit_test(instances_are_shown_as_calls),
        cmocka_unit_test(constant_arguments_stand_before_their_types),
        cmocka_unit_test(a_key_has_module_name_file_and_line),
        cmocka_unit_test(deep_parameters_become_an_ellipsis_on_demand),
        cmocka_unit_test(a_type_100000_levels_deep_is_shown_whole),
        cmocka_unit_test(an_exploding_type_is_cut_at_the_bound),
        cmocka_unit_test(nested_where_clauses_end_at_the_bound_of_steps),
        cmocka_unit_test(malformed_graphs_are_shown_somehow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
