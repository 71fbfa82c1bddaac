// SPDX-License-Identifier: MIT
#ifndef SNOOPI_DWARFLINE_H
#define SNOOPI_DWARFLINE_H

/**
 * @file
 * The line of an address, and names of files, from a line program of DWARF 2 to 4.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/varint.h"

typedef struct {
    const char *comp_dir;
    snoopi__cursor dirs;          /* strings, up to an empty one */
    snoopi__cursor files;         /* entries, up to an empty one */
    snoopi__cursor program;       /* opcodes */
    const unsigned char *lengths; /* of standard opcodes, from 1 */
    uint8_t opcode_base;
    uint8_t min_length;
    uint8_t line_range;
    int8_t line_base;
} snoopi__dwarfline;

/** Reads the header of the program at `offset` of .debug_line. False if it is none that is known. */
bool snoopi__dwarfline_open(snoopi__dwarfline *lines, const snoopi__cursor *section,
                            uint64_t offset, const char *comp_dir);

/** Finds the place of an address. False if no sequence covers it. */
bool snoopi__dwarfline_find(const snoopi__dwarfline *lines, uint64_t address, uint32_t *file,
                            uint32_t *line);

/** Name of a file by its number, as Julia has it; "" if it has none. NULL when memory is short. */
const char *snoopi__dwarfline_file(const snoopi__dwarfline *lines, uint32_t file,
                                   snoopi__arena *arena);

/** Little-endian numbers; 0, and the cursor is bad, if there are too few bytes. */
uint64_t snoopi__get_fixed(snoopi__cursor *at, size_t size);

/** A string in place; "" and bad if it does not end. */
const char *snoopi__get_text(snoopi__cursor *at);

#endif
