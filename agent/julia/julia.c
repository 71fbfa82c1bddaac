// SPDX-License-Identifier: MIT
//
// Binds the agent to the Julia in this process: symbols by name, offsets by Julia's own reflection
// in C, facts by version.

#include "julia/julia.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "julia/binding.h"
#include "phrase.h"
#include "real.h"

struct julia_api julia;

/* Looks `name` up in `library` under its plain name and with the prefix of Julia 1.8 and later. */
static void *find_symbol(void *library, const char *name)
{
    char prefixed[64] = "i";
    void *found = NULL;

    if (strlen(name) + 2 <= sizeof prefixed) {
        memcpy(prefixed + 1, name, strlen(name) + 1);
        found = real_dlsym(library, prefixed);
    }
    return found != NULL ? found : real_dlsym(library, name);
}

static void *library;

void *julia_symbol(const char *name)
{
    return find_symbol(library, name);
}

static int look_for_library(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *const slash = strrchr(info->dlpi_name, '/');
    const char *const base = slash == NULL ? info->dlpi_name : slash + 1;
    if (strncmp(base, "libjulia-internal", 17) == 0) {
        *(const char **)found = info->dlpi_name;
        return 1;
    }
    if (strncmp(base, "libjulia.so", 11) == 0 || strncmp(base, "libjulia-debug.so", 17) == 0) {
        *(const char **)found = info->dlpi_name;
    }
    return 0;
}

bool julia_find(void)
{
    const char *path = NULL;

    (void)dl_iterate_phdr(look_for_library, &path);
    if (path == NULL) {
        return false;
    }
    void *const handle = real_dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) {
        return false;
    }
    /* From 1.6 on libjulia is a loader whose own entries jump through slots that are not filled
     * yet; what is asked for comes with libjulia-internal, later. */
    if (strstr(path, "libjulia-internal") == NULL && real_dlsym(handle, "jl_load_repl") != NULL) {
        return false; /* it stays loaded in any case */
    }
    void *const is_initialized = find_symbol(handle, "jl_is_initialized");
    if (is_initialized == NULL) {
        return false; /* it stays loaded in any case */
    }
    library = handle;
    memcpy(&julia.is_initialized, &is_initialized, sizeof is_initialized);
    return true;
}

bool julia_is_ready(void)
{
    if (!julia.is_initialized()) {
        return false;
    }
    void *const *const base = find_symbol(library, "jl_base_module");
    void *const pgcstack = find_symbol(library, "jl_get_pgcstack");
    /* Before 1.7 the thread's state has it, as its first member. */
    void *const ptls = find_symbol(library, "jl_get_ptls_states");
    void *const gc_stack = pgcstack != NULL ? pgcstack : ptls;
    void *const task = find_symbol(library, "jl_get_current_task");

    if (base == NULL || *base == NULL || task == NULL || gc_stack == NULL) {
        return false;
    }
    memcpy(&julia.gc_stack, &gc_stack, sizeof gc_stack);
    if (julia.gc_stack() == NULL) {
        return false;
    }
    memcpy(&julia.get_current_task, &task, sizeof task);
    return julia.get_current_task() != NULL;
}

bool julia_is_restored(void)
{
    int (*is_enabled)(void) = NULL;
    void *const found = find_symbol(library, "jl_gc_is_enabled");
    memcpy(&is_enabled, &found, sizeof found);
    return is_enabled == NULL || is_enabled() != 0;
}

bool julia_watch_collections(void (*callback)(int), bool is_wanted)
{
    void (*watch)(void (*)(int), int) = NULL;
    void *const found = find_symbol(library, "jl_gc_set_cb_pre_gc");
    memcpy(&watch, &found, sizeof found);
    if (watch != NULL) {
        watch(callback, is_wanted ? 1 : 0);
    }
    return watch != NULL;
}

/* A function or variable of libjulia and where its address goes. */
struct binding {
    const char *name;
    void *slot;
};

