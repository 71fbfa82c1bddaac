// SPDX-License-Identifier: MIT
// Reading of traces: whole ones, and any bytes.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/pagewriter.h"
#include "snoopi/pack.h"
#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

// A trace of two processes, the first of which has `frames` frames, read into memory.
static void build_trace(void **state, int frames, snoopi__buffer *bytes)
{
    segbuilder b;
    for (uint32_t pid = 1; pid <= 2; pid++) {
        sb_init(&b);
        b.head.pid = pid;
        sb_chunk_begin(&b, 0, 0, 2000);
        sb_info(&b, "argv", "julia\0run.jl", 12);
        sb_definitions(&b);
        sb_string(&b, 9, "here");
        SB_REC(&b, WIRE_LINE, 1, 12);
        SB_REC(&b, WIRE_MARK, 1, 0, 9);
        for (int i = 0; i < (pid == 1 ? frames / 2 : 2); i++) {
            sb_begin(&b, 10, 1, 1);
            sb_begin_args(&b, 10, 1, 2, 2, 3);
            sb_end(&b, 10, 1);
            sb_end(&b, 10, 1);
        }
        sb_write(&b, tc_path(state, pid == 1 ? "1.seg" : "2.seg"));
        sb_clear(&b);
    }
    const char *path = tc_path(state, "whole.snoopi");
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_true(snoopi__buffer_reserve(bytes, (size_t)st.st_size));
    const int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, bytes->data, (size_t)st.st_size), st.st_size);
    (void)close(fd);
    bytes->size = (size_t)st.st_size;
}

static void frames_come_back_as_they_were(void **state)
{
    snoopi__buffer bytes = {0};
    build_trace(state, 100000, &bytes); // several pages
    snoopi_trace *trace = tc_open(tc_path(state, "whole.snoopi"));
    assert_null(snoopi_trace_damage(trace));
    assert_int_equal(tc_check(trace), 100004);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, -1, &n);
    assert_int_equal(n, 100004);
    for (size_t i = 0; i < n; i++) {
        const uint64_t k = i < 100000 ? i : i - 100000; // within the process
        const bool is_inner = k % 2;
        assert_int_equal(frames[i].id, i);
        assert_int_equal(frames[i].process, i >= 100000);
        assert_int_equal(frames[i].parent, is_inner ? (int64_t)i - 1 : -1);
        assert_int_equal(frames[i].begin_ns, 2001 + k / 2 * 40 + 10 + k % 2 * 10);
        assert_int_equal(frames[i].end_ns - frames[i].begin_ns, is_inner ? 10 : 30);
        assert_int_equal(frames[i].self_ns, is_inner ? 9 : 18);
        assert_int_equal(frames[i].line, 12);
    }
    free(frames);
    frames = tc_frames(trace, 1, &n); // one process alone
    assert_int_equal(n, 4);
    assert_int_equal(frames[0].id, 100000);
    free(frames);
    assert_int_equal(snoopi_trace_n_marks(trace), 2);
    assert_int_equal(snoopi_trace_mark(trace, 1)->process, 1);
    assert_null(snoopi_trace_mark(trace, 2));
    assert_null(snoopi_trace_process(trace, 2));
    snoopi_walk *walk;
    assert_int_equal(snoopi_walk_open(&walk, trace, 2, NULL), SNOOPI_E_INVALID);
    assert_null(walk);
    snoopi_trace_close(trace);
    snoopi__buffer_clear(&bytes);
}

// Opens the bytes; what opens must hold together. Returns its damage, "" for none; NULL if it did not open.
static const char *try_bytes(void **state, const void *bytes, size_t size, uint64_t *frames,
                             snoopi_error *err)
{
    static char damage[256];
    const char *path = tc_path(state, "try.snoopi");
    snoopi_trace *trace;
    sb_write_file(path, bytes, size);
    const int st = snoopi_trace_open(&trace, path, err);
    if (st < 0) {
        assert_null(trace);
        assert_non_null(strstr(err->text, "try.snoopi"));
        assert_null(strchr(err->text, '\n'));
        return NULL;
    }
    *frames = tc_check(trace);
    (void)snprintf(damage, sizeof damage, "%s",
                   snoopi_trace_damage(trace) ? snoopi_trace_damage(trace) : "");
    snoopi_trace_close(trace);
    return damage;
}

