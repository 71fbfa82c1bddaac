// SPDX-License-Identifier: MIT
// See expression.h. It recurses: types nested deeper than DEPTH_MAX are not written.
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "grammar.h"
#include "names/symbols.h"
#include "names/typegraph.h"

enum { DEPTH_MAX = 100, PATH_MAX_MODULES = 32 };

static bool fail(snoopi__expression *e, snoopi_precompile_reason why)
{
    if (!e->has_failed) {
        e->why = why;
        e->has_failed = true;
    }
    return false;
}

static bool put(snoopi__expression *e, const char *text)
{
    snoopi__text_puts(e->out, text);
    return snoopi__text_is_over(e->out) ? fail(e, SNOOPI_PRECOMPILE_NAME) : true;
}

// --- names ---

bool snoopi__is_plain_name(snoopi__syntax syntax, const char *text, size_t size)
{
    return snoopi__is_identifier(syntax, text, size) && !snoopi__is_reserved_word(text, size) &&
           snoopi__is_safe_text(text, size);
}

static bool is_plain(const snoopi__expression *e, const def_string *name)
{
    return snoopi__is_plain_name(e->syntax, name->text, name->size);
}

static bool put_bytes(snoopi__expression *e, const def_string *name)
{
    snoopi__text_put(e->out, name->text, name->size);
    return snoopi__text_is_over(e->out) ? fail(e, SNOOPI_PRECOMPILE_NAME) : true;
}

// What stands behind a dot.
static bool put_component(snoopi__expression *e, const def_string *name)
{
    if (is_plain(e, name)) {
        return put_bytes(e, name);
    }
    if (snoopi__is_operator(e->syntax, name->text, name->size) &&
        snoopi__is_operator_text(name->text, name->size)) {
        return put(e, ":(") && put_bytes(e, name) && put(e, ")");
    }
    if (!snoopi__is_safe_text(name->text, name->size)) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    return put(e, "var\"") && put_bytes(e, name) && put(e, "\"");
}

static void use(snoopi__expression *e, uint16_t package)
{
    e->used.bits[package / 64] |= UINT64_C(1) << package % 64;
}

bool snoopi__expression_put_module(snoopi__expression *e, uint32_t module)
{
    const snoopi__defs *defs = e->defs;
    const uint16_t package = snoopi__package_number(e->packages, module);
    const uint16_t own = snoopi__package_number(e->packages, e->module);
    uint32_t path[PATH_MAX_MODULES];
    size_t n = 0;
    if (package && snoopi__kind_of_package(e->packages, package) == PACKAGE_MAIN) {
        return fail(e, SNOOPI_PRECOMPILE_MAIN);
    }
    if (!snoopi__packages_knows(e->packages, own, package)) {
        return fail(e, package ? SNOOPI_PRECOMPILE_UNKNOWN : SNOOPI_PRECOMPILE_LOST);
    }
    for (uint32_t id = module; id && n < PATH_MAX_MODULES; id = snoopi__module(defs, id)->parent) {
        path[n++] = id;
    }
    if (n == 0) {
        return fail(e, SNOOPI_PRECOMPILE_LOST);
    }
    const def_string *root = snoopi__string(defs, snoopi__module(defs, path[n - 1])->name);
    if (snoopi__module(defs, path[n - 1])->parent || !is_plain(e, root)) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    // A variable can hold one of two packages with the same name.
    const bool is_foreign = package != own;
    const def_module *own_root = snoopi__module(defs, e->packages->root[own]);
    const def_string *own_name = snoopi__string(defs, own_root->name);
    if (is_foreign && root->size == own_name->size &&
        memcmp(root->text, own_name->text, root->size) == 0) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    if (snoopi__kind_of_package(e->packages, package) != PACKAGE_SYSTEM &&
        (is_foreign || e->module != e->packages->root[own])) {
        use(e, package);
    }
    bool is_good = put_bytes(e, root);
    for (n--; n > 0 && is_good; n--) {
        is_good = put(e, ".") &&
                  put_component(e, snoopi__string(defs, snoopi__module(defs, path[n - 1])->name));
    }
    return is_good;
}

// T1, or a package: names that something else than the module's own thing may have in the file.
static bool is_taken(const snoopi__expression *e, const def_string *name)
{
    if (name->size > 1 && name->text[0] == 'T' &&
        strspn(name->text + 1, "0123456789") == name->size - 1) {
        return true;
    }
    for (uint16_t i = 1; i < e->packages->n; i++) {
        const def_string *root =
            snoopi__string(e->defs, snoopi__module(e->defs, e->packages->root[i])->name);
        if (root->size == name->size && memcmp(root->text, name->text, name->size) == 0) {
            return true;
        }
    }
    return false;
}

