// SPDX-License-Identifier: MIT
// The trigger of a root, off its stack. See snoopi/triggers.h.
//
// The stack is read from the callee outward until the caller is met. What lies between says how the call was made. The
// interpreter ends the search: what is behind it did not call, but had top-level code run.
#include <stdlib.h>
#include <string.h>

#include <snoopi/triggers.h>

#include "base/arena.h"
#include "base/fail.h"
#include "roles.h"

struct snoopi_trigger_finder {
    snoopi_trace *trace;
    bool is_all;
    unsigned char **roles; // by code id: of its places; NULL: not yet asked
    snoopi__arena arena;
};

// Codes that were not looked up between the interpreter and a function that may have called eval: eval itself.
enum { EVAL_GAPS_MAX = 1 };

typedef struct {
    snoopi_trigger_finder *finder;
    const snoopi_frame *root;
    snoopi_trigger *trigger;
    snoopi_trigger_class hint; // what the entrance into the compiler says, if nothing says more
    bool is_interpreted;       // top-level code was met
    bool is_evaluated;         // … which eval runs
    bool is_over;
    uint32_t gaps; // codes that are not known, since the callee or the interpreter
} reading;

int snoopi_trigger_finder_new(snoopi_trigger_finder **out, snoopi_trace *trace, bool is_all,
                              snoopi_error *err)
{
    *out = NULL;
    snoopi_trigger_finder *finder = calloc(1, sizeof *finder);
    if (!finder) {
        return snoopi__fail_nomem(err);
    }
    finder->trace = trace;
    finder->is_all = is_all;
    finder->roles = calloc((size_t)snoopi_trace_n_codes(trace) + 1, sizeof *finder->roles);
    if (!finder->roles) {
        free(finder);
        return snoopi__fail_nomem(err);
    }
    *out = finder;
    return 0;
}

void snoopi_trigger_finder_free(snoopi_trigger_finder *finder)
{
    if (finder) {
        snoopi__arena_clear(&finder->arena);
        free(finder->roles);
        free(finder);
    }
}

const char *snoopi_trigger_class_name(int trigger_class)
{
    static const char *const names[] = {
        [SNOOPI_TRIGGER_DISPATCH] = "dispatch",
        [SNOOPI_TRIGGER_TOPLEVEL] = "toplevel",
        [SNOOPI_TRIGGER_TASK] = "task",
        [SNOOPI_TRIGGER_PRECOMPILE] = "precompile",
        [SNOOPI_TRIGGER_RETURN_TYPE] = "return_type",
        [SNOOPI_TRIGGER_REFLECTION] = "reflection",
        [SNOOPI_TRIGGER_EVAL] = "eval",
        [SNOOPI_TRIGGER_CCALLBACK] = "ccallback",
        [SNOOPI_TRIGGER_LOAD] = "load",
    };
    return trigger_class > 0 && (size_t)trigger_class < sizeof names / sizeof names[0]
               ? names[trigger_class]
               : NULL;
}

// Roles of the places of a code; NULL when memory is short.
static const unsigned char *roles_of(snoopi_trigger_finder *finder, uint32_t id,
                                     const snoopi_code *code)
{
    if (!finder->roles[id]) {
        unsigned char *roles = snoopi__arena_alloc(&finder->arena, code->n_places);
        if (!roles) {
            return NULL;
        }
        for (uint32_t i = 0; i < code->n_places; i++) {
            roles[i] = (unsigned char)snoopi__role_of_place(finder->trace, &code->places[i]);
        }
        finder->roles[id] = roles;
    }
    return finder->roles[id];
}

// --- one place after the other ---

// What is told first is nearest to the callee, and holds.
static void tell(reading *r, snoopi_trigger_class trigger_class)
{
    if (r->trigger->trigger_class == SNOOPI_TRIGGER_UNKNOWN) {
        r->trigger->trigger_class = trigger_class;
    }
}

// Ends the search with the class that holds if nothing told another.
static void end(reading *r, snoopi_trigger_class otherwise)
{
    tell(r, r->hint ? r->hint : otherwise);
    r->is_over = true;
}

