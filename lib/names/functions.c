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

bool snoopi__is_generator(const snoopi__defs *defs, uint32_t method)
{
    const def_method *def = method_at(defs, method);
    const def_string *string = snoopi__string(defs, def->name);
    slice name;
    return def->flags & WIRE_METHOD_GENERATOR ||
           (split_numbered((slice){string->text, string->size}, &name) && is_generator_name(name));
}

// Whether a name ends with `##kw`, and what stands before.
static bool split_sorter(slice whole, slice *name)
{
    static const char end[] = "##kw";
    const size_t n = sizeof end - 1;
    if (whole.size <= n || memcmp(whole.text + whole.size - n, end, n) != 0) {
        return false;
    }
    *name = (slice){whole.text, whole.size - n};
    return true;
}

static void put(snoopi__text *out, slice s)
{
    snoopi__text_put(out, s.text, s.size);
}

// A closure's name says where it was made: `#12#34` and `#inner#5` without more stay what they are.
static void put_demangled(snoopi__text *out, slice whole)
{
    slice name;
    if (split_sorter(whole, &name)) {
        const slice bare = without_hashes(name);
        slice inner;
        if (is_number((slice){bare.text, 1}) || split_numbered(name, &inner)) {
            put(out, name); // sorts the keywords of a closure
        } else {
            put(out, bare.size ? bare : name);
        }
    } else if (split_numbered(whole, &name) && !is_number(name) && !is_generator_name(name) &&
               !memchr(name.text, '#', name.size)) {
        put(out, name);
    } else if (whole.size > 0 && whole.text[0] != '#' && memchr(whole.text, '#', whole.size)) {
        const char *hash = memchr(whole.text, '#', whole.size); // Base.demangle_function_name
        put(out, (slice){whole.text, (size_t)(hash - whole.text)});
    } else {
        put(out, whole);
    }
}

// The function whose keywords a method of Core.kwcall (1.9 and later) sorts: the third of Tuple{typeof(kwcall), NamedTuple, F, …}. A
// string; 0 if it is no such method.
static uint32_t sorted_function(const snoopi__defs *defs, const def_method *method)
{
    const def_node *sig = snoopi__node(defs, method->sig);
    for (uint32_t id = method->sig; sig->form == WIRE_FORM_UNIONALL && sig->b < id;) {
        id = sig->b;
        sig = snoopi__node(defs, id);
    }
    if (!snoopi__string_is(defs, method->name, "kwcall") || sig->form != WIRE_FORM_DATATYPE ||
        sig->n < 3) {
        return 0;
    }
    const def_node *function = snoopi__node(defs, sig->kids[2]);
    const def_typename *tn = snoopi__typename_of(defs, sig->kids[2]);
    if (tn->flags & WIRE_TN_TYPE && function->form == WIRE_FORM_DATATYPE && function->n == 1) {
        return snoopi__typename_of(defs, function->kids[0])->name;
    }
    return tn->flags & WIRE_TN_FUNCTION && tn->mt_name ? tn->mt_name : tn->name;
}

void snoopi__put_function(snoopi__text *out, const snoopi__defs *defs, uint32_t method)
{
    const def_method *def = method_at(defs, method);
    const uint32_t sorted = sorted_function(defs, def);
    const def_string *name = snoopi__string(defs, sorted ? sorted : def->name);
    put_demangled(out, (slice){name->text, name->size});
}
