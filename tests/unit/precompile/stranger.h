// SPDX-License-Identifier: MIT
#ifndef SNOOPI_STRANGER_H
#define SNOOPI_STRANGER_H

/**
 * @file
 * Recordings that somebody made up to get code into the directives: packages, functions, types, keywords and symbols have names
 * that end literals, calls and lines, or are random bytes.
 */
#include "tests/unit/format/segbuilder.h"

enum { STRANGER_NAMES = 40 /* the seeds below that use one of these for every name */ };

/** A segment with roots of a package `Pkg`, whose names are chosen by `seed`. To be cleared. */
void stranger_segment(segbuilder *b, uint64_t seed);

#endif
