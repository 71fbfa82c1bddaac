// SPDX-License-Identifier: MIT
#include "tests/unit/precompile/stranger.h"

#include <stdio.h>
#include <string.h>

#include "base/varint.h"

static const char *const names[] = {
    "f",
    "\"); run(`rm`); (\"",
    "a\"; run(`rm`); \"",
    "Int64}); run(`rm`); precompile(Tuple{Int64",
    "f)\n    run(`rm`)\n    (f",
    "$(run(`rm`))",
    "a$(run(`rm`))b",
    "`rm`",
    "@eval run(`rm`)",
    "f; run(`rm`)",
    "=# run(`rm`) #=",
    "# run(`rm`)",
    "#=",
    "a\\",
    "\\\"); run(`rm`); (\\\"",
    "a\rrun(`rm`)",
    "a\xe2\x80\xa8run(`rm`)",
    "a\xe2\x80\xaerun",
    "\xc3(",
    "\xff\xfe",
    "end",
    "begin",
    "var",
    "var\"x\"",
    "T1",
    "Pkg",
    "Other",
    "Base",
    "+",
    ")",
    "(",
    "}",
    "a b",
    "a.b",
    "../../etc/passwd",
    "/tmp/x",
    "#f##kw",
    "##f#12",
    "#\"); run(`rm`); (\"#12",
    "\xe2\x8a\x95",
};
_Static_assert(sizeof names / sizeof names[0] == STRANGER_NAMES, "see the header");

typedef struct {
    uint64_t state;
    uint64_t fixed; // number of the name to use; STRANGER_NAMES: random ones
} chooser;

static uint64_t next(chooser *c, uint64_t below)
{
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    return (c->state >> 33) % below;
}

static const char *choose(chooser *c, char room[64])
{
    static const char signs[] = "\"\\$()`;,{}[]#=\n\r\t .:'@!&<>T1aZ\x80\xe2\xff";
    if (c->fixed < STRANGER_NAMES) {
        return names[c->fixed];
    }
    if (next(c, 2) == 0) {
        return names[next(c, STRANGER_NAMES)];
    }
    const size_t n = 1 + (size_t)next(c, 30);
    for (size_t i = 0; i < n; i++) {
        room[i] = signs[next(c, sizeof signs - 1)];
    }
    room[n] = '\0';
    return room;
}

enum { MAIN = 1, CORE, BASE, PKG, SUB, OTHER };
enum { INT64 = 1, TUPLE, FUNCTION_TYPE, STRUCT_TYPE, FOREIGN_TYPE, SORTER_TYPE, BODY_TYPE, NAMED };
enum { FIRST_STRING = 20 };

// Strings from FIRST_STRING on are names that were chosen.
static void define_names(segbuilder *b, chooser *c)
{
    static const char *const known[] = {"Main",  "Core",  "Base", "Pkg",       "Other",
                                        "Int64", "Tuple", "x.jl", "NamedTuple"};
    char room[64];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        sb_string(b, i + 1, known[i]);
    }
    for (uint64_t i = 0; i < 12; i++) {
        sb_string(b, FIRST_STRING + i, choose(c, room));
    }
    char made[80];
    const char *name = choose(c, room);
    (void)snprintf(made, sizeof made, "#%s##kw", name);
    sb_string(b, FIRST_STRING + 12, made);
    (void)snprintf(made, sizeof made, "#%s#12", name);
    sb_string(b, FIRST_STRING + 13, made);
}

static void define_types(segbuilder *b, uint32_t module)
{
    const uint64_t global = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION | WIRE_TN_CONCRETE;
    SB_REC(b, WIRE_TYPENAME, INT64, 6, CORE, 0, WIRE_TN_VISIBLE | WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, TUPLE, 7, CORE, 0, WIRE_TN_VISIBLE | WIRE_TN_TUPLE);
    SB_REC(b, WIRE_TYPENAME, FUNCTION_TYPE, FIRST_STRING, module, FIRST_STRING + 1, global);
    SB_REC(b, WIRE_TYPENAME, STRUCT_TYPE, FIRST_STRING + 2, module, 0, 0);
    SB_REC(b, WIRE_TYPENAME, FOREIGN_TYPE, FIRST_STRING + 3, OTHER, 0, WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, SORTER_TYPE, FIRST_STRING + 12, module, FIRST_STRING + 12,
           WIRE_TN_FUNCTION | WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, BODY_TYPE, FIRST_STRING + 13, module, FIRST_STRING + 13, global);
    SB_REC(b, WIRE_TYPENAME, NAMED, 9, CORE, 0, WIRE_TN_NAMEDTUPLE);
}

enum {
    N_INT = 1,
    N_F,
    N_SYMBOL,
    N_FOREIGN,
    N_SIXTY,
    N_T,
    N_PAIR,
    N_NAMES,
    N_TYPES,
    N_KEYWORDS,
    N_SORTER,
    N_BODY,
    N_MODULE,
    N_VARIABLE,
    N_FIRST_SPEC = 20
};

