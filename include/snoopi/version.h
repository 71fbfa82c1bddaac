// SPDX-License-Identifier: MIT
#ifndef SNOOPI_VERSION_H
#define SNOOPI_VERSION_H

/**
 * @file
 * Version of these headers. A test holds it equal to the version that CMake builds.
 */

#define SNOOPI_VERSION_MAJOR 0
#define SNOOPI_VERSION_MINOR 1
#define SNOOPI_VERSION_PATCH 0
#define SNOOPI_VERSION       "0.1.0"

#endif
