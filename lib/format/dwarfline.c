// SPDX-License-Identifier: MIT
// Line programs. See dwarfline.h; the numbers are those of the DWARF standard, version 4, 6.2.
#include "dwarfline.h"

#include <string.h>

enum {
    SET_FILE = 4,
    COPY = 1,
    ADVANCE_PC = 2,
    ADVANCE_LINE = 3,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC = 9,
    EXTENDED_END = 1,
    EXTENDED_ADDRESS = 2
};

typedef struct {
    uint64_t address;
    uint64_t file;
    uint64_t line;
} row;

uint64_t snoopi__get_fixed(snoopi__cursor *at, size_t size)
{
    const unsigned char *bytes = snoopi__get_bytes(at, size);
    uint64_t value = 0;
    for (size_t i = 0; bytes && i < size; i++) {
        value |= (uint64_t)bytes[i] << 8 * i;
    }
    return value;
}

const char *snoopi__get_text(snoopi__cursor *at)
{
    const size_t left = snoopi__cursor_left(at);
    const unsigned char *end = left ? memchr(at->at, '\0', left) : NULL;
    if (!end) {
        at->is_bad = true;
        at->at = at->end;
        return "";
    }
    const char *text = (const char *)at->at;
    at->at = end + 1;
    return text;
}

static int64_t get_signed(snoopi__cursor *at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    while (at->at < at->end && shift < 64) {
        const uint64_t byte = *at->at++;
        value |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte < 0x80) {
            return (int64_t)(byte & 0x40 && shift < 64 ? value | UINT64_MAX << shift : value);
        }
    }
    at->is_bad = true;
    at->at = at->end;
    return 0;
}

bool snoopi__dwarfline_open(snoopi__dwarfline *lines, const snoopi__cursor *section,
                            uint64_t offset, const char *comp_dir)
{
    snoopi__cursor at = *section;
    *lines = (snoopi__dwarfline){.comp_dir = comp_dir};
    (void)snoopi__get_bytes(&at, offset);
    const uint64_t length = snoopi__get_fixed(&at, 4);
    if (at.is_bad || length > snoopi__cursor_left(&at)) {
        return false;
    }
    at.end = at.at + length;
    const uint64_t version = snoopi__get_fixed(&at, 2);
    const uint64_t header = snoopi__get_fixed(&at, 4);
    if (at.is_bad || version < 2 || version > 4 || header > snoopi__cursor_left(&at)) {
        return false;
    }
    lines->program = (snoopi__cursor){.at = at.at + header, .end = at.end};
    at.end = at.at + header;
    lines->min_length = (uint8_t)snoopi__get_fixed(&at, 1);
    (void)snoopi__get_fixed(&at, version == 4 ? 2 : 1); // instructions at once; default_is_stmt
    lines->line_base = (int8_t)snoopi__get_fixed(&at, 1);
    lines->line_range = (uint8_t)snoopi__get_fixed(&at, 1);
    lines->opcode_base = (uint8_t)snoopi__get_fixed(&at, 1);
    lines->lengths = snoopi__get_bytes(&at, lines->opcode_base > 0 ? lines->opcode_base - 1u : 0);
    lines->dirs = at;
    while (!at.is_bad && *snoopi__get_text(&at)) {
    }
    lines->files = at;
    return !at.is_bad && lines->line_range > 0 && lines->opcode_base > FIXED_ADVANCE_PC;
}

// An opcode that has one of its own to say. True at the end of a sequence.
static bool run_extended(snoopi__cursor *at, row *r)
{
    const uint64_t length = snoopi__get_varint(at);
    if (length == 0 || length > snoopi__cursor_left(at)) {
        at->is_bad = true;
        return false;
    }
    snoopi__cursor inside = {.at = at->at, .end = at->at + length};
    at->at += length;
    const uint64_t opcode = snoopi__get_fixed(&inside, 1);
    if (opcode == EXTENDED_ADDRESS) {
        r->address = snoopi__get_fixed(&inside, 8);
        at->is_bad |= inside.is_bad;
    }
    return opcode == EXTENDED_END;
}

