// SPDX-License-Identifier: MIT
//
// From a function's name to the machine code that runs: function → its type → TypeName →
// MethodTable → Method → specializations → CodeInstances.

#include "julia/find.h"

#include "julia/binding.h"

#include <link.h>
#include <string.h>

static const char *type_name(jl_any type)
{
    while (type_of(type) == julia.unionall_type) {
        type = load_ptr(type, julia.at.ua_body);
    }
    if (type_of(type) != julia.datatype_type) {
        return "";
    }
    return julia.symbol_name(load_ptr(load_ptr(type, julia.at.dt_name), julia.at.tn_name));
}

/* How a specialization suits a target. */
struct match {
    bool is_match;
    bool is_foreign;         /* for an interpreter that is not the compiler's own */
    bool has_no_interpreter; /* that one is no argument at all, having no data */
};

/* Whether `type` is an interpreter of a package's or the REPL's own. */
static bool is_foreign_interpreter(jl_any type)
{
    if (type_of(type) != julia.datatype_type || !load_flag(type, julia.at.dt_concrete)) {
        return false;
    }
    for (jl_any super = load_ptr(type, julia.at.dt_super); super != type;
         super = load_ptr(super, julia.at.dt_super)) {
        if (strcmp(type_name(super), "AbstractInterpreter") == 0) {
            return true;
        }
        type = super;
    }
    return false;
}

/* Whether the specialization is for arguments of the types that the target names, and no others.
 * What makes frames is wanted of every interpreter. */
static struct match matches(jl_any instance, const struct julia_target *target)
{
    jl_any spec = load_ptr(instance, julia.at.mi_spec);
    struct match match = {0};
    size_t wanted = 0;

    if (spec == NULL || type_of(spec) != julia.datatype_type) {
        return match;
    }
    jl_any const parameters = load_ptr(spec, julia.at.dt_parameters);
    for (; wanted < TARGET_ARGS_MAX && target->args[wanted] != NULL; wanted++) {
        const char *const name = target->args[wanted];
        jl_any const type =
            svec_length(parameters) < wanted + 2 ? NULL : svec_at(parameters, wanted + 1);
        if (type == NULL) {
            return match;
        }
        if (strcmp(type_name(type), name) == 0) {
            continue;
        }
        if (target_is_entrance(target->kind) || strcmp(name, "NativeInterpreter") != 0 ||
            !is_foreign_interpreter(type)) {
            return match;
        }
        match.is_foreign = true;
        match.has_no_interpreter = load_ptr(type, julia.at.dt_instance) != NULL;
    }
    match.is_match = wanted == 0 || svec_length(parameters) == wanted + 1;
    return match;
}

static size_t add_instance(jl_any instance, const struct julia_target *target,
                           struct compiled_copy *copies, size_t count, size_t capacity)
{
    if (instance == NULL || type_of(instance) != julia.method_instance_type) {
        return count;
    }
    const struct match match = matches(instance, target);
    if (!match.is_match) {
        return count;
    }
    for (jl_any ci = load_ptr(instance, julia.at.mi_cache); ci != NULL && count < capacity;
         ci = load_ptr(ci, julia.at.ci_next)) {
        uint8_t *const code = load_ptr(ci, julia.at.ci_specptr);
        if (code == NULL || !load_flag(ci, julia.at.ci_specsig)) {
            continue;
        }
        copies[count].code = code;
        copies[count].min_world = load_u64(ci, julia.at.ci_min_world);
        copies[count].max_world = load_u64(ci, julia.at.ci_max_world);
        copies[count].is_tooling = match.is_foreign;
        copies[count].is_foreign = match.is_foreign;
        copies[count].frame_register = target->frame_register - (match.has_no_interpreter ? 1 : 0);
        copies[count].wrapper = load_ptr(ci, julia.at.ci_invoke);
        count++;
    }
    return count;
}

static size_t add_method(jl_any method, const struct julia_target *target,
                         struct compiled_copy *copies, size_t count, size_t capacity)
{
    jl_any const all = load_ptr(method, julia.at.m_specializations);

    if (all == NULL) {
        return count;
    }
    if (type_of(all) != julia.simplevector_type) {
        return add_instance(all, target, copies, count, capacity);
    }
    for (size_t i = 0; i < svec_length(all); i++) {
        count = add_instance(svec_at(all, i), target, copies, count, capacity);
    }
    return count;
}

/* What a table of all methods has for functions of a type: in its first level, by the TypeName of what is called, and
 * where several types share one, by the type. A function with few methods has a list. */
static jl_any look_up_methods(jl_any table, jl_any type)
{
    jl_any const level = table == NULL ? NULL : load_ptr(table, julia.at.mt_defs);
    jl_any found = NULL;

    if (level == NULL || type_of(level) == julia.typemap_entry_type || julia.eqtable_get == NULL) {
        return level;
    }
    jl_any const by_name = load_ptr(level, 0); /* arg1 */
    jl_any const name = load_ptr(type, julia.at.dt_name);
    found = julia.eqtable_get(by_name, name, NULL);
    if (found != NULL && type_of(found) == type_of(by_name)) {
        found = julia.eqtable_get(found, type, NULL);
    }
    return found;
}

/* The function of that name; one that begins with a # is the body of a function with keywords, whose name goes on with
 * a number. */
static jl_any find_function(const char *name)
{
    if (name[0] == '#') {
        return binding_with_prefix(julia.compiler, name);
    }
    jl_any const symbol = julia.symbol_lookup(name);
    return symbol == NULL ? NULL : julia.get_global(julia.compiler, symbol);
}

