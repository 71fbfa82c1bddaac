// SPDX-License-Identifier: MIT
//
// The bytes of the page, as the build put them into page_head.html and page_tail.html (viewer/CMakeLists.txt).

    .macro BYTES name, file
    .globl \name
    .hidden \name
    .type \name, %object
    .balign 8
\name:
    .incbin "\file"
1:
    .size \name, 1b - \name
    .globl \name\()_size
    .hidden \name\()_size
    .type \name\()_size, %object
    .balign 8
\name\()_size:
    .quad 1b - \name
    .size \name\()_size, 8
    .endm

    .section .rodata
    BYTES snoopi__html_head, page_head.html
    BYTES snoopi__html_tail, page_tail.html

    .section .note.GNU-stack, "", %progbits
