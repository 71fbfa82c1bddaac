// SPDX-License-Identifier: MIT
// Functions as the user wrote them, from the names that Julia gives to what it makes of them.
#include "tests/unit/cmocka_all.h"

#include "namegraph.h"

static const char *function_of(namegraph *g, uint32_t method)
{
    snoopi__text_reset(&g->text);
    snoopi__put_function(&g->text, &g->defs, method);
    return g->text.data ? g->text.data : "";
}

static void names_that_julia_made_lead_back_to_the_function(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        const char *function;
    } cases[] = {
        {"f", "f"},
        {"kw##kw", "kw"},
        {"#kw#12", "kw"},
        {"##kw#12", "kw"},
        {"#==#3", "=="},
        {"#f!#3", "f!"},
        {"#12", "#12"},       // a closure
        {"#12#34", "#12"},    // body of a closure with keywords
        {"#s14#7", "#s14#7"}, // a generator
        {"##s12#3", "##s12#3"},
        {"#_#8", "#_#8"}, // body of a callable value with keywords
        {"#", "#"},
        {"##", "##"},
        {"#f", "#f"},
        {"#f#", "#f#"},
        {"#f#g#1", "#f#g#1"},
        {"f#x", "f"},
        {"@m", "@m"},
        {"", ""},
        {"s14", "s14"},
        {"##kw", "##kw"},
    };
    namegraph g;
    graph_open(&g);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t method = graph_method(&g, cases[i].method, 0, 0);
        assert_string_equal(function_of(&g, method), cases[i].function);
    }
    graph_close(&g);
}

static void a_sorter_of_keywords_is_named_by_what_it_sorts_for(void **state)
{
    (void)state;
    namegraph g;
    graph_open(&g);
    const uint32_t function = WIRE_TN_FUNCTION | WIRE_TN_CONCRETE;
    const uint32_t m = g.main_module;
    const uint32_t type_name = graph_typename(&g, "Type", g.core, "Type", WIRE_TN_TYPE);
    const uint32_t f = graph_type(&g, graph_typename(&g, "#f", m, "f", function), 0, NULL);
    const uint32_t inner = graph_type(&g, graph_typename(&g, "#in#5", m, "in", function), 0, NULL);
    const uint32_t t = graph_type(&g, graph_typename(&g, "T", m, "Any", 0), 0, NULL);
    const uint32_t below_t = graph_variable(&g, "S", g.bottom, t);
    const uint32_t some_type =
        graph_where(&g, below_t, graph_type(&g, type_name, GRAPH_KIDS(below_t)));
    const struct {
        const char *method;
        uint32_t sorted;
        const char *function;
    } cases[] = {
        {"kwcall", f, "f"},           {"f##kw", f, "f"},
        {"in#5##kw", inner, "in"},    {"Type##kw", graph_type(&g, type_name, GRAPH_KIDS(t)), "T"},
        {"Type##kw", some_type, "T"}, {"Any##kw", t, "T"},
        {"Any##kw", g.bottom, "Any"}, {"f", t, "f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t sig = graph_type(&g, g.tuple, GRAPH_KIDS(f, g.any, cases[i].sorted));
        const uint32_t method = graph_method(&g, cases[i].method, 0, graph_where(&g, below_t, sig));
        assert_string_equal(function_of(&g, method), cases[i].function);
    }
    graph_close(&g);
}

static void generators_are_told_by_flag_or_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t flags;
        bool is_generator;
    } cases[] = {
        {"#s14#7", 0, true},
        {"##s12#3", 0, true},
        {"f", WIRE_METHOD_GENERATOR, true},
        {"f", WIRE_METHOD_GENERATED, false},
        {"#f#7", 0, false},
        {"#s#7", 0, false},
        {"#12#7", 0, false},
        {"s14", 0, false},
        {"", 0, false},
    };
    namegraph g;
    graph_open(&g);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t method = graph_method(&g, cases[i].name, cases[i].flags, 0);
        assert_int_equal(snoopi__is_generator(&g.defs, method), cases[i].is_generator);
    }
    assert_false(snoopi__is_generator(&g.defs, 4711));
    graph_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_julia_made_lead_back_to_the_function),
        cmocka_unit_test(a_sorter_of_keywords_is_named_by_what_it_sorts_for),
        cmocka_unit_test(generators_are_told_by_flag_or_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
