// SPDX-License-Identifier: MIT
// From return addresses to places in source files, by the images' files. See imagecodes.h.
#include "imagecodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "snoopi/error.h"

struct image_file {
    char *path;
    unsigned char *build_id;
    size_t id_size;
    bool is_open; // false: it is not there any more, or another one is
    snoopi__elf elf;
    snoopi__dwarf dwarf;
};

static void close_file(struct image_file *file)
{
    snoopi__dwarf_clear(&file->dwarf);
    snoopi__elf_close(&file->elf);
    free(file->path);
    free(file->build_id);
}

void snoopi__imagecache_clear(snoopi__imagecache *cache)
{
    for (size_t i = 0; i < cache->n; i++) {
        close_file(&cache->files[i]);
    }
    free(cache->files);
    *cache = (snoopi__imagecache){0};
}

static bool is_of(const struct image_file *file, const snoopi__image *image)
{
    return strcmp(file->path, image->path) == 0 && file->id_size == image->id_size &&
           (file->id_size == 0 || memcmp(file->build_id, image->build_id, file->id_size) == 0);
}

// The file is where it lies until the cache is cleared: what reads it keeps a pointer.
static int open_file(struct image_file *file, const snoopi__image *image)
{
    *file = (struct image_file){.path = strdup(image->path),
                                .build_id = malloc(image->id_size + 1),
                                .id_size = image->id_size};
    int st = file->path && file->build_id ? 0 : SNOOPI_E_NOMEM;
    if (st == 0) {
        if (image->id_size > 0) {
            memcpy(file->build_id, image->build_id, image->id_size);
        }
        file->is_open = snoopi__elf_open(&file->elf, file->path, file->build_id, file->id_size);
        st = file->is_open ? snoopi__dwarf_open(&file->dwarf, &file->elf) : 0;
    }
    if (st < 0) {
        close_file(file);
    }
    return st;
}

// The file of an image, opened if it was not; NULL when memory is short.
static struct image_file *file_of(snoopi__imagecache *cache, const snoopi__image *image)
{
    for (size_t i = 0; i < cache->n; i++) {
        if (is_of(&cache->files[i], image)) {
            return &cache->files[i];
        }
    }
    struct image_file *files =
        snoopi__grow(cache->files, &cache->capacity, cache->n + 1, sizeof *files);
    if (!files) {
        return NULL;
    }
    for (size_t i = 0; i < cache->n && files != cache->files; i++) {
        files[i].dwarf.elf = &files[i].elf; // they moved
    }
    cache->files = files;
    if (open_file(&files[cache->n], image) < 0) {
        return NULL;
    }
    return &files[cache->n++];
}

// Whether a symbol is that of a Julia function, and not of what was made around one. Where nothing but it is known (the image was
// compiled without debug information, or that was stripped), it can't be told from the compiler's, nor from what passes on.
static bool is_julia_function(const char *symbol)
{
    static const char *const prefixes[] = {"julia_", "japi1_", "japi3_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

int snoopi__imagecache_find(snoopi__imagecache *cache, const snoopi__imagelist *images,
                            uint64_t address, snoopi__arena *arena, snoopi__dwarfplace *places,
                            bool *is_c)
{
    *is_c = false;
    for (size_t i = 0; i < images->n; i++) {
        const snoopi__image *image = &images->items[i];
        const uint64_t offset = address - 1 - image->base; // the call, not what follows it
        if (address <= image->base || offset >= image->size) {
            continue;
        }
        const struct image_file *file = file_of(cache, image);
        if (!file) {
            return SNOOPI_E_NOMEM;
        }
        if (!file->is_open) {
            continue;
        }
        const uint64_t at = file->elf.first_address + offset;
        const int n = snoopi__dwarf_find(&file->dwarf, at, arena, places);
        const char *name = n == 0 ? snoopi__elf_function(&file->elf, at) : NULL;
        if (!name || is_julia_function(name)) {
            return n;
        }
        *is_c = true;
        places[0] = (snoopi__dwarfplace){.name = name, .file = image->path};
        return 1;
    }
    return 0;
}
