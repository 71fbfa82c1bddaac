// SPDX-License-Identifier: MIT
// Units, functions, inlining. See dwarfcode.h; the numbers are those of the DWARF standard, version 4.
#include "dwarfcode.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "dwarfline.h"
#include "snoopi/error.h"

enum { TAG_INLINED = 0x1d, TAG_SUBPROGRAM = 0x2e };

enum {
    AT_NAME = 0x03,
    AT_STMT_LIST = 0x10,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_COMP_DIR = 0x1b,
    AT_ABSTRACT_ORIGIN = 0x31,
    AT_RANGES = 0x55,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59
};

enum {
    FORM_ADDR = 0x01,
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_BLOCK1 = 0x0a,
    FORM_DATA1 = 0x0b,
    FORM_FLAG = 0x0c,
    FORM_SDATA = 0x0d,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_REF1 = 0x11,
    FORM_REF2 = 0x12,
    FORM_REF4 = 0x13,
    FORM_REF8 = 0x14,
    FORM_REF_UDATA = 0x15,
    FORM_SEC_OFFSET = 0x17,
    FORM_EXPRLOC = 0x18,
    FORM_FLAG_PRESENT = 0x19
};

enum { UNIT_HEADER = 11, ABBREVS_MAX = 512 };

// A unit in work.
typedef struct {
    const snoopi__elf *elf;
    uint64_t at;                         // offset of its header
    snoopi__cursor contents;             // behind the header
    uint64_t low;                        // what its ranges are relative to
    snoopi__cursor abbrevs[ABBREVS_MAX]; // by code: attributes; NULL: no such code
    uint32_t tags[ABBREVS_MAX];
    bool has_children[ABBREVS_MAX];
} unit;

// What of an entry is read.
typedef struct {
    uint32_t tag; // 0: the end of a list of children
    bool has_children;
    bool has_low;
    bool is_length; // high is one
    bool has_ranges;
    bool has_lines;
    const char *name;
    const char *comp_dir;
    uint64_t low;
    uint64_t high;
    uint64_t ranges;
    uint64_t lines;
    uint64_t origin; // offset in the unit; 0: none
    uint32_t call_file;
    uint32_t call_line;
} entry;

// --- entries ---

// Reads a value. Text is put to `text`, all else is a number; what is of no use here reads as 0.
static uint64_t get_value(const snoopi__elf *elf, snoopi__cursor *at, uint64_t form,
                          const char **text)
{
    uint64_t size = 0;
    switch (form) {
    case FORM_FLAG_PRESENT: return 1;
    case FORM_DATA1:
    case FORM_FLAG:
    case FORM_REF1: return snoopi__get_fixed(at, 1);
    case FORM_DATA2:
    case FORM_REF2: return snoopi__get_fixed(at, 2);
    case FORM_DATA4:
    case FORM_REF4:
    case FORM_SEC_OFFSET: return snoopi__get_fixed(at, 4);
    case FORM_ADDR:
    case FORM_DATA8:
    case FORM_REF8: return snoopi__get_fixed(at, 8);
    case FORM_SDATA:
    case FORM_UDATA:
    case FORM_REF_UDATA: return snoopi__get_varint(at);
    case FORM_STRING: *text = snoopi__get_text(at); return 0;
    case FORM_STRP: *text = snoopi__elf_text(&elf->str, snoopi__get_fixed(at, 4)); return 0;
    case FORM_BLOCK1: size = snoopi__get_fixed(at, 1); break;
    case FORM_BLOCK2: size = snoopi__get_fixed(at, 2); break;
    case FORM_BLOCK4: size = snoopi__get_fixed(at, 4); break;
    case FORM_BLOCK:
    case FORM_EXPRLOC: size = snoopi__get_varint(at); break;
    default: at->is_bad = true; return 0;
    }
    (void)snoopi__get_bytes(at, size);
    return 0;
}

