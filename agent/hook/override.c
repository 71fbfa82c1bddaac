// SPDX-License-Identifier: MIT
//
// Has override.jl run before Base._start, and takes what its wrappers tell for what a hook would.

#include "hook/override.h"

#include "agent.h"
#include "julia/find.h"
#include "julia/julia.h"
#include "machine/entry.h"
#include "machine/unwind.h"
#include "phrase.h"
#include "record/frames.h"
#include "record/graph.h"

enum { CALL_MAX = 2048, KINDS = TARGET_ENTRANCE + 1 };

/* Julia's jl_callptr_t: how a CodeInstance is called with boxed arguments. */
typedef jl_any (*call_function)(jl_any function, jl_any *arguments, uint32_t n, jl_any code);

extern const char agent_override_source[] AGENT_HIDDEN;

static struct {
    jl_any code; /* CodeInstance of Base._start */
    call_function real_start;
    void (*done)(const char *reason);
    bool is_done;
    uint64_t world; /* that the compiler runs in */
    jl_any (*eval_string)(const char *text);
    size_t (*current_world)(void);
    struct hook hooks[KINDS][2]; /* by kind, and whether a tool asks */
} override;

static void add_target(char *text, const char *name, enum target_kind kind,
                       const char *const *types)
{
    phrase_add(text, CALL_MAX, "(:");
    phrase_add(text, CALL_MAX, name);
    phrase_add(text, CALL_MAX, ",");
    phrase_add_number(text, CALL_MAX, (uint64_t)kind);
    phrase_add(text, CALL_MAX, ",(");
    for (size_t i = 0; i < TARGET_ARGS_MAX && types != NULL && types[i] != NULL; i++) {
        phrase_add(text, CALL_MAX, ":");
        phrase_add(text, CALL_MAX, types[i]);
        phrase_add(text, CALL_MAX, ",");
    }
    phrase_add(text, CALL_MAX, ")),");
}

/* The call of override() with what the version's row wants. */
static void write_call(char text[CALL_MAX])
{
    const struct julia_row *const row = julia.row;

    text[0] = '\0';
    phrase_add(
        text, CALL_MAX,
        "Base.invokelatest(Base.include_string(Module(:SnoopiOverride), unsafe_string(Ptr{UInt8}(UInt(");
    phrase_add_number(text, CALL_MAX, (uintptr_t)agent_override_source);
    phrase_add(text, CALL_MAX, "))), \"compiler/override.jl\"), Any[");
    for (size_t i = 0; i < TARGETS_MAX && row->targets[i].kind != TARGET_NONE; i++) {
        add_target(text, row->targets[i].function, row->targets[i].kind, row->targets[i].args);
    }
    for (size_t i = 0; i < sizeof row->entrances / sizeof row->entrances[0]; i++) {
        if (row->entrances[i] != NULL && strcmp(row->entrances[i], row->targets[0].function) != 0) {
            add_target(text, row->entrances[i], TARGET_ENTRANCE, NULL);
        }
    }
    phrase_add(text, CALL_MAX, "])");
}

/* Stands in for the entry of Base._start, once. */
static jl_any start(jl_any function, jl_any *arguments, uint32_t n, jl_any code)
{
    char text[CALL_MAX];
    const call_function real_start = override.real_start;

    memcpy((char *)code + julia.at.ci_invoke, &real_start, sizeof real_start);
    write_call(text);
    (void) override.eval_string(text);
    if (!override.is_done) {
        override.done("the compiler's functions could not be redefined");
    }
    return real_start(function, arguments, n, code);
}

