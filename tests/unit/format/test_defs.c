// SPDX-License-Identifier: MIT
// Definition records: what is decoded, what is refused, what is mended.
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/varint.h"
#include "format/defs.h"
#include "snoopi/error.h"

typedef struct {
    snoopi__arena arena;
    snoopi__defs defs;
    const char *why;
} fixture;

static int add_bytes(fixture *f, uint64_t tag, const void *payload, size_t size)
{
    f->why = NULL;
    return snoopi__defs_add(&f->defs, tag, payload, size, &f->why);
}

static int add_numbers(fixture *f, uint64_t tag, size_t n, const uint64_t *numbers)
{
    snoopi__buffer payload = {0};
    for (size_t i = 0; i < n; i++) {
        snoopi__buffer_varint(&payload, numbers[i]);
    }
    const int st = add_bytes(f, tag, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
    return st;
}
#define ADD(f, tag, ...)                                                      \
    add_numbers(f, tag, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
                (const uint64_t[]){__VA_ARGS__})

static void begin(fixture *f, uint32_t max_id)
{
    *f = (fixture){0};
    snoopi__defs_init(&f->defs, &f->arena, max_id);
}

static void end(fixture *f)
{
    snoopi__defs_clear(&f->defs);
    snoopi__arena_clear(&f->arena);
}

// Main, a file, a TypeName, two nodes.
static void add_basics(fixture *f)
{
    assert_int_equal(add_bytes(f, WIRE_STRING, "\1Main", 5), 0);
    assert_int_equal(add_bytes(f, WIRE_STRING, "\2a\0b", 4), 0);
    assert_int_equal(ADD(f, WIRE_MODULE, 1, 1, 0, WIRE_MODULE_MAIN), 0);
    assert_int_equal(ADD(f, WIRE_FILE, 1, 1, 2), 0);
    assert_int_equal(ADD(f, WIRE_TYPENAME, 1, 1, 1, 0, WIRE_TN_TUPLE | WIRE_TN_NAMEDTUPLE), 0);
    assert_int_equal(ADD(f, WIRE_NODE, 1, WIRE_FORM_BOTTOM), 0);
    assert_int_equal(ADD(f, WIRE_NODE, 2, WIRE_FORM_DATATYPE, 1, 3, 2, 1, 1), 0);
}

static void each_kind_is_decoded(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 0);
    add_basics(&f);
    assert_int_equal(f.defs.strings[2].size, 3);
    assert_memory_equal(f.defs.strings[2].text, "a\0b\0", 4);
    assert_int_equal(f.defs.modules[1].flags, WIRE_MODULE_MAIN);
    assert_int_equal(f.defs.typenames[1].flags, WIRE_TN_TUPLE | WIRE_TN_NAMEDTUPLE);
    assert_int_equal(f.defs.nodes[2].n, 2);
    assert_int_equal(f.defs.nodes[2].flags, 3);
    assert_int_equal(f.defs.nodes[2].kids[1], 1);
    assert_int_equal(ADD(&f, WIRE_METHOD, 1, 2, 1, 1, snoopi__zigzag(-7), 12345678901, 1, 4, 2), 0);
    assert_int_equal(f.defs.methods[1].line, -7);
    assert_true(f.defs.methods[1].world == 12345678901);
    assert_int_equal(f.defs.methods[1].nargs, 4);
    assert_int_equal(f.defs.methods[1].sig, 2);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 1, WIRE_INSTANCE_METHOD, 1, 2), 0);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 2, WIRE_INSTANCE_TOPLEVEL, 1, 1, snoopi__zigzag(9)), 0);
    assert_int_equal(f.defs.instances[1].spec, 2);
    assert_int_equal(f.defs.instances[2].line, 9);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 3, 77), 0); // a kind to come
    assert_string_equal(snoopi__defs_file_text(&f.defs, 1), "a");
    assert_string_equal(snoopi__defs_text(&f.defs, 99), "");
    end(&f);
}

