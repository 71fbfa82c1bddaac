// SPDX-License-Identifier: MIT
// Functions that return what is not concrete: who calls them has to call by dispatch with it.
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "shapes.h"

enum { SITES_TOLD = 3 };

// Whether what arrives at a place, at one of the arguments that vary (where none does, at any), may be what was returned.
static bool arrives(snoopi__findings *findings, snoopi__call_site *site, uint32_t result)
{
    const uint32_t n = snoopi__count_distinct(site->callees, site->n_callees);
    const uint32_t positions = snoopi__count_positions(findings, site->callees, n);
    bool is_there = false;
    for (uint32_t p = n > 1 ? 0 : 1; p < positions && !is_there; p++) {
        uint32_t n_types;
        uint32_t *const types = snoopi__types_at(findings, site->callees, n, p, &n_types);
        const bool is_asked = n == 1 || n_types > 1;
        uint32_t matching = 0;
        while (is_asked && matching < n_types &&
               snoopi__may_be(findings->defs, types[matching], result)) {
            matching++;
        }
        is_there = is_asked && n_types > 0 && matching == n_types;
        free(types);
    }
    return is_there;
}

static uint32_t result_of(const snoopi__findings *findings, uint32_t instance)
{
    return findings->defs->instances[instance].result;
}

static uint32_t method_of(const snoopi__findings *findings, uint32_t instance)
{
    return findings->defs->instances[instance].method;
}

// The function whose result the place calls with, of those that may be changed or of the others; 0: none is known. What says more
// than Any comes first.
static uint32_t find_source(snoopi__findings *findings, snoopi__gathered *gathered,
                            snoopi__call_site *site, bool may_change)
{
    if (site->through || !site->caller || snoopi__has_abstract(findings->defs, site->caller)) {
        return 0; // what was given is at fault, or a function that loses it
    }
    snoopi__callees *const callees = &gathered->callees;
    const uint32_t function =
        snoopi__callees_function(callees, site->place->name, site->place->file);
    uint32_t found = 0;
    for (size_t i = 0; function && i < callees->n; i++) {
        const snoopi__loose_call *const call = &callees->items[i];
        const bool is_better =
            found == 0 || (snoopi__is_any(findings->defs, result_of(findings, found)) &&
                           !snoopi__is_any(findings->defs, result_of(findings, call->callee)));
        const snoopi_instance *const instance =
            call->function == function && is_better
                ? snoopi_trace_instance(findings->trace, call->callee)
                : NULL;
        if (instance && snoopi__findings_may_change(findings, instance) == may_change &&
            arrives(findings, site, result_of(findings, call->callee))) {
            found = call->callee;
        }
    }
    return found;
}

static void tell_site(snoopi__findings *findings, snoopi__finding *finding, snoopi__call_site *site)
{
    const snoopi_instance *const callee = snoopi_trace_instance(findings->trace, site->callee);
    const uint32_t n_types = snoopi__count_distinct(site->callees, site->n_callees);
    if (!callee) {
        return;
    }
    const char *const slash = strrchr(site->place->file, '/');
    snoopi__findings_evidence(
        findings, finding,
        "%s (%s:%u), which calls it, calls %s by dispatch, with %u set%s of argument types",
        site->place->name, slash ? slash + 1 : site->place->file, site->place->line,
        callee->function, n_types, n_types == 1 ? "" : "s");
    if (n_types > 1) {
        (void)snoopi__tell_varying(findings, finding, site->callees, n_types, "arrives as");
    } else {
        snoopi__findings_evidence(findings, finding, "what arrived is %s", callee->name);
    }
}

// Functions that it calls itself, and that return the same.
static void tell_source(snoopi__findings *findings, snoopi__finding *finding,
                        const snoopi__gathered *gathered, uint32_t instance)
{
    for (size_t i = 0; i < gathered->callees.n; i++) {
        const snoopi__loose_call *const call = &gathered->callees.items[i];
        const snoopi_instance *const inner =
            call->caller == instance &&
                    result_of(findings, call->callee) == result_of(findings, instance) &&
                    method_of(findings, call->callee) != method_of(findings, instance)
                ? snoopi_trace_instance(findings->trace, call->callee)
                : NULL;
        if (inner) {
            snoopi__findings_evidence(
                findings, finding,
                "it calls %s (%s:%d), which returns the same and may be the cause", inner->function,
                inner->file, (int)inner->line);
            return;
        }
    }
}

// All places that call with what the method of `instance` returned, from the first of them on.
static void advise_method(snoopi__findings *findings, snoopi__gathered *gathered, size_t first,
                          const snoopi_instance *about)
{
    const uint32_t method = about->method;
    uint64_t total_ns = 0;
    uint64_t count = 0;
    for (size_t i = first; i < gathered->n_sites; i++) {
        snoopi__call_site *const site = &gathered->sites[i];
        if (site->at_fault && method_of(findings, site->at_fault) == method) {
            site->is_told = true;
            total_ns += site->total_ns;
            count += site->count;
        }
    }
    snoopi__finding *const finding =
        snoopi__findings_add(findings, SNOOPI_ADVICE_RESULT, total_ns, count, about);
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    const char *const type = snoopi__type_text(findings, about->result);
    finding->public.what = snoopi__findings_text(
        findings, "%s returns %s: its callers call by dispatch with that", about->function, type);
    snoopi__findings_evidence(
        findings, finding, "inference was entered for that %llu time%s, for %s",
        (unsigned long long)count, count == 1 ? "" : "s", snoopi__time_text(time, total_ns));
    tell_source(findings, finding, gathered, about->id);
    unsigned told = 0;
    for (size_t i = first; i < gathered->n_sites && told < SITES_TOLD; i++) {
        snoopi__call_site *const site = &gathered->sites[i];
        if (site->at_fault && method_of(findings, site->at_fault) == method) {
            tell_site(findings, finding, site);
            told++;
        }
    }
    finding->public.change = snoopi__findings_text(
        findings,
        "have %s return one concrete type: let all branches return the same type, make the field, global or container that it "
        "reads concrete, or declare the type (function %s(…)::T; or %s(…)::T where it is called)",
        about->function, about->function, about->function);
}

void snoopi__advise_results(snoopi__findings *findings, snoopi__gathered *gathered)
{
    for (size_t i = 0; i < gathered->n_sites; i++) {
        snoopi__call_site *const site = &gathered->sites[i];
        site->at_fault = find_source(findings, gathered, site, true);
        site->source = site->at_fault ? 0 : find_source(findings, gathered, site, false);
    }
    for (size_t i = 0; i < gathered->n_sites; i++) {
        const uint32_t at_fault = gathered->sites[i].at_fault;
        const snoopi_instance *const about = at_fault && !gathered->sites[i].is_told
                                                 ? snoopi_trace_instance(findings->trace, at_fault)
                                                 : NULL;
        if (about) {
            advise_method(findings, gathered, i, about);
        }
    }
}