static void each_cut_opens_as_far_as_it_is_whole(void **state)
{
    snoopi__buffer bytes = {0};
    build_trace(state, 8, &bytes);
    uint64_t most = 0;
    for (size_t size = 0; size < bytes.size; size++) {
        snoopi_error err = {0};
        uint64_t frames = 0;
        const char *damage = try_bytes(state, bytes.data, size, &frames, &err);
        if (size < 16) {
            assert_null(damage);
            assert_int_equal(err.status, SNOOPI_E_FORMAT);
        } else {
            assert_non_null(damage);
            assert_int_equal(strncmp(damage, "cut at byte ", 12), 0);
            assert_true(frames >= most);
            most = frames;
        }
    }
    assert_int_equal(most, 12); // all but the END page
    snoopi__buffer_clear(&bytes);
}

static void no_flipped_bit_does_harm(void **state)
{
    snoopi__buffer bytes = {0};
    build_trace(state, 8, &bytes);
    for (size_t i = 0; i < bytes.size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            snoopi_error err = {0};
            uint64_t frames = 0;
            bytes.data[i] ^= (unsigned char)(1u << bit);
            const char *damage = try_bytes(state, bytes.data, bytes.size, &frames, &err);
            bytes.data[i] ^= (unsigned char)(1u << bit);
            if (i < 12) {
                assert_null(damage); // magic and version
            } else if (i >= 16) {
                assert_true(damage && damage[0]); // every byte of a page is checked
            }
        }
    }
    snoopi__buffer_clear(&bytes);
}

static void what_follows_the_end_is_told(void **state)
{
    snoopi__buffer bytes = {0};
    build_trace(state, 8, &bytes);
    snoopi__buffer_put(&bytes, "more", 4);
    snoopi_error err = {0};
    uint64_t frames = 0;
    const char *damage = try_bytes(state, bytes.data, bytes.size, &frames, &err);
    assert_non_null(strstr(damage, "4 bytes behind the END page"));
    assert_int_equal(frames, 12);
    snoopi__buffer_clear(&bytes);
}

static void what_is_no_trace_is_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        int status;
        const char *words;
    } cases[] = {
        {"", 0, SNOOPI_E_FORMAT, "the file is empty"},
        {"SNOOPI", 6, SNOOPI_E_FORMAT, "not a snoopi trace"},
        {"SNOOPI\r\n\1", 9, SNOOPI_E_FORMAT, "cut at byte 9"},
        {"SNOOPI\n\n\1\0\0\0\0\0\0\0", 16, SNOOPI_E_FORMAT, "not a snoopi trace"},
        {"SNOOPI\r\n\3\0\0\0\0\0\0\0", 16, SNOOPI_E_VERSION,
         "version 3; this snoopi reads up to 2"},
        {"SNOOPI\r\n\0\0\0\0\0\0\0\0", 16, SNOOPI_E_FORMAT, "version 0"},
        {"{\"json\": true}\n", 15, SNOOPI_E_FORMAT, "not a snoopi trace"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snoopi_error err = {0};
        uint64_t frames;
        assert_null(try_bytes(state, cases[i].bytes, cases[i].size, &frames, &err));
        assert_int_equal(err.status, cases[i].status);
        assert_non_null(strstr(err.text, cases[i].words));
    }
    snoopi_error err = {0};
    snoopi_trace *trace;
    assert_int_equal(snoopi_trace_open(&trace, *state, &err), SNOOPI_E_IO);
    assert_non_null(strstr(err.text, "directory"));
    assert_int_equal(snoopi_trace_open(&trace, tc_path(state, "gone"), &err), SNOOPI_E_IO);
    assert_non_null(strstr(err.text, "gone"));
    snoopi_trace_close(NULL);
    snoopi_walk_close(NULL);
}

// --- pages that are sound, with wrong contents ---

typedef struct {
    snoopi__pagewriter writer;
    snoopi__buffer page;
} forged;

static void forge_begin(forged *f, const char *path)
{
    *f = (forged){0};
    assert_int_equal(snoopi__pagewriter_open(&f->writer, path, NULL), 0);
}