static void each_form_of_node_is_decoded(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 0);
    add_basics(&f);
    const uint64_t nodes[][8] = {
        {5, 3, WIRE_FORM_TYPEVAR, 1, 1, 2},
        {5, 4, WIRE_FORM_UNIONALL, WIRE_UNIONALL_WRAPPER, 3, 2},
        {4, 5, WIRE_FORM_UNION, 1, 2},
        {4, 6, WIRE_FORM_VARARG, 0, 0},
        {3, 7, WIRE_FORM_SYMBOL, 1},
        {4, 8, WIRE_FORM_TEXT, 2, 100},
        {6, 9, WIRE_FORM_STRUCT, 2, 2, 7, 8},
        {3, 10, WIRE_FORM_SINGLETON, 2},
        {3, 11, WIRE_FORM_OPAQUE, 2},
        {3, 12, WIRE_FORM_MODULE, 1},
        {5, 13, WIRE_FORM_PARTIAL, 2, 1, 9},
        {2, 14, WIRE_FORM_CUT},
        {3, 15, WIRE_FORM_CONST_TYPE, 4},
        {4, 16, 99, 1, 2}, // a form to come
    };
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        assert_int_equal(add_numbers(&f, WIRE_NODE, (size_t)nodes[i][0], &nodes[i][1]), 0);
        assert_int_equal(f.defs.nodes[nodes[i][1]].form, nodes[i][2]);
    }
    assert_int_equal(add_bytes(&f, WIRE_NODE, "\x11\x07\x02\x01\x02", 5), 0);
    assert_int_equal(f.defs.nodes[17].n, 2);
    assert_memory_equal(f.defs.nodes[17].bits, "\1\2", 2);
    assert_int_equal(f.defs.nodes[3].c, 2);
    assert_int_equal(f.defs.nodes[4].a, 3);
    assert_int_equal(f.defs.nodes[8].whole_length, 100);
    assert_int_equal(f.defs.nodes[13].kids[0], 9);
    end(&f);
}

static void a_trace_refuses_ids_that_are_not_known(void **state)
{
    (void)state;
    const uint64_t bad[][10] = {
        {2, WIRE_STRING, 4},                               // not the next
        {2, WIRE_STRING, 0},                               //
        {5, WIRE_MODULE, 2, 99, 0, 0},                     // name
        {5, WIRE_MODULE, 2, 1, 2, 0},                      // its own parent
        {4, WIRE_FILE, 2, 99, 0},                          //
        {6, WIRE_TYPENAME, 2, 1, 99, 0, 0},                //
        {7, WIRE_NODE, 3, WIRE_FORM_DATATYPE, 1, 0, 1, 3}, // its own kid
        {6, WIRE_NODE, 3, WIRE_FORM_DATATYPE, 99, 0, 0},   // typename
        {7, WIRE_NODE, 3, WIRE_FORM_DATATYPE, 1, 0, 1, 0}, // kid 0
        {6, WIRE_NODE, 3, WIRE_FORM_UNIONALL, 0, 1, 2},    // var is no type variable
        {5, WIRE_NODE, 3, WIRE_FORM_UNION, 1, 0},          //
        {4, WIRE_NODE, 3, WIRE_FORM_SYMBOL, 0},            //
        {4, WIRE_NODE, 3, 0},                              // no form
        {5, WIRE_INSTANCE, 1, WIRE_INSTANCE_METHOD, 1, 2}, // method
        {3, WIRE_INSTANCE, 1, 0},                          // no kind
        {4, WIRE_CODE, 1, 5, 1},                           // a place that is not there
        {9, WIRE_CODE, 1, 5, 1, 1, 1, 3, 9, 0},            // instance
        {4, WIRE_CODE, 1, 5, WIRE_PLACES_MAX + 1},         //
        {2, WIRE_RESULT, 1},                               // cut
        {3, WIRE_RESULT, 1, 1},                            // instance
        {3, WIRE_RESULT, 0, 1},                            //
        {2, WIRE_RESULT + 1, 1},                           // no definition
        {2, 0, 1},                                         //
    };
    fixture f;
    begin(&f, 0);
    add_basics(&f);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(add_numbers(&f, bad[i][1], (size_t)bad[i][0] - 1, &bad[i][2]),
                         SNOOPI_E_FORMAT);
        assert_non_null(f.why);
    }
    assert_int_equal(f.defs.n_nodes, 3);
    assert_int_equal(ADD(&f, WIRE_NODE, 3, WIRE_FORM_CUT), 0); // nothing was left behind
    end(&f);
}

