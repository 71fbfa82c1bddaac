// SPDX-License-Identifier: MIT
#ifndef SNOOPI_NAMEGRAPH_H
#define SNOOPI_NAMEGRAPH_H

/**
 * @file
 * Small graphs of definitions, written by hand. Nothing is checked: malformed ones can be made as well.
 */
#include "base/arena.h"
#include "format/defs.h"
#include "names/names.h"

typedef struct {
    snoopi__arena arena;
    snoopi__defs defs;
    snoopi__names *names;
    snoopi__text text;
    uint32_t core, base, main_module;          /* modules */
    uint32_t any, bottom, int64, array, tuple; /* nodes, but for the typename `tuple` */
} namegraph;

/** With Core, Base, Main, Any, Union{}, Int64, the wrapper Array and the typename of Tuple. */
void graph_open(namegraph *g);
void graph_close(namegraph *g);

uint32_t graph_string(namegraph *g, const char *text);
uint32_t graph_module(namegraph *g, const char *name, uint32_t parent, uint32_t flags);
uint32_t graph_typename(namegraph *g, const char *name, uint32_t module, const char *mt_name,
                        uint32_t flags);
uint32_t graph_add(namegraph *g, def_node node);
uint32_t graph_type(namegraph *g, uint32_t typename, uint32_t n, const uint32_t *kids);
uint32_t graph_variable(namegraph *g, const char *name, uint32_t lower, uint32_t upper);
uint32_t graph_where(namegraph *g, uint32_t variable, uint32_t body);
uint32_t graph_int(namegraph *g, int64_t value);
uint32_t graph_symbol(namegraph *g, const char *name);
uint32_t graph_method(namegraph *g, const char *name, uint32_t flags, uint32_t sig);
uint32_t graph_instance(namegraph *g, uint32_t method, uint32_t spec);

uint32_t graph_alias(namegraph *g, const char *name, uint32_t module, uint32_t type);

/** Shows names as another version of Julia does. */
void graph_use(namegraph *g, const char *julia_version);

/** Names, as Julia 1.5 shows them if no other was named; valid until the next is asked for. */
const char *graph_show(namegraph *g, uint32_t node);
const char *graph_show_instance(namegraph *g, uint32_t instance);

#define GRAPH_KIDS(...)                                                        \
    (sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), (const uint32_t[]) \
    {                                                                          \
        __VA_ARGS__                                                            \
    }

#endif
