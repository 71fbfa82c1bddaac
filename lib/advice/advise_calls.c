// SPDX-License-Identifier: MIT
// Calls by dispatch: what the compiler did not know of their arguments.
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "shapes.h"

enum { MANY_TYPES = 5 }; // from here on a call may as well stay dynamic

// Tells of arguments of an instance that hold who knows what; of a caller also of such that are. (What a callee was compiled for
// may be less exact than what arrived.) Returns the first such type, for people; NULL: none.
static const char *tell_abstract(snoopi__findings *findings, snoopi__finding *finding,
                                 const snoopi_instance *instance, bool is_caller)
{
    const snoopi__arguments a = snoopi__arguments_of(findings->defs, instance->id);
    const char *first = NULL;
    for (uint32_t i = 1; i < a.n; i++) {
        uint32_t holder;
        const uint32_t part = snoopi__abstract_part(findings->defs, a.types[i], &holder);
        if (!part || (holder == part && !is_caller)) {
            continue;
        }
        const char *text = snoopi__type_text(findings, holder);
        first = first ? first : text;
        if (holder == part) {
            snoopi__findings_evidence(findings, finding,
                                      "argument %u of %s has the abstract type %s", i,
                                      instance->function, text);
        } else {
            snoopi__findings_evidence(
                findings, finding, "argument %u of %s %s %s, in which %s is abstract", i,
                instance->function, holder == a.types[i] ? "is of type" : "holds", text,
                snoopi__type_text(findings, part));
        }
    }
    return first;
}

// Where Julia's own function calls, and nothing abstract was given to it: it loses the types itself, as println does of its
// arguments, and can't be annotated.
static const char *change_within(snoopi__findings *findings, const snoopi__call_site *site,
                                 const snoopi_instance *callee)
{
    return snoopi__findings_text(
        findings,
        "%s does not keep the types that it is given, and it is not yours to change: give it fewer different ones "
        "(one string, one concrete container), or have %s compiled for them before, by a precompile directive",
        site->through, callee->function);
}

// Where what another's function returns is not concrete.
static const char *change_at_source(snoopi__findings *findings, const snoopi_instance *source)
{
    return snoopi__findings_text(
        findings,
        "if this is what %s returned, declare its type where it is called (%s(…)::T), or convert it there; %s itself is not yours "
        "to change",
        source->function, source->function, source->function);
}

// `of_caller` and `of_callee`: abstract types among their arguments, or NULL.
static const char *change_of(snoopi__findings *findings, const snoopi_instance *caller,
                             const snoopi_instance *callee, uint32_t n_types, const char *of_caller,
                             const char *of_callee)
{
    const char *where = "give what reaches this call a concrete type: annotate it (x::T), or make "
                        "the field, global or container that it comes from concrete";
    if (of_caller) {
        where = snoopi__findings_text(
            findings,
            "give %s a value of a concrete type, or with concrete elements, instead of %s",
            caller->function, of_caller);
    } else if (of_callee) {
        where = snoopi__findings_text(
            findings, "make a concrete type of %s where it comes from, before this call",
            of_callee);
    }
    if (n_types >= MANY_TYPES) {
        return snoopi__findings_text(
            findings,
            "%s; or, as so many types occur, let one compiled %s serve them all: @nospecialize its "
            "argument",
            where, callee->function);
    }
    return n_types > 1 ? snoopi__findings_text(
                             findings, "%s; or branch on the types that occur (x isa T)", where)
                       : where;
}

static void advise_site(snoopi__findings *findings, const snoopi__call_site *site)
{
    char time[SNOOPI__TIME_SIZE];
    const snoopi_instance *caller = snoopi_trace_instance(findings->trace, site->caller);
    const snoopi_instance *callee = snoopi_trace_instance(findings->trace, site->callee);
    const snoopi_filter *filter = &findings->options->filter;
    if (!callee || (caller && !snoopi_filter_matches(filter, caller)) ||
        (!caller && (filter->module || filter->package || filter->file))) {
        return;
    }
    snoopi__finding *finding =
        snoopi__findings_add(findings, SNOOPI_ADVICE_DISPATCH, site->total_ns, site->count, caller);
    if (!finding) {
        return;
    }
    const uint32_t n_types = snoopi__count_distinct(site->callees, site->n_callees);
    finding->public.file = site->place->file;
    finding->public.line = site->place->line;
    finding->public.name = caller ? caller->function : site->place->name;
    finding->public.what = snoopi__findings_text(
        findings, "%s%s%s calls %s by dispatch, with %u set%s of argument types", site->place->name,
        site->through ? " through " : "", site->through ? site->through : "", callee->function,
        n_types, n_types == 1 ? "" : "s");
    snoopi__findings_evidence(findings, finding, "inference was entered here %llu time%s, for %s",
                              (unsigned long long)site->count, site->count == 1 ? "" : "s",
                              snoopi__time_text(time, site->total_ns));
    const char *of_callee = NULL;
    if (n_types > 1) {
        (void)snoopi__tell_varying(findings, finding, site->callees, n_types, "arrives as");
    } else {
        snoopi__findings_evidence(findings, finding, "what arrived is %s", callee->name);
        of_callee = tell_abstract(findings, finding, callee, false);
    }
    const char *of_caller = caller ? tell_abstract(findings, finding, caller, true) : NULL;
    const snoopi_instance *source = snoopi_trace_instance(findings->trace, site->source);
    if (source) {
        snoopi__findings_evidence(findings, finding, "%s, which %s calls, returns %s",
                                  source->function, site->place->name,
                                  snoopi__type_text(findings, source->result));
    }
    const snoopi_instance *inner = snoopi_trace_instance(findings->trace, site->inner);
    if (inner && !of_caller && !of_callee) {
        of_callee = tell_abstract(findings, finding, inner, true);
    }
    if (of_caller || of_callee || (!site->through && !source)) {
        finding->public.change = change_of(findings, caller, callee, n_types, of_caller, of_callee);
    } else {
        finding->public.change = site->through ? change_within(findings, site, callee)
                                               : change_at_source(findings, source);
    }
}

void snoopi__advise_calls(snoopi__findings *findings, const snoopi__gathered *gathered)
{
    for (size_t i = 0; i < gathered->n_sites; i++) {
        if (!gathered->sites[i].at_fault) {
            advise_site(findings, &gathered->sites[i]);
        }
    }
}
