// SPDX-License-Identifier: MIT
#ifndef SNOOPI_FUZZ_OUTPUT_H
#define SNOOPI_FUZZ_OUTPUT_H

/**
 * @file
 * What an exported file must not hold, whatever a trace calls its functions: control characters, bytes that are not UTF-8, text
 * that ends the string or the element that it is in.
 */
#include "snoopi/export.h"

/** Ends the program, as a finding, if it does. pprof is not looked at: it is compressed. */
void fuzz_check_output(snoopi_export_format format, const char *text, size_t size);

#endif
