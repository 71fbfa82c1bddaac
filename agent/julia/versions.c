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

/* Masks of a field that is a Bool of its own. */
#define WHOLE 0xff

static const struct julia_row julia_1_5 = {
    .major = 1,
    .minor = 5,
    .targets = {{TARGET_TYPEINF, "typeinf", {"InferenceState"}, 0}},
    .entrances = {"typeinf_ext", "typeinf_type", "typeinf_code", "typeinf"},
    .can_be_redefined = true,
    .is_abstract = {"abstract", WHOLE},
    .is_mutable = {"mutable", WHOLE},
    .is_concrete = {"isconcretetype", WHOLE},
    .is_bits = {"isbitstype", WHOLE},
    .is_specsig = {"isspecsig", WHOLE},
    .thunk_source = "uninferred",
    .binding = {.value = 8,
                .owner = 24,
                .flags = 33,
                .exported = 1,
                .deprecated = 12,
                .listed = 1,
                .constant = WHOLE,
                .constant_at = 32},
    .module_bindings = 16,
    .module_lock = 592,
};

static const struct julia_row julia_1_6 = {
    .major = 1,
    .minor = 6,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            ENTRANCE_TOPLEVEL,
            ENTRANCE_TYPE,
            ENTRANCE_TOOL("typeinf_code"),
        },
    .shows_aliases = true,
    .is_abstract = {"abstract", WHOLE},
    .is_mutable = {"mutable", WHOLE},
    .is_concrete = {"isconcretetype", WHOLE},
    .is_bits = {"isbitstype", WHOLE},
    .is_specsig = {"isspecsig", WHOLE},
    .thunk_source = "uninferred",
    .binding = {.value = 8,
                .owner = 24,
                .flags = 33,
                .exported = 1,
                .deprecated = 12,
                .listed = 1,
                .constant = WHOLE,
                .constant_at = 32},
    .module_bindings = 16,
    .module_lock = 592,
};

static const struct julia_row julia_1_7 = {
    .major = 1,
    .minor = 7,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            ENTRANCE_TOPLEVEL,
            ENTRANCE_TYPE,
            ENTRANCE_TOOL("typeinf_code"),
        },
    .shows_aliases = true,
    .inference_may_switch = true,
    .vararg_is_object = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"isspecsig", WHOLE},
    .thunk_source = "uninferred",
    .binding = {.value = 8,
                .owner = 24,
                .flags = 32,
                .exported = 2,
                .deprecated = 24,
                .listed = 2,
                .constant = 1,
                .constant_at = 32},
    .module_bindings = 16,
    .module_lock = 592,
};

static const struct julia_row julia_1_8 = {
    .major = 1,
    .minor = 8,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            ENTRANCE_TOPLEVEL,
            ENTRANCE_TYPE,
            ENTRANCE_TOOL("typeinf_frame"),
        },
    .shows_aliases = true,
    .inference_may_switch = true,
    .vararg_is_object = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"isspecsig", WHOLE},
    .thunk_source = "uninferred",
    .binding = {.value = 8,
                .owner = 24,
                .flags = 40,
                .exported = 2,
                .deprecated = 24,
                .listed = 2,
                .constant = 1,
                .constant_at = 40},
    .module_bindings = 16,
    .module_lock = 592,
};

static const struct julia_row julia_1_9 = {
    .major = 1,
    .minor = 9,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            {TARGET_SEMICONCRETE,
             "ir_abstract_constant_propagation",
             {"NativeInterpreter", "IRInterpretationState"},
             1},
            ENTRANCE_TOPLEVEL,
            ENTRANCE_TYPE,
            ENTRANCE_TOOL("typeinf_frame"),
        },
    .shows_aliases = true,
    .inference_may_switch = true,
    .vararg_is_object = true,
    .size_in_layout = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"isspecsig", 1},
    .thunk_source = "uninferred",
    .binding = {.value = 8,
                .owner = 24,
                .flags = 40,
                .exported = 2,
                .deprecated = 24,
                .listed = 2,
                .constant = 1,
                .constant_at = 40},
    .module_bindings = 16,
    .module_lock = 600,
};

