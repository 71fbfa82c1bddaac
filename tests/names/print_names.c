// SPDX-License-Identifier: MIT
// Prints the names of what a segment defines, as lib/names gives them:
//
//     print_names SEGMENT VERSION < IDS
//     print_names --packed SEGMENT VERSION
//
// IDS has lines that begin with i<id> (an instance) or n<id> (a node); of what follows nothing is read, so that the file of
// expected names will do. Each is answered by the id, a tab, and the name with \ \n \t escaped. --packed packs the segment, and
// prints the names of all instances of the trace, without ids.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "format/handle.h"
#include "format/segment.h"
#include "names/names.h"
#include "snoopi/trace.h"

static int load(const char *path, snoopi__defs *defs)
{
    snoopi__segment segment = {0};
    snoopi_error err;
    if (snoopi__segment_open(&segment, path, &err) < 0) {
        fprintf(stderr, "print_names: %s\n", err.text);
        return -1;
    }
    int st = 0;
    for (size_t chunk = 0; chunk < segment.n_chunks && st == 0;) {
        snoopi__thread thread;
        snoopi__event event;
        chunk = snoopi__thread_open(&thread, &segment, chunk, &segment.damage);
        while (st == 0 && snoopi__thread_next(&thread, &event)) {
            const char *why = "";
            const snoopi__record *record = &event.record;
            if (record->tag < WIRE_DEF_KINDS &&
                snoopi__defs_add(defs, record->tag, record->payload, record->size, &why) < 0) {
                fprintf(stderr, "print_names: %s: %s\n", path, why);
                st = -1;
            }
        }
        snoopi__thread_close(&thread);
    }
    const uint64_t mended = snoopi__defs_check(defs);
    if (mended || segment.damage.count) {
        fprintf(stderr, "print_names: %s: %" PRIu64 " definitions mended; %s\n", path, mended,
                segment.damage.text);
        st = -1;
    }
    snoopi__segment_close(&segment);
    return st;
}

static void print_escaped(const snoopi__text *text)
{
    for (size_t i = 0; i < text->size; i++) {
        const char c = text->data[i];
        if (c == '\\' || c == '\n' || c == '\t') {
            putchar('\\');
            putchar(c == '\n' ? 'n' : c == '\t' ? 't' : '\\');
        } else {
            putchar(c);
        }
    }
}

// Names of the instances of a trace that is packed from the segment when it is opened.
static int print_packed(const char *path, const char *version)
{
    snoopi_trace *trace = NULL;
    snoopi_error err;
    if (snoopi_trace_open(&trace, path, &err) < 0) {
        fprintf(stderr, "print_names: %s\n", err.text);
        return 1;
    }
    snoopi__names *names = snoopi__names_new(snoopi__trace_defs(trace), version);
    snoopi__text text = {.limit = SNOOPI__NAME_LIMIT_WHOLE};
    for (uint32_t id = 1; names && id <= snoopi_trace_n_instances(trace); id++) {
        snoopi__text_reset(&text);
        snoopi__put_instance(names, &text, id, 0);
        print_escaped(&text);
        putchar('\n');
    }
    snoopi__text_clear(&text);
    snoopi__names_free(names);
    snoopi_trace_close(trace);
    return names && fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--packed") == 0) {
        return print_packed(argv[2], argv[3]);
    }
    if (argc != 3) {
        fprintf(
            stderr,
            "usage: print_names SEGMENT VERSION < IDS\n       print_names --packed SEGMENT VERSION\n");
        return 2;
    }
    snoopi__arena arena = {0};
    snoopi__defs defs;
    snoopi__defs_init(&defs, &arena, UINT32_MAX - 1);
    int st = load(argv[1], &defs);
    snoopi__names *names = st == 0 ? snoopi__names_new(&defs, argv[2]) : NULL;
    snoopi__text text = {.limit = SNOOPI__NAME_LIMIT_WHOLE};
    char *line = NULL;
    size_t capacity = 0;
    while (names && getline(&line, &capacity, stdin) > 0) {
        const uint32_t id = (uint32_t)strtoul(line + 1, NULL, 10);
        snoopi__text_reset(&text);
        if (line[0] == 'i') {
            snoopi__put_instance(names, &text, id, 0);
        } else {
            snoopi__put_node(names, &text, id, 0);
        }
        printf("%c%" PRIu32 "\t", line[0], id);
        print_escaped(&text);
        putchar('\n');
    }
    free(line);
    snoopi__text_clear(&text);
    snoopi__names_free(names);
    snoopi__defs_clear(&defs);
    snoopi__arena_clear(&arena);
    return st < 0 || fflush(stdout) != 0;
}
