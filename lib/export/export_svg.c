// SPDX-License-Identifier: MIT
// A flame graph as one SVG that needs nothing else: roots at the bottom, what they called above, as wide as their weight, the heavier
// first. Pictures without scripts show it too; with them it zooms and searches (flamegraph.js).
//
// Orange is constant propagation, which SnoopCompile shows so; else the hue is that of the package, and the shade that of the level. Compared to
// another recording, red is what grew and blue what shrank, the more the darker.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <snoopi/version.h>

#include "base/fail.h"
#include "basestacks.h"
#include "exporter.h"
#include "mergedstacks.h"
#include "plaintext.h"

extern const char snoopi__svg_script[]; // flamegraph.js

// In pixels. flamegraph.js knows the first three.
#define LEFT   10.0
#define WIDTH  1180.0
#define LETTER 7.25
enum { ROW = 18, HEAD = 70, FOOT = 30, LEGEND_ROW = 18, LEGEND_MAX = 12, TITLE_MAX = 8192 };
#define NARROWEST 0.1 // what is narrower is not drawn

#define CONSTPROP_FILL "#ff9f40"
#define THUNK_FILL     "#c9c9c9"

// Two shades for each hue, none of them orange or red; text on them is black.
static const char *const fills[][2] = {
    {"#9ecae9", "#86badd"}, {"#a3d9a5", "#8dca90"}, {"#c9b6e4", "#b8a2da"}, {"#8fd6cf", "#78c8c0"},
    {"#d5dc8f", "#c7cf79"}, {"#e3b5d3", "#d8a2c6"}, {"#b3c3ee", "#9db0e4"}, {"#b8e0c8", "#a2d3b6"},
    {"#cfc5a5", "#c2b691"}, {"#a9e3f1", "#91d5e6"}, {"#dcc9ef", "#cfb8e6"}, {"#c5e39a", "#b4d685"},
};
enum { N_FILLS = sizeof fills / sizeof *fills };

typedef struct {
    const char *package;
    uint64_t weight;
} legend_entry;

typedef struct {
    snoopi__export *x;
    snoopi__stacks stacks;
    uint64_t total;  // weight of all
    uint32_t levels; // that are drawn, "all" apart
    uint64_t n_hidden;
    uint64_t *next; // by level: where the next frame begins
    legend_entry legend[LEGEND_MAX];
    size_t n_legend;
    snoopi__basestacks was; // with a base
    uint64_t greatest;      // change of any node
    char shade[8];          // of the last node
} drawing;

// ---- texts

// "12.3 ms"
static void put_time(FILE *out, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "µs"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (ns >= units[i].ns) {
            const double value = (double)ns / (double)units[i].ns;
            (void)fprintf(out, "%.*f %s",
                          value < 10    ? 2
                          : value < 100 ? 1
                                        : 0,
                          value, units[i].name);
            return;
        }
    }
    (void)fprintf(out, "%" PRIu64 " ns", ns);
}

static void put_count(FILE *out, uint64_t n, const char *one, const char *more)
{
    (void)fprintf(out, "%" PRIu64 " %s", n, n == 1 ? one : more);
}

static double share(const drawing *d, uint64_t weight)
{
    return d->total > 0 ? (double)weight / (double)d->total : 0;
}

// At most `letters` characters of a name, the last of them "…" if there are more.
static void put_cut(FILE *out, const char *name, size_t letters)
{
    const size_t size = strlen(name);
    size_t n = 0;
    size_t at = 0;
    size_t shorter = 0; // where the last character that fits begins
    while (at < size && n < letters) {
        const size_t length = snoopi_utf8_length(name + at, size - at);
        shorter = at;
        at += length ? length : 1;
        n++;
    }
    if (at == size) {
        snoopi__put_xml_n(out, name, size);
    } else if (letters > 0) {
        snoopi__put_xml_n(out, name, shorter);
        (void)fputs("…", out);
    }
}

// ---- colours

