// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_PARTS_H
#define SNOOPI_CLI_PARTS_H

/**
 * @file
 * The folder FILE.parts that segments lie in while a recording runs.
 */
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char *path; /* absolute; NULL: none */
    int lock;   /* the folder, locked for as long as the recording runs; −1: not locked */
} cli_parts;

#define CLI_PARTS_NONE ((cli_parts){.path = NULL, .lock = -1})

/**
 * Makes the folder for a recording into `file`. One that an earlier recording left is moved aside; one whose recording still
 * runs is an error. Returns 0, or −1 having said what is wrong.
 */
int cli_parts_create(cli_parts *parts, const char *file);

/** Removes the folder with the segments in it. Files that are no segments stay, and so does the folder then. */
void cli_parts_remove(cli_parts *parts);

/** Whether no file is in the folder. */
bool cli_parts_is_empty(const cli_parts *parts);

/** Frees the storage; the folder stays. */
void cli_parts_clear(cli_parts *parts);

/** Waits until no process writes into the folder any more, or `limit_ns` have passed; says so. */
void cli_parts_wait(const char *path, uint64_t limit_ns);

/** "x.snoopi.parts" of "x.snoopi". To be freed; NULL when memory is short. */
char *cli_parts_folder(const char *file);

/** "x.snoopi" of "x.snoopi.parts" or "x.snoopi.parts/"; NULL if the name does not end so. To be freed. */
char *cli_parts_file(const char *folder);

#endif
