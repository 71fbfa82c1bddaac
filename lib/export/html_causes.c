// SPDX-License-Identifier: MIT
#include "html_causes.h"

#include <snoopi/advice.h>
#include <snoopi/triggers.h>

#include "html_parts.h"

// A page is looked at: what is beyond these costs next to nothing, and the page says that there is more.
enum { ROWS_MAX = 5000, FINDINGS_MAX = 500 };

enum { PLACE_INLINED = 1, PLACE_C = 2, PLACE_TOPLEVEL = 4 };

typedef struct {
    const snoopi__html_about *about;
    snoopi__export *x;
    snoopi_json *json;
    snoopi__html_list others; // instances without frames in the page
    snoopi__html_list codes;
    bool has_failed;
} causes;

// ---- triggers

// The number of an instance among those of the page, and behind these of the others; −1 for none.
static void put_instance_number(causes *c, uint32_t id)
{
    const snoopi__html_list *const known = &c->about->instances;
    if (id == 0) {
        snoopi_json_int(c->json, -1);
    } else if (id < known->numbers_capacity && known->numbers[id] != 0) {
        snoopi_json_uint(c->json, known->numbers[id] - 1);
    } else {
        const uint32_t other = snoopi__html_number(&c->others, id);
        c->has_failed |= other == SNOOPI__HTML_FAILED;
        snoopi_json_uint(c->json, known->n + other);
    }
}

// [name, file, line, bits]
static void put_place(snoopi_json *json, const snoopi_place *place)
{
    snoopi_json_begin_array(json);
    snoopi_json_string(json, place->name);
    snoopi_json_string(json, place->file);
    snoopi_json_uint(json, place->line);
    snoopi_json_uint(json, (place->is_inlined ? PLACE_INLINED : 0) | (place->is_c ? PLACE_C : 0) |
                               (place->is_toplevel ? PLACE_TOPLEVEL : 0));
    snoopi_json_end_array(json);
}

static void put_places(snoopi_json *json, uint32_t n, const snoopi_place *places)
{
    snoopi_json_begin_array(json);
    for (uint32_t i = 0; i < n; i++) {
        put_place(json, &places[i]);
    }
    snoopi_json_end_array(json);
}

// Of the stack the codes by number, innermost first; −1: the code was lost.
static void put_stack(causes *c, const snoopi_trigger_row *row)
{
    snoopi_json_begin_array(c->json);
    for (uint32_t i = 0; i < row->n_stack; i++) {
        if (row->stack[i] == 0) {
            snoopi_json_int(c->json, -1);
            continue;
        }
        const uint32_t code = snoopi__html_number(&c->codes, row->stack[i]);
        c->has_failed |= code == SNOOPI__HTML_FAILED;
        snoopi_json_uint(c->json, code);
    }
    snoopi_json_end_array(c->json);
}

// [callee, caller, class or "", whether it is near, file, line, total, roots, first root as a frame of the page, places of the site, stack]
static void put_row(causes *c, const snoopi_trigger_row *row)
{
    snoopi_json *const json = c->json;
    const char *const word = snoopi_trigger_class_name((int)row->trigger_class);
    snoopi_json_begin_array(json);
    put_instance_number(c, row->callee_instance);
    if (row->caller_instance == 0 && row->caller) {
        snoopi_json_string(json, row->caller); // code of an image: no more is known than its name
    } else {
        put_instance_number(c, row->caller_instance);
    }
    snoopi_json_string(json, word ? word : "");
    snoopi_json_bool(json, row->is_near);
    snoopi_json_string(json, snoopi__export_text(row->file));
    snoopi_json_uint(json, row->line);
    snoopi_json_uint(json, row->total_ns);
    snoopi_json_uint(json, row->count);
    snoopi_json_int(json, snoopi__html_frame_of_root(c->about, row->first_root));
    put_places(json, row->n_places, row->places);
    put_stack(c, row);
    snoopi_json_end_array(json);
}

