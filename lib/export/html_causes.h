// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HTML_CAUSES_H
#define SNOOPI_HTML_CAUSES_H

/**
 * @file
 * Who caused the inference that a page shows, and what to change: triggers by pair with their stacks, and findings, as packed JSON.
 * What they refer to by number are the instances of html_about.h; those that have no frames in the page are told here.
 */
#include "html_about.h"

/** Writes them; `about` knows all frames of the page. False when memory is short or reading failed (x->error). */
bool snoopi__html_causes_put(const snoopi__html_about *about, snoopi__export *x);

#endif
