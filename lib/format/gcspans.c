// SPDX-License-Identifier: MIT
// Sorted intervals, summed up as time goes on. See gcspans.h.
#include "gcspans.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "snoopi/error.h"

void snoopi__gcspans_clear(snoopi__gcspans *gc)
{
    free(gc->spans);
    *gc = (snoopi__gcspans){0};
}

int snoopi__gcspans_add(snoopi__gcspans *gc, uint64_t end_ns, uint64_t duration_ns)
{
    snoopi__span *spans = snoopi__grow(gc->spans, &gc->capacity, gc->count + 1, sizeof *gc->spans);
    if (!spans) {
        return SNOOPI_E_NOMEM;
    }
    gc->spans = spans;
    const uint64_t begin_ns = duration_ns < end_ns ? end_ns - duration_ns : 0;
    spans[gc->count++] = (snoopi__span){.begin = begin_ns, .end = end_ns};
    return 0;
}

static int compare_spans(const void *left, const void *right)
{
    const snoopi__span *a = left;
    const snoopi__span *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void snoopi__gcspans_sort(snoopi__gcspans *gc)
{
    if (gc->count == 0) {
        return;
    }
    qsort(gc->spans, gc->count, sizeof *gc->spans, compare_spans);
    size_t last = 0;
    for (size_t i = 1; i < gc->count; i++) {
        const snoopi__span span = gc->spans[i];
        if (span.begin > gc->spans[last].end) {
            gc->spans[++last] = span;
        } else if (span.end > gc->spans[last].end) {
            gc->spans[last].end = span.end;
        }
    }
    gc->count = last + 1;
}

uint64_t snoopi__gcspans_until(snoopi__gcspans *gc, uint64_t time_ns)
{
    while (gc->next < gc->count && gc->spans[gc->next].end <= time_ns) {
        gc->past += gc->spans[gc->next].end - gc->spans[gc->next].begin;
        gc->next++;
    }
    if (gc->next < gc->count && gc->spans[gc->next].begin < time_ns) {
        return gc->past + (time_ns - gc->spans[gc->next].begin);
    }
    return gc->past;
}
