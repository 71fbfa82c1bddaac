// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PATHS_H
#define SNOOPI_PATHS_H

/**
 * @file
 * From the file names that Julia has to files on this disk. Methods of Base have names relative to its sources
 * ("array.jl"), and those of the standard library have the paths of the machine that built Julia.
 */

/**
 * Finds the file that Julia calls `raw`.
 *
 * @param bindir  Sys.BINDIR; "" if not known.
 * @param cwd     of the process; "" if not known.
 * @return its path, to be freed; NULL if it is not found (or memory is short).
 */
char *snoopi__path_find(const char *raw, const char *bindir, const char *cwd);

#endif
