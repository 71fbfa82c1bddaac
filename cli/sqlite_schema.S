// SPDX-License-Identifier: MIT
//
// The bytes of sqlite_schema.sql.

    .section .rodata
    .globl cli_sqlite_schema
    .hidden cli_sqlite_schema
    .type cli_sqlite_schema, %object
cli_sqlite_schema:
    .incbin "sqlite_schema.sql"
    .byte 0
    .size cli_sqlite_schema, . - cli_sqlite_schema

    .section .note.GNU-stack, "", %progbits
