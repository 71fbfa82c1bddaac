// SPDX-License-Identifier: MIT
//
// Runs the small program of a call frame entry up to an address. Only the stack pointer, the frame pointer and
// the return address are followed.

#include "machine/cfi.h"

#include <string.h>

#include "machine/registers.h"

enum { STATES_MAX = 8 };

/* Instructions of the program: DW_CFA_*. */
enum {
    CFA_ADVANCE = 0x40,
    CFA_OFFSET = 0x80,
    CFA_RESTORE = 0xc0,
    CFA_ADVANCE_1 = 0x02,
    CFA_ADVANCE_2 = 0x03,
    CFA_ADVANCE_4 = 0x04,
    CFA_OFFSET_EXTENDED = 0x05,
    CFA_RESTORE_EXTENDED = 0x06,
    CFA_UNDEFINED = 0x07,
    CFA_SAME_VALUE = 0x08,
    CFA_REMEMBER = 0x0a,
    CFA_RESTORE_STATE = 0x0b,
    CFA_DEF = 0x0c,
    CFA_DEF_REGISTER = 0x0d,
    CFA_DEF_OFFSET = 0x0e,
    CFA_EXPRESSION = 0x10,
    CFA_OFFSET_SIGNED = 0x11,
    CFA_DEF_SIGNED = 0x12,
    CFA_DEF_OFFSET_SIGNED = 0x13,
    CFA_VAL_EXPRESSION = 0x16,
    CFA_NEGATE_SIGNED =
        0x2d, /* of aarch64: the return address is signed from here on, or no more */
    CFA_GNU_ARGS_SIZE = 0x2e
};

struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    struct cfi_saved frame_pointer;
    struct cfi_saved return_address;
    bool return_is_undefined; /* the outermost function */
};

struct cfi {
    const uint8_t *at;
    const uint8_t *end;
    uint64_t code_align;
    int64_t data_align;
    uintptr_t location;
    struct row row;
    struct row initial;
    struct row saved[STATES_MAX];
    unsigned n_saved;
    bool is_bad;
};

