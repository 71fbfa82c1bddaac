// SPDX-License-Identifier: MIT
// See names.h. Each call sets up the printer with one task, and runs it.
#include "names.h"

#include <stdlib.h>

#include "printer.h"
#include "show_calls.h"

struct snoopi__names {
    snoopi__graph graph;
    snoopi__aliases aliases;
    snoopi__printer printer;
};

snoopi__names *snoopi__names_new(const snoopi__defs *defs, const char *julia_version)
{
    snoopi__names *names = calloc(1, sizeof *names);
    if (names) {
        snoopi__graph_init(&names->graph, defs);
        names->printer = (snoopi__printer){.defs = defs,
                                           .rules = snoopi__rules_of(julia_version),
                                           .graph = &names->graph,
                                           .aliases = &names->aliases};
    }
    return names;
}

void snoopi__names_free(snoopi__names *names)
{
    if (names) {
        snoopi__printer_clear(&names->printer);
        snoopi__aliases_clear(&names->aliases);
        snoopi__graph_clear(&names->graph);
        free(names);
    }
}

static snoopi__printer *begin(snoopi__names *names, snoopi__text *out, unsigned max_depth)
{
    // A task writes half a dozen bytes as a rule. What needs more steps than this is made to need them.
    names->graph.steps_left = (1u << 20) + 16 * (uint64_t)out->limit;
    names->printer.out = out;
    if (names->printer.rules->has_aliases &&
        !snoopi__aliases_update(&names->aliases, names->printer.defs)) {
        out->has_failed = true;
    }
    names->printer.max_depth = max_depth > UINT16_MAX ? UINT16_MAX : (uint16_t)max_depth;
    return &names->printer;
}

void snoopi__put_node(snoopi__names *names, snoopi__text *out, uint32_t node, unsigned max_depth)
{
    snoopi__printer *printer = begin(names, out, max_depth);
    snoopi__push_show(printer, node, 0);
    snoopi__printer_run(printer);
}

static void put_thunk(const snoopi__printer *printer, const def_instance *thunk)
{
    snoopi__text *out = printer->out;
    snoopi__text_puts(out, "Toplevel MethodInstance thunk");
    if (!printer->rules->unknown_place) {
        return;
    }
    const snoopi__defs *defs = printer->defs;
    const uint32_t raw = thunk->file < defs->n_files ? defs->files[thunk->file].raw : 0;
    snoopi__text_puts(out, " from ");
    snoopi__put_module(out, defs, thunk->module);
    snoopi__text_puts(out, " starting at ");
    snoopi__text_puts(out, raw ? snoopi__defs_text(defs, raw) : printer->rules->unknown_place);
    if (raw) {
        snoopi__text_putc(out, ':');
        snoopi__text_signed(out, thunk->line);
    }
}

void snoopi__put_instance(snoopi__names *names, snoopi__text *out, uint32_t instance,
                          unsigned max_depth)
{
    static const def_instance none = {0};
    snoopi__printer *printer = begin(names, out, max_depth);
    const snoopi__defs *defs = printer->defs;
    const def_instance *def = instance < defs->n_instances ? &defs->instances[instance] : &none;
    if (def->kind == WIRE_INSTANCE_TOPLEVEL) {
        put_thunk(printer, def);
    } else if (def->kind == WIRE_INSTANCE_METHOD && def->spec) {
        const uint32_t name = def->method < defs->n_methods ? defs->methods[def->method].name : 0;
        snoopi__push_call(printer, name, def->spec);
        snoopi__printer_run(printer);
    } else {
        snoopi__text_puts(out, SNOOPI__ELLIPSIS); // lost
    }
}

// How many arguments, the function included, are not a vararg's.
static uint32_t plain_arguments(const snoopi__defs *defs, uint32_t instance)
{
    const uint32_t id = instance < defs->n_instances ? defs->instances[instance].method : 0;
    const bool is_vararg =
        id > 0 && id < defs->n_methods && defs->methods[id].flags & WIRE_METHOD_VARARG;
    return is_vararg ? defs->methods[id].nargs - 1 : UINT32_MAX;
}

void snoopi__put_frame(snoopi__names *names, snoopi__text *out, uint32_t instance, uint32_t n_args,
                       const snoopi_arg *args)
{
    const uint32_t n_plain = plain_arguments(names->printer.defs, instance);
    while (n_args > 0 && args[n_args - 1].position > n_plain) {
        n_args--; // they are in order of position
    }
    names->printer.args = args;
    names->printer.n_args = n_args;
    snoopi__put_instance(names, out, instance, 0);
    names->printer.n_args = 0;
}

void snoopi__put_instance_key(snoopi__names *names, snoopi__text *out, uint32_t instance)
{
    const snoopi__defs *defs = names->printer.defs;
    if (instance >= defs->n_instances) {
        return;
    }
    const def_instance *def = &defs->instances[instance];
    uint32_t file = def->file;
    int32_t line = def->line;
    if (def->kind == WIRE_INSTANCE_METHOD && def->method < defs->n_methods) {
        file = defs->methods[def->method].file;
        line = defs->methods[def->method].line;
    }
    snoopi__put_module(out, defs, snoopi__module_of(defs, instance));
    snoopi__text_putc(out, '\t');
    snoopi__put_instance(names, out, instance, 0);
    snoopi__text_putc(out, '\t');
    snoopi__text_puts(out,
                      file < defs->n_files ? snoopi__defs_text(defs, defs->files[file].raw) : "");
    snoopi__text_putc(out, '\t');
    snoopi__text_signed(out, line);
}
