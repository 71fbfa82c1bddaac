// SPDX-License-Identifier: MIT
// Which types are not concrete, and which values may be of them.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "advice/shapes.h"
#include "base/arena.h"
#include "base/buffer.h"

enum { S_ANY = 1, S_INT, S_REAL, S_TUPLE, S_ARRAY, S_CHAR, S_T };
enum { T_ANY = 1, T_REAL, T_INT, T_TUPLE, T_ARRAY, T_CHAR };
enum {
    ANY = 1,
    INT,
    REAL,
    CHAR,
    BOTTOM,
    VECTOR_ANY,   // Array{Any}
    UNION_2,      // Int, Char
    UNION_4,      // twice that
    UNION_5,      // and one more
    UNION_REAL,   // Int, Real
    TUPLE_INT,    // Tuple{Int}
    TUPLE_ANY,    // Tuple{Int,Any}
    TUPLE_UNION,  // Tuple{Union{Int,Char}}
    TYPEVAR,      //
    VARARG,       // Vararg{Int}
    TUPLE_VARARG, // Tuple{Vararg{Int}}
    ARRAY_T,      // Array{T}
    ARRAY,        // Array{T} where T
    CUT
};

typedef struct {
    snoopi__arena arena;
    snoopi__defs defs;
} fixture;

static void add(fixture *f, uint64_t tag, size_t n, const uint64_t *numbers)
{
    snoopi__buffer payload = {0};
    const char *why = NULL;
    for (size_t i = 0; i < n; i++) {
        snoopi__buffer_varint(&payload, numbers[i]);
    }
    if (snoopi__defs_add(&f->defs, tag, payload.data, payload.size, &why) < 0) {
        fail_msg("record of tag %d: %s", (int)tag, why);
    }
    snoopi__buffer_clear(&payload);
}
#define ADD(f, tag, ...)                                              \
    add(f, tag, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
        (const uint64_t[]){__VA_ARGS__})

static void types(fixture *f)
{
    static const char *const names[] = {"\1Any",   "\2Int64", "\3Real", "\4Tuple",
                                        "\5Array", "\6Char",  "\7T"};
    const char *why = NULL;
    *f = (fixture){0};
    snoopi__defs_init(&f->defs, &f->arena, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(snoopi__defs_add(&f->defs, WIRE_STRING, names[i], strlen(names[i]), &why),
                         0);
    }
    ADD(f, WIRE_TYPENAME, T_ANY, S_ANY, 0, 0, WIRE_TN_ABSTRACT);
    ADD(f, WIRE_TYPENAME, T_REAL, S_REAL, 0, 0, WIRE_TN_ABSTRACT);
    ADD(f, WIRE_TYPENAME, T_INT, S_INT, 0, 0, WIRE_TN_CONCRETE, T_REAL);
    ADD(f, WIRE_TYPENAME, T_TUPLE, S_TUPLE, 0, 0, WIRE_TN_TUPLE);
    ADD(f, WIRE_TYPENAME, T_ARRAY, S_ARRAY, 0, 0, 0);
    ADD(f, WIRE_TYPENAME, T_CHAR, S_CHAR, 0, 0, WIRE_TN_CONCRETE);
    ADD(f, WIRE_NODE, ANY, WIRE_FORM_DATATYPE, T_ANY, 1, 0);
    ADD(f, WIRE_NODE, INT, WIRE_FORM_DATATYPE, T_INT, 1, 0);
    ADD(f, WIRE_NODE, REAL, WIRE_FORM_DATATYPE, T_REAL, 1, 0);
    ADD(f, WIRE_NODE, CHAR, WIRE_FORM_DATATYPE, T_CHAR, 1, 0);
    ADD(f, WIRE_NODE, BOTTOM, WIRE_FORM_BOTTOM);
    ADD(f, WIRE_NODE, VECTOR_ANY, WIRE_FORM_DATATYPE, T_ARRAY, 0, 1, ANY);
    ADD(f, WIRE_NODE, UNION_2, WIRE_FORM_UNION, INT, CHAR);
    ADD(f, WIRE_NODE, UNION_4, WIRE_FORM_UNION, UNION_2, UNION_2);
    ADD(f, WIRE_NODE, UNION_5, WIRE_FORM_UNION, INT, UNION_4);
    ADD(f, WIRE_NODE, UNION_REAL, WIRE_FORM_UNION, INT, REAL);
    ADD(f, WIRE_NODE, TUPLE_INT, WIRE_FORM_DATATYPE, T_TUPLE, 0, 1, INT);
    ADD(f, WIRE_NODE, TUPLE_ANY, WIRE_FORM_DATATYPE, T_TUPLE, 0, 2, INT, ANY);
    ADD(f, WIRE_NODE, TUPLE_UNION, WIRE_FORM_DATATYPE, T_TUPLE, 0, 1, UNION_2);
    ADD(f, WIRE_NODE, TYPEVAR, WIRE_FORM_TYPEVAR, S_T, BOTTOM, ANY);
    ADD(f, WIRE_NODE, VARARG, WIRE_FORM_VARARG, INT, 0);
    ADD(f, WIRE_NODE, TUPLE_VARARG, WIRE_FORM_DATATYPE, T_TUPLE, 0, 1, VARARG);
    ADD(f, WIRE_NODE, ARRAY_T, WIRE_FORM_DATATYPE, T_ARRAY, 0, 1, TYPEVAR);
    ADD(f, WIRE_NODE, ARRAY, WIRE_FORM_UNIONALL, 1, TYPEVAR, ARRAY_T);
    ADD(f, WIRE_NODE, CUT, WIRE_FORM_CUT);
}

