// SPDX-License-Identifier: MIT
#ifndef SNOOPI_IMAGECODES_H
#define SNOOPI_IMAGECODES_H

/**
 * @file
 * What return addresses in images of compiled Julia code are: read from the files of the images when a recording is packed,
 * so that the recorded process pays nothing for it. Each file is read once, for all processes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "dwarfcode.h"

/** Where an image was loaded in a process (format.md 2.4). */
typedef struct {
    uint64_t base;
    uint64_t size;
    const char *path;
    const unsigned char *build_id;
    size_t id_size;
} snoopi__image;

/** The images of a process. */
typedef struct {
    snoopi__image *items;
    size_t n;
    size_t capacity;
} snoopi__imagelist;

/** Files that were opened. Zero-initialize it. */
typedef struct {
    struct image_file *files;
    size_t n;
    size_t capacity;
} snoopi__imagecache;

void snoopi__imagecache_clear(snoopi__imagecache *cache);

/**
 * Finds out what a return address is.
 *
 * @param arena   for texts; what is of the file lives as long as the cache.
 * @param places  SNOOPI__DWARF_PLACES_MAX of them: innermost first.
 * @param is_c    whether it is no Julia code, but what calls it.
 * @return their number, 0 if nothing is known, or SNOOPI_E_NOMEM.
 */
int snoopi__imagecache_find(snoopi__imagecache *cache, const snoopi__imagelist *images,
                            uint64_t address, snoopi__arena *arena, snoopi__dwarfplace *places,
                            bool *is_c);

#endif
