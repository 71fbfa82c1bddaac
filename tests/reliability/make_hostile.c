// SPDX-License-Identifier: MIT
// Segments that try what a trace can be made to try: make_hostile FOLDER KIND
//
//     words    two threads; every text of it is what would break out of a terminal, a string, an element, a folder
//     plain    the same with harmless texts
//     names    instances with names of a megabyte
//     deep     10,000 frames, each below the one before
//     wide     a million instances, a frame each
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/varint.h"
#include "tests/unit/format/segbuilder.h"

static const char hostile[] =
    "\x1b]0;title\x07\x1b[31m\x9b\xc2\x9b"
    "2J\r\n\t\x7f<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&]]>--><!--\\u0000\\\"`touch "
    "pwned`$(touch pwned);../../../pwned/\xff\xfe\xe2\x80\xae\xe2\x80\xa8{{1}}%s%n=cmd|' /c x'!A0";

static const char *text_of(const char *kind, const char *plain)
{
    return strcmp(kind, "words") == 0 ? hostile : plain;
}

static void write_segment(const char *folder, segbuilder *b)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/0.seg", folder);
    b->head.state = WIRE_STATE_ENDED;
    sb_write(b, path);
    sb_clear(b);
}

static void info(segbuilder *b, const char *kind, const char *key)
{
    const char *text = text_of(kind, strcmp(key, "julia") == 0 ? "1.5.3" : key);
    sb_info(b, key, text, strlen(text));
}

static void make_words(const char *folder, const char *kind)
{
    static const char *const keys[] = {"argv", "julia", "bindir",  "exe",
                                       "cwd",  "hook",  "compile", "image"};
    segbuilder b;
    sb_init(&b);
    (void)snprintf(b.head.reason, sizeof b.head.reason, "%s", text_of(kind, "reason"));
    sb_chunk_begin(&b, 0, 0, 2000);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        info(&b, kind, keys[i]);
    }
    sb_definitions(&b);
    sb_string(&b, 20, text_of(kind, "word"));
    SB_REC(&b, WIRE_MODULE, 2, 20, 0, 0);
    SB_REC(&b, WIRE_MODULE, 3, 20, 2, 0);
    SB_REC(&b, WIRE_FILE, 2, 20, 0);
    SB_REC(&b, WIRE_TYPENAME, 3, 20, 3, 20, WIRE_TN_CONCRETE);
    SB_REC(&b, WIRE_NODE, 10, WIRE_FORM_DATATYPE, 3, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(&b, WIRE_NODE, 11, WIRE_FORM_SYMBOL, 20);
    SB_REC(&b, WIRE_NODE, 12, WIRE_FORM_TEXT, 20, strlen(text_of(kind, "word")));
    SB_REC(&b, WIRE_NODE, 13, WIRE_FORM_MODULE, 3);
    SB_REC(&b, WIRE_NODE, 14, WIRE_FORM_DATATYPE, 2, 0, 4, 10, 11, 12, 13);
    for (uint64_t i = 10; i < 14; i++) {
        SB_REC(&b, WIRE_METHOD, i, 20, i % 2 + 2, 2, snoopi__zigzag((int64_t)i), 5000 + i, 0, 4,
               14);
        SB_REC(&b, WIRE_INSTANCE, i, WIRE_INSTANCE_METHOD, i, 14);
        SB_REC(&b, WIRE_RESULT, i, 14);
    }
    SB_REC(&b, WIRE_INSTANCE, 14, WIRE_INSTANCE_TOPLEVEL, 3, 2, snoopi__zigzag(3));
    SB_REC(&b, WIRE_CODE, 1, 4711, 2, 20, 2, 7, 11, WIRE_CODE_INLINED, 20, 2, 8, 12, 0);
    for (uint32_t thread = 0; thread < 2; thread++) {
        if (thread == 1) {
            sb_chunk_begin(&b, 1, 0, 2000);
        }
        SB_REC(&b, WIRE_LINE, 2, 5);
        SB_REC(&b, WIRE_MARK, 10, 0, 20);
        for (uint64_t i = 10; i < 15; i++) {
            SB_REC(&b, WIRE_STACK, 5, 0, 1, 1, 0);
            sb_begin_args(&b, 100000, 1, i, 2, 11);
            sb_begin_args(&b, 100000, 1, 10 + (i + 1) % 5, 3, 12);
            sb_end(&b, 3000000, 1);
            sb_end(&b, 4000000, 1);
        }
    }
    write_segment(folder, &b);
}

static void make_names(const char *folder)
{
    enum { MEGABYTE = 1 << 20 };
    char *name = malloc(MEGABYTE + 1);
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    for (uint64_t i = 10; name && i < 14; i++) {
        memset(name, 'a' + (int)(i - 10), MEGABYTE);
        name[MEGABYTE] = '\0';
        sb_string(&b, i, name);
        SB_REC(&b, WIRE_METHOD, i, i, 1, 1, snoopi__zigzag(5), 5000 + i, 0, 1, 2);
        SB_REC(&b, WIRE_INSTANCE, i, WIRE_INSTANCE_METHOD, i, 2);
        sb_begin(&b, 10, 0, i);
        sb_end(&b, 10, 0);
    }
    free(name);
    write_segment(folder, &b);
}

static void make_deep(const char *folder)
{
    enum { DEPTH = 10000 };
    segbuilder b;
    sb_init(&b);
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    for (uint64_t i = 0; i < DEPTH; i++) {
        sb_begin(&b, 10, 0, 1 + i % 3);
    }
    for (uint64_t i = 0; i < DEPTH; i++) {
        sb_end(&b, 10, 0);
    }
    write_segment(folder, &b);
}

static void make_wide(const char *folder)
{
    enum { INSTANCES = 1000000, FIRST = 100, PER_CHUNK = 250000 };
    segbuilder b;
    sb_init(&b);
    for (uint64_t i = 0; i < INSTANCES; i++) {
        if (i % PER_CHUNK == 0) {
            sb_chunk_begin(&b, 0, (uint32_t)(i / PER_CHUNK), 2000 + 20 * i);
            if (i == 0) {
                sb_definitions(&b);
            }
        }
        // Each takes a number of its own: f(::Val{i}) as far as the library sees.
        unsigned char bits[16] = {0};
        unsigned char *at = snoopi__put_varint(bits, FIRST + i);
        *at++ = WIRE_FORM_BITS;
        *at++ = 1;
        memcpy(at, &i, 4);
        sb_record(&b, WIRE_NODE, bits, (size_t)(at + 4 - bits));
        SB_REC(&b, WIRE_NODE, FIRST + INSTANCES + i, WIRE_FORM_DATATYPE, 2, 0, 1, FIRST + i);
        SB_REC(&b, WIRE_INSTANCE, FIRST + i, WIRE_INSTANCE_METHOD, 1, FIRST + INSTANCES + i);
        sb_begin(&b, 10, 0, FIRST + i);
        sb_end(&b, 10, 0);
    }
    write_segment(folder, &b);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: make_hostile FOLDER words|plain|names|deep|wide\n");
        return 2;
    }
    (void)mkdir(argv[1], 0700);
    if (strcmp(argv[2], "names") == 0) {
        make_names(argv[1]);
    } else if (strcmp(argv[2], "deep") == 0) {
        make_deep(argv[1]);
    } else if (strcmp(argv[2], "wide") == 0) {
        make_wide(argv[1]);
    } else {
        make_words(argv[1], argv[2]);
    }
    return 0;
}