static void take_value(entry *e, uint64_t attribute, uint64_t form, uint64_t value,
                       const char *text)
{
    switch (attribute) {
    case AT_NAME: e->name = text; break;
    case AT_COMP_DIR: e->comp_dir = text; break;
    case AT_STMT_LIST:
        e->lines = value;
        e->has_lines = true;
        break;
    case AT_LOW_PC:
        e->low = value;
        e->has_low = true;
        break;
    case AT_HIGH_PC:
        e->high = value;
        e->is_length = form != FORM_ADDR;
        break;
    case AT_RANGES:
        e->ranges = value;
        e->has_ranges = true;
        break;
    case AT_ABSTRACT_ORIGIN: e->origin = value; break;
    case AT_CALL_FILE: e->call_file = value <= UINT32_MAX ? (uint32_t)value : 0; break;
    case AT_CALL_LINE: e->call_line = value <= INT32_MAX ? (uint32_t)value : 0; break;
    default: break;
    }
}

// Reads the entry at the cursor. False when the unit is over or not understood.
static bool next_entry(const unit *u, snoopi__cursor *at, entry *e)
{
    *e = (entry){0};
    if (at->is_bad || at->at >= at->end) {
        return false;
    }
    const uint64_t code = snoopi__get_varint(at);
    if (code == 0) {
        return !at->is_bad;
    }
    if (code >= ABBREVS_MAX || !u->abbrevs[code].at) {
        return false;
    }
    snoopi__cursor attributes = u->abbrevs[code];
    e->tag = u->tags[code];
    e->has_children = u->has_children[code];
    for (;;) {
        const char *text = NULL;
        const uint64_t attribute = snoopi__get_varint(&attributes);
        const uint64_t form = snoopi__get_varint(&attributes);
        if (attributes.is_bad || (attribute == 0 && form == 0)) {
            break;
        }
        const uint64_t value = get_value(u->elf, at, form, &text);
        take_value(e, attribute, form, value, text);
    }
    e->high += e->is_length ? e->low : 0;
    return !at->is_bad && !attributes.is_bad;
}

// --- units ---

// Reads the table of abbreviations at `offset`.
static bool read_abbrevs(unit *u, uint64_t offset)
{
    snoopi__cursor at = u->elf->abbrev;
    memset(u->abbrevs, 0, sizeof u->abbrevs);
    (void)snoopi__get_bytes(&at, offset);
    for (uint64_t code; !at.is_bad && (code = snoopi__get_varint(&at)) != 0;) {
        const uint64_t tag = snoopi__get_varint(&at);
        const bool has_children = snoopi__get_fixed(&at, 1) != 0;
        const snoopi__cursor attributes = at;
        while (!at.is_bad) {
            const uint64_t attribute = snoopi__get_varint(&at);
            const uint64_t form = snoopi__get_varint(&at);
            if (attribute == 0 && form == 0) {
                break;
            }
        }
        if (at.is_bad || code >= ABBREVS_MAX) {
            return false;
        }
        u->abbrevs[code] = attributes;
        u->tags[code] = tag <= UINT32_MAX ? (uint32_t)tag : 0;
        u->has_children[code] = has_children;
    }
    return !at.is_bad;
}

// Reads the head of the unit at `at` of .debug_info. Sets where the next one is; false at the end. A unit whose contents are
// NULL is not understood.
static bool open_unit(unit *u, uint64_t at, uint64_t *abbrevs, uint64_t *next)
{
    snoopi__cursor head = u->elf->info;
    const unsigned char *base = head.at;
    (void)snoopi__get_bytes(&head, at);
    const uint64_t length = snoopi__get_fixed(&head, 4);
    if (head.is_bad || length > snoopi__cursor_left(&head)) {
        return false;
    }
    head.end = head.at + length;
    *next = (uint64_t)(head.end - base);
    const uint64_t version = snoopi__get_fixed(&head, 2);
    const uint64_t offset = snoopi__get_fixed(&head, 4);
    const uint64_t address_size = snoopi__get_fixed(&head, 1);
    u->at = at;
    u->contents = (snoopi__cursor){0};
    if (head.is_bad || version < 2 || version > 4 || address_size != 8) {
        return true;
    }
    // Nearly always the same table.
    if (offset != *abbrevs) {
        *abbrevs = read_abbrevs(u, offset) ? offset : UINT64_MAX;
    }
    if (*abbrevs != UINT64_MAX) {
        u->contents = head;
    }
    return true;
}

