// SPDX-License-Identifier: MIT
// Walking over frames: decodes FRAMES pages one at a time (format.md 3.1). See snoopi/trace.h.
//
// This is the path that 100 million frames go through: nothing is allocated for a frame, and its fields are read without
// a look at each byte and its bound, which their widths and the slack behind a page allow; that they lie in the page is
// asked once a frame.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/varint.h"
#include "opentrace.h"
#include "pagereader.h"
#include "record.h"

enum { KNOWN_FLAGS = (2 * SNOOPI_FRAME_TOOLING - 1) | SNOOPI_FRAME_INVALIDATED };

// The longest that is read between two looks at the bound: tag, length and 11 fields of a frame, of which 8 claim 15 bytes.
_Static_assert(5 * (int)SNOOPI__VARINT_MAX + WIRE_FRAME_WIDTHS_SIZE + WIRE_FRAME_FIELDS * 15 <=
                   (int)SNOOPI__PAGE_SLACK,
               "reads stay within the slack");

struct snoopi_walk {
    snoopi_trace *trace;
    bool is_whole_trace;
    bool is_over;
    size_t process;
    uint64_t page; // offset of the page in work
    uint64_t next; // offset of the one behind it
    snoopi__pagereader reader;
    snoopi__cursor at; // in that page
    bool is_first;     // no frame of the page was read
    uint64_t number;   // of the next frame within its process
    uint64_t begin_ns; // of the last frame
    int64_t depth;     // of the last frame; −1: none
    uint32_t thread;   // of the last root
    uint32_t task;
    uint32_t line_file;
    uint32_t line;
    uint64_t *path; // ids of the last frame and those around it, by depth
    size_t path_capacity;
    snoopi_arg *args;
    size_t args_capacity;
    uint32_t *stack; // of the root that follows
    size_t stack_capacity;
    uint32_t n_stack;
    uint32_t stack_flags;
};

int snoopi_walk_open(snoopi_walk **out, snoopi_trace *trace, int64_t process, snoopi_error *err)
{
    *out = NULL;
    if (process < -1 || process >= (int64_t)trace->n_processes) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "%s: no process %lld", trace->path,
                            (long long)process);
    }
    snoopi_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        return snoopi__fail_nomem(err);
    }
    walk->trace = trace;
    walk->is_whole_trace = process == -1;
    walk->process = process == -1 ? 0 : (size_t)process;
    walk->is_over = trace->n_processes == 0;
    walk->next = walk->is_over ? 0 : trace->places[walk->process].offset;
    walk->depth = -1;
    *out = walk;
    return 0;
}

void snoopi_walk_close(snoopi_walk *walk)
{
    if (walk) {
        snoopi__pagereader_clear(&walk->reader);
        free(walk->path);
        free(walk->args);
        free(walk->stack);
        free(walk);
    }
}

// Ends the walk at what is wrong with the page in work.
static int damaged(snoopi_walk *walk, const char *why)
{
    snoopi__trace_damaged(walk->trace, walk->page, "%s", why);
    walk->is_over = true;
    return 0;
}

static int failed(snoopi_walk *walk, int st, const char *why, snoopi_error *err)
{
    if (st == SNOOPI_E_FORMAT) {
        return damaged(walk, why);
    }
    if (st == SNOOPI_E_NOMEM) {
        return snoopi__fail_nomem(err);
    }
    return snoopi__fail(err, SNOOPI_E_IO, "%s: at byte %llu: %s", walk->trace->path,
                        (unsigned long long)walk->page, strerror(errno));
}

// --- pages ---

// At the page of the next process, or at the end: whether the walk goes on.
static bool leave_process(snoopi_walk *walk)
{
    const snoopi_trace *trace = walk->trace;
    if (walk->number < trace->processes[walk->process].frames) {
        (void)damaged(walk, "frames are missing before it");
        return false;
    }
    walk->process++;
    walk->number = 0;
    walk->depth = -1;
    walk->line_file = 0;
    walk->line = 0;
    walk->is_over = !walk->is_whole_trace || walk->process == trace->n_processes;
    return !walk->is_over;
}

