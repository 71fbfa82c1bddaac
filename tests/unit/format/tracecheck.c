// SPDX-License-Identifier: MIT
// Helpers of tests that read traces. See tracecheck.h.
#include "tests/unit/format/tracecheck.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

int tc_folder(void **state)
{
    const char *tmpdir = getenv("TMPDIR");
    char *path = NULL;
    if (asprintf(&path, "%s/snoopi-test-XXXXXX", tmpdir ? tmpdir : "/tmp") < 0) {
        return -1;
    }
    *state = path;
    return mkdtemp(path) ? 0 : -1;
}

int tc_remove_folder(void **state)
{
    char *path = *state;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder) {
        (void)closedir(folder);
    }
    const int st = rmdir(path);
    free(path);
    return st;
}

const char *tc_path(void *const *state, const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", (const char *)*state, name);
    return path;
}

snoopi_trace *tc_open(const char *path)
{
    snoopi_trace *trace = NULL;
    snoopi_error err = {0};
    if (snoopi_trace_open(&trace, path, &err) < 0) {
        fail_msg("%s", err.text);
    }
    return trace;
}

snoopi_trace *tc_open_segment(void **state, const segbuilder *b)
{
    const char *path = tc_path(state, "one.seg");
    sb_write(b, path);
    return tc_open(path);
}

snoopi_frame *tc_frames(snoopi_trace *trace, int64_t process, size_t *n)
{
    snoopi_error err = {0};
    snoopi_walk *walk = NULL;
    snoopi_frame *frames = NULL;
    size_t capacity = 0;
    int st;
    *n = 0;
    assert_int_equal(snoopi_walk_open(&walk, trace, process, &err), 0);
    do {
        frames = snoopi__grow(frames, &capacity, *n + 1, sizeof *frames);
        assert_non_null(frames);
        st = snoopi_walk_next(walk, &frames[*n], &err);
        *n += st == 1;
    } while (st == 1);
    assert_int_equal(st, 0);
    snoopi_walk_close(walk);
    return frames;
}

// The sums of the process that ended before `frame`, against what it says.
static void check_sums(const snoopi_process *p, uint64_t frames, uint64_t self, uint64_t total)
{
    assert_true(self == p->inference_ns);
    assert_true(total == p->inference_ns);
    assert_true(frames == p->frames);
}

uint64_t tc_check(snoopi_trace *trace)
{
    uint64_t all = 0;
    for (uint32_t p = 0; p < snoopi_trace_n_processes(trace); p++) {
        size_t n;
        snoopi_frame *frames = tc_frames(trace, p, &n);
        uint64_t self = 0;
        uint64_t total = 0;
        uint64_t root_begin = 0;
        for (size_t i = 0; i < n; i++) {
            const snoopi_frame *f = &frames[i];
            assert_int_equal(f->process, p);
            assert_true(f->id == frames[0].id + i);
            assert_int_equal(f->parent == -1, f->depth == 0);
            assert_true(f->gc_ns <= f->self_ns && f->self_ns <= f->total_ns);
            assert_true(f->total_ns <= f->end_ns - f->begin_ns);
            if (f->depth > 0) {
                const snoopi_frame *parent = &frames[(uint64_t)f->parent - frames[0].id];
                assert_int_equal(parent->depth + 1, f->depth);
            } else {
                total += f->total_ns;
                assert_true(i == 0 || f->begin_ns >= root_begin || snoopi_trace_damage(trace));
                root_begin = f->begin_ns;
            }
            self += f->self_ns;
        }
        if (!snoopi_trace_damage(trace)) {
            check_sums(snoopi_trace_process(trace, p), n, self, total);
        }
        all += n;
        free(frames);
    }
    return all;
}

void tc_compare(snoopi_trace *trace, const tc_expected *expected, size_t n_expected)
{
    size_t n;
    snoopi_frame *frames = tc_frames(trace, -1, &n);
    assert_int_equal(n, n_expected);
    for (size_t i = 0; i < n; i++) {
        const snoopi_frame *f = &frames[i];
        const tc_expected *e = &expected[i];
        if (f->depth != e->depth || f->begin_ns != e->begin || f->end_ns != e->end ||
            f->total_ns != e->total || f->self_ns != e->self || f->instance != e->instance ||
            f->flags != e->flags) {
            fail_msg(
                "frame %zu: depth %u begin %llu end %llu total %llu self %llu instance %u flags %u",
                i, f->depth, (unsigned long long)f->begin_ns, (unsigned long long)f->end_ns,
                (unsigned long long)f->total_ns, (unsigned long long)f->self_ns, f->instance,
                f->flags);
        }
    }
    free(frames);
    assert_int_equal(tc_check(trace), n);
}
