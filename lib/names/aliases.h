// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ALIASES_H
#define SNOOPI_ALIASES_H

/**
 * @file
 * What Julia 1.6 and later show types by: the constants of modules that are types (`const Vector{T} = Array{T,1}`), and the
 * declared parameters of types. Found among the nodes once, and kept by module and by typename.
 */
#include "typegraph.h"

typedef struct {
    uint32_t node; /* the ALIAS */
    uint32_t next; /* of the same module: index + 1 */
    uint32_t body; /* its type without where-clauses */
    uint32_t head; /* typename of the body; 0: it is a union */
} alias_entry;

/** Zero-initialize it to begin. */
typedef struct {
    alias_entry *entries; /* in the order of the nodes */
    size_t n_entries;
    size_t capacity;
    uint32_t *first_of; /* by module: index + 1 */
    uint32_t *last_of;
    uint32_t n_modules;
    uint32_t *wrapper_of; /* by typename: its UNIONALL; 0: not known */
    uint32_t n_typenames;
    uint32_t n_nodes; /* that were looked at */
} snoopi__aliases;

/** Takes up what was defined since. False when memory is short. */
bool snoopi__aliases_update(snoopi__aliases *aliases, const snoopi__defs *defs);
void snoopi__aliases_clear(snoopi__aliases *aliases);

/** Variables of a type's where-clauses, outermost first, up to `max`; `*body` is what they are bound in. How many there are. */
uint32_t snoopi__where_variables(const snoopi__defs *defs, uint32_t node, uint32_t *variables,
                                 uint32_t max, uint32_t *body);

/** What a UNIONALL's typename was declared as, a UNIONALL too; 0 if that is not known. */
uint32_t snoopi__wrapper_of(const snoopi__aliases *aliases, const snoopi__defs *defs,
                            uint32_t unionall);

/** Variables that the parameters of a typename were declared as, up to `max`. How many there are; 0 if that is not known. */
uint32_t snoopi__declared(const snoopi__aliases *aliases, const snoopi__defs *defs,
                          uint32_t typename, uint32_t *variables, uint32_t max);

/** Modules whose aliases a type may be shown by: those that its parts are of, and Base for those of Core. */
typedef struct {
    uint32_t module[64];
    uint32_t n;
} snoopi__module_set;

snoopi__module_set snoopi__modules_of(const snoopi__defs *defs, uint32_t node, bool has_core);

/** The first alias of a module, and the one behind another; NULL at the end. */
const alias_entry *snoopi__first_alias(const snoopi__aliases *aliases, uint32_t module);
const alias_entry *snoopi__next_alias(const snoopi__aliases *aliases, const alias_entry *alias);

/** Begins a match with an alias: its parameters, without values. False if it has too many of them. */
bool snoopi__begin_match(const snoopi__defs *defs, const alias_entry *alias, snoopi__match *match);

/** Whether a type is a subtype of another, going by names and not by parameters; what can't be told is. */
bool snoopi__may_be_below(snoopi__graph *graph, uint32_t value, uint32_t upper);

/** Whether all parameters have values, and these are within their bounds. */
bool snoopi__is_whole_match(snoopi__graph *graph, const snoopi__match *match);

/** `has_core`: Core's aliases count beside Base's. The only alias that is `node` with some parameters, whose values `match` has then; NULL if there is none or more than one. */
const alias_entry *snoopi__find_alias(const snoopi__aliases *aliases, snoopi__graph *graph,
                                      uint32_t node, bool has_core, snoopi__match *match);

#endif