/* A function of the compiler, and the table that has its methods. */
struct methods {
    const char *name;
    jl_any function;
    jl_any table;
};

static struct methods look_for_methods(const char *name)
{
    struct methods found = {.name = name, .function = find_function(name)};

    if (found.function != NULL) {
        found.table =
            julia.row->one_method_table
                ? julia.get_global(julia.core, julia.symbol_lookup("methodtable"))
                : load_ptr(load_ptr(type_of(found.function), julia.at.dt_name), julia.at.tn_mt);
    }
    return found;
}

/* Bindings are asked for once: what runs at exit, on whichever thread, only reads. */
static struct methods find_methods(const char *name)
{
    static struct methods known[2 * TARGETS_MAX];
    size_t i = 0;

    for (; i < sizeof known / sizeof known[0] && known[i].name != NULL; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i];
        }
    }
    const struct methods found = look_for_methods(name);
    if (i < sizeof known / sizeof known[0]) {
        known[i] = found;
    }
    return found;
}

/* The first of the methods as they are now: a new one may come before those that were there. A function with few methods keeps them in a
 * list of entries; those of the compiler are such. */
static jl_any first_method(const char *name)
{
    const struct methods methods = find_methods(name);

    if (methods.table == NULL) {
        return NULL;
    }
    return julia.row->one_method_table ? look_up_methods(methods.table, type_of(methods.function))
                                       : load_ptr(methods.table, julia.at.mt_defs);
}

size_t find_copies(const struct julia_target *target, struct compiled_copy *copies, size_t capacity)
{
    size_t count = 0;

    for (jl_any entry = first_method(target->function);
         entry != NULL && type_of(entry) == julia.typemap_entry_type;
         entry = load_ptr(entry, julia.at.tme_next)) {
        jl_any const method = load_ptr(entry, julia.at.tme_func);
        if (type_of(method) == julia.method_type) {
            count = add_method(method, target, copies, count, capacity);
        }
    }
    /* The copy for the current world serves tools; the one with a closed range of worlds is live. */
    for (size_t i = 0; i < count && count > 1; i++) {
        copies[i].is_tooling = copies[i].is_foreign || copies[i].max_world == UINT64_MAX;
    }
    return count;
}

jl_any find_live_code(jl_any function)
{
    jl_any const table = load_ptr(load_ptr(type_of(function), julia.at.dt_name), julia.at.tn_mt);
    jl_any const entry = table == NULL ? NULL : load_ptr(table, julia.at.mt_defs);

    if (entry == NULL || type_of(entry) != julia.typemap_entry_type) {
        return NULL;
    }
    jl_any instance = load_ptr(load_ptr(entry, julia.at.tme_func), julia.at.m_specializations);
    if (instance != NULL && type_of(instance) == julia.simplevector_type) {
        instance = svec_length(instance) > 0 ? svec_at(instance, 0) : NULL;
    }
    if (instance == NULL || type_of(instance) != julia.method_instance_type) {
        return NULL;
    }
    for (jl_any ci = load_ptr(instance, julia.at.mi_cache); ci != NULL;
         ci = load_ptr(ci, julia.at.ci_next)) {
        if (load_u64(ci, julia.at.ci_max_world) == UINT64_MAX &&
            load_ptr(ci, julia.at.ci_invoke) != NULL) {
            return ci;
        }
    }
    return NULL;
}

/* The binary search table of .eh_frame_hdr (Linux Standard Base, "Exception Frame Header"):
 * sorted pairs of 32-bit offsets from the header, function start and its unwind entry. */
static struct {
    const uint8_t *header;
    const int32_t *table;
    uint32_t count;
    const uint8_t *text_begin;
    const uint8_t *text_end;
} unwind;

static int look_for_object(struct dl_phdr_info *info, size_t size, void *wanted)
{
    const uint8_t *const code = wanted;
    const uint8_t *begin = NULL;
    const uint8_t *end = NULL;
    const uint8_t *header = NULL;

    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const ph = &info->dlpi_phdr[i];
        const uint8_t *const at = (const uint8_t *)(info->dlpi_addr + ph->p_vaddr);
        if (ph->p_type == PT_LOAD && code >= at && code < at + ph->p_memsz) {
            begin = at;
            end = at + ph->p_memsz;
        } else if (ph->p_type == PT_GNU_EH_FRAME) {
            header = at;
        }
    }
    if (begin == NULL || header == NULL) {
        return begin != NULL;
    }
    /* version 1, eh_frame pointer pcrel sdata4, count udata4, table datarel sdata4: what every
     * linker writes */
    static const uint8_t usual[4] = {1, 0x1b, 0x03, 0x3b};
    if (memcmp(header, usual, sizeof usual) != 0) {
        return 1;
    }
    memcpy(&unwind.count, header + 8, sizeof unwind.count);
    unwind.header = header;
    unwind.table = (const int32_t *)(const void *)(header + 12);
    unwind.text_begin = begin;
    unwind.text_end = end;
    return 1;
}

void function_start_prepare(const uint8_t *code)
{
    uint8_t *const wanted = (uint8_t *)(uintptr_t)code;
    (void)dl_iterate_phdr(look_for_object, wanted);
}

bool function_is_in_image(const uint8_t *address)
{
    return unwind.table != NULL && address >= unwind.text_begin && address < unwind.text_end;
}

const uint8_t *function_start(const uint8_t *address)
{
    if (!function_is_in_image(address)) {
        return NULL;
    }
    const int64_t offset = address - unwind.header;
    uint32_t low = 0;
    uint32_t high = unwind.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (unwind.table[2 * (size_t)middle] <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? NULL : unwind.header + unwind.table[2 * (size_t)(low - 1)];
}
