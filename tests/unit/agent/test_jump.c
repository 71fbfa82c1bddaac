// SPDX-License-Identifier: MIT
// Begin and end of a frame may be left by a longjmp at any instruction: what was recorded afterwards is right.
//
// Two ways to choose the instruction. The agent is compiled so that it calls accesses.c before each access to memory that
// others see, and is left once at each: between these, nothing changes. And a tree of frames is left at random, also by signals. What the
// test did is noted, and compared with the packed segment.
#include "tests/unit/cmocka_all.h"

#include <pthread.h>
#include <signal.h>
#include <snoopi/trace.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accesses.h"
#include "agent/agent.h"
#include "agent/machine/entry.h"
#include "agent/record/frames.h"
#include "fakejulia.h"

// How far a frame got
enum { NOT_BEGUN, BEGINNING, OPEN, ENDING, ENDED };

struct note {
    uint8_t state;
    uint32_t parent;      // frame number; 0: a root
    uint64_t begin_ns[2]; // it began between these
    uint64_t end_ns[2];
};

enum { NOTES_MAX = 600000 };
static volatile struct note notes[NOTES_MAX];
static uint32_t last_note;

static _Thread_local volatile uint32_t innermost; // open frame, as the test knows

// --- frames ---

static uint32_t note_new(void)
{
    const uint32_t n = ++last_note;
    if (n >= NOTES_MAX) {
        abort();
    }
    notes[n].parent = innermost;
    return n;
}

static void begin(uint32_t n, uintptr_t sp)
{
    notes[n].begin_ns[0] = agent_now();
    notes[n].state = BEGINNING;
    fake_frame_begin(n, sp);
    notes[n].begin_ns[1] = agent_now();
    notes[n].state = OPEN;
    innermost = n;
}

static void end(uint32_t n, uintptr_t sp)
{
    notes[n].end_ns[0] = agent_now();
    notes[n].state = ENDING;
    innermost = notes[n].parent;
    agent_frame_end(1, &fake_hook, sp);
    notes[n].end_ns[1] = agent_now();
    notes[n].state = ENDED;
}

typedef void body(void *argument);

// The agent tells frames by where they lie on the stack, so these have to lie there: what the sanitizer would keep from them elsewhere, to
// find uses of a frame that has returned, it leaves in place.
#define ON_THE_STACK __attribute__((noinline, no_sanitize_address))

// A hooked function of the compiler.
ON_THE_STACK static void hooked(body *run, void *argument)
{
    volatile uintptr_t return_address = (uintptr_t)__builtin_return_address(0);
    const uintptr_t sp = (uintptr_t)&return_address;
    const uint32_t n = note_new();

    begin(n, sp);
    if (run) {
        run(argument);
    }
    end(n, sp);
}

// Calls it. What calls the compiler in Julia has something on its stack for the collector.
ON_THE_STACK static void infer(body *run, void *argument)
{
    struct gc_frame roots = {4, fake_gc_stack};

    fake_gc_stack = &roots;
    hooked(run, argument);
    fake_gc_stack = roots.below;
}

// The same deeper in the stack, below what other calls overwrote.
ON_THE_STACK static void infer_deeper(body *run, void *argument)
{
    struct gc_frame roots = {2, fake_gc_stack};
    volatile char used[3000];

    fake_gc_stack = &roots;
    for (size_t i = 0; i < sizeof used; i++) {
        used[i] = (char)i;
    }
    infer(run, argument);
    fake_gc_stack = roots.below;
    (void)used[0];
}

// --- jumps ---

// Where a jump lands: the state that Julia puts back too.
struct landing {
    sigjmp_buf buffer;
    struct gc_frame *gc_stack;
    void *task;
    uint32_t innermost;
    struct landing *outer;
};
static _Thread_local struct landing *volatile landing;
static volatile uint64_t n_jumps;

static void jump(void)
{
    struct landing *const to = landing;
    fake_gc_stack = to->gc_stack;
    fake_current_task = to->task;
    innermost = to->innermost;
    n_jumps++;
    siglongjmp(to->buffer, 1);
}

