// SPDX-License-Identifier: MIT
#ifndef SNOOPI_PACKAGES_H
#define SNOOPI_PACKAGES_H

/**
 * @file
 * Packages (root modules) by number, and which of them knows which, as far as a recording shows it: a package knows another
 * when it declared a method or a type with one of its types, or when code of it called a function of the other that did not
 * come with the arguments. It also knows whom those know.
 */
#include <stdbool.h>

#include "format/defs.h"

enum { PACKAGES_MAX = 4096 /* those beyond are known to nobody */ };

typedef enum {
    PACKAGE_OTHER,
    PACKAGE_SYSTEM, /* Core and Base: everybody knows them */
    PACKAGE_MAIN
} snoopi__package_kind;

/** A set of packages, as bits. */
typedef struct {
    uint64_t bits[PACKAGES_MAX / 64];
} snoopi__package_set;

/** Zero-initialize it. */
typedef struct {
    const snoopi__defs *defs;
    uint16_t *of_module;        /* by module: its package; 0: none */
    uint32_t *root;             /* by package: its root module */
    unsigned char *kind;        /* by package: snoopi__package_kind */
    uint16_t n;                 /* packages and 0 */
    snoopi__package_set *known; /* by package: whom it is seen to know itself */
    snoopi__package_set *reach; /* by package, made when it is asked for */
    unsigned char *has_reach;
    uint32_t *seen; /* by node: the search that saw it last */
    uint32_t search;
    uint32_t *stack;
    uint64_t steps_left; /* of all searches: a graph can be made to take quadratic time */
} snoopi__packages;

/** Numbers the packages, and takes what definitions tell. False when memory is short. */
bool snoopi__packages_init(snoopi__packages *packages, const snoopi__defs *defs);
void snoopi__packages_clear(snoopi__packages *packages);

/** Adds the packages that parts of a type or value are of, but for Core and Base. False when steps ran out before the end. */
bool snoopi__packages_in(snoopi__packages *packages, uint32_t node, snoopi__package_set *set);

/** Code of one package names another. */
void snoopi__packages_learn(snoopi__packages *packages, uint16_t who, uint16_t whom);

/** Whether a package knows another; all know themselves. Nothing may be learned afterwards. */
bool snoopi__packages_knows(snoopi__packages *packages, uint16_t who, uint16_t whom);
bool snoopi__packages_knows_all(snoopi__packages *packages, uint16_t who,
                                const snoopi__package_set *set);

static inline bool snoopi__package_in_set(const snoopi__package_set *set, uint16_t package)
{
    return set->bits[package / 64] >> package % 64 & 1;
}

/** Package of a module. */
static inline uint16_t snoopi__package_number(const snoopi__packages *packages, uint32_t module)
{
    return module < packages->defs->n_modules ? packages->of_module[module] : 0;
}

static inline snoopi__package_kind snoopi__kind_of_package(const snoopi__packages *packages,
                                                           uint16_t package)
{
    return (snoopi__package_kind)packages->kind[package];
}

#endif
