// SPDX-License-Identifier: MIT
//
// What a program can ask of the agent in its own process: to mark a moment, to be recorded from here on, to know what an instance
// of its segment is.

#include <stdatomic.h>
#include <string.h>

#include "agent.h"
#include "hook/hook.h"
#include "hook/install.h"
#include "julia/julia.h"
#include "record/graph.h"
#include "record/segment_writer.h"
#include "wake.h"

#define EXPORTED __attribute__((visibility("default")))

static struct {
    atomic_bool is_pending; /* the hook is to be set at the next collection */
    bool is_watching;       /* for one */
    char reason[256];       /* why there is no segment */
} session;

/**
 * Marks this moment in the recording, for the scope --mark=NAME. Does nothing when nothing
 * records.
 */
EXPORTED void snoopi_agent_mark(const char *name);
void snoopi_agent_mark(const char *name)
{
    if (name != NULL) {
        (void)hook_mark(name);
    }
}

/**
 * Tells that the compiler was replaced (by jl_set_typeinf_func): its new copies are hooked as
 * well. To be called while no other thread infers. Returns 0 on success.
 */
EXPORTED int snoopi_agent_rescan(void);
int snoopi_agent_rescan(void)
{
    const char *reason = NULL;
    return agent_is_able() && hook_install(&reason) ? 0 : -1;
}

/* Before a collection the other threads stand at safepoints, of which the first instructions of a function have none. */
static void set_hook_in_pause(int full)
{
    (void)full;
    if (atomic_exchange(&session.is_pending, false)) {
        agent_set_hook(agent_now());
    }
}

static void prepare(const char *dir)
{
    const size_t size = strnlen(dir, sizeof agent_options.dir);

    if (size == sizeof agent_options.dir || !julia_find() || !julia_is_ready()) {
        memcpy(session.reason, "no Julia runs here", sizeof "no Julia runs here");
        return;
    }
    memcpy(agent_options.dir, dir, size + 1);
    agent_options.want_args = true;
    agent_options.want_stacks = true;
    if (agent_open_segment(session.reason, sizeof session.reason) &&
        julia_watch_collections(set_hook_in_pause, true)) {
        session.is_watching = true;
        atomic_store(&session.is_pending, true);
    }
}

static void tell(char *reason, size_t size)
{
    const char *const why = segment_header() != NULL && segment_header()->reason[0] != '\0'
                                ? segment_header()->reason
                                : session.reason;
    if (size > 0) {
        const size_t n = strnlen(why, size - 1);
        memcpy(reason, why, n);
        reason[n] = '\0';
    }
}

/**
 * Starts recording in a session that runs already: nothing is recorded but what windows ask for. When the process is recorded anyway
 * (by `snoopi record`), that recording is told.
 *
 * To be called on a thread of Julia's, until it does not return 0: the hook is set in a collection, where all other threads wait, and the
 * caller is to have one made. No two threads at a time.
 *
 * @param dir     folder for the segment, private and absolute.
 * @param reason  filled when it returns a negative number.
 * @return 1: it records; 0: it will after the next collection; −1: it can't.
 */
EXPORTED int snoopi_agent_start(const char *dir, char *reason, size_t size);
int snoopi_agent_start(const char *dir, char *reason, size_t size)
{
    if (agent_claim_start()) {
        prepare(dir);
    }
    if (atomic_load(&session.is_pending)) {
        return 0;
    }
    if (session.is_watching) {
        session.is_watching = false;
        (void)julia_watch_collections(set_hook_in_pause, false);
    }
    if (!agent_is_able()) {
        tell(reason, size);
        return -1;
    }
    return 1;
}

/** The segment that is written; NULL if there is none. */
EXPORTED const char *snoopi_agent_segment(void);
const char *snoopi_agent_segment(void)
{
    return agent_is_able() ? segment_path() : NULL;
}

/**
 * Opens a window, marked by `name`: from now on things are recorded. Windows may be open at the same time, of any threads.
 *
 * @return when it began (CLOCK_MONOTONIC), or 0 when nothing can be recorded.
 */
EXPORTED uint64_t snoopi_agent_window_begin(const char *name);
uint64_t snoopi_agent_window_begin(const char *name)
{
    if (!agent_is_able()) {
        return 0;
    }
    agent_add_window(1);
    (void)hook_mark(name);
    return agent_now(); /* the mark, and what it cost, lies before */
}

/** Closes one, marked by `name`; when it ended. Once for each that began. */
EXPORTED uint64_t snoopi_agent_window_end(const char *name);
uint64_t snoopi_agent_window_end(const char *name)
{
    const uint64_t marked = hook_mark(name);
    agent_add_window(-1);
    return marked != 0 ? marked : agent_now();
}

/**
 * Tells that the calling thread does the tool's own work from now on (1), or no more (0): what is inferred for it is not recorded, and
 * the time is the tool's. Its task must not switch meanwhile.
 */
EXPORTED void snoopi_agent_own(int is_own);
void snoopi_agent_own(int is_own)
{
    hook_own(is_own != 0);
}

/** The MethodInstance that the segment knows by `id`; NULL if it is a thunk's or was freed. */
EXPORTED void *snoopi_agent_instance(uint32_t id);
void *snoopi_agent_instance(uint32_t id)
{
    return graph_live_instance(id);
}
