// SPDX-License-Identifier: MIT
// The segment file: what was appended is in it, chunk by chunk, and where there is no room there is no signal.
#include "tests/unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/record/segment_writer.h"

enum { TAG = 999, CHUNK_FIRST = 64 << 10, CHUNK_LAST = 1 << 20, FULL_NS = 200000000 };

// No thread waits for another here.
void agent_turn_off(const char *reason)
{
    fail_msg("%s", reason);
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/snoopi-segment-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void create(void)
{
    char reason[256] = "";
    if (!segment_create(folder, 1000, reason, sizeof reason)) {
        fail_msg("%s", reason);
    }
}

// The bytes of the file; the caller frees them.
static uint8_t *read_segment(size_t *size)
{
    char command[128];
    char path[256] = "";
    struct stat st;

    (void)snprintf(command, sizeof command, "ls '%s'/*.seg", folder);
    FILE *const list = popen(command, "r");
    assert_non_null(list);
    assert_non_null(fgets(path, sizeof path, list));
    assert_int_equal(pclose(list), 0);
    path[strcspn(path, "\n")] = '\0';
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    *size = (size_t)st.st_size;
    uint8_t *const bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static uint64_t get_varint(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t)(**at & 0x7f) << shift;
        if ((*(*at)++ & 0x80) == 0) {
            return value;
        }
    }
}

static uint32_t size_of_record(uint32_t i)
{
    return i % 1000 == 999 ? 70000 : i * 7919 % 300;
}

static void fill(uint8_t *payload, uint32_t thread, uint32_t i)
{
    memset(payload, (int)(thread * 31 + i), size_of_record(i));
}

static bool append(struct segment_writer *writer, uint32_t i)
{
    static uint8_t payload[70000];
    fill(payload, writer->thread, i);
    return segment_append(writer, TAG, payload, size_of_record(i), 0);
}

// Checks that the records of a thread are those that append() writes, from the first on; returns their number.
static uint32_t check_records(const uint8_t *bytes, size_t size, uint32_t thread)
{
    static uint8_t expected[70000];
    uint32_t n = 0;
    uint32_t sequence = 0;

    for (size_t offset = WIRE_SEGMENT_HEADER_SIZE; offset < size;) {
        struct wire_chunk_header head;
        memcpy(&head, bytes + offset, sizeof head);
        assert_memory_equal(head.magic, WIRE_CHUNK_MAGIC, sizeof head.magic);
        assert_true(head.size % 4096 == 0 && offset + head.size <= size);
        assert_true(head.used <= head.size - WIRE_CHUNK_HEADER_SIZE);
        if (head.thread == thread) {
            const uint32_t wanted =
                sequence < 4 ? (uint32_t)CHUNK_FIRST << sequence : (uint32_t)CHUNK_LAST;
            assert_int_equal(head.sequence, sequence++);
            assert_int_equal(head.size, wanted < 70000 && n == 999 ? 73728 : wanted);
            const uint8_t *at = bytes + offset + WIRE_CHUNK_HEADER_SIZE;
            const uint8_t *const end = at + head.used;
            while (at < end) {
                assert_true(get_varint(&at) == TAG);
                assert_true(get_varint(&at) == size_of_record(n));
                fill(expected, thread, n);
                assert_memory_equal(at, expected, size_of_record(n));
                at += size_of_record(n++);
            }
            assert_ptr_equal(at, end);
        }
        offset += head.size;
    }
    return n;
}

static void what_two_writers_append_is_in_chunks_of_their_own(void **state)
{
    enum { RECORDS = 30000 };
    struct segment_writer a = {.thread = 0, .os_tid = 70, .last_ns = 1000};
    struct segment_writer b = {.thread = 1, .os_tid = 71, .last_ns = 1000};
    size_t size;

    (void)state;
    create();
    for (uint32_t i = 0; i < RECORDS; i++) {
        assert_true(append(&a, i));
        if (i % 2 == 0) {
            assert_true(append(&b, i / 2));
        }
    }
    uint8_t *const bytes = read_segment(&size);
    assert_memory_equal(bytes, WIRE_SEGMENT_MAGIC, 8);
    assert_int_equal(check_records(bytes, size, 0), RECORDS);
    assert_int_equal(check_records(bytes, size, 1), RECORDS / 2);
    free(bytes);
}

static void a_record_larger_than_any_chunk_has_one_made_for_it(void **state)
{
    struct segment_writer writer = {.os_tid = 70};
    uint8_t *const large = calloc(1, WIRE_STRING_MAX);
    struct wire_chunk_header head;
    size_t size;

    (void)state;
    create();
    assert_true(segment_append(&writer, WIRE_STRING, large, WIRE_STRING_MAX, 0));
    assert_true(segment_append(&writer, TAG, large, 10, 0));
    uint8_t *const bytes = read_segment(&size);
    memcpy(&head, bytes + WIRE_SEGMENT_HEADER_SIZE, sizeof head);
    assert_true(head.size > WIRE_STRING_MAX);
    assert_true(head.used > WIRE_STRING_MAX);
    free(bytes);
    free(large);
}

