// SPDX-License-Identifier: MIT
#ifndef SNOOPI_H
#define SNOOPI_H

/**
 * @file
 * All of libsnoopi: packing what the agent left, reading traces, summing them up, and writing them in the formats of others.
 *
 *     segments ─pack.h→ trace ─trace.h→ frames ─scope.h→ frames that are asked for ─aggregate.h→ sums by key
 *                                                                                  ─diff.h→ changes ─gate.h→ good or not
 *                                                                                  ─tree.h→ call trees
 *                                                                                  ─triggers.h→ who caused it ─advice.h→ what to change
 *                                                                                  ─precompile.h→ directives for packages
 *                                                                                  ─export.h→ files for other tools
 *
 * json.h is the writer of JSON that all of these share.
 */
#include "advice.h"
#include "aggregate.h"
#include "diff.h"
#include "error.h"
#include "export.h"
#include "gate.h"
#include "json.h"
#include "merge.h"
#include "pack.h"
#include "precompile.h"
#include "scope.h"
#include "trace.h"
#include "tree.h"
#include "triggers.h"
#include "version.h"

#endif