// To be called when the buffer is filled.
static void landing_push(struct landing *l)
{
    l->gc_stack = fake_gc_stack;
    l->task = fake_current_task;
    l->innermost = innermost;
    l->outer = landing;
    atomic_signal_fence(memory_order_seq_cst);
    landing = l;
}

static void leave_now(void *unused)
{
    (void)unused;
    jump();
}

// --- what came out ---

static void check_frame(const snoopi_frame *frame, uint32_t n, uint32_t parent)
{
    const volatile struct note *const note = &notes[n];
    const bool is_aborted = (frame->flags & SNOOPI_FRAME_ABORTED) != 0;
    const char *wrong = NULL;

    if (note->state == NOT_BEGUN) {
        wrong = "never began";
    } else if (parent != note->parent) {
        wrong = "has another parent";
    } else if (note->state == ENDED && is_aborted) {
        wrong = "ended, but is aborted";
    } else if (note->state < ENDING && !is_aborted) {
        wrong = "was left, but is not aborted";
    } else if ((frame->flags & ~(unsigned)(SNOOPI_FRAME_ABORTED | SNOOPI_FRAME_TOPLEVEL)) != 0) {
        wrong = "has flags";
    } else if (frame->begin_ns < note->begin_ns[0] ||
               (note->state >= OPEN && frame->begin_ns > note->begin_ns[1])) {
        wrong = "began at another time";
    } else if (note->state == ENDED &&
               (frame->end_ns < note->end_ns[0] || frame->end_ns > note->end_ns[1])) {
        wrong = "ended at another time";
    }
    if (wrong) {
        fail_msg("frame %u (state %d, below %u; found below %u, flags %x): %s", n, note->state,
                 note->parent, parent, frame->flags, wrong);
    }
}

static void check_segment(const char *folder)
{
    static uint32_t number_of[NOTES_MAX]; // of a frame of the trace
    static bool is_seen[NOTES_MAX];
    snoopi_error err = {0};
    snoopi_trace *trace = NULL;
    snoopi_walk *walk = NULL;
    snoopi_frame frame;
    int status;
    memset(is_seen, 0, sizeof is_seen);
    fake_open(folder, &trace, &walk);
    while ((status = snoopi_walk_next(walk, &frame, &err)) == 1) {
        const uint32_t n = (uint32_t)snoopi_trace_instance(trace, frame.instance)->line;
        assert_in_range(n, 1, last_note);
        if (is_seen[n]) {
            fail_msg("frame %u is there twice", n);
        }
        is_seen[n] = true;
        number_of[frame.id] = n;
        check_frame(&frame, n, frame.parent < 0 ? 0 : number_of[frame.parent]);
    }
    assert_int_equal(status, 0);
    for (uint32_t n = 1; n <= last_note; n++) {
        if (!is_seen[n] && notes[n].state >= OPEN) {
            fail_msg("frame %u (state %d) is lost", n, notes[n].state);
        }
    }
    snoopi_walk_close(walk);
    snoopi_trace_close(trace);
}

// --- each access ---

struct scenario {
    body *prepare; // run inside two open frames
    body *step;    // and left before an access
    uint64_t n;    // which one
    bool is_done;  // it has fewer
};

static void stepped(void *argument)
{
    struct scenario *const s = argument;
    struct landing l;

    if (s->prepare) {
        s->prepare(s);
    }
    if (sigsetjmp(l.buffer, 1) == 0) {
        landing_push(&l);
        (void)accesses_until(s->n, jump);
        s->step(s);
        s->is_done = accesses_until(0, NULL) > 0;
    }
    landing = l.outer;
    // Those two still stand, and what comes is theirs, wherever on the stack it is.
    if (s->n % 2 == 0) {
        infer(NULL, NULL);
    }
    infer_deeper(NULL, NULL);
}

static void in_one_frame(void *argument)
{
    infer(stepped, argument);
}

static void run_scenario(body *prepare, body *step)
{
    struct scenario s = {prepare, step, 1, false};
    while (!s.is_done) {
        infer(in_one_frame, &s);
        s.n++;
    }
    infer(NULL, NULL);
    print_message("left before each of %lu accesses\n", (unsigned long)s.n - 2);
    if (s.n < 100) {
        abort(); // they are not told
    }
}

