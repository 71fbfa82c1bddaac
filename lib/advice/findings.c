// SPDX-License-Identifier: MIT
// Findings while they are made. See findings.h.
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

void snoopi__findings_clear(snoopi__findings *findings)
{
    free(findings->items);
    findings->items = NULL;
    findings->n = 0;
}

snoopi__finding *snoopi__findings_add(snoopi__findings *findings, snoopi_advice_kind kind,
                                      uint64_t saved_ns, uint64_t count,
                                      const snoopi_instance *about)
{
    if (saved_ns == 0 || saved_ns < findings->options->tmin_ns) {
        return NULL;
    }
    snoopi__finding *finding = snoopi__arena_alloc(findings->arena, sizeof *finding);
    snoopi__finding **items = snoopi__grow(findings->items, &findings->capacity, findings->n + 1,
                                           sizeof(snoopi__finding *));
    findings->items = items ? items : findings->items;
    if (!finding || !items) {
        findings->has_failed = true;
        return NULL;
    }
    *finding = (snoopi__finding){0};
    finding->public = (snoopi_finding){.kind = kind,
                                       .saved_ns = saved_ns,
                                       .count = count,
                                       .name = about ? about->function : "",
                                       .module = about ? about->module : "",
                                       .file = about && about->file[0] ? about->file : NULL,
                                       .line = about && about->line > 0 ? (uint32_t)about->line : 0,
                                       .what = "",
                                       .change = "",
                                       .evidence = finding->evidence};
    items[findings->n++] = finding;
    return finding;
}

static const char *text_of(snoopi__findings *findings, const char *format, va_list args)
{
    char *text = NULL;
    const int length = vasprintf(&text, format, args);
    const char *kept =
        length < 0 ? NULL : snoopi__arena_text(findings->arena, text, (size_t)length);
    if (length >= 0) {
        free(text);
    }
    findings->has_failed |= kept == NULL;
    return kept ? kept : "";
}

const char *snoopi__findings_text(snoopi__findings *findings, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = text_of(findings, format, args);
    va_end(args);
    return text;
}

void snoopi__findings_evidence(snoopi__findings *findings, snoopi__finding *finding,
                               const char *format, ...)
{
    va_list args;
    if (finding->public.n_evidence == SNOOPI__EVIDENCE_MAX) {
        return;
    }
    va_start(args, format);
    finding->evidence[finding->public.n_evidence++] = text_of(findings, format, args);
    va_end(args);
}

bool snoopi__is_file_of_julia(const char *file, const char *raw_file)
{
    const size_t length = strlen(raw_file);
    const bool is_bare = raw_file[0] != '/' && length > 3 &&
                         strcmp(raw_file + length - 3, ".jl") == 0 && strcmp(file, raw_file) == 0;
    return is_bare || strstr(file, "/share/julia/") || strstr(raw_file, "/share/julia/");
}

bool snoopi__findings_may_change(const snoopi__findings *findings, const snoopi_instance *instance)
{
    if (!snoopi_filter_matches(&findings->options->filter, instance)) {
        return false;
    }
    return findings->options->is_all ||
           (strcmp(instance->package, "Base") != 0 && strcmp(instance->package, "Core") != 0 &&
            !strstr(instance->file, "/share/julia/"));
}

const char *snoopi__time_text(char out[SNOOPI__TIME_SIZE], uint64_t ns)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && (double)ns < units[i].unit) {
        i++;
    }
    const double value = (double)ns / units[i].unit;
    const int decimals = i == 3 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    (void)snprintf(out, SNOOPI__TIME_SIZE, "%.*f %s", decimals, value, units[i].name);
    return out;
}
