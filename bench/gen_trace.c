// SPDX-License-Identifier: MIT
// gen_trace FRAMES OUT: writes a trace of so many frames, like those of real programs: 2,000 instances of which few are
// inferred often, roots of a few to a few thousand frames, one frame in three with constant arguments.
//
// The same number gives the same trace.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/varint.h"
#include "format/defpool.h"
#include "format/forest.h"
#include "format/framewriter.h"
#include "format/processfields.h"

enum { N_MODULES = 40, N_FILES = 150, N_METHODS = 1200, N_INSTANCES = 2000, N_VALUES = 300 };
enum { BEGIN_NS = 1000000000 };

typedef struct {
    snoopi__pagewriter writer;
    snoopi__defpool pool;
    snoopi__framewriter frames;
    snoopi__forest forest;
    snoopi__gcspans gc;
    snoopi__remap remap;
    snoopi__arena arena;
    snoopi__defs defs;
    uint64_t random;
} generator;

static void must(int st, const snoopi_error *err)
{
    if (st < 0) {
        fprintf(stderr, "gen_trace: %s\n", err->text);
        exit(1);
    }
}

// xorshift64*: fast, and the same everywhere.
static uint64_t draw(generator *g, uint64_t below)
{
    g->random ^= g->random >> 12;
    g->random ^= g->random << 25;
    g->random ^= g->random >> 27;
    return (g->random * 0x2545f4914f6cdd1d >> 33) % below;
}

// --- definitions ---

static void define(generator *g, uint64_t tag, size_t n, const uint64_t *numbers, const char *text)
{
    snoopi_error err = {.text = "out of memory"};
    const char *why = "";
    snoopi__buffer payload = {0};
    for (size_t i = 0; i < n; i++) {
        snoopi__buffer_varint(&payload, numbers[i]);
    }
    snoopi__buffer_put(&payload, text, text ? strlen(text) : 0);
    must(snoopi__defs_add(&g->defs, tag, payload.data, payload.size, &why), &err);
    snoopi__buffer_clear(&payload);
}
#define DEFINE(g, tag, ...)                                              \
    define(g, tag, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
           (const uint64_t[]){__VA_ARGS__}, NULL)

static uint64_t define_name(generator *g, const char *format, unsigned i)
{
    char text[64];
    const uint64_t id = g->defs.n_strings ? g->defs.n_strings : 1;
    (void)snprintf(text, sizeof text, "%s%u", format, i);
    define(g, WIRE_STRING, 1, &id, text);
    return id;
}

// Node 1: Any. Nodes from 2: types without parameters. Then values of type 2, then Tuple types.
static void define_types(generator *g)
{
    DEFINE(g, WIRE_TYPENAME, 1, define_name(g, "Tuple", 0), 1, 0, WIRE_TN_VISIBLE | WIRE_TN_TUPLE);
    for (unsigned i = 1; i <= 100; i++) {
        DEFINE(g, WIRE_TYPENAME, i + 1, define_name(g, "Type", i), 1 + i % N_MODULES, 0,
               WIRE_TN_CONCRETE);
        DEFINE(g, WIRE_NODE, i, WIRE_FORM_DATATYPE, i + 1, WIRE_DATATYPE_WRAPPER, 0);
    }
    for (unsigned i = 0; i < N_VALUES; i++) {
        const uint64_t fields[] = {101 + i, WIRE_FORM_BITS, 2};
        char bits[8];
        (void)snprintf(bits, sizeof bits, "%07u", i);
        define(g, WIRE_NODE, 3, fields, bits);
    }
    for (unsigned i = 0; i < N_INSTANCES; i++) {
        DEFINE(g, WIRE_NODE, 101 + N_VALUES + i, WIRE_FORM_DATATYPE, 1, 0, 3, 1 + i % 100,
               1 + i / 20, 1 + i * 7 % 100);
    }
}

static void define_all(generator *g)
{
    for (unsigned i = 1; i <= N_MODULES; i++) {
        DEFINE(g, WIRE_MODULE, i, define_name(g, "Module", i), i > 10 ? i - 10 : 0, i == 1);
    }
    for (unsigned i = 1; i <= N_FILES; i++) {
        DEFINE(g, WIRE_FILE, i, define_name(g, "/src/file", i), 0);
    }
    define_types(g);
    for (unsigned i = 1; i <= N_METHODS; i++) {
        DEFINE(g, WIRE_METHOD, i, define_name(g, "method", i), 1 + i % N_MODULES, 1 + i % N_FILES,
               snoopi__zigzag(i), 5000 + i, i % 50 ? 0 : WIRE_METHOD_GENERATOR, 2,
               101 + N_VALUES + i);
    }
    for (unsigned i = 1; i <= N_INSTANCES; i++) {
        DEFINE(g, WIRE_INSTANCE, i, WIRE_INSTANCE_METHOD, 1 + i % N_METHODS, 100 + N_VALUES + i);
    }
}

// --- frames ---

// Few instances make most of the frames.
static uint32_t draw_instance(generator *g)
{
    const uint64_t most = draw(g, N_INSTANCES) + 1;
    return (uint32_t)(draw(g, 3) ? draw(g, most) + 1 : draw(g, 1 + most / 8) + 1);
}

