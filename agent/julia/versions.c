// SPDX-License-Identifier: MIT
//
// What the agent must know of each version of Julia and can't ask it: one row a version.
// docs/julia-internals.md says how each fact was found.

#include "julia/julia.h"

/* The frame is the argument behind the interpreter. */
#define TYPEINF_OF_INTERPRETER                                                 \
    {                                                                          \
        TARGET_TYPEINF, "_typeinf", {"NativeInterpreter", "InferenceState"}, 1 \
    }

/* Entered by code generation; by return_type; by code_typed and its like. */
#define ENTRANCE_TOPLEVEL                                                        \
    {                                                                            \
        TARGET_ENTRANCE, "typeinf_ext_toplevel", {"MethodInstance", "UInt64"}, 0 \
    }
#define ENTRANCE_TYPE                                                                           \
    {                                                                                           \
        TARGET_QUERY, "typeinf_type", {"NativeInterpreter", "Method", "Any", "SimpleVector"}, 0 \
    }
#define ENTRANCE_TOOL(function)                                                                   \
    {                                                                                             \
        TARGET_QUERY, function, {"NativeInterpreter", "Method", "Any", "SimpleVector", "Bool"}, 0 \
    }

/* The frame is the argument `at`. */
#define SEMICONCRETE(function, at)                                                        \
    {                                                                                     \
        TARGET_SEMICONCRETE, function, {"NativeInterpreter", "IRInterpretationState"}, at \
    }

/* Since 1.11 a query names the instance alone. */
#define QUERIES_SINCE_1_11                                                                \
    {TARGET_QUERY, "typeinf_type", {"NativeInterpreter", "MethodInstance"}, 0},           \
    {                                                                                     \
        TARGET_QUERY, "typeinf_frame", {"NativeInterpreter", "MethodInstance", "Bool"}, 0 \
    }

/* An interpreter takes two registers, the frame is behind it. */
#define ON_FRAME(kind, function, last)                                   \
    {                                                                    \
        kind, function, {"NativeInterpreter", "InferenceState", last}, 2 \
    }

/* Masks of a field that is a Bool of its own. */
#define WHOLE 0xff

/* What all rows up to a version have in common. */
#define UNTIL_1_6                                                               \
    .is_abstract = {"abstract", WHOLE}, .is_mutable = {"mutable", WHOLE},       \
    .is_concrete = {"isconcretetype", WHOLE}, .is_bits = {"isbitstype", WHOLE}, \
    .binding = {                                                                \
        .value = 8,                                                             \
        .owner = 24,                                                            \
        .flags = 33,                                                            \
        .exported = 1,                                                          \
        .deprecated = 12,                                                       \
        .listed = 1,                                                            \
        .constant = WHOLE,                                                      \
        .constant_at = 32,                                                      \
    }
#define UNTIL_1_8  .is_specsig = {"isspecsig", WHOLE}, .module_lock = 592
#define UNTIL_1_11 .thunk_source = "uninferred"

/* And all from a version on. */
#define SINCE_1_6 .shows_aliases = true
#define SINCE_1_7                                                                                \
    SINCE_1_6, .inference_may_switch = true, .vararg_is_object = true, .kind_in_typename = true, \
               .is_abstract = {"flags", 1}, .is_mutable = {"flags", 2},                          \
               .is_concrete = {"flags", 2}, .is_bits = {"flags", 8}
#define SINCE_1_9  SINCE_1_7, .size_in_layout = true
#define SINCE_1_10 SINCE_1_9, .has_small_type_tags = true, .module_bindings_is_svec = true
#define SINCE_1_11 \
    SINCE_1_10, .array_has_memory = true, .code_has_owner = true, .is_specsig = {"specsigflags", 1}

/* 1.7 to 1.9 */
#define BINDING_WITH_FLAGS_AT(at)                                                           \
    {                                                                                       \
        .value = 8, .owner = 24, .flags = at, .exported = 2, .deprecated = 24, .listed = 2, \
        .constant = 1, .constant_at = at,                                                   \
    }
/* 1.10 and 1.11 */
#define BINDING_OF_BINDING(deprecated_mask, listed_mask)                                    \
    {                                                                                       \
        .value = 0, .owner = 16, .flags = 32, .exported = 2, .deprecated = deprecated_mask, \
        .listed = listed_mask, .constant = 1, .constant_at = 32, .owner_is_binding = true,  \
        .globalref = 8,                                                                     \
    }

