// SPDX-License-Identifier: MIT
//
// Capture at a root's begin, look-up after its end.

#include "record/stacks.h"

#include <string.h>

#include "agent.h"
#include "hook/install.h"
#include "intern.h"
#include "julia/find.h"
#include "julia/julia.h"
#include "machine/unwind.h"
#include "memory.h"
#include "record/graph.h"
#include "record/objects.h"

enum {
    PLACES_MAX = 32,           /* of one address: the inlining chain */
    ROOM_NEEDED = 64 << 10,    /* of the task's stack, for the walk */
    BUDGET_FIRST_NS = 1000000, /* for looking up, and then a share of the roots' time: */
    BUDGET_SHARE = 1000,       /* one part in so many */
    /* The first look-up in an image reads all its debug information. */
    IMAGE_FIRST_NS = 75000000,
    CODES_MAX = 1 << 22, /* that are looked up; address space only */
    IMAGES_MAX = 1024
};

/* What is known of a place in code. */
enum {
    UNKNOWN,
    KNOWN,        /* looked up, or nothing to look up */
    KNOWN_CALLER, /* and it is the user's own code */
    FROM_JIT,     /* not looked up yet */
    FROM_IMAGES   /* the same; this and the number of the image */
};

static struct {
    bool is_ready;
    uint64_t spent_ns;
    uint64_t inference_ns; /* of the roots that ended */
    uint32_t last_id;
    struct intern_table codes; /* address → id */
    uint16_t *states;          /* CODES_MAX, by id */
    struct {
        const void *base;
        bool is_read;   /* Julia has its debug information */
        bool is_system; /* left to the packer */
    } images[IMAGES_MAX];
    size_t n_images;
} stacks = {.codes = {.first_entries = 8 << 10}};

void stacks_prepare(void)
{
    stacks.is_ready = agent_options.want_stacks &&
                      (julia.task_stack_buffer != NULL || julia.active_task_stack != NULL) &&
                      julia.lookup_code_address != NULL && unwind_prepare() &&
                      intern_reserve(&stacks.codes) &&
                      (stacks.states = memory_map(CODES_MAX * sizeof *stacks.states)) != NULL;
    if (!stacks.is_ready) {
        segment_header()->flags |= WIRE_SEG_NO_STACKS;
    }
}

/* The MethodInstance of a place, or nothing; from Julia 1.12 on the place has the CodeInstance. */
static jl_any instance_at(jl_any place)
{
    jl_any const code = svec_at(place, 3);
    return type_of(code) == julia.code_instance_type ? load_ptr(code, julia.at.ci_def) : code;
}

/* Puts what Julia said of one place: function, file, line, MethodInstance or nothing, from C, inlined. */
static uint8_t *put_place(uint8_t *at, jl_any place)
{
    jl_any const instance = instance_at(place);
    const bool has_instance = type_of(instance) == julia.method_instance_type;
    const bool is_thunk =
        has_instance && type_of(load_ptr(instance, julia.at.mi_def)) != julia.method_type;
    const int64_t line = (int64_t)load_u64(svec_at(place, 2), 0);
    uint32_t flags = load_u8(svec_at(place, 5), 0) != 0 ? WIRE_CODE_INLINED : 0;

    flags |= load_u8(svec_at(place, 4), 0) != 0 ? WIRE_CODE_C : 0;
    flags |= is_thunk ? WIRE_CODE_THUNK : 0;
    at = put_varint(at, graph_symbol_string(svec_at(place, 0)));
    at = put_varint(at, graph_file_of(svec_at(place, 1)));
    at = put_varint(at, line > 0 ? (uint64_t)line : 0);
    at = put_varint(at, has_instance && !is_thunk ? graph_instance(instance, NULL) : 0);
    return put_varint(at, flags);
}

/* Writes the definition of a place in code by what Julia said of it. */
static bool write_places(struct thread *thread, uint32_t id, uintptr_t address, jl_any places)
{
    uint8_t payload[32 + PLACES_MAX * 32];
    const size_t n = svec_length(places) < PLACES_MAX ? svec_length(places) : PLACES_MAX;
    uint8_t *at = put_varint(payload, id);

    at = put_varint(at, address);
    at = put_varint(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_place(at, svec_at(places, i));
    }
    return segment_append(&thread->writer, WIRE_CODE, payload, (size_t)(at - payload), 0);
}