static const char *fill_of_package(const char *package, bool is_odd)
{
    uint32_t hash = 2166136261u; // FNV-1a, so that a package has the same hue in all pictures
    for (const char *at = snoopi__export_text(package); *at; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    return fills[(hash >> 8) % N_FILLS][is_odd];
}

static const char *fill_of(const snoopi__stack_own *own, const snoopi__key *key, uint32_t depth)
{
    if (own->n_constprop * 2 > own->count) {
        return CONSTPROP_FILL;
    }
    if (own->flags & SNOOPI_FRAME_TOPLEVEL) {
        return THUNK_FILL;
    }
    return fill_of_package(key->package, depth % 2 != 0);
}

// ---- changes

static uint64_t weight_of(const drawing *d, const snoopi__node *node)
{
    return snoopi__stacks_weight(d->x->options, node->total_ns, node->count);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t change_of(const drawing *d, uint32_t number)
{
    return distance(weight_of(d, &d->stacks.nodes.nodes[number]),
                    weight_of(d, &d->was.nodes[number]));
}

// From pale to full with the root of the change's share of the greatest: small ones stay visible, and do not cry.
static const char *fill_of_change(drawing *d, uint64_t was, uint64_t is)
{
    static const int pale = 0xee;
    static const int grown[3] = {0xf0, 0x50, 0x40};
    static const int shrunk[3] = {0x50, 0x80, 0xe0};
    const int *const full = is > was ? grown : shrunk;
    const double share = d->greatest > 0 ? (double)distance(was, is) / (double)d->greatest : 0;
    double much = share > 0 ? 1 : 0; // becomes the root of it, by Newton
    for (int i = 0; i < 20 && much > 0; i++) {
        much = (much + share / much) / 2;
    }
    int colour[3];
    for (int i = 0; i < 3; i++) {
        colour[i] = pale + (int)((full[i] - pale) * (much < 1 ? much : 1));
    }
    (void)snprintf(d->shade, sizeof d->shade, "#%02x%02x%02x", (unsigned)colour[0] & 0xff,
                   (unsigned)colour[1] & 0xff, (unsigned)colour[2] & 0xff);
    return d->shade;
}

// "was 1.2 ms (+25.0 %)": of what the width stands for, with all that is above.
static void put_change(const drawing *d, uint64_t was, uint64_t is)
{
    FILE *const out = d->x->out;
    (void)fputs("\nwas ", out);
    if (d->x->options->weight == SNOOPI_WEIGHT_COUNT) {
        put_count(out, was, "frame", "frames");
        (void)fprintf(out, ", now %" PRIu64 ", with all that it called", is);
    } else {
        put_time(out, was);
    }
    if (was > 0) {
        (void)fprintf(out, " (%+.1f %%)", 100 * ((double)is - (double)was) / (double)was);
    }
}

// ---- the head, and the frame below all others

static const char style[] =
    "svg.snoopi{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;background:#fff}"
    "svg.snoopi text{fill:#000;white-space:pre}"
    "svg.snoopi .big{font-size:16px}"
    "svg.snoopi .small{fill:#444}"
    "svg.snoopi .button{fill:#06c;cursor:pointer;text-decoration:underline}"
    "svg.snoopi .f{cursor:pointer}"
    "svg.snoopi .f text{pointer-events:none}"
    "svg.snoopi .f:hover rect{stroke:#000;stroke-width:1}"
    "svg.snoopi .hit rect{fill:#e02fd0}"
    "svg.snoopi .hit text{fill:#fff}";

static double y_of(const drawing *d, uint32_t level)
{
    return HEAD + (double)ROW * (double)(d->levels - level);
}

static void put_totals(drawing *d)
{
    FILE *const out = d->x->out;
    const snoopi_totals *const t = &d->stacks.totals;
    (void)fputs("inference ", out);
    put_time(out, t->inference_ns);
    (void)fputs(" of ", out);
    put_time(out, t->wall_ns);
    (void)fputs(", ", out);
    put_count(out, t->frames, "frame", "frames");
    if (d->stacks.count != t->frames) {
        (void)fputs("; shown: ", out);
        put_time(out, d->stacks.total_ns);
        (void)fputs(", ", out);
        put_count(out, d->stacks.count, "frame", "frames");
    }
    if (d->x->options->base) {
        (void)fputs("; compared to ", out);
        put_time(out, d->was.total_ns);
        (void)fputs(", ", out);
        put_count(out, d->was.count, "frame", "frames");
        (void)fputs(", of which no more: ", out);
        if (d->x->options->weight == SNOOPI_WEIGHT_COUNT) {
            put_count(out, d->was.gone_count, "frame", "frames");
        } else {
            put_time(out, d->was.gone_ns);
        }
    }
    if (d->n_hidden > 0) {
        (void)fputs("; ", out);
        put_count(out, d->n_hidden, "node", "nodes");
        (void)fputs(" too narrow to draw", out);
    }
    if (snoopi_trace_damage(d->x->trace)) {
        (void)fputs("; not the whole recording", out);
    }
}

static void put_command(drawing *d)
{
    const snoopi_recording *const r = snoopi_trace_recording(d->x->trace);
    char *text = NULL;
    size_t size = 0;
    FILE *const words = open_memstream(&text, &size);
    if (!words) {
        return;
    }
    (void)fputs("Type inference", words);
    for (uint32_t i = 0; i < r->argc; i++) {
        (void)fprintf(words, "%s%s", i > 0 ? " " : " of ", r->argv[i]);
    }
    if (fclose(words) == 0) {
        put_cut(d->x->out, text, 110);
    }
    free(text);
}

static void put_head(drawing *d)
{
    FILE *const out = d->x->out;
    const double height = y_of(d, 0) + ROW + FOOT + LEGEND_ROW * (double)((d->n_legend + 4) / 3);
    (void)fprintf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"snoopi\" width=\"1200\" "
                  "height=\"%.0f\" viewBox=\"0 0 1200 %.0f\" role=\"img\">\n<title>",
                  height, height);
    put_command(d);
    (void)fprintf(out,
                  "</title>\n<desc>Flame graph by snoopi " SNOOPI_VERSION
                  "; widths are %s</desc>\n<style>%s</style>\n"
                  "<rect width=\"1200\" height=\"%.0f\" fill=\"#fff\"/>\n"
                  "<text class=\"big\" x=\"10\" y=\"24\">",
                  d->x->options->weight == SNOOPI_WEIGHT_COUNT ? "frames" : "inference time", style,
                  height);
    put_command(d);
    (void)fputs("</text>\n<text class=\"small\" x=\"10\" y=\"44\">", out);
    put_totals(d);
    (void)fputs("</text>\n"
                "<text id=\"reset\" class=\"button\" x=\"10\" y=\"62\" style=\"display:none\">"
                "reset zoom (Esc)</text>\n"
                "<text id=\"found\" x=\"1050\" y=\"62\" text-anchor=\"end\"></text>\n"
                "<text id=\"search\" class=\"button\" x=\"1190\" y=\"62\" text-anchor=\"end\" "
                "style=\"display:none\">search (/)</text>\n",
                out);
}

static void begin_frame(drawing *d, uint64_t begin, uint64_t weight, uint32_t level)
{
    (void)fprintf(d->x->out,
                  "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64
                  "\" data-d=\"%u\"><title>",
                  begin, weight, (unsigned)level);
}

static void end_frame(drawing *d, uint64_t begin, uint64_t weight, uint32_t level, const char *fill,
                      const char *name)
{
    FILE *const out = d->x->out;
    const double x = LEFT + WIDTH * share(d, begin);
    const double width = d->total > 0 ? WIDTH * share(d, weight) : WIDTH;
    const double room = (width - 6) / LETTER;
    (void)fprintf(out,
                  "</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" rx=\"1\" "
                  "fill=\"%s\"/><text x=\"%.2f\" y=\"%.0f\">",
                  x, y_of(d, level), width > 0.4 ? width - 0.3 : 0.1, ROW - 1, fill, x + 3,
                  y_of(d, level) + 13);
    if (room >= 3) {
        put_cut(out, name, (size_t)room);
    }
    (void)fputs("</text></g>\n", out);
}

static void put_all(drawing *d)
{
    const snoopi__stacks *const s = &d->stacks;
    const char *const name =
        d->x->options->weight == SNOOPI_WEIGHT_COUNT ? "all frames" : "all inference";
    begin_frame(d, 0, d->total, 0);
    (void)fprintf(d->x->out, "%s\n", name);
    put_time(d->x->out, s->total_ns);
    (void)fputs(", ", d->x->out);
    put_count(d->x->out, s->count, "frame", "frames");
    if (d->x->options->base) {
        const uint64_t was = snoopi__stacks_weight(d->x->options, d->was.total_ns, d->was.count);
        put_change(d, was, d->total);
    }
    end_frame(d, 0, d->total, 0, "#e4e4e4", name);
}

// ---- frames

static bool is_wide(const drawing *d, const snoopi__node *node)
{
    return weight_of(d, node) > 0 && share(d, weight_of(d, node)) * WIDTH >= NARROWEST;
}

static void put_flags(FILE *out, const snoopi__stack_own *own)
{
    uint32_t flags = own->flags;
    const char *separator = "\nsome: ";
    if (own->n_constprop > 0) {
        (void)fprintf(out, "\nconstprop: %" PRIu64 " of %" PRIu64, own->n_constprop, own->count);
        flags &= ~(uint32_t)SNOOPI_FRAME_CONSTPROP;
    }
    for (const char *word = snoopi__export_next_flag(&flags); word;
         word = snoopi__export_next_flag(&flags)) {
        (void)fprintf(out, "%s%s", separator, word);
        separator = ", ";
    }
}

static void put_tooltip(drawing *d, uint32_t number, const snoopi__key *key)
{
    FILE *const out = d->x->out;
    const snoopi__node *const node = &d->stacks.nodes.nodes[number];
    const snoopi__stack_own *const own = &d->stacks.own[number];
    put_cut(out, snoopi__shown_name(key->name), TITLE_MAX);
    (void)putc('\n', out);
    if (key->module && key->module != key->name) {
        snoopi__put_xml(out, key->module);
        (void)fputs(key->file ? "  " : "\n", out);
    }
    if (key->file && key->file != key->name) {
        snoopi__put_xml(out, key->file);
        if (key->line > 0) {
            (void)fprintf(out, ":%d", (int)key->line);
        }
        (void)putc('\n', out);
    }
    put_time(out, node->total_ns);
    (void)fprintf(out, " (%.1f %%), self ", 100 * share(d, weight_of(d, node)));
    put_time(out, own->self_ns);
    (void)fputs(", ", out);
    put_count(out, own->count, "frame", "frames");
    if (d->x->options->base) {
        put_change(d, weight_of(d, &d->was.nodes[number]), weight_of(d, node));
    }
    put_flags(out, own);
}

static void put_node(drawing *d, uint32_t number)
{
    const snoopi__node *const node = &d->stacks.nodes.nodes[number];
    const snoopi__key *const key = &d->stacks.select.keys.keys[node->key];
    const uint64_t begin = d->next[node->depth];
    const uint64_t weight = weight_of(d, node);
    d->next[node->depth] += weight;
    if (!is_wide(d, node)) {
        return;
    }
    d->next[node->depth + 1] = begin;
    begin_frame(d, begin, weight, node->depth + 1);
    put_tooltip(d, number, key);
    const char *const fill = d->x->options->base
                                 ? fill_of_change(d, weight_of(d, &d->was.nodes[number]), weight)
                                 : fill_of(&d->stacks.own[number], key, node->depth);
    end_frame(d, begin, weight, node->depth + 1, fill, snoopi__shown_name(key->name));
}

// ---- the legend: packages by their own weight

static int by_weight(const void *a, const void *b)
{
    const legend_entry *const x = a;
    const legend_entry *const y = b;
    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return strcmp(x->package, y->package);
}

static void add_up_package(legend_entry *entries, size_t *n, const char *package, uint64_t weight)
{
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(entries[i].package, package) == 0) {
            entries[i].weight += weight;
            return;
        }
    }
    entries[(*n)++] = (legend_entry){package, weight};
}

