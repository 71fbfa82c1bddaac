// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include <snoopi/gate.h>

static const snoopi_totals before = {
    .frames = 1000, .instances = 200, .roots = 10, .inference_ns = 2000000000};

// Whether any condition of the text holds for the change from `before`.
static bool holds(const char *text, snoopi_totals after)
{
    snoopi_gate gate;
    snoopi_error err = {0};
    if (snoopi_gate_parse(&gate, text, NULL, &err) < 0) {
        fail_msg("%s: %s", text, err.text);
    }
    for (size_t i = 0; i < gate.n; i++) {
        if (snoopi_condition_holds(&gate.conditions[i], &before, &after)) {
            return true;
        }
    }
    return false;
}

static void changes_are_measured_from_what_was_before(void **state)
{
    (void)state;
    const snoopi_totals more = {
        .frames = 1051, .instances = 201, .roots = 10, .inference_ns = 2400000000};
    const struct {
        const char *text;
        bool holds;
    } cases[] = {
        {"instances>+0", true},
        {"instances>+1", false},
        {"instances>=+1", true},
        {"frames>+5%", true},
        {"frames>+5.2%", false},
        {"roots>+0", false},
        {"roots>=+0", true},
        {"roots<+1", true},
        {"roots<-0", false},
        {"inference>+20%", false},
        {"inference>=+20%", true},
        {"inference>+399ms", true},
        {"inference>+0.5s", false},
        {"inference>+0", true},
        {"roots>+0 or instances>+0", true},
        {"roots>+0 or frames>+60", false},
        {"  frames  >  +50  or\troots>+0 ", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (holds(cases[i].text, more) != cases[i].holds) {
            fail_msg("%s", cases[i].text);
        }
    }
}

static void less_is_a_change_as_well(void **state)
{
    (void)state;
    const snoopi_totals less = {.frames = 900, .instances = 200, .roots = 10};
    assert_true(holds("frames<-5%", less));
    assert_true(holds("frames<-99", less));
    assert_false(holds("frames<-100", less));
    assert_true(holds("frames<=-100", less));
    assert_false(holds("frames>+0", less));
    assert_true(holds("frames>-20%", less));
}

static void percents_of_nothing_are_nothing(void **state)
{
    (void)state;
    const snoopi_totals nothing = {0};
    const snoopi_totals some = {.frames = 1};
    const snoopi_condition condition = {
        .metric = SNOOPI_METRIC_FRAMES, .is_percent = true, .change = 1000};
    assert_true(snoopi_condition_holds(&condition, &nothing, &some));
    assert_false(snoopi_condition_holds(&condition, &nothing, &nothing));
}

static void a_fault_is_told_with_its_place(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t at;
        const char *what;
    } cases[] = {
        {"", 0, "frames"},
        {"   ", 3, "frames"},
        {"frame>+0", 0, "frames"},
        {"framesx>+0", 0, "frames"},
        {"frames", 6, ">"},
        {"frames=+0", 6, ">"},
        {"frames>0", 7, "sign"},
        {"frames>+", 8, "number"},
        {"frames> + 1", 9, "number"},
        {"frames>+x", 8, "number"},
        {"frames>+1.", 9, "or"},
        {"frames>+1e3", 9, "or"},
        {"frames>+1ms", 9, "or"},
        {"inference>+1", 12, "unit"},
        {"inference>+1h", 12, "unit"},
        {"inference>+1msx", 12, "unit"},
        {"frames>+0 and roots>+0", 10, "or"},
        {"frames>+0 or", 12, "frames"},
        {"frames>+0 orroots>+0", 10, "or"},
        {"frames>+0 roots>+0", 10, "or"},
        {"frames>+0%%", 10, "or"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snoopi_gate gate;
        snoopi_error err = {0};
        size_t at = 0;
        assert_int_equal(snoopi_gate_parse(&gate, cases[i].text, &at, &err), SNOOPI_E_INVALID);
        if (at != cases[i].at || !strstr(err.text, cases[i].what)) {
            fail_msg("'%s': at %zu: %s", cases[i].text, at, err.text);
        }
    }
}

static void too_many_conditions_are_refused(void **state)
{
    (void)state;
    char text[SNOOPI_CONDITIONS_MAX * 16 + 64] = "roots>+0";
    for (int i = 1; i < SNOOPI_CONDITIONS_MAX; i++) {
        strcat(text, " or roots>+0");
    }
    snoopi_gate gate;
    snoopi_error err = {0};
    assert_int_equal(snoopi_gate_parse(&gate, text, NULL, &err), SNOOPI_OK);
    assert_int_equal(gate.n, SNOOPI_CONDITIONS_MAX);
    strcat(text, " or roots>+0");
    assert_int_equal(snoopi_gate_parse(&gate, text, NULL, &err), SNOOPI_E_INVALID);
}

static void a_condition_knows_where_it_stands(void **state)
{
    (void)state;
    snoopi_gate gate;
    const char text[] = " frames>+1 or  inference <= -2.5ms ";
    assert_int_equal(snoopi_gate_parse(&gate, text, NULL, NULL), SNOOPI_OK);
    assert_int_equal(gate.n, 2);
    assert_memory_equal(text + gate.conditions[0].at, "frames>+1", gate.conditions[0].size);
    assert_memory_equal(text + gate.conditions[1].at, "inference <= -2.5ms",
                        gate.conditions[1].size);
    assert_true(gate.conditions[1].change == -2.5e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_measured_from_what_was_before),
        cmocka_unit_test(less_is_a_change_as_well),
        cmocka_unit_test(percents_of_nothing_are_nothing),
        cmocka_unit_test(a_fault_is_told_with_its_place),
        cmocka_unit_test(too_many_conditions_are_refused),
        cmocka_unit_test(a_condition_knows_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
