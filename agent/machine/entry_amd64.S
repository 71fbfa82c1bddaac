// SPDX-License-Identifier: MIT
//
// The three ways in, amd64.
//
// dlopen, dlsym: interposed. The agent looks whether the moment to start has come *before* the real call, then leaves by a jump, so
// that the real function sees its caller's return address (glibc takes RUNPATH and RTLD_NEXT from it) and nothing of ours runs
// between it and the caller's dlerror().
//
// snoopi_inference_hook: entered by the jump that jump_amd64.c made over a function. %r11 points at a struct hook.

    .text

// A call of `function` with `argument` that keeps what a dl call is called with.
    .macro KEEPING_ARGUMENTS function, argument
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq \argument, %rdi
    call \function
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .endm

// dlsym gives functions of the agent's own for a few names.
    .macro OWN_FUNCTIONS
    KEEPING_ARGUMENTS agent_instead, %rsi
    testq %rax, %rax
    je 2f
    ret
2:
    .endm

    .macro INTERPOSE name, real, special
    .globl \name
    .type \name, @function
\name:
    .cfi_startproc
    endbr64
    cmpb $0, agent_is_settled(%rip)
    jne 1f
    KEEPING_ARGUMENTS agent_consider, %rdi
1:  \special
    jmp *\real(%rip)
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

// Registers are saved in the order of `frame_register`: the integer arguments, then %rax (where a struct result goes in Julia 1.9 and
// later) and %r10. %r13, the gc stack of swiftcc, is kept by C.
    .globl snoopi_inference_hook
    .hidden snoopi_inference_hook
    .type snoopi_inference_hook, @function
    .balign 16
snoopi_inference_hook:
    .cfi_startproc
    pushq %r11
    .cfi_adjust_cfa_offset 8
    subq $80, %rsp
    .cfi_adjust_cfa_offset 80
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movq %r10, 56(%rsp)
    movq %rbp, 64(%rsp)
    leaq 96(%rsp), %rdi
    movq %rdi, 72(%rsp)          // the caller's stack pointer
    movq %rsp, %rdi              // registers
    movq %r11, %rsi              // hook
    leaq 88(%rsp), %rdx          // where the return address lies
    call agent_frame_begin
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movq 56(%rsp), %r10
    addq $80, %rsp
    .cfi_adjust_cfa_offset -80
    movq (%rsp), %r11
    call *8(%r11)
    pushq %rax
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    movq %rax, %rdi              // result
    movq 16(%rsp), %rsi          // hook
    leaq 24(%rsp), %rdx
    call agent_frame_end
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rax
    .cfi_adjust_cfa_offset -8
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size snoopi_inference_hook, . - snoopi_inference_hook

// Room for moved instructions: HOOKS_MAX slots of 128 bytes, on pages of their own so that writing them copies little.
    .balign 4096
    .globl agent_moved_code
    .hidden agent_moved_code
    .type agent_moved_code, @object
agent_moved_code:
    .fill 64 * 128, 1, 0xcc
    .size agent_moved_code, . - agent_moved_code
    .balign 4096

    .section .note.GNU-stack, "", @progbits
