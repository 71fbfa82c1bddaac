// SPDX-License-Identifier: MIT
// Sections and symbols of an ELF file. See elfimage.h.
#include "elfimage.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, SECTIONS_MAX = 1 << 16 };

// A copy, since nothing in a file is aligned for certain. False if it does not lie in the file.
static bool copy(const snoopi__elf *elf, void *out, uint64_t offset, size_t size)
{
    if (offset > elf->size || size > elf->size - offset) {
        return false;
    }
    memcpy(out, elf->map + offset, size);
    return true;
}

static snoopi__cursor part(const snoopi__elf *elf, uint64_t offset, uint64_t size)
{
    if (offset > elf->size || size > elf->size - offset) {
        return (snoopi__cursor){0};
    }
    return snoopi__cursor_of(elf->map + offset, (size_t)size);
}

static bool map_file(snoopi__elf *elf, const char *path)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *map = MAP_FAILED;
    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    (void)close(fd);
    if (map == MAP_FAILED) {
        return false;
    }
    elf->map = map;
    elf->size = (size_t)st.st_size;
    return true;
}

// Whether a note is the build id that is looked for.
static bool has_build_id(const snoopi__elf *elf, const Elf64_Phdr *segment,
                         const unsigned char *build_id, size_t id_size)
{
    uint64_t at = segment->p_offset;
    const uint64_t end = at + segment->p_filesz;
    Elf64_Nhdr note;
    while (end > at && end - at >= sizeof note && copy(elf, &note, at, sizeof note)) {
        const uint64_t name = at + sizeof note;
        const uint64_t bytes = name + (((uint64_t)note.n_namesz + 3) & ~3ull);
        const snoopi__cursor found = part(elf, bytes, note.n_descsz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz == id_size && found.at &&
            memcmp(found.at, build_id, id_size) == 0) {
            return true;
        }
        at = bytes + (((uint64_t)note.n_descsz + 3) & ~3ull);
    }
    return false;
}

static bool read_segments(snoopi__elf *elf, const Elf64_Ehdr *head, const unsigned char *build_id,
                          size_t id_size)
{
    bool is_wanted = id_size == 0;
    elf->first_address = UINT64_MAX;
    for (uint32_t i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr segment;
        if (!copy(elf, &segment, head->e_phoff + (uint64_t)i * sizeof segment, sizeof segment)) {
            return false;
        }
        if (segment.p_type == PT_LOAD && segment.p_vaddr < elf->first_address) {
            elf->first_address = segment.p_vaddr & ~(uint64_t)(PAGE - 1);
        }
        is_wanted |= segment.p_type == PT_NOTE && has_build_id(elf, &segment, build_id, id_size);
    }
    return is_wanted && elf->first_address != UINT64_MAX;
}

static void take_section(snoopi__elf *elf, const char *name, const snoopi__cursor *bytes)
{
    const struct {
        const char *name;
        snoopi__cursor *section;
    } known[] = {
        {".debug_info", &elf->info}, {".debug_abbrev", &elf->abbrev}, {".debug_line", &elf->line},
        {".debug_str", &elf->str},   {".debug_ranges", &elf->ranges}, {".symtab", &elf->symtab},
        {".strtab", &elf->strtab},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *known[i].section = *bytes;
        }
    }
}

static void read_sections(snoopi__elf *elf, const Elf64_Ehdr *head)
{
    Elf64_Shdr names = {0};
    if (!copy(elf, &names, head->e_shoff + (uint64_t)head->e_shstrndx * sizeof names,
              sizeof names)) {
        return;
    }
    const snoopi__cursor texts = part(elf, names.sh_offset, names.sh_size);
    for (uint32_t i = 0; i < head->e_shnum; i++) {
        Elf64_Shdr section;
        if (!copy(elf, &section, head->e_shoff + (uint64_t)i * sizeof section, sizeof section)) {
            return;
        }
        const char *name = snoopi__elf_text(&texts, section.sh_name);
        if (name && section.sh_type != SHT_NOBITS && (section.sh_flags & SHF_COMPRESSED) == 0) {
            const snoopi__cursor bytes = part(elf, section.sh_offset, section.sh_size);
            take_section(elf, name, &bytes);
        }
    }
}

bool snoopi__elf_open(snoopi__elf *elf, const char *path, const unsigned char *build_id,
                      size_t id_size)
{
    Elf64_Ehdr head;
    *elf = (snoopi__elf){0};
    if (!map_file(elf, path)) {
        return false;
    }
    if (!copy(elf, &head, 0, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        !read_segments(elf, &head, build_id, id_size)) {
        snoopi__elf_close(elf);
        return false;
    }
    read_sections(elf, &head);
    return true;
}

void snoopi__elf_close(snoopi__elf *elf)
{
    if (elf->map) {
        (void)munmap(elf->map, elf->size);
    }
    *elf = (snoopi__elf){0};
}

const char *snoopi__elf_text(const snoopi__cursor *section, uint64_t offset)
{
    const size_t size = snoopi__cursor_left(section);
    if (offset >= size || !memchr(section->at + offset, '\0', size - (size_t)offset)) {
        return NULL;
    }
    return (const char *)section->at + offset;
}

const char *snoopi__elf_function(const snoopi__elf *elf, uint64_t address)
{
    const size_t n = snoopi__cursor_left(&elf->symtab) / sizeof(Elf64_Sym);
    for (size_t i = 0; i < n; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, elf->symtab.at + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && address >= symbol.st_value &&
            address - symbol.st_value < symbol.st_size) {
            return snoopi__elf_text(&elf->strtab, symbol.st_name);
        }
    }
    return NULL;
}
