// SPDX-License-Identifier: MIT
#include "tests/unit/triggers/stackscript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_JL = 1, BOOT_JL = 2, TEST_JL = 3, OWN_JL = 4, FIRST_STRING = 50, WORDS_MAX = 40 };

static void must(bool is_so, const char *what)
{
    if (!is_so) {
        (void)fprintf(stderr, "stackscript: %s\n", what);
        abort();
    }
}

static uint64_t string(stackscript *s, const char *text)
{
    sb_string(&s->b, FIRST_STRING + s->n_strings, text);
    return FIRST_STRING + s->n_strings++;
}

void ss_init(stackscript *s)
{
    memset(s, 0, sizeof *s);
    sb_init(&s->b);
    sb_chunk_begin(&s->b, 0, 0, 2000);
    sb_definitions(&s->b);
    SB_REC(&s->b, WIRE_FILE, BOOT_JL, string(s, "./boot.jl"), 0);
    SB_REC(&s->b, WIRE_FILE, TEST_JL, string(s, "/build/stdlib/Test/src/Test.jl"), 0);
    SB_REC(&s->b, WIRE_FILE, OWN_JL, string(s, "/src/own.jl"), 0);
    sb_task(&s->b, 1);
}

void ss_clear(stackscript *s)
{
    sb_clear(&s->b);
}

// The five fields of a place.
static void place(stackscript *s, const char *word, uint64_t out[5])
{
    const bool is_inlined = word[0] == '+';
    word += is_inlined;
    memset(out, 0, 5 * sizeof *out);
    if (word[0] == '!') {
        out[0] = string(s, "top-level scope");
        out[1] = OWN_JL;
        out[2] = strtoull(word + 1, NULL, 10);
        out[4] = WIRE_CODE_THUNK;
    } else if (word[1] == ':') {
        out[0] = string(s, word + 2);
        out[1] = word[0] == 'b' ? BOOT_JL : word[0] == 't' ? TEST_JL : 0;
        out[2] = word[0] == 'b' ? 331 : 0;
        out[4] = word[0] == 'c' ? WIRE_CODE_C : word[0] == 'e' ? WIRE_CODE_ENTRANCE : 0;
    } else {
        must(word[0] >= 'f' && word[0] <= 'h', "unknown word");
        out[0] = string(s, (const char[]){word[0], '\0'});
        out[1] = OWN_JL;
        out[2] = strtoull(word + 1, NULL, 10);
        out[3] = is_inlined ? 0 : (uint64_t)(word[0] - 'f' + 1);
    }
    out[4] |= is_inlined ? WIRE_CODE_INLINED : 0;
}

// Id of the code whose places are `words`.
static uint64_t code(stackscript *s, char *const *words, size_t n)
{
    uint64_t record[3 + 5 * WORDS_MAX] = {0, 0, n};
    char key[64] = "";
    for (size_t i = 0; i < n; i++) {
        must(strlen(key) + strlen(words[i]) + 2 < sizeof key, "a long word");
        strcat(strcat(key, words[i]), " ");
    }
    for (uint64_t i = 0; i < s->n_codes; i++) {
        if (strcmp(s->known[i], key) == 0) {
            return i + 1;
        }
    }
    must(s->n_codes < sizeof s->known / sizeof s->known[0], "too many codes");
    strcpy(s->known[s->n_codes], key);
    const bool is_unknown = strcmp(words[0], "?") == 0;
    for (size_t i = 0; i < n && !is_unknown; i++) {
        place(s, words[i], &record[3 + 5 * i]);
    }
    record[0] = ++s->n_codes;
    record[1] = 0x1000 * s->n_codes;
    record[2] = is_unknown ? 0 : n;
    sb_numbers(&s->b, WIRE_CODE, is_unknown ? 3 : 3 + 5 * n, record);
    return record[0];
}

void ss_line(stackscript *s, uint64_t line)
{
    SB_REC(&s->b, WIRE_LINE, SAMPLE_JL, line);
}

void ss_root(stackscript *s, uint64_t instance, const char *stack)
{
    uint64_t record[WORDS_MAX + 4] = {0};
    char *words[WORDS_MAX];
    char text[512];
    size_t n = 0;
    size_t n_codes = 0;
    must(strlen(stack) < sizeof text, "a long stack");
    strcpy(text, stack);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
        if (word[0] != '+') {
            record[3 + n_codes++] = code(s, words, n);
            n = 0;
        }
        must(n_codes < WORDS_MAX && n < WORDS_MAX, "a long stack");
    }
    record[2] = n_codes;
    if (n_codes > 0) {
        sb_numbers(&s->b, WIRE_STACK, n_codes + 4, record);
    }
    sb_begin(&s->b, 10, 0, instance);
    sb_end(&s->b, 10, 0);
}
