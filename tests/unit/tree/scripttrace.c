// SPDX-License-Identifier: MIT
#include "tests/unit/tree/scripttrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snoopi/pack.h>

#include "base/varint.h"
#include "tests/unit/format/segbuilder.h"

enum { STEP_NS = 10, GC_NS = 5 };

static void must(bool is_so, const char *what)
{
    if (!is_so) {
        (void)fprintf(stderr, "scripttrace: %s\n", what);
        abort();
    }
}

static void define(segbuilder *b)
{
    static const char *const strings[] = {"Main",  "Lib",       "Sub",   "/src/a.jl", "/src/b.jl",
                                          "Int64", "Float64",   "Tuple", "f",         "g",
                                          "h",     "a;b \"c\"", "Core"};
    enum { MAIN = 1, LIB, SUB, CORE, A_JL = 1, B_JL, S_F = 9, S_G, S_H, S_W, S_CORE };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        sb_string(b, i + 1, strings[i]);
    }
    SB_REC(b, WIRE_MODULE, MAIN, 1, 0, WIRE_MODULE_MAIN);
    SB_REC(b, WIRE_MODULE, LIB, 2, 0, 0);
    SB_REC(b, WIRE_MODULE, SUB, 3, LIB, 0);
    SB_REC(b, WIRE_MODULE, CORE, S_CORE, 0, 0);
    SB_REC(b, WIRE_FILE, A_JL, 4, 0);
    SB_REC(b, WIRE_FILE, B_JL, 5, 0);
    SB_REC(b, WIRE_TYPENAME, 1, 6, CORE, 0, WIRE_TN_VISIBLE | WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, 2, 7, CORE, 0, WIRE_TN_VISIBLE | WIRE_TN_CONCRETE);
    SB_REC(b, WIRE_TYPENAME, 3, 8, CORE, 0, WIRE_TN_VISIBLE | WIRE_TN_TUPLE);
    SB_REC(b, WIRE_NODE, 1, WIRE_FORM_DATATYPE, 1, WIRE_DATATYPE_WRAPPER, 0);
    SB_REC(b, WIRE_NODE, 2, WIRE_FORM_DATATYPE, 2, WIRE_DATATYPE_WRAPPER, 0);
    static const struct {
        uint64_t name, module, file, line;
    } methods[] = {
        {S_F, MAIN, A_JL, 10}, {S_G, LIB, B_JL, 20}, {S_H, SUB, B_JL, 30}, {S_W, MAIN, A_JL, 40}};
    const uint64_t is_function = WIRE_TN_CONCRETE | WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION;
    for (uint64_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const uint64_t name = methods[i].name;
        const uint64_t type = 4 + i;     // typeof(f)
        const uint64_t node = 3 + 2 * i; // typeof(f), Tuple{typeof(f), Int64}
        SB_REC(b, WIRE_TYPENAME, type, name, methods[i].module, name, is_function);
        SB_REC(b, WIRE_NODE, node, WIRE_FORM_DATATYPE, type,
               WIRE_DATATYPE_WRAPPER | WIRE_DATATYPE_SINGLETON, 0);
        SB_REC(b, WIRE_NODE, node + 1, WIRE_FORM_DATATYPE, 3, 0, 2, node, 1);
        SB_REC(b, WIRE_METHOD, i + 1, name, methods[i].module, methods[i].file,
               snoopi__zigzag((int64_t)methods[i].line), 5000 + i, 0, 2, node + 1);
        SB_REC(b, WIRE_INSTANCE, i + 1, WIRE_INSTANCE_METHOD, i + 1, node + 1);
    }
    SB_REC(b, WIRE_RESULT, 2, 2);                                // g returns a Float64
    SB_REC(b, WIRE_NODE, 20, WIRE_FORM_DATATYPE, 3, 0, 2, 3, 2); // Tuple{typeof(f), Float64}
    SB_REC(b, WIRE_INSTANCE, 5, WIRE_INSTANCE_METHOD, 1, 20);
    SB_REC(b, WIRE_INSTANCE, 6, WIRE_INSTANCE_TOPLEVEL, MAIN, A_JL, snoopi__zigzag(3));
}

// 1 + place of the letter is the instance's id.
static const char letters[] = "fghwFt";

static uint64_t instance_of(char letter)
{
    const char *const found = strchr(letters, letter);
    must(letter != '\0' && found != NULL, "unknown letter");
    return (uint64_t)(found - letters) + 1;
}

