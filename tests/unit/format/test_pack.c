// SPDX-License-Identifier: MIT
// Packing a folder: processes, their order and parents, the file that comes of it.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/varint.h"
#include "format/handle.h"
#include "snoopi/pack.h"
#include "tests/unit/format/tracecheck.h"

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tc_folder, tc_remove_folder)

static void write_process(void **state, const char *name, uint32_t pid, uint32_t ppid,
                          uint64_t begin_ns, uint64_t instance)
{
    segbuilder b;
    sb_init(&b);
    b.head.pid = pid;
    b.head.ppid = ppid;
    b.head.begin_ns = begin_ns;
    sb_chunk_begin(&b, 0, 0, begin_ns + 100);
    sb_definitions(&b);
    sb_begin(&b, 10, 0, instance);
    sb_end(&b, 10, 0);
    sb_write(&b, tc_path(state, name));
    sb_clear(&b);
}

static void processes_are_ordered_by_begin_and_know_their_parents(void **state)
{
    write_process(state, "a.seg", 30, 10, 5000, 1);
    write_process(state, "b.seg", 10, 1, 1000, 2);
    write_process(state, "c.seg", 40, 30, 6000, 3);
    write_process(state, "d.seg", 30, 10, 8000, 4); // the pid again
    write_process(state, "e.seg", 50, 30, 9000, 5);
    const char *command[] = {"julia", "x.jl"};
    const snoopi_pack_options options = {.begin_real_ns = 77,
                                         .elapsed_ns = 88,
                                         .exit_kind = SNOOPI_EXIT_SIGNAL,
                                         .exit_value = 9,
                                         .command_pid = 10,
                                         .argc = 2,
                                         .argv = command,
                                         .note = "a note"};
    snoopi_pack_result result;
    snoopi_error err = {0};
    const char *path = tc_path(state, "out.snoopi");
    assert_int_equal(snoopi_pack(*state, path, &options, &result, &err), 0);
    assert_int_equal(result.processes, 5);
    assert_int_equal(result.frames, 5);
    assert_int_equal(result.inference_ns, 50);
    assert_int_equal(result.wall_ns, 5 * 120);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, result.file_bytes);
    assert_int_equal(st.st_mode & 0777, 0600);

    snoopi_trace *trace = tc_open(path);
    const struct {
        uint32_t pid;
        int64_t parent;
    } expected[] = {{10, -1}, {30, 0}, {40, 1}, {30, 0}, {50, 3}};
    assert_int_equal(snoopi_trace_n_processes(trace), 5);
    for (uint32_t i = 0; i < 5; i++) {
        const snoopi_process *p = snoopi_trace_process(trace, i);
        assert_int_equal(p->index, i);
        assert_int_equal(p->pid, expected[i].pid);
        assert_int_equal(p->parent, expected[i].parent);
        assert_int_equal(p->exit_kind, i == 0 ? SNOOPI_EXIT_SIGNAL : SNOOPI_EXIT_UNKNOWN);
    }
    const snoopi_recording *r = snoopi_trace_recording(trace);
    assert_true(r->is_complete);
    assert_int_equal(r->format_version, 2);
    assert_int_equal(r->begin_real_ns, 77);
    assert_int_equal(r->elapsed_ns, 88);
    assert_int_equal(r->exit_kind, SNOOPI_EXIT_SIGNAL);
    assert_int_equal(r->exit_value, 9);
    assert_int_equal(r->argc, 2);
    assert_string_equal(r->argv[1], "x.jl");
    assert_string_equal(r->note, "a note");
    assert_int_equal(r->processes, 5);
    assert_int_equal(r->frames, 5);
    assert_null(snoopi_trace_damage(trace));
    // Equal definitions of all are one.
    assert_int_equal(snoopi_trace_n_instances(trace), 5);
    assert_int_equal(tc_check(trace), 5);
    snoopi_trace_close(trace);
}

static void an_old_trace_keeps_a_name(void **state)
{
    write_process(state, "a.seg", 10, 1, 1000, 1);
    const char *path = tc_path(state, "out.snoopi");
    const char *old = tc_path(state, "out.snoopi.old");
    sb_write_file(path, "first", 5);
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
    struct stat st;
    assert_int_equal(stat(old, &st), 0);
    assert_int_equal(st.st_size, 5);
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
    assert_int_equal(stat(old, &st), 0);
    assert_true(st.st_size > 5);
}

