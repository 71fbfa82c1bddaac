// SPDX-License-Identifier: MIT
// The decoder of prologues for aarch64 against Capstone, on any machine, and what is made of prologues of a system image.
#include "tests/unit/cmocka_all.h"

#include <capstone/capstone.h>
#include <string.h>

#include "agent/machine/decode.h"
#include "agent/machine/jump.h"

enum { SEED = 20240229, WORDS = 2000000 };

static uint64_t random_state = SEED;

static uint32_t random_word(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static csh capstone;
static cs_insn *insn;

static int open_capstone(void **state)
{
    (void)state;
    assert_int_equal(cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &capstone), CS_ERR_OK);
    assert_int_equal(cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON), CS_ERR_OK);
    insn = cs_malloc(capstone);
    assert_non_null(insn);
    return 0;
}

static int close_capstone(void **state)
{
    (void)state;
    cs_free(insn, 1);
    return cs_close(&capstone);
}

static bool disassemble(uint32_t word, uint64_t address)
{
    const uint8_t *at = (const uint8_t *)&word;
    size_t left = sizeof word;
    return cs_disasm_iter(capstone, &at, &left, &address, insn);
}

static bool is_movable(uint32_t word)
{
    return decode_movable((const uint8_t *)&word, sizeof word) == sizeof word;
}

// An instruction of a class that the decoder knows, with anything in its other bits; or anything at all.
static uint32_t make_word(void)
{
    static const struct {
        uint32_t mask;
        uint32_t value;
    } classes[] = {{0x3a000000, 0x28000000}, // pairs
                   {0x3b000000, 0x39000000}, // loads and stores, scaled
                   {0x3b000000, 0x38000000}, // unscaled, and what changes the base
                   {0x1f000000, 0x11000000}, // arithmetic with constants
                   {0x1f000000, 0x12000000}, // logic and moves of constants
                   {0x1f000000, 0x0a000000}, // logic with registers
                   {0x1f000000, 0x0b000000}, // arithmetic with registers
                   {0xfffff01f, 0xd503201f}, // hints
                   {0xfff00000, 0xd5300000}, // system registers
                   {0x1f000000, 0x10000000}, // addresses
                   {0x3b000000, 0x18000000}, // loads of literals
                   {0x7c000000, 0x14000000}, // branches
                   {0x7e000000, 0x34000000},
                   {0xfe000000, 0xd6000000},
                   {0xbff80400, 0x2f000400}, // constants of vectors
                   {0, 0}};
    const size_t i = random_word() % (sizeof classes / sizeof classes[0]);
    return (random_word() & ~classes[i].mask) | classes[i].value;
}

static bool has_register_of_jumps(void)
{
    const cs_arm64 *const detail = &insn->detail->arm64;
    for (uint8_t i = 0; i < detail->op_count; i++) {
        const cs_arm64_op *const op = &detail->operands[i];
        const arm64_reg registers[] = {op->type == ARM64_OP_REG ? op->reg : ARM64_REG_INVALID,
                                       op->type == ARM64_OP_MEM ? op->mem.base : ARM64_REG_INVALID,
                                       op->type == ARM64_OP_MEM ? op->mem.index
                                                                : ARM64_REG_INVALID};
        for (size_t k = 0; k < sizeof registers / sizeof registers[0]; k++) {
            if (registers[k] == ARM64_REG_X16 || registers[k] == ARM64_REG_X17 ||
                registers[k] == ARM64_REG_W16 || registers[k] == ARM64_REG_W17) {
                return true;
            }
        }
    }
    return false;
}

// Whether the instruction that was disassembled does the same elsewhere: shown by what Capstone prints at two addresses.
static bool is_same_elsewhere(uint32_t word)
{
    char before[sizeof insn->op_str];
    static const uint8_t groups[] = {CS_GRP_JUMP, CS_GRP_CALL, CS_GRP_RET, CS_GRP_INT,
                                     CS_GRP_BRANCH_RELATIVE};
    for (size_t i = 0; i < sizeof groups; i++) {
        if (cs_insn_group(capstone, insn, groups[i])) {
            return false;
        }
    }
    memcpy(before, insn->op_str, sizeof before);
    return disassemble(word, 0x7654000) && strcmp(before, insn->op_str) == 0;
}