typedef struct {
    segbuilder *b;
    uint64_t waited_ns; // since the last event
    uint64_t now_ns;
    uint32_t thread;
    uint64_t next_string;
} teller;

static uint64_t step(teller *t)
{
    const uint64_t dt = t->waited_ns + STEP_NS;
    t->waited_ns = 0;
    t->now_ns += dt;
    return dt;
}

static void begin_thread(teller *t)
{
    sb_chunk_begin(t->b, t->thread++, 0, SCRIPT_FIRST_NS - STEP_NS);
    sb_task(t->b, t->thread);
    t->waited_ns = 0;
    t->now_ns = SCRIPT_FIRST_NS - STEP_NS;
}

// "name;" after a sign; returns what is behind it.
static const char *read_word(const char *at, char *word, size_t size)
{
    const size_t length = strcspn(at, ";");
    must(at[length] == ';' && length < size, "a word ends with ;");
    memcpy(word, at, length);
    word[length] = '\0';
    return at + length + 1;
}

static void tell(teller *t, const char *at)
{
    char word[32];
    while (*at) {
        const char sign = *at++;
        switch (sign) {
        case ' ': t->waited_ns += STEP_NS; break;
        case '|': begin_thread(t); break;
        case ')': sb_end(t->b, step(t), 0); break;
        case '*':
            SB_REC(t->b, WIRE_GC, GC_NS, 0, GC_NS);
            t->now_ns += GC_NS;
            break;
        case '^':
            must(*at >= '0' && *at <= '9', "a digit behind ^");
            SB_REC(t->b, WIRE_RUN, step(t), 0, (uint64_t)(*at++ - '0'));
            break;
        case '.':
            SB_REC(t->b, WIRE_CLOSE, t->waited_ns, 0);
            t->b->head.state = WIRE_STATE_ENDED;
            t->b->head.end_ns = t->now_ns + t->waited_ns;
            t->b->head.exit_kind = WIRE_EXIT_STATUS;
            break;
        case '@':
            at = read_word(at, word, sizeof word);
            SB_REC(t->b, WIRE_LINE, 1, strtoull(word, NULL, 10));
            break;
        case '!':
            at = read_word(at, word, sizeof word);
            sb_string(t->b, t->next_string, word);
            SB_REC(t->b, WIRE_MARK, t->waited_ns, 0, t->next_string++);
            t->waited_ns = 0;
            break;
        default:
            sb_begin(t->b, step(t), 0, instance_of(sign));
            if (*at == '(') {
                at++;
            } else {
                sb_end(t->b, step(t), 0);
            }
            break;
        }
    }
}

void script_write(const char *path, unsigned index, const char *script)
{
    segbuilder b;
    sb_init(&b);
    b.head.pid = SCRIPT_PID + index;
    b.head.begin_ns = SCRIPT_BEGIN_NS + index; // the order of processes
    teller t = {.b = &b, .next_string = 100};
    begin_thread(&t);
    define(&b);
    tell(&t, script);
    sb_write(&b, path);
    sb_clear(&b);
}

void script_init(scripttrace *s)
{
    *s = (scripttrace){.folder = "/tmp/snoopi-test-XXXXXX"};
    must(mkdtemp(s->folder) != NULL, "no temporary folder");
}

static void path_of(const scripttrace *s, unsigned index, char path[128])
{
    (void)snprintf(path, 128, "%s/%u.seg", s->folder, index);
}

void script_process(scripttrace *s, const char *script)
{
    char path[128];
    path_of(s, s->n_processes, path);
    script_write(path, s->n_processes++, script);
}

snoopi_trace *script_open(scripttrace *s)
{
    char path[128];
    snoopi_error err = {0};
    (void)snprintf(path, sizeof path, "%s/trace", s->folder);
    must(snoopi_pack(s->folder, path, NULL, NULL, &err) == SNOOPI_OK, err.text);
    must(snoopi_trace_open(&s->trace, path, &err) == SNOOPI_OK, err.text);
    must(snoopi_trace_damage(s->trace) == NULL, "the trace is damaged");
    return s->trace;
}

snoopi_trace *script_trace(scripttrace *s, const char *script)
{
    script_init(s);
    script_process(s, script);
    return script_open(s);
}

void script_clear(scripttrace *s)
{
    char path[128];
    snoopi_trace_close(s->trace);
    for (unsigned i = 0; i < s->n_processes; i++) {
        path_of(s, i, path);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/trace", s->folder);
    (void)unlink(path);
    (void)rmdir(s->folder);
}