static void two_packings_of_the_same_are_the_same(void **state)
{
    write_process(state, "a.seg", 10, 1, 1000, 1);
    write_process(state, "b.seg", 11, 10, 1000, 2);
    unsigned char bytes[2][16384];
    ssize_t size[2];
    for (int i = 0; i < 2; i++) {
        const char *path = tc_path(state, "out.snoopi");
        assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
        const int fd = open(path, O_RDONLY);
        size[i] = read(fd, bytes[i], sizeof bytes[i]);
        (void)close(fd);
    }
    assert_true(size[0] > 0 && size[0] == size[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)size[0]);
}

static void what_cannot_be_read_is_counted(void **state)
{
    write_process(state, "a.seg", 10, 1, 1000, 1);
    sb_write_file(tc_path(state, "b.seg"), "garbage", 7);
    sb_write_file(tc_path(state, "notes.txt"), "not asked for", 13);
    write_process(state, "c.seg", 11, 1, 1000, 999); // an instance that is not defined
    snoopi_pack_result result;
    assert_int_equal(snoopi_pack(*state, tc_path(state, "o"), NULL, &result, NULL), 0);
    assert_int_equal(result.processes, 2);
    assert_int_equal(result.refused, 1);
    assert_int_equal(result.damaged, 1);
    snoopi_trace *trace = tc_open(tc_path(state, "o"));
    const char *note = snoopi_trace_recording(trace)->note;
    assert_int_equal(strncmp(note, "1 segment could not be read (", 29), 0);
    assert_non_null(strstr(note, "/b.seg: not a segment"));
    snoopi_trace_close(trace);
}

// Both define f(::Tuple{Int64, Int64}), each at a line of its own.
static void write_julia(void **state, const char *name, uint32_t pid, const char *julia)
{
    segbuilder b;
    sb_init(&b);
    b.head.pid = pid;
    sb_chunk_begin(&b, 0, 0, 2000);
    if (*julia) {
        sb_info(&b, "julia", julia, strlen(julia));
    }
    sb_definitions(&b);
    SB_REC(&b, WIRE_NODE, 4, WIRE_FORM_DATATYPE, 2, 0, 2, 1, 1);
    SB_REC(&b, WIRE_NODE, 5, WIRE_FORM_DATATYPE, 2, 0, 2, 1, 4);
    SB_REC(&b, WIRE_METHOD, 5, 5, 1, 1, snoopi__zigzag((int64_t)pid), 6000, 0, 1, 2);
    SB_REC(&b, WIRE_INSTANCE, 6, WIRE_INSTANCE_METHOD, 5, 5);
    sb_begin(&b, 10, 0, 6);
    sb_end(&b, 10, 0);
    sb_write(&b, tc_path(state, name));
    sb_clear(&b);
}

static void each_julia_shows_its_own_names(void **state)
{
    const char *const path = tc_path(state, "o");
    write_julia(state, "a.seg", 10, "1.5.3");
    write_julia(state, "b.seg", 11, "1.10.6");
    write_julia(state, "c.seg", 12, "1.5.4");
    write_julia(state, "d.seg", 13, ""); // it died before it knew
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
    snoopi_trace *trace = tc_open(path);
    size_t n;
    snoopi_frame *frames = tc_frames(trace, -1, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(strstr(snoopi_trace_instance(trace, frames[i].instance)->name,
                               i == 1 ? "Tuple{Int64, Int64}" : "Tuple{Int64,Int64}"));
    }
    free(frames);
    snoopi_trace_close(trace);
}

static void nothing_is_written_where_nothing_is(void **state)
{
    snoopi_error err = {0};
    const char *path = tc_path(state, "out.snoopi");
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, &err), SNOOPI_E_INVALID);
    assert_non_null(strstr(err.text, "no segments"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(snoopi_pack(tc_path(state, "gone"), path, NULL, NULL, &err), SNOOPI_E_IO);
    assert_int_equal(err.sys_errno, ENOENT);
}

static void only_a_regular_file_is_replaced(void **state)
{
    write_process(state, "a.seg", 10, 1, 1000, 1);
    const char *path = tc_path(state, "fifo");
    snoopi_error err = {0};
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, &err), SNOOPI_E_IO);
    assert_non_null(strstr(err.text, "not a regular file"));
    const char *nowhere = tc_path(state, "no/such/folder");
    assert_int_equal(snoopi_pack(*state, nowhere, NULL, NULL, &err), SNOOPI_E_IO);
}

static unsigned count_files(const char *dir)
{
    unsigned n = 0;
    DIR *folder = opendir(dir);
    assert_non_null(folder);
    while (readdir(folder)) {
        n++;
    }
    (void)closedir(folder);
    return n;
}