static void what_it_moves_capstone_finds_movable(void **state)
{
    (void)state;
    unsigned known = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        const uint32_t word = make_word();
        if (!is_movable(word)) {
            continue;
        }
        known++;
        const bool is_decoded = disassemble(word, 0x10000);
        if (!is_decoded || has_register_of_jumps() || !is_same_elsewhere(word)) {
            if (wrong++ < 20) {
                print_message("%08x is moved; Capstone: %s %s\n", word,
                              is_decoded ? insn->mnemonic : "(nothing)",
                              is_decoded ? insn->op_str : "");
            }
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(known > WORDS / 8); // else the words are not such that this tells anything
}

static void what_prologues_consist_of_is_moved(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t word;
    } moved[] = {
        {"stp x28, x27, [sp, #-96]!", 0xa9ba6ffc},
        {"stp x29, x30, [sp, #80]", 0xa9057bfd},
        {"stp d9, d8, [sp, #-112]!", 0x6db923e9},
        {"stp q0, q0, [x29, #-96]", 0xad3d03a0},
        {"str x22, [sp, #32]", 0xf90013f6},
        {"str x30, [sp, #-16]!", 0xf81f0ffe},
        {"str q0, [sp, #16]", 0x3d8007e0},
        {"stur x0, [x29, #-8]", 0xf81f83a0},
        {"ldr x8, [x0]", 0xf9400008},
        {"ldrb w8, [x0, #1]", 0x39400408},
        {"sub sp, sp, #0x170", 0xd105c3ff},
        {"sub sp, sp, #1, lsl #12", 0xd14007ff},
        {"add x29, sp, #0x50", 0x910143fd},
        {"mov x29, sp", 0x910003fd},
        {"sub x9, sp, #0x200", 0xd10803e9},
        {"and sp, x9, #0xffffffffffffffe0", 0x927be93f},
        {"mov x22, x2", 0xaa0203f6},
        {"mov w20, w1", 0x2a0103f4},
        {"mov w8, #1", 0x52800028},
        {"movk x8, #1, lsl #16", 0xf2a00028},
        {"mov x8, #-1", 0x92800008},
        {"cmp x1, x2", 0xeb02003f},
        {"cmp w1, #3", 0x71000c3f},
        {"sub sp, sp, x9", 0xcb2963ff},
        {"movi v0.2d, #0", 0x6f00e400},
        {"mrs x8, tpidr_el0", 0xd53bd048},
        {"nop", 0xd503201f},
        {"bti c", 0xd503245f},
        {"paciasp", 0xd503233f},
    };
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++) {
        if (!is_movable(moved[i].word)) {
            fail_msg("%s is not moved", moved[i].text);
        }
    }
}

static void what_depends_on_where_it_stands_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t word;
    } refused[] = {
        {"b", 0x14000010},
        {"bl", 0x94000010},
        {"b.ne", 0x54000101},
        {"cbz x0", 0xb4000100},
        {"cbnz w0", 0x35000100},
        {"tbz w0, #0", 0x36000100},
        {"tbnz w0, #0", 0x37000100},
        {"adr x0", 0x10000100},
        {"adrp x8", 0x9003cf48},
        {"ldr x0, literal", 0x58000100},
        {"ldr q0, literal", 0x9c000100},
        {"ldrsw x0, literal", 0x98000100},
        {"prfm literal", 0xd8000100},
        {"br x8", 0xd61f0100},
        {"blr x8", 0xd63f0100},
        {"ret", 0xd65f03c0},
        {"retaa", 0xd65f0bff},
        {"autiasp", 0xd50323bf},
        {"svc #0", 0xd4000001},
        {"brk #0", 0xd4200000},
        {"udf #0", 0x00000000},
        // what the jumps change
        {"mov x16, x0", 0xaa0003f0},
        {"mov x0, x17", 0xaa1103e0},
        {"ldr x16, [x0]", 0xf9400010},
        {"stp x0, x17, [sp]", 0xa90047e0},
        {"add x0, x16, #1", 0x91000600},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (is_movable(refused[i].word)) {
            fail_msg("%s was not refused", refused[i].text);
        }
    }
}

static void what_is_cut_is_refused(void **state)
{
    (void)state;
    const uint32_t word = 0xd503201f;
    for (size_t cut = 0; cut < sizeof word; cut++) {
        // In memory of its own size, so that a sanitizer sees what is read behind it.
        uint8_t *piece = test_malloc(cut + 1);
        memcpy(piece + 1, &word, cut);
        assert_int_equal(decode_movable(piece + 1, cut), 0);
        test_free(piece);
    }
}

// --- the jumps, as Capstone reads them ---

static uint64_t literal_at(const uint8_t *code, uint64_t base)
{
    uint64_t value;
    const uint64_t target = (uint64_t)insn->detail->arm64.operands[1].imm;
    memcpy(&value, code + (target - base), sizeof value);
    return value;
}

static void expect(const uint8_t *code, uint64_t at, const char *mnemonic, const char *operands)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    assert_true(disassemble(word, at));
    assert_string_equal(insn->mnemonic, mnemonic);
    if (operands) {
        assert_string_equal(insn->op_str, operands);
    }
}

// x16 is loaded with an address and gone to.
static void expect_jump(const uint8_t *code, const char *branch, const void *target)
{
    expect(code, 0x1000, "ldr", NULL);
    assert_int_equal(insn->detail->arm64.operands[0].reg, ARM64_REG_X16);
    assert_ptr_equal(literal_at(code, 0x1000), target);
    expect(code + 4, 0x1004, branch, "x16");
}

