// SPDX-License-Identifier: MIT
// Packing of a folder of segments. See snoopi/pack.h.
#include "snoopi/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "packer.h"
#include "segment.h"
#include "tempfile.h"
#include "wire.h"

// What a segment's head says, which is enough to sort processes and find their parents.
typedef struct {
    char *path;
    uint32_t pid;
    uint32_t ppid;
    uint64_t begin_ns;
    int64_t parent; // index here, −1: none
    int64_t index;  // in the trace, −1: it could not be read
} source;

typedef struct {
    source *items;
    size_t count;
    size_t capacity;
    uint32_t refused;    // files that are no segments, or could not be read
    snoopi_error reason; // of the first
} source_list;

static void clear_sources(source_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].path);
    }
    free(list->items);
    *list = (source_list){0};
}

// --- finding segments ---

// Reads the head of a segment; false if the file is none that this snoopi could read.
static bool read_head(const char *path, struct wire_segment_header *head)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    struct stat st;
    const bool is_whole = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                          snoopi__read_at(fd, head, sizeof *head, 0) == sizeof *head;
    (void)close(fd);
    return is_whole && memcmp(head->magic, WIRE_SEGMENT_MAGIC, sizeof head->magic) == 0 &&
           head->version > 0 && head->version <= WIRE_SEGMENT_VERSION;
}

static bool is_segment_name(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".seg") == 0;
}

typedef int head_visitor(void *payload, const char *path, const struct wire_segment_header *head,
                         snoopi_error *err);

// Shows each *.seg in the folder to `visit`; its head is NULL if it is no segment.
static int visit_segments(const char *dir, head_visitor *visit, void *payload, snoopi_error *err)
{
    DIR *folder = opendir(dir);
    if (!folder) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", dir, strerror(errno));
    }
    int st = 0;
    const struct dirent *entry;
    while (st == 0 && (errno = 0, entry = readdir(folder))) {
        if (!is_segment_name(entry->d_name)) {
            continue;
        }
        char *path = NULL;
        if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0) {
            st = snoopi__fail_nomem(err);
            break;
        }
        struct wire_segment_header head;
        st = visit(payload, path, read_head(path, &head) ? &head : NULL, err);
        free(path);
    }
    if (st == 0 && errno != 0) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", dir, strerror(errno));
    }
    (void)closedir(folder);
    return st;
}

static void refuse(source_list *list, const snoopi_error *reason)
{
    if (list->refused++ == 0) {
        list->reason = *reason;
    }
}

static int add_source(void *payload, const char *path, const struct wire_segment_header *head,
                      snoopi_error *err)
{
    source_list *list = payload;
    if (!head) {
        snoopi_error reason;
        (void)snoopi__fail(&reason, SNOOPI_E_FORMAT, "%s: not a segment, or not readable", path);
        refuse(list, &reason);
        return 0;
    }
    source *items = snoopi__grow(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (!items) {
        return snoopi__fail_nomem(err);
    }
    list->items = items;
    items[list->count] = (source){.path = strdup(path),
                                  .pid = head->pid,
                                  .ppid = head->ppid,
                                  .begin_ns = head->begin_ns,
                                  .parent = -1,
                                  .index = -1};
    return items[list->count++].path ? 0 : snoopi__fail_nomem(err);
}

static int compare_sources(const void *left, const void *right)
{
    const source *a = left;
    const source *b = right;
    if (a->begin_ns != b->begin_ns) {
        return a->begin_ns < b->begin_ns ? -1 : 1;
    }
    if (a->pid != b->pid) {
        return a->pid < b->pid ? -1 : 1;
    }
    return strcmp(a->path, b->path);
}

// A pid may be used twice in a long recording: the parent is the last process that had it before the child began.
static void find_parents(source_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = i; j-- > 0;) {
            if (list->items[j].pid == list->items[i].ppid) {
                list->items[i].parent = (int64_t)j;
                break;
            }
        }
    }
}

// --- packing ---

// The nearest of those that started it that is in the trace.
static int64_t parent_of(const source_list *list, const source *item)
{
    int64_t parent = item->parent;
    while (parent >= 0 && list->items[parent].index < 0) {
        parent = list->items[parent].parent;
    }
    return parent < 0 ? -1 : list->items[parent].index;
}

// What can't be opened any more, since it was removed say, is left out and counted; the others are worth having without it.
static int add_all(snoopi__packer *packer, source_list *list, const snoopi_pack_options *options,
                   snoopi_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        source *item = &list->items[i];
        const bool is_command = options->command_pid != 0 && item->pid == options->command_pid;
        snoopi__segment segment;
        snoopi_error reason = {0};
        int st = snoopi__segment_open(&segment, item->path, &reason);
        if (st == SNOOPI_E_NOMEM) {
            return snoopi__fail_nomem(err);
        }
        if (st < 0) {
            refuse(list, &reason);
            continue;
        }
        item->index = packer->n_processes;
        st = snoopi__packer_add(packer, &segment, parent_of(list, item),
                                is_command ? options->exit_kind : SNOOPI_EXIT_UNKNOWN,
                                is_command ? options->exit_value : 0, err);
        snoopi__segment_close(&segment);
        if (st < 0) {
            return st;
        }
    }
    if (packer->n_processes == 0) {
        return snoopi__fail(err, list->reason.status, "%s", list->reason.text);
    }
    return 0;
}

