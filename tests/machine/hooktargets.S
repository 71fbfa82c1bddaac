// SPDX-License-Identifier: MIT
    .text
    .globl target_short
    .type target_short, %function
    .balign 16
#if defined(__x86_64__)
target_short:
    .cfi_startproc
    jmp 1f
1:  leaq 1(%rdi), %rax
    ret
    .cfi_endproc
    .size target_short, . - target_short
#elif defined(__aarch64__)
target_short:
    .cfi_startproc
    b 1f
1:  add x0, x0, #1
    ret
    .cfi_endproc
    .size target_short, . - target_short

    .section .rodata
    .globl target_guarded
    .balign 16
target_guarded:
    hint #34 // bti c
    stp x29, x30, [sp, #-32]!
    mov x29, sp
    str x19, [sp, #16]
    mov x19, x0
    blr x1
    add x0, x0, x19
    ldr x19, [sp, #16]
    ldp x29, x30, [sp], #32
    ret
1:
    .globl target_guarded_size
    .balign 8
target_guarded_size:
    .quad 1b - target_guarded
#endif

    .section .note.GNU-stack, "", %progbits