static void a_record_that_is_cut_is_refused(void **state)
{
    (void)state;
    const unsigned char method[] = {1, 1, 1, 1, 14, 0x80, 1, 1, 4, 2};
    fixture f;
    begin(&f, 0);
    add_basics(&f);
    for (size_t size = 0; size < sizeof method; size++) {
        assert_int_equal(add_bytes(&f, WIRE_METHOD, method, size), SNOOPI_E_FORMAT);
    }
    assert_int_equal(add_bytes(&f, WIRE_METHOD, method, sizeof method), 0);
    const unsigned char list[] = {3, WIRE_FORM_DATATYPE, 1, 0, 0xff, 0xff, 0x3f, 1, 1};
    assert_int_equal(add_bytes(&f, WIRE_NODE, list, sizeof list), SNOOPI_E_FORMAT);
    end(&f);
}

static void limits_hold(void **state)
{
    (void)state;
    static unsigned char bytes[WIRE_STRING_MAX + 8];
    fixture f;
    begin(&f, 0);
    bytes[0] = 1;
    assert_int_equal(add_bytes(&f, WIRE_STRING, bytes, WIRE_STRING_MAX + 2), SNOOPI_E_FORMAT);
    assert_int_equal(add_bytes(&f, WIRE_STRING, bytes, WIRE_STRING_MAX + 1), 0);
    end(&f);

    static unsigned char list[8 + WIRE_KIDS_MAX + 1] = {2, WIRE_FORM_DATATYPE, 1, 0};
    begin(&f, 0);
    add_basics(&f);
    list[0] = 3;
    memset(list + 4, 1, sizeof list - 4);
    const size_t head = (size_t)(snoopi__put_varint(list + 4, WIRE_KIDS_MAX) - list);
    assert_int_equal(add_bytes(&f, WIRE_NODE, list, head + WIRE_KIDS_MAX), 0);
    assert_int_equal(f.defs.nodes[3].n, WIRE_KIDS_MAX);
    list[0] = 4;
    (void)snoopi__put_varint(list + 4, WIRE_KIDS_MAX + 1);
    assert_int_equal(add_bytes(&f, WIRE_NODE, list, head + WIRE_KIDS_MAX + 1), SNOOPI_E_FORMAT);
    end(&f);
}

static void a_segment_takes_any_order_up_to_its_limit(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    assert_int_equal(ADD(&f, WIRE_NODE, 900, WIRE_FORM_UNION, 800, 700), 0);
    assert_int_equal(ADD(&f, WIRE_NODE, 800, WIRE_FORM_BOTTOM), 0);
    assert_int_equal(ADD(&f, WIRE_NODE, 700, WIRE_FORM_CUT), 0);
    assert_int_equal(ADD(&f, WIRE_NODE, 1000, WIRE_FORM_CUT), 0);
    assert_int_equal(ADD(&f, WIRE_NODE, 1001, WIRE_FORM_CUT), SNOOPI_E_FORMAT);
    assert_int_equal(ADD(&f, WIRE_NODE, UINT32_MAX, WIRE_FORM_CUT), SNOOPI_E_FORMAT);
    assert_int_equal(ADD(&f, WIRE_NODE, 0, WIRE_FORM_CUT), SNOOPI_E_FORMAT);
    assert_int_equal(snoopi__defs_check(&f.defs), 0);
    assert_int_equal(f.defs.nodes[900].form, WIRE_FORM_UNION);
    assert_false(snoopi__defs_has(&f.defs, WIRE_NODE, 899));
    assert_int_equal(f.defs.nodes[899].form, 0);
    end(&f);
}