// What is read as these without a path, since no module makes other things of these names.
static bool is_usual(const def_string *name)
{
    static const char *const words[] = {
        "AbstractArray", "AbstractFloat", "AbstractString", "Any",     "Array",   "Bool",
        "Char",          "DataType",      "DenseArray",     "Float16", "Float32", "Float64",
        "Function",      "Int128",        "Int16",          "Int32",   "Int64",   "Int8",
        "Integer",       "Module",        "NamedTuple",     "Nothing", "Number",  "Real",
        "Signed",        "String",        "Symbol",         "Tuple",   "Type",    "UInt128",
        "UInt16",        "UInt32",        "UInt64",         "UInt8",   "Union",   "Unsigned",
        "Vararg",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == name->size && memcmp(words[i], name->text, name->size) == 0) {
            return true;
        }
    }
    return false;
}

static bool put_path(snoopi__expression *e, uint32_t module, uint32_t name_id)
{
    const def_string *name = snoopi__string(e->defs, name_id);
    const def_module *m = snoopi__module(e->defs, module);
    const bool is_core = !m->parent && snoopi__string_is(e->defs, m->name, "Core");
    if ((is_core && is_usual(name)) ||
        (module == e->module && is_plain(e, name) && !is_taken(e, name) && !is_usual(name))) {
        return put_bytes(e, name);
    }
    return snoopi__expression_put_module(e, module) && put(e, ".") && put_component(e, name);
}

// --- types ---

static bool put_type(snoopi__expression *e, uint32_t id, unsigned depth);