static void run_standard(const snoopi__dwarfline *lines, snoopi__cursor *at, row *r, uint8_t opcode)
{
    switch (opcode) {
    case ADVANCE_PC: r->address += snoopi__get_varint(at) * lines->min_length; break;
    case ADVANCE_LINE: r->line += (uint64_t)get_signed(at); break;
    case SET_FILE: r->file = snoopi__get_varint(at); break;
    case CONST_ADD_PC:
        r->address +=
            (uint64_t)((255 - lines->opcode_base) / lines->line_range) * lines->min_length;
        break;
    case FIXED_ADVANCE_PC: r->address += snoopi__get_fixed(at, 2); break;
    default:
        for (unsigned i = 0; i < lines->lengths[opcode - 1]; i++) {
            (void)snoopi__get_varint(at);
        }
        break;
    }
}

// Runs up to the next row. Sets whether it ends a sequence; false at the end.
static bool next_row(const snoopi__dwarfline *lines, snoopi__cursor *at, row *r, bool *is_end)
{
    *is_end = false;
    while (at->at < at->end && !at->is_bad) {
        const uint8_t opcode = *at->at++;
        if (opcode >= lines->opcode_base) {
            const unsigned adjusted = opcode - (unsigned)lines->opcode_base;
            r->address += (uint64_t)(adjusted / lines->line_range) * lines->min_length;
            r->line += (uint64_t)(lines->line_base + (int)(adjusted % lines->line_range));
            return true;
        }
        if (opcode == COPY) {
            return true;
        }
        if (opcode == 0) {
            if (run_extended(at, r)) {
                *is_end = true;
                return true;
            }
        } else {
            run_standard(lines, at, r, opcode);
        }
    }
    return false;
}

bool snoopi__dwarfline_find(const snoopi__dwarfline *lines, uint64_t address, uint32_t *file,
                            uint32_t *line)
{
    static const row first = {.file = 1, .line = 1};
    snoopi__cursor at = lines->program;
    row before = first;
    row now = first;
    bool is_inside = false; // `before` is a row of this sequence
    bool is_end;
    while (next_row(lines, &at, &now, &is_end) && !at.is_bad) {
        if (is_inside && before.address <= address && address < now.address) {
            *file = before.file <= UINT32_MAX ? (uint32_t)before.file : 0;
            *line = before.line <= INT32_MAX ? (uint32_t)before.line : 0;
            return true;
        }
        now = is_end ? first : now;
        before = now;
        is_inside = !is_end;
    }
    return false;
}

// The nth string of a list that ends with an empty one, from 1; NULL if there is none.
static const char *nth_dir(snoopi__cursor at, uint64_t n)
{
    const char *text = "";
    for (uint64_t i = 0; i < n; i++) {
        text = snoopi__get_text(&at);
        if (!*text) {
            return NULL;
        }
    }
    return text;
}

static const char *join(snoopi__arena *arena, const char *dir, const char *name)
{
    const size_t dir_size = strlen(dir);
    const size_t name_size = strlen(name) + 1;
    char *path = snoopi__arena_alloc(arena, dir_size + 1 + name_size);
    if (path) {
        memcpy(path, dir, dir_size);
        path[dir_size] = '/';
        memcpy(path + dir_size + 1, name, name_size);
    }
    return path;
}

const char *snoopi__dwarfline_file(const snoopi__dwarfline *lines, uint32_t file,
                                   snoopi__arena *arena)
{
    snoopi__cursor at = lines->files;
    const char *name = "";
    uint64_t dir = 0;
    for (uint32_t i = 0; i < file; i++) {
        name = snoopi__get_text(&at);
        if (!*name) {
            return "";
        }
        dir = snoopi__get_varint(&at);
        (void)snoopi__get_varint(&at); // time
        (void)snoopi__get_varint(&at); // size
    }
    const char *text = dir ? nth_dir(lines->dirs, dir) : lines->comp_dir;
    if (!*name || name[0] == '/' || !text || !*text) {
        return name;
    }
    if (dir && text[0] != '/' && *lines->comp_dir) {
        text = join(arena, lines->comp_dir, text);
    }
    return text ? join(arena, text, name) : NULL;
}
