// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HTML_BASE_H
#define SNOOPI_HTML_BASE_H

/**
 * @file
 * The recording that a page is compared to: its frames, with what is needed to merge them, and which of its instances are which of
 * the page's own.
 */
#include "html_about.h"

/** Writes both; `about` knows all frames of the page. False when memory is short or reading failed (x->error). */
bool snoopi__html_base_put(const snoopi__html_about *about, snoopi__export *x);

#endif