typedef bool range_visitor(void *payload, uint64_t begin, uint64_t end);

// Shows each range of an entry to `visit` until that returns true, which is returned.
static bool visit_ranges(const unit *u, const entry *e, range_visitor *visit, void *payload)
{
    if (!e->has_ranges) {
        return e->has_low && e->low < e->high && visit(payload, e->low, e->high);
    }
    snoopi__cursor at = u->elf->ranges;
    uint64_t base = u->low;
    (void)snoopi__get_bytes(&at, e->ranges);
    while (!at.is_bad) {
        const uint64_t begin = snoopi__get_fixed(&at, 8);
        const uint64_t end = snoopi__get_fixed(&at, 8);
        if (at.is_bad || (begin == 0 && end == 0)) {
            break;
        }
        if (begin == UINT64_MAX) {
            base = end;
        } else if (begin < end && visit(payload, base + begin, base + end)) {
            return true;
        }
    }
    return false;
}

// --- the index ---

typedef struct {
    snoopi__dwarf *dwarf;
    uint64_t unit;
    bool has_failed;
} indexing;

static bool add_range(void *payload, uint64_t begin, uint64_t end)
{
    indexing *i = payload;
    snoopi__dwarf *d = i->dwarf;
    snoopi__dwarfrange *ranges =
        snoopi__grow(d->ranges, &d->capacity, d->n_ranges + 1, sizeof *ranges);
    if (!ranges) {
        i->has_failed = true;
        return true;
    }
    d->ranges = ranges;
    ranges[d->n_ranges++] = (snoopi__dwarfrange){.begin = begin, .end = end, .unit = i->unit};
    return false;
}

