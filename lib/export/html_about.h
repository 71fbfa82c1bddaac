// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HTML_ABOUT_H
#define SNOOPI_HTML_ABOUT_H

/**
 * @file
 * What the frames of a page refer to by number, and what the page says about the recording. Numbers are given in the order of
 * first use and count from 0, so only what is referred to is written.
 */
#include "exporter.h"

/** Zero-initialize to begin. */
typedef struct {
    uint32_t *numbers; /* by id: number + 1, or 0 */
    size_t numbers_capacity;
    uint32_t *ids; /* by number */
    size_t n;
    size_t ids_capacity;
} snoopi__html_list;

typedef struct {
    uint32_t process;
    uint32_t thread;
} snoopi__html_lane_key;

/** A root of the trace that is in the page. */
typedef struct {
    uint64_t id;
    uint64_t number; /* as a frame of the page */
} snoopi__html_root;

typedef struct {
    uint64_t n_frames;          /* that the page has: those that passed the filters */
    uint64_t self_ns;           /* of them all */
    uint32_t flags;             /* that any of them has */
    uint64_t *instance_self_ns; /* by number */
    size_t instance_self_capacity;
    snoopi__html_list instances;
    snoopi__html_list values;
    snoopi__html_lane_key *lanes;
    size_t n_lanes;
    size_t lanes_capacity;
    uint32_t last_lane;
    snoopi__html_root *roots; /* in the order of their ids */
    size_t n_roots;
    size_t roots_capacity;
} snoopi__html_about;

/** Instead of a number: memory is short. */
#define SNOOPI__HTML_FAILED UINT32_MAX

/** The number of an id, which is given one if it has none. */
uint32_t snoopi__html_number(snoopi__html_list *list, uint32_t id);
void snoopi__html_list_clear(snoopi__html_list *list);

/** The number of a frame's instance; the frame is counted. */
uint32_t snoopi__html_count(snoopi__html_about *about, const snoopi_frame *frame);

/** The number of the node of a constant argument, of a thread. */
uint32_t snoopi__html_value(snoopi__html_about *about, uint32_t node);
uint32_t snoopi__html_lane(snoopi__html_about *about, uint32_t process, uint32_t thread);

/** The frame of the page that a root is; −1: it is not in the page. */
int64_t snoopi__html_frame_of_root(const snoopi__html_about *about, uint64_t id);

/** Writes an instance as the array that stands for it. */
void snoopi__html_put_instance(snoopi_json *json, const snoopi_instance *instance,
                               uint64_t self_ns);

/** Writes all of it as JSON; false when memory is short. */
bool snoopi__html_about_put(const snoopi__html_about *about, const snoopi__export *x,
                            const snoopi_totals *totals, const snoopi_totals *scope);

void snoopi__html_about_clear(snoopi__html_about *about);

#endif