static void a_full_disk_leaves_the_old_trace_and_nothing_else(void **state)
{
    write_process(state, "a.seg", 10, 1, 1000, 1);
    const char *path = tc_path(state, "out.snoopi");
    snoopi_pack_result whole;
    assert_int_equal(snoopi_pack(*state, tc_path(state, "probe"), NULL, &whole, NULL), 0);
    sb_write_file(path, "first", 5);
    const unsigned before = count_files(*state);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 0; most < whole.file_bytes; most += 9) {
        const struct rlimit limit = {.rlim_cur = most, .rlim_max = old.rlim_max};
        snoopi_error err = {0};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const int st = snoopi_pack(*state, path, NULL, NULL, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(st, SNOOPI_E_IO);
        assert_int_equal(err.sys_errno, EFBIG);
        assert_int_equal(count_files(*state), before);
    }
    (void)signal(SIGXFSZ, SIG_DFL);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 5);
}

static void living_processes_are_counted(void **state)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)pause();
        _exit(0);
    }
    assert_true(child > 0);
    write_process(state, "a.seg", (uint32_t)child, 1, 1000, 1);
    write_process(state, "b.seg", 0x7ffffff0, 1, 1000, 1);
    sb_write_file(tc_path(state, "c.seg"), "garbage", 7);
    uint32_t pids[2] = {0, 0};
    assert_int_equal(snoopi_pack_living(*state, pids, 2, NULL), 1);
    assert_int_equal(pids[0], child);
    assert_int_equal(snoopi_pack_living(*state, NULL, 0, NULL), 1);
    (void)kill(child, SIGKILL);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(snoopi_pack_living(*state, pids, 2, NULL), 0); // dead, though not waited for
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(snoopi_pack_living(*state, pids, 2, NULL), 0);
    assert_int_equal(snoopi_pack_living(tc_path(state, "gone"), pids, 2, NULL), SNOOPI_E_IO);
}

// `Tuple{T, T'} where {T, T'}`, in which two type variables have one name; `offset` moves the ids of its nodes.
static void write_typevars(void **state, const char *name, uint32_t pid, uint64_t offset)
{
    segbuilder b;
    sb_init(&b);
    b.head.pid = pid;
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_string(&b, 9, "T");
    const uint64_t n = 4 + offset;
    SB_REC(&b, WIRE_NODE, n, WIRE_FORM_BOTTOM);
    SB_REC(&b, WIRE_NODE, n + 1, WIRE_FORM_TYPEVAR, 9, n, 1);
    SB_REC(&b, WIRE_NODE, n + 2, WIRE_FORM_TYPEVAR, 9, n, 1);
    SB_REC(&b, WIRE_NODE, n + 3, WIRE_FORM_DATATYPE, 2, 0, 2, n + 1, n + 2);
    SB_REC(&b, WIRE_NODE, n + 4, WIRE_FORM_UNIONALL, 0, n + 2, n + 3);
    SB_REC(&b, WIRE_NODE, n + 5, WIRE_FORM_UNIONALL, 0, n + 1, n + 4);
    SB_REC(&b, WIRE_INSTANCE, 6, WIRE_INSTANCE_METHOD, 1, n + 5);
    sb_begin(&b, 10, 0, 6);
    sb_end(&b, 10, 0);
    sb_write(&b, tc_path(state, name));
    sb_clear(&b);
}

static void type_variables_stay_apart_in_one_type_and_meet_over_processes(void **state)
{
    write_typevars(state, "a.seg", 10, 0);
    write_typevars(state, "b.seg", 11, 20);
    const char *path = tc_path(state, "out.snoopi");
    assert_int_equal(snoopi_pack(*state, path, NULL, NULL, NULL), 0);
    snoopi_trace *trace = tc_open(path);
    assert_int_equal(snoopi_trace_n_instances(trace), 6);
    const snoopi__defs *defs = snoopi__trace_defs(trace);
    const def_node *outer = &defs->nodes[defs->instances[6].spec];
    const def_node *inner = &defs->nodes[outer->b];
    const def_node *body = &defs->nodes[inner->b];
    assert_int_equal(outer->form, WIRE_FORM_UNIONALL);
    assert_true(outer->a != inner->a);
    assert_int_equal(body->kids[0], outer->a);
    assert_int_equal(body->kids[1], inner->a);
    snoopi_trace_close(trace);
}