static const struct julia_row julia_1_10 = {
    .major = 1,
    .minor = 10,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            {TARGET_SEMICONCRETE,
             "_ir_abstract_constant_propagation",
             {"NativeInterpreter", "IRInterpretationState"},
             2},
            ENTRANCE_TOPLEVEL,
            ENTRANCE_TYPE,
            ENTRANCE_TOOL("typeinf_frame"),
        },
    .shows_aliases = true,
    .inference_may_switch = true,
    .has_small_type_tags = true,
    .vararg_is_object = true,
    .size_in_layout = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"isspecsig", 1},
    .thunk_source = "uninferred",
    .binding = {.value = 0,
                .owner = 16,
                .flags = 32,
                .exported = 2,
                .deprecated = 48,
                .listed = 2,
                .constant = 1,
                .constant_at = 32,
                .owner_is_binding = true,
                .globalref = 8},
    .module_bindings = 16,
    .module_bindings_is_svec = true,
};

static const struct julia_row julia_1_11 = {
    .major = 1,
    .minor = 11,
    .targets =
        {
            TYPEINF_OF_INTERPRETER,
            {TARGET_SEMICONCRETE,
             "_ir_abstract_constant_propagation",
             {"NativeInterpreter", "IRInterpretationState"},
             2},
            ENTRANCE_TOPLEVEL,
            {TARGET_QUERY, "typeinf_type", {"NativeInterpreter", "MethodInstance"}, 0},
            {TARGET_QUERY, "typeinf_frame", {"NativeInterpreter", "MethodInstance", "Bool"}, 0},
        },
    .shows_aliases = true,
    .inference_may_switch = true,
    .has_small_type_tags = true,
    .array_has_memory = true,
    .vararg_is_object = true,
    .size_in_layout = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"specsigflags", 1},
    .code_has_owner = true,
    .thunk_source = "uninferred",
    .binding = {.value = 0,
                .owner = 16,
                .flags = 32,
                .exported = 2,
                .deprecated = 96,
                .listed = 4,
                .constant = 1,
                .constant_at = 32,
                .owner_is_binding = true,
                .globalref = 8},
    .module_bindings = 16,
    .module_bindings_is_svec = true,
};

/* An interpreter takes two registers, the frame is behind it. */
#define ON_FRAME(kind, function, last)                                   \
    {                                                                    \
        kind, function, {"NativeInterpreter", "InferenceState", last}, 2 \
    }

static const struct julia_row julia_1_12 = {
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
            {TARGET_QUERY, "typeinf_type", {"NativeInterpreter", "MethodInstance"}, 0},
            {TARGET_QUERY, "typeinf_frame", {"NativeInterpreter", "MethodInstance", "Bool"}, 0},
            {TARGET_WORLD_CALL, "jl_call_in_typeinf_world", {NULL}, 0},
        },
    .takes_turns = true,
    .shows_aliases = true,
    .inference_may_switch = true,
    .has_small_type_tags = true,
    .array_has_memory = true,
    .vararg_is_object = true,
    .size_in_layout = true,
    .kind_in_typename = true,
    .is_abstract = {"flags", 1},
    .is_mutable = {"flags", 2},
    .is_concrete = {"flags", 2},
    .is_bits = {"flags", 8},
    .is_specsig = {"specsigflags", 1},
    .code_has_owner = true,
    .frame_source = "src",
    .binding = {.value = 8, .owner = 16, .flags = 32, .listed = 4, .globalref = 0},
    .binding_has_partitions = true,
    .one_method_table = true,
    .has_debuginfo = true,
    .interpreter_is_split = true,
    .compiler_is_root = true,
    .module_bindings = 16,
    .module_bindings_is_svec = true,
};

static const struct julia_row *const rows[] = {
    &julia_1_5, &julia_1_6,  &julia_1_7,  &julia_1_8,
    &julia_1_9, &julia_1_10, &julia_1_11, &julia_1_12,
};

const struct julia_row *julia_row_near(int major, int minor)
{
    const struct julia_row *near = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i]->major == major && rows[i]->minor <= minor) {
            near = rows[i];
        }
    }
    return near;
}
