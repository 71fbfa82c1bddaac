// SPDX-License-Identifier: MIT
// Findings of all kinds, put in order. See snoopi/advice.h.
#include <snoopi/advice.h>

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "findings.h"
#include "format/handle.h"
#include "gather.h"
#include "kinds.h"

struct snoopi_advice {
    snoopi__arena arena;
    snoopi__findings findings;
    uint64_t n_found;
    snoopi_totals totals;
    snoopi_totals scope_totals;
};

const char *snoopi_advice_kind_name(int kind)
{
    static const char *const names[] = {
        "dispatch", "specialization", "vararg",     "keywords", "constprop",   "redefined",
        "repeated", "generated",      "precompile", "boxed",    "invalidated", "result",
    };
    return kind >= 0 && (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

// --- methods ---

typedef struct {
    uint32_t key; // number of the method
    uint32_t instance;
} member;

static int compare_members(const void *a, const void *b)
{
    const member *left = a;
    const member *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return (left->instance > right->instance) - (left->instance < right->instance);
}

// The instances that have frames, those of one method together. Methods of one definition that was run several times are one.
static int group_instances(const snoopi__gathered *gathered, snoopi_trace *trace, member *members,
                           size_t *n, snoopi_error *err)
{
    snoopi__keys keys = {0};
    int st = snoopi__keys_init(&keys, trace, SNOOPI_BY_METHOD, NULL, err);
    *n = 0;
    for (uint32_t id = 1; id < gathered->n_instances && st == 0; id++) {
        const snoopi_frame frame = {.instance = id};
        if (gathered->instances[id].frames > 0) {
            members[*n].instance = id;
            st = snoopi__keys_find(&keys, &frame, &members[(*n)++].key, err);
        }
    }
    snoopi__keys_clear(&keys);
    qsort(members, *n, sizeof *members, compare_members);
    return st;
}

static int advise_methods(snoopi__findings *findings, const snoopi__gathered *gathered,
                          snoopi_error *err)
{
    member *members = calloc(gathered->n_instances, sizeof *members);
    uint32_t *instances = calloc(gathered->n_instances, sizeof *instances);
    size_t n = 0;
    int st = members && instances ? group_instances(gathered, findings->trace, members, &n, err)
                                  : snoopi__fail_nomem(err);
    for (size_t i = 0; i < n && st == 0;) {
        size_t count = 0;
        const uint32_t key = members[i].key;
        for (; i < n && members[i].key == key; i++) {
            instances[count++] = members[i].instance;
        }
        snoopi__advise_method(findings, gathered, instances, count);
    }
    free(members);
    free(instances);
    return st;
}

// --- order ---

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_findings(const void *a, const void *b)
{
    const snoopi_finding *left = &(*(snoopi__finding *const *)a)->public;
    const snoopi_finding *right = &(*(snoopi__finding *const *)b)->public;
    if (left->saved_ns != right->saved_ns) {
        return left->saved_ns > right->saved_ns ? -1 : 1;
    }
    int order = compare_text(left->file, right->file);
    order = order ? order : (left->line > right->line) - (left->line < right->line);
    order = order ? order : (left->kind > right->kind) - (left->kind < right->kind);
    return order ? order : compare_text(left->what, right->what);
}

static int advise(snoopi_advice *advice, snoopi_trace *trace, const snoopi_advice_options *options,
                  snoopi_error *err)
{
    snoopi__gathered gathered = {0};
    snoopi__findings *findings = &advice->findings;
    *findings = (snoopi__findings){.trace = trace,
                                   .defs = snoopi__trace_defs(trace),
                                   .options = options,
                                   .arena = &advice->arena};
    int st = snoopi__gather(&gathered, trace, &options->scope, err);
    if (st == 0) {
        advice->totals = gathered.totals;
        advice->scope_totals = gathered.scope_totals;
        snoopi__advise_results(findings, &gathered);
        snoopi__advise_calls(findings, &gathered);
        snoopi__advise_packages(findings, &gathered);
        snoopi__advise_invalidations(findings, &gathered);
        st = advise_methods(findings, &gathered, err);
    }
    snoopi__gathered_clear(&gathered);
    findings->options = NULL; // the caller's
    if (st == 0 && findings->has_failed) {
        st = snoopi__fail_nomem(err);
    }
    if (st == 0 && findings->n > 0) {
        qsort(findings->items, findings->n, sizeof *findings->items, compare_findings);
    }
    advice->n_found = findings->n;
    if (options->limit > 0 && findings->n > options->limit) {
        findings->n = options->limit;
    }
    return st;
}

int snoopi_advice_new(snoopi_advice **out, snoopi_trace *trace,
                      const snoopi_advice_options *options, snoopi_error *err)
{
    static const snoopi_advice_options defaults = SNOOPI_ADVICE_INIT;
    *out = NULL;
    snoopi_advice *advice = calloc(1, sizeof *advice);
    if (!advice) {
        return snoopi__fail_nomem(err);
    }
    const int st = advise(advice, trace, options ? options : &defaults, err);
    if (st < 0) {
        snoopi_advice_free(advice);
        return st;
    }
    *out = advice;
    return 0;
}

void snoopi_advice_free(snoopi_advice *advice)
{
    if (advice) {
        snoopi__findings_clear(&advice->findings);
        snoopi__arena_clear(&advice->arena);
        free(advice);
    }
}

size_t snoopi_advice_n_findings(const snoopi_advice *advice)
{
    return advice->findings.n;
}

const snoopi_finding *snoopi_advice_finding(const snoopi_advice *advice, size_t index)
{
    return &advice->findings.items[index]->public;
}

uint64_t snoopi_advice_n_found(const snoopi_advice *advice)
{
    return advice->n_found;
}

const snoopi_totals *snoopi_advice_totals(const snoopi_advice *advice)
{
    return &advice->totals;
}

const snoopi_totals *snoopi_advice_scope_totals(const snoopi_advice *advice)
{
    return &advice->scope_totals;
}