static const uint32_t plain[] = {0xa9ba6ffc, 0xa90167fa, 0xa9025ff8, 0xa90357f6, 0xa9044ff4};
static const uint32_t with_adrp[] = {0xd10143ff, 0xf90013f6, 0xa90353f5, 0x9003cf48, 0xf9401108};
static const uint32_t guarded[] = {0xd503245f, 0xa9ba6ffc, 0xa90167fa, 0xa9025ff8, 0xa90357f6};
static const uint32_t signs[] = {0xd503233f, 0xa9bf7bfd, 0x910003fd, 0xa9bf4ff4, 0xaa0003f3};

static void check_jump(const uint32_t words[5], bool is_guarded, bool has_adrp)
{
    static _Alignas(128) uint8_t slot[SLOT_SIZE];
    struct hook hook = {.code = (uint8_t *)(uintptr_t)words};
    struct jump jump;
    const size_t size = is_guarded ? 20 : 16;

    memset(&jump, 0, sizeof jump);
    assert_true(jump_make(&jump, &hook, slot, 20));
    assert_int_equal(jump.size, size);
    if (is_guarded) {
        uint32_t word;
        memcpy(&word, jump.over, sizeof word);
        assert_int_equal(word, 0xd503245f); // bti c, which not every Capstone has a name for
    }
    expect_jump(jump.over + size - 16, "br", slot);
    expect(jump.slot, 0x1000, "ldr", NULL);
    assert_int_equal(insn->detail->arm64.operands[0].reg, ARM64_REG_X17);
    assert_ptr_equal(literal_at(jump.slot, 0x1000), &hook);
    expect(jump.slot + 4, 0x1004, "ldr", "x16, [x17]");
    expect(jump.slot + 8, 0x1008, "br", "x16");
    for (size_t i = 0; i < size / 4; i++) {
        const uint8_t *const moved = jump.slot + jump.moved + 4 * i;
        if (has_adrp && words[i] >> 24 == 0x90) {
            assert_true(disassemble(words[i], (uint64_t)(uintptr_t)&words[i]));
            const uint64_t page = (uint64_t)insn->detail->arm64.operands[1].imm;
            const arm64_reg into = insn->detail->arm64.operands[0].reg;
            expect(moved, 0x1000 + jump.moved + 4 * i, "ldr", NULL);
            assert_int_equal(insn->detail->arm64.operands[0].reg, into);
            assert_int_equal(literal_at(jump.slot, 0x1000), page);
        } else {
            assert_memory_equal(moved, &words[i], 4);
        }
    }
    expect_jump(jump.slot + jump.moved + size, is_guarded ? "ret" : "br", &words[size / 4]);

    // In place it is known, in the function and as this hook's.
    uint8_t code[24] = {0};
    memcpy(code, jump.over, jump.size);
    assert_true(jump_is_at(code));
    hook.code = code;
    hook.moved = slot + jump.moved;
    assert_true(jump_is_in_place(&hook));
    code[jump.size - 1] ^= 1;
    assert_false(jump_is_in_place(&hook));
    assert_false(jump_is_at((const uint8_t *)words));
}

static void the_jump_goes_by_the_slot_to_the_rest_of_the_function(void **state)
{
    (void)state;
    check_jump(plain, false, false);
    check_jump(with_adrp, false, true);
}

// Where a page may be guarded, what is branched to begins with a landing pad, and what does not is returned to.
static void landing_pads_stay_landing_pads(void **state)
{
    (void)state;
    check_jump(guarded, true, false);
    check_jump(signs, true, false);
}

static void no_jump_is_made_over_what_can_not_be_moved(void **state)
{
    (void)state;
    static const uint32_t last_is_branch[] = {0xf81f0ffe, 0xaa0003f3, 0xaa0103f4, 0x94000010};
    static const uint32_t ends[] = {0xf9400000, 0xd65f03c0, 0xd503201f, 0xd503201f};
    struct jump jump;
    struct hook hook = {.code = (uint8_t *)(uintptr_t)last_is_branch};
    assert_false(jump_make(&jump, &hook, NULL, 16));
    hook.code = (uint8_t *)(uintptr_t)ends;
    assert_false(jump_make(&jump, &hook, NULL, 16));
    hook.code = (uint8_t *)(uintptr_t)plain;
    assert_false(jump_make(&jump, &hook, NULL, 12));
    assert_true(jump_make(&jump, &hook, NULL, 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_moves_capstone_finds_movable),
        cmocka_unit_test(what_prologues_consist_of_is_moved),
        cmocka_unit_test(what_depends_on_where_it_stands_is_refused),
        cmocka_unit_test(what_is_cut_is_refused),
        cmocka_unit_test(the_jump_goes_by_the_slot_to_the_rest_of_the_function),
        cmocka_unit_test(landing_pads_stay_landing_pads),
        cmocka_unit_test(no_jump_is_made_over_what_can_not_be_moved),
    };
    return cmocka_run_group_tests(tests, open_capstone, close_capstone);
}
