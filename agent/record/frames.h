// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_FRAMES_H
#define SNOOPI_AGENT_FRAMES_H

/**
 * @file
 * Threads of the host that write, and the frames that are open on its tasks.
 *
 * Everything here may be left by a longjmp at any instruction. An open frame is pushed before its
 * BEGIN is written, and popped after its END; the numbers of these attempts tell later whether each
 * was written.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "julia/julia.h"
#include "machine/unwind.h"
#include "record/segment_writer.h"

enum {
    CALLERS = 64,        /* return addresses whose kind is kept, per thread */
    FILE_NAME_MAX = 256, /* bytes of a file's name that is known again */
    WAITING_MAX = 256,   /* frames of cycles that are not finished, per thread */
    EVENT_TAIL_MAX = 680 /* bytes of an event behind its dt and tool */
};

enum { NOBODY_RUNS = 0, NOT_KNOWN = UINT32_MAX };

/** What is open on a task. */
enum open_kind {
    OPEN_FRAME,
    OPEN_ENTRANCE, /* a call through which inference is entered and that is no frame itself */
    OPEN_LOOP      /* a call that works on frames by turns */
};

/** A frame, an entrance or a loop. Others of its task are named by index + 1. */
struct open_frame {
    uintptr_t sp;      /* where its return address lies */
    uintptr_t caller;  /* that return address */
    void **gc_head;    /* of Julia's list of roots on the stack, when it began; */
    void *gc_next;     /* and what followed it there */
    uint32_t n_frames; /* open frames up to here, itself included */
    enum open_kind kind;
    bool is_tooling; /* asked for by a tool, or below what is */
    /* What ran when it began: the parent of a frame. */
    uint32_t parent;
    uint32_t loop;       /* that works on the frame, or the loop itself; 0: none */
    jl_any state;        /* what the compiler knows the frame by, where frames take turns */
    uintptr_t finish_sp; /* of the call that ends it when it returns */
    bool is_in_cycle;    /* and that ends a frame above it as well */
    uint64_t begin_attempt;
    uint64_t end_attempt; /* 0: no END was tried */
    uint32_t begin_thread;
    uint32_t end_thread;
    uint32_t result_of; /* the instance whose return type it infers; 0: none */
};

/** A task that inferred. */
struct task {
    jl_any task;
    struct open_frame *frames;
    uint32_t depth;
    uint32_t capacity;
    uint32_t running; /* the frame that runs, as the stream has it, or NOT_KNOWN */
};

struct caller {
    uintptr_t address;
    bool is_entrance;
};

struct thread {
    uint64_t tool_ns;      /* spent since the last event's time */
    uint64_t own_since_ns; /* it runs what is the tool's own; 0: it does not */
    struct task *task;     /* of the last event */
    uint32_t written_task; /* that the stream is about */
    uint32_t n_waiting;
    struct segment_writer writer;
    uint64_t gc_begin_ns;
    uint32_t line_file; /* last LINE written */
    uint64_t line;
    uint32_t named_file; /* the file of this name; 0: there is none */
    char file_name[FILE_NAME_MAX];
    struct {
        uint64_t begin_ns;
        bool is_looked_up; /* or there is nothing that could be */
        bool is_known;     /* nothing of its stack is left to look up */
        uint32_t walk;     /* its stack is in walks[]; the other one is that of the root before */
        struct unwind_walk walks[2]; /* notes are ids of code */
    } root;                          /* the last one */
    struct caller callers[CALLERS];
    struct {
        uint32_t instance;
        uint32_t depth;
    } waiting[WAITING_MAX]; /* for the end of their cycle (results.h) */
};

/** The calling thread's; made on first use. NULL when there is no room for another. */
struct thread *frames_thread(void);

/**
 * The current task. What another task left on this thread is closed, unless tasks may switch while
 * they infer. NULL when there is no room for another task.
 */
struct task *frames_task(struct thread *thread, uint64_t now);

/**
 * Closes the frames that were left by a jump: those whose return address lies at or below `sp`, since
 * the stack is above them, and those whose part of the stack has become another's.
 */
void frames_sweep(struct thread *thread, struct task *task, uintptr_t sp, uint64_t now);

/**
 * Writes the BEGIN of a frame, which is of the one that runs, and opens it. False when it could not be written.
 *
 * @param sp    where its return address lies; 0: it lasts as long as the loop that works on what is innermost.
 */
bool frames_open(struct thread *thread, struct task *task, uintptr_t sp, const uint8_t *tail,
                 size_t size, uint64_t now);

/** Lets the open frame `entry` (index + 1) run from now on. */
void frames_run(struct thread *thread, struct task *task, uint32_t entry, uint64_t now);

/** Writes the END of the innermost open frame and closes it. */
void frames_close(struct thread *thread, struct task *task, const uint8_t *tail, size_t size,
                  uint64_t now);

/** Writes an event: dt and tool, then `tail`. */
bool frames_event(struct thread *thread, uint32_t tag, uint64_t now, const uint8_t *tail,
                  size_t size);

/** Opens an entrance or a loop; nothing is written. False when there is no room. */
bool frames_enter(struct thread *thread, struct task *task, enum open_kind kind, uintptr_t sp,
                  bool is_tooling);

/** How many frames are open in `task`, entrances not counted. */
static inline uint32_t frames_count(const struct task *task)
{
    return task->depth == 0 ? 0 : task->frames[task->depth - 1].n_frames;
}

/** Whether the innermost thing that is open is an entrance. */
static inline bool frames_at_entrance(const struct task *task)
{
    return task->depth > 0 && task->frames[task->depth - 1].kind == OPEN_ENTRANCE;
}

/**
 * Whether what begins now is a tool's because of what is open. Below a tool's frame all is the
 * tool's, whichever copy of the compiler does it (on 1.10 the tools' copy goes on in the live one);
 * what is entered anew is not, unless the entrance is a tool's.
 */
static inline bool frames_at_tool(const struct task *task, bool is_nested)
{
    return task->depth > 0 && task->frames[task->depth - 1].is_tooling &&
           (!is_nested || frames_at_entrance(task));
}

/** Counts a record that could not be written, of any kind but BEGIN. */
void frames_count_lost(void);

#endif