static void forge_record(forged *f, uint64_t tag, size_t n, const uint64_t *numbers)
{
    snoopi__buffer payload = {0};
    for (size_t i = 0; i < n; i++) {
        snoopi__buffer_varint(&payload, numbers[i]);
    }
    snoopi__buffer_record(&f->page, tag, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
}

// A FRAME of flags, depth, begin, span, total, self, gc, instance, and varints.
static void forge_frame_record(forged *f, size_t n, const uint64_t *numbers)
{
    snoopi__buffer payload = {0};
    snoopi__buffer_u32(&payload, 0x88888888);
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = i == 4 || i == 5 ? numbers[i - 1] - numbers[i] : numbers[i];
        if (i < WIRE_FRAME_FIELDS) {
            snoopi__buffer_u64(&payload, number);
        } else {
            snoopi__buffer_varint(&payload, number);
        }
    }
    snoopi__buffer_record(&f->page, WIRE_FRAME, payload.data, payload.size);
    snoopi__buffer_clear(&payload);
}

static void forge_page(forged *f, uint16_t kind)
{
    assert_int_equal(snoopi__pagewriter_page(&f->writer, kind, &f->page, NULL), 0);
    if (kind == WIRE_PAGE_FRAMES) {
        assert_int_equal(snoopi__pagewriter_unspool(&f->writer, NULL), 0);
    }
}

static void forge_end(forged *f)
{
    forge_page(f, WIRE_PAGE_END);
    assert_int_equal(snoopi__pagewriter_finish(&f->writer, NULL), 0);
    snoopi__pagewriter_close(&f->writer);
    snoopi__buffer_clear(&f->page);
}

#define NUMBERS(...)                                                   \
    sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]) \
    {                                                                  \
        __VA_ARGS__                                                    \
    }

// A process of one instance, then a root 0 and one frame of these fields behind it.
static void forge_frame_as(void **state, uint64_t tag, const char *words, size_t n,
                           const uint64_t *fields)
{
    forged f;
    forge_begin(&f, tc_path(state, "forged.snoopi"));
    forge_record(&f, WIRE_INSTANCE, NUMBERS(1, WIRE_INSTANCE_METHOD, 0, 0));
    forge_page(&f, WIRE_PAGE_DEFS);
    forge_record(&f, WIRE_PROCESS, NUMBERS(4, 1000, 19, 2));
    forge_page(&f, WIRE_PAGE_PROCESS);
    snoopi__buffer_varint(&f.page, 0);
    forge_frame_record(&f, NUMBERS(0, 0, 5, 100, 90, 80, 70, 1, 0, 0));
    if (tag == WIRE_FRAME) {
        forge_frame_record(&f, n, fields);
    } else {
        forge_record(&f, tag, n, fields);
    }
    forge_page(&f, WIRE_PAGE_FRAMES);
    forge_end(&f);
    snoopi_trace *trace = tc_open(tc_path(state, "forged.snoopi"));
    assert_null(snoopi_trace_damage(trace));
    size_t read;
    snoopi_frame *frames = tc_frames(trace, -1, &read);
    assert_int_equal(read, words ? 1 : 2);
    if (words && !strstr(snoopi_trace_damage(trace), words)) {
        fail_msg("damage is '%s', expected '%s' in it", snoopi_trace_damage(trace), words);
    }
    assert_int_equal(frames[0].begin_ns, 1005);
    free(frames);
    // What was found stays known.
    frames = tc_frames(trace, -1, &read);
    free(frames);
    snoopi_trace_close(trace);
}

static void forge_frame(void **state, const char *words, size_t n, const uint64_t *fields)
{
    forge_frame_as(state, WIRE_FRAME, words, n, fields);
    forge_frame_as(state, WIRE_FRAME_OF_VARINTS, words, n, fields);
}

