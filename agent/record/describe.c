// SPDX-License-Identifier: MIT
//
// From an InferenceState to the fields of a BEGIN.

#include "record/describe.h"

#include <stdatomic.h>
#include <string.h>

#include "agent.h"
#include "julia/julia.h"
#include "peek.h"
#include "record/graph.h"
#include "record/results.h"

enum {
    ARGS_MAX = 32, /* constant arguments that are written per frame */
    VALUE_DEPTH = 3,
    NO_WORLD =
        1 /* what is never valid, or was not looked at yet when a package was loaded, ends there */
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

static void expect_arguments(jl_any argtypes, const uint64_t *overridden)
{
    for (size_t i = 0; i < array_length(argtypes) && i < 64; i++) {
        jl_any const argument = ((jl_any *)array_data(argtypes))[i];
        if ((overridden[0] >> i & 1) != 0 && argument != NULL &&
            type_of(argument) == julia.const_type) {
            value_expect(load_ptr(argument, julia.at.const_val));
        }
    }
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

/* The file that toplevel code is in. It is mostly that of the root before. */
RARELY static uint32_t toplevel_file(struct thread *thread, const char *name)
{
    if (thread->named_file == 0 || strcmp(name, thread->file_name) != 0) {
        thread->named_file = 0; /* if this is left in between */
        atomic_signal_fence(memory_order_seq_cst);
        graph_begin(&thread->writer);
        const uint32_t file = graph_file(name);
        graph_end();
        const size_t size = strlen(name) + 1;
        if (size > sizeof thread->file_name) {
            return file;
        }
        memcpy(thread->file_name, name, size);
        atomic_signal_fence(memory_order_seq_cst);
        thread->named_file = file;
    }
    return thread->named_file;
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
    const uint32_t file = toplevel_file(thread, name);
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

/* What is read of a frame, of whichever kind it is. */
struct view {
    jl_any instance;
    jl_any source; /* CodeInfo of a thunk */
    jl_any argtypes;
    uint64_t overridden[4]; /* bits: arguments that are constant here and not by their type */
    uint64_t flags;
};

static void view_inference(jl_any frame, struct view *view)
{
    jl_any const result = load_ptr(frame, julia.at.frame_result);
    jl_any const overridden = load_ptr(result, julia.at.result_overridden);

    view->instance = load_ptr(frame, julia.at.frame_instance);
    view->source = julia.row->frame_source != NULL ? load_ptr(frame, julia.at.frame_source)
                                                   : load_ptr(view->instance, julia.at.mi_source);
    view->argtypes = load_ptr(result, julia.at.result_argtypes);
    if (overridden != julia.nothing && any_bit(overridden, 4, view->overridden)) {
        view->flags |= WIRE_FLAG_CONSTPROP;
    }
}

/* Whether a type has one value, so that an argument of it is constant in any case. */
static bool is_of_one_value(jl_any type)
{
    return type_of(type) == julia.datatype_type &&
           (load_ptr(type, julia.at.dt_instance) != NULL ||
            load_ptr(type, julia.at.dt_name) == julia.type_typename);
}

/* Semi-concrete evaluation has the types of its arguments, but not which of them are its own: those
 * that say more than the instance's signature does. */
static uint64_t refined_arguments(jl_any instance, jl_any argtypes)
{
    jl_any spec = load_ptr(instance, julia.at.mi_spec);
    uint64_t refined = 0;

    while (type_of(spec) == julia.unionall_type) {
        spec = load_ptr(spec, julia.at.ua_body);
    }
    if (type_of(spec) != julia.datatype_type) {
        return 0;
    }
    jl_any const parameters = load_ptr(spec, julia.at.dt_parameters);
    for (size_t i = 0; i < array_length(argtypes) && i < 64; i++) {
        jl_any const argument = ((jl_any *)array_data(argtypes))[i];
        jl_any const type = argument == NULL ? NULL : type_of(argument);
        const bool is_own = i < svec_length(parameters) && !is_of_one_value(svec_at(parameters, i));
        if (is_own && (type == julia.const_type || type == julia.partialstruct_type)) {
            refined |= (uint64_t)1 << i;
        }
    }
    return refined;
}

static void view_semiconcrete(jl_any state, struct view *view)
{
    view->instance = load_ptr(state, julia.at.irsv_instance);
    char *const ir = julia.at.irsv_ir_is_inline ? (char *)state + julia.at.irsv_ir
                                                : load_ptr(state, julia.at.irsv_ir);
    view->argtypes = load_ptr(ir, julia.at.ir_argtypes);
    view->overridden[0] = refined_arguments(view->instance, view->argtypes);
    view->flags |= WIRE_FLAG_SEMICONCRETE;
}

/* The type of what a target is given; NULL: nothing is read of it, or not before it was compared with what is known. */
static jl_any type_wanted(enum target_kind kind)
{
    switch (kind) {
    case TARGET_TYPEINF:
    case TARGET_LOOP:
    case TARGET_STEP:
    case TARGET_FINISH: return julia.frame_type;
    case TARGET_STEP_OF_RESULT: return julia.result_type;
    case TARGET_SEMICONCRETE: return julia.semiconcrete_type;
    case TARGET_NONE:
    case TARGET_ENTRANCE:
    case TARGET_QUERY:
    case TARGET_WORLD_CALL:
    case TARGET_FINISH_CYCLE: break;
    }
    return NULL;
}

/* Whether the object at `address` has that type. */
static bool is_of_type(uintptr_t address, jl_any wanted)
{
    uintptr_t tag = 0;
    return address >= 4096 && address % sizeof tag == 0 &&
           peek(address - sizeof tag, &tag, sizeof tag) &&
           (tag & ~(uintptr_t)15) == (uintptr_t)wanted;
}

RARELY bool describe_is_frame(enum target_kind kind, jl_any frame)
{
    jl_any const wanted = type_wanted(kind);
    uintptr_t instance = 0;

    if (wanted == NULL) {
        return true; /* nothing is read of it */
    }
    /* What is immutable need be no object: it may lie on the stack, without a tag. */
    if (datatype_is_mutable(wanted) && !is_of_type((uintptr_t)frame, wanted)) {
        return false;
    }
    if (kind == TARGET_STEP_OF_RESULT) {
        return true;
    }
    const size_t at =
        kind == TARGET_SEMICONCRETE ? julia.at.irsv_instance : julia.at.frame_instance;
    return peek((uintptr_t)frame + at, &instance, sizeof instance) &&
           is_of_type(instance, julia.method_instance_type);
}

void describe_expect(enum target_kind kind, jl_any frame)
{
    if (kind == TARGET_TYPEINF) {
        graph_expect_instance(load_ptr(frame, julia.at.frame_instance));
    } else if (kind == TARGET_SEMICONCRETE) {
        graph_expect_instance(load_ptr(frame, julia.at.irsv_instance));
    }
}

/*
 * Tells of an instance that had inferred code, of which none holds any more: it is inferred again because a method was defined (or,
 * from 1.12 on, a binding) in the world behind the last in which the code held.
 */
static void tell_invalidated(struct thread *thread, jl_any instance, uint32_t id)
{
    enum { CODES_MAX = 64 }; /* that are looked at: the newest come first */
    jl_any code = load_ptr(instance, julia.at.mi_cache);
    uint64_t last = 0;
    uint8_t payload[20];

    for (size_t i = 0; code != NULL && i < CODES_MAX; i++) {
        const uint64_t end = load_u64(code, julia.at.ci_max_world);
        if (end >= julia.get_world_counter()) {
            return;
        }
        last = end > last ? end : last;
        code = load_ptr(code, julia.at.ci_next);
    }
    /* What ended before the process began was never valid in it, or is the older world's that the compiler itself runs in. */
    if (last < segment_header()->world_begin) {
        return;
    }
    uint8_t *at = put_varint(payload, id);
    at = put_varint(at, last);
    if (!segment_append(&thread->writer, WIRE_INVALIDATED, payload, (size_t)(at - payload), 0)) {
        frames_count_lost();
    }
}

bool describe_frame(struct thread *thread, enum target_kind kind, jl_any frame, uint64_t flags,
                    struct description *description)
{
    struct view view = {.flags = flags};
    uint8_t arguments[10 * 2 * ARGS_MAX];
    uint8_t *arguments_end = arguments;

    if (kind == TARGET_SEMICONCRETE) {
        view_semiconcrete(frame, &view);
    } else {
        view_inference(frame, &view);
    }
    const bool has_arguments = view.overridden[0] != 0 && agent_options.want_args;
    if (has_arguments) {
        expect_arguments(view.argtypes, view.overridden);
    }
    graph_begin(&thread->writer);
    const uint32_t id = graph_instance(view.instance, view.source);
    if (has_arguments) {
        arguments_end = put_arguments(arguments, view.argtypes, view.overridden);
    }
    graph_end();
    if (id == 0) {
        return false;
    }
    if ((view.flags & (WIRE_FLAG_CONSTPROP | WIRE_FLAG_SEMICONCRETE | WIRE_FLAG_TOOLING)) == 0) {
        tell_invalidated(thread, view.instance, id);
    }
    if (arguments_end > arguments) {
        view.flags |= WIRE_FLAG_ARGS;
    }
    uint8_t *at = put_varint(description->tail, id);
    at = put_varint(at, view.flags);
    at = put_bytes(at, arguments, (size_t)(arguments_end - arguments));
    description->size = (size_t)(at - description->tail);
    description->result_of = results_of(id, view.flags);
    return true;
}