static int compare_ranges(const void *left, const void *right)
{
    const snoopi__dwarfrange *a = left;
    const snoopi__dwarfrange *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

int snoopi__dwarf_open(snoopi__dwarf *dwarf, const snoopi__elf *elf)
{
    *dwarf = (snoopi__dwarf){.elf = elf};
    unit *u = calloc(1, sizeof *u);
    if (!u) {
        return SNOOPI_E_NOMEM;
    }
    u->elf = elf;
    indexing i = {.dwarf = dwarf};
    uint64_t abbrevs = UINT64_MAX;
    uint64_t next = 0;
    while (!i.has_failed && open_unit(u, i.unit = next, &abbrevs, &next)) {
        entry e;
        snoopi__cursor at = u->contents;
        if (at.at && next_entry(u, &at, &e)) {
            u->low = e.low;
            (void)visit_ranges(u, &e, add_range, &i);
        }
    }
    free(u);
    if (dwarf->n_ranges > 0) {
        qsort(dwarf->ranges, dwarf->n_ranges, sizeof *dwarf->ranges, compare_ranges);
    }
    return i.has_failed ? SNOOPI_E_NOMEM : 0;
}

void snoopi__dwarf_clear(snoopi__dwarf *dwarf)
{
    free(dwarf->ranges);
    *dwarf = (snoopi__dwarf){0};
}

// The last range that begins at or before the address, if it covers it.
static const snoopi__dwarfrange *find_range(const snoopi__dwarf *dwarf, uint64_t address)
{
    size_t low = 0;
    size_t high = dwarf->n_ranges;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (dwarf->ranges[middle].begin <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && address < dwarf->ranges[low - 1].end ? &dwarf->ranges[low - 1] : NULL;
}

// --- one address ---

// The function at an address and what is inlined there, outermost first.
typedef struct {
    entry entries[SNOOPI__DWARF_PLACES_MAX];
    uint32_t n;
} chain;

static bool covers(void *payload, uint64_t begin, uint64_t end)
{
    const uint64_t *address = payload;
    return begin <= *address && *address < end;
}

// Entries stand in pre-order: what covers the address at one depth holds what covers it at the next.
static void read_chain(const unit *u, snoopi__cursor at, uint64_t address, chain *found)
{
    entry e;
    uint32_t depth = 0;   // of the entry that is read
    uint32_t outside = 0; // depth of the function
    while (next_entry(u, &at, &e)) {
        if (e.tag == 0) {
            if (depth == 0 || (--depth <= outside && found->n > 0)) {
                return;
            }
            continue;
        }
        const bool is_function = e.tag == TAG_SUBPROGRAM && found->n == 0;
        const bool is_inlined = e.tag == TAG_INLINED && found->n > 0;
        if ((is_function || is_inlined) && found->n < SNOOPI__DWARF_PLACES_MAX &&
            visit_ranges(u, &e, covers, &address)) {
            outside = is_function ? depth : outside;
            found->entries[found->n++] = e;
        } else if (found->n > 0 && depth <= outside) {
            return;
        }
        depth += e.has_children;
    }
}

// Name of a function. That of an inlined one stands where it is declared, and Julia ends those with a semicolon.
static const char *name_of(const unit *u, const entry *e, snoopi__arena *arena)
{
    const char *name = e->name;
    if (e->origin > UNIT_HEADER) {
        entry origin;
        snoopi__cursor at = u->contents;
        (void)snoopi__get_bytes(&at, e->origin - UNIT_HEADER);
        name = next_entry(u, &at, &origin) ? origin.name : NULL;
    }
    if (!name) {
        return "";
    }
    const size_t length = strlen(name);
    return length > 0 && name[length - 1] == ';' ? snoopi__arena_text(arena, name, length - 1)
                                                 : name;
}

static int put_places(const unit *u, const chain *found, const snoopi__dwarfline *lines,
                      uint32_t file, uint32_t line, snoopi__arena *arena,
                      snoopi__dwarfplace *places)
{
    int n = 0;
    for (uint32_t i = found->n; i-- > 0;) {
        const entry *e = &found->entries[i];
        snoopi__dwarfplace *place = &places[n++];
        place->name = name_of(u, e, arena);
        place->file = snoopi__dwarfline_file(lines, file, arena);
        place->line = line;
        if (!place->name || !place->file) {
            return SNOOPI_E_NOMEM;
        }
        file = e->call_file;
        line = e->call_line;
    }
    return n;
}

static int find_in_unit(const unit *u, uint64_t address, snoopi__arena *arena,
                        snoopi__dwarfplace *places)
{
    entry head;
    chain found = {.n = 0};
    snoopi__dwarfline lines;
    uint32_t file = 0;
    uint32_t line = 0;
    snoopi__cursor at = u->contents;
    if (!next_entry(u, &at, &head) || !head.has_lines) {
        return 0;
    }
    read_chain(u, at, address, &found);
    if (found.n == 0 ||
        !snoopi__dwarfline_open(&lines, &u->elf->line, head.lines,
                                head.comp_dir ? head.comp_dir : "") ||
        !snoopi__dwarfline_find(&lines, address, &file, &line)) {
        return 0;
    }
    return put_places(u, &found, &lines, file, line, arena, places);
}

int snoopi__dwarf_find(const snoopi__dwarf *dwarf, uint64_t address, snoopi__arena *arena,
                       snoopi__dwarfplace *places)
{
    const snoopi__dwarfrange *range = find_range(dwarf, address);
    if (!range) {
        return 0;
    }
    unit *u = calloc(1, sizeof *u);
    if (!u) {
        return SNOOPI_E_NOMEM;
    }
    u->elf = dwarf->elf;
    uint64_t abbrevs = UINT64_MAX;
    uint64_t next = 0;
    int n = 0;
    if (open_unit(u, range->unit, &abbrevs, &next) && u->contents.at) {
        entry head;
        snoopi__cursor at = u->contents;
        u->low = next_entry(u, &at, &head) ? head.low : 0;
        n = find_in_unit(u, address, arena, places);
    }
    free(u);
    return n;
}