static bool bind_functions(const char **reason)
{
    const struct binding functions[] = {
        {"jl_get_world_counter", &julia.get_world_counter},
        {"jl_get_global", &julia.get_global},
        {"jl_symbol_lookup", &julia.symbol_lookup},
        {"jl_symbol_name", &julia.symbol_name},
        {"jl_module_name", &julia.module_name},
        {"jl_module_parent", &julia.module_parent},
        {"jl_get_module_binding", &julia.get_module_binding},
        {"jl_field_index", &julia.field_index},
        {"jl_get_field_offset", &julia.get_field_offset},
        {"jl_gc_set_cb_pre_gc", &julia.gc_set_cb_pre_gc},
        {"jl_gc_set_cb_post_gc", &julia.gc_set_cb_post_gc},
        {"jl_ver_string", &julia.ver_string},
        {"jl_filename", &julia.filename},
        {"jl_lineno", &julia.lineno},
        {"jl_options", &julia.options},
        {"jl_intrinsic_name", &julia.intrinsic_name},
        {"jl_n_threads", &julia.n_threads},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *const found = find_symbol(library, functions[i].name);
        if (found == NULL) {
            *reason = "this Julia lacks a function that recording needs";
            return false;
        }
        memcpy(functions[i].slot, &found, sizeof found);
    }
    void *const stack_buffer = find_symbol(library, "jl_task_stack_buffer");
    void *const look_up = find_symbol(library, "jl_lookup_code_address");
    memcpy(&julia.task_stack_buffer, &stack_buffer, sizeof stack_buffer);
    void *const task_stack = find_symbol(library, "jl_active_task_stack");
    memcpy(&julia.active_task_stack, &task_stack, sizeof task_stack);
    memcpy(&julia.lookup_code_address, &look_up, sizeof look_up);
    void *const eqtable_get = find_symbol(library, "jl_eqtable_get");
    void *const uncompress = find_symbol(library, "jl_uncompress1_codeloc");
    memcpy(&julia.eqtable_get, &eqtable_get, sizeof eqtable_get);
    memcpy(&julia.uncompress_code_place, &uncompress, sizeof uncompress);
    return true;
}

static bool bind_types(const char **reason)
{
    const struct binding objects[] = {
        {"jl_core_module", &julia.core},
        {"jl_base_module", &julia.base},
        {"jl_main_module", &julia.main},
        {"jl_datatype_type", &julia.datatype_type},
        {"jl_unionall_type", &julia.unionall_type},
        {"jl_uniontype_type", &julia.uniontype_type},
        {"jl_tvar_type", &julia.tvar_type},
        {"jl_symbol_type", &julia.symbol_type},
        {"jl_string_type", &julia.string_type},
        {"jl_module_type", &julia.module_type},
        {"jl_method_type", &julia.method_type},
        {"jl_int64_type", &julia.int64_type},
        {"jl_simplevector_type", &julia.simplevector_type},
        {"jl_typeofbottom_type", &julia.typeofbottom_type},
        {"jl_method_instance_type", &julia.method_instance_type},
        {"jl_typemap_entry_type", &julia.typemap_entry_type},
        {"jl_code_instance_type", &julia.code_instance_type},
        {"jl_vararg_type", &julia.vararg_type},
        {"jl_typename_type", &julia.typename_type},
        {"jl_function_type", &julia.function_type},
        {"jl_bottom_type", &julia.bottom},
        {"jl_array_any_type", &julia.array_any_type},
        {"jl_intrinsic_type", &julia.intrinsic_type},
        {"jl_code_info_type", &julia.code_info_type},
        {"jl_nothing", &julia.nothing},
    };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        jl_any *const found = find_symbol(library, objects[i].name);
        if (found == NULL || *found == NULL) {
            *reason = "this Julia lacks a type that recording needs";
            return false;
        }
        memcpy(objects[i].slot, found, sizeof *found);
    }
    return true;
}

