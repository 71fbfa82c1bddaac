// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DWARFCODE_H
#define SNOOPI_DWARFCODE_H

/**
 * @file
 * What the code of an image was made of: functions, inlined ones among them, with lines; from its debug information (DWARF 2
 * to 4, as Julia writes it).
 *
 * Julia makes a unit of each function or so. What ranges they have is read once; of their contents only what is asked for.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "elfimage.h"

enum { SNOOPI__DWARF_PLACES_MAX = 64 };

typedef struct {
    uint64_t begin;
    uint64_t end;
    uint64_t unit; /* offset in .debug_info */
} snoopi__dwarfrange;

typedef struct {
    const snoopi__elf *elf;     /* borrowed */
    snoopi__dwarfrange *ranges; /* sorted by begin */
    size_t n_ranges;
    size_t capacity;
} snoopi__dwarf;

/** Strings are of the file, or of the arena that was given. */
typedef struct {
    const char *name; /* Julia's */
    const char *file;
    uint32_t line;
} snoopi__dwarfplace;

/** Reads what units there are. Returns 0 or SNOOPI_E_NOMEM; what can't be read is left out. To be cleared also on failure. */
int snoopi__dwarf_open(snoopi__dwarf *dwarf, const snoopi__elf *elf);
void snoopi__dwarf_clear(snoopi__dwarf *dwarf);

/**
 * Finds out what an address of the image is.
 *
 * @param places  SNOOPI__DWARF_PLACES_MAX of them: innermost first, the last is the function itself.
 * @return their number, 0 if nothing is known, or SNOOPI_E_NOMEM.
 */
int snoopi__dwarf_find(const snoopi__dwarf *dwarf, uint64_t address, snoopi__arena *arena,
                       snoopi__dwarfplace *places);

#endif
