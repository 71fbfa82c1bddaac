// SPDX-License-Identifier: MIT
#ifndef SNOOPI_TRACE_H
#define SNOOPI_TRACE_H

/**
 * @file A trace is what `snoopi record` wrote: processes, and for each the frames of type
 * inference that ran in it, in pre-order, root by root. Opening reads the definitions and the
 * processes; frames are decoded as you walk them with a snoopi_walk, so memory follows the number
 * of distinct instances and not the number of frames.
 *
 * A segment (what the agent leaves before packing) opens as well: it is packed into an unlinked
 * temporary file first. A trace that was cut opens as far as it is whole: snoopi_trace_damage()
 * says what is missing.
 *
 * Times are integer nanoseconds. Ids of processes count from 0, all others from 1 (0 means "none").
 * Threads: one thread per trace at a time; different traces are independent.
 */
#include <stdbool.h>
#include <stdint.h>

#include "error.h"

SNOOPI_BEGIN_DECLS

typedef struct snoopi_trace snoopi_trace;

/** Flags of a frame. The words are those of snoopi_flag_name(). */
typedef enum {
    SNOOPI_FRAME_CONSTPROP = 1,
    SNOOPI_FRAME_SEMICONCRETE = 2,
    SNOOPI_FRAME_NESTED = 4,
    SNOOPI_FRAME_CYCLE = 8,
    SNOOPI_FRAME_ABORTED = 16,
    SNOOPI_FRAME_UNFINISHED = 32,
    SNOOPI_FRAME_GENERATOR = 64,
    SNOOPI_FRAME_TOPLEVEL = 128,
    SNOOPI_FRAME_REPEATED = 256,
    SNOOPI_FRAME_TOOLING = 512,
    SNOOPI_FRAME_INVALIDATED = 2048 /* the instance had inferred code, which was invalidated */
} snoopi_frame_flag;

/** How a process or a command ended. */
typedef enum {
    SNOOPI_EXIT_UNKNOWN = 0,
    SNOOPI_EXIT_STATUS = 1,
    SNOOPI_EXIT_SIGNAL = 2
} snoopi_exit_kind;

typedef enum {
    SNOOPI_HOOK_NONE = 0,
    SNOOPI_HOOK_NATIVE = 1,
    SNOOPI_HOOK_OVERRIDE = 2
} snoopi_hook_kind;

/**
 * A julia process of the recording. Strings are UTF-8, borrowed from the trace; "" where not
 * known.
 */
typedef struct {
    uint32_t index;
    uint32_t pid;
    uint32_t ppid;
    int64_t parent; /* index of the process that started it, −1 if it is not in the trace */
    uint64_t begin_ns;
    uint64_t begin_real_ns; /* since 1970 */
    uint64_t wall_ns;
    uint64_t inference_ns; /* sum of the roots' totals */
    uint64_t busy_ns;      /* union of the roots' intervals */
    uint64_t outside_ns;   /* wall − busy − tool time outside of frames */
    uint64_t tool_ns;
    uint64_t gc_ns; /* inside frames */
    uint64_t agent_start_ns;
    uint64_t world_begin;
    uint64_t world_end;
    uint64_t frames;
    uint64_t roots;
    uint64_t instances; /* distinct ones that have frames */
    uint64_t dropped_frames;
    uint64_t dropped_records;
    uint64_t segment_bytes;
    uint64_t event_bytes;
    snoopi_exit_kind exit_kind;
    int exit_value;
    snoopi_hook_kind hook;
    bool is_complete;       /* it ended in order and nothing was dropped */
    bool compiler_replaced; /* the compiler was replaced while it ran: frames are missing */
    bool has_args;          /* constant arguments were recorded */
    bool has_stacks;        /* root stacks were recorded */
    uint32_t argc;
    const char *const *argv;
    const char *julia; /* version, "1.5.3" */
    const char *role;  /* "main", "precompile:NAME", "worker", "worker:N", "image" */
    const char *bindir;
    const char *cwd;
    const char *exe;
    const char *hook_text;    /* functions that were hooked */
    const char *compile_mode; /* "" or what --compile said: "no", "min", "all" */
    const char *reason;       /* why recording was off, or "" */
    const char *damage;       /* what could not be read of its segment, or "" */
    const char *origin; /* tells whether it was recorded here; see snoopi_trace_is_from_here() */
} snoopi_process;

