// SPDX-License-Identifier: MIT
// What Julia 1.6 and later show otherwise than 1.5: aliases, where-clauses, tuples, modules of functions.
#include "tests/unit/cmocka_all.h"

#include "namegraph.h"
#include "names/rules.h"

typedef struct {
    namegraph g;
    uint32_t array;                      /* typename */
    uint32_t vector, matrix, vec_or_mat; /* aliases' types */
    uint32_t real;                       /* a type */
} world;

static uint32_t array_of(world *w, uint32_t eltype, int64_t ndims)
{
    return graph_type(&w->g, w->array, GRAPH_KIDS(eltype, graph_int(&w->g, ndims)));
}

// Core with Array, Vector and Matrix, Base with VecOrMat and Real.
static void open_world(world *w, const char *version)
{
    namegraph *g = &w->g;
    graph_open(g);
    w->array = g->defs.nodes[g->defs.nodes[g->defs.nodes[g->array].b].b].a;
    const uint32_t t = graph_variable(g, "T", g->bottom, g->any);
    w->vector = graph_where(g, t, array_of(w, t, 1));
    w->matrix = graph_where(g, t, array_of(w, t, 2));
    const uint32_t both = graph_add(
        g, (def_node){.form = WIRE_FORM_UNION, .a = array_of(w, t, 1), .b = array_of(w, t, 2)});
    w->vec_or_mat = graph_where(g, t, both);
    (void)graph_alias(g, "Vector", g->core, w->vector);
    (void)graph_alias(g, "Matrix", g->core, w->matrix);
    (void)graph_alias(g, "VecOrMat", g->base, w->vec_or_mat);
    w->real = graph_type(g, graph_typename(g, "Real", g->core, "Any", WIRE_TN_VISIBLE), 0, NULL);
    graph_use(g, version);
}

