// SPDX-License-Identifier: MIT
//
// The text of override.jl, with a zero behind it.

    .section .rodata
    .globl agent_override_source
    .hidden agent_override_source
    .type agent_override_source, @object
agent_override_source:
    .incbin "override.jl"
    .byte 0
    .size agent_override_source, . - agent_override_source

    .section .note.GNU-stack, "", @progbits
