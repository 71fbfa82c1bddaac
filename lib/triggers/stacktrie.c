// SPDX-License-Identifier: MIT
// Stacks as paths. See stacktrie.h.
#include "stacktrie.h"

#include <stdlib.h>

#include "base/buffer.h"

void snoopi__stacktrie_clear(snoopi__stacktrie *trie)
{
    snoopi__idset_clear(&trie->set);
    free(trie->last_row);
    *trie = (snoopi__stacktrie){0};
}

// Node + 1 of the code below `node`, 0 when memory is short.
static uint32_t step(snoopi__stacktrie *trie, uint32_t node, uint32_t code)
{
    const uint32_t key[] = {node, code};
    uint32_t *found = snoopi__idset_find(&trie->set, 0, key, sizeof key);
    if (!found || *found) {
        return found ? *found : 0;
    }
    uint32_t *rows =
        snoopi__grow(trie->last_row, &trie->capacity, trie->n + 1, sizeof *trie->last_row);
    if (!rows || trie->n >= UINT32_MAX - 1) {
        trie->last_row = rows ? rows : trie->last_row;
        return 0;
    }
    trie->last_row = rows;
    rows[trie->n++] = SNOOPI__NO_ROW;
    *found = (uint32_t)trie->n;
    return *found;
}

bool snoopi__stacktrie_find(snoopi__stacktrie *trie, const snoopi_frame *root, uint32_t depth,
                            uint32_t *node, uint32_t *above)
{
    // Addresses are of one process.
    uint32_t at = step(trie, UINT32_MAX, root->process);
    *above = SNOOPI__NO_ROW;
    for (uint32_t i = root->n_stack; i-- > depth && at;) {
        const uint32_t row = trie->last_row[at - 1];
        *above = row == SNOOPI__NO_ROW ? *above : row;
        at = step(trie, at - 1, root->stack[i]);
    }
    *node = at - 1;
    return at > 0;
}