/** The recording as a whole. */
typedef struct {
    uint32_t format_version;
    bool is_complete; /* the file ends with its END page */
    uint64_t begin_real_ns;
    uint64_t elapsed_ns;
    snoopi_exit_kind exit_kind;
    int exit_value;
    uint32_t argc;
    const char *const *argv; /* the recorded command */
    const char *writer;      /* version of snoopi that packed it */
    const char *note;        /* what the recording lacks, or "" */
    uint32_t processes;
    uint64_t frames;
} snoopi_recording;

/** A method instance, or a toplevel thunk. Strings are borrowed from the trace. */
typedef struct {
    uint32_t id;
    bool is_toplevel;
    uint32_t method; /* id; 0 for a thunk */
    uint32_t
        agent_id; /* of a window: what snoopi_agent_instance() of the process knows it by; else 0 */
    uint64_t method_world;
    const char *name;        /* whole, as Julia shows it: "f(::Int64)". May be long. */
    const char *method_name; /* name of the method: "f", "#kw##kw", "##kw#1" */
    const char *function;    /* the user's function: "kw" for its keyword sorter and body too */
    const char *module;      /* "LinearAlgebra.BLAS" */
    const char *package;     /* its root module: "LinearAlgebra" */
    const char *file;        /* on disk if found, else as Julia has it */
    const char *raw_file;    /* as Julia has it */
    int32_t line;
    uint32_t result; /* node: the type that it was inferred to return; 0: not known */
} snoopi_instance;

/** One argument that was constant. */
typedef struct {
    uint32_t position; /* 1 is the function itself */
    uint32_t node;     /* print with snoopi_trace_node_text() */
} snoopi_arg;

/** A frame as a walk yields it. `args` and `stack` are valid until the next step. */
typedef struct {
    uint64_t id;    /* number of the frame in the trace, from 0 */
    int64_t parent; /* id of its parent, −1 for a root */
    uint32_t depth; /* 0 for a root */
    uint32_t process;
    uint32_t thread;
    uint32_t task;
    uint32_t instance;
    uint32_t flags; /* SNOOPI_FRAME_* */
    uint64_t begin_ns;
    uint64_t end_ns;
    uint64_t total_ns;
    uint64_t self_ns;
    uint64_t gc_ns; /* part of self */
    uint32_t n_args;
    const snoopi_arg *args;
    /* of the toplevel line that was running at its root: file id; 0: not known */
    uint32_t line_file;
    uint32_t line;
    /* of a root: the native stack at its entry, as ids for snoopi_trace_code(), innermost first; 0: lost */
    uint32_t n_stack; /* 0 if it was not recorded */
    const uint32_t *stack;
    bool is_stack_cut; /* it went on */
} snoopi_frame;

/**
 * Opens a trace or a segment.
 *
 * @param out  the trace, or NULL on failure; close with snoopi_trace_close().
 * @return SNOOPI_OK, SNOOPI_E_IO, SNOOPI_E_FORMAT, SNOOPI_E_VERSION or SNOOPI_E_NOMEM.
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_trace_open(snoopi_trace **out, const char *path,
                                                   snoopi_error *err);

/** Closes `trace` and invalidates all that was borrowed from it. NULL is allowed. */
SNOOPI_API void snoopi_trace_close(snoopi_trace *trace);

/** What could not be read ("cut at byte 4711: …"), or NULL when the file is whole. */
SNOOPI_API const char *snoopi_trace_damage(const snoopi_trace *trace);

SNOOPI_API const snoopi_recording *snoopi_trace_recording(const snoopi_trace *trace);

/**
 * Whether all processes were recorded on this machine by this user, as far as the trace tells: it has a hash of the machine's id
 * that nobody elsewhere can make up. False also where a machine has no id.
 */
SNOOPI_API bool snoopi_trace_is_from_here(const snoopi_trace *trace);

/** Number of processes; the process of an index below that. */
SNOOPI_API uint32_t snoopi_trace_n_processes(const snoopi_trace *trace);
SNOOPI_API const snoopi_process *snoopi_trace_process(const snoopi_trace *trace, uint32_t index);

/** Highest instance id. Ids from 1 to that are valid. */
SNOOPI_API uint32_t snoopi_trace_n_instances(const snoopi_trace *trace);

