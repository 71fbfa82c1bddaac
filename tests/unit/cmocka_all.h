// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CMOCKA_ALL_H
#define SNOOPI_CMOCKA_ALL_H

/**
 * @file
 * cmocka.h, with what it needs before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
