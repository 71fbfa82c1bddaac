// SPDX-License-Identifier: MIT
// Roles of places. See roles.h.
//
// Names of C functions are as the runtime has them without the `i` of 1.8's `ijl_` and leading underscores; only those that
// the library exports are there when it was stripped, so that nothing hangs on a static one alone.
#include "roles.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *name; // one that ends in * matches what begins so
    snoopi__role role;
} named;

static const named c_names[] = {
    {"jl_toplevel_eval_in", ROLE_EVAL_IN},
    {"jl_toplevel_eval*", ROLE_INTERPRETER},
    {"jl_interpret_toplevel_thunk", ROLE_INTERPRETER},
    {"jl_interpret_toplevel_expr_in", ROLE_INTERPRETER},
    {"eval_body", ROLE_INTERPRETER},
    {"eval_stmt_value", ROLE_INTERPRETER},
    {"jl_eval_module_expr", ROLE_INTERPRETER},
    {"jl_eval_thunk", ROLE_INTERPRETER},
    {"jl_parse_eval_all", ROLE_INTERPRETER},
    {"jl_load", ROLE_INTERPRETER},
    {"jl_load_rewrite", ROLE_INTERPRETER},
    {"jl_load_file_string", ROLE_INTERPRETER},
    {"start_task", ROLE_TASK},
    {"jl_compile_hint*", ROLE_HINT},
    {"jl_precompile*", ROLE_HINT},
    {"precompile_enq*", ROLE_HINT},
    {"jl_f__apply_latest", ROLE_LATEST},
    {"jl_f__call_latest", ROLE_LATEST},
    {"jl_f_invokelatest", ROLE_LATEST},
    {"jl_f__call_in_world*", ROLE_LATEST},
    {"jl_f__apply_in_world", ROLE_LATEST},
    {"jlcapi_*", ROLE_CALLBACK},
    {"jl_call", ROLE_CALLBACK},
    {"jl_call0", ROLE_CALLBACK},
    {"jl_call1", ROLE_CALLBACK},
    {"jl_call2", ROLE_CALLBACK},
    {"jl_call3", ROLE_CALLBACK},
    {"jl_eval_string", ROLE_CALLBACK},
    {"jl_restore_incremental*", ROLE_INITIALIZER},
    {"jl_restore_package_image*", ROLE_INITIALIZER},
    {"jl_init_restored_module*", ROLE_INITIALIZER},
    {"jl_module_run_initializer", ROLE_INITIALIZER},
};

// Functions of Base and Core.
static const named julia_names[] = {
    {"return_type", ROLE_ASKS_TYPE},
    {"_return_type", ROLE_ASKS_TYPE},
    {"promote_op", ROLE_ASKS_TYPE},
    {"return_types", ROLE_REFLECTS},
    {"code_typed*", ROLE_REFLECTS},
    {"code_ircode*", ROLE_REFLECTS},
    {"infer_*", ROLE_REFLECTS},
    {"invoke_in_typeinf_world", ROLE_REFLECTS},
    {"invoke_default_compiler", ROLE_REFLECTS},
    {"invoke_interp_compiler", ROLE_REFLECTS},
    {"precompile", ROLE_PRECOMPILE},
    {"invokelatest", ROLE_INVOKELATEST},
    {"invoke_in_world", ROLE_INVOKELATEST},
    {"include", ROLE_INCLUDE},
    {"_include", ROLE_INCLUDE},
    {"include_string", ROLE_INCLUDE},
    {"evalfile", ROLE_INCLUDE},
    {"require", ROLE_REQUIRE},
    {"_require*", ROLE_REQUIRE},
    {"__require*", ROLE_REQUIRE},
    {"require_stdlib", ROLE_REQUIRE},
    {"_tryrequire_from_serialized", ROLE_REQUIRE},
    {"_include_from_serialized", ROLE_REQUIRE},
    {"register_restored_modules", ROLE_REQUIRE},
    {"run_module_init", ROLE_REQUIRE},
    {"run_package_callbacks", ROLE_REQUIRE},
    {"include_package_for_output", ROLE_REQUIRE},
    {"_start", ROLE_DRIVER},
    {"exec_options", ROLE_DRIVER},
    {"repl_main", ROLE_DRIVER},
    {"run_main_repl", ROLE_DRIVER},
    {"run_fallback_repl", ROLE_DRIVER},
};

// Functions of the REPL package, and of what shows code.
static const named tool_names[] = {
    {"eval_user_input", ROLE_DRIVER},    {"repl_backend_loop", ROLE_DRIVER},
    {"start_repl_backend", ROLE_DRIVER}, {"run_repl", ROLE_DRIVER},
    {"code_warntype", ROLE_REFLECTS},    {"code_llvm", ROLE_REFLECTS},
    {"code_native", ROLE_REFLECTS},      {"_dump_function*", ROLE_REFLECTS},
};
#define COUNT(names) (sizeof(names) / sizeof(names)[0])

static snoopi__role find(const named *names, size_t n, const char *name, size_t length)
{
    for (size_t i = 0; i < n; i++) {
        const size_t wanted = strlen(names[i].name);
        const bool is_prefix = names[i].name[wanted - 1] == '*';
        const size_t compared = is_prefix ? wanted - 1 : wanted;
        if ((is_prefix ? length >= compared : length == compared) &&
            memcmp(names[i].name, name, compared) == 0) {
            return names[i].role;
        }
    }
    return ROLE_NONE;
}