static int enter_page(snoopi_walk *walk, const snoopi__pagehead *head, snoopi_error *err)
{
    const char *why = NULL;
    const int st = snoopi__pagereader_read(&walk->reader, walk->trace->fd, walk->page, head, &why);
    if (st < 0) {
        return failed(walk, st, why, err);
    }
    walk->at = snoopi__cursor_of(walk->reader.raw, walk->reader.size);
    if (snoopi__get_varint(&walk->at) != walk->number || walk->at.is_bad) {
        return damaged(walk, "a page of frames that is not the next");
    }
    walk->is_first = true;
    return 1;
}

// Goes to the next page of frames: 1, or what snoopi_walk_next() returns.
static int next_page(snoopi_walk *walk, snoopi_error *err)
{
    const snoopi_trace *trace = walk->trace;
    while (!walk->is_over) {
        snoopi__pagehead head;
        const char *why = NULL;
        walk->page = walk->next;
        if (walk->page >= trace->end) {
            walk->is_over = true; // what is wrong there was told when the trace was opened
            break;
        }
        const int st = snoopi__pagehead_read(&head, trace->fd, walk->page, trace->end, &why);
        if (st < 0) {
            return failed(walk, st, why, err);
        }
        walk->next = walk->page + WIRE_PAGE_HEADER_SIZE + head.stored_size;
        if (head.kind == WIRE_PAGE_FRAMES) {
            return enter_page(walk, &head, err);
        }
        if (head.kind == WIRE_PAGE_END || head.kind == WIRE_PAGE_PROCESS) {
            (void)leave_process(walk);
        }
    }
    return 0;
}

// --- frames ---

static int make_room(snoopi_walk *walk, size_t depth, snoopi_error *err)
{
    if (depth < walk->path_capacity) {
        return 0;
    }
    uint64_t *path = snoopi__grow(walk->path, &walk->path_capacity, depth + 1, sizeof *path);
    if (!path) {
        return snoopi__fail_nomem(err);
    }
    walk->path = path;
    return 0;
}

// Reads the arguments of a frame, which end before `end`; what is wrong with them, or NULL.
static const char *read_args(snoopi_walk *walk, snoopi__cursor *at, const unsigned char *end,
                             uint32_t n)
{
    snoopi_arg *args = walk->args;
    if (n > walk->args_capacity) {
        args = snoopi__grow(args, &walk->args_capacity, n, sizeof *args);
        if (!args) {
            return "more arguments than there is memory for";
        }
        walk->args = args;
    }
    const uint64_t n_nodes = walk->trace->defs.n_nodes;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t position = snoopi__get_varint_unchecked(at);
        const uint64_t node = snoopi__get_varint_unchecked(at);
        if (at->is_bad || at->at > end || position > UINT32_MAX) {
            return "a malformed frame";
        }
        if (node == 0 || node >= n_nodes) {
            return "a frame with an argument that is not defined";
        }
        args[i] = (snoopi_arg){.position = (uint32_t)position, .node = (uint32_t)node};
    }
    return NULL;
}

// Fields that may hold anything, before they are checked.
typedef struct {
    uint64_t flags;
    uint64_t depth;
    uint64_t begin;
    uint64_t span;
    uint64_t total;
    uint64_t self;
    uint64_t gc;
    uint64_t instance;
    uint64_t thread;
    uint64_t task;
    uint64_t n_args;
} fields;

// Reads a number of `widths & 15` bytes, and shifts to the next one's width. One of more than 8 bytes reads as 0.
static inline uint64_t read_number(snoopi__cursor *at, uint32_t *widths)
{
    static const uint64_t masks[16] = {0,          0xff,         0xffff,         0xffffff,
                                       0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                       UINT64_MAX};
    const uint32_t width = *widths & 15;
    const uint64_t number = snoopi__load_u64(at->at) & masks[width];
    at->at += width;
    *widths >>= 4;
    return number;
}