bool override_arrange(void (*done)(const char *reason), const char **reason)
{
    jl_any const symbol = julia.symbol_lookup("_start");
    jl_any const function = symbol == NULL ? NULL : julia.get_global(julia.base, symbol);
    int (*generating_output)(void) = NULL;
    void *const generating = julia_symbol("jl_generating_output");
    void *const eval_string = julia_symbol("jl_eval_string");
    void *const world = julia_symbol("jl_get_tls_world_age");
    const call_function stand_in = start;

    memcpy(&generating_output, &generating, sizeof generating);
    memcpy(&override.eval_string, &eval_string, sizeof eval_string);
    memcpy(&override.current_world, &world, sizeof world);
    override.code = function == NULL ? NULL : find_live_code(function);
    if (override.code == NULL || generating == NULL || eval_string == NULL || world == NULL ||
        !unwind_prepare()) {
        *reason = "this Julia has no place where its compiler could be redefined";
        return false;
    }
    if (!julia.row->can_be_redefined) {
        *reason =
            "--hook=override redefines the compiler of Julia 1.5 only; the native hook is for all others";
        return false;
    }
    if (generating_output()) {
        *reason = "a redefined compiler would get into the image that this process makes";
        return false;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        for (int is_tooling = 0; is_tooling < 2; is_tooling++) {
            override.hooks[kind][is_tooling].kind = (enum target_kind)kind;
            override.hooks[kind][is_tooling].is_tooling = is_tooling != 0;
        }
    }
    override.done = done;
    memcpy(&override.real_start, (char *) override.code + julia.at.ci_invoke, sizeof stand_in);
    memcpy((char *) override.code + julia.at.ci_invoke, &stand_in, sizeof stand_in);
    return true;
}

/* The call of the function that this is compiled into: one of ours, called by a wrapper. Both machines save the return address
 * right above the frame pointer. */
static inline __attribute__((always_inline)) struct unwind_place own_call(void)
{
    const uintptr_t *const own = __builtin_frame_address(0);
    return (struct unwind_place){
        .at = (uintptr_t)(own + 1), .stack = (uintptr_t)__builtin_dwarf_cfa(), .frame = *own};
}

/* The call of the wrapper: where the hook of a function would find it. */
static struct unwind_place leave_wrapper(struct unwind_place place)
{
    struct thread *const thread = frames_thread();

    if (thread != NULL) {
        graph_begin(&thread->writer); /* the rules of unwinding are under its lock */
        (void)unwind_step(&place);
        graph_end();
    }
    return place;
}

/** For override.jl: a wrapped function was entered, with this frame, or `nothing` for an entrance. */
__attribute__((visibility("default"))) void snoopi_agent_override_begin(jl_any frame, int32_t kind);
void snoopi_agent_override_begin(jl_any frame, int32_t kind)
{
    const struct unwind_place own = own_call();
    void *registers[REGISTERS] = {frame};

    if (kind > TARGET_NONE && kind < KINDS && agent_is_recording()) {
        const bool is_tooling = override.current_world() != override.world;
        const struct unwind_place call = leave_wrapper(own);
        registers[REGISTER_FRAME_POINTER] = (void *)call.frame;
        registers[REGISTER_STACK_POINTER] = (void *)call.stack;
        agent_frame_begin(registers, &override.hooks[kind][is_tooling], call.at);
    }
}

/** For override.jl: it returned; `result` is what it returned where that is a Bool. */
__attribute__((visibility("default"))) void snoopi_agent_override_end(int32_t result, int32_t kind);
void snoopi_agent_override_end(int32_t result, int32_t kind)
{
    const struct unwind_place own = own_call();

    if (kind > TARGET_NONE && kind < KINDS && agent_is_recording()) {
        agent_frame_end((uintptr_t)result, &override.hooks[kind][0], leave_wrapper(own).at);
    }
}

/** For override.jl: the compiler was switched to the redefined functions, in this world. */
__attribute__((visibility("default"))) void snoopi_agent_override_done(uintptr_t world);
void snoopi_agent_override_done(uintptr_t world)
{
    if (override.done != NULL && !override.is_done) {
        override.is_done = true;
        override.world = world;
        override.done(NULL);
    }
}