/* The size of a field of an integer type: `line` of LineInfoNode was Int before it became Int32. */
static size_t field_size(jl_any datatype, const char *name)
{
    const int index = julia.field_index(datatype, julia.symbol_lookup(name), 0);
    jl_any const types = load_ptr(datatype, julia.at.dt_types);
    return (size_t)datatype_size(svec_at(types, (size_t)index));
}

/* From a field to the one behind it: more than a pointer when a struct lies inline. */
static size_t field_span(jl_any datatype, const char *name)
{
    const int index = julia.field_index(datatype, julia.symbol_lookup(name), 0);
    return julia.get_field_offset(datatype, index + 2) -
           julia.get_field_offset(datatype, index + 1);
}

/* The offset of a field of `datatype`; `*ok` becomes false when there is none of that name. */
static julia_offset field(jl_any datatype, const char *name, bool *ok)
{
    jl_any const symbol = julia.symbol_lookup(name);
    const int index = symbol == NULL ? -1 : julia.field_index(datatype, symbol, 0);
    const size_t offset = index < 0 ? SIZE_MAX : julia.get_field_offset(datatype, index + 1);
    if (offset > UINT16_MAX) {
        *ok = false;
        return 0;
    }
    return (julia_offset)offset;
}

static struct julia_bits flag(jl_any datatype, struct julia_flag wanted, bool *ok)
{
    const struct julia_bits bits = {.offset = field(datatype, wanted.field, ok),
                                    .mask = wanted.mask};
    return bits;
}

static jl_any global(jl_any module, const char *name)
{
    jl_any const symbol = julia.symbol_lookup(name);
    return symbol == NULL ? NULL : julia.get_global(module, symbol);
}

static void measure_types(bool *ok)
{
    jl_any const dt = julia.datatype_type;
    jl_any const tn = julia.typename_type;
    jl_any const tv = julia.tvar_type;

    julia.at.dt_name = field(dt, "name", ok);
    julia.at.dt_super = field(dt, "super", ok);
    julia.at.dt_parameters = field(dt, "parameters", ok);
    julia.at.dt_types = field(dt, "types", ok);
    julia.at.dt_instance = field(dt, "instance", ok);
    julia.at.dt_layout = field(dt, "layout", ok);
    julia.at.dt_size = julia.row->size_in_layout ? 0 : field(dt, "size", ok);
    julia.at.dt_abstract = flag(julia.row->kind_in_typename ? tn : dt, julia.row->is_abstract, ok);
    julia.at.dt_mutable = flag(julia.row->kind_in_typename ? tn : dt, julia.row->is_mutable, ok);
    julia.at.dt_concrete = flag(dt, julia.row->is_concrete, ok);
    julia.at.dt_isbits = flag(dt, julia.row->is_bits, ok);
    julia.at.tn_name = field(tn, "name", ok);
    julia.at.tn_module = field(tn, "module", ok);
    julia.at.tn_wrapper = field(tn, "wrapper", ok);
    julia.at.tn_mt = field(tn, julia.row->one_method_table ? "singletonname" : "mt", ok);
    julia.at.tn_names = field(tn, "names", ok);
    if (julia.row->vararg_is_object) {
        julia.at.vararg_type = field(julia.vararg_type, "T", ok);
        julia.at.vararg_count = field(julia.vararg_type, "N", ok);
    }
    julia.at.ua_var = field(julia.unionall_type, "var", ok);
    julia.at.ua_body = field(julia.unionall_type, "body", ok);
    julia.at.un_a = field(julia.uniontype_type, "a", ok);
    julia.at.un_b = field(julia.uniontype_type, "b", ok);
    julia.at.tv_name = field(tv, "name", ok);
    julia.at.tv_lower = field(tv, "lb", ok);
    julia.at.tv_upper = field(tv, "ub", ok);
}

