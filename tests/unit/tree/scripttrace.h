// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SCRIPTTRACE_H
#define SNOOPI_SCRIPTTRACE_H

/**
 * @file
 * Traces from a line of text, so that a test shows what it is about. A script is the story of one process:
 *
 *     f(g(f)h) F      f calls g, which calls f; then f calls h; then F is a root of its own
 *
 * Each beginning and each end is 10 ns after what was before; a frame without parentheses takes 10 ns.
 *
 *     space   10 ns pass                     |   what follows is of the next thread, from the beginning
 *     *       a collection of 5 ns ends      @7; toplevel line a.jl:7         !x;  mark x
 *     .       the process ends in order, with status 0
 *     ^1      the open frame with one open frame inside it runs from now on, as frames of a cycle do by turns
 *
 * The letters: f and F are instances of one method, Main.f at a.jl:10; g is Lib.g at b.jl:20; h is Lib.Sub.h at b.jl:30; w is Main's
 * `a;b "c"` at a.jl:40; t is a thunk at a.jl:3.
 */
#include <snoopi/trace.h>

typedef struct {
    char folder[64];
    unsigned n_processes;
    snoopi_trace *trace;
} scripttrace;

/**
 * When the first process begins, the next ones each 1 ns later, and when the first event of each is. Pids are higher than any that
 * lives.
 */
enum { SCRIPT_BEGIN_NS = 1000, SCRIPT_FIRST_NS = 2000, SCRIPT_PID = 5000000 };

/** Writes the segment of a process: the `index`-th of a recording. */
void script_write(const char *path, unsigned index, const char *script);

void script_init(scripttrace *s);

/** Adds a process. */
void script_process(scripttrace *s, const char *script);

/** Packs what was added, and opens it. */
snoopi_trace *script_open(scripttrace *s);

/** The same in one step, of one process. */
snoopi_trace *script_trace(scripttrace *s, const char *script);

/** Closes the trace and removes all files. */
void script_clear(scripttrace *s);

#endif