static const struct julia_row rows[] = {
    {
        .major = 1,
        .minor = 5,
        .targets = {{TARGET_TYPEINF, "typeinf", {"InferenceState"}, 0}},
        .entrances = {"typeinf_ext", "typeinf_type", "typeinf_code", "typeinf"},
        UNTIL_1_6,
        UNTIL_1_8,
        UNTIL_1_11,
        .can_be_redefined = true,
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 6,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                ENTRANCE_TOPLEVEL,
                ENTRANCE_TYPE,
                ENTRANCE_TOOL("typeinf_code"),
            },
        SINCE_1_6,
        UNTIL_1_6,
        UNTIL_1_8,
        UNTIL_1_11,
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 7,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                ENTRANCE_TOPLEVEL,
                ENTRANCE_TYPE,
                ENTRANCE_TOOL("typeinf_code"),
            },
        SINCE_1_7,
        UNTIL_1_8,
        UNTIL_1_11,
        .binding = BINDING_WITH_FLAGS_AT(32),
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 8,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                ENTRANCE_TOPLEVEL,
                ENTRANCE_TYPE,
                ENTRANCE_TOOL("typeinf_frame"),
            },
        SINCE_1_7,
        UNTIL_1_8,
        UNTIL_1_11,
        .binding = BINDING_WITH_FLAGS_AT(40),
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 9,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                SEMICONCRETE("ir_abstract_constant_propagation", 1),
                ENTRANCE_TOPLEVEL,
                ENTRANCE_TYPE,
                ENTRANCE_TOOL("typeinf_frame"),
            },
        SINCE_1_9,
        UNTIL_1_11,
        .is_specsig = {"isspecsig", 1},
        .binding = BINDING_WITH_FLAGS_AT(40),
        .module_bindings = 16,
        .module_lock = 600,
    },
    {
        .major = 1,
        .minor = 10,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                SEMICONCRETE("_ir_abstract_constant_propagation", 2),
                ENTRANCE_TOPLEVEL,
                ENTRANCE_TYPE,
                ENTRANCE_TOOL("typeinf_frame"),
            },
        SINCE_1_10,
        UNTIL_1_11,
        .is_specsig = {"isspecsig", 1},
        .binding = BINDING_OF_BINDING(48, 2),
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 11,
        .targets =
            {
                TYPEINF_OF_INTERPRETER,
                SEMICONCRETE("_ir_abstract_constant_propagation", 2),
                ENTRANCE_TOPLEVEL,
                QUERIES_SINCE_1_11,
            },
        SINCE_1_11,
        UNTIL_1_11,
        .binding = BINDING_OF_BINDING(96, 4),
        .module_bindings = 16,
    },
    {
        .major = 1,
        .minor = 12,
        .targets =
            {
                ON_FRAME(TARGET_LOOP, "typeinf", NULL),
                ON_FRAME(TARGET_STEP, "doworkloop", NULL),
                ON_FRAME(TARGET_STEP, "typeinf_local", "CurrentState"),
                ON_FRAME(TARGET_FINISH, "finish_nocycle", "UInt64"),
                {TARGET_FINISH_CYCLE,
                 "finish_cycle",
                 {"NativeInterpreter", "Array", "Int64", "UInt64"},
                 2},
                {TARGET_STEP, "finishinfer!", {"InferenceState", "NativeInterpreter", "Int64"}, 0},
                {TARGET_STEP_OF_RESULT,
                 "optimize",
                 {"NativeInterpreter", "OptimizationState", "InferenceResult"},
                 3},
                {TARGET_SEMICONCRETE,
                 "#ir_abstract_constant_propagation#",
                 {"Nothing", "#ir_abstract_constant_propagation", "NativeInterpreter",
                  "IRInterpretationState"},
                 3},
                {TARGET_ENTRANCE,
                 "typeinf_ext_toplevel",
                 {"MethodInstance", "UInt64", "UInt8", "UInt8"},
                 0},
                QUERIES_SINCE_1_11,
                {TARGET_WORLD_CALL, "jl_call_in_typeinf_world", {NULL}, 0},
            },
        SINCE_1_11,
        .takes_turns = true,
        .frame_source = "src",
        .binding = {.value = 8, .owner = 16, .flags = 32, .listed = 4, .globalref = 0},
        .binding_has_partitions = true,
        .one_method_table = true,
        .has_debuginfo = true,
        .interpreter_is_split = true,
        .compiler_is_root = true,
        .module_bindings = 16,
    },
};

const struct julia_row *julia_row_near(int major, int minor)
{
    const struct julia_row *near = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].major == major && rows[i].minor <= minor) {
            near = &rows[i];
        }
    }
    return near;
}
