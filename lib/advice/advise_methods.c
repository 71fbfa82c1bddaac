// SPDX-License-Identifier: MIT
// What the instances of one method tell: too many of them, for types, numbers of arguments, keywords or constants; or the same
// one again.
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "names/names.h"
#include "shapes.h"

enum {
    MANY_INSTANCES = 4, // of a method
    MANY_LENGTHS = 3,   // numbers of arguments
    MANY_KEYWORDS = 3,  // sets of keywords
    MANY_CONSTANTS = 4  // frames with constants
};

// The instances of a method, and sums over them.
typedef struct {
    snoopi__findings *findings;
    const snoopi__gathered *gathered;
    const uint32_t *instances;
    size_t n;
    const snoopi_instance *about;
    uint32_t *scratch; // room for n
    uint32_t flags;    // WIRE_METHOD_*
    snoopi__instance_sums sums;
    uint64_t most_self_ns; // of one instance
} group;

static uint32_t method_flags(const group *g)
{
    const snoopi__defs *defs = g->findings->defs;
    const uint32_t method = g->about->method;
    return snoopi__defs_has(defs, WIRE_METHOD, method) ? defs->methods[method].flags : 0;
}

static void sum_up(group *g)
{
    for (size_t i = 0; i < g->n; i++) {
        const snoopi__instance_sums *s = &g->gathered->instances[g->instances[i]];
        g->sums.self_ns += s->self_ns;
        g->sums.const_self_ns += s->const_self_ns;
        g->sums.repeated_self_ns += s->repeated_self_ns;
        g->sums.frames += s->frames;
        g->sums.const_frames += s->const_frames;
        g->sums.repeated += s->repeated;
        g->most_self_ns = s->self_ns > g->most_self_ns ? s->self_ns : g->most_self_ns;
    }
}

static snoopi__finding *add(group *g, snoopi_advice_kind kind, uint64_t saved_ns, uint64_t count)
{
    return snoopi__findings_add(g->findings, kind, saved_ns, count, g->about);
}

static void tell_cost(group *g, snoopi__finding *finding)
{
    char time[SNOOPI__TIME_SIZE];
    snoopi__findings_evidence(g->findings, finding,
                              "%zu instances, %u frames, %s of inference in them", g->n,
                              g->sums.frames, snoopi__time_text(time, g->sums.self_ns));
}

// --- shapes that multiply ---

static uint32_t count_lengths(const group *g)
{
    for (size_t i = 0; i < g->n; i++) {
        g->scratch[i] = snoopi__arguments_of(g->findings->defs, g->instances[i]).n;
    }
    return snoopi__count_distinct(g->scratch, g->n);
}

// Sets of keywords that the instances of a keyword sorter were compiled for: the first NamedTuple among their arguments.
static uint32_t count_keyword_sets(const group *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const snoopi__arguments a = snoopi__arguments_of(g->findings->defs, g->instances[i]);
        const uint32_t names = a.n > 1 ? snoopi__keyword_names(g->findings->defs, a.types[1]) : 0;
        if (names) {
            g->scratch[n++] = names;
        }
    }
    return snoopi__count_distinct(g->scratch, n);
}

// Up to 1.8 its method has a name of its own; from 1.9 on it is a method of kwcall, with the name of the function.
static bool is_keyword_sorter(const group *g)
{
    const snoopi__arguments a = snoopi__arguments_of(g->findings->defs, g->instances[0]);
    const def_node *type = a.n > 0 ? &g->findings->defs->nodes[a.types[0]] : NULL;
    const uint32_t called = type && type->form == WIRE_FORM_DATATYPE
                                ? g->findings->defs->typenames[type->a].mt_name
                                : 0;
    return strcmp(g->about->method_name, g->about->function) != 0 ||
           (called && strcmp(snoopi__defs_text(g->findings->defs, called), "kwcall") == 0);
}

static bool advise_keywords(group *g)
{
    const uint32_t n_sets = is_keyword_sorter(g) ? count_keyword_sets(g) : 0;
    if (n_sets < MANY_KEYWORDS) {
        return false;
    }
    snoopi__finding *finding =
        add(g, SNOOPI_ADVICE_KEYWORDS, g->sums.self_ns - g->most_self_ns, g->n);
    if (finding) {
        const char *function = g->about->function;
        const char *sets = "";
        for (uint32_t i = 0; i < n_sets && i < 4; i++) {
            sets = snoopi__findings_text(g->findings, "%s%s%s", sets, i ? ", " : "",
                                         snoopi__type_text(g->findings, g->scratch[i]));
        }
        finding->public.what = snoopi__findings_text(
            g->findings, "%s is called with %u different sets of keywords", function, n_sets);
        tell_cost(g, finding);
        snoopi__findings_evidence(g->findings, finding, "sets: %s%s", sets,
                                  n_sets > 4 ? ", …" : "");
        finding->public.change = snoopi__findings_text(
            g->findings,
            "call %s with the same keywords in the same order everywhere, pass rarely used ones in one struct of "
            "options, or make the common ones positional",
            function);
    }
    return true;
}