static char task_a, task_b;

// What is about one thread runs in a new one, since a thread stays with its segment.
static void *start_apart(void *argument)
{
    void (*const *const run)(void) = argument;
    sigset_t alarm;

    (void)sigemptyset(&alarm);
    (void)sigaddset(&alarm, SIGALRM);
    (void)pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    fake_current_task = &task_a;
    (*run)();
    return NULL;
}

static void run_apart(void (*run)(void))
{
    pthread_t thread;
    sigset_t alarm;

    (void)sigemptyset(&alarm);
    (void)sigaddset(&alarm, SIGALRM);
    (void)pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    assert_int_equal(pthread_create(&thread, NULL, start_apart, &run), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static int set_up(void **state)
{
    static char folder[64];

    memset((void *)(uintptr_t)notes, 0, sizeof notes);
    n_jumps = last_note = innermost = 0;
    fake_row = (struct julia_row){0};
    fake_begin(folder);
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    fake_end(*state);
    return 0;
}

static void step_leaf(void *unused)
{
    (void)unused;
    infer(NULL, NULL);
}

static void run_leaf(void)
{
    run_scenario(NULL, step_leaf);
}

static void a_frame_may_be_left_before_each_access(void **state)
{
    run_apart(run_leaf);
    check_segment(*state);
}

// Leaves frames open that nobody will end.
static void abandon(void *unused)
{
    struct landing l;
    (void)unused;
    if (sigsetjmp(l.buffer, 1) == 0) {
        landing_push(&l);
        infer(leave_now, NULL);
    }
    landing = l.outer;
    if (sigsetjmp(l.buffer, 1) == 0) {
        landing_push(&l);
        infer_deeper(leave_now, NULL);
    }
    landing = l.outer;
}

static void run_abandon(void)
{
    run_scenario(abandon, step_leaf);
}

static void closing_what_a_jump_left_may_be_left_before_each_access(void **state)
{
    run_apart(run_abandon);
    check_segment(*state);
}

static void step_other_task(void *unused)
{
    void *const old = fake_current_task;
    struct gc_frame *const roots = fake_gc_stack;
    const uint32_t outer = innermost;

    (void)unused;
    fake_current_task = &task_b;
    fake_gc_stack = NULL;
    innermost = 0;
    infer(NULL, NULL);
    fake_current_task = old;
    fake_gc_stack = roots;
    innermost = outer;
}

static void run_other_task(void)
{
    run_scenario(NULL, step_other_task);
    step_other_task(NULL); // closes the last that was left there
}

static void a_frame_of_another_task_may_be_left_before_each_access(void **state)
{
    fake_row.inference_may_switch = true;
    run_apart(run_other_task);
    check_segment(*state);
}

struct pile {
    unsigned above;
    struct scenario *scenario; // what stands on top
};

static void pile_up(void *argument)
{
    struct pile *const pile = argument;
    if (pile->above > 0) {
        pile->above--;
        infer(pile_up, pile);
    } else {
        stepped(pile->scenario);
    }
}

static void run_pile(void)
{
    enum { ROOM = 512 }; // the next frame needs a larger array of them
    static char tasks[1000];
    struct scenario s = {NULL, step_leaf, 1, false};

    for (size_t i = 0; !s.is_done && i < sizeof tasks; i++) {
        struct pile pile = {ROOM - 1, &s};
        fake_current_task = &tasks[i];
        infer(pile_up, &pile);
        infer(NULL, NULL);
        s.n++;
    }
}

static void growing_the_array_of_frames_may_be_left_before_each_access(void **state)
{
    run_apart(run_pile);
    check_segment(*state);
}

// --- a new chunk, in a thread of its own each, since chunks grow ---

static void fill_chunk(void *unused)
{
    static const uint8_t padding[1 << 15];
    struct thread *const thread = frames_thread();
    enum { UNKNOWN_TAG = 999, LEFT = 12 };
    size_t left;

    (void)unused;
    while ((left = thread->writer.chunk->size - WIRE_CHUNK_HEADER_SIZE -
                   (size_t)thread->writer.chunk->used) > LEFT) {
        const size_t size = left - LEFT < sizeof padding ? left - LEFT : sizeof padding;
        (void)segment_append(&thread->writer, UNKNOWN_TAG, padding, size > 5 ? size - 5 : 0, 0);
    }
}

static void *run_thread(void *argument)
{
    char task;
    fake_current_task = &task;
    infer(in_one_frame, argument);
    infer(NULL, NULL);
    return NULL;
}

static void a_new_chunk_may_be_left_before_each_access(void **state)
{
    enum { THREADS = 900 };
    struct scenario s = {fill_chunk, step_leaf, 1, false};

    for (int i = 0; i < THREADS && !s.is_done; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, run_thread, &s), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        s.n++;
    }
    assert_true(s.is_done);
    check_segment(*state);
}

// --- at any time ---

static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

static uint64_t random_state = 42;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 32) * n >> 32);
}