static void frames_are_checked(void **state)
{
    forge_frame(state, NULL, NUMBERS(0, 1, 0, 9, 9, 9, 9, 1));
    forge_frame(state, NULL, NUMBERS(0, 1, 0, 9, 9, 9, 9, 1, 55, 66)); // fields to come
    forge_frame(state, "without its parent", NUMBERS(0, 2, 0, 9, 9, 9, 9, 1));
    forge_frame(state, "without its parent", NUMBERS(0, UINT64_MAX, 0, 9, 9, 9, 9, 1));
    forge_frame(state, "contradict", NUMBERS(0, 1, 0, 9, 10, 9, 9, 1));
    forge_frame(state, "contradict", NUMBERS(0, 1, 0, 9, 9, 10, 9, 1));
    forge_frame(state, "contradict", NUMBERS(0, 1, 0, 9, 9, 9, 10, 1));
    forge_frame(state, "instance that is not defined", NUMBERS(0, 1, 0, 9, 9, 9, 9, 0));
    forge_frame(state, "instance that is not defined", NUMBERS(0, 1, 0, 9, 9, 9, 9, 2));
    forge_frame(state, "argument that is not defined", NUMBERS(1024, 1, 0, 9, 9, 9, 9, 1, 1, 1, 1));
    forge_frame(state, "malformed frame", NUMBERS(1024, 1, 0, 9, 9, 9, 9, 1, 5000));
    forge_frame(state, "malformed frame", NUMBERS(0, 0, 0, 9, 9, 9, 9, 1, 1ull << 32, 0));
    forge_frame(state, "malformed frame", NUMBERS(0, 1, 0, 9, 9, 9, 9)); // one field short
}

static void widths_of_fields_are_checked(void **state)
{
    const char *path = tc_path(state, "forged.snoopi");
    for (unsigned i = 0; i < WIRE_FRAME_FIELDS; i++) {
        forged f;
        forge_begin(&f, path);
        forge_record(&f, WIRE_INSTANCE, NUMBERS(1, WIRE_INSTANCE_METHOD, 0, 0));
        forge_page(&f, WIRE_PAGE_DEFS);
        forge_record(&f, WIRE_PROCESS, NUMBERS(4, 1000, 19, 1));
        forge_page(&f, WIRE_PAGE_PROCESS);
        snoopi__buffer_varint(&f.page, 0);
        snoopi__buffer payload = {0};
        snoopi__buffer_u32(&payload, 9u << 4 * i);
        snoopi__buffer_put(&payload, "123456789", 9);
        snoopi__buffer_record(&f.page, WIRE_FRAME, payload.data, payload.size);
        snoopi__buffer_clear(&payload);
        forge_page(&f, WIRE_PAGE_FRAMES);
        forge_end(&f);
        snoopi_trace *trace = tc_open(path);
        size_t read;
        free(tc_frames(trace, -1, &read));
        assert_int_equal(read, 0);
        assert_non_null(strstr(snoopi_trace_damage(trace), "malformed frame"));
        snoopi_trace_close(trace);
    }
}

// The most memory, in KiB, that a process takes which reads all of the file; 0: of one that reads nothing.
static long peak_of_reading(const char *path)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (path != NULL) {
            snoopi_trace *trace = tc_open(path);
            size_t n;
            free(tc_frames(trace, -1, &n));
            snoopi_trace_close(trace);
        }
        _exit(0);
    }
    struct rusage used;
    int status;
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_int_equal(status, 0);
    return used.ru_maxrss;
}

// That docs/reliability.md's bound holds: what definitions may take for a file of this size, and what walking takes for frames.
static void assert_memory_is_bounded(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    const int64_t definitions = (8 << 20) + 256 * (int64_t)st.st_size;
    const int64_t walking = (32 << 20) + 2 * (int64_t)st.st_size + (8 << 20);
    const int64_t peak = peak_of_reading(path) - peak_of_reading(NULL);
    assert_in_range(peak * 1024, 0, 17 * definitions + walking);
}

// The same for a STACK of these fields, and a root behind it.
static void forge_stack(void **state, const char *words, size_t n, const uint64_t *fields)
{
    const char *path = tc_path(state, "forged.snoopi");
    forged f;
    forge_begin(&f, path);
    forge_record(&f, WIRE_INSTANCE, NUMBERS(1, WIRE_INSTANCE_METHOD, 0, 0));
    forge_record(&f, WIRE_CODE, NUMBERS(1, 4711, 0));
    forge_page(&f, WIRE_PAGE_DEFS);
    forge_record(&f, WIRE_PROCESS, NUMBERS(4, 1000, 19, 1));
    forge_page(&f, WIRE_PAGE_PROCESS);
    snoopi__buffer_varint(&f.page, 0);
    forge_record(&f, WIRE_STACK, n, fields);
    forge_frame_record(&f, NUMBERS(0, 0, 5, 100, 90, 80, 70, 1, 0, 0));
    forge_page(&f, WIRE_PAGE_FRAMES);
    forge_end(&f);
    snoopi_trace *trace = tc_open(path);
    size_t read;
    free(tc_frames(trace, -1, &read));
    assert_int_equal(read, words ? 0 : 1);
    if (words) {
        assert_non_null(strstr(snoopi_trace_damage(trace), words));
    }
    snoopi_trace_close(trace);
}