/**
 * Describes an instance. Names are made on first use and kept by the trace; the result is valid
 * until the trace is closed. NULL if the id is out of range or memory is short.
 */
SNOOPI_API const snoopi_instance *snoopi_trace_instance(snoopi_trace *trace, uint32_t id);

/** Path of a file id (snoopi_frame.line_file): on disk if found, else as Julia has it; "" for 0. */
SNOOPI_API const char *snoopi_trace_file(const snoopi_trace *trace, uint32_t file);

/**
 * Text of a constant argument, or of a type, as Julia would show it. Kept by the trace.
 */
SNOOPI_API const char *snoopi_trace_node_text(snoopi_trace *trace, uint32_t node);

/**
 * What a frame is about: the name of its instance, with constant arguments before their types, `getproperty(::P, x::Symbol)`.
 * Valid until the next call for this trace that makes a name.
 */
SNOOPI_API const char *snoopi_trace_frame_text(snoopi_trace *trace, const snoopi_frame *frame);

/** A place in a source file that machine code was made of. Strings are borrowed from the trace. */
typedef struct {
    const char *name;     /* of the function, as Julia or the C library has it; "" if not known */
    const char *file;     /* on disk if found, else as Julia has it; "" if not known */
    const char *raw_file; /* as Julia has it */
    uint32_t line;        /* 0: not known */
    uint32_t instance;    /* 0: not known, as for what is inlined */
    bool is_inlined;      /* into the place behind it */
    bool is_c;            /* C, or the runtime's own */
    bool is_toplevel;     /* of a thunk */
    bool is_entrance;     /* a function of the compiler that inference is entered by */
} snoopi_place;

/** A return address on a stack: the function that was left there, behind what was inlined into it, innermost first. */
typedef struct {
    uint64_t address;
    uint32_t n_places; /* 0: it was not looked up before the process died */
    const snoopi_place *places;
} snoopi_code;

/** Highest code id. Ids from 1 to that are valid. */
SNOOPI_API uint32_t snoopi_trace_n_codes(const snoopi_trace *trace);

/**
 * Describes a code id. Made on first use and kept by the trace; NULL if the id is out of range or memory is short.
 */
SNOOPI_API const snoopi_code *snoopi_trace_code(snoopi_trace *trace, uint32_t id);

/** Word of one flag bit: "constprop", "nested", …; NULL for a bit that has none. */
SNOOPI_API const char *snoopi_flag_name(uint32_t flag);

/** A position in the frames of a trace. */
typedef struct snoopi_walk snoopi_walk;

/** Starts at the first frame of `process`, or of the whole trace when `process` is −1. */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_walk_open(snoopi_walk **out, snoopi_trace *trace,
                                                  int64_t process, snoopi_error *err);

/**
 * Steps to the next frame.
 *
 * @return 1 with `*frame` filled, 0 at the end, or a negative status. Damage met on the way ends
 * the walk with 0 and is
 *         then told by snoopi_trace_damage().
 */
SNOOPI_API SNOOPI_MUST_CHECK int snoopi_walk_next(snoopi_walk *walk, snoopi_frame *frame,
                                                  snoopi_error *err);

SNOOPI_API void snoopi_walk_close(snoopi_walk *walk);

/** A mark that the program set by snoopi_agent_mark(). */
typedef struct {
    uint32_t process;
    uint64_t time_ns;
    const char *name;
} snoopi_mark;

SNOOPI_API uint32_t snoopi_trace_n_marks(const snoopi_trace *trace);
SNOOPI_API const snoopi_mark *snoopi_trace_mark(const snoopi_trace *trace, uint32_t index);

/** What a frame with the flag SNOOPI_FRAME_INVALIDATED replaces. */
typedef struct {
    uint32_t process;
    uint32_t instance;
    uint64_t
        world; /* the last in which there was code of the instance that held: what was defined in the next one ended it */
} snoopi_invalidated;

/** Number of frames with that flag; what they tell, process by process in order of their begin. */
SNOOPI_API uint32_t snoopi_trace_n_invalidated(const snoopi_trace *trace);
SNOOPI_API const snoopi_invalidated *snoopi_trace_invalidated(const snoopi_trace *trace,
                                                              uint32_t index);

SNOOPI_END_DECLS
#endif