static atomic_bool is_calm;

static void on_alarm(int signal)
{
    (void)signal;
    if (landing) {
        jump();
    }
}

// Signals the thread that works, at random, until that is done.
static void *disturb(void *argument)
{
    const pthread_t *const worker = argument;
    uint64_t state = 4711;

    while (!is_calm) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t until = agent_now() + (state >> 32) % 200000;
        while (agent_now() < until) {
        }
        (void)pthread_kill(*worker, SIGALRM);
    }
    return NULL;
}

static void tree(void *argument)
{
    const unsigned depth = *(unsigned *)argument;
    unsigned below = depth + 1;
    struct landing l;

    for (uint32_t kids = random_below(4); kids > 0 && depth < 12; kids--) {
        if (random_below(8) == 0) {
            // A try: Julia's generators run in one.
            if (sigsetjmp(l.buffer, 1) == 0) {
                landing_push(&l);
                infer(tree, &below);
                landing = l.outer;
            } else {
                landing = l.outer;
                (void)accesses_until(1 + random_below(12000), jump);
            }
        } else if (random_below(2) == 0) {
            infer(tree, &below);
        } else {
            infer_deeper(tree, &below);
        }
    }
}

// Works until it is left.
static void trees(void)
{
    unsigned depth = 0;
    while (last_note < NOTES_MAX - 10000) {
        infer(tree, &depth);
    }
}

static void run_trees(void)
{
    enum { ENOUGH = 5000 };
    pthread_t disturber;
    const pthread_t self = pthread_self();

    is_calm = false;
    if (pthread_create(&disturber, NULL, disturb, (void *)(uintptr_t)&self) != 0) {
        abort();
    }
    while (n_jumps < ENOUGH && last_note < NOTES_MAX - 10000) {
        struct landing l;
        if (sigsetjmp(l.buffer, 1) == 0) {
            landing_push(&l);
            (void)accesses_until(1 + random_below(12000), jump);
            trees();
        }
        landing = l.outer;
    }
    (void)accesses_until(0, NULL);
    is_calm = true;
    (void)pthread_join(disturber, NULL);
    infer(NULL, NULL);
}

static void a_tree_may_be_left_at_any_time(void **state)
{
    catch_signal(SIGALRM, on_alarm);
    run_apart(run_trees);
    print_message("%lu jumps in %u frames\n", (unsigned long)n_jumps, last_note);
    assert_true(n_jumps > (SNOOPI_TEST_ACCESSES ? 1000 : 0));
    check_segment(*state);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest told[] = {
        EACH(a_frame_may_be_left_before_each_access),
        EACH(closing_what_a_jump_left_may_be_left_before_each_access),
        EACH(a_frame_of_another_task_may_be_left_before_each_access),
        EACH(growing_the_array_of_frames_may_be_left_before_each_access),
        EACH(a_new_chunk_may_be_left_before_each_access),
    };
    const struct CMUnitTest any[] = {EACH(a_tree_may_be_left_at_any_time)};
    const int n_failed = SNOOPI_TEST_ACCESSES ? cmocka_run_group_tests(told, NULL, NULL) : 0;
    return n_failed + cmocka_run_group_tests(any, NULL, NULL);
}
