// SPDX-License-Identifier: MIT
// Roots that a package could have inferred when it was precompiled.
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "shapes.h"

enum { TYPES_DEEP = 64 };

typedef struct {
    snoopi__findings *findings;
    const snoopi__gathered *gathered;
    uint32_t package;     // string: name of the root module
    unsigned char *known; // by node
} package;

// The root module's name, as a string id.
static uint32_t root_name(const snoopi__defs *defs, uint32_t module)
{
    while (module && defs->modules[module].parent) {
        module = defs->modules[module].parent; // smaller ids, so this ends
    }
    return module ? defs->modules[module].name : 0;
}

static bool is_name(const snoopi__defs *defs, uint32_t string, const char *name)
{
    return strcmp(snoopi__defs_text(defs, string), name) == 0;
}

// What is known of a type: kept by node, since a type may hold the same one in many places.
enum { NOT_ASKED, IS_KNOWN, IS_FOREIGN };

static bool is_known_type(const package *p, uint32_t id, unsigned depth);

static bool are_known_kids(const package *p, const uint32_t *kids, uint32_t n, unsigned depth)
{
    for (uint32_t i = 0; i < n; i++) {
        if (kids[i] && !is_known_type(p, kids[i], depth)) {
            return false;
        }
    }
    return true;
}

static bool is_known_node(const package *p, const def_node *node, unsigned depth)
{
    const snoopi__defs *defs = p->findings->defs;
    switch (node->form) {
    case WIRE_FORM_UNION:
    case WIRE_FORM_UNIONALL:
    case WIRE_FORM_VARARG: return are_known_kids(p, (const uint32_t[]){node->a, node->b}, 2, depth);
    case WIRE_FORM_TYPEVAR:
        return are_known_kids(p, (const uint32_t[]){node->b, node->c}, 2, depth);
    case WIRE_FORM_DATATYPE: break;
    case WIRE_FORM_CUT:
    case WIRE_FORM_OPAQUE: return false;
    default: return true; // a value
    }
    const uint32_t root = root_name(defs, defs->typenames[node->a].module);
    return (root == p->package || is_name(defs, root, "Core") || is_name(defs, root, "Base")) &&
           are_known_kids(p, node->kids, node->n, depth);
}

// Whether the package knows the type: all that it is made of is its own, or Julia's.
static bool is_known_type(const package *p, uint32_t id, unsigned depth)
{
    if (depth == TYPES_DEEP) {
        return false;
    }
    if (p->known[id] == NOT_ASKED) {
        const bool is_known = is_known_node(p, &p->findings->defs->nodes[id], depth + 1);
        p->known[id] = is_known ? IS_KNOWN : IS_FOREIGN;
    }
    return p->known[id] == IS_KNOWN;
}

static bool are_known(const package *p, uint32_t instance)
{
    const snoopi__arguments a = snoopi__arguments_of(p->findings->defs, instance);
    for (uint32_t i = 0; i < a.n; i++) {
        if (!is_known_type(p, a.types[i], 0)) {
            return false;
        }
    }
    return a.n > 0;
}

typedef struct {
    uint64_t ns;
    uint64_t foreign_ns; // of roots with types of other packages
    uint64_t roots;
    uint64_t foreign_roots;
    uint32_t n_instances;
    uint32_t most; // the instance that costs most
} package_sums;

static package_sums add_up(const package *p)
{
    package_sums sums = {0};
    const snoopi__gathered *g = p->gathered;
    for (uint32_t id = 1; id < g->n_instances; id++) {
        const snoopi__instance_sums *s = &g->instances[id];
        const def_instance *def = &p->findings->defs->instances[id];
        if (s->roots == 0 || def->kind != WIRE_INSTANCE_METHOD || def->method == 0 ||
            root_name(p->findings->defs, p->findings->defs->methods[def->method].module) !=
                p->package ||
            !snoopi_filter_matches(&p->findings->options->filter,
                                   snoopi_trace_instance(p->findings->trace, id))) {
            continue;
        }
        if (!are_known(p, id)) {
            sums.foreign_ns += s->root_ns;
            sums.foreign_roots += s->roots;
            continue;
        }
        sums.ns += s->root_ns;
        sums.roots += s->roots;
        sums.n_instances++;
        if (!sums.most || s->root_ns > g->instances[sums.most].root_ns) {
            sums.most = id;
        }
    }
    return sums;
}

static void advise_package(const package *p)
{
    const package_sums sums = add_up(p);
    snoopi__findings *findings = p->findings;
    const snoopi_instance *most = snoopi_trace_instance(findings->trace, sums.most);
    if (!most || !snoopi__findings_may_change(findings, most)) {
        return;
    }
    snoopi__finding *finding =
        snoopi__findings_add(findings, SNOOPI_ADVICE_PRECOMPILE, sums.ns, sums.roots, most);
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    const char *name = snoopi__defs_text(findings->defs, p->package);
    finding->public.name = name;
    finding->public.module = name;
    finding->public.what = snoopi__findings_text(
        findings,
        "%u instances of %s are inferred at run time, and could be when it is precompiled",
        sums.n_instances, name);
    snoopi__findings_evidence(findings, finding, "most of it: %s, %s", most->name,
                              snoopi__time_text(time, p->gathered->instances[sums.most].root_ns));
    if (sums.foreign_roots > 0) {
        snoopi__findings_evidence(
            findings, finding, "not counted: %llu roots (%s) with types that %s does not know",
            (unsigned long long)sums.foreign_roots, snoopi__time_text(time, sums.foreign_ns), name);
    }
    finding->public.change = snoopi__findings_text(
        findings,
        "give %s precompile directives for these (snoopi precompile writes them), or a precompile "
        "workload that makes the calls",
        name);
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

void snoopi__advise_packages(snoopi__findings *findings, const snoopi__gathered *gathered)
{
    const snoopi__defs *defs = findings->defs;
    uint32_t *names = calloc(gathered->n_instances, sizeof *names);
    unsigned char *known = malloc((size_t)defs->n_nodes + 1);
    size_t n = 0;
    for (uint32_t id = 1; id < gathered->n_instances && names && known; id++) {
        const def_instance *def = &defs->instances[id];
        if (gathered->instances[id].roots > 0 && def->kind == WIRE_INSTANCE_METHOD && def->method) {
            names[n++] = root_name(defs, defs->methods[def->method].module);
        }
    }
    if (n > 0) {
        qsort(names, n, sizeof *names, compare_ids);
    }
    for (size_t i = 0; i < n; i++) {
        const bool is_first = i == 0 || names[i] != names[i - 1];
        // Main is no package; Base and Core are precompiled with Julia.
        if (is_first && names[i] && !is_name(defs, names[i], "Main") &&
            !is_name(defs, names[i], "Core") && !is_name(defs, names[i], "Base")) {
            const package p = {
                .findings = findings, .gathered = gathered, .package = names[i], .known = known};
            memset(known, NOT_ASKED, (size_t)defs->n_nodes + 1);
            advise_package(&p);
        }
    }
    findings->has_failed |= !names || !known;
    free(names);
    free(known);
}