static void set_site(reading *r, uint32_t depth, const snoopi_code *code, uint32_t at)
{
    snoopi_trigger *t = r->trigger;
    t->places = &code->places[at];
    t->n_places = code->n_places - at;
    t->file = t->places->file[0] ? t->places->file : NULL;
    t->line = t->places->line;
    t->depth = depth;
    t->is_near = r->gaps == 0;
}

static void on_caller(reading *r, uint32_t depth, const snoopi_code *code, uint32_t at)
{
    if (r->is_interpreted && !(r->is_evaluated && r->gaps <= EVAL_GAPS_MAX)) {
        end(r, SNOOPI_TRIGGER_TOPLEVEL); // it had a file included
        return;
    }
    const bool is_evaluated = r->is_interpreted;
    r->gaps = is_evaluated ? 0 : r->gaps; // that one was eval
    set_site(r, depth, code, at);
    r->trigger->caller = code->places[code->n_places - 1].instance;
    end(r, is_evaluated ? SNOOPI_TRIGGER_EVAL : SNOOPI_TRIGGER_DISPATCH);
}

static void on_thunk(reading *r, uint32_t depth, const snoopi_code *code, uint32_t at)
{
    if (!r->is_interpreted) {
        set_site(r, depth, code, at);
    }
    end(r, SNOOPI_TRIGGER_TOPLEVEL);
}

static void on_interpreter(reading *r, uint32_t depth)
{
    if (!r->is_interpreted) {
        r->is_interpreted = true;
        r->trigger->is_near = r->gaps == 0;
        r->trigger->depth = depth;
        r->gaps = 0;
    }
}

// What passes on: it says how the call was made, and is stepped over.
static void on_noise(reading *r, snoopi__role role)
{
    switch (role) {
    case ROLE_ASKS_TYPE: tell(r, SNOOPI_TRIGGER_RETURN_TYPE); break;
    case ROLE_REFLECTS: tell(r, SNOOPI_TRIGGER_REFLECTION); break;
    case ROLE_PRECOMPILE: tell(r, SNOOPI_TRIGGER_PRECOMPILE); break;
    case ROLE_INVOKELATEST:
        if (!r->is_interpreted) {
            tell(r, SNOOPI_TRIGGER_EVAL);
        }
        break;
    case ROLE_EVAL: r->is_evaluated = true; break;
    case ROLE_INCLUDE:
    case ROLE_DRIVER:
        if (r->is_interpreted) {
            end(r, SNOOPI_TRIGGER_TOPLEVEL);
        }
        break;
    case ROLE_REQUIRE: end(r, SNOOPI_TRIGGER_LOAD); break;
    case ROLE_NONE:
    case ROLE_USER:
    case ROLE_COMPILER:
    case ROLE_TOPLEVEL:
    case ROLE_INTERPRETER:
    case ROLE_EVAL_IN:
    case ROLE_TASK:
    case ROLE_HINT:
    case ROLE_LATEST:
    case ROLE_CALLBACK:
    case ROLE_INITIALIZER:
    case ROLE_TEST:
    case ROLE_ENTERS_TYPE:
    case ROLE_ENTERS_CODE: break;
    }
}