static inline void read_fields(snoopi__cursor *at, fields *f)
{
    uint32_t widths = snoopi__load_u32(at->at);
    at->at += WIRE_FRAME_WIDTHS_SIZE;
    // A digit above 8: its highest bit is set, and one of the others.
    at->is_bad = ((widths << 1 | widths << 2 | widths << 3) & widths & 0x88888888) != 0;
    f->flags = read_number(at, &widths);
    f->depth = read_number(at, &widths);
    f->begin = read_number(at, &widths);
    f->span = read_number(at, &widths);
    f->total = f->span - read_number(at, &widths);
    f->self = f->total - read_number(at, &widths);
    f->gc = read_number(at, &widths);
    f->instance = read_number(at, &widths);
}

static inline void read_fields_of_varints(snoopi__cursor *at, fields *f)
{
    f->flags = snoopi__get_varint_unchecked(at);
    f->depth = snoopi__get_varint_unchecked(at);
    f->begin = snoopi__get_varint_unchecked(at);
    f->span = snoopi__get_varint_unchecked(at);
    f->total = snoopi__get_varint_unchecked(at);
    f->self = snoopi__get_varint_unchecked(at);
    f->gc = snoopi__get_varint_unchecked(at);
    f->instance = snoopi__get_varint_unchecked(at);
}

static inline void read_rest(snoopi__cursor *at, fields *f)
{
    f->thread = 0;
    f->task = 0;
    if (f->depth == 0) {
        f->thread = snoopi__get_varint_unchecked(at);
        f->task = snoopi__get_varint_unchecked(at);
    }
    f->n_args = f->flags & WIRE_FLAG_ARGS ? snoopi__get_varint_unchecked(at) : 0;
}

// What is wrong with the fields, or NULL.
static inline const char *check_fields(const snoopi_walk *walk, const fields *f)
{
    if (f->depth >= WIRE_DEPTH_MAX || (int64_t)f->depth > walk->depth + 1) {
        return "a frame without its parent";
    }
    if (f->total > f->span || f->self > f->total || f->gc > f->self) {
        return "a frame whose times contradict each other";
    }
    if (f->instance == 0 || f->instance >= walk->trace->defs.n_instances) {
        return "a frame of an instance that is not defined";
    }
    if ((f->thread | f->task) > UINT32_MAX || f->n_args > WIRE_ARGS_MAX) {
        return "a malformed frame";
    }
    return NULL;
}

static int put_frame(snoopi_walk *walk, const fields *f, snoopi_frame *frame, snoopi_error *err)
{
    const snoopi_process *process = &walk->trace->processes[walk->process];
    const size_t depth = (size_t)f->depth;
    const int st = make_room(walk, depth, err);
    if (st < 0) {
        return st;
    }
    if (walk->number >= process->frames) {
        return damaged(walk, "more frames than its process has");
    }
    const uint64_t id = walk->trace->places[walk->process].first_frame + walk->number++;
    walk->path[depth] = id;
    walk->depth = (int64_t)depth;
    if (walk->is_first) {
        walk->begin_ns = process->begin_ns + f->begin;
        walk->is_first = false;
    } else {
        walk->begin_ns += (uint64_t)snoopi__unzigzag(f->begin);
    }
    if (depth == 0) {
        walk->thread = (uint32_t)f->thread;
        walk->task = (uint32_t)f->task;
    }
    frame->id = id;
    frame->parent = depth ? (int64_t)walk->path[depth - 1] : -1;
    frame->depth = (uint32_t)depth;
    frame->process = (uint32_t)walk->process;
    frame->thread = walk->thread;
    frame->task = walk->task;
    frame->instance = (uint32_t)f->instance;
    frame->flags = (uint32_t)f->flags & KNOWN_FLAGS;
    frame->begin_ns = walk->begin_ns;
    frame->end_ns = walk->begin_ns + f->span;
    frame->total_ns = f->total;
    frame->self_ns = f->self;
    frame->gc_ns = f->gc;
    frame->n_args = (uint32_t)f->n_args;
    frame->args = walk->args;
    frame->line_file = walk->line_file;
    frame->line = walk->line;
    frame->stack = walk->stack;
    frame->n_stack = depth ? 0 : walk->n_stack;
    frame->is_stack_cut = (walk->stack_flags & WIRE_STACK_CUT) != 0;
    walk->n_stack = 0;
    return 1;
}

