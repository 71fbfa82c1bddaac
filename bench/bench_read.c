// SPDX-License-Identifier: MIT
// bench_read FILE: how fast a trace is walked, and how that compares to decompressing its pages and no more.
//
// Both are measured in turns in one run, the best of each counts: other work on the machine then disturbs both alike.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/pagereader.h"
#include "format/wire.h"
#include "snoopi/trace.h"

enum { ROUNDS = 5 };

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_read: %s\n", what);
    exit(1);
}

static double walk_all(snoopi_trace *trace, uint64_t *n_frames, uint64_t *self_ns)
{
    snoopi_walk *walk;
    snoopi_frame frame;
    snoopi_error err;
    const double begin = now_s();
    *n_frames = 0;
    *self_ns = 0;
    if (snoopi_walk_open(&walk, trace, -1, &err) < 0) {
        fail(err.text);
    }
    int st;
    while ((st = snoopi_walk_next(walk, &frame, &err)) == 1) {
        ++*n_frames;
        *self_ns += frame.self_ns;
    }
    if (st < 0) {
        fail(err.text);
    }
    snoopi_walk_close(walk);
    return now_s() - begin;
}

static double decompress_all(int fd, uint64_t size, uint64_t *raw_bytes)
{
    snoopi__pagereader reader = {0};
    uint64_t at = WIRE_TRACE_HEADER_SIZE;
    const double begin = now_s();
    *raw_bytes = 0;
    while (at < size) {
        snoopi__pagehead head;
        const char *why = "input/output error";
        if (snoopi__pagehead_read(&head, fd, at, size, &why) < 0 ||
            snoopi__pagereader_read(&reader, fd, at, &head, &why) < 0) {
            fail(why);
        }
        at += WIRE_PAGE_HEADER_SIZE + head.stored_size;
        *raw_bytes += head.raw_size;
    }
    const double seconds = now_s() - begin;
    snoopi__pagereader_clear(&reader);
    return seconds;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_read FILE\n");
        return 2;
    }
    snoopi_trace *trace;
    snoopi_error err;
    if (snoopi_trace_open(&trace, argv[1], &err) < 0) {
        fail(err.text);
    }
    struct stat st;
    const int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        fail(argv[1]);
    }
    double walk_s = 1e9;
    double zstd_s = 1e9;
    uint64_t n_frames = 0;
    uint64_t self_ns = 0;
    uint64_t raw_bytes = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const double walked = walk_all(trace, &n_frames, &self_ns);
        const double decompressed = decompress_all(fd, (uint64_t)st.st_size, &raw_bytes);
        walk_s = walked < walk_s ? walked : walk_s;
        zstd_s = decompressed < zstd_s ? decompressed : zstd_s;
    }
    const double frames = (double)n_frames;
    printf("%.0f frames, %.1f bytes each in the file, %.1f decompressed; self %.3f s\n", frames,
           (double)st.st_size / frames, (double)raw_bytes / frames, (double)self_ns * 1e-9);
    printf("walk        %8.2f M frames/s  %6.1f ns each\n", frames / walk_s * 1e-6,
           walk_s / frames * 1e9);
    printf("decompress  %8.2f M frames/s  %6.1f ns each\n", frames / zstd_s * 1e-6,
           zstd_s / frames * 1e9);
    printf("a walk takes %.2f times as long as decompressing and checking its pages\n",
           walk_s / zstd_s);
    (void)close(fd);
    snoopi_trace_close(trace);
    return 0;
}
