// SPDX-License-Identifier: MIT
//
// By the dynamic loader's own tables.

#include "record/objects.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

/* The oldest version of it, which every glibc has. */
#if defined(__x86_64__)
__asm__(".symver dladdr1, dladdr1@GLIBC_2.3.3");
#elif defined(__aarch64__)
__asm__(".symver dladdr1, dladdr1@GLIBC_2.17");
#endif

/* Julia's images are named after nothing but what they hold: sys.so, LinearAlgebra_x8f.so. */
static enum object_kind kind_of(const char *file)
{
    const char *const slash = strrchr(file, '/');
    const char *const base = slash == NULL ? file : slash + 1;
    const bool is_shared = strstr(base, ".so") != NULL;

    return is_shared && strncmp(base, "lib", 3) != 0 && strncmp(base, "ld-", 3) != 0 ? OBJECT_IMAGE
                                                                                     : OBJECT_C;
}

struct object_place object_at(uintptr_t address)
{
    struct object_place place = {.kind = OBJECT_NONE, .address = (const uint8_t *)address};
    Dl_info info = {0};
    void *entry = NULL;

    if (dladdr1((const void *)address, &info, &entry, RTLD_DL_SYMENT) == 0 ||
        info.dli_fname == NULL) {
        return place;
    }
    const ElfW(Sym) *const symbol = entry;
    const bool is_covered = symbol != NULL && info.dli_sname != NULL &&
                            address < (uintptr_t)info.dli_saddr + symbol->st_size;
    place.kind = kind_of(info.dli_fname);
    place.base = info.dli_fbase;
    place.file = info.dli_fname;
    place.function = is_covered ? info.dli_sname : "";
    return place;
}

/* Finds the build id among the notes of a segment. */
static size_t build_id_in(const uint8_t *at, const uint8_t *end, uint8_t id[BUILD_ID_MAX])
{
    while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *const note = (const void *)at;
        const size_t name_size = (note->n_namesz + 3u) & ~3u;
        const size_t size = (note->n_descsz + 3u) & ~3u;
        const uint8_t *const bytes = at + sizeof *note + name_size;
        if ((size_t)(end - at) < sizeof *note + name_size + size) {
            return 0;
        }
        if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= BUILD_ID_MAX) {
            memcpy(id, bytes, note->n_descsz);
            return note->n_descsz;
        }
        at = bytes + size;
    }
    return 0;
}

uint64_t object_extent(const void *base, uint8_t id[BUILD_ID_MAX], size_t *id_size)
{
    const ElfW(Ehdr) *const head = base;
    const uint8_t *const bytes = base;
    const ElfW(Phdr) *const segments = (const void *)(bytes + head->e_phoff);
    uint64_t first = UINT64_MAX;
    uint64_t end = 0;

    *id_size = 0;
    for (size_t i = 0; i < head->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD) {
            first = segments[i].p_vaddr < first ? segments[i].p_vaddr : first;
            end = segments[i].p_vaddr + segments[i].p_memsz;
        }
    }
    first &= ~(uint64_t)4095; /* that is what lies at the base */
    for (size_t i = 0; i < head->e_phnum && *id_size == 0; i++) {
        if (segments[i].p_type == PT_NOTE && segments[i].p_vaddr >= first) {
            const uint8_t *const notes = bytes + (segments[i].p_vaddr - first);
            *id_size = build_id_in(notes, notes + segments[i].p_memsz, id);
        }
    }
    return end > first ? end - first : 0;
}