static void types_are_shown_by_their_alias(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.10.6");
    namegraph *g = &w.g;
    const uint32_t t = graph_variable(g, "T", g->bottom, w.real);
    const uint32_t made_up = graph_variable(g, "#s1", g->bottom, w.real);
    const struct {
        uint32_t node;
        const char *text;
    } cases[] = {
        {array_of(&w, g->int64, 1), "Vector{Int64}"},
        {array_of(&w, array_of(&w, g->int64, 2), 1), "Vector{Matrix{Int64}}"},
        {array_of(&w, g->int64, 3), "Array{Int64, 3}"},
        {w.vector, "Vector"},
        {graph_where(g, t, array_of(&w, t, 1)), "Vector{T} where T<:Real"},
        {graph_where(g, made_up, array_of(&w, made_up, 1)), "Vector{<:Real}"},
        {g->array, "Array"},
        {w.vec_or_mat, "VecOrMat"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(graph_show(g, cases[i].node), cases[i].text);
    }
    graph_close(g);
}

static void an_alias_asks_for_the_bounds_of_its_variables(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.9.4");
    namegraph *g = &w.g;
    const uint32_t list = graph_typename(g, "List", g->core, "Any", WIRE_TN_VISIBLE);
    const uint32_t s = graph_variable(g, "S", g->bottom, w.vector);
    const uint32_t rows = graph_where(g, s, graph_type(g, list, GRAPH_KIDS(s)));
    (void)graph_alias(g, "Rows", g->core, rows);
    const uint32_t p = graph_variable(g, "P", g->bottom, array_of(&w, g->int64, 1));
    const uint32_t q = graph_variable(g, "Q", g->bottom, array_of(&w, g->int64, 2));
    const uint32_t r = graph_variable(g, "R", g->bottom, g->array);
    assert_string_equal(graph_show(g, graph_where(g, p, graph_type(g, list, GRAPH_KIDS(p)))),
                        "Rows{P} where P<:Vector{Int64}");
    assert_string_equal(graph_show(g, graph_where(g, q, graph_type(g, list, GRAPH_KIDS(q)))),
                        "List{Q} where Q<:Matrix{Int64}");
    assert_string_equal(graph_show(g, graph_where(g, r, graph_type(g, list, GRAPH_KIDS(r)))),
                        "List{R} where R<:Array");
    graph_close(g);
}

// A tuple type is below another if its parts are. Where two aliases would do, none is shown.
static void an_alias_asks_for_the_parts_of_a_tuple_type(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.9.4");
    namegraph *g = &w.g;
    const uint32_t text =
        graph_type(g, graph_typename(g, "Text", g->core, "Any", WIRE_TN_VISIBLE), 0, NULL);
    const uint32_t reals = graph_add(g, (def_node){.form = WIRE_FORM_VARARG, .a = w.real});
    const uint32_t texts = graph_add(g, (def_node){.form = WIRE_FORM_VARARG, .a = text});
    const uint32_t i =
        graph_variable(g, "I", g->bottom, graph_type(g, g->tuple, GRAPH_KIDS(reals)));
    (void)graph_alias(g, "Reals", g->core, graph_where(g, i, array_of(&w, i, 1)));
    const struct {
        uint32_t tuple;
        const char *text;
    } cases[] = {
        {graph_type(g, g->tuple, GRAPH_KIDS(text)), "Vector{Tuple{Text}}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(w.real)), "Array{Tuple{Real}, 1}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(w.real, w.real)), "Array{Tuple{Real, Real}, 1}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(w.real, text)), "Vector{Tuple{Real, Text}}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(reals)), "Array{Tuple{Vararg{Real}}, 1}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(texts)), "Vector{Tuple{Vararg{Text}}}"},
        {graph_type(g, g->tuple, GRAPH_KIDS(w.real, texts)), "Vector{Tuple{Real, Vararg{Text}}}"},
        {graph_type(g, g->tuple, 0, NULL), "Array{Tuple{}, 1}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_string_equal(graph_show(g, array_of(&w, cases[k].tuple, 1)), cases[k].text);
    }
    graph_close(g);
}

static void unions_end_with_what_has_an_alias(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.10.6");
    namegraph *g = &w.g;
    const uint32_t one = array_of(&w, g->int64, 1);
    const uint32_t two = array_of(&w, g->int64, 2);
    const def_node pair = {.form = WIRE_FORM_UNION, .a = one, .b = g->int64};
    assert_string_equal(graph_show(g, graph_add(g, pair)), "Union{Int64, Vector{Int64}}");
    const uint32_t rest =
        graph_add(g, (def_node){.form = WIRE_FORM_UNION, .a = two, .b = g->int64});
    const def_node three = {.form = WIRE_FORM_UNION, .a = one, .b = rest};
    assert_string_equal(graph_show(g, graph_add(g, three)), "Union{Int64, VecOrMat{Int64}}");
    graph_close(g);
}

static void aliases_in_a_union_are_in_the_order_of_the_modules_names(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.8.5");
    namegraph *g = &w.g;
    const uint32_t both = graph_add(g, (def_node){.form = WIRE_FORM_UNION,
                                                  .a = array_of(&w, g->int64, 1),
                                                  .b = array_of(&w, w.real, 2)});
    assert_string_equal(graph_show(g, both), "Union{Matrix{Real}, Vector{Int64}}");
    graph_use(g, "1.6.7");
    assert_string_equal(graph_show(g, both), "Union{Matrix{Real}, Vector{Int64}}");
    graph_use(g, "1.9.4"); // that of the module's table, where Vector was written first
    assert_string_equal(graph_show(g, both), "Union{Vector{Int64}, Matrix{Real}}");
    graph_close(g);
}

static uint32_t union_of(namegraph *g, uint32_t a, uint32_t b)
{
    return graph_add(g, (def_node){.form = WIRE_FORM_UNION, .a = a, .b = b});
}

static void a_variable_of_the_union_is_an_alias_parameter_from_1_7_on(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.7.3");
    namegraph *g = &w.g;
    const uint32_t t = graph_variable(g, "T", g->bottom, w.real);
    const uint32_t arrays = union_of(g, array_of(&w, t, 1), array_of(&w, t, 2));
    const uint32_t open = graph_where(g, t, union_of(g, arrays, g->int64));
    const uint32_t fixed =
        union_of(g, union_of(g, array_of(&w, g->int64, 1), array_of(&w, g->int64, 2)), g->int64);
    assert_string_equal(graph_show(g, open), "Union{Int64, VecOrMat{T}} where T<:Real");
    assert_string_equal(graph_show(g, fixed), "Union{Int64, VecOrMat{Int64}}");
    graph_use(g, "1.6.7");
    assert_string_equal(graph_show(g, open), "Union{Vector{T}, Matrix{T}, Int64} where T<:Real");
    assert_string_equal(graph_show(g, fixed), "Union{Int64, VecOrMat{Int64}}");
    assert_string_equal(graph_show(g, graph_where(g, t, arrays)), "VecOrMat{T} where T<:Real");
    graph_close(g);
}

// Up to 1.9 a type with where-clauses of its own stays one in a union. That its alias is found there, and so comes last, is seen
// of those that have the variables of the declaration.
static void a_type_of_a_union_is_the_alias_that_it_was_declared_as(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.8.5");
    namegraph *g = &w.g;
    const uint32_t t = graph_variable(g, "T", g->bottom, g->any);
    const uint32_t other = graph_where(g, t, union_of(g, array_of(&w, t, 1), array_of(&w, t, 2)));
    const uint32_t declared = union_of(g, w.vec_or_mat, g->int64);
    const uint32_t undeclared = union_of(g, other, g->int64);
    assert_string_equal(graph_show(g, declared), "Union{Int64, VecOrMat}");
    assert_string_equal(graph_show(g, undeclared), "Union{VecOrMat, Int64}");
    graph_use(g, "1.6.7");
    assert_string_equal(graph_show(g, declared), "Union{Int64, VecOrMat{T} where T}");
    graph_close(g);
}

static void an_alias_may_have_a_part_of_a_type_of_the_union(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.8.5");
    namegraph *g = &w.g;
    const uint32_t t = graph_variable(g, "T", g->bottom, w.real);
    const uint32_t n = graph_variable(g, "N", g->bottom, g->any);
    const uint32_t real = graph_variable(g, "N", g->bottom, w.real);
    const uint32_t vector = array_of(&w, t, 1);
    const struct {
        uint32_t node; // what stands beside Vector{T}
        const char *text;
    } cases[] = {
        {graph_where(g, n, graph_type(g, w.array, GRAPH_KIDS(t, n))),
         "Union{Array{T}, VecOrMat{T}} where T<:Real"},
        {graph_where(g, real, graph_type(g, w.array, GRAPH_KIDS(t, real))),
         "Union{Array{T, N} where N<:Real, Vector{T}} where T<:Real"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t both = graph_where(g, t, union_of(g, vector, cases[i].node));
        assert_string_equal(graph_show(g, both), cases[i].text);
    }
    graph_close(g);
}

static void where_clauses_are_joined_and_elided(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.10.6");
    namegraph *g = &w.g;
    const uint32_t pair = graph_typename(g, "Pair", g->core, "Any", WIRE_TN_VISIBLE);
    const uint32_t a = graph_variable(g, "A", g->bottom, g->any);
    const uint32_t b = graph_variable(g, "B", g->bottom, g->any);
    const uint32_t wrapper =
        graph_where(g, a, graph_where(g, b, graph_type(g, pair, GRAPH_KIDS(a, b))));
    g->defs.nodes[wrapper].flags = WIRE_UNIONALL_WRAPPER;
    // Variables of other signatures, of the names that Pair was declared with and of another.
    const uint32_t a2 = graph_variable(g, "A", g->bottom, g->any);
    const uint32_t b2 = graph_variable(g, "B", g->bottom, g->any);
    const uint32_t c = graph_variable(g, "C", g->bottom, g->any);
    const uint32_t t = graph_variable(g, "T", g->bottom, w.real);
    const uint32_t s = graph_variable(g, "S", g->bottom, t);
    const struct {
        uint32_t node;
        const char *text;
        const char *text_1_6;
    } cases[] = {
        {wrapper, "Pair", "Pair"},
        {graph_where(g, a2, graph_where(g, b2, graph_type(g, pair, GRAPH_KIDS(a2, b2)))), "Pair",
         "Pair"},
        {graph_where(g, c, graph_where(g, b2, graph_type(g, pair, GRAPH_KIDS(c, b2)))), "Pair",
         "Pair{C, B} where {C, B}"},
        {graph_where(g, b, graph_type(g, pair, GRAPH_KIDS(g->int64, b))), "Pair{Int64}",
         "Pair{Int64, B} where B"},
        {graph_where(g, t, graph_where(g, s, graph_type(g, pair, GRAPH_KIDS(t, s)))),
         "Pair{T, S} where {T<:Real, S<:T}", "Pair{T, S} where {T<:Real, S<:T}"},
        {graph_where(g, b, graph_type(g, pair, GRAPH_KIDS(b, b))), "Pair{B, B} where B",
         "Pair{B, B} where B"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        graph_use(g, "1.10.6");
        assert_string_equal(graph_show(g, cases[i].node), cases[i].text);
        graph_use(g, "1.6.7");
        assert_string_equal(graph_show(g, cases[i].node), cases[i].text_1_6);
    }
    graph_close(g);
}

static void tuples_differ_by_version(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.5.3");
    namegraph *g = &w.g;
    const uint32_t i = g->int64;
    const uint32_t n = graph_variable(g, "N", g->bottom, g->any);
    const uint32_t vararg = graph_add(g, (def_node){.form = WIRE_FORM_VARARG, .a = i, .b = n});
    const uint32_t tail = graph_type(g, g->tuple, GRAPH_KIDS(g->any, i, i, i, i));
    const uint32_t open = graph_where(g, n, graph_type(g, g->tuple, GRAPH_KIDS(vararg)));
    const struct {
        const char *version;
        const char *tail;
        const char *open;
    } cases[] = {
        {"1.5.3", "Tuple{Any,Int64,Int64,Int64,Int64}", "Tuple{Vararg{Int64,N}} where N"},
        {"1.6.7", "Tuple{Any, Int64, Int64, Int64, Int64}", "Tuple{Vararg{Int64, N}} where N"},
        {"1.9.4", "Tuple{Any, Vararg{Int64, 4}}", "Tuple{Vararg{Int64, N}} where N"},
        {"1.11.1", "Tuple{Any, Vararg{Int64, 4}}", "NTuple{N, Int64} where N"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        graph_use(g, cases[c].version);
        assert_string_equal(graph_show(g, tail), cases[c].tail);
        assert_string_equal(graph_show(g, open), cases[c].open);
    }
    graph_close(g);
}

static void functions_are_qualified_from_1_7_on(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.5.3");
    namegraph *g = &w.g;
    const unsigned function = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION | WIRE_TN_CONCRETE;
    const uint32_t m = graph_module(g, "M", 0, 0);
    const struct {
        uint32_t module;
        unsigned flags;
        const char *old;
        const char *on_1_10;
        const char *on_1_11;
    } cases[] = {
        {m, 0, "f()", "M.f()", "M.f()"},
        {m, WIRE_TN_MT_EXPORTED, "f()", "M.f()", "f()"},
        {g->base, WIRE_TN_MT_VISIBLE | WIRE_TN_MT_EXPORTED, "f()", "f()", "f()"},
        {g->core, WIRE_TN_MT_VISIBLE | WIRE_TN_MT_ELSEWHERE, "f()", "Core.f()", "Core.f()"},
        {g->main_module, 0, "f()", "f()", "f()"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t tn =
            graph_typename(g, "#f", cases[i].module, "f", function | cases[i].flags);
        const uint32_t sig = graph_type(g, g->tuple, GRAPH_KIDS(graph_type(g, tn, 0, NULL)));
        const uint32_t id = graph_instance(g, graph_method(g, "f", 0, sig), sig);
        graph_use(g, "1.5.3");
        assert_string_equal(graph_show_instance(g, id), cases[i].old);
        graph_use(g, "1.10.6");
        assert_string_equal(graph_show_instance(g, id), cases[i].on_1_10);
        graph_use(g, "1.11.1");
        assert_string_equal(graph_show_instance(g, id), cases[i].on_1_11);
    }
    graph_close(g);
}

static void a_named_tuple_is_a_macro_call_from_1_10_on(void **state)
{
    (void)state;
    world w;
    open_world(&w, "1.9.4");
    namegraph *g = &w.g;
    const uint32_t symbol =
        graph_type(g, graph_typename(g, "Symbol", g->core, "Any", WIRE_TN_VISIBLE), 0, NULL);
    const uint32_t names_type = graph_type(g, g->tuple, GRAPH_KIDS(symbol, symbol));
    const uint32_t fields[] = {graph_symbol(g, "a"), graph_symbol(g, "b")};
    const uint32_t names =
        graph_add(g, (def_node){.form = WIRE_FORM_STRUCT, .a = names_type, .n = 2, .kids = fields});
    const uint32_t types = graph_type(g, g->tuple, GRAPH_KIDS(g->int64, g->any));
    const uint32_t tn =
        graph_typename(g, "NamedTuple", g->core, "Any", WIRE_TN_VISIBLE | WIRE_TN_NAMEDTUPLE);
    const uint32_t type = graph_type(g, tn, GRAPH_KIDS(names, types));
    assert_string_equal(graph_show(g, type), "NamedTuple{(:a, :b), Tuple{Int64, Any}}");
    graph_use(g, "1.10.6");
    assert_string_equal(graph_show(g, type), "@NamedTuple{a::Int64, b}");
    graph_close(g);
}

static void a_version_has_the_newest_row_that_is_not_newer(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        unsigned minor;
    } cases[] = {{"1.5.3", 5},       {"1.4.2", 5},   {"", 5},
                 {"0.7", 5},         {"x", 5},       {"1.8.5", 8},
                 {"1.9.0", 9},       {"1.11.1", 11}, {"1.12.0-DEV.1", 12},
                 {"1.14.0-DEV", 12}, {"2.0.0", 12}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(snoopi__rules_of(cases[i].version)->minor, cases[i].minor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_shown_by_their_alias),
        cmocka_unit_test(an_alias_asks_for_the_bounds_of_its_variables),
        cmocka_unit_test(an_alias_asks_for_the_parts_of_a_tuple_type),
        cmocka_unit_test(unions_end_with_what_has_an_alias),
        cmocka_unit_test(aliases_in_a_union_are_in_the_order_of_the_modules_names),
        cmocka_unit_test(a_variable_of_the_union_is_an_alias_parameter_from_1_7_on),
        cmocka_unit_test(a_type_of_a_union_is_the_alias_that_it_was_declared_as),
        cmocka_unit_test(an_alias_may_have_a_part_of_a_type_of_the_union),
        cmocka_unit_test(where_clauses_are_joined_and_elided),
        cmocka_unit_test(tuples_differ_by_version),
        cmocka_unit_test(functions_are_qualified_from_1_7_on),
        cmocka_unit_test(a_named_tuple_is_a_macro_call_from_1_10_on),
        cmocka_unit_test(a_version_has_the_newest_row_that_is_not_newer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
