// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ORIGIN_H
#define SNOOPI_ORIGIN_H

/**
 * @file
 * Where a process was recorded, told without saying it: equal on one machine for one user, and nothing that somebody elsewhere
 * could know. Compiled into the agent, too: libc alone.
 */

enum { SNOOPI__ORIGIN_SIZE = 33 };

/** The origin of what this process would record: 32 hexadecimal digits; "" on a machine without /etc/machine-id. */
void snoopi__origin(char text[SNOOPI__ORIGIN_SIZE]);

#endif