static void the_time_of_a_chunk_goes_on_from_the_one_before(void **state)
{
    struct segment_writer writer = {.os_tid = 70, .last_ns = 1000};
    uint64_t now = 1000;

    (void)state;
    create();
    assert_true(segment_last_ns(&writer) == 1000);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct wire_chunk_header *const before = writer.chunk;
        assert_true(segment_append(&writer, TAG, (const uint8_t *)"12345678", 8,
                                   i % 3 == 0 ? 0 : now + 10));
        if (writer.chunk != before) {
            assert_true(writer.chunk->base_ns == now);
        }
        now += i % 3 == 0 ? 0 : 10;
        assert_true(segment_last_ns(&writer) == now);
    }
    assert_true(writer.chunk->sequence > 1);
}

static void attempts_that_failed_are_told_from_those_that_were_written(void **state)
{
    struct segment_writer writer = {.os_tid = 70};

    (void)state;
    create();
    assert_false(segment_was_written(&writer, 0));
    for (uint64_t i = 1; i <= 1000; i++) {
        const bool fails = i % 7 == 3;
        assert_true(segment_attempt(&writer) == i);
        assert_false(segment_was_written(&writer, i));
        if (!fails) {
            const uint32_t tag = i % 3 == 0 ? WIRE_BEGIN : i % 3 == 1 ? WIRE_END : WIRE_ABORT;
            assert_true(segment_append(&writer, WIRE_TASK, (const uint8_t *)"\1", 1, 0));
            assert_false(segment_was_written(&writer, i));
            assert_true(segment_append(&writer, tag, (const uint8_t *)"\0\0\0", 3, 0));
        }
        for (uint64_t back = 0; back < 50 && back < i; back++) {
            assert_int_equal(segment_was_written(&writer, i - back), (i - back) % 7 != 3);
        }
        assert_false(segment_was_written(&writer, i + 1));
    }
}

// --- no room ---

static void wait_until_it_asks_again(void)
{
    const struct timespec time = {.tv_nsec = FULL_NS};
    (void)nanosleep(&time, NULL);
}

// SIGXFSZ would end this program.
static void beyond_the_limit_of_a_file_nothing_is_written_and_no_signal_comes(void **state)
{
    struct segment_writer writer = {.os_tid = 70};
    struct rlimit old;
    uint32_t n = 0;
    size_t size;

    (void)state;
    create();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit small = {.rlim_cur = WIRE_SEGMENT_HEADER_SIZE + 3 * CHUNK_FIRST,
                                 .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    while (n < 900 && append(&writer, n)) {
        n++;
    }
    for (int again = 0; again < 100; again++) {
        if (append(&writer, n)) {
            n++; // a smaller one may fit yet
        }
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_in_range(n, 100, 1100);
    uint8_t *bytes = read_segment(&size);
    assert_true(size <= small.rlim_cur);
    free(bytes);

    wait_until_it_asks_again();
    while (!append(&writer, n)) {
        wait_until_it_asks_again();
    }
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(append(&writer, ++n));
    }
    bytes = read_segment(&size);
    assert_int_equal(check_records(bytes, size, 0), n + 1);
    free(bytes);
}

static void where_no_file_can_be_made_the_reason_is_told(void **state)
{
    char reason[256] = "";
    char gone[128];

    (void)state;
    (void)snprintf(gone, sizeof gone, "%s/gone", folder);
    assert_false(segment_create(gone, 1, reason, sizeof reason));
    assert_string_equal(reason, "the segment could not be created: the folder is gone");

    assert_int_equal(chmod(folder, 0555), 0);
    const bool is_root = geteuid() == 0;
    if (is_root) {
        assert_int_equal(seteuid(65534), 0);
    }
    assert_false(segment_create(folder, 1, reason, sizeof reason));
    if (is_root) {
        assert_int_equal(seteuid(0), 0);
    }
    assert_int_equal(chmod(folder, 0700), 0);
    assert_string_equal(reason, "the segment could not be created: permission denied");
}

// In a child, whose mounts are its own. 0: as it should; 1: not; 2: it may not mount.
static int fill_a_small_disk(void)
{
    struct segment_writer writer = {.os_tid = 70};
    char reason[256] = "";
    uint32_t n = 0;
    size_t size;

    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tmpfs", folder, "tmpfs", 0, "size=300k") < 0) {
        return 2;
    }
    if (!segment_create(folder, 1, reason, sizeof reason)) {
        return 1;
    }
    while (n < 10000 && append(&writer, n)) {
        n++;
    }
    if (n < 100 || n == 10000) {
        return 1;
    }
    uint8_t *const bytes = read_segment(&size);
    return size <= 300 << 10 && check_records(bytes, size, 0) == n ? 0 : 1;
}

static void on_a_full_disk_nothing_is_written_and_no_signal_comes(void **state)
{
    int status = 0;

    (void)state;
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(fill_a_small_disk());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
        print_message("skipped: this user may not mount a small file system\n");
        skip();
    }
    assert_int_equal(status, 0);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_two_writers_append_is_in_chunks_of_their_own),
        IN_FOLDER(a_record_larger_than_any_chunk_has_one_made_for_it),
        IN_FOLDER(the_time_of_a_chunk_goes_on_from_the_one_before),
        IN_FOLDER(attempts_that_failed_are_told_from_those_that_were_written),
        IN_FOLDER(where_no_file_can_be_made_the_reason_is_told),
        IN_FOLDER(on_a_full_disk_nothing_is_written_and_no_signal_comes),
        IN_FOLDER(beyond_the_limit_of_a_file_nothing_is_written_and_no_signal_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
