// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_H
#define SNOOPI_AGENT_H

/**
 * @file
 * The agent: what lives inside the julia process.
 *
 * It is a guest. Nothing here prints, exits, aborts, calls malloc, or runs Julia code; on trouble
 * a part of it turns itself off, remembers the first reason and counts what it lost, and the
 * segment says so.
 *
 * Any of this code may be left by a longjmp at any instruction: Julia turns a stack overflow, and
 * a SIGINT that is insisted on, into a jump from wherever the thread is. So shared state changes
 * by one store that comes last, and locks know their owner and are taken away from one that jumped
 * (lock.h).
 *
 *     wake.c    when to start: finds Julia, waits for the right moment, starts all else
 *     session.c what the program can ask for: marks, windows
 *     lock.c    who writes
 *     intern.c  address → id
 *     peek.c    reads of memory that may not be there
 *
 * In julia/, what is known of Julia and read from it:
 *
 *     julia.c     what of Julia is used: functions, field offsets
 *     versions.c  what differs by version, one row each
 *     binding.c   what names mean in modules
 *     module_table.c  their tables up to 1.9, read without Julia's lock
 *     find.c      compiled copies of the compiler's functions, through Julia's own data
 *
 * In hook/, how it is heard that a frame begins and ends:
 *
 *     install.c   which functions are hooked
 *     override.c, override.jl  the other way in, in Julia, for those who ask for it
 *     hook.c      begin and end of a frame, and the other events
 *     turns.c     frames of Julia 1.12, which take turns
 *
 * In record/, what is written of it:
 *
 *     frames.c    threads, and the frames that are open on tasks
 *     describe.c  what a frame is about
 *     results.c   what instances were inferred to return
 *     stacks.c    native stacks of roots: who called inference
 *     objects.c   which object file an address lies in
 *     graph.c     instances, methods, modules as definitions
 *     typenode.c  types as nodes
 *     typename.c  names of types, and aliases
 *     value.c     constant values as nodes
 *     segment_writer.c   the file
 *
 * In machine/, what depends on the processor:
 *
 *     entry.S   jumps in: the dl interposers, the hook stub, room for moved prologues
 *     decode.c  machine instructions of a prologue, understood or refused
 *     patch.c   writes a jump over a prologue
 *     unwind.c, cfi.c  walking native stacks by the compiler's unwind tables
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define AGENT_VERSION "0.1.0"

/** Marks what rarely runs, so that it does not lie between what runs at each frame: the compiler has emptied the caches of code as well. */
#define RARELY __attribute__((cold, noinline))

/** Monotonic time in ns. */
static inline uint64_t agent_now(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/** What the environment asked for. */
struct agent_options {
    bool want_args;
    bool want_stacks;
    bool want_override; /* instead of the native hook */
    int only_pid;       /* 0: every process */
    char dir[4096];
};

extern struct agent_options agent_options;

/** Whether the hook records: false in a forked child, after trouble, and before the start. */
bool agent_is_recording(void);

/** Stops recording for good. The first reason is kept in the segment; `reason` is copied. */
void agent_turn_off(const char *reason);

#endif