static bool add_up_legend(drawing *d)
{
    const snoopi__stacks *const s = &d->stacks;
    const snoopi__keys *const keys = &s->select.keys;
    uint64_t *const weights = calloc(keys->n_keys + 1, sizeof *weights);
    legend_entry *const entries = calloc(keys->n_keys + 1, sizeof *entries);
    size_t n = 0;
    const bool is_done = weights && entries;
    for (size_t i = 0; is_done && i < s->layout.n; i++) {
        const uint32_t number = s->layout.order[i];
        const snoopi__stack_own *const own = &s->own[number];
        weights[s->nodes.nodes[number].key] +=
            snoopi__stacks_weight(d->x->options, own->self_ns, own->count);
    }
    for (size_t i = 0; is_done && i < keys->n_keys; i++) {
        if (weights[i] > 0 && keys->keys[i].package) {
            add_up_package(entries, &n, keys->keys[i].package, weights[i]);
        }
    }
    if (n > 0) {
        qsort(entries, n, sizeof *entries, by_weight);
        while (d->n_legend < n && d->n_legend < LEGEND_MAX &&
               share(d, entries[d->n_legend].weight) >= 0.0005) { // else it says 0.0 %
            d->n_legend++;
        }
        memcpy(d->legend, entries, d->n_legend * sizeof *entries);
    }
    free(weights);
    free(entries);
    return is_done;
}

