// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_REAL_H
#define SNOOPI_AGENT_REAL_H

/**
 * @file The loader's own functions behind those that the agent interposes. NULL until the
 * constructor has run.
 */
extern void *(*real_dlopen)(const char *path, int mode);
extern void *(*real_dlsym)(void *handle, const char *name);

#endif
