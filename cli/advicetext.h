// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_ADVICETEXT_H
#define SNOOPI_CLI_ADVICETEXT_H

/**
 * @file
 * Findings, as `snoopi advise` and `snoopi report` show them.
 */
#include <snoopi/advice.h>

#include "listing.h"

enum { CLI_ADVICE_COLUMNS = 11 };
extern const cli_column cli_advice_columns[CLI_ADVICE_COLUMNS];

/** Puts a finding with these columns. False when memory is short. */
bool cli_advice_put(cli_listing *listing, const snoopi_finding *finding);

/** The same as an object, for documents that are no listing. */
bool cli_advice_put_json(snoopi_json *json, const snoopi_finding *finding);

/** Prints a finding for people: a few lines, with the evidence if it is asked for. */
void cli_advice_print(const snoopi_finding *finding, size_t number, bool has_evidence);

#endif
