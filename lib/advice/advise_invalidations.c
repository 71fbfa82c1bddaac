// SPDX-License-Identifier: MIT
// Definitions that invalidated inferred code, which was then inferred again.
#include "invalidations.h"

#include <string.h>

#include "kinds.h"

static void tell(snoopi__findings *findings, const snoopi__invalidation *item,
                 const snoopi_instance *definer, const snoopi_instance *most)
{
    snoopi__finding *finding = snoopi__findings_add(findings, SNOOPI_ADVICE_INVALIDATED,
                                                    item->self_ns, item->frames, definer);
    if (!finding) {
        return;
    }
    char time[SNOOPI__TIME_SIZE];
    const char *plural = item->frames == 1 ? "" : "s";
    if (definer) {
        finding->public.what = snoopi__findings_text(
            findings,
            "defining %s%s invalidated the code of %u instance%s, which %s inferred again",
            definer->name, item->has_others ? " and others" : "", item->frames, plural,
            item->frames == 1 ? "was" : "were");
    } else {
        finding->public.what = snoopi__findings_text(
            findings, "a definition invalidated the code of %u instance%s, which %s inferred again",
            item->frames, plural, item->frames == 1 ? "was" : "were");
        snoopi__findings_evidence(
            findings, finding,
            "it made world %llu; no method of that world has frames, so its name is not known",
            (unsigned long long)item->world + 1);
    }
    snoopi__findings_evidence(findings, finding, "most of it: %s of %s, %s", most->name,
                              most->module, snoopi__time_text(time, item->most_self_ns));
    const bool is_at_home = definer && strcmp(definer->package, most->package) == 0;
    finding->public.change =
        is_at_home
            ? "define methods before the first call of what uses them: load packages and include files first, "
              "and define no methods while the program runs"
            : "define it before the code is used (load the package first); or have the code that calls it know the types "
              "of what it calls with: no new method invalidates such a call";
}

void snoopi__advise_invalidations(snoopi__findings *findings, const snoopi__gathered *gathered)
{
    for (size_t i = 0; i < gathered->invalidations.n; i++) {
        const snoopi__invalidation *item = &gathered->invalidations.items[i];
        const snoopi_instance *most =
            item->most ? snoopi_trace_instance(findings->trace, item->most) : NULL;
        const snoopi_instance *definer =
            item->definer ? snoopi_trace_instance(findings->trace, item->definer) : NULL;
        // Who made a definition without a name is not known, so it may be anybody.
        if (most && (definer ? snoopi__findings_may_change(findings, definer)
                             : snoopi_filter_matches(&findings->options->filter, most))) {
            tell(findings, item, definer, most);
        }
    }
}