static int read_frame(snoopi_walk *walk, uint64_t tag, const unsigned char *end,
                      snoopi_frame *frame, snoopi_error *err)
{
    snoopi__cursor at = walk->at;
    fields f;
    if (tag == WIRE_FRAME) {
        read_fields(&at, &f);
    } else {
        read_fields_of_varints(&at, &f);
    }
    read_rest(&at, &f);
    if (at.is_bad || at.at > end) {
        return damaged(walk, "a malformed frame");
    }
    const char *why = check_fields(walk, &f);
    if (!why && f.n_args > 0) {
        why = read_args(walk, &at, end, (uint32_t)f.n_args);
    }
    if (why) {
        return damaged(walk, why);
    }
    walk->at.at = end; // fields to come are skipped
    return put_frame(walk, &f, frame, err);
}

// Reads the stack of the root that follows; what is wrong with it, or NULL.
static const char *read_stack(snoopi_walk *walk, const unsigned char *end)
{
    snoopi__cursor at = {.at = walk->at.at, .end = end};
    const uint32_t n = snoopi__get_varint32(&at);
    if (n > WIRE_STACK_MAX || n > snoopi__cursor_left(&at)) {
        return "a malformed stack";
    }
    uint32_t *stack = snoopi__grow(walk->stack, &walk->stack_capacity, n + 1, sizeof *stack);
    if (!stack) {
        return "a larger stack than there is memory for";
    }
    walk->stack = stack;
    for (uint32_t i = 0; i < n; i++) {
        stack[i] = snoopi__get_varint32(&at);
        if (stack[i] && stack[i] >= walk->trace->defs.n_codes) {
            return "a stack with a code that is not defined";
        }
    }
    walk->n_stack = n;
    walk->stack_flags = (uint32_t)snoopi__get_varint(&at);
    return at.is_bad ? "a malformed stack" : NULL;
}

// Reads a record that is no frame; what is wrong with it, or NULL.
static const char *read_other(snoopi_walk *walk, uint64_t tag, const unsigned char *end)
{
    if (tag == WIRE_LINE) {
        snoopi__cursor at = {.at = walk->at.at, .end = end};
        walk->line_file = snoopi__get_varint32(&at);
        walk->line = snoopi__get_varint32(&at);
        if (at.is_bad || (walk->line_file && walk->line_file >= walk->trace->defs.n_files)) {
            return "a malformed record";
        }
    } else if (tag == WIRE_STACK) {
        const char *why = read_stack(walk, end);
        if (why) {
            return why;
        }
    }
    walk->at.at = end;
    return tag ? NULL : "a record without a tag";
}

int snoopi_walk_next(snoopi_walk *walk, snoopi_frame *frame, snoopi_error *err)
{
    while (!walk->is_over) {
        if (walk->at.at == walk->at.end) {
            const int st = next_page(walk, err);
            if (st <= 0) {
                return st;
            }
            continue;
        }
        snoopi__cursor at = walk->at;
        const uint64_t tag = snoopi__get_varint_unchecked(&at);
        const uint64_t size = snoopi__get_varint_unchecked(&at);
        if (at.is_bad || at.at > at.end || size > snoopi__cursor_left(&at)) {
            return damaged(walk, "a record that does not end within its page");
        }
        walk->at = at;
        if (tag == WIRE_FRAME || tag == WIRE_FRAME_OF_VARINTS) {
            return read_frame(walk, tag, at.at + size, frame, err);
        }
        const char *why = read_other(walk, tag, at.at + size);
        if (why) {
            return damaged(walk, why);
        }
    }
    return 0;
}