static void measure_debuginfo(bool *ok)
{
    jl_any const info = global(julia.core, "DebugInfo");
    if (info == NULL || julia.uncompress_code_place == NULL) {
        *ok = false;
        return;
    }
    julia.at.codeinfo_debuginfo = field(julia.code_info_type, "debuginfo", ok);
    julia.at.debuginfo_def = field(info, "def", ok);
    julia.at.debuginfo_table = field(info, "linetable", ok);
    julia.at.debuginfo_places = field(info, "codelocs", ok);
}

static void measure_partitions(bool *ok)
{
    jl_any const partition = global(julia.core, "BindingPartition");
    if (!julia.row->binding_has_partitions) {
        return;
    }
    if (partition == NULL) {
        *ok = false;
        return;
    }
    julia.at.partition_restriction = field(partition, "restriction", ok);
    julia.at.partition_min_world = field(partition, "min_world", ok);
    julia.at.partition_max_world = field(partition, "max_world", ok);
    julia.at.partition_next = field(partition, "next", ok);
    julia.at.partition_kind = field(partition, "kind", ok);
}

static void measure_methods(bool *ok)
{
    jl_any const mi = julia.method_instance_type;
    jl_any const m = julia.method_type;
    jl_any const tme = julia.typemap_entry_type;
    jl_any const mt = global(julia.core, "MethodTable");
    jl_any const ci = global(julia.core, "CodeInstance");
    jl_any const line = global(julia.core, "LineInfoNode");

    julia.line_type = line;
    if (mt == NULL || ci == NULL || line == NULL) {
        *ok = false;
        return;
    }
    julia.at.mt_name = field(mt, "name", ok);
    julia.at.mt_defs = field(mt, "defs", ok);
    julia.at.tme_next = field(tme, "next", ok);
    julia.at.tme_sig = field(tme, "sig", ok);
    julia.at.tme_func = field(tme, "func", ok);
    julia.at.mi_def = field(mi, "def", ok);
    julia.at.mi_spec = field(mi, "specTypes", ok);
    julia.at.mi_cache = field(mi, "cache", ok);
    julia.at.mi_source =
        julia.row->thunk_source == NULL ? 0 : field(mi, julia.row->thunk_source, ok);
    julia.at.ci_next = field(ci, "next", ok);
    julia.at.ci_min_world = field(ci, "min_world", ok);
    julia.at.ci_max_world = field(ci, "max_world", ok);
    julia.at.ci_specsig = flag(ci, julia.row->is_specsig, ok);
    julia.at.ci_invoke = field(ci, "invoke", ok);
    julia.at.ci_specptr = field(ci, "specptr", ok);
    julia.at.ci_def = field(ci, "def", ok);
    julia.at.ci_rettype = field(ci, "rettype", ok);
    julia.at.ci_inferred = field(ci, "inferred", ok);
    julia.at.ci_owner = julia.row->code_has_owner ? field(ci, "owner", ok) : 0;
    julia.at.m_name = field(m, "name", ok);
    julia.at.m_module = field(m, "module", ok);
    julia.at.m_file = field(m, "file", ok);
    julia.at.m_line = field(m, "line", ok);
    julia.at.m_world = field(m, "primary_world", ok);
    julia.at.m_sig = field(m, "sig", ok);
    julia.at.m_specializations = field(m, "specializations", ok);
    julia.at.m_nargs = field(m, "nargs", ok);
    julia.at.m_isva = field(m, "isva", ok);
    julia.at.m_generator = field(m, "generator", ok);
    if (julia.row->has_debuginfo) {
        measure_debuginfo(ok);
    } else {
        julia.at.codeinfo_linetable = field(julia.code_info_type, "linetable", ok);
    }
    julia.at.line_file = field(line, "file", ok);
    julia.at.line_line = field(line, "line", ok);
    julia.at.line_line_size = field_size(line, "line");
}