static void results_are_of_instances(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 0);
    add_basics(&f);
    assert_int_equal(ADD(&f, WIRE_METHOD, 1, 1, 1, 1, 0, 1, 0, 0, 2), 0);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 1, WIRE_INSTANCE_METHOD, 1, 2), 0);
    assert_int_equal(f.defs.instances[1].result, 0);
    assert_int_equal(ADD(&f, WIRE_RESULT, 1, 3), SNOOPI_E_FORMAT); // no such node
    assert_int_equal(ADD(&f, WIRE_RESULT, 1, 1), 0);
    assert_int_equal(ADD(&f, WIRE_RESULT, 1, 2, 77), 0); // the last holds, with fields to come
    assert_int_equal(f.defs.instances[1].result, 2);
    assert_int_equal(f.defs.n_instances, 2);
    end(&f);

    begin(&f, 1000);
    assert_int_equal(ADD(&f, WIRE_RESULT, 500, 2), 0); // of an instance that comes, or not
    assert_int_equal(ADD(&f, WIRE_RESULT, 600, 2), 0);
    assert_int_equal(ADD(&f, WIRE_RESULT, 700, 3), 0); // node 3 does not come
    assert_int_equal(ADD(&f, WIRE_RESULT, 1001, 2), SNOOPI_E_FORMAT);
    assert_int_equal(ADD(&f, WIRE_NODE, 2, WIRE_FORM_BOTTOM), 0);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 500, WIRE_INSTANCE_METHOD, 0, 2), 0);
    assert_int_equal(ADD(&f, WIRE_INSTANCE, 700, WIRE_INSTANCE_METHOD, 0, 2), 0);
    assert_int_equal(snoopi__defs_check(&f.defs), 1);
    assert_int_equal(f.defs.instances[500].result, 2);
    assert_int_equal(f.defs.instances[700].result, 0);
    assert_false(snoopi__defs_has(&f.defs, WIRE_INSTANCE, 600));
    end(&f);
}

static void a_segment_is_mended(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1000);
    assert_int_equal(ADD(&f, WIRE_NODE, 5, WIRE_FORM_UNION, 4, 3), 0); // 4 is not defined
    assert_int_equal(ADD(&f, WIRE_NODE, 3, WIRE_FORM_BOTTOM), 0);
    assert_int_equal(ADD(&f, WIRE_NODE, 6, WIRE_FORM_UNION, 7, 3), 0); // 7 is larger
    assert_int_equal(ADD(&f, WIRE_NODE, 7, WIRE_FORM_UNION, 5, 3), 0);
    assert_int_equal(ADD(&f, WIRE_MODULE, 1, 0, 2, 0), 0); // parents in a circle
    assert_int_equal(ADD(&f, WIRE_MODULE, 2, 0, 1, 0), 0);
    assert_int_equal(ADD(&f, WIRE_METHOD, 1, 9, 1, 0, 0, 1, 0, 0, 5), 0); // no such string
    assert_int_equal(snoopi__defs_check(&f.defs), 4);
    assert_int_equal(f.defs.nodes[5].form, WIRE_FORM_CUT);
    assert_int_equal(f.defs.nodes[6].form, WIRE_FORM_CUT);
    assert_int_equal(f.defs.nodes[7].form, WIRE_FORM_UNION);
    assert_int_equal(f.defs.modules[1].parent, 0);
    assert_int_equal(f.defs.modules[2].parent, 1);
    assert_int_equal(f.defs.methods[1].name, 0);
    assert_int_equal(f.defs.methods[1].sig, 5);
    assert_int_equal(snoopi__defs_check(&f.defs), 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_decoded),
        cmocka_unit_test(each_form_of_node_is_decoded),
        cmocka_unit_test(a_trace_refuses_ids_that_are_not_known),
        cmocka_unit_test(a_record_that_is_cut_is_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_segment_takes_any_order_up_to_its_limit),
        cmocka_unit_test(results_are_of_instances),
        cmocka_unit_test(a_segment_is_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