/* Writes it as an address, with the names of function and file where they are known without a look-up. */
static bool write_address(struct thread *thread, uint32_t id, uintptr_t address, const char *name,
                          const char *file, uint32_t flags)
{
    uint8_t payload[64];
    const uint32_t name_id = name == NULL ? 0 : graph_text(name, strlen(name));
    const uint32_t file_id = file == NULL ? 0 : graph_file(file);
    uint8_t *at = put_varint(payload, id);

    at = put_varint(at, address);
    at = put_varint(at, name == NULL ? 0 : 1);
    if (name != NULL) {
        at = put_varint(at, name_id);
        at = put_varint(at, file_id);
        at = put_varint(at, 0); /* line */
        at = put_varint(at, 0); /* instance */
        at = put_varint(at, flags);
    }
    return segment_append(&thread->writer, WIRE_CODE, payload, (size_t)(at - payload), 0);
}

static void set_state(uint32_t id, uint16_t state)
{
    if (id < CODES_MAX) {
        stacks.states[id] = state;
    }
}

static uint16_t state_of(uint32_t id)
{
    return id > 0 && id < CODES_MAX ? stacks.states[id] : KNOWN;
}

static uint32_t code_id(struct thread *thread, uintptr_t address)
{
    const uint64_t key = intern_key((const void *)address, 0, 0);
    uint32_t id = intern_find(&stacks.codes, key);

    if (id == 0) {
        const char *const name = hook_entrance_name(address);
        id = stacks.last_id + 1;
        if (!write_address(thread, id, address, name, NULL, WIRE_CODE_ENTRANCE)) {
            frames_count_lost();
            return 0;
        }
        stacks.last_id = id;
        (void)intern_put(&stacks.codes, key, id);
        if (name != NULL) {
            set_state(id, KNOWN);
        }
    }
    return id;
}

/* Where the stack of a task lies; 0: not known. */
static uintptr_t stack_of(jl_any task, uintptr_t *high)
{
    char *begin = NULL;
    char *end = NULL;
    char *active_begin = NULL;
    char *active_end = NULL;

    if (julia.task_stack_buffer == NULL) {
        julia.active_task_stack(task, &active_begin, &active_end, &begin, &end);
    } else {
        size_t size = 0;
        int tid = 0;
        begin = julia.task_stack_buffer(task, &size, &tid);
        end = begin == NULL ? NULL : begin + size;
    }
    *high = (uintptr_t)end;
    return (uintptr_t)begin;
}

void stacks_write(struct thread *thread, struct unwind_place from, uint64_t now)
{
    uint8_t tail[EVENT_TAIL_MAX];
    uintptr_t high = 0;

    const struct unwind_walk *const before = &thread->root.walks[thread->root.walk];
    struct unwind_walk *const walk = &thread->root.walks[1 - thread->root.walk];

    thread->root.is_looked_up = true;
    thread->root.begin_ns = now;
    if (!stacks.is_ready) {
        return;
    }
    const uintptr_t low = stack_of(thread->task->task, &high);
    if (low == 0 || from.at < low + ROOM_NEEDED || from.at >= high) {
        return;
    }
    graph_begin(&thread->writer);
    unwind_stack(from, low, high, before, walk);
    uint8_t *at = put_varint(tail, walk->n);
    for (size_t i = 0; i < walk->n; i++) {
        struct unwind_call *const call = &walk->calls[i];
        if (call->note == 0) {
            call->note = code_id(thread, call->address);
            thread->root.is_known = false;
        }
        at = put_varint(at, call->note);
    }
    graph_end();
    at = put_varint(at, walk->n == UNWIND_MAX ? WIRE_STACK_CUT : 0);
    if (walk->n > 0 && !frames_event(thread, WIRE_STACK, now, tail, (size_t)(at - tail))) {
        frames_count_lost();
    }
    thread->root.walk = 1 - thread->root.walk;
    thread->root.is_looked_up = false;
}

/* Whether a place is in Julia code outside the compiler: the caller that a user looks for. */
static bool is_users(jl_any places)
{
    for (size_t i = 0; i < svec_length(places); i++) {
        jl_any const instance = instance_at(svec_at(places, i));
        if (type_of(instance) == julia.method_instance_type) {
            jl_any const def = load_ptr(instance, julia.at.mi_def);
            return type_of(def) != julia.method_type ||
                   load_ptr(def, julia.at.m_module) != julia.compiler;
        }
    }
    return false;
}

/* Whether Julia may be asked about code in a package's image. A caller is worth its look-up, but not the first one in an image. */
static bool is_affordable(uint16_t state, bool is_needed)
{
    const bool is_first = !stacks.images[state - FROM_IMAGES].is_read;
    const uint64_t cost = is_first ? IMAGE_FIRST_NS : 0;

    return (is_needed && !is_first) ||
           stacks.spent_ns + cost < BUDGET_FIRST_NS + stacks.inference_ns / BUDGET_SHARE;
}

