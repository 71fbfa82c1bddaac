// SPDX-License-Identifier: MIT
//
// From instances that were inferred to RESULTs.

#include "record/results.h"

#include "julia/julia.h"
#include "record/graph.h"

/* What the compiler keeps of an instance for the newest world; NULL: nothing. The newest is the first of the list. */
static jl_any find_code(jl_any instance)
{
    const size_t world = julia.get_world_counter();
    jl_any code = load_ptr(instance, julia.at.mi_cache);

    while (code != NULL &&
           (load_ptr(code, julia.at.ci_inferred) == NULL ||
            load_u64(code, julia.at.ci_min_world) > world ||
            load_u64(code, julia.at.ci_max_world) < world ||
            (julia.row->code_has_owner && load_ptr(code, julia.at.ci_owner) != julia.nothing))) {
        code = load_ptr(code, julia.at.ci_next);
    }
    return code;
}

static void write_result(struct thread *thread, uint32_t id)
{
    jl_any const instance = graph_live_instance(id);
    jl_any const code = instance == NULL ? NULL : find_code(instance);
    jl_any const type = code == NULL ? NULL : load_ptr(code, julia.at.ci_rettype);

    if (type != NULL) {
        graph_result(&thread->writer, id, type);
    }
}

void results_write(struct thread *thread, uint32_t instance, uint32_t depth, bool is_finished)
{
    if (!is_finished) {
        const uint32_t n = thread->n_waiting;
        if (instance != 0 && n < WAITING_MAX) {
            thread->waiting[n].instance = instance;
            thread->waiting[n].depth = depth;
            thread->n_waiting = n + 1;
        }
        return;
    }
    /* Those that waited for this frame were below it. What was left by a jump goes with them: it has a result or none. */
    while (thread->n_waiting > 0 && thread->waiting[thread->n_waiting - 1].depth > depth) {
        thread->n_waiting--;
        write_result(thread, thread->waiting[thread->n_waiting].instance);
    }
    if (instance != 0) {
        write_result(thread, instance);
    }
}
