// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DEFS_H
#define SNOOPI_DEFS_H

/**
 * @file
 * The definitions of a trace or segment, decoded: one array per kind, indexed by id (index 0 is unused,
 * and every id that was never defined reads as zeros). All text and lists live in the arena that was given at
 * init, and die with it. Ids inside are checked when a record is added: an id that is not defined yet is an
 * error in a trace; in a segment snoopi__defs_check() does it when all chunks were read.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

struct snoopi__arena;

typedef struct {
    const char *text; /* NUL-terminated here; may hold NULs inside */
    uint32_t size;    /* bytes without the terminator */
} def_string;

typedef struct {
    uint32_t name;   /* string */
    uint32_t parent; /* module; 0: root */
    uint32_t flags;  /* WIRE_MODULE_* */
} def_module;

typedef struct {
    uint32_t raw;  /* string: as Julia has it */
    uint32_t path; /* string: on disk at recording; 0: not found */
} def_file;

typedef struct {
    uint32_t name;    /* string */
    uint32_t module;  /* module */
    uint32_t mt_name; /* string; 0: none */
    uint32_t flags;   /* WIRE_TN_* */
} def_typename;

/** A node of the type graph. Which fields count is told by the form (format.md 1.2). */
typedef struct {
    uint8_t form;             /* WIRE_FORM_*; 0: not defined */
    uint8_t flags;            /* DATATYPE, UNIONALL */
    uint32_t a;               /* typename | var | a | name | type | string | element | module */
    uint32_t b;               /* body | b | lower | count */
    uint32_t c;               /* upper */
    uint32_t n;               /* number of kids, or of bytes */
    uint64_t whole_length;    /* TEXT */
    const uint32_t *kids;     /* DATATYPE, STRUCT, PARTIAL */
    const unsigned char *bits; /* BITS */
} def_node;

typedef struct {
    uint32_t name;   /* string */
    uint32_t module; /* module */
    uint32_t file;   /* file */
    int32_t line;
    uint32_t flags; /* WIRE_METHOD_* */
    uint32_t nargs;
    uint32_t sig; /* node */
    uint64_t world;
} def_method;

typedef struct {
    uint32_t kind;   /* WIRE_INSTANCE_* */
    uint32_t method; /* METHOD: method */
    uint32_t spec;   /* METHOD: node, its specTypes */
    uint32_t module; /* TOPLEVEL */
    uint32_t file;   /* TOPLEVEL */
    int32_t line;    /* TOPLEVEL */
} def_instance;

typedef struct snoopi__defs {
    struct snoopi__arena *arena; /* borrowed */
    /* n_x counts slots, so valid ids are 1 … n_x − 1. */
    def_string *strings;
    def_module *modules;
    def_file *files;
    def_typename *typenames;
    def_node *nodes;
    def_method *methods;
    def_instance *instances;
    uint32_t n_strings, n_modules, n_files, n_typenames, n_nodes, n_methods, n_instances;
    uint32_t capacity[WIRE_DEF_KINDS];
} snoopi__defs;

#endif