// f is open before the window, k at its end; what ran between in f's task is a root.
static void write_windowed(void **state)
{
    segbuilder b;
    sb_init(&b);
    b.head.agent_start_ns = 900;
    sb_chunk_begin(&b, 0, 0, 2000);
    sb_definitions(&b);
    sb_task(&b, 1);
    sb_begin(&b, 100, 30, 1);           // f 2100 … 3100
    SB_REC(&b, WIRE_INVALIDATED, 3, 8); // of a frame that was dropped; an h comes in the window
    sb_begin(&b, 100, 0, 2);            //   g 2200 … 2400, before
    sb_end(&b, 200, 0);
    SB_REC(&b, WIRE_MARK, 100, 40,
           1); // 2500: the tool's time lies before the window, which begins at 2501
    SB_REC(&b, WIRE_INVALIDATED, 2, 9); // of g
    sb_begin(&b, 100, 7, 2);            //   g 2600 … 2900
    sb_begin(&b, 100, 5, 3);            //     h 2700 … 2800
    sb_end(&b, 100, 0);
    sb_end(&b, 100, 0);
    SB_REC(&b, WIRE_ABORT, 100, 0, 2); // 3000: of frames that are not in it
    sb_end(&b, 100, 0);                // 3100
    sb_begin(&b, 100, 0, 1);           // f 3200 …
    SB_REC(&b, WIRE_MARK, 100, 3, 1);  // 3300: the end
    sb_end(&b, 100, 0);
    sb_begin(&b, 100, 0, 4);
    sb_end(&b, 100, 0);
    sb_write(&b, tc_path(state, "a.seg"));
    sb_clear(&b);
}

static void a_window_is_a_process_of_its_own(void **state)
{
    const char *const path = tc_path(state, "w.snoopi");
    snoopi_pack_result result;
    write_windowed(state);
    assert_int_equal(snoopi_pack_window(tc_path(state, "a.seg"), 2501, 3300, path, &result, NULL),
                     0);
    assert_int_equal(result.frames, 3);
    assert_int_equal(result.damaged, 0);
    snoopi_trace *trace = tc_open(path);
    const tc_expected expected[] = {
        {0, 2600, 2900, 295, 195, 2, SNOOPI_FRAME_INVALIDATED},
        {1, 2700, 2800, 100, 100, 3, 0},
        {0, 3200, 3300, 97, 97, 1, SNOOPI_FRAME_UNFINISHED},
    };
    TC_COMPARE(trace, expected);
    const snoopi_process *p = snoopi_trace_process(trace, 0);
    assert_int_equal(p->begin_ns, 2501);
    assert_int_equal(p->wall_ns, 799);
    assert_int_equal(p->inference_ns, 392);
    assert_int_equal(p->busy_ns, 400);
    assert_int_equal(p->tool_ns, 15);
    assert_int_equal(p->outside_ns, 799 - 400 - 7);
    assert_int_equal(p->agent_start_ns, 0);
    assert_true(p->is_complete);
    assert_int_equal(snoopi_trace_n_marks(trace), 1);
    assert_int_equal(snoopi_trace_instance(trace, 2)->agent_id, 2);
    snoopi_trace_close(trace);
}

static void a_window_in_which_nothing_ran_is_empty(void **state)
{
    const char *const path = tc_path(state, "w.snoopi");
    write_windowed(state);
    assert_int_equal(snoopi_pack_window(tc_path(state, "a.seg"), 2201, 2300, path, NULL, NULL), 0);
    snoopi_trace *trace = tc_open(path);
    assert_int_equal(snoopi_trace_recording(trace)->frames, 0);
    assert_int_equal(snoopi_trace_recording(trace)->elapsed_ns, 99);
    assert_int_equal(snoopi_trace_process(trace, 0)->outside_ns, 99);
    snoopi_trace_close(trace);
    snoopi_error err;
    assert_int_equal(snoopi_pack_window(path, 1, 2, tc_path(state, "x"), NULL, &err),
                     SNOOPI_E_FORMAT);
}

static void only_a_window_knows_the_agents_ids(void **state)
{
    write_windowed(state);
    snoopi_trace *trace = tc_open(tc_path(state, "a.seg"));
    assert_int_equal(snoopi_trace_instance(trace, 2)->agent_id, 0);
    snoopi_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(processes_are_ordered_by_begin_and_know_their_parents),
        WITH_FOLDER(an_old_trace_keeps_a_name),
        WITH_FOLDER(two_packings_of_the_same_are_the_same),
        WITH_FOLDER(what_cannot_be_read_is_counted),
        WITH_FOLDER(each_julia_shows_its_own_names),
        WITH_FOLDER(nothing_is_written_where_nothing_is),
        WITH_FOLDER(only_a_regular_file_is_replaced),
        WITH_FOLDER(a_full_disk_leaves_the_old_trace_and_nothing_else),
        WITH_FOLDER(living_processes_are_counted),
        WITH_FOLDER(a_window_is_a_process_of_its_own),
        WITH_FOLDER(a_window_in_which_nothing_ran_is_empty),
        WITH_FOLDER(only_a_window_knows_the_agents_ids),
        WITH_FOLDER(type_variables_stay_apart_in_one_type_and_meet_over_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