static void begin_frame(generator *g, snoopi__task *task, uint64_t time_ns)
{
    snoopi_arg args[3];
    snoopi_error err;
    snoopi__begin begin = {
        .time_ns = time_ns, .args = args, .instance = draw_instance(g), .task = 1};
    if (draw(g, 3) == 0) {
        begin.flags = SNOOPI_FRAME_CONSTPROP;
        begin.n_args = (uint32_t)draw(g, 3) + 1;
        for (uint32_t i = 0; i < begin.n_args; i++) {
            args[i] = (snoopi_arg){.position = i + 2, .node = (uint32_t)(101 + draw(g, N_VALUES))};
        }
    } else if (draw(g, 4) == 0) {
        begin.flags = SNOOPI_FRAME_REPEATED;
    }
    if (task->top == 0) {
        begin.line_file = 1;
        begin.line = (uint32_t)draw(g, 200) + 1;
    }
    must(snoopi__forest_begin(&g->forest, task, &begin, &err), &err);
}

// Time to the next event: 1 to 200 µs, now and then more.
static uint64_t draw_step(generator *g)
{
    return 1000 + draw(g, draw(g, 50) ? 100000 : 5000000);
}

// A root of about `size` frames: a walk up and down, which tends to come back from the deep.
static void generate_root(generator *g, uint64_t *time_ns, uint64_t size)
{
    snoopi_error err;
    snoopi__task task = {.key = 1};
    uint64_t depth = 0;
    do {
        *time_ns += draw_step(g);
        snoopi__forest_charge(&g->forest, &task, 50 + draw(g, 500));
        if (size > 0 && (depth == 0 || draw(g, 24) > depth)) {
            begin_frame(g, &task, *time_ns);
            depth++;
            size--;
        } else {
            const uint32_t flags = draw(g, 200) ? 0 : SNOOPI_FRAME_CYCLE;
            must(snoopi__forest_end(&g->forest, &task, *time_ns, flags, &err), &err);
            depth--;
        }
    } while (depth > 0);
}

static uint64_t generate(generator *g, uint64_t n_frames)
{
    uint64_t time_ns = BEGIN_NS;
    while (g->forest.sums.frames < n_frames) {
        const uint64_t left = n_frames - g->forest.sums.frames;
        const uint64_t wanted = draw(g, 20) ? draw(g, 100) + 1 : draw(g, 5000) + 1;
        generate_root(g, &time_ns, wanted < left ? wanted : left);
        time_ns += draw_step(g);
    }
    return time_ns;
}

// --- the trace ---

static void write_process(generator *g, uint64_t end_ns, snoopi_error *err)
{
    const snoopi__sums *sums = &g->forest.sums;
    const snoopi_process process = {.parent = -1,
                                    .pid = 1,
                                    .begin_ns = BEGIN_NS,
                                    .wall_ns = end_ns - BEGIN_NS,
                                    .inference_ns = sums->inference_ns,
                                    .busy_ns = sums->busy_ns,
                                    .outside_ns = end_ns - BEGIN_NS - sums->busy_ns,
                                    .frames = sums->frames,
                                    .roots = sums->roots,
                                    .instances = N_INSTANCES,
                                    .hook = SNOOPI_HOOK_NATIVE,
                                    .is_complete = true,
                                    .has_args = true,
                                    .julia = "1.5.3",
                                    .role = "main"};
    snoopi__buffer page = {0};
    snoopi__buffer payload = {0};
    snoopi__process_put(&payload, &process, WIRE_STATE_ENDED);
    snoopi__buffer_record(&page, WIRE_PROCESS, payload.data, payload.size);
    must(snoopi__pagewriter_page(&g->writer, WIRE_PAGE_PROCESS, &page, err), err);
    must(snoopi__pagewriter_unspool(&g->writer, err), err);
    const snoopi_recording recording = {
        .processes = 1, .frames = sums->frames, .writer = "gen_trace"};
    payload.size = 0;
    snoopi__recording_put(&payload, &recording);
    snoopi__buffer_record(&page, WIRE_RECORDING, payload.data, payload.size);
    must(snoopi__pagewriter_page(&g->writer, WIRE_PAGE_END, &page, err), err);
    must(snoopi__pagewriter_finish(&g->writer, err), err);
    snoopi__buffer_clear(&page);
    snoopi__buffer_clear(&payload);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    const uint64_t n_frames = argc == 3 ? strtoull(argv[1], &end, 10) : 0;
    if (!end || *end || n_frames == 0) {
        fprintf(stderr, "usage: gen_trace FRAMES OUT\n");
        return 2;
    }
    static generator g = {.random = 0x5eed};
    snoopi_error err;
    must(snoopi__pagewriter_open(&g.writer, argv[2], &err), &err);
    g.pool.writer = &g.writer;
    g.frames = (snoopi__framewriter){.writer = &g.writer, .process_begin_ns = BEGIN_NS};
    snoopi__forest_init(&g.forest, g.writer.dir, &g.gc, snoopi__framewriter_put, &g.frames);
    snoopi__defs_init(&g.defs, &g.arena, 1u << 20);
    define_all(&g);
    must(snoopi__defpool_take(&g.pool, &g.defs, NULL, &g.remap, &err), &err);
    must(snoopi__defpool_flush(&g.pool, &err), &err);
    const uint64_t end_ns = generate(&g, n_frames);
    must(snoopi__framewriter_flush(&g.frames, &err), &err);
    write_process(&g, end_ns, &err);
    printf("%s: %llu frames, %llu bytes\n", argv[2], (unsigned long long)g.forest.sums.frames,
           (unsigned long long)g.writer.bytes);
    snoopi__forest_clear(&g.forest);
    snoopi__framewriter_clear(&g.frames);
    snoopi__remap_clear(&g.remap);
    snoopi__defpool_clear(&g.pool);
    snoopi__defs_clear(&g.defs);
    snoopi__arena_clear(&g.arena);
    snoopi__pagewriter_close(&g.writer);
    return 0;
}
