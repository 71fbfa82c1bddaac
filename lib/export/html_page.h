// SPDX-License-Identifier: MIT
#ifndef SNOOPI_HTML_PAGE_H
#define SNOOPI_HTML_PAGE_H

/**
 * @file
 * The page that viewer/ builds, in two parts: the data goes between them. html_page.S has the bytes.
 */
#include <stddef.h>

extern const char snoopi__html_head[];
extern const size_t snoopi__html_head_size;
extern const char snoopi__html_tail[];
extern const size_t snoopi__html_tail_size;

#endif