static uint64_t take_uleb(struct cfi *cfi)
{
    uint64_t value = 0;
    for (unsigned shift = 0; cfi->at < cfi->end && shift < 64; shift += 7) {
        const uint8_t byte = *cfi->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    cfi->is_bad = true;
    return 0;
}

static int64_t take_sleb(struct cfi *cfi)
{
    int64_t value = 0;
    for (unsigned shift = 0; cfi->at < cfi->end && shift < 64;) {
        const uint8_t byte = *cfi->at++;
        value |= (int64_t)((uint64_t)(byte & 0x7f) << shift);
        shift += 7;
        if (byte < 0x80) {
            return (byte & 0x40) != 0 && shift < 64 ? value | -((int64_t)1 << shift) : value;
        }
    }
    cfi->is_bad = true;
    return 0;
}

static uint64_t take_fixed(struct cfi *cfi, size_t size)
{
    uint64_t value = 0;
    if ((size_t)(cfi->end - cfi->at) < size) {
        cfi->is_bad = true;
        return 0;
    }
    memcpy(&value, cfi->at, size);
    cfi->at += size;
    return value;
}

/* What is known of a register; NULL for one that is not followed. */
static struct cfi_saved *saved_of(struct row *row, uint64_t reg)
{
    return reg == DWARF_FRAME_POINTER    ? &row->frame_pointer
           : reg == DWARF_RETURN_ADDRESS ? &row->return_address
                                         : NULL;
}

/* A register's place relative to the CFA. */
static void set_offset(struct cfi *cfi, uint64_t reg, int64_t factored)
{
    struct cfi_saved *const saved = saved_of(&cfi->row, reg);
    if (saved != NULL) {
        saved->is_saved = true;
        saved->offset = factored * cfi->data_align;
    }
}

static void forget(struct cfi *cfi, uint64_t reg)
{
    struct cfi_saved *const saved = saved_of(&cfi->row, reg);
    if (saved != NULL) {
        saved->is_saved = false;
    }
}

static void restore(struct cfi *cfi, uint64_t reg)
{
    struct cfi_saved *const saved = saved_of(&cfi->row, reg);
    if (saved != NULL) {
        *saved = *saved_of(&cfi->initial, reg);
    }
}

static void skip_expression(struct cfi *cfi, uint64_t reg)
{
    const uint64_t size = take_uleb(cfi);
    if (saved_of(&cfi->row, reg) != NULL || size > (uint64_t)(cfi->end - cfi->at)) {
        cfi->is_bad = true;
    } else {
        cfi->at += size;
    }
}

static void step_extended(struct cfi *cfi, uint8_t op)
{
    uint64_t reg = 0;
    switch (op) {
    case 0: break;
    case CFA_ADVANCE_1: cfi->location += take_fixed(cfi, 1) * cfi->code_align; break;
    case CFA_ADVANCE_2: cfi->location += take_fixed(cfi, 2) * cfi->code_align; break;
    case CFA_ADVANCE_4: cfi->location += take_fixed(cfi, 4) * cfi->code_align; break;
    case CFA_OFFSET_EXTENDED:
        reg = take_uleb(cfi);
        set_offset(cfi, reg, (int64_t)take_uleb(cfi));
        break;
    case CFA_OFFSET_SIGNED:
        reg = take_uleb(cfi);
        set_offset(cfi, reg, take_sleb(cfi));
        break;
    case CFA_RESTORE_EXTENDED: restore(cfi, take_uleb(cfi)); break;
    case CFA_SAME_VALUE: forget(cfi, take_uleb(cfi)); break;
    case CFA_UNDEFINED:
        reg = take_uleb(cfi);
        cfi->row.return_is_undefined |= reg == DWARF_RETURN_ADDRESS;
        forget(cfi, reg);
        break;
    case CFA_REMEMBER:
        if (cfi->n_saved < STATES_MAX) {
            cfi->saved[cfi->n_saved++] = cfi->row;
        } else {
            cfi->is_bad = true;
        }
        break;
    case CFA_RESTORE_STATE:
        if (cfi->n_saved > 0) {
            cfi->row = cfi->saved[--cfi->n_saved];
        } else {
            cfi->is_bad = true;
        }
        break;
    case CFA_DEF:
        cfi->row.cfa_register = take_uleb(cfi);
        cfi->row.cfa_offset = (int64_t)take_uleb(cfi);
        break;
    case CFA_DEF_SIGNED:
        cfi->row.cfa_register = take_uleb(cfi);
        cfi->row.cfa_offset = take_sleb(cfi) * cfi->data_align;
        break;
    case CFA_DEF_REGISTER: cfi->row.cfa_register = take_uleb(cfi); break;
    case CFA_DEF_OFFSET: cfi->row.cfa_offset = (int64_t)take_uleb(cfi); break;
    case CFA_DEF_OFFSET_SIGNED: cfi->row.cfa_offset = take_sleb(cfi) * cfi->data_align; break;
    case CFA_EXPRESSION:
    case CFA_VAL_EXPRESSION: skip_expression(cfi, take_uleb(cfi)); break;
    case CFA_NEGATE_SIGNED: break; /* plain_address() takes either */
    case CFA_GNU_ARGS_SIZE: (void)take_uleb(cfi); break;
    default: cfi->is_bad = true; break; /* a CFA by expression among them */
    }
}

/* Runs the program until it describes what is beyond `address`. */
static void run(struct cfi *cfi, uintptr_t address)
{
    while (cfi->at < cfi->end && !cfi->is_bad) {
        const uint8_t op = *cfi->at++;
        const struct row before = cfi->row;
        switch (op & 0xc0) {
        case CFA_ADVANCE: cfi->location += (op & 0x3fu) * cfi->code_align; break;
        case CFA_OFFSET: set_offset(cfi, op & 0x3f, (int64_t)take_uleb(cfi)); break;
        case CFA_RESTORE: restore(cfi, op & 0x3f); break;
        default: step_extended(cfi, op); break;
        }
        if (cfi->location > address) {
            cfi->row = before;
            return;
        }
    }
}

/* Size of a pointer by its encoding (DW_EH_PE_*); 0 if it has no fixed one. */
static size_t encoded_size(uint8_t encoding)
{
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c: return 8;
    case 0x02:
    case 0x0a: return 2;
    case 0x03:
    case 0x0b: return 4;
    default: return 0;
    }
}

