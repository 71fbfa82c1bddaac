// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DEFPOOL_H
#define SNOOPI_DEFPOOL_H

/**
 * @file
 * The definitions of a trace while it is written. Each process numbers its own; the pool gives equal ones of all processes
 * the same id, and writes each once.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/idset.h"
#include "defs.h"
#include "imagecodes.h"
#include "pagewriter.h"
#include "snoopi/error.h"

/** Zero-initialize it, and set the writer. */
typedef struct {
    snoopi__pagewriter *writer; /* borrowed */
    snoopi__idset known;
    uint32_t last_id[WIRE_DEF_KINDS];
    uint32_t *results; /* by instance: the node that was last written of it */
    size_t results_capacity;
    bool keeps_agent_ids;   /* of instances: only of one process do they mean something */
    snoopi__buffer page;    /* records that are not written yet */
    snoopi__buffer payload; /* of the definition in work, without its id */
    snoopi__buffer record;
} snoopi__defpool;

void snoopi__defpool_clear(snoopi__defpool *pool);

/** Ids of a process's definitions in the trace, by kind and the process's id; 0 where nothing is defined. */
typedef struct {
    uint32_t *ids[WIRE_DEF_KINDS];
    uint32_t count[WIRE_DEF_KINDS];
} snoopi__remap;

void snoopi__remap_clear(snoopi__remap *remap);

static inline uint32_t snoopi__remap_id(const snoopi__remap *remap, uint32_t kind, uint64_t id)
{
    return id < remap->count[kind] ? remap->ids[kind][id] : 0;
}

/** What of a process is looked up on this machine. */
typedef struct {
    const char *bindir; /* where to look for files; "" if not known */
    const char *cwd;
    const snoopi__imagelist *images; /* where code may lie that is not looked up yet */
    snoopi__imagecache *cache;
} snoopi__codesource;

/**
 * Takes up the definitions of a process, and writes those that are new.
 *
 * @param defs    checked by snoopi__defs_check().
 * @param source  NULL: nothing is looked up, what was found before is kept.
 * @param remap   zero-initialized; to be cleared by the caller, also on failure.
 */
int snoopi__defpool_take(snoopi__defpool *pool, const snoopi__defs *defs,
                         const snoopi__codesource *source, snoopi__remap *remap, snoopi_error *err);

/** Id of a text, written if it is new; 0 when memory is short. */
uint32_t snoopi__defpool_text(snoopi__defpool *pool, const char *text, size_t size);

/** Id of the node or instance that stands for one that was lost (format.md 1.1); 0 when memory is short. */
uint32_t snoopi__defpool_lost_node(snoopi__defpool *pool);
uint32_t snoopi__defpool_lost_instance(snoopi__defpool *pool);

/** Writes what is not written yet. To be called before a page that uses it. */
int snoopi__defpool_flush(snoopi__defpool *pool, snoopi_error *err);

#endif
