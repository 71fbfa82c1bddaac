// SPDX-License-Identifier: MIT
// The decoder of prologues against Capstone, and on prologues of Julia's system images.
#include "tests/unit/cmocka_all.h"

#include <capstone/capstone.h>
#include <string.h>

#include "agent/machine/decode.h"

enum { SEED = 20240229, STRINGS = 1000000, STRING_SIZE = 16 };

static uint64_t random_state = SEED;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 32) * n >> 32);
}

static uint8_t one_of(const char *bytes, size_t n)
{
    return (uint8_t)bytes[random_below((uint32_t)n)];
}
#define ONE_OF(text) one_of(text, sizeof(text) - 1)

// Bytes that look like an instruction: prefixes, an opcode that the decoder knows or a neighbour of one, a ModRM that
// is often a special one, anything.
static void make_string(uint8_t code[STRING_SIZE])
{
    uint8_t *at = code;
    for (size_t i = 0; i < STRING_SIZE; i++) {
        code[i] = (uint8_t)random_below(256);
    }
    switch (random_below(8)) {
    case 0: *at++ = 0x64; break;
    case 1: *at++ = ONE_OF("\x26\x2e\x36\x3e\x65\x66\x67\xf0\xf2\xf3"); break;
    default: break;
    }
    if (random_below(2) == 0) {
        *at++ = (uint8_t)(0x40 + random_below(16));
    }
    switch (random_below(8)) {
    case 0: // VEX
        at = code;
        *at++ = ONE_OF("\xc5\xc5\xc5\xc4");
        *at++ = (uint8_t)(random_below(2) == 0 ? 0xf8 + random_below(8) : random_below(256));
        *at++ = ONE_OF("\x10\x11\x28\x29\x57\x6f\x7f\xef\x77\x2e");
        break;
    case 1: // two bytes
        *at++ = 0x0f;
        *at++ = ONE_OF("\x10\x11\x28\x29\x57\x6f\x7f\xef\x1f\x0b\x05\x84\x85\x8f\x1e\x34\xa2");
        break;
    case 2: *at++ = (uint8_t)random_below(256); break;
    default:
        *at++ = ONE_OF(
            "\x01\x03\x09\x0b\x21\x23\x29\x2b\x31\x33\x39\x3b\x85\x88\x89\x8a\x8b\x8d\x81\x83\xc7"
            "\x50\x55\x57\x58\x5f\xb8\xbf\xb0\xc3\xc2\xcc\xe8\xe9\xeb\x70\x7f\xe3\xff\xf7\xc6\xc9");
        break;
    }
    switch (random_below(4)) {
    case 0: *at = (uint8_t)(random_below(8) << 3 | 5); break;                        // rip-relative
    case 1: *at = (uint8_t)(random_below(3) << 6 | random_below(8) << 3 | 4); break; // SIB
    default: break;
    }
}

static void print_bytes(const uint8_t *code, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        print_message("%02x ", code[i]);
    }
    print_message("\n");
}

// Whether what Capstone says of an instruction lets it run anywhere.
static bool is_movable(csh capstone, const cs_insn *insn)
{
    static const uint8_t groups[] = {CS_GRP_JUMP, CS_GRP_CALL, CS_GRP_RET,
                                     CS_GRP_INT,  CS_GRP_IRET, CS_GRP_BRANCH_RELATIVE};
    for (size_t i = 0; i < sizeof groups; i++) {
        if (cs_insn_group(capstone, insn, groups[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < insn->detail->x86.op_count; i++) {
        const cs_x86_op *op = &insn->detail->x86.operands[i];
        if (op->type == X86_OP_MEM && (op->mem.base == X86_REG_RIP || op->mem.base == X86_REG_EIP ||
                                       op->mem.index == X86_REG_RIP)) {
            return false;
        }
    }
    return true;
}

static void what_it_measures_capstone_measures_alike(void **state)
{
    (void)state;
    csh capstone;
    unsigned known = 0;
    unsigned wrong = 0;
    assert_int_equal(cs_open(CS_ARCH_X86, CS_MODE_64, &capstone), CS_ERR_OK);
    assert_int_equal(cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON), CS_ERR_OK);
    cs_insn *insn = cs_malloc(capstone);
    assert_non_null(insn);

    for (int i = 0; i < STRINGS; i++) {
        uint8_t code[STRING_SIZE];
        make_string(code);
        const size_t length = decode_movable(code, sizeof code);
        if (length == 0) {
            continue;
        }
        known++;
        const uint8_t *at = code;
        size_t left = sizeof code;
        uint64_t address = 0x10000;
        const bool is_decoded = cs_disasm_iter(capstone, &at, &left, &address, insn);
        if (!is_decoded || insn->size != length || !is_movable(capstone, insn)) {
            if (wrong++ < 10) {
                print_message("%zu bytes said; Capstone: %s %s, ", length,
                              is_decoded ? insn->mnemonic : "(nothing)",
                              is_decoded ? insn->op_str : "");
                print_bytes(code, sizeof code);
            }
        }
    }
    cs_free(insn, 1);
    (void)cs_close(&capstone);
    assert_int_equal(wrong, 0);
    assert_true(known > STRINGS / 4); // else the strings are not such that this tells anything
}

static void what_is_cut_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < STRINGS / 50; i++) {
        uint8_t code[STRING_SIZE];
        make_string(code);
        const size_t length = decode_movable(code, sizeof code);
        for (size_t cut = 0; cut < length; cut++) {
            // In memory of its own size, so that a sanitizer sees what is read behind it.
            uint8_t *piece = test_malloc(cut + 1);
            memcpy(piece + 1, code, cut);
            assert_int_equal(decode_movable(piece + 1, cut), 0);
            test_free(piece);
        }
        assert_int_equal(decode_movable(code, length), length);
    }
}