static void stacks_are_checked(void **state)
{
    forge_stack(state, NULL, NUMBERS(3, 1, 0, 1, 0));
    forge_stack(state, NULL, NUMBERS(0, 0));
    forge_stack(state, NULL, NUMBERS(1, 1, 1, 55)); // fields to come
    forge_stack(state, "code that is not defined", NUMBERS(1, 2, 0));
    forge_stack(state, "malformed stack", NUMBERS(1, 1)); // one field short
    forge_stack(state, "malformed stack", NUMBERS(1));
    forge_stack(state, "malformed stack", NUMBERS(UINT32_MAX, 1, 0));
}

static void pages_out_of_place_are_told(void **state)
{
    const char *path = tc_path(state, "forged.snoopi");
    forged f;
    forge_begin(&f, path);
    snoopi__buffer_varint(&f.page, 0);
    forge_page(&f, WIRE_PAGE_FRAMES);
    forge_end(&f);
    snoopi_trace *trace = tc_open(path);
    assert_non_null(strstr(snoopi_trace_damage(trace), "frames before the first process"));
    snoopi_trace_close(trace);

    forge_begin(&f, path);
    forge_record(&f, WIRE_PROCESS, NUMBERS(1, 1));
    forge_page(&f, WIRE_PAGE_PROCESS);
    forge_end(&f);
    trace = tc_open(path);
    assert_non_null(strstr(snoopi_trace_damage(trace), "processes out of order"));
    snoopi_trace_close(trace);

    // Frames that are not there, also more of them than any file could hold.
    const uint64_t claims[] = {5, UINT64_C(1) << 60, UINT64_MAX};
    size_t n;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        forge_begin(&f, path);
        forge_record(&f, WIRE_PROCESS, NUMBERS(19, claims[i]));
        forge_page(&f, WIRE_PAGE_PROCESS);
        forge_end(&f);
        trace = tc_open(path);
        free(tc_frames(trace, -1, &n));
        assert_int_equal(n, 0);
        assert_non_null(strstr(snoopi_trace_damage(trace), "frames are missing"));
        snoopi_trace_close(trace);
        assert_memory_is_bounded(path);
    }

    forge_begin(&f, path);
    snoopi__buffer_put(&f.page, "anything", 8);
    forge_page(&f, 99); // a kind to come
    forge_end(&f);
    trace = tc_open(path);
    assert_null(snoopi_trace_damage(trace));
    assert_int_equal(snoopi_trace_n_processes(trace), 0);
    free(tc_frames(trace, -1, &n));
    snoopi_trace_close(trace);
}

// A small file must not make the reader take much memory: 16 MiB of the shortest definitions compress to almost nothing.
static void memory_is_bounded_by_the_size_of_the_file(void **state)
{
    const char *path = tc_path(state, "bomb.snoopi");
    forged f;
    forge_begin(&f, path);
    for (int page = 0; page < 8; page++) {
        while (f.page.size < WIRE_PAGE_RAW_MAX - 8) {
            snoopi__buffer_put(&f.page, "\x7e\0\x7e\0\x7e\0\x7e\0", 8); // an unknown tag
        }
        forge_page(&f, WIRE_PAGE_DEFS);
    }
    forge_end(&f);
    snoopi_trace *trace = tc_open(path);
    assert_non_null(strstr(snoopi_trace_damage(trace), "definitions that are too large"));
    snoopi_trace_close(trace);
    assert_memory_is_bounded(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(frames_come_back_as_they_were),
        WITH_FOLDER(each_cut_opens_as_far_as_it_is_whole),
        WITH_FOLDER(no_flipped_bit_does_harm),
        WITH_FOLDER(what_follows_the_end_is_told),
        WITH_FOLDER(what_is_no_trace_is_refused),
        WITH_FOLDER(frames_are_checked),
        WITH_FOLDER(widths_of_fields_are_checked),
        WITH_FOLDER(stacks_are_checked),
        WITH_FOLDER(pages_out_of_place_are_told),
        WITH_FOLDER(memory_is_bounded_by_the_size_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