static bool advise_varargs(group *g)
{
    const uint32_t n_lengths = g->flags & WIRE_METHOD_VARARG ? count_lengths(g) : 0;
    if (n_lengths < MANY_LENGTHS) {
        return false;
    }
    snoopi__finding *finding =
        add(g, SNOOPI_ADVICE_VARARG, g->sums.self_ns - g->most_self_ns, g->n);
    if (finding) {
        const char *function = g->about->function;
        finding->public.what = snoopi__findings_text(
            g->findings, "%s is compiled anew for each of %u numbers of arguments", function,
            n_lengths);
        tell_cost(g, finding);
        snoopi__findings_evidence(g->findings, finding, "from %u to %u arguments",
                                  g->scratch[0] - 1, g->scratch[n_lengths - 1] - 1);
        finding->public.change = snoopi__findings_text(
            g->findings,
            "let %s take one collection (a Vector, an iterator) instead of args..., or @nospecialize(args...)",
            function);
    }
    return true;
}

static void advise_specializations(group *g)
{
    if (g->n < MANY_INSTANCES) {
        return;
    }
    snoopi__finding *finding =
        add(g, SNOOPI_ADVICE_SPECIALIZATION, g->sums.self_ns - g->most_self_ns, g->n);
    if (!finding) {
        return;
    }
    const char *positions = snoopi__varying_positions(g->findings, g->instances, g->n);
    finding->public.what = snoopi__findings_text(
        g->findings, "%s is compiled for %zu sets of argument types", g->about->function, g->n);
    tell_cost(g, finding);
    (void)snoopi__tell_varying(g->findings, finding, g->instances, g->n, "takes");
    finding->public.change = snoopi__findings_text(
        g->findings,
        "if its work does not hang on these types, @nospecialize argument%s %s (inference is saved too with "
        "Base.@nospecializeinfer, 1.10 and later), convert to one type before, or split off the part that does",
        strchr(positions, ',') ? "s" : "", *positions ? positions : "1");
}

// --- constants ---

static void advise_constants(group *g)
{
    if (g->sums.const_frames < MANY_CONSTANTS) {
        return;
    }
    snoopi__finding *finding =
        add(g, SNOOPI_ADVICE_CONSTPROP, g->sums.const_self_ns, g->sums.const_frames);
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    finding->public.what =
        snoopi__findings_text(g->findings, "%s is inferred again for constant arguments, %u times",
                              g->about->function, g->sums.const_frames);
    snoopi__findings_evidence(g->findings, finding,
                              "%u frames with constants, %s; %u without, of %zu instances",
                              g->sums.const_frames, snoopi__time_text(time, g->sums.const_self_ns),
                              g->sums.frames - g->sums.const_frames, g->n);
    finding->public.change = snoopi__findings_text(
        g->findings,
        "if no caller gains from knowing the result at compile time: Base.@constprop :none for %s (1.7 and "
        "later), or pass the constant as a value that is not known (from a Ref, a field)",
        g->about->function);
}

// --- again ---

// What one process has of the definition.
typedef struct {
    uint32_t n_methods;
    uint32_t frames;
    uint64_t self_ns;
    uint64_t most_self_ns;
} redefinition;

static redefinition in_process(const group *g, uint32_t process)
{
    redefinition r = {0};
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const snoopi__instance_sums *s = &g->gathered->instances[g->instances[i]];
        if (s->process == process) {
            g->scratch[n++] = g->findings->defs->instances[g->instances[i]].method;
            r.frames += s->frames;
            r.self_ns += s->self_ns;
            r.most_self_ns = s->self_ns > r.most_self_ns ? s->self_ns : r.most_self_ns;
        }
    }
    r.n_methods = snoopi__count_distinct(g->scratch, n);
    return r;
}

// Several processes each define it once, which is as it should be: it is the most in one that counts.
static redefinition find_redefinition(const group *g)
{
    redefinition most = {0};
    uint32_t last = 0;
    for (size_t i = 0; i < g->n; i++) {
        const uint32_t process = g->gathered->instances[g->instances[i]].process;
        if (process == last) {
            continue; // as nearly always
        }
        last = process;
        const redefinition r = in_process(g, process);
        most = r.n_methods > most.n_methods ? r : most;
    }
    return most;
}

static bool advise_redefined(group *g)
{
    const redefinition r = find_redefinition(g);
    if (r.n_methods < 2) {
        return false;
    }
    snoopi__finding *finding =
        add(g, SNOOPI_ADVICE_REDEFINED, r.self_ns - r.most_self_ns, r.frames);
    if (finding) {
        finding->public.what = snoopi__findings_text(
            g->findings,
            "%s is defined %u times by the same line; each definition is inferred anew",
            g->about->function, r.n_methods);
        tell_cost(g, finding);
        finding->public.change = snoopi__findings_text(
            g->findings,
            "define %s once, outside of the loop, eval or included file that runs again; pass what differs as an argument, or "
            "make a closure",
            g->about->function);
    }
    return true;
}

