// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_FILEOUTPUT_H
#define SNOOPI_CLI_FILEOUTPUT_H

/**
 * @file
 * A file that a library writes by its name: to a temporary name first, which takes the place of what was there when it is whole. What is
 * no plain file, and standard output, get a copy.
 */
#include <stdbool.h>

#include <snoopi/error.h>

typedef struct {
    char *temporary; /* to be written; there, and empty */
    char *target;    /* NULL: standard output */
    bool is_copied;
} cli_fileoutput;

/** To be ended also after a failure. */
int cli_fileoutput_begin(cli_fileoutput *file, const char *path, bool is_stdout, snoopi_error *err);

/** Puts the file where it belongs if `status` is SNOOPI_OK; else takes it away. Returns `status`, or what failed. */
int cli_fileoutput_end(cli_fileoutput *file, int status, snoopi_error *err);

#endif
