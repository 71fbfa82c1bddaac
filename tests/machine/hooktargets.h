// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TEST_HOOKTARGETS_H
#define SNOOPI_TEST_HOOKTARGETS_H

// Functions to be hooked, with beginnings as compilers make them. Each calls `back` in its midst, with what it was given.
#include <stddef.h>
#include <stdint.h>

typedef long target_back(long argument);

typedef struct {
    long first, second;
} target_pair;

typedef struct {
    long parts[6];
} target_large;

long target_sum(long a, long b, long c, long d, long e, target_back *back);
target_pair target_two(long a, long b, target_back *back);
target_large target_memory(long a, long b, target_back *back);
// Calls itself `depth` times, then `back`.
long target_deep(long depth, long b, target_back *back);
// Begins with what can't be moved.
long target_short(long a);

#if defined(__aarch64__)
double target_vectors(double a, double b, double c, double d, double e, double f, double g,
                      double h, long x, long y, long z, long u, long v, long w, long t,
                      target_back *back);
// Code that can be copied, and begins with the landing pad of indirect branches; calls back(a), adds a.
extern const uint8_t target_guarded[];
extern const size_t target_guarded_size;
#endif

#endif
