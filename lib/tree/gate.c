// SPDX-License-Identifier: MIT
// Parsing and judging of gates. See snoopi/gate.h for the grammar.
#include <snoopi/gate.h>

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

const char *snoopi_metric_name(int metric)
{
    static const char *const names[] = {"frames", "instances", "roots", "inference"};
    return metric >= 0 && (size_t)metric < sizeof names / sizeof *names ? names[metric] : NULL;
}

uint64_t snoopi_metric_of(snoopi_metric metric, const snoopi_totals *totals)
{
    switch (metric) {
    case SNOOPI_METRIC_FRAMES: return totals->frames;
    case SNOOPI_METRIC_INSTANCES: return totals->instances;
    case SNOOPI_METRIC_ROOTS: return totals->roots;
    case SNOOPI_METRIC_INFERENCE: return totals->inference_ns;
    }
    return 0;
}

typedef struct {
    const char *text;
    const char *at;
    snoopi_error *err;
} parser;

static int expected(parser *p, const char *what)
{
    return snoopi__fail(p->err, SNOOPI_E_INVALID, "%s", what);
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Length of the word at the parser.
static size_t word_length(const parser *p)
{
    size_t n = 0;
    while (is_letter(p->at[n])) {
        n++;
    }
    return n;
}

static bool word_is(const parser *p, const char *word)
{
    const size_t n = word_length(p);
    return strlen(word) == n && strncmp(p->at, word, n) == 0;
}

static int parse_metric(parser *p, snoopi_condition *c)
{
    for (int i = 0; snoopi_metric_name(i); i++) {
        if (word_is(p, snoopi_metric_name(i))) {
            c->metric = (snoopi_metric)i;
            p->at += word_length(p);
            return SNOOPI_OK;
        }
    }
    return expected(p, "expected frames, instances, roots or inference");
}

static int parse_relation(parser *p, snoopi_condition *c)
{
    skip_blanks(p);
    if (*p->at != '<' && *p->at != '>') {
        return expected(p, "expected >, >=, < or <=");
    }
    c->is_less = *p->at++ == '<';
    c->is_equal = *p->at == '=';
    p->at += c->is_equal;
    return SNOOPI_OK;
}

// Digits, and a fraction; no exponent or hexadecimal, which strtod would take too.
static int parse_number(parser *p, double *number)
{
    const char *const begin = p->at;
    while (is_digit(*p->at)) {
        p->at++;
    }
    if (p->at == begin) {
        return expected(p, "expected a number");
    }
    if (*p->at == '.' && is_digit(p->at[1])) {
        p->at++;
        while (is_digit(*p->at)) {
            p->at++;
        }
    }
    // Not strtod(), whose decimal point is the locale's.
    double scale = 0;
    *number = 0;
    for (const char *c = begin; c < p->at; c++) {
        if (*c == '.') {
            scale = 1;
        } else {
            *number = *number * 10 + (*c - '0');
            scale *= 10;
        }
    }
    *number /= scale > 0 ? scale : 1;
    return SNOOPI_OK;
}

static int parse_unit(parser *p, snoopi_condition *c)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}};

    const char *const number_end = p->at;
    skip_blanks(p);
    if (*p->at == '%') {
        c->is_percent = true;
        p->at++;
        return SNOOPI_OK;
    }
    const bool is_time = c->metric == SNOOPI_METRIC_INFERENCE;
    for (size_t i = 0; is_time && i < sizeof units / sizeof *units; i++) {
        if (word_is(p, units[i].name)) {
            c->change *= units[i].ns;
            p->at += word_length(p);
            return SNOOPI_OK;
        }
    }
    p->at = number_end;
    return is_time && c->change != 0
               ? expected(p, "expected % or a unit of time: ns, us, ms, s, min")
               : SNOOPI_OK;
}

static int parse_change(parser *p, snoopi_condition *c)
{
    skip_blanks(p);
    if (*p->at != '+' && *p->at != '-') {
        return expected(p, "expected a change with its sign, as in +0 or -5%");
    }
    const bool is_negative = *p->at++ == '-';
    int status = parse_number(p, &c->change);
    if (status == SNOOPI_OK) {
        status = parse_unit(p, c);
    }
    c->change = is_negative ? -c->change : c->change;
    return status;
}

static int parse_condition(parser *p, snoopi_condition *c)
{
    *c = (snoopi_condition){.at = (size_t)(p->at - p->text)};
    int status = parse_metric(p, c);
    if (status == SNOOPI_OK) {
        status = parse_relation(p, c);
    }
    if (status == SNOOPI_OK) {
        status = parse_change(p, c);
    }
    c->size = (size_t)(p->at - p->text) - c->at;
    return status;
}

static int parse_all(parser *p, snoopi_gate *gate)
{
    for (;;) {
        skip_blanks(p);
        if (gate->n == SNOOPI_CONDITIONS_MAX) {
            return expected(p, "there are too many conditions");
        }
        const int status = parse_condition(p, &gate->conditions[gate->n]);
        if (status < 0) {
            return status;
        }
        gate->n++;
        skip_blanks(p);
        if (*p->at == '\0') {
            return SNOOPI_OK;
        }
        if (!word_is(p, "or")) {
            return expected(p, "expected 'or', or the end");
        }
        p->at += 2;
    }
}

int snoopi_gate_parse(snoopi_gate *gate, const char *text, size_t *at, snoopi_error *err)
{
    parser p = {.text = text, .at = text, .err = err};
    *gate = (snoopi_gate){0};
    const int status = parse_all(&p, gate);
    if (at) {
        *at = (size_t)(p.at - text);
    }
    return status;
}

bool snoopi_condition_holds(const snoopi_condition *condition, const snoopi_totals *before,
                            const snoopi_totals *after)
{
    const double was = (double)snoopi_metric_of(condition->metric, before);
    const double is = (double)snoopi_metric_of(condition->metric, after);
    // Not divided by what was before, which may be nothing.
    const double bound = condition->is_percent ? was * condition->change / 100 : condition->change;
    const double change = is - was;
    if (condition->is_equal && change == bound) {
        return true;
    }
    return condition->is_less ? change < bound : change > bound;
}
