// SPDX-License-Identifier: MIT
// See strided.h. StridedArray{T,N} is a union of four, of which all but the first are wrapped in where-clauses:
//
//     DenseArray{T,N} · Base.ReinterpretArray{T,N,S,A} · Base.ReshapedArray{T,N,A,MI} · SubArray{T,N,A,I,L}
//
// where A is bound by a union that itself has DenseArray. StridedVecOrMat{T} is eight: those for N = 1 and N = 2. Base compares
// with `==` and `<:`; here the shape is compared, which nothing but these aliases has.
#include "strided.h"

enum { MAX_LEAVES = 256, N_MEMBERS = 4 };

static const struct {
    const char *name;
    uint32_t n_parameters;
    uint32_t parent; /* which parameter is A */
} members[N_MEMBERS] = {
    {"DenseArray", 2, 0}, {"ReinterpretArray", 4, 3}, {"ReshapedArray", 4, 2}, {"SubArray", 5, 2}};

typedef struct {
    uint32_t node[MAX_LEAVES];
    uint32_t n;
    bool is_all;
} leaves;

// The types of nested unions, from the left.
static leaves flatten(const snoopi__defs *defs, uint32_t node)
{
    leaves found = {.n = 0, .is_all = true};
    uint32_t waiting[MAX_LEAVES];
    uint32_t n_waiting = 0;
    waiting[n_waiting++] = node;
    while (n_waiting > 0) {
        const uint32_t id = waiting[--n_waiting];
        const def_node *n = snoopi__node(defs, id);
        if (found.n == MAX_LEAVES || n_waiting + 2 > MAX_LEAVES) {
            found.is_all = false;
            break;
        }
        if (n->form == WIRE_FORM_UNION) {
            waiting[n_waiting++] = n->b;
            waiting[n_waiting++] = n->a;
        } else {
            found.node[found.n++] = id;
        }
    }
    return found;
}

static bool is_named(const snoopi__defs *defs, const def_node *type, const char *name)
{
    const def_typename *tn = snoopi__typename(defs, type->a);
    return type->form == WIRE_FORM_DATATYPE && (snoopi__typename_is(defs, tn, "Base", name) ||
                                                snoopi__typename_is(defs, tn, "Core", name));
}

static uint32_t unwrap(const snoopi__defs *defs, uint32_t node)
{
    const def_node *n = snoopi__node(defs, node);
    while (n->form == WIRE_FORM_UNIONALL && n->b < node) {
        node = n->b;
        n = snoopi__node(defs, node);
    }
    return node;
}

// Whether a variable is bound by a union that has DenseArray.
static bool is_strided_parent(const snoopi__defs *defs, uint32_t variable)
{
    const def_node *v = snoopi__node(defs, variable);
    if (v->form != WIRE_FORM_TYPEVAR || snoopi__node(defs, v->c)->form != WIRE_FORM_UNION) {
        return false;
    }
    const leaves bounds = flatten(defs, v->c);
    for (uint32_t i = 0; i < bounds.n; i++) {
        if (is_named(defs, snoopi__node(defs, unwrap(defs, bounds.node[i])), "DenseArray")) {
            return true;
        }
    }
    return false;
}

// Which member of StridedArray{T,N} a type is; −1 if it is none.
static int member_of(snoopi__printer *printer, uint32_t node, uint32_t eltype, uint32_t ndims)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *type = snoopi__node(defs, unwrap(defs, node));
    for (int i = 0; i < N_MEMBERS; i++) {
        if (is_named(defs, type, members[i].name) && type->n == members[i].n_parameters &&
            (i == 0 || is_strided_parent(defs, type->kids[members[i].parent])) &&
            snoopi__is_egal(printer->graph, type->kids[0], eltype) &&
            snoopi__is_egal(printer->graph, type->kids[1], ndims)) {
            return i;
        }
    }
    return -1;
}

static uint32_t ndims_of(const snoopi__defs *defs, uint32_t node)
{
    const def_node *type = snoopi__node(defs, unwrap(defs, node));
    return type->form == WIRE_FORM_DATATYPE && type->n > 1 ? type->kids[1] : 0;
}

// Whether the type at `ndims` is the Int64 `value`.
static bool is_number(const snoopi__defs *defs, uint32_t ndims, unsigned char value)
{
    const def_node *n = snoopi__node(defs, ndims);
    return n->form == WIRE_FORM_BITS && n->n > 0 && n->bits[0] == value;
}

// Pushes "StridedArray{T, N}".
static void push_alias(snoopi__printer *printer, uint32_t eltype, uint32_t ndims, uint16_t depth)
{
    snoopi__push_text(printer, "}");
    if (ndims) {
        snoopi__push_show(printer, ndims, depth);
        snoopi__push_text(printer, ", ");
    }
    snoopi__push_show(printer, eltype, depth);
    snoopi__push_text(printer, ndims ? "StridedArray{" : "StridedVecOrMat{");
}

// Whether the leaves are just those of StridedVecOrMat{T}.
static bool is_vec_or_mat(snoopi__printer *printer, const leaves *all, uint32_t eltype)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const uint32_t ndims = ndims_of(printer->defs, all->node[i]);
        const int member = member_of(printer, all->node[i], eltype, ndims);
        const bool is_vector = is_number(printer->defs, ndims, 1);
        if (member < 0 || !(is_vector || is_number(printer->defs, ndims, 2))) {
            return false;
        }
        found |= 1u << (member + (is_vector ? 0 : N_MEMBERS));
    }
    return all->n == 2 * N_MEMBERS && found == (1u << 2 * N_MEMBERS) - 1;
}

bool snoopi__show_strided(snoopi__printer *printer, uint32_t node, uint16_t depth)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *dense = snoopi__node(defs, snoopi__node(defs, node)->a);
    if (!is_named(defs, dense, "DenseArray") || dense->n != 2) {
        return false;
    }
    const uint32_t eltype = dense->kids[0];
    const uint32_t ndims = dense->kids[1];
    const leaves all = flatten(defs, node);
    if (!all.is_all) {
        return false;
    }
    uint32_t rest[MAX_LEAVES];
    uint32_t n_rest = 0;
    unsigned found = 0;
    for (uint32_t i = 0; i < all.n; i++) {
        const int member = member_of(printer, all.node[i], eltype, ndims);
        if (member >= 0) {
            found |= 1u << member;
        } else {
            rest[n_rest++] = all.node[i];
        }
    }
    if (found != (1u << N_MEMBERS) - 1) {
        return false;
    }
    if (n_rest == 0) {
        push_alias(printer, eltype, ndims, depth);
    } else if (is_vec_or_mat(printer, &all, eltype)) {
        push_alias(printer, eltype, 0, depth);
    } else {
        snoopi__push_text(printer, "}");
        while (n_rest > 0) {
            snoopi__push_show(printer, rest[--n_rest], depth);
            snoopi__push_text(printer, ", ");
        }
        push_alias(printer, eltype, ndims, depth);
        snoopi__push_text(printer, "Union{");
    }
    return true;
}
