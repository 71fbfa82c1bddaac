// SPDX-License-Identifier: MIT
// Any bytes as what people type: conditions of --fail-if, times, numbers, patterns.
//
// Input: what it is (1 byte), then the word; a pattern ends at the first NUL, and the text that it is tried on follows.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "cli/say.h"
#include "fuzz_input.h"
#include "snoopi/gate.h"

enum { WORD_MAX = 4096, PATTERN_MAX = 24 };

// The messages of cli/opt.c, which is linked without those that print.
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...)
{
    char line[2 * WORD_MAX];
    va_list list;
    va_start(list, format);
    fuzz_demand(command != NULL && vsnprintf(line, sizeof line, format, list) > 0,
                "words for a failure");
    va_end(list);
    return CLI_USAGE;
}

static void read_gate(const char *text)
{
    snoopi_gate gate;
    snoopi_error err = {0};
    size_t at = 0;
    if (snoopi_gate_parse(&gate, text, &at, &err) < 0) {
        fuzz_demand(at <= strlen(text) && err.text[0], "where and why it cannot go on");
        return;
    }
    fuzz_demand(gate.n > 0 && gate.n <= SNOOPI_CONDITIONS_MAX, "conditions");
    for (size_t i = 0; i < gate.n; i++) {
        const snoopi_condition *c = &gate.conditions[i];
        const snoopi_totals sums[] = {{0},
                                      {.inference_ns = 5, .frames = 5, .roots = 5, .instances = 5},
                                      {.inference_ns = UINT64_MAX, .frames = UINT64_MAX}};
        fuzz_demand(c->size > 0 && c->at + c->size <= strlen(text), "a condition's place");
        for (size_t k = 0; k < 9; k++) {
            (void)snoopi_condition_holds(c, &sums[k / 3], &sums[k % 3]);
        }
    }
}

typedef struct {
    uint64_t time_ns;
    uint64_t number;
    int choice;
} values;

static const char *choice_word(int index)
{
    return index == 0 ? "one" : index == 1 ? "two" : NULL;
}

static int run_nothing(const void *args, int n_operands, char **operands)
{
    (void)args;
    (void)operands;
    return n_operands;
}

static void read_option(const char *name, const char *text)
{
    static const cli_option options[] = {
        {"time", 't', CLI_OPT_TIME, "TIME", "", offsetof(values, time_ns), NULL},
        {"number", 0, CLI_OPT_NUMBER, "N", "", offsetof(values, number), NULL},
        {"choice", 0, CLI_OPT_CHOICE, "C", "", offsetof(values, choice), choice_word},
        {0}};
    static const cli_option_group groups[] = {{options, 0}, {0}};
    static const cli_command command = {.name = "fuzz",
                                        .operands = "",
                                        .summary = "",
                                        .groups = groups,
                                        .args_size = sizeof(values),
                                        .max_operands = 1,
                                        .run = run_nothing};
    char word[WORD_MAX + 16];
    char program[] = "fuzz";
    values v = {0};
    int operand = 0;
    (void)snprintf(word, sizeof word, "%s%s", name, text);
    char *argv[] = {program, word, NULL};
    (void)cli_opt_parse(&command, &v, 2, argv, &operand);
}

static void try_pattern(char *text, size_t size)
{
    const size_t length = strlen(text);
    // Globs are tried by going back, so that a long one of many stars would take its time; who types it waits.
    if (length < PATTERN_MAX && length + 1 < size) {
        const char *const tried = text + length + 1;
        const bool is_met = snoopi_pattern_matches(text, tried);
        fuzz_demand(text[strcspn(text, "*?[\\")] || is_met == (strcmp(text, tried) == 0),
                    "a word without wildcards is itself");
        (void)snoopi_pattern_matches_file(text, tried);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[WORD_MAX + 1];
    if (size == 0 || size > WORD_MAX) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    switch (data[0]) {
    case 'g': read_gate(text); break;
    case 't': read_option("--time=", text); break;
    case 'n': read_option("--number=", text); break;
    case 'c': read_option("--choice=", text); break;
    case 'o': read_option("", text); break;
    case 'p': try_pattern(text, size); break;
    default: break;
    }
    return 0;
}