static void put_legend_entry(drawing *d, size_t index, const char *fill, const char *name)
{
    const double x = LEFT + (double)(index % 3) * WIDTH / 3;
    const double y = y_of(d, 0) + ROW + FOOT + LEGEND_ROW * (double)(index / 3);
    (void)fprintf(d->x->out,
                  "<rect x=\"%.2f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                  "<text class=\"small\" x=\"%.2f\" y=\"%.0f\">",
                  x, y, fill, x + 18, y + 10);
    put_cut(d->x->out, name, 40);
}

static void put_legend(drawing *d)
{
    FILE *const out = d->x->out;
    (void)fprintf(out, "<text id=\"details\" class=\"small\" x=\"10\" y=\"%.0f\"></text>\n",
                  y_of(d, 0) + ROW + 18);
    if (d->x->options->base) {
        put_legend_entry(d, 0, fill_of_change(d, 0, d->greatest), "more than before");
        (void)fputs("</text>\n", out);
        put_legend_entry(d, 1, fill_of_change(d, d->greatest, 0), "less than before");
        (void)fputs("</text>\n", out);
        return;
    }
    put_legend_entry(d, 0, CONSTPROP_FILL, "constant propagation");
    (void)fputs("</text>\n", out);
    put_legend_entry(d, 1, THUNK_FILL, "top-level code");
    (void)fputs("</text>\n", out);
    for (size_t i = 0; i < d->n_legend; i++) {
        put_legend_entry(d, i + 2, fill_of_package(d->legend[i].package, false),
                         d->legend[i].package);
        (void)fprintf(out, " %.1f %%</text>\n", 100 * share(d, d->legend[i].weight));
    }
}