#define CODE(text) (const uint8_t *)(text), sizeof(text) - 1

static void prologues_of_system_images_have_the_lengths_that_were_moved(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        const uint8_t *code;
        size_t size;
        size_t need;
        size_t length;
    } prologues[] = {
        {"1.5.3 typeinf",
         CODE(
             "\x55\x48\x89\xe5\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x81\xec\x88\x01\x00\x00\x48\x89\xfb"),
         14, 20},
        {"1.5.3 typeinf, the wrapper",
         CODE("\x55\x41\x57\x41\x56\x53\x48\x83\xec\x18\x49\x89\xd7\x89\xf5\x49\x89\xfe"), 13, 13},
        {"1.5.3 typeinf_ext",
         CODE(
             "\x55\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x81\xec\x28\x01\x00\x00\x49\x89\xf6\x49\x89\xff"),
         13, 17},
        {"1.5.3 typeinf_ext, clone for AVX",
         CODE(
             "\x55\x48\x89\xe5\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x83\xe4\xe0\x48\x81\xec\x60\x01\x00\x00\x49\x89\xf6"),
         18, 24},
        {"1.5.3 finish, to its spill of a vector register",
         CODE(
             "\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x81\xec\x80\x00\x00\x00\x49\x89\xf6\x48\x89\xfb\x0f\x57\xc0\x0f\x29\x44\x24"
             "\x60"),
         30, 30},
        {"1.5.3 print, clone for AVX, to its movq of an immediate",
         CODE(
             "\x55\x41\x56\x53\x48\x83\xec\x20\x89\xf5\x49\x89\xfe\xc5\xf8\x57\xc0\xc5\xf8\x29\x04\x24\x48\xc7\x44\x24\x10\x00\x00"
             "\x00\x00"),
         23, 31},
        {"1.10 _typeinf",
         CODE(
             "\x55\x48\x89\xe5\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x81\xec\x88\x01\x00\x00\x48\x89\xf3"),
         14, 20},
        {"1.10 _typeinf, to its lea of a local",
         CODE(
             "\x55\x48\x89\xe5\x41\x57\x41\x56\x41\x55\x41\x54\x53\x48\x81\xec\x88\x04\x00\x00\x48\x89\x75\xc0\x48\x89\xfb\x4c\x8d"
             "\xbd\x60\xfb\xff\xff"),
         28, 34},
        {"1.10 _ir_abstract_constant_propagation",
         CODE(
             "\x55\x48\x89\xe5\x41\x56\x53\x48\x83\xec\x30\x48\x89\xfb\x49\x89\xc6\x0f\x57\xc0\x0f\x29\x45\xd0"),
         13, 14},
        {"1.10 typeinf_ext_toplevel",
         CODE("\x55\x48\x89\xe5\x41\x57\x41\x56\x53\x48\x81\xec\xf8\x00\x00\x00\x49\x89\xf7"), 13,
         16},
        {"1.10 print, to what is relative to the instruction",
         CODE(
             "\x55\x48\x89\xe5\x48\x83\xec\x10\x49\x8b\x45\x10\x48\x8b\x40\x10\x48\x8b\x00\x48\x8b\x05\x7e\xf1\x19\x09"),
         13, 16},
        {"with endbr64, and the pointer to the thread's block",
         CODE(
             "\xf3\x0f\x1e\xfa\x64\x48\x8b\x04\x25\x00\x00\x00\x00\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"),
         14, 23},
        // What must not be moved.
        {"1.5.3 print: a call",
         CODE("\x50\xe8\x2a\x00\x00\x00\x58\xc3\x55\x41\x57\x41\x56\x53\x48\x83\xec\x18"), 13, 0},
        {"1.5.3 print: a call through the table",
         CODE("\x50\xff\x15\x01\x3b\x0d\x08\x58\xc3\x55\x41\x57\x41\x56\x53\x48\x83\xec\x18"), 13,
         0},
        {"1.10 print: a load relative to the instruction",
         CODE(
             "\x55\x48\x89\xe5\x48\x83\xec\x10\x49\x8b\x45\x10\x48\x8b\x40\x10\x48\x8b\x00\x48\x8b\x05\x7e\xf1\x19\x09"),
         20, 0},
    };
    for (size_t i = 0; i < sizeof prologues / sizeof prologues[0]; i++) {
        const size_t length =
            decode_prologue(prologues[i].code, prologues[i].size, prologues[i].need);
        if (length != prologues[i].length) {
            fail_msg("%s: %zu bytes, not %zu", prologues[i].function, length, prologues[i].length);
        }
        // Cut, it is not whole.
        for (size_t cut = 0; cut < length; cut++) {
            assert_int_equal(decode_prologue(prologues[i].code, cut, prologues[i].need), 0);
        }
    }
}

