// SPDX-License-Identifier: MIT
//
// By the dynamic loader's own tables.

#include "objects.h"

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
    struct object_place place = {.kind = OBJECT_NONE};
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
