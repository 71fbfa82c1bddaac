// SPDX-License-Identifier: MIT
//
// The bytes of flamegraph.js.

    .section .rodata
    .globl snoopi__svg_script
    .hidden snoopi__svg_script
    .type snoopi__svg_script, %object
snoopi__svg_script:
    .incbin "flamegraph.js"
    .byte 0
    .size snoopi__svg_script, . - snoopi__svg_script

    .section .note.GNU-stack, "", %progbits
