// SPDX-License-Identifier: MIT
// One HTML file that shows itself: the page of viewer/, and in its middle the frames.
//
//     head of the page
//     <script type="text/plain" class="frames">…</script>    a block of frames, as columns (below); any number
//     <script type="text/plain" id="about">…</script>        JSON: processes, lanes, instances, values, totals (html_about.c)
//     … class="base-frames"> and … id="base">                when it is compared to another recording (html_base.c)
//     <script type="text/plain" id="causes">…</script>       JSON: triggers and advice (html_causes.c)
//     rest of the page
//
// All are packed text (html_parts.h, packedtext.h), so that nothing in them can end the element they are in. Frames go out block by block
// while they stream by; what they refer to by number is told behind them, when it is known.
//
// A block unpacks to unsigned LEB128 numbers: the number of frames, the size in bytes of each column, then the columns.
// A column has a number for each frame, but for the last two, which have one for each constant argument.
#include <stdlib.h>

#include "base/buffer.h"
#include "base/varint.h"
#include "exporter.h"
#include "html_about.h"
#include "html_base.h"
#include "html_causes.h"
#include "html_page.h"
#include "html_parts.h"

enum { BLOCK_FRAMES = 1 << 15 };

typedef enum {
    COLUMN_INSTANCE, // number in the list of instances
    COLUMN_DEPTH,
    COLUMN_LANE,  // number in the list of lanes
    COLUMN_BEGIN, // since the begin of the frame before, ns, signed (zigzag); first of all: since the recording's origin
    COLUMN_SELF,  // ns
    COLUMN_BELOW, // total − self, ns, signed
    COLUMN_TOOL,  // end − begin − total, ns, signed
    COLUMN_GC,    // ns
    COLUMN_FLAGS, // SNOOPI_FRAME_*
    COLUMN_ARGS,  // number of constant arguments
    COLUMN_ARG_POSITION,
    COLUMN_ARG_VALUE, // number in the list of values
    N_COLUMNS
} column;

typedef struct {
    snoopi__html_about about;
    snoopi__buffer columns[N_COLUMNS];
    uint32_t n_frames; // in the block
    uint64_t last_begin_ns;
} page;

static void put_block(snoopi__export *x, page *p)
{
    x->has_failed = x->has_failed ||
                    !snoopi__html_put_block(x->out, "frames", p->n_frames, p->columns, N_COLUMNS);
    p->n_frames = 0;
}

static void begin_html(snoopi__export *x)
{
    page *const p = calloc(1, sizeof *p);
    if (!p) {
        x->has_failed = true;
        return;
    }
    x->state = p;
    p->last_begin_ns = snoopi_trace_origin_ns(x->trace);
    (void)fwrite(snoopi__html_head, 1, snoopi__html_head_size, x->out);
}

static void put_args(snoopi__export *x, page *p, const snoopi_frame *f)
{
    snoopi__buffer_varint(&p->columns[COLUMN_ARGS], f->n_args);
    for (uint32_t i = 0; i < f->n_args; i++) {
        const uint32_t value = snoopi__html_value(&p->about, f->args[i].node);
        x->has_failed |= value == SNOOPI__HTML_FAILED;
        snoopi__buffer_varint(&p->columns[COLUMN_ARG_POSITION], f->args[i].position);
        snoopi__buffer_varint(&p->columns[COLUMN_ARG_VALUE], value);
    }
}

// What is to be added to `from` for `to`; both wrap.
static uint64_t put_difference(snoopi__buffer *to_column, uint64_t from, uint64_t to)
{
    snoopi__buffer_varint(to_column, snoopi__zigzag((int64_t)(to - from)));
    return to;
}

static void put_frame(snoopi__export *x, const snoopi__export_frame *exported)
{
    const snoopi_frame *const f = exported->frame;
    page *const p = x->state;
    snoopi__buffer *const columns = p->columns;

    const uint32_t instance = snoopi__html_count(&p->about, f);
    const uint32_t lane = snoopi__html_lane(&p->about, f->process, f->thread);
    x->has_failed |= instance == SNOOPI__HTML_FAILED || lane == SNOOPI__HTML_FAILED;

    snoopi__buffer_varint(&columns[COLUMN_INSTANCE], instance);
    snoopi__buffer_varint(&columns[COLUMN_DEPTH], exported->depth);
    snoopi__buffer_varint(&columns[COLUMN_LANE], lane);
    p->last_begin_ns = put_difference(&columns[COLUMN_BEGIN], p->last_begin_ns, f->begin_ns);
    snoopi__buffer_varint(&columns[COLUMN_SELF], f->self_ns);
    (void)put_difference(&columns[COLUMN_BELOW], f->self_ns, f->total_ns);
    (void)put_difference(&columns[COLUMN_TOOL], f->total_ns, f->end_ns - f->begin_ns);
    snoopi__buffer_varint(&columns[COLUMN_GC], f->gc_ns);
    snoopi__buffer_varint(&columns[COLUMN_FLAGS], f->flags);
    put_args(x, p, f);
    if (++p->n_frames == BLOCK_FRAMES) {
        put_block(x, p);
    }
}

static void end_html(snoopi__export *x, const snoopi_totals *totals, const snoopi_totals *scope)
{
    page *const p = x->state;
    if (p->n_frames > 0) {
        put_block(x, p);
    }
    x->has_failed |= !snoopi__html_about_put(&p->about, x, totals, scope);
    if (x->options->base && !x->has_failed) {
        x->has_failed |= !snoopi__html_base_put(&p->about, x);
    }
    x->has_failed = x->has_failed || !snoopi__html_causes_put(&p->about, x);
    (void)fwrite(snoopi__html_tail, 1, snoopi__html_tail_size, x->out);
}

static void clear_html(snoopi__export *x)
{
    page *const p = x->state;
    if (!p) {
        return;
    }
    for (size_t i = 0; i < N_COLUMNS; i++) {
        snoopi__buffer_clear(&p->columns[i]);
    }
    snoopi__html_about_clear(&p->about);
    free(p);
}

const snoopi__exporter snoopi__export_html = {
    .name = "html", .begin = begin_html, .frame = put_frame, .end = end_html, .clear = clear_html};
