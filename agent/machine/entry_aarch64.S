// SPDX-License-Identifier: MIT
//
// The three ways in, aarch64. What they are for is said in entry_amd64.S.

    .text

    .macro BTI_C
    hint #34 // a nop for assemblers and machines that do not know it
    .endm

    .macro KEEPING_ARGUMENTS function, argument
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    mov x29, sp
    stp x0, x1, [sp, #16]
    mov x0, \argument
    bl \function
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    .endm

    .macro OWN_FUNCTIONS
    KEEPING_ARGUMENTS agent_instead, x1
    cbz x16, 2f
    mov x0, x16
    ret
2:
    .endm

    .macro INTERPOSE name, real, special
    .globl \name
    .type \name, %function
    .balign 16
\name:
    .cfi_startproc
    BTI_C
    adrp x16, agent_is_settled
    ldrb w16, [x16, #:lo12:agent_is_settled]
    cbnz w16, 1f
    KEEPING_ARGUMENTS agent_consider, x0
1:  \special
    adrp x16, \real
    ldr x16, [x16, #:lo12:\real]
    br x16
    .cfi_endproc
    .size \name, . - \name
    .endm

    INTERPOSE dlopen, real_dlopen
    INTERPOSE dlsym, real_dlsym, OWN_FUNCTIONS

    .hidden agent_is_settled
    .hidden agent_consider
    .hidden agent_instead
    .hidden real_dlopen
    .hidden real_dlsym
    .hidden agent_frame_begin
    .hidden agent_frame_end

// x17 points at a struct hook. Kept are the integer arguments, x8 (where a struct result goes), and those in vector registers; x20, the gc
// stack of swiftcc, is kept by C. The return address is put right below the caller's stack pointer, where frames are known by it.
    .globl snoopi_inference_hook
    .hidden snoopi_inference_hook
    .type snoopi_inference_hook, %function
    .balign 16
snoopi_inference_hook:
    .cfi_startproc
    BTI_C
    stp x17, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x30, -8
    sub sp, sp, #224
    .cfi_def_cfa_offset 240
    stp x0, x1, [sp]
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    add x9, sp, #240            // the caller's stack pointer
    stp x29, x9, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov x0, sp                  // registers
    mov x1, x17                 // hook
    add x2, sp, #232            // where the return address lies
    bl agent_frame_begin
    ldp x0, x1, [sp]
    ldp x2, x3, [sp, #16]
    ldp x4, x5, [sp, #32]
    ldp x6, x7, [sp, #48]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    add sp, sp, #224
    .cfi_def_cfa_offset 16
    ldr x17, [sp]
    ldr x16, [x17, #8]
    blr x16
    ldr x2, [sp]
    stp x0, x1, [sp, #-32]!
    .cfi_def_cfa_offset 48
    str q0, [sp, #16]
    mov x1, x2                  // hook; x0 is the result
    add x2, sp, #40
    bl agent_frame_end
    ldr q0, [sp, #16]
    ldp x0, x1, [sp], #32
    .cfi_def_cfa_offset 16
    ldr x30, [sp, #8]
    add sp, sp, #16
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
    .size snoopi_inference_hook, . - snoopi_inference_hook

// Room for moved instructions: HOOKS_MAX slots of 128 bytes, on pages of their own so that writing them copies little.
    .balign 4096
    .globl agent_moved_code
    .hidden agent_moved_code
    .type agent_moved_code, %object
agent_moved_code:
    .fill 64 * 32, 4, 0xd4200000 // brk
    .size agent_moved_code, . - agent_moved_code
    .balign 4096

    .section .note.GNU-stack, "", %progbits