static void on_place(reading *r, uint32_t depth, const snoopi_code *code, uint32_t at,
                     snoopi__role role)
{
    if (code->places[at].is_entrance) {
        r->gaps = 0; // what lies within is the compiler's, known or not
    }
    switch (role) {
    case ROLE_NONE:
    case ROLE_COMPILER: break;
    case ROLE_USER: on_caller(r, depth, code, at); break;
    case ROLE_TOPLEVEL: on_thunk(r, depth, code, at); break;
    case ROLE_EVAL_IN:
    case ROLE_INTERPRETER:
        on_interpreter(r, depth);
        r->is_evaluated |= role == ROLE_EVAL_IN;
        break;
    case ROLE_TASK: end(r, SNOOPI_TRIGGER_TASK); break;
    case ROLE_INITIALIZER: end(r, SNOOPI_TRIGGER_LOAD); break;
    case ROLE_HINT: tell(r, SNOOPI_TRIGGER_PRECOMPILE); break;
    case ROLE_LATEST: tell(r, SNOOPI_TRIGGER_EVAL); break;
    case ROLE_CALLBACK: tell(r, SNOOPI_TRIGGER_CCALLBACK); break;
    case ROLE_ENTERS_TYPE: r->hint = SNOOPI_TRIGGER_RETURN_TYPE; break;
    case ROLE_ENTERS_CODE: r->hint = SNOOPI_TRIGGER_REFLECTION; break;
    case ROLE_ASKS_TYPE:
    case ROLE_REFLECTS:
    case ROLE_PRECOMPILE:
    case ROLE_INVOKELATEST:
    case ROLE_EVAL:
    case ROLE_INCLUDE:
    case ROLE_REQUIRE:
    case ROLE_DRIVER:
    case ROLE_TEST:
        on_noise(r, role);
        if (r->finder->is_all && !r->is_interpreted && !r->is_over) {
            on_caller(r, depth, code, at);
        }
        break;
    }
}

// --- the stack ---

static int read_code(reading *r, uint32_t depth, snoopi_error *err)
{
    const uint32_t id = r->root->stack[depth];
    const snoopi_code *code = snoopi_trace_code(r->finder->trace, id);
    if (!code || code->n_places == 0) {
        r->gaps++;
        return 0;
    }
    const unsigned char *roles = roles_of(r->finder, id, code);
    if (!roles) {
        return snoopi__fail_nomem(err);
    }
    for (uint32_t i = 0; i < code->n_places && !r->is_over; i++) {
        on_place(r, depth, code, i, (snoopi__role)roles[i]);
    }
    return 0;
}

// When the stack came to its end without a caller.
static void conclude(reading *r)
{
    if (r->is_interpreted) {
        end(r, SNOOPI_TRIGGER_TOPLEVEL);
    } else if (r->gaps > 0) {
        end(r, SNOOPI_TRIGGER_DISPATCH); // by a function that is not known
        r->trigger->is_near = false;
    } else if (r->root->is_stack_cut) {
        tell(r, r->hint);
    } else {
        end(r, SNOOPI_TRIGGER_TASK); // nobody called: the runtime did
    }
}

// The top-level line that was running is the site where no function is.
static void use_line(reading *r)
{
    snoopi_trigger *t = r->trigger;
    if (t->n_places == 0 && r->root->line_file && r->root->line) {
        const char *file = snoopi_trace_file(r->finder->trace, r->root->line_file);
        t->file = file[0] ? file : NULL;
        t->line = r->root->line;
    }
}

int snoopi_trigger_find(snoopi_trigger_finder *finder, const snoopi_frame *root,
                        snoopi_trigger *trigger, snoopi_error *err)
{
    *trigger = (snoopi_trigger){
        .callee = root->instance, .is_near = root->n_stack > 0, .depth = root->n_stack};
    reading r = {.finder = finder, .root = root, .trigger = trigger};
    r.hint = root->flags & SNOOPI_FRAME_TOOLING ? SNOOPI_TRIGGER_REFLECTION : r.hint;
    const snoopi_instance *callee = snoopi_trace_instance(finder->trace, root->instance);
    if (!callee) {
        return snoopi__fail_nomem(err);
    }
    if (strcmp(callee->method_name, "__init__") == 0) {
        tell(&r, SNOOPI_TRIGGER_LOAD);
    }
    for (uint32_t i = 0; i < root->n_stack && !r.is_over; i++) {
        const int st = read_code(&r, i, err);
        if (st < 0) {
            return st;
        }
    }
    if (root->n_stack == 0) {
        tell(&r, callee->is_toplevel ? SNOOPI_TRIGGER_TOPLEVEL : r.hint);
    } else if (!r.is_over) {
        conclude(&r);
    }
    use_line(&r);
    return 0;
}