static void measure_frames(bool *ok)
{
    jl_any const frame = global(julia.compiler, "InferenceState");
    jl_any const result = global(julia.compiler, "InferenceResult");

    if (frame == NULL || result == NULL) {
        *ok = false;
        return;
    }
    julia.frame_type = frame;
    julia.result_type = result;
    julia.at.frame_instance = field(frame, "linfo", ok);
    julia.at.frame_result = field(frame, "result", ok);
    if (julia.row->frame_source != NULL) {
        julia.at.frame_source = field(frame, julia.row->frame_source, ok);
    }
    if (julia.row->takes_turns) {
        julia.at.frame_callstack = field(frame, "callstack", ok);
        julia.at.frame_parentid = field(frame, "parentid", ok);
    }
    julia.at.result_argtypes = field(result, "argtypes", ok);
    julia.at.result_overridden = field(result, "overridden_by_const", ok);
    julia.at.bitvector_chunks =
        0; /* BitArray's first field, `chunks`; it has a free parameter, so no layout to ask */
}

static bool has_target(enum target_kind kind)
{
    for (size_t i = 0; i < TARGETS_MAX; i++) {
        if (julia.row->targets[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static void measure_semiconcrete(bool *ok)
{
    jl_any const state = global(julia.compiler, "IRInterpretationState");
    jl_any const code = global(julia.compiler, "IRCode");

    if (!has_target(TARGET_SEMICONCRETE)) {
        return;
    }
    if (state == NULL || code == NULL) {
        *ok = false;
        return;
    }
    julia.semiconcrete_type = state;
    if (julia.row->takes_turns) {
        julia.at.irsv_callstack = field(state, "callstack", ok);
        julia.at.irsv_parentid = field(state, "parentid", ok);
    }
    julia.at.irsv_instance = field(state, "mi", ok);
    julia.at.irsv_ir = field(state, "ir", ok);
    julia.at.irsv_ir_is_inline = field_span(state, "ir") > sizeof(jl_any);
    julia.at.ir_argtypes = field(code, "argtypes", ok);
}

static void measure_lattice(bool *ok)
{
    julia.const_type = global(julia.compiler, "Const");
    julia.partialstruct_type = global(julia.compiler, "PartialStruct");
    if (julia.const_type == NULL || julia.partialstruct_type == NULL) {
        *ok = false;
        return;
    }
    julia.at.const_val = field(julia.const_type, "val", ok);
    julia.at.partial_type = field(julia.partialstruct_type, "typ", ok);
    julia.at.partial_fields = field(julia.partialstruct_type, "fields", ok);
}

static void measure_options(bool *ok)
{
    jl_any const options = global(julia.base, "JLOptions");
    jl_any const globalref = global(julia.core, "GlobalRef");

    if (options == NULL || globalref == NULL) {
        *ok = false;
        return;
    }
    julia.at.option_bindir = field(options, "julia_bindir", ok);
    julia.at.option_image = field(options, "image_file", ok);
    julia.at.option_compile = field(options, "compile_enabled", ok);
    julia.at.globalref_name = field(globalref, "name", ok);
}

/* The TypeName of a type that may be a UnionAll. */
static jl_any typename_of(jl_any type)
{
    while (type != NULL && type_of(type) == julia.unionall_type) {
        type = load_ptr(type, julia.at.ua_body);
    }
    return type == NULL ? NULL : load_ptr(type, julia.at.dt_name);
}

static bool parse_version(const char *text)
{
    int *const parts[] = {&julia.major, &julia.minor, &julia.patch};
    for (size_t i = 0; i < 3; i++) {
        *parts[i] = 0;
        if (*text < '0' || *text > '9') {
            return false;
        }
        while (*text >= '0' && *text <= '9') {
            *parts[i] = *parts[i] * 10 + (*text++ - '0');
        }
        if (*text == '.') {
            text++;
        }
    }
    return true;
}

bool julia_is_guess(void)
{
    return julia.row != NULL && julia.row->minor != julia.minor;
}

const char *julia_reason(const char *reason)
{
    static char text[256];

    if (!julia_is_guess()) {
        return reason;
    }
    text[0] = '\0';
    phrase_add(text, sizeof text, "Julia ");
    phrase_add(text, sizeof text, julia.ver_string());
    phrase_add(text, sizeof text, " is newer than what this snoopi knows and was tried as ");
    phrase_add_number(text, sizeof text, (uint64_t)julia.row->major);
    phrase_add(text, sizeof text, ".");
    phrase_add_number(text, sizeof text, (uint64_t)julia.row->minor);
    phrase_add(text, sizeof text, ": ");
    phrase_add(text, sizeof text, reason);
    return text;
}

static bool choose_row(const char **reason)
{
    static char text[96];

    text[0] = '\0';
    if (!parse_version(julia.ver_string())) {
        *reason = "the version of this Julia could not be read";
        return false;
    }
    julia.row = julia_row_near(julia.major, julia.minor);
    if (julia.row == NULL) {
        phrase_add(text, sizeof text - sizeof " is not supported", "Julia ");
        phrase_add(text, sizeof text - sizeof " is not supported", julia.ver_string());
        phrase_add(text, sizeof text, " is not supported");
        *reason = text;
    }
    return julia.row != NULL;
}

/* Whether a name is bound to a type, as far as that can be seen: with several threads its module may be locked. */
static bool names_type(jl_any module, jl_any symbol, jl_any type)
{
    jl_any const bound = binding_find(module, symbol).value;
    return bound == type || (bound == NULL && *julia.n_threads > 1);
}

/* Whether what was found says of some well known types what is so: a guard against a version whose row is wrong. */
static bool is_plausible(void)
{
    jl_any const number = global(julia.core, "Int64");
    jl_any const abstract = global(julia.core, "Integer");
    jl_any const symbol = julia.symbol_lookup("Int64");

    if (number == NULL || abstract == NULL || type_of(number) != julia.datatype_type ||
        type_of(abstract) != julia.datatype_type || type_of(symbol) != julia.symbol_type) {
        return false;
    }
    return load_flag(number, julia.at.dt_concrete) && load_flag(number, julia.at.dt_isbits) &&
           !datatype_is_abstract(number) && !datatype_is_mutable(number) &&
           datatype_is_abstract(abstract) && !load_flag(abstract, julia.at.dt_concrete) &&
           datatype_size(number) == 8 && datatype_is_mutable(julia.datatype_type) &&
           names_type(julia.core, symbol, number);
}

bool julia_bind(const char **reason)
{
    bool ok = true;

    if (!bind_functions(reason) || !choose_row(reason) || !bind_types(reason)) {
        return false;
    }
    if (julia.row->has_small_type_tags) {
        julia.small_typeof = find_symbol(library, "jl_small_typeof");
    }
    julia.compiler = global(julia.core, "Compiler");
    if (julia.compiler == NULL) {
        *reason = "this Julia has no compiler in its image";
        return false;
    }
    measure_types(&ok);
    measure_methods(&ok);
    measure_partitions(&ok);
    measure_frames(&ok);
    measure_semiconcrete(&ok);
    measure_lattice(&ok);
    measure_options(&ok);
    if (!ok) {
        *reason = "the compiler's data is not laid out as this version of Julia has it";
        return false;
    }
    if (!is_plausible()) {
        *reason = "this Julia's data is not laid out as its version has it";
        return false;
    }
    julia.return_type_function = global(julia.compiler, "_return_type");
    julia.tuple_typename = typename_of(global(julia.core, "Tuple"));
    julia.type_typename = typename_of(global(julia.core, "Type"));
    julia.namedtuple_typename = typename_of(global(julia.core, "NamedTuple"));
    julia.unionall_typename = typename_of(julia.unionall_type);
    julia.vararg_typename = julia.row->vararg_is_object ? NULL : typename_of(julia.vararg_type);
    return true;
}
