// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DEFS_H
#define SNOOPI_DEFS_H

/**
 * @file The definitions of a trace or segment, decoded: one array per kind, indexed by id (index 0
 * is unused, and every id that was never defined reads as zeros). All text and lists live in the
 * arena that was given at init, and die with it. Ids inside are checked when a record is added: an
 * id that is not defined yet is an error in a trace; in a segment snoopi__defs_check() does it
 * when all chunks were read.
 *
 * After that an id inside a definition is 0 or names something that is defined. It is not 0 inside
 * a node, but for the fields that format.md 1.2 lets be 0. Kids of a node and the parent of a
 * module have smaller ids than itself, so neither graph has cycles; but both can be deep.
 */
#include <stdbool.h>
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
    uint32_t super;   /* typename; 0: Any, or not known */
    uint32_t boxes;   /* string: of a closure, variables in boxes; 0: none */
} def_typename;

/** A node of the type graph. Which fields count is told by the form (format.md 1.2). */
typedef struct {
    uint8_t form;              /* WIRE_FORM_*; 0: not defined */
    uint8_t flags;             /* DATATYPE, UNIONALL, ENUM, ALIAS */
    uint32_t a;                /* typename | var | a | name | type | string | element | module */
    uint32_t b;                /* body | b | lower | count | name */
    uint32_t c;                /* upper | module */
    uint32_t n;                /* number of kids, or of bytes */
    uint64_t whole_length;     /* TEXT */
    const uint32_t *kids;      /* DATATYPE, STRUCT, PARTIAL */
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
    uint32_t kind;     /* WIRE_INSTANCE_* */
    uint32_t method;   /* METHOD: method */
    uint32_t spec;     /* METHOD: node, its specTypes */
    uint32_t agent_id; /* METHOD: its id in the segment; 0: not kept */
    uint32_t module;   /* TOPLEVEL */
    uint32_t file;     /* TOPLEVEL */
    int32_t line;      /* TOPLEVEL */
    uint32_t result;   /* node: what it was inferred to return; 0: not known */
} def_instance;

/** A place in a source file, or in C code. */
typedef struct {
    uint32_t name; /* string */
    uint32_t file; /* file */
    uint32_t line;
    uint32_t instance; /* instance; 0: not known */
    uint32_t flags;    /* WIRE_CODE_* */
} def_place;

/** A return address on a stack. */
typedef struct {
    uint64_t address;
    def_place *places; /* innermost first; what is inlined stands before the function */
    uint32_t n_places; /* 0: it was not looked up */
} def_code;

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
    def_code *codes;
    uint32_t n_strings, n_modules, n_files, n_typenames, n_nodes, n_methods, n_instances, n_codes;
    uint32_t capacity[WIRE_DEF_KINDS];
    unsigned char *is_defined[WIRE_DEF_KINDS]; /* by kind and id */
    uint32_t max_id;                           /* see snoopi__defs_init() */
} snoopi__defs;

/**
 * @param arena   outlives the definitions.
 * @param max_id  0 for those of a trace: each id must be the next of its kind, and all inside it
 *          known. Else those of
 *                a segment: ids come in any order, up to this one, so memory is at most proportional to it.
 */
void snoopi__defs_init(snoopi__defs *defs, struct snoopi__arena *arena, uint32_t max_id);

/** Frees the arrays; the arena is its owner's. */
void snoopi__defs_clear(snoopi__defs *defs);

/** Whether records of a tag are for snoopi__defs_add(). */
static inline bool snoopi__is_definition(uint64_t tag)
{
    return (tag >= WIRE_STRING && tag < WIRE_DEF_KINDS) || tag == WIRE_RESULT;
}

/**
 * Adds the definition record `tag` (WIRE_STRING … WIRE_CODE), or a RESULT.
 *
 * @param why  static text on failure.
 * @return 0, SNOOPI_E_FORMAT or SNOOPI_E_NOMEM. A record that was refused leaves the definitions
 * as they were.
 */
int snoopi__defs_add(snoopi__defs *defs, uint64_t tag, const void *payload, size_t size,
                     const char **why);

/**
 * Mends the definitions of a segment after the last was added: a node with an id inside that is
 * not defined becomes CUT; elsewhere such an id becomes 0.
 *
 * @return how many definitions were mended.
 */
uint64_t snoopi__defs_check(snoopi__defs *defs);

/** The same for one definition; whether it had to be mended. */
bool snoopi__defs_mend(snoopi__defs *defs, uint32_t kind, uint32_t id);

/** Number of slots of a kind, and whether `id` is defined. */
uint32_t snoopi__defs_count(const snoopi__defs *defs, uint32_t kind);
bool snoopi__defs_has(const snoopi__defs *defs, uint32_t kind, uint32_t id);

/** Text of a string; "" for 0 and what is not defined. */
const char *snoopi__defs_text(const snoopi__defs *defs, uint32_t string);

/**
 * Whether the method is the body of a generator (`@generated`), by its flag or by its name
 * (lowering gives `#s14#7`).
 */
bool snoopi__is_generator(const snoopi__defs *defs, uint32_t method);

/** Text of a file: its path on disk, else the raw one. */
const char *snoopi__defs_file_text(const snoopi__defs *defs, uint32_t file);

#endif