static void advise_repeated(group *g)
{
    snoopi__finding *finding =
        g->sums.repeated > 0
            ? add(g, SNOOPI_ADVICE_REPEATED, g->sums.repeated_self_ns, g->sums.repeated)
            : NULL;
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    uint32_t n_roots = 0;
    for (size_t i = 0; i < g->n; i++) {
        const snoopi__instance_sums *s = &g->gathered->instances[g->instances[i]];
        n_roots += s->repeated > 0 ? s->roots : 0;
    }
    finding->public.what = snoopi__findings_text(
        g->findings, "%s is inferred again for the same argument types, %u times",
        g->about->function, g->sums.repeated);
    snoopi__findings_evidence(g->findings, finding, "%u repeated frames, %s", g->sums.repeated,
                              snoopi__time_text(time, g->sums.repeated_self_ns));
    snoopi__findings_evidence(
        g->findings, finding,
        "%s: its result was not kept, as is that of recursion over types that was limited",
        n_roots > 1 ? "it was entered from outside inference again"
                    : "within the inference of others");
    finding->public.change =
        "break the recursion over types: annotate the result of the recursive call, or recurse on values "
        "instead of types";
}

// Roots that the instances of the method called by dispatch.
static uint64_t dispatched_ns(const group *g, uint64_t *count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < g->gathered->n_sites; i++) {
        const snoopi__call_site *site = &g->gathered->sites[i];
        for (size_t k = 0; k < g->n; k++) {
            if (site->caller == g->instances[k]) {
                sum += site->total_ns;
                *count += site->count;
                break;
            }
        }
    }
    return sum;
}

static void advise_boxes(group *g)
{
    const char *boxes = snoopi__boxes_of(g->findings->defs, g->instances[0]);
    uint64_t n_roots = 0;
    const uint64_t roots_ns = boxes ? dispatched_ns(g, &n_roots) : 0;
    snoopi__finding *finding =
        boxes ? add(g, SNOOPI_ADVICE_BOXED, g->sums.self_ns + roots_ns, g->sums.frames) : NULL;
    if (!finding) {
        return;
    }
    const bool is_one = !strchr(boxes, ',');
    char time[SNOOPI__TIME_SIZE];
    finding->public.what = snoopi__findings_text(
        g->findings, "the closure %s captures %s in %s: of what type %s, no compiler knows",
        g->about->function, boxes, is_one ? "a box" : "boxes", is_one ? "it is" : "they are");
    tell_cost(g, finding);
    if (n_roots > 0) {
        snoopi__findings_evidence(g->findings, finding,
                                  "its calls entered inference %llu time%s, for %s",
                                  (unsigned long long)n_roots, n_roots == 1 ? "" : "s",
                                  snoopi__time_text(time, roots_ns));
    }
    finding->public.change = snoopi__findings_text(
        g->findings,
        "assign %s only once, before the closure is made; or let the closure capture a copy (let x = x), "
        "declare the type (x::Int = 0), or keep the value in a Ref or an array",
        boxes);
}

static void advise_generators(group *g)
{
    snoopi__finding *finding = add(g, SNOOPI_ADVICE_GENERATED, g->sums.self_ns, g->sums.frames);
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    finding->public.what = snoopi__findings_text(
        g->findings, "the generator of the generated function %s is inferred", g->about->function);
    snoopi__findings_evidence(g->findings, finding,
                              "%u frames, %s; running it and inferring what it made come on top",
                              g->sums.frames, snoopi__time_text(time, g->sums.self_ns));
    finding->public.change =
        "write it as an ordinary function where dispatch, ntuple or recursion over tuples do; else "
        "keep the generator small, and free of generic code";
}

void snoopi__advise_method(snoopi__findings *findings, const snoopi__gathered *gathered,
                           const uint32_t *instances, size_t n)
{
    group g = {.findings = findings, .gathered = gathered, .instances = instances, .n = n};
    g.about = snoopi_trace_instance(findings->trace, instances[0]);
    const bool is_generator =
        g.about && g.about->method && snoopi__is_generator(findings->defs, g.about->method);
    const uint32_t generated = gathered->instances[instances[0]].generated;
    if (is_generator && generated) {
        g.about = snoopi_trace_instance(findings->trace, generated); // that has a place
    }
    if (!g.about || g.about->method == 0 || !snoopi__findings_may_change(findings, g.about)) {
        return;
    }
    g.scratch = calloc(n, sizeof *g.scratch);
    if (!g.scratch) {
        findings->has_failed = true;
        return;
    }
    g.flags = method_flags(&g);
    sum_up(&g);
    if (is_generator) {
        advise_generators(&g);
    } else if (!advise_redefined(&g)) {
        if (!advise_keywords(&g) && !advise_varargs(&g)) {
            advise_specializations(&g);
        }
        advise_constants(&g);
        advise_repeated(&g);
        advise_boxes(&g);
    }
    free(g.scratch);
}
