// SPDX-License-Identifier: MIT
//
// From an InferenceState to the fields of a BEGIN.

#include "describe.h"

#include <string.h>

#include "agent.h"
#include "graph.h"
#include "julia.h"

enum {
    ARGS_MAX = 32, /* constant arguments that are written per frame */
    VALUE_DEPTH = 3
};
_Static_assert(EVENT_TAIL_MAX >= 20 + 10 * 2 * ARGS_MAX, "room for all arguments");

static bool any_bit(jl_any bitvector, size_t word_count, uint64_t *words)
{
    jl_any const chunks = load_ptr(bitvector, julia.at.bitvector_chunks);
    const uint64_t *const data = array_data(chunks);
    uint64_t any = 0;

    for (size_t i = 0; i < word_count; i++) {
        words[i] = i < array_length(chunks) ? data[i] : 0;
        any |= words[i];
    }
    return any != 0;
}

static uint32_t argument_node(jl_any argument)
{
    jl_any const type = argument == NULL ? NULL : type_of(argument);
    if (type == julia.const_type) {
        return value_node(load_ptr(argument, julia.at.const_val), VALUE_DEPTH);
    }
    return type == julia.partialstruct_type ? value_partial(argument, VALUE_DEPTH) : 0;
}

/* Puts n and the constant arguments at `at`; returns the position behind them, or `at` when
 * there are none to tell. */
static uint8_t *put_arguments(uint8_t *at, jl_any argtypes, const uint64_t *overridden)
{
    uint32_t positions[ARGS_MAX];
    uint32_t nodes[ARGS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < array_length(argtypes) && i < 64 && n < ARGS_MAX; i++) {
        if ((overridden[0] >> i & 1) != 0) {
            const uint32_t node = argument_node(((jl_any *)array_data(argtypes))[i]);
            if (node != 0) {
                positions[n] = (uint32_t)i + 1;
                nodes[n++] = node;
            }
        }
    }
    if (n == 0) {
        return at;
    }
    at = put_varint(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_varint(at, positions[i]);
        at = put_varint(at, nodes[i]);
    }
    return at;
}

void describe_line(struct thread *thread)
{
    const char *const name = *julia.filename;
    const int number = *julia.lineno;
    const uint64_t line = number > 0 ? (uint64_t)number : 0;
    uint8_t payload[20];

    if (name == NULL) {
        return;
    }
    graph_begin(&thread->writer);
    const uint32_t file = graph_file(name);
    graph_end();
    if (file == 0 || (file == thread->line_file && line == thread->line)) {
        return;
    }
    uint8_t *at = put_varint(payload, file);
    at = put_varint(at, line);
    if (segment_append(&thread->writer, WIRE_LINE, payload, (size_t)(at - payload), 0)) {
        thread->line_file = file;
        thread->line = line;
    } else {
        frames_count_lost();
    }
}

size_t describe_frame(struct thread *thread, const struct hook *hook, jl_any frame, bool is_nested,
                      uint8_t *tail)
{
    jl_any const instance = load_ptr(frame, julia.at.frame_instance);
    jl_any const result = load_ptr(frame, julia.at.frame_result);
    uint64_t overridden[4] = {0};
    uint8_t arguments[10 * 2 * ARGS_MAX];
    uint8_t *arguments_end = arguments;
    uint64_t flags =
        (is_nested ? WIRE_FLAG_NESTED : 0) | (hook->is_tooling ? WIRE_FLAG_TOOLING : 0);

    graph_begin(&thread->writer);
    const uint32_t id = graph_instance(instance, load_ptr(instance, julia.at.mi_source));
    if (any_bit(load_ptr(result, julia.at.result_overridden), 4, overridden)) {
        flags |= WIRE_FLAG_CONSTPROP;
        if (agent_options.want_args) {
            arguments_end =
                put_arguments(arguments, load_ptr(result, julia.at.result_argtypes), overridden);
        }
    }
    graph_end();
    if (id == 0) {
        return 0;
    }
    if (arguments_end > arguments) {
        flags |= WIRE_FLAG_ARGS;
    }
    uint8_t *at = put_varint(tail, id);
    at = put_varint(at, flags);
    memcpy(at, arguments, (size_t)(arguments_end - arguments));
    return (size_t)(at - tail) + (size_t)(arguments_end - arguments);
}
