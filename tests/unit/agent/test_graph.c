// SPDX-License-Identifier: MIT
// What a module is said to be in.
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/intern.h"
#include "agent/record/graph_private.h"

struct julia_api julia;

// A module of the fake Julia; its name is the symbol of that name.
struct module {
    const char *name;
    struct module *parent;
};

enum { MODULES = 64 };

static struct {
    char strings[MODULES][16]; // by id
    struct {
        uint64_t name;
        uint64_t parent;
    } modules[MODULES];
    uint32_t n_modules;
} written;
static struct segment_writer writer;
static struct julia_row row;

static jl_any name_of(jl_any module)
{
    return (jl_any)(uintptr_t)((struct module *)module)->name;
}

static jl_any parent_of(jl_any module)
{
    return ((struct module *)module)->parent;
}

static const char *text_of(jl_any symbol)
{
    return symbol;
}

static uint64_t get_varint(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t)(**at & 0x7f) << shift;
        if ((*(*at)++ & 0x80) == 0) {
            return value;
        }
    }
}

bool segment_append(struct segment_writer *to, uint32_t tag, const uint8_t *payload, size_t size,
                    uint64_t time_ns)
{
    const uint8_t *at = payload;
    const uint64_t id = get_varint(&at);
    assert_ptr_equal(to, &writer);
    assert_int_equal(time_ns, 0);
    assert_true(id > 0 && id < MODULES);
    if (tag == WIRE_STRING) {
        const size_t n = size - (size_t)(at - payload);
        assert_true(n < sizeof written.strings[id]);
        memcpy(written.strings[id], at, n);
    } else {
        assert_int_equal(tag, WIRE_MODULE);
        written.modules[id].name = get_varint(&at);
        written.modules[id].parent = get_varint(&at);
        written.n_modules++;
    }
    return true;
}

// Nothing else is written, and no other thread is there.

struct wire_segment_header *segment_header(void)
{
    fail();
    return NULL;
}

void agent_turn_off(const char *reason)
{
    fail_msg("%s", reason);
}

void typenode_begin(void) {}

void typenode_prepare(void) {}

void typenode_expect(jl_any type)
{
    (void)type;
}

uint32_t graph_type(jl_any type)
{
    (void)type;
    fail();
    return 0;
}

uint32_t typenode_of_arguments(jl_any spec, jl_any sig)
{
    (void)sig;
    return graph_type(spec);
}

void typename_write_aliases(jl_any module)
{
    (void)module;
    fail();
}

static int begin(void **state)
{
    (void)state;
    row = (struct julia_row){0};
    julia.row = &row;
    julia.module_name = name_of;
    julia.module_parent = parent_of;
    julia.symbol_name = text_of;
    graph_begin(&writer);
    return 0;
}

static int end(void **state)
{
    (void)state;
    graph_end();
    return 0;
}

static void expect_path(struct module *module, const char *expected)
{
    char path[128] = "";
    for (uint64_t id = graph_module(module); id != 0; id = written.modules[id].parent) {
        char inner[128];
        memcpy(inner, path, sizeof inner);
        (void)snprintf(path, sizeof path, "%s%s%.100s", written.strings[written.modules[id].name],
                       inner[0] ? "." : "", inner);
    }
    assert_string_equal(path, expected);
}

// The roots of every Julia. Base is in Main by its fields.
static void make_roots(struct module *main, struct module *core, struct module *base)
{
    *main = (struct module){"Main", main};
    *core = (struct module){"Core", core};
    *base = (struct module){"Base", main};
    julia.main = main;
    julia.core = core;
    julia.base = base;
}

static void a_module_is_in_its_parents(void **state)
{
    static struct module main, core, base;
    static struct module iterators = {"Iterators", &base};
    static struct module compiler = {"Compiler", &core};
    static struct module show = {"IRShow", &compiler};
    static struct module own = {"Own", &main};
    (void)state;
    make_roots(&main, &core, &base);
    julia.compiler = &compiler;
    expect_path(&iterators, "Base.Iterators");
    expect_path(&show, "Core.Compiler.IRShow");
    expect_path(&compiler, "Core.Compiler");
    expect_path(&own, "Main.Own");
    assert_int_equal(written.n_modules, 7); // these, Main, Core and Base
}

// From Julia 1.12 on the compiler is shown as a package is, and what is in it by its whole path.
static void a_compiler_that_is_a_root_is_in_base_for_its_modules(void **state)
{
    static struct module main, core, base;
    static struct module compiler = {"Compiler", &base};
    static struct module show = {"IRShow", &compiler};
    static struct module in_show = {"Deep", &show};
    static struct module sort = {"Sort", &compiler};
    (void)state;
    make_roots(&main, &core, &base);
    julia.compiler = &compiler;
    row.compiler_is_root = true;
    const uint32_t before = written.n_modules;
    expect_path(&in_show, "Base.Compiler.IRShow.Deep");
    expect_path(&show, "Base.Compiler.IRShow");
    expect_path(&compiler, "Compiler");
    expect_path(&sort, "Base.Compiler.Sort");
    expect_path(&compiler, "Compiler");
    assert_int_equal(written.n_modules - before, 6); // the compiler twice, Base, and three in it
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_module_is_in_its_parents, begin, end),
        cmocka_unit_test_setup_teardown(a_compiler_that_is_a_root_is_in_base_for_its_modules, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
