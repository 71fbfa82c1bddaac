// SPDX-License-Identifier: MIT
// Needleman and Wunsch without a penalty for gaps: best[i][j] is the most that the rest from i and j on can score.
#include "align.h"

#include <stdlib.h>

#include <snoopi/error.h>

enum { CELLS_MAX = 1 << 22 };

static void pair_in_order(uint32_t *partner, size_t n, size_t m)
{
    for (size_t i = 0; i < n; i++) {
        partner[i] = i < m ? (uint32_t)i : SNOOPI__ALIGN_NONE;
    }
}

static uint32_t max_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

int snoopi__align(uint32_t *partner, size_t n, size_t m, snoopi__align_score *score, void *payload)
{
    if ((n == 1 && m == 1) || n == 0 || m == 0 || n > CELLS_MAX / m) {
        pair_in_order(partner, n, m);
        return SNOOPI_OK;
    }
    const size_t width = m + 1;
    uint32_t *const best = calloc((n + 1) * width, sizeof *best);
    uint32_t *const scores = malloc(n * m * sizeof *scores);
    if (!best || !scores) {
        free(best);
        free(scores);
        return SNOOPI_E_NOMEM;
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            scores[i * m + j] = score(payload, i, j);
            best[i * width + j] =
                max_of(best[(i + 1) * width + j + 1] + scores[i * m + j],
                       max_of(best[(i + 1) * width + j], best[i * width + j + 1]));
        }
    }
    size_t j = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *const row = best + i * width;
        partner[i] = SNOOPI__ALIGN_NONE;
        while (j < m && row[j] != row[width + j] &&
               row[j] != row[width + j + 1] + scores[i * m + j]) {
            j++;
        }
        if (j < m && row[j] == row[width + j + 1] + scores[i * m + j]) {
            partner[i] = (uint32_t)j++;
        }
    }
    free(best);
    free(scores);
    return SNOOPI_OK;
}
