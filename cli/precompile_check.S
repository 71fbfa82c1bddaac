// SPDX-License-Identifier: MIT
//
// The bytes of precompile_check.jl.

    .section .rodata
    .globl cli_precompile_check
    .hidden cli_precompile_check
    .type cli_precompile_check, %object
cli_precompile_check:
    .incbin "precompile_check.jl"
    .byte 0
    .size cli_precompile_check, . - cli_precompile_check

    .section .note.GNU-stack, "", %progbits