static void clear(fixture *f)
{
    snoopi__defs_clear(&f->defs);
    snoopi__arena_clear(&f->arena);
}

static void types_are_loose_that_no_few_branches_tell(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        bool is_loose;
    } table[] = {
        {ANY, true},         {REAL, true},         {INT, false},      {BOTTOM, false},
        {VECTOR_ANY, false}, {UNION_2, false},     {UNION_4, false},  {UNION_5, true},
        {UNION_REAL, true},  {TUPLE_INT, false},   {TUPLE_ANY, true}, {TUPLE_UNION, false},
        {ARRAY, true},       {TUPLE_VARARG, true}, {CUT, false},
    };
    fixture f;
    types(&f);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (snoopi__is_loose(&f.defs, table[i].type) != table[i].is_loose) {
            fail_msg("type %u", table[i].type);
        }
    }
    clear(&f);
}

static void values_may_be_of_types_and_of_parts_of_tuples(void **state)
{
    (void)state;
    static const struct {
        uint32_t value;
        uint32_t type;
        bool may_be;
    } table[] = {
        {INT, ANY, true},
        {VECTOR_ANY, ANY, true},
        {INT, REAL, true},
        {CHAR, REAL, false},
        {CHAR, UNION_5, true},
        {TUPLE_INT, INT, false},
        {INT, TUPLE_INT, true},
        {CHAR, TUPLE_INT, false},
        {CHAR, TUPLE_ANY, true},
        {VECTOR_ANY, ARRAY, true},
        {INT, ARRAY, false},
        {INT, CUT, false},
        {TUPLE_INT, TUPLE_ANY, true},
        {INT, BOTTOM, false},
    };
    fixture f;
    types(&f);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (snoopi__may_be(&f.defs, table[i].value, table[i].type) != table[i].may_be) {
            fail_msg("value %u, type %u", table[i].value, table[i].type);
        }
    }
    assert_true(snoopi__is_any(&f.defs, ANY));
    assert_false(snoopi__is_any(&f.defs, REAL));
    clear(&f);
}

// Each level is a tuple of two of the one below: 2^60 types, and as many levels of a Union as a stack would not bear.
static void what_is_too_much_to_look_at_is_loose(void **state)
{
    (void)state;
    enum { LEVELS = 200000 };
    fixture f;
    types(&f);
    uint32_t last = INT;
    for (uint32_t id = CUT + 1; id <= CUT + 60; id++) {
        ADD(&f, WIRE_NODE, id, WIRE_FORM_DATATYPE, T_TUPLE, 0, 2, last, last);
        last = id;
    }
    assert_true(snoopi__is_loose(&f.defs, last));
    assert_false(snoopi__may_be(&f.defs, CHAR, last));
    for (uint32_t id = CUT + 61; id <= CUT + LEVELS; id++) {
        ADD(&f, WIRE_NODE, id, WIRE_FORM_UNION, last, INT);
        last = id;
    }
    assert_true(snoopi__is_loose(&f.defs, last));
    assert_false(snoopi__may_be(&f.defs, CHAR, last));
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_loose_that_no_few_branches_tell),
        cmocka_unit_test(values_may_be_of_types_and_of_parts_of_tuples),
        cmocka_unit_test(what_is_too_much_to_look_at_is_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
