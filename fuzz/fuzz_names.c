// SPDX-License-Identifier: MIT
// Any bytes as definitions: what they are called is text of a bounded length, the same whenever it is asked for.
//
// Input: the Julia whose rules are used (1 byte), then records of definitions, in any order, as in a segment.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "format/record.h"
#include "format/wire.h"
#include "fuzz_input.h"
#include "names/names.h"

enum { MOST = 64, SHORT = 512 };

typedef struct {
    snoopi__names *names;
    const snoopi__defs *defs;
    snoopi__text text;
    snoopi__text again;
} printing;

typedef void put_name(const printing *p, snoopi__text *out, uint32_t id);

static void put_instance(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_instance(p->names, out, id, 0);
}

static void put_shallow(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_instance(p->names, out, id, 2);
}

static void put_key(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_instance_key(p->names, out, id);
}

static void put_node(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_node(p->names, out, id, 0);
}

static void put_function(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_function(out, p->defs, id);
}

static void put_module(const printing *p, snoopi__text *out, uint32_t id)
{
    snoopi__put_module(out, p->defs, id);
    (void)snoopi__package_of(p->defs, id);
}

static void print_twice(printing *p, put_name *put, uint32_t id)
{
    snoopi__text_reset(&p->text);
    snoopi__text_reset(&p->again);
    put(p, &p->text, id);
    put(p, &p->again, id);
    fuzz_demand(p->text.size <= p->text.limit, "the bound of a name");
    fuzz_demand(p->text.size == p->again.size &&
                    (p->text.size == 0 || memcmp(p->text.data, p->again.data, p->text.size) == 0),
                "a name is the same again");
}

static void print_all(printing *p, put_name *put, uint32_t n)
{
    for (uint32_t id = 0; id < n && id < MOST; id++) {
        print_twice(p, put, id);
    }
}

static void print_definitions(const snoopi__defs *defs, const char *julia)
{
    printing p = {.names = snoopi__names_new(defs, julia), .defs = defs};
    fuzz_demand(p.names != NULL, "memory");
    // Most names are short; where one is not, its bound is another than that of most.
    static const size_t limits[] = {SHORT, SNOOPI__NAME_LIMIT};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        p.text.limit = p.again.limit = limits[i];
        print_all(&p, put_instance, i == 0 ? defs->n_instances : defs->n_instances / 8);
    }
    p.text.limit = p.again.limit = SHORT;
    print_all(&p, put_shallow, defs->n_instances);
    print_all(&p, put_key, defs->n_instances);
    print_all(&p, put_node, defs->n_nodes);
    print_all(&p, put_function, defs->n_methods);
    print_all(&p, put_module, defs->n_modules);
    snoopi__text_clear(&p.text);
    snoopi__text_clear(&p.again);
    snoopi__names_free(p.names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const julias[] = {"1.5.3",  "1.6.0",  "1.7.3",  "1.9.4",
                                         "1.10.6", "1.11.0", "1.12.0", ""};
    if (size == 0) {
        return 0;
    }
    snoopi__arena arena = {0};
    snoopi__defs defs;
    snoopi__record record;
    snoopi__cursor at = snoopi__cursor_of(data + 1, size - 1);
    snoopi__defs_init(&defs, &arena, (uint32_t)size);
    while (snoopi__next_record(&at, &record)) {
        const char *why = NULL;
        if (snoopi__is_definition(record.tag)) {
            fuzz_demand(snoopi__defs_add(&defs, record.tag, record.payload, record.size, &why) ==
                                0 ||
                            (why && *why),
                        "words for a failure");
        }
    }
    (void)snoopi__defs_check(&defs);
    print_definitions(&defs, julias[data[0] % (sizeof julias / sizeof *julias)]);
    snoopi__defs_clear(&defs);
    snoopi__arena_clear(&arena);
    return 0;
}
