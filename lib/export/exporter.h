// SPDX-License-Identifier: MIT
#ifndef SNOOPI_EXPORTER_H
#define SNOOPI_EXPORTER_H

/**
 * @file
 * What a format has to say for itself. The driver (export.c) walks over the frames and calls these; adding a format is a file with
 * one of these tables, and a line in the driver's list.
 */
#include <stdio.h>

#include <snoopi/export.h>
#include <snoopi/json.h>

#include "tree/keys.h"

/** An export that runs. */
typedef struct {
    snoopi_trace *trace;
    const snoopi_export_options *options;
    FILE *out;
    snoopi_json json; /* for the formats that are JSON */
    void *state;      /* of the format, from begin to end */
    bool has_failed;  /* what comes next does not matter; memory was short, or see `error` */
    snoopi_error error;
} snoopi__export;

/** A frame as it is exported: parent and depth are those among the frames that are. */
typedef struct {
    const snoopi_frame *frame;
    const snoopi_instance *instance;
    const snoopi__key *key; /* what it is called by; see snoopi__export_text() */
    uint32_t number;        /* of the key, from 0 */
    int64_t parent;
    uint32_t depth;
} snoopi__export_frame;

/** A text of a key, "" where it has none. */
static inline const char *snoopi__export_text(const char *text)
{
    return text ? text : "";
}

/** Errors of the stream stay in it: the driver looks at the end. `clear` frees the state, also after a failure. */
typedef struct {
    const char *name;
    void (*begin)(snoopi__export *x);
    void (*frame)(snoopi__export *x, const snoopi__export_frame *frame);
    void (*end)(snoopi__export *x, const snoopi_totals *totals, const snoopi_totals *scope);
    void (*clear)(snoopi__export *x);

    /** Instead of the three, for formats that are not made frame by frame. Returns as snoopi_export_stream(). */
    int (*whole)(snoopi__export *x, snoopi_error *err);
} snoopi__exporter;

typedef void snoopi__put_frame(snoopi__export *x, const snoopi__export_frame *frame);

/**
 * Walks over the frames of x->trace that the options choose; `begin`, if there is one, is called when nothing stands in the way.
 *
 * @return SNOOPI_OK also when the stream has an error, which ends the walk; else as snoopi_export_stream().
 */
int snoopi__export_frames(snoopi__export *x, void (*begin)(snoopi__export *x),
                          snoopi__put_frame *put, snoopi_totals *totals,
                          snoopi_totals *scope_totals, snoopi_error *err);

extern const snoopi__exporter snoopi__export_chrome;
extern const snoopi__exporter snoopi__export_csv;
extern const snoopi__exporter snoopi__export_folded;
extern const snoopi__exporter snoopi__export_html;
extern const snoopi__exporter snoopi__export_json;
extern const snoopi__exporter snoopi__export_jsonl;
extern const snoopi__exporter snoopi__export_pprof;
extern const snoopi__exporter snoopi__export_speedscope;
extern const snoopi__exporter snoopi__export_svg;

/** Writes the fields of a frame as an object. */
void snoopi__export_frame_json(snoopi__export *x, const snoopi__export_frame *frame);

/** Word of the lowest flag in *flags, which is cleared; bits without a word are passed over. NULL: there is none. */
const char *snoopi__export_next_flag(uint32_t *flags);

#endif