/* Asks Julia what the code at an address is and writes it. */
static void ask_julia(struct thread *thread, uintptr_t address, uint32_t id)
{
    const uint16_t state = state_of(id);
    /* The call, not what follows it. Nothing else keeps the answer alive, and no safepoint follows
     * before it was read. */
    jl_any const places = julia.lookup_code_address((void *)(address - 1), 0);

    graph_begin(&thread->writer);
    if (state >= FROM_IMAGES) {
        stacks.images[state - FROM_IMAGES].is_read = true;
    }
    if (write_places(thread, id, address, places)) {
        set_state(id, is_users(places) ? KNOWN_CALLER : KNOWN);
    } else {
        frames_count_lost();
    }
    graph_end();
}

/* Writes where an image lies, so that the packer can look up what was not. */
static bool write_image(struct thread *thread, const struct object_place *object)
{
    enum { PATH_SIZE_MAX = 4096 };
    uint8_t id[BUILD_ID_MAX];
    uint8_t payload[PATH_SIZE_MAX + BUILD_ID_MAX + 30];
    size_t id_size = 0;
    const uint64_t size = object_extent(object->base, id, &id_size);
    const size_t path_size = strnlen(object->file, PATH_SIZE_MAX);
    uint8_t *at = put_varint(payload, (uintptr_t)object->base);

    at = put_varint(at, size);
    at = put_varint(at, id_size);
    memcpy(at, id, id_size);
    at += id_size;
    memcpy(at, object->file, path_size);
    at += path_size;
    return segment_append(&thread->writer, WIRE_IMAGE, payload, (size_t)(at - payload), 0);
}

/* The state of code in an image. That of the system image is for the packer: Julia would read its debug information anew for
 * each address, for tens of milliseconds. */
static uint16_t state_in_image(struct thread *thread, const struct object_place *object)
{
    size_t i = 0;
    while (i < stacks.n_images && stacks.images[i].base != object->base) {
        i++;
    }
    if (i == IMAGES_MAX) {
        return KNOWN; /* by its address alone */
    }
    if (i == stacks.n_images) {
        if (!write_image(thread, object)) {
            frames_count_lost();
        }
        stacks.images[i].base = object->base;
        stacks.images[i].is_system = function_is_in_image(object->address);
        stacks.n_images++;
    }
    return stacks.images[i].is_system ? KNOWN : (uint16_t)(FROM_IMAGES + i);
}

/* Finds out which object an address lies in. What is C is named right away: the loader knows it. */
static void find_object(struct thread *thread, uintptr_t address, uint32_t id)
{
    const struct object_place object = object_at(address - 1);

    graph_begin(&thread->writer);
    if (object.kind == OBJECT_IMAGE) {
        set_state(id, state_in_image(thread, &object));
    } else if (object.kind == OBJECT_NONE) {
        set_state(id, FROM_JIT);
    } else if (write_address(thread, id, address, object.function, object.file, WIRE_CODE_C)) {
        set_state(id, KNOWN);
    } else {
        frames_count_lost();
    }
    graph_end();
}

/* Looks up what the JIT made. That is in tables of the process: some 50 µs the first time in a function, which took milliseconds
 * to compile. So no budget decides about it. True if some of the stack is the user's own code. */
static bool look_up_jit(struct thread *thread, const struct unwind_walk *walk)
{
    bool has_caller = false;

    for (uint32_t i = 0; i < walk->n; i++) {
        const uintptr_t address = walk->calls[i].address;
        const uint32_t id = walk->calls[i].note;
        if (state_of(id) == UNKNOWN) {
            find_object(thread, address, id);
        }
        if (state_of(id) == FROM_JIT) {
            ask_julia(thread, address, id);
        }
        has_caller |= state_of(id) == KNOWN_CALLER;
    }
    return has_caller;
}

/* Looks up code in images as far as it is affordable. False if some is left. */
static bool look_up_images(struct thread *thread, const struct unwind_walk *walk, bool has_caller)
{
    bool is_all = true;

    for (uint32_t i = 0; i < walk->n; i++) {
        const uint32_t id = walk->calls[i].note;
        if (state_of(id) >= FROM_IMAGES && is_affordable(state_of(id), !has_caller)) {
            const uint64_t begin = agent_now();
            ask_julia(thread, walk->calls[i].address, id);
            stacks.spent_ns += agent_now() - begin;
            has_caller |= state_of(id) == KNOWN_CALLER;
        }
        is_all &= state_of(id) == KNOWN || state_of(id) == KNOWN_CALLER;
    }
    return is_all;
}

void stacks_look_up(struct thread *thread)
{
    const struct unwind_walk *const walk = &thread->root.walks[thread->root.walk];

    if (thread->root.is_looked_up) {
        return;
    }
    thread->root.is_looked_up = true; /* a jump out of here does not come back */
    stacks.inference_ns += agent_now() - thread->root.begin_ns;
    if (!thread->root.is_known) {
        thread->root.is_known = look_up_images(thread, walk, look_up_jit(thread, walk));
    }
}