static int put_triggers(causes *c)
{
    const snoopi_export_options *const options = c->x->options;
    snoopi_triggers_options wanted = SNOOPI_TRIGGERS_INIT;
    snoopi_triggers *triggers = NULL;
    wanted.tmin_ns = options->tmin_ns;
    wanted.limit = ROWS_MAX;
    wanted.scope = options->scope;
    wanted.filter = options->filter;
    if (options->weight == SNOOPI_WEIGHT_COUNT) {
        wanted.sort = SNOOPI_TRIGGERS_SORT_COUNT;
    }
    const int status = snoopi_triggers_new(&triggers, c->x->trace, &wanted, &c->x->error);
    if (status < 0) {
        return status;
    }
    snoopi_json_key(c->json, "triggers");
    snoopi_json_begin_object(c->json);
    snoopi_json_member_uint(c->json, "found", snoopi_triggers_n_found(triggers));
    snoopi_json_member_uint(c->json, "roots", snoopi_triggers_scope_totals(triggers)->roots);
    snoopi_json_member_uint(c->json, "roots_with_stack", snoopi_triggers_n_stacks(triggers));
    snoopi_json_key(c->json, "rows");
    snoopi_json_begin_array(c->json);
    for (size_t i = 0; i < snoopi_triggers_n_rows(triggers); i++) {
        put_row(c, snoopi_triggers_row(triggers, i));
    }
    snoopi_json_end_array(c->json);
    snoopi_json_end_object(c->json);
    snoopi_triggers_free(triggers);
    return SNOOPI_OK;
}

// What the rows refer to: [[place, …], …] by number of the code.
static void put_codes(causes *c)
{
    snoopi_json_key(c->json, "codes");
    snoopi_json_begin_array(c->json);
    for (size_t i = 0; i < c->codes.n; i++) {
        const snoopi_code *const code = snoopi_trace_code(c->x->trace, c->codes.ids[i]);
        put_places(c->json, code ? code->n_places : 0, code ? code->places : NULL);
    }
    snoopi_json_end_array(c->json);
}

static void put_others(causes *c)
{
    snoopi_json_key(c->json, "others");
    snoopi_json_begin_array(c->json);
    for (size_t i = 0; i < c->others.n; i++) {
        const snoopi_instance *const instance =
            snoopi_trace_instance(c->x->trace, c->others.ids[i]);
        c->has_failed |= !instance;
        if (instance) {
            snoopi__html_put_instance(c->json, instance, 0);
        }
    }
    snoopi_json_end_array(c->json);
}

// ---- advice

static void put_finding(snoopi_json *json, const snoopi_finding *finding)
{
    snoopi_json_begin_object(json);
    snoopi_json_member_string(json, "kind", snoopi_advice_kind_name((int)finding->kind));
    snoopi_json_member_string(json, "name", snoopi__export_text(finding->name));
    snoopi_json_member_string(json, "module", snoopi__export_text(finding->module));
    snoopi_json_member_string(json, "file", snoopi__export_text(finding->file));
    snoopi_json_member_uint(json, "line", finding->line);
    snoopi_json_member_uint(json, "saved_ns", finding->saved_ns);
    snoopi_json_member_uint(json, "count", finding->count);
    snoopi_json_member_string(json, "what", snoopi__export_text(finding->what));
    snoopi_json_member_string(json, "change", snoopi__export_text(finding->change));
    snoopi_json_key(json, "evidence");
    snoopi_json_begin_array(json);
    for (size_t i = 0; i < finding->n_evidence; i++) {
        snoopi_json_string(json, finding->evidence[i]);
    }
    snoopi_json_end_array(json);
    snoopi_json_end_object(json);
}

static int put_advice(causes *c)
{
    const snoopi_export_options *const options = c->x->options;
    snoopi_advice_options wanted = SNOOPI_ADVICE_INIT;
    snoopi_advice *advice = NULL;
    wanted.tmin_ns = options->tmin_ns;
    wanted.limit = FINDINGS_MAX;
    wanted.scope = options->scope;
    wanted.filter = options->filter;
    const int status = snoopi_advice_new(&advice, c->x->trace, &wanted, &c->x->error);
    if (status < 0) {
        return status;
    }
    snoopi_json_key(c->json, "advice");
    snoopi_json_begin_object(c->json);
    snoopi_json_member_uint(c->json, "found", snoopi_advice_n_found(advice));
    snoopi_json_key(c->json, "findings");
    snoopi_json_begin_array(c->json);
    for (size_t i = 0; i < snoopi_advice_n_findings(advice); i++) {
        put_finding(c->json, snoopi_advice_finding(advice, i));
    }
    snoopi_json_end_array(c->json);
    snoopi_json_end_object(c->json);
    snoopi_advice_free(advice);
    return SNOOPI_OK;
}

// ---- the whole

static bool put_causes(void *payload, snoopi_json *json)
{
    causes *const c = payload;
    c->json = json;
    if (put_triggers(c) < 0 || put_advice(c) < 0) {
        return false;
    }
    put_others(c);
    put_codes(c);
    return !c->has_failed;
}

bool snoopi__html_causes_put(const snoopi__html_about *about, snoopi__export *x)
{
    causes c = {.about = about, .x = x};
    const bool is_good = snoopi__html_put_json(x->out, "causes", put_causes, &c);
    snoopi__html_list_clear(&c.others);
    snoopi__html_list_clear(&c.codes);
    return is_good;
}