/* Reads the common entry: alignments, the encoding of addresses, the initial row. */
static bool read_common(struct cfi *cfi, const uint8_t *cie, uint8_t *encoding, bool *has_data)
{
    uint32_t length = 0;
    memcpy(&length, cie, sizeof length);
    cfi->at = cie + 8; /* length, id */
    cfi->end = cie + 4 + length;
    (void)take_fixed(cfi, 1); /* version */
    const char *const augmentation = (const char *)cfi->at;
    const size_t n = strnlen(augmentation, (size_t)(cfi->end - cfi->at));
    cfi->at += n + 1;
    cfi->code_align = take_uleb(cfi);
    cfi->data_align = take_sleb(cfi);
    (void)take_uleb(cfi); /* the return address's register */
    *encoding = 0;
    *has_data = augmentation[0] == 'z';
    if (*has_data) {
        const uint64_t size = take_uleb(cfi);
        if (cfi->is_bad || size > (uint64_t)(cfi->end - cfi->at)) {
            return false;
        }
        const uint8_t *const program = cfi->at + size;
        for (size_t i = 1; i < n; i++) {
            if (augmentation[i] == 'R') {
                *encoding = (uint8_t)take_fixed(cfi, 1);
            } else if (augmentation[i] == 'P') {
                const uint8_t personality = (uint8_t)take_fixed(cfi, 1);
                (void)take_fixed(cfi, encoded_size(personality));
            } else if (augmentation[i] == 'L') {
                (void)take_fixed(cfi, 1);
            } else if (augmentation[i] != 'B') { /* which key signs on aarch64 */
                return false;                    /* a signal's frame, or something new */
            }
        }
        cfi->at = program;
    } else if (n > 0) {
        return false;
    }
    run(cfi, UINTPTR_MAX);
    cfi->initial = cfi->row;
    return !cfi->is_bad;
}

bool cfi_rule_at(const uint8_t *fde, uintptr_t function, uintptr_t address, struct cfi_rule *rule)
{
    struct cfi cfi = {0};
    uint32_t length = 0;
    uint32_t back = 0;
    uint8_t encoding = 0;
    bool has_data = false;

    memcpy(&length, fde, sizeof length);
    memcpy(&back, fde + 4, sizeof back);
    if (length == 0 || length == UINT32_MAX) {
        return false;
    }
    if (!read_common(&cfi, fde + 4 - back, &encoding, &has_data)) {
        return false;
    }
    const size_t pointer = encoded_size(encoding);
    cfi.at = fde + 8;
    cfi.end = fde + 4 + length;
    cfi.location = function;
    cfi.n_saved = 0;
    (void)take_fixed(&cfi, pointer);
    (void)take_fixed(&cfi, pointer);
    if (has_data) {
        const uint64_t size = take_uleb(&cfi);
        if (size > (uint64_t)(cfi.end - cfi.at)) {
            return false;
        }
        cfi.at += size;
    }
    run(&cfi, address);
    rule->from_frame_pointer = cfi.row.cfa_register == DWARF_FRAME_POINTER;
    rule->cfa_offset = cfi.row.cfa_offset;
    rule->frame_pointer = cfi.row.frame_pointer;
    rule->return_address = cfi.row.return_address;
    return !cfi.is_bad && pointer != 0 && cfi.row.return_address.is_saved &&
           !cfi.row.return_is_undefined &&
           (cfi.row.cfa_register == DWARF_FRAME_POINTER ||
            cfi.row.cfa_register == DWARF_STACK_POINTER);
}
