// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ELFIMAGE_H
#define SNOOPI_ELFIMAGE_H

/**
 * @file
 * An image of compiled Julia code (sys.so, a package's), read from its file: sections with debug information, and names of
 * functions. 64-bit little-endian ELF alone; whatever the file holds, nothing outside of it is read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/varint.h"

typedef struct {
    unsigned char *map; /* of the whole file; read-only */
    size_t size;
    uint64_t first_address; /* that lies at the base when it is loaded */
    /* Sections; empty where there is none. */
    snoopi__cursor info, abbrev, line, str, ranges, symtab, strtab;
} snoopi__elf;

/**
 * Opens the file `path`.
 *
 * @param build_id  of the image that is looked for; `id_size` 0: not known, any will do.
 * @return whether it is there, an image, and the one that is looked for. To be closed only then.
 */
bool snoopi__elf_open(snoopi__elf *elf, const char *path, const unsigned char *build_id,
                      size_t id_size);
void snoopi__elf_close(snoopi__elf *elf);

/** Name of the function at an address of the image, or NULL. It lies in the file. */
const char *snoopi__elf_function(const snoopi__elf *elf, uint64_t address);

/** The string at an offset of a section of strings; NULL if there is none, or it does not end. */
const char *snoopi__elf_text(const snoopi__cursor *section, uint64_t offset);

#endif