static snoopi__role role_of_c(const char *name)
{
    name += strspn(name, "_");
    name += strncmp(name, "ijl_", 4) == 0;
    return find(c_names, COUNT(c_names), name, strlen(name));
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

// Base's own files have bare names ("./boot.jl", "compiler/…"); what a program includes has a whole path, and what it evaluates
// has a name that is none ("none", "REPL[1]").
static bool is_file_of_base(const char *raw_file)
{
    const size_t length = strlen(raw_file);
    return raw_file[0] != '/' && length > 3 && strcmp(raw_file + length - 3, ".jl") == 0;
}

// Whether `module` is `outer` or lies in it.
static bool is_within(const char *module, const char *outer)
{
    const size_t length = strlen(outer);
    return begins_with(module, outer) && (module[length] == '\0' || module[length] == '.');
}

// The compiler is Core's up to 1.11, and from 1.12 on a package that Base has a copy of.
static bool is_of_compiler(const snoopi_instance *instance, const char *raw_file)
{
    if (instance) {
        return is_within(instance->module, "Core.Compiler") ||
               is_within(instance->module, "Base.Compiler") ||
               strcmp(instance->package, "Compiler") == 0;
    }
    const char *at = begins_with(raw_file, "./") ? raw_file + 2 : raw_file;
    return (begins_with(at, "compiler/") && is_file_of_base(raw_file)) ||
           strstr(raw_file, "/Compiler/src/") != NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    const size_t wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// "#invokelatest#12", what has the keywords of invokelatest, is invokelatest. Sets the length of the bare name.
static const char *bare_name(const char *name, size_t *length)
{
    name += name[0] == '#';
    name += name[0] == '#';
    *length = strcspn(name, "#");
    return name;
}

// Whether a file is a package's source, by the usual layout.
static bool is_file_of(const char *raw_file, const char *package)
{
    const size_t length = strlen(package);
    for (const char *at = strstr(raw_file, package); at; at = strstr(at + 1, package)) {
        if (at > raw_file && at[-1] == '/' && begins_with(at + length, "/src/")) {
            return true;
        }
    }
    return false;
}

static bool is_of_package(const snoopi_instance *instance, const char *raw_file,
                          const char *package)
{
    return instance ? strcmp(instance->package, package) == 0 : is_file_of(raw_file, package);
}

static snoopi__role role_of_julia(const snoopi_instance *instance, const snoopi_place *place)
{
    size_t length;
    const char *name = bare_name(place->name, &length);
    const char *package = instance ? instance->package : "";
    if (strcmp(package, "Test") == 0 || ends_with(place->raw_file, "/Test.jl")) {
        return ROLE_TEST;
    }
    if (length == 4 && memcmp(name, "eval", 4) == 0) {
        return ROLE_EVAL; // each module has its own
    }
    // A module's own `include` passes on to Base's.
    if (length == 7 && memcmp(name, "include", 7) == 0 && place->line == 0) {
        return ROLE_INCLUDE;
    }
    const bool is_base = instance ? strcmp(package, "Base") == 0 || strcmp(package, "Core") == 0
                                  : is_file_of_base(place->raw_file);
    snoopi__role role = is_base ? find(julia_names, COUNT(julia_names), name, length) : ROLE_NONE;
    if (role == ROLE_NONE && (is_of_package(instance, place->raw_file, "REPL") ||
                              is_of_package(instance, place->raw_file, "InteractiveUtils"))) {
        role = find(tool_names, COUNT(tool_names), name, length);
    }
    return role == ROLE_NONE ? ROLE_USER : role;
}

bool snoopi__is_toplevel_place(const snoopi_place *place)
{
    // Julia does not always tell the instance; the name is no function's.
    return place->is_toplevel || (!place->is_c && strcmp(place->name, "top-level scope") == 0);
}

snoopi__role snoopi__role_of_place(snoopi_trace *trace, const snoopi_place *place)
{
    if (place->is_entrance) {
        if (begins_with(place->name, "typeinf_type")) {
            return ROLE_ENTERS_TYPE;
        }
        const bool is_code =
            begins_with(place->name, "typeinf_code") || begins_with(place->name, "typeinf_ircode");
        return is_code ? ROLE_ENTERS_CODE : ROLE_COMPILER;
    }
    if (place->is_c) {
        return role_of_c(place->name);
    }
    if (snoopi__is_toplevel_place(place)) {
        return ROLE_TOPLEVEL;
    }
    const snoopi_instance *instance =
        place->instance ? snoopi_trace_instance(trace, place->instance) : NULL;
    if (is_of_compiler(instance, place->raw_file)) {
        size_t length;
        const char *name = bare_name(place->name, &length);
        return find(julia_names, 2, name, length) == ROLE_ASKS_TYPE ? ROLE_ASKS_TYPE
                                                                    : ROLE_COMPILER;
    }
    if (begins_with(place->name, "jlcapi_")) {
        return ROLE_CALLBACK;
    }
    return role_of_julia(instance, place);
}

bool snoopi__role_is_noise(snoopi__role role)
{
    return role > ROLE_INITIALIZER;
}
