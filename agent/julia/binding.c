// SPDX-License-Identifier: MIT
//
// Reads jl_binding_t and the tables of modules, whose layout the version's row tells. Nothing is
// resolved: a module may learn what a name means only when its own code asks.

#include "julia/binding.h"

#include <string.h>

#include "julia/module_table.h"

/* The binding of a name, or NULL. */
static char *find_binding(jl_any module, jl_any symbol)
{
    if (!julia.row->module_bindings_is_svec) {
        return module_table_find(module, symbol);
    }
    char *const binding = julia.get_module_binding(module, symbol, 0);
    return binding == (char *)1 ? NULL : binding; /* HT_NOTFOUND */
}

/* jl_partition_kind, and flags above it */
enum {
    PARTITION_CONST = 0,
    PARTITION_CONST_IMPORT = 1,
    PARTITION_GLOBAL = 2,
    PARTITION_IMPLICIT_GLOBAL = 3,
    PARTITION_IMPLICIT_CONST = 4,
    PARTITION_EXPLICIT = 5,
    PARTITION_IMPORTED = 6,
    PARTITION_DECLARED = 8,
    PARTITION_BACKDATED_CONST = 11,
    PARTITION_KIND = 0x0f,
    PARTITION_EXPORTED = 0x10,
    PARTITION_DEPRECATED = 0x20
};

/* The partition of the current world, or the one before it, whose flags hold on. NULL: none. */
static jl_any find_partition(char *binding, bool *is_present)
{
    const uint64_t world = julia.get_world_counter();
    jl_any partition = load_ptr(binding, julia.row->binding.owner);

    while (partition != NULL && load_u64(partition, julia.at.partition_min_world) > world) {
        partition = load_ptr(partition, julia.at.partition_next);
    }
    *is_present = partition != NULL && load_u64(partition, julia.at.partition_max_world) >= world;
    return partition;
}

/* A binding of Julia 1.12: follows imports as far as they are resolved. */
static struct binding_view view_partitions(char *binding)
{
    struct binding_view found = {.is_own = true};
    bool is_present = false;
    jl_any partition = find_partition(binding, &is_present);

    if (partition == NULL) {
        return found;
    }
    const uint64_t flags = load_u64(partition, julia.at.partition_kind);
    found.exported = (flags & PARTITION_EXPORTED) != 0;
    found.deprecated = (flags & PARTITION_DEPRECATED) != 0;
    for (int imports = 0; is_present && partition != NULL && imports < 64; imports++) {
        jl_any const restriction = load_ptr(partition, julia.at.partition_restriction);
        const uint64_t kind = load_u64(partition, julia.at.partition_kind) & PARTITION_KIND;
        switch (kind) {
        case PARTITION_IMPLICIT_CONST:
        case PARTITION_CONST_IMPORT:
        case PARTITION_CONST:
        case PARTITION_BACKDATED_CONST:
            found.is_own &= kind == PARTITION_CONST || kind == PARTITION_BACKDATED_CONST;
            found.value = restriction;
            found.owner = restriction;
            found.constant = true;
            return found;
        case PARTITION_GLOBAL:
        case PARTITION_DECLARED:
            found.value = load_ptr(binding, julia.row->binding.value);
            found.owner = binding;
            return found;
        case PARTITION_IMPLICIT_GLOBAL:
        case PARTITION_EXPLICIT:
        case PARTITION_IMPORTED:
            found.is_own = false;
            binding = restriction;
            partition = find_partition(binding, &is_present);
            break;
        default: return found;
        }
    }
    return found;
}

static struct binding_view view_binding(jl_any module, jl_any symbol, char *binding)
{
    struct binding_view found = {0};

    if (julia.row->binding_has_partitions) {
        return view_partitions(binding);
    }
    const uint8_t flags = load_u8(binding, julia.row->binding.flags);
    found.owner = load_ptr(binding, julia.row->binding.owner);
    found.exported = (flags & julia.row->binding.exported) != 0;
    found.deprecated = (flags & julia.row->binding.deprecated) != 0;
    found.is_own = found.owner == (julia.row->binding.owner_is_binding ? binding : module);
    if (found.owner != NULL) { /* imported: the value is the owner's */
        if (julia.row->binding.owner_is_binding) {
            binding = found.owner;
        } else if (found.owner != module) {
            binding = find_binding(found.owner, symbol);
        }
    }
    if (binding != NULL) {
        found.value = load_ptr(binding, julia.row->binding.value);
        found.constant =
            (load_u8(binding, julia.row->binding.constant_at) & julia.row->binding.constant) != 0;
    }
    return found;
}

struct binding_view binding_find(jl_any module, jl_any symbol)
{
    char *const binding = find_binding(module, symbol);
    return binding == NULL ? (struct binding_view){0} : view_binding(module, symbol, binding);
}

static void each_binding(jl_any module, module_table_visitor *visit, void *context)
{
    if (!julia.row->module_bindings_is_svec) {
        module_table_each(module, visit, context);
        return;
    }
    /* A table that is a SimpleVector is replaced when it grows, and so may be read at any time. */
    jl_any const table = load_ptr(module, julia.row->module_bindings);
    for (size_t i = 0; i < svec_length(table); i++) {
        char *const binding = svec_at(table, i);
        if (binding != NULL && binding != julia.nothing &&
            visit(
                load_ptr(load_ptr(binding, julia.row->binding.globalref), julia.at.globalref_name),
                binding, context)) {
            return;
        }
    }
}

struct wanted {
    jl_any type;
    const void *data;
    size_t size;
    jl_any symbol; /* found */
};

static bool is_wanted(jl_any symbol, char *binding, void *context)
{
    struct wanted *const wanted = context;
    jl_any const value = julia.row->binding_has_partitions
                             ? view_partitions(binding).value
                             : load_ptr(binding, julia.row->binding.value);

    if (value == NULL || type_of(value) != wanted->type ||
        memcmp(value, wanted->data, wanted->size) != 0) {
        return false;
    }
    wanted->symbol = symbol;
    return true;
}

jl_any binding_constant_name(jl_any module, jl_any type, const void *data, size_t size)
{
    struct wanted wanted = {.type = type, .data = data, .size = size};
    each_binding(module, is_wanted, &wanted);
    return wanted.symbol;
}

struct each_constant {
    jl_any module;
    void (*visit)(jl_any module, jl_any symbol, jl_any value);
};

static bool visit_constant(jl_any symbol, char *binding, void *context)
{
    const struct each_constant *const each = context;

    if ((load_u8(binding, julia.row->binding.flags) & julia.row->binding.listed) != 0) {
        const struct binding_view view = view_binding(each->module, symbol, binding);
        if (view.value != NULL && view.constant && !view.deprecated) {
            each->visit(each->module, symbol, view.value);
        }
    }
    return false;
}

void binding_each_constant(jl_any module, void (*visit)(jl_any module, jl_any symbol, jl_any value))
{
    struct each_constant each = {.module = module, .visit = visit};
    each_binding(module, visit_constant, &each);
}

struct with_prefix {
    const char *prefix;
    jl_any value;
};

static bool has_prefix(jl_any symbol, char *binding, void *context)
{
    struct with_prefix *const wanted = context;

    if (strncmp(julia.symbol_name(symbol), wanted->prefix, strlen(wanted->prefix)) != 0) {
        return false;
    }
    wanted->value = view_partitions(binding).value;
    return wanted->value != NULL;
}

jl_any binding_with_prefix(jl_any module, const char *prefix)
{
    struct with_prefix wanted = {.prefix = prefix};
    each_binding(module, has_prefix, &wanted);
    return wanted.value;
}