static bool put_kids(snoopi__expression *e, const uint32_t *kids, uint32_t from, uint32_t n,
                     unsigned depth)
{
    for (uint32_t i = from; i < n; i++) {
        if ((i > from && !put(e, ",")) || !put_type(e, kids[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool ends_with(const def_string *name, const char *end)
{
    const size_t size = strlen(end);
    return name->size >= size && memcmp(name->text + name->size - size, end, size) == 0;
}

static bool is_function(const def_typename *tn)
{
    const unsigned both = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION;
    return (tn->flags & both) == both;
}

static bool is_made_up(const def_string *name)
{
    return memchr(name->text, '#', name->size) != NULL;
}

static bool put_datatype(snoopi__expression *e, const def_node *type, unsigned depth)
{
    const def_typename *tn = snoopi__typename(e->defs, type->a);
    const def_string *name = snoopi__string(e->defs, tn->name);
    if (type->n == 0 && is_function(tn)) {
        if (is_made_up(snoopi__string(e->defs, tn->mt_name))) {
            return fail(e, SNOOPI_PRECOMPILE_CLOSURE);
        }
        return put(e, "typeof(") && put_path(e, tn->module, tn->mt_name) && put(e, ")");
    }
    if (tn->flags & WIRE_TN_FUNCTION && is_made_up(name)) {
        return fail(e, SNOOPI_PRECOMPILE_CLOSURE);
    }
    if (!put_path(e, tn->module, tn->name)) {
        return false;
    }
    const bool is_tuple = tn->flags & WIRE_TN_TUPLE;
    if (is_tuple ? type->flags & WIRE_DATATYPE_WRAPPER : type->n == 0) {
        return true;
    }
    return put(e, "{") && put_kids(e, type->kids, 0, type->n, depth) && put(e, "}");
}

static bool put_variable(snoopi__expression *e, uint32_t node)
{
    char name[16];
    for (uint32_t i = e->variables.n; i-- > 0;) {
        if (e->variables.nodes[i] == node) {
            (void)snprintf(name, sizeof name, "T%u", i + 1);
            return put(e, name);
        }
    }
    return fail(e, SNOOPI_PRECOMPILE_NAME); // bound nowhere
}

// Vararg{T,N} where N is Vararg{T}: where-clauses have no place there.
static bool put_open_vararg(snoopi__expression *e, const def_node *node, const def_node *vararg,
                            unsigned depth)
{
    return vararg->kids[0] != node->a && put(e, "Vararg{") &&
           put_type(e, vararg->kids[0], depth + 1) && put(e, "}");
}

static bool put_unionall(snoopi__expression *e, uint32_t id, const def_node *node, unsigned depth)
{
    const snoopi__defs *defs = e->defs;
    if (node->flags & WIRE_UNIONALL_WRAPPER) {
        const def_typename *tn = snoopi__typename_of(defs, id);
        return put_path(e, tn->module, tn->name);
    }
    const def_node *body = snoopi__node(defs, node->b);
    if (body->form == WIRE_FORM_DATATYPE && body->n == 2 && body->kids[1] == node->a &&
        snoopi__typename(defs, body->a)->flags & WIRE_TN_VARARG) {
        return put_open_vararg(e, node, body, depth);
    }
    const def_node *variable = snoopi__node(defs, node->a);
    if (e->variables.n == sizeof e->variables.nodes / sizeof e->variables.nodes[0]) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    // Its bounds are outside of its scope, but have to be written behind its name: they do not have it.
    e->variables.nodes[e->variables.n++] = node->a;
    bool is_good = put(e, "(") && put_type(e, node->b, depth + 1) && put(e, " where ");
    const bool has_lower = snoopi__node(defs, variable->b)->form != WIRE_FORM_BOTTOM;
    const bool has_upper = !snoopi__is_type(defs, variable->c, "Core", "Any");
    if (has_lower && has_upper) {
        is_good = is_good && put_type(e, variable->b, depth + 1) && put(e, "<:");
    }
    is_good = is_good && put_variable(e, node->a);
    if (has_upper) {
        is_good = is_good && put(e, "<:") && put_type(e, variable->c, depth + 1);
    } else if (has_lower) {
        is_good = is_good && put(e, ">:") && put_type(e, variable->b, depth + 1);
    }
    e->variables.n--;
    return is_good && put(e, ")");
}

static bool put_union(snoopi__expression *e, const def_node *node, unsigned depth)
{
    if (!put(e, "Union{")) {
        return false;
    }
    for (;;) {
        if (!put_type(e, node->a, depth + 1) || !put(e, ",")) {
            return false;
        }
        const def_node *rest = snoopi__node(e->defs, node->b);
        if (rest->form != WIRE_FORM_UNION) {
            return put_type(e, node->b, depth + 1) && put(e, "}");
        }
        node = rest;
    }
}

static bool put_vararg(snoopi__expression *e, const def_node *node, unsigned depth)
{
    if (!node->a) {
        return put(e, "Vararg");
    }
    return put(e, "Vararg{") && put_type(e, node->a, depth + 1) &&
           (!node->b || (put(e, ",") && put_type(e, node->b, depth + 1))) && put(e, "}");
}

// --- values ---

static bool put_number(snoopi__expression *e, const def_node *bits)
{
    static const struct {
        const char *name;
        uint32_t size;
        char kind;
    } types[] = {
        {"Int64", 8, 'i'},  {"Bool", 1, 'b'},   {"Int32", 4, 's'},
        {"Int16", 2, 's'},  {"Int8", 1, 's'},   {"UInt64", 8, 'u'},
        {"UInt32", 4, 'u'}, {"UInt16", 2, 'u'}, {"UInt8", 1, 'u'},
    };
    uint64_t value = 0;
    for (uint32_t i = 0; i < bits->n && i < 8; i++) {
        value |= (uint64_t)bits->bits[i] << (8 * i);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].size != bits->n || !snoopi__is_type(e->defs, bits->a, "Core", types[i].name)) {
            continue;
        }
        char text[64];
        const unsigned unused = 64 - 8 * bits->n;
        const long long number = (long long)(int64_t)(value << unused) >> unused;
        switch (types[i].kind) {
        case 'b': return put(e, value & 1 ? "true" : "false");
        case 'i': (void)snprintf(text, sizeof text, "%lld", number); break;
        case 's': (void)snprintf(text, sizeof text, "%s(%lld)", types[i].name, number); break;
        default:
            (void)snprintf(text, sizeof text, "0x%0*llx", (int)(2 * bits->n),
                           (unsigned long long)value);
            break;
        }
        return put(e, text);
    }
    return fail(e, SNOOPI_PRECOMPILE_VALUE);
}

static bool put_symbol(snoopi__expression *e, const def_string *name)
{
    if (is_plain(e, name)) {
        return put(e, ":") && put_bytes(e, name);
    }
    if (!snoopi__is_safe_text(name->text, name->size) || memchr(name->text, '$', name->size)) {
        return fail(e, SNOOPI_PRECOMPILE_VALUE);
    }
    return put(e, "Symbol(\"") && put_bytes(e, name) && put(e, "\")");
}

static bool put_singleton(snoopi__expression *e, const def_node *value)
{
    const def_typename *tn = snoopi__typename_of(e->defs, value->a);
    if (tn->flags & WIRE_TN_TUPLE) {
        return put(e, "()");
    }
    if (snoopi__typename_is(e->defs, tn, "Core", "Nothing")) {
        return put(e, "nothing");
    }
    if (is_function(tn) && !is_made_up(snoopi__string(e->defs, tn->mt_name))) {
        return put_path(e, tn->module, tn->mt_name);
    }
    return fail(e,
                tn->flags & WIRE_TN_FUNCTION ? SNOOPI_PRECOMPILE_CLOSURE : SNOOPI_PRECOMPILE_VALUE);
}

static bool put_value(snoopi__expression *e, const def_node *value, unsigned depth)
{
    switch (value->form) {
    case WIRE_FORM_BITS: return put_number(e, value);
    case WIRE_FORM_SYMBOL: return put_symbol(e, snoopi__string(e->defs, value->a));
    case WIRE_FORM_SINGLETON: return put_singleton(e, value);
    case WIRE_FORM_MODULE: return snoopi__expression_put_module(e, value->a);
    case WIRE_FORM_CONST_TYPE: return put_type(e, value->a, depth + 1);
    case WIRE_FORM_STRUCT:
        if (value->n > 0 && snoopi__typename_of(e->defs, value->a)->flags & WIRE_TN_TUPLE) {
            return put(e, "(") && put_kids(e, value->kids, 0, value->n, depth) &&
                   put(e, value->n == 1 ? ",)" : ")");
        }
        return fail(e, SNOOPI_PRECOMPILE_VALUE);
    case WIRE_FORM_CUT:
    case 0: return fail(e, SNOOPI_PRECOMPILE_LOST);
    default: return fail(e, SNOOPI_PRECOMPILE_VALUE);
    }
}

static bool put_type(snoopi__expression *e, uint32_t id, unsigned depth)
{
    const def_node *node = snoopi__node(e->defs, id);
    if (depth > DEPTH_MAX) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    switch (node->form) {
    case WIRE_FORM_DATATYPE: return put_datatype(e, node, depth);
    case WIRE_FORM_UNIONALL: return put_unionall(e, id, node, depth);
    case WIRE_FORM_UNION: return put_union(e, node, depth);
    case WIRE_FORM_TYPEVAR: return put_variable(e, id);
    case WIRE_FORM_BOTTOM: return put(e, "Union{}");
    case WIRE_FORM_VARARG: return put_vararg(e, node, depth);
    default: return put_value(e, node, depth);
    }
}

// --- calls ---

// `#f#12`, of the body of f: the name f. Also `#_#12`, of a callable value's; not those of closures, whose name is a number.
static bool split_body_name(const def_string *whole, def_string *name)
{
    const char *hash = whole->size > 2 ? memrchr(whole->text + 1, '#', whole->size - 1) : NULL;
    if (!hash || whole->text[0] != '#' || hash == whole->text + 1) {
        return false;
    }
    *name = (def_string){.text = whole->text + 1, .size = (uint32_t)(hash - whole->text - 1)};
    const size_t digits = whole->size - name->size - 2;
    return digits > 0 && strspn(hash + 1, "0123456789") == digits && !is_made_up(name) &&
           strspn(name->text, "0123456789") < name->size;
}

static bool put_body(snoopi__expression *e, const def_typename *tn, const def_node *signature)
{
    def_string name;
    if (!split_body_name(snoopi__string(e->defs, tn->mt_name), &name)) {
        return fail(e, SNOOPI_PRECOMPILE_CLOSURE);
    }
    if (!is_plain(e, &name)) {
        return fail(e, SNOOPI_PRECOMPILE_NAME);
    }
    return put(e, SNOOPI__BODY_FUNCTION "(") && snoopi__expression_put_module(e, tn->module) &&
           put(e, ",\"") && put_bytes(e, &name) && put(e, "\"") &&
           (signature->n < 2 ||
            (put(e, ",") && put_kids(e, signature->kids, 1, signature->n, 0))) &&
           put(e, ")");
}

bool snoopi__expression_put(snoopi__expression *e, uint32_t instance)
{
    const snoopi__defs *defs = e->defs;
    const uint32_t spec = defs->instances[instance].spec;
    const def_node *tuple = snoopi__node(defs, spec);
    if (tuple->form != WIRE_FORM_DATATYPE || tuple->n == 0) {
        return put(e, "Base.precompile(") && put_type(e, spec, 0) && put(e, ")");
    }
    const def_typename *tn = snoopi__typename_of(defs, tuple->kids[0]);
    const def_string *name = snoopi__string(defs, tn->name);
    if (tn->flags & WIRE_TN_FUNCTION && ends_with(name, "##kw") && tuple->n > 2) {
        return put(e, "Base.precompile(Tuple{Core.kwftype(") && put_type(e, tuple->kids[2], 0) &&
               put(e, "),") && put_kids(e, tuple->kids, 1, tuple->n, 0) && put(e, "})");
    }
    if (is_function(tn) && is_made_up(snoopi__string(defs, tn->mt_name))) {
        return put_body(e, tn, tuple);
    }
    return put(e, "Base.precompile(") && put_type(e, spec, 0) && put(e, ")");
}
