// SPDX-License-Identifier: MIT
// Whose code a method is: its function as the user wrote it, its module and package. See names.h.
#include <string.h>

#include "names.h"
#include "typegraph.h"

static const def_method *method_at(const snoopi__defs *defs, uint32_t id)
{
    static const def_method none = {0};
    return id < defs->n_methods ? &defs->methods[id] : &none;
}

uint32_t snoopi__module_of(const snoopi__defs *defs, uint32_t instance)
{
    if (instance >= defs->n_instances) {
        return 0;
    }
    const def_instance *def = &defs->instances[instance];
    return def->kind == WIRE_INSTANCE_TOPLEVEL ? def->module : method_at(defs, def->method)->module;
}

uint32_t snoopi__package_of(const snoopi__defs *defs, uint32_t module)
{
    const def_module *m = snoopi__module(defs, module);
    while (m->parent && m->parent < module) {
        module = m->parent;
        m = snoopi__module(defs, module);
    }
    return m->name;
}

// --- names that Julia made ---

typedef struct {
    const char *text;
    size_t size;
} slice;

static size_t count_digits(slice s)
{
    size_t n = 0;
    while (n < s.size && s.text[n] >= '0' && s.text[n] <= '9') {
        n++;
    }
    return n;
}

static bool is_number(slice s)
{
    return s.size > 0 && count_digits(s) == s.size;
}

static slice without_hashes(slice s)
{
    while (s.size > 0 && s.text[0] == '#') {
        s.text++;
        s.size--;
    }
    return s;
}

// Splits `#NAME#12`, with one or two `#` before: the name of what was made for NAME. Without a number at the end, false.
static bool split_numbered(slice whole, slice *name)
{
    const slice bare = without_hashes(whole);
    const char *hash =
        bare.size && bare.size < whole.size ? memrchr(bare.text, '#', bare.size) : NULL;
    if (!hash || hash == bare.text) {
        return false;
    }
    const size_t size = (size_t)(hash - bare.text);
    const slice number = {hash + 1, bare.size - size - 1};
    *name = (slice){bare.text, size};
    return is_number(number);
}

// s14: lowering's gensym for the body of a generator.
static bool is_generator_name(slice name)
{
    return name.size > 1 && name.text[0] == 's' && is_number((slice){name.text + 1, name.size - 1});
}

static bool ends_with(slice whole, const char *end)
{
    const size_t n = strlen(end);
    return whole.size >= n && memcmp(whole.text + whole.size - n, end, n) == 0;
}

// The name of what is called when something of the type `node` is: of the function, or of the type if it is a constructor's or
// has values that can be called. A string; 0 if it can't be told.
static uint32_t callee_name(const snoopi__defs *defs, uint32_t node)
{
    enum { MAX_STEPS = 100 }; // Type{S} where S<:T where …
    for (int i = 0; i < MAX_STEPS; i++) {
        const def_node *n = snoopi__node(defs, node);
        const def_typename *tn = snoopi__typename(defs, n->a);
        switch (n->form) {
        case WIRE_FORM_UNIONALL: node = n->b; break;
        case WIRE_FORM_TYPEVAR: node = n->c; break;
        case WIRE_FORM_DATATYPE:
            if (tn->flags & WIRE_TN_TYPE && n->n == 1) {
                node = n->kids[0];
                break;
            }
            return tn->flags & WIRE_TN_FUNCTION && tn->mt_name ? tn->mt_name : tn->name;
        default: return 0;
        }
    }
    return 0;
}

// What sorts the keywords of F is a method of `f##kw` (to 1.8) or `kwcall` (from 1.9), and its signature is
// Tuple{typeof(f##kw), Any, F, …}. The name of F; 0 if the method is none such.
static uint32_t sorted_function(const snoopi__defs *defs, const def_method *method)
{
    const def_string *name = snoopi__string(defs, method->name);
    if (!ends_with((slice){name->text, name->size}, "##kw") &&
        !snoopi__string_is(defs, method->name, "kwcall")) {
        return 0;
    }
    uint32_t id = method->sig;
    const def_node *sig = snoopi__node(defs, id);
    while (sig->form == WIRE_FORM_UNIONALL && sig->b < id) {
        id = sig->b;
        sig = snoopi__node(defs, id);
    }
    return sig->form == WIRE_FORM_DATATYPE && sig->n >= 3 ? callee_name(defs, sig->kids[2]) : 0;
}

// The name before the marks that Julia adds. What was never named stays as it is: closures (`#12`), generators, and the bodies of
// callable values with keywords (`#_#12`).
static slice demangled(slice whole)
{
    slice name;
    if (split_numbered(whole, &name)) {
        if (is_number(name)) {
            return (slice){name.text - 1, name.size + 1}; // body of the closure #12
        }
        const bool is_unnamed = is_generator_name(name) || (name.size == 1 && name.text[0] == '_');
        return is_unnamed || memchr(name.text, '#', name.size) ? whole : name;
    }
    const char *hash =
        whole.size && whole.text[0] != '#' ? memchr(whole.text, '#', whole.size) : NULL;
    if (hash) {
        return (slice){whole.text, (size_t)(hash - whole.text)}; // Base.demangle_function_name
    }
    return whole;
}

void snoopi__put_function(snoopi__text *out, const snoopi__defs *defs, uint32_t method)
{
    const def_method *def = method_at(defs, method);
    const uint32_t sorted = sorted_function(defs, def);
    const def_string *name = snoopi__string(defs, sorted ? sorted : def->name);
    const slice function = demangled((slice){name->text, name->size});
    snoopi__text_put(out, function.text, function.size);
}