// ---- the whole

static bool measure(drawing *d)
{
    const snoopi__stacks *const s = &d->stacks;
    d->total = snoopi__stacks_weight(d->x->options, s->total_ns, s->count);
    for (size_t i = 0; i < s->layout.n; i++) {
        const snoopi__node *const node = &s->nodes.nodes[s->layout.order[i]];
        if (!is_wide(d, node)) {
            d->n_hidden++;
        } else if (node->depth + 1 > d->levels) {
            d->levels = node->depth + 1;
        }
    }
    for (size_t i = 0; d->x->options->base && i < s->layout.n; i++) {
        const uint64_t change = change_of(d, s->layout.order[i]);
        d->greatest = change > d->greatest ? change : d->greatest;
    }
    d->next = calloc((size_t)d->levels + 2, sizeof *d->next);
    return d->next != NULL && (d->x->options->base || add_up_legend(d));
}

static void draw(drawing *d)
{
    const snoopi__stacks *const s = &d->stacks;
    uint32_t skipped = UINT32_MAX; // level of a node that is too narrow: so is all below it
    put_head(d);
    put_all(d);
    for (size_t i = 0; i < s->layout.n && !ferror(d->x->out); i++) {
        const uint32_t number = s->layout.order[i];
        const snoopi__node *const node = &s->nodes.nodes[number];
        if (node->depth <= skipped) {
            put_node(d, number);
            skipped = is_wide(d, node) ? UINT32_MAX : node->depth;
        }
    }
    put_legend(d);
    (void)fprintf(d->x->out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", snoopi__svg_script);
}

static int put_svg(snoopi__export *x, snoopi_error *err)
{
    drawing *const d = calloc(1, sizeof *d);
    if (!d) {
        return snoopi__fail_nomem(err);
    }
    d->x = x;
    const snoopi_sort sort =
        x->options->weight == SNOOPI_WEIGHT_COUNT ? SNOOPI_SORT_COUNT : SNOOPI_SORT_TOTAL;
    int status = snoopi__stacks_init(&d->stacks, x->trace, x->options, sort, false, err);
    if (status == SNOOPI_OK && x->options->base) {
        status = snoopi__basestacks_init(&d->was, &d->stacks, x->trace, x->options->base,
                                         x->options, err);
    }
    if (status == SNOOPI_OK && !measure(d)) {
        status = snoopi__fail_nomem(err);
    }
    if (status == SNOOPI_OK) {
        draw(d);
    }
    snoopi__basestacks_clear(&d->was);
    snoopi__stacks_clear(&d->stacks);
    free(d->next);
    free(d);
    return status;
}

const snoopi__exporter snoopi__export_svg = {.name = "svg", .whole = put_svg};