static void define_nodes(segbuilder *b)
{
    SB_REC(b, WIRE_NODE, N_INT, WIRE_FORM_DATATYPE, INT64, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(b, WIRE_NODE, N_F, WIRE_FORM_DATATYPE, FUNCTION_TYPE,
           WIRE_DATATYPE_WRAPPER | WIRE_DATATYPE_SINGLETON, 0);
    SB_REC(b, WIRE_NODE, N_SYMBOL, WIRE_FORM_SYMBOL, FIRST_STRING + 4);
    SB_REC(b, WIRE_NODE, N_FOREIGN, WIRE_FORM_DATATYPE, FOREIGN_TYPE, WIRE_DATATYPE_WRAPPER, 0);
    const unsigned char sixty[] = {N_SIXTY, WIRE_FORM_BITS, N_INT, 60, 0, 0, 0, 0, 0, 0, 0};
    sb_record(b, WIRE_NODE, sixty, sizeof sixty);
    SB_REC(b, WIRE_NODE, N_T, WIRE_FORM_DATATYPE, STRUCT_TYPE, 0, 2, N_SYMBOL, N_SIXTY);
    SB_REC(b, WIRE_NODE, N_PAIR, WIRE_FORM_DATATYPE, TUPLE, 0, 1, N_SYMBOL);
    SB_REC(b, WIRE_NODE, N_NAMES, WIRE_FORM_STRUCT, N_PAIR, 1, N_SYMBOL);
    SB_REC(b, WIRE_NODE, N_TYPES, WIRE_FORM_DATATYPE, TUPLE, 0, 1, N_INT);
    SB_REC(b, WIRE_NODE, N_KEYWORDS, WIRE_FORM_DATATYPE, NAMED, 0, 2, N_NAMES, N_TYPES);
    SB_REC(b, WIRE_NODE, N_SORTER, WIRE_FORM_DATATYPE, SORTER_TYPE, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(b, WIRE_NODE, N_BODY, WIRE_FORM_DATATYPE, BODY_TYPE, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(b, WIRE_NODE, N_MODULE, WIRE_FORM_MODULE, SUB);
    SB_REC(b, WIRE_NODE, N_VARIABLE, WIRE_FORM_TYPEVAR, FIRST_STRING + 5, N_INT, N_T);
}

// One root for each way in which a name gets into a directive.
static uint64_t define_instances(segbuilder *b, uint32_t module)
{
    static const uint64_t specs[][4] = {
        {N_F, N_INT},         {N_F, N_T},        {N_F, N_FOREIGN}, {N_SORTER, N_KEYWORDS, N_F},
        {N_BODY, N_INT, N_F}, {N_F, N_KEYWORDS}, {N_T, N_F},       {N_F, N_SYMBOL, N_MODULE},
        {N_F, N_VARIABLE},
    };
    uint64_t spec = N_FIRST_SPEC;
    const uint64_t n = sizeof specs / sizeof specs[0];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t record[] = {spec, WIRE_FORM_DATATYPE, TUPLE,       0,
                             2,    specs[i][0],        specs[i][1], specs[i][2]};
        record[4] += specs[i][2] != 0;
        sb_numbers(b, WIRE_NODE, 5 + record[4], record);
        // Declared with a type of the other package, so that this one is seen to know it.
        SB_REC(b, WIRE_METHOD, i + 1, FIRST_STRING + 6, module, 1, snoopi__zigzag(5), 1, 0, 2,
               i == 0 ? spec : N_FIRST_SPEC + 1);
        SB_REC(b, WIRE_INSTANCE, i + 1, WIRE_INSTANCE_METHOD, i + 1, spec);
        spec++;
    }
    SB_REC(b, WIRE_NODE, spec, WIRE_FORM_DATATYPE, TUPLE, 0, 2, N_F, N_FOREIGN);
    SB_REC(b, WIRE_METHOD, n + 1, FIRST_STRING + 6, PKG, 1, snoopi__zigzag(5), 1, 0, 2, spec);
    return n;
}

void stranger_segment(segbuilder *b, uint64_t seed)
{
    chooser c = {.state = seed, .fixed = seed < STRANGER_NAMES ? seed : STRANGER_NAMES};
    const uint32_t module = seed % 3 == 0 ? SUB : PKG;
    sb_init(b);
    sb_chunk_begin(b, 0, 0, 1000);
    sb_info(b, "julia", "1.5.3", 5);
    define_names(b, &c);
    SB_REC(b, WIRE_MODULE, MAIN, 1, 0, WIRE_MODULE_MAIN);
    SB_REC(b, WIRE_MODULE, CORE, 2, 0, 0);
    SB_REC(b, WIRE_MODULE, BASE, 3, 0, 0);
    SB_REC(b, WIRE_MODULE, PKG, seed % 5 == 4 ? FIRST_STRING + 9 : 4, 0, 0);
    SB_REC(b, WIRE_MODULE, SUB, FIRST_STRING + 7, PKG, 0);
    SB_REC(b, WIRE_MODULE, OTHER, seed % 2 ? FIRST_STRING + 8 : 5, 0, 0);
    SB_REC(b, WIRE_FILE, 1, 8, 0);
    define_types(b, module);
    define_nodes(b);
    const uint64_t n = define_instances(b, module);
    for (uint64_t i = 1; i <= n; i++) {
        sb_begin(b, 10, 0, i);
        sb_end(b, 10 * i, 0);
    }
}
