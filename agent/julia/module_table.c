// SPDX-License-Identifier: MIT
//
// htable_t of libsupport: its size in words, the address of its pairs of key and value, and pairs that it begins with.

#include "julia/module_table.h"

#include <string.h>

#include "peek.h"

enum {
    TRIES_MAX = 1000, /* whoever holds a lock may wait for a collection, and so for us */
    BLOCK = 8,        /* pairs that are read at once for one name */
    BLOCK_OF_ALL = 64 /* … and for all of them */
};

/* A key that is NOT_THERE ends a search; a value that is, is none. */
#define NOT_THERE ((char *)1)

struct pair {
    char *key;
    char *value;
};

struct table {
    size_t n_pairs;
    struct pair *pairs;
};

static bool has_one_thread(void)
{
    return *julia.n_threads <= 1;
}

static void *load_shared(const void *at)
{
    return __atomic_load_n((void *const *)at, __ATOMIC_ACQUIRE);
}

static struct table table_now(jl_any module)
{
    const char *const at = (const char *)module + julia.row->module_bindings;
    struct pair *const pairs = load_shared(at + sizeof(size_t));
    /* Of a table that is being replaced the size comes last, and is the smaller one until then. */
    return (struct table){.n_pairs = (uintptr_t)load_shared(at) / 2, .pairs = pairs};
}

/* The table as it is while nobody adds to it. */
static bool table_at_rest(jl_any module, struct table *table)
{
    *table = table_now(module);
    return has_one_thread() || load_shared((const char *)module + julia.row->module_lock) == NULL;
}

/* Copies pairs out of the table, unless another one has taken its place. */
static bool copy_pairs(jl_any module, struct table table, size_t first, size_t n, struct pair *to)
{
    if (has_one_thread()) {
        memcpy(to, table.pairs + first, n * sizeof *to);
        return true;
    }
    if (!peek((uintptr_t)(table.pairs + first), to, n * sizeof *to)) {
        return false;
    }
    /* That was a call to the system, which no read of ours gets ahead of. */
    const struct table now = table_now(module);
    return now.pairs == table.pairs && now.n_pairs == table.n_pairs;
}

/* int64hash of libsupport: where a key is first looked for. */
static uint64_t hash_of_address(const void *address)
{
    uint64_t key = (uintptr_t)address;
    key = ~key + (key << 21);
    key = key ^ key >> 24;
    key = key + (key << 3) + (key << 8);
    key = key ^ key >> 14;
    key = key + (key << 2) + (key << 4);
    key = key ^ key >> 28;
    return key + (key << 31);
}

/* Looks at pair after pair; false when the table was replaced meanwhile. */
static bool find_in(jl_any module, struct table table, const void *key, char **value)
{
    struct pair block[BLOCK];
    size_t at = hash_of_address(key) & (table.n_pairs - 1);

    *value = NULL;
    for (size_t seen = 0; seen < table.n_pairs;) {
        const size_t rest = table.n_pairs - (at > seen ? at : seen);
        const size_t n = rest < BLOCK ? rest : BLOCK;
        if (!copy_pairs(module, table, at, n, block)) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            if (block[i].key == NOT_THERE) {
                return true;
            }
            if (block[i].key == key) {
                *value = block[i].value == NOT_THERE ? NULL : block[i].value;
                return true;
            }
        }
        seen += n;
        at = (at + n) & (table.n_pairs - 1);
    }
    return true;
}

char *module_table_find(jl_any module, jl_any symbol)
{
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        struct table table;
        char *binding = NULL;
        if (table_at_rest(module, &table) && find_in(module, table, symbol, &binding)) {
            return binding;
        }
    }
    return NULL;
}

void module_table_each(jl_any module, module_table_visitor *visit, void *context)
{
    struct pair block[BLOCK_OF_ALL];
    struct table table;

    for (int tries = 0; !table_at_rest(module, &table);) {
        if (++tries == TRIES_MAX) {
            return;
        }
    }
    for (size_t first = 0; first < table.n_pairs; first += BLOCK_OF_ALL) {
        const size_t rest = table.n_pairs - first;
        const size_t n = rest < BLOCK_OF_ALL ? rest : BLOCK_OF_ALL;
        if (!copy_pairs(module, table, first, n, block)) {
            return;
        }
        for (size_t i = 0; i < n; i++) {
            if (block[i].value != NULL && block[i].value != NOT_THERE &&
                visit(block[i].key, block[i].value, context)) {
                return;
            }
        }
    }
}