static void what_depends_on_where_it_stands_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const uint8_t *code;
        size_t size;
    } refused[] = {
        {"jmp rel8", CODE("\xeb\x10")},
        {"jmp rel32", CODE("\xe9\x00\x01\x00\x00")},
        {"jmp *rax", CODE("\xff\xe0")},
        {"jmp *(r11)", CODE("\x41\xff\x23")},
        {"je rel8", CODE("\x74\x10")},
        {"jne rel32", CODE("\x0f\x85\x00\x01\x00\x00")},
        {"jrcxz", CODE("\xe3\x10")},
        {"loop", CODE("\xe2\x10")},
        {"call rel32", CODE("\xe8\x00\x01\x00\x00")},
        {"call *rax", CODE("\xff\xd0")},
        {"call *mem(rip)", CODE("\xff\x15\x00\x01\x00\x00")},
        {"ret", CODE("\xc3")},
        {"ret imm16", CODE("\xc2\x08\x00")},
        {"rep ret", CODE("\xf3\xc3")},
        {"lea mem(rip), rax", CODE("\x48\x8d\x05\x00\x01\x00\x00")},
        {"mov mem(rip), rax", CODE("\x48\x8b\x05\x00\x01\x00\x00")},
        {"mov rax, mem(rip)", CODE("\x48\x89\x05\x00\x01\x00\x00")},
        {"cmpl imm, mem(rip)", CODE("\x83\x3d\x00\x01\x00\x00\x01")},
        {"movq imm, mem(rip)", CODE("\x48\xc7\x05\x00\x01\x00\x00\x00\x00\x00\x00")},
        {"movaps xmm0, mem(rip)", CODE("\x0f\x29\x05\x00\x01\x00\x00")},
        {"vmovaps xmm0, mem(rip)", CODE("\xc5\xf8\x29\x05\x00\x01\x00\x00")},
        {"xbegin", CODE("\xc7\xf8\x00\x01\x00\x00")},
        {"int3", CODE("\xcc")},
        {"syscall", CODE("\x0f\x05")},
        {"ud2", CODE("\x0f\x0b")},
        {"nothing", (const uint8_t *)"", 0},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        // Followed by what is known, so that it is not the end that is refused.
        uint8_t code[32];
        memset(code, 0x50, sizeof code);
        memcpy(code, refused[i].code, refused[i].size);
        const size_t available = refused[i].size == 0 ? 0 : sizeof code;
        if (decode_movable(code, available) != 0 || decode_prologue(code, available, 13) != 0) {
            fail_msg("%s was not refused", refused[i].what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_measures_capstone_measures_alike),
        cmocka_unit_test(what_is_cut_is_refused),
        cmocka_unit_test(prologues_of_system_images_have_the_lengths_that_were_moved),
        cmocka_unit_test(what_depends_on_where_it_stands_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