static int pack_sources(source_list *list, const char *path, const snoopi_pack_options *options,
                        snoopi_pack_result *result, snoopi_error *err)
{
    char note[sizeof list->reason.text + 64];
    snoopi__packer packer;
    snoopi_recording recording = {.begin_real_ns = options->begin_real_ns,
                                  .elapsed_ns = options->elapsed_ns,
                                  .exit_kind = options->exit_kind,
                                  .exit_value = options->exit_value,
                                  .argc = options->argc > 0 ? (uint32_t)options->argc : 0,
                                  .argv = options->argv};
    int st = snoopi__packer_open(&packer, path, err);
    if (st == 0) {
        st = add_all(&packer, list, options, err);
    }
    if (st == 0) {
        (void)snprintf(note, sizeof note, "%u segment%s could not be read (%s)",
                       (unsigned)list->refused, list->refused == 1 ? "" : "s", list->reason.text);
        recording.note = list->refused > 0 ? note : options->note;
        st = snoopi__packer_finish(&packer, &recording, err);
    }
    if (st == 0) {
        snoopi__packer_result(&packer, result);
        result->refused = list->refused;
    }
    snoopi__packer_close(&packer);
    return st;
}

int snoopi_pack(const char *dir, const char *path, const snoopi_pack_options *options,
                snoopi_pack_result *result, snoopi_error *err)
{
    const snoopi_pack_options nothing_known = {0};
    snoopi_pack_result unwanted;
    result = result ? result : &unwanted;
    *result = (snoopi_pack_result){0};
    source_list list = {0};
    int st = visit_segments(dir, add_source, &list, err);
    if (st == 0 && list.count == 0) {
        st = list.refused > 0
                 ? snoopi__fail(err, list.reason.status, "%s", list.reason.text)
                 : snoopi__fail(err, SNOOPI_E_INVALID, "%s: no segments of julia processes", dir);
    }
    if (st == 0) {
        qsort(list.items, list.count, sizeof *list.items, compare_sources);
        find_parents(&list);
        st = pack_sources(&list, path, options ? options : &nothing_known, result, err);
    }
    clear_sources(&list);
    return st;
}

int snoopi_pack_window(const char *segment_path, uint64_t begin_ns, uint64_t end_ns,
                       const char *path, snoopi_pack_result *result, snoopi_error *err)
{
    snoopi__packer packer;
    snoopi__segment segment;
    const snoopi__window window = {begin_ns, end_ns};
    snoopi_recording recording = {.elapsed_ns = end_ns > begin_ns ? end_ns - begin_ns : 0};
    int st = snoopi__segment_open(&segment, segment_path, err);
    if (st < 0) {
        return st;
    }
    st = snoopi__packer_open(&packer, path, err);
    if (st == 0) {
        st = snoopi__packer_add_window(&packer, &segment, &window, err);
    }
    if (st == 0) {
        st = snoopi__packer_finish(&packer, &recording, err);
    }
    if (st == 0 && result) {
        *result = (snoopi_pack_result){0};
        snoopi__packer_result(&packer, result);
    }
    snoopi__packer_close(&packer);
    snoopi__segment_close(&segment);
    return st;
}

// --- living processes ---

typedef struct {
    uint32_t *pids;
    size_t capacity;
    size_t count;
} living;

// Whether a process of that pid runs: it may have died and wait for its parent to notice, which counts as dead.
static bool is_running(uint32_t pid)
{
    if (pid == 0 || pid > INT32_MAX || (kill((pid_t)pid, 0) < 0 && errno != EPERM)) {
        return false;
    }
    char path[40];
    char text[512];
    (void)snprintf(path, sizeof path, "/proc/%u/stat", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno != ENOENT;
    }
    const ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')'); // the name may hold anything
    return !name_end || name_end[1] != ' ' || !strchr("ZX", name_end[2]);
}

static int add_living(void *payload, const char *path, const struct wire_segment_header *head,
                      snoopi_error *err)
{
    (void)path;
    (void)err;
    living *found = payload;
    if (head && head->state != WIRE_STATE_ENDED && is_running(head->pid)) {
        if (found->count < found->capacity) {
            found->pids[found->count] = head->pid;
        }
        found->count++;
    }
    return 0;
}

int snoopi_pack_living(const char *dir, uint32_t *pids, size_t capacity, snoopi_error *err)
{
    living found = {.pids = pids, .capacity = capacity};
    const int st = visit_segments(dir, add_living, &found, err);
    return st < 0 ? st : (int)found.count;
}
