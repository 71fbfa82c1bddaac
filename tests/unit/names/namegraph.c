// SPDX-License-Identifier: MIT
#include "namegraph.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 400000, MAX_OTHERS = 2000 };

static void *zeroed(size_t n, size_t size)
{
    void *items = calloc(n, size);
    if (!items) {
        abort();
    }
    return items;
}

void graph_open(namegraph *g)
{
    *g = (namegraph){.text = {.limit = SNOOPI__NAME_LIMIT}};
    snoopi__defs_init(&g->defs, &g->arena, 0);
    g->defs.strings = zeroed(MAX_OTHERS, sizeof *g->defs.strings);
    g->defs.modules = zeroed(MAX_OTHERS, sizeof *g->defs.modules);
    g->defs.files = zeroed(MAX_OTHERS, sizeof *g->defs.files);
    g->defs.typenames = zeroed(MAX_OTHERS, sizeof *g->defs.typenames);
    g->defs.nodes = zeroed(MAX_NODES, sizeof *g->defs.nodes);
    g->defs.methods = zeroed(MAX_OTHERS, sizeof *g->defs.methods);
    g->defs.instances = zeroed(MAX_OTHERS, sizeof *g->defs.instances);
    for (int kind = 0; kind < WIRE_DEF_KINDS; kind++) {
        g->defs.is_defined[kind] = zeroed(MAX_OTHERS, 1);
    }
    g->defs.n_strings = g->defs.n_modules = g->defs.n_files = g->defs.n_typenames = 1;
    g->defs.n_nodes = g->defs.n_methods = g->defs.n_instances = 1;

    g->core = graph_module(g, "Core", 0, 0);
    g->base = graph_module(g, "Base", 0, 0);
    g->main_module = graph_module(g, "Main", 0, WIRE_MODULE_MAIN);
    const uint32_t visible = WIRE_TN_VISIBLE;
    g->any = graph_type(g, graph_typename(g, "Any", g->core, NULL, visible), 0, NULL);
    g->bottom = graph_add(g, (def_node){.form = WIRE_FORM_BOTTOM});
    g->int64 = graph_type(g, graph_typename(g, "Int64", g->core, "Any", visible | WIRE_TN_CONCRETE),
                          0, NULL);
    g->tuple = graph_typename(g, "Tuple", g->core, "Any", visible | WIRE_TN_TUPLE);

    const uint32_t t = graph_variable(g, "T", g->bottom, g->any);
    const uint32_t n = graph_variable(g, "N", g->bottom, g->any);
    const uint32_t body =
        graph_type(g, graph_typename(g, "Array", g->core, "Any", visible), GRAPH_KIDS(t, n));
    g->array = graph_where(g, t, graph_where(g, n, body));
    g->defs.nodes[g->array].flags = WIRE_UNIONALL_WRAPPER;
}

void graph_close(namegraph *g)
{
    snoopi__names_free(g->names);
    snoopi__text_clear(&g->text);
    snoopi__defs_clear(&g->defs);
    snoopi__arena_clear(&g->arena);
}

uint32_t graph_string(namegraph *g, const char *text)
{
    const uint32_t id = g->defs.n_strings++;
    const size_t size = strlen(text);
    g->defs.strings[id] =
        (def_string){.text = snoopi__arena_text(&g->arena, text, size), .size = (uint32_t)size};
    g->defs.is_defined[WIRE_STRING][id] = 1;
    return id;
}

uint32_t graph_module(namegraph *g, const char *name, uint32_t parent, uint32_t flags)
{
    const uint32_t string = graph_string(g, name);
    g->defs.modules[g->defs.n_modules] =
        (def_module){.name = string, .parent = parent, .flags = flags};
    return g->defs.n_modules++;
}

uint32_t graph_typename(namegraph *g, const char *name, uint32_t module, const char *mt_name,
                        uint32_t flags)
{
    const uint32_t string = graph_string(g, name);
    const uint32_t mt = mt_name ? graph_string(g, mt_name) : 0;
    g->defs.typenames[g->defs.n_typenames] =
        (def_typename){.name = string, .module = module, .mt_name = mt, .flags = flags};
    return g->defs.n_typenames++;
}

uint32_t graph_add(namegraph *g, def_node node)
{
    if (g->defs.n_nodes == MAX_NODES) {
        abort();
    }
    g->defs.nodes[g->defs.n_nodes] = node;
    return g->defs.n_nodes++;
}

uint32_t graph_type(namegraph *g, uint32_t typename, uint32_t n, const uint32_t *kids)
{
    uint32_t *copy = snoopi__arena_array(&g->arena, n, sizeof *copy);
    if (n > 0) {
        memcpy(copy, kids, n * sizeof *copy);
    }
    return graph_add(g,
                     (def_node){.form = WIRE_FORM_DATATYPE, .a = typename, .n = n, .kids = copy});
}

uint32_t graph_variable(namegraph *g, const char *name, uint32_t lower, uint32_t upper)
{
    const uint32_t string = graph_string(g, name);
    return graph_add(g, (def_node){.form = WIRE_FORM_TYPEVAR, .a = string, .b = lower, .c = upper});
}

uint32_t graph_where(namegraph *g, uint32_t variable, uint32_t body)
{
    return graph_add(g, (def_node){.form = WIRE_FORM_UNIONALL, .a = variable, .b = body});
}

uint32_t graph_int(namegraph *g, int64_t value)
{
    const unsigned char *bits =
        (const unsigned char *)snoopi__arena_text(&g->arena, &value, sizeof value);
    return graph_add(
        g, (def_node){.form = WIRE_FORM_BITS, .a = g->int64, .n = sizeof value, .bits = bits});
}

uint32_t graph_symbol(namegraph *g, const char *name)
{
    return graph_add(g, (def_node){.form = WIRE_FORM_SYMBOL, .a = graph_string(g, name)});
}

uint32_t graph_method(namegraph *g, const char *name, uint32_t flags, uint32_t sig)
{
    const uint32_t string = graph_string(g, name);
    g->defs.methods[g->defs.n_methods] =
        (def_method){.name = string, .module = g->main_module, .flags = flags, .sig = sig};
    return g->defs.n_methods++;
}

uint32_t graph_instance(namegraph *g, uint32_t method, uint32_t spec)
{
    g->defs.instances[g->defs.n_instances] =
        (def_instance){.kind = WIRE_INSTANCE_METHOD, .method = method, .spec = spec};
    return g->defs.n_instances++;
}

uint32_t graph_alias(namegraph *g, const char *name, uint32_t module, uint32_t type)
{
    return graph_add(g, (def_node){.form = WIRE_FORM_ALIAS,
                                   .a = type,
                                   .b = graph_string(g, name),
                                   .c = module,
                                   .flags = WIRE_ALIAS_VISIBLE});
}

void graph_use(namegraph *g, const char *julia_version)
{
    snoopi__names_free(g->names);
    g->names = snoopi__names_new(&g->defs, julia_version);
}

static void begin(namegraph *g)
{
    if (!g->names) {
        g->names = snoopi__names_new(&g->defs, "1.5.3");
    }
    snoopi__text_reset(&g->text);
}

const char *graph_show(namegraph *g, uint32_t node)
{
    begin(g);
    snoopi__put_node(g->names, &g->text, node, 0);
    return g->text.data ? g->text.data : "";
}

const char *graph_show_instance(namegraph *g, uint32_t instance)
{
    begin(g);
    snoopi__put_instance(g->names, &g->text, instance, 0);
    return g->text.data ? g->text.data : "";
}
