// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_CHANGE_H
#define SNOOPI_CLI_CHANGE_H

/**
 * @file
 * Changes in the output of `snoopi diff`: as text, as rows of a listing, and as markdown.
 */
#include <snoopi/diff.h>
#include <snoopi/gate.h>

#include "listing.h"
#include "text.h"

/** Markdown is a format of diff alone, behind those of all listings. */
enum { CLI_FORMAT_MARKDOWN = CLI_FORMAT_TSV + 1 };

/** What a diff is printed with. */
typedef struct {
    int format; /* cli_format, or CLI_FORMAT_MARKDOWN */
    snoopi_by by;
    snoopi_diff_sort sort;
    const char *gate_text; /* NULL: there is no gate */
    const snoopi_gate *gate;
} cli_change_options;

/** The number of a metric, with its unit. Returns `out`. */
char *cli_metric_text(char out[CLI_TEXT_SIZE], snoopi_metric metric, uint64_t number);

/** "+1.2 ms", "−3", "0". Returns `out`. */
char *cli_change_text(char out[CLI_TEXT_SIZE], bool is_time, uint64_t before, uint64_t after);

/** "+12 %"; "new" of nothing. Returns `out`. */
char *cli_percent_text(char out[CLI_TEXT_SIZE], uint64_t before, uint64_t after);

/** Whether the self times of the two sides do not overlap, each having been recorded more than once. */
bool cli_change_is_clear(const snoopi_diff *diff, const snoopi_diff_row *row);

/** Prints in all formats but markdown. Returns CLI_OK or CLI_FAILED, having said why. */
int cli_change_list(const snoopi_diff *diff, const cli_change_options *options);

/** Prints a summary for a pull request. */
int cli_change_markdown(const snoopi_diff *diff, const cli_change_options *options);

#endif
