// SPDX-License-Identifier: MIT
#ifndef WIRE_FLAG_H
#define WIRE_FLAG_H

/**
 * @file
 * Numbers of the on-disk formats, as docs/format.md defines them: the one place where the agent,
 * the packer and the reader agree. Constants only; the agent compiles this in, so it needs nothing
 * but <stdint.h>.
 */
#include <stdint.h>

enum { WIRE_SEGMENT_VERSION = 1, WIRE_TRACE_VERSION = 2 };

/* Definitions (format.md 1.1). */
enum {
    WIRE_STRING = 1,
    WIRE_MODULE = 2,
    WIRE_FILE = 3,
    WIRE_TYPENAME = 4,
    WIRE_NODE = 5,
    WIRE_METHOD = 6,
    WIRE_INSTANCE = 7,
    WIRE_CODE = 8,
    WIRE_DEF_KINDS = 9
};
enum { WIRE_RESULT = 9 }; /* about an INSTANCE; no definition of its own */

enum { WIRE_MODULE_MAIN = 1 };

enum {
    WIRE_TN_VISIBLE = 1,
    WIRE_TN_MT_VISIBLE = 2,
    WIRE_TN_GLOBAL_FUNCTION = 4,
    WIRE_TN_CONCRETE = 8,
    WIRE_TN_FUNCTION = 16,
    WIRE_TN_TUPLE = 32,
    WIRE_TN_TYPE = 64,
    WIRE_TN_VARARG = 128,
    WIRE_TN_UNIONALL = 256,
    WIRE_TN_NAMEDTUPLE = 512,
    WIRE_TN_MT_ELSEWHERE = 1024,
    WIRE_TN_MT_EXPORTED = 2048,
    WIRE_TN_ABSTRACT = 4096
};

enum {
    WIRE_METHOD_VARARG = 1,
    WIRE_METHOD_GENERATED = 2,
    WIRE_METHOD_GENERATOR = 4,
    WIRE_METHOD_OPAQUE_CLOSURE = 8
};

enum { WIRE_CODE_INLINED = 1, WIRE_CODE_C = 2, WIRE_CODE_THUNK = 4, WIRE_CODE_ENTRANCE = 8 };
enum { WIRE_STACK_CUT = 1 };

enum { WIRE_INSTANCE_METHOD = 1, WIRE_INSTANCE_TOPLEVEL = 2 };

/* Nodes of the type graph (format.md 1.2). */
enum {
    WIRE_FORM_DATATYPE = 1,
    WIRE_FORM_UNIONALL = 2,
    WIRE_FORM_UNION = 3,
    WIRE_FORM_TYPEVAR = 4,
    WIRE_FORM_BOTTOM = 5,
    WIRE_FORM_VARARG = 6,
    WIRE_FORM_BITS = 7,
    WIRE_FORM_SYMBOL = 8,
    WIRE_FORM_TEXT = 9,
    WIRE_FORM_STRUCT = 10,
    WIRE_FORM_SINGLETON = 11,
    WIRE_FORM_OPAQUE = 12,
    WIRE_FORM_MODULE = 13,
    WIRE_FORM_PARTIAL = 14,
    WIRE_FORM_CUT = 15,
    WIRE_FORM_CONST_TYPE = 16,
    WIRE_FORM_ENUM = 17,
    WIRE_FORM_ALIAS = 18
};

enum { WIRE_DATATYPE_WRAPPER = 1, WIRE_DATATYPE_SINGLETON = 2 };
enum { WIRE_UNIONALL_WRAPPER = 1 };
enum { WIRE_ENUM_VISIBLE = 1 };
enum { WIRE_ALIAS_VISIBLE = 1 };

/* Events of a segment (format.md 2.3). */
enum {
    WIRE_BEGIN = 32,
    WIRE_END = 33,
    WIRE_ABORT = 34,
    WIRE_TASK = 35,
    WIRE_GC = 36,
    WIRE_MARK = 37,
    WIRE_LINE = 38,
    WIRE_CLOSE = 39,
    WIRE_STACK = 40,
    WIRE_RUN = 41,
    WIRE_INVALIDATED = 42,
    WIRE_INFO = 48,
    WIRE_IMAGE = 49
};

/* Flags that the agent writes (the public ones of snoopi/trace.h, which it does not include). */
enum {
    WIRE_FLAG_CONSTPROP = 1,
    WIRE_FLAG_SEMICONCRETE = 2,
    WIRE_FLAG_NESTED = 4,
    WIRE_FLAG_CYCLE = 8,
    WIRE_FLAG_TOOLING = 512,
    WIRE_FLAG_ARGS = 1024
};

/* Records of a trace (format.md 3). */
enum { WIRE_PROCESS = 64, WIRE_RECORDING = 65, WIRE_TRACE_MARK = 66, WIRE_TRACE_INVALIDATED = 67 };
enum { WIRE_FRAME_OF_VARINTS = 80, WIRE_FRAME = 81 };
enum { WIRE_FRAME_FIELDS = 8, WIRE_FRAME_WIDTHS_SIZE = 4 };
enum { WIRE_PAGE_DEFS = 1, WIRE_PAGE_PROCESS = 2, WIRE_PAGE_FRAMES = 3, WIRE_PAGE_END = 4 };
enum { WIRE_PAGE_HEADER_SIZE = 24, WIRE_TRACE_HEADER_SIZE = 16 };
#define WIRE_PAGE_RAW_MAX (16u << 20)
#define WIRE_CHUNK_MAX    (64u << 20)
#define WIRE_STRING_MAX   (1u << 20)
#define WIRE_KIDS_MAX     (1u << 20) /* params or fields of a node */
#define WIRE_ARGS_MAX     (1u << 12) /* arguments of a frame */
#define WIRE_DEPTH_MAX    (1u << 20) /* depth of a frame */
#define WIRE_STACK_MAX    (1u << 12) /* codes on the stack of a root */
#define WIRE_PLACES_MAX   (1u << 12) /* places of a code */
#define WIRE_IMAGES_MAX   (1u << 14) /* images of a process */
#define WIRE_MARKS_MAX    (1u << 17) /* marks of a process */
#define WIRE_INVALIDATED_MAX \
    (1u << 22) /* frames of a process that are flagged so and tell of what world */

enum { WIRE_STATE_OPENED = 1, WIRE_STATE_RECORDING = 2, WIRE_STATE_OFF = 3, WIRE_STATE_ENDED = 4 };
enum { WIRE_EXIT_STATUS = 1, WIRE_EXIT_SIGNAL = 2 };
enum { WIRE_HOOK_NONE = 0, WIRE_HOOK_NATIVE = 1, WIRE_HOOK_OVERRIDE = 2 };
enum { WIRE_SEG_COMPILER_REPLACED = 1, WIRE_SEG_NO_ARGS = 2, WIRE_SEG_NO_STACKS = 4 };

#define WIRE_SEGMENT_MAGIC "SNPISEG1"
#define WIRE_CHUNK_MAGIC   "CHNK"
#define WIRE_TRACE_MAGIC   "SNOOPI\r\n"
#define WIRE_PAGE_MAGIC    "SNPG"
enum { WIRE_SEGMENT_HEADER_SIZE = 4096, WIRE_CHUNK_HEADER_SIZE = 64 };

/** Head of a segment (format.md 2.1). The agent maps it and stores into it as it runs. */
struct wire_segment_header {
    char magic[8];
    uint32_t version;
    uint32_t state;
    uint32_t pid;
    uint32_t ppid;
    uint64_t begin_ns;
    uint64_t begin_real_ns;
    uint64_t awake_ns;
    uint64_t end_ns;
    uint64_t agent_start_ns;
    uint64_t world_begin;
    uint64_t world_end;
    uint64_t dropped_frames;
    uint64_t dropped_records;
    int32_t exit_value;
    uint32_t exit_kind;
    uint64_t tool_other_ns;
    uint32_t hook;
    uint32_t flags;
    uint8_t reserved0[136];
    char reason[256];
    uint8_t reserved1[3584];
};
_Static_assert(sizeof(struct wire_segment_header) == WIRE_SEGMENT_HEADER_SIZE, "format.md 2.1");

/** Head of a chunk (format.md 2.2). */
struct wire_chunk_header {
    char magic[4];
    uint32_t size;
    uint32_t thread;
    uint32_t sequence;
    uint64_t used;
    uint64_t base_ns;
    uint64_t os_tid;
    uint8_t reserved[24];
};
_Static_assert(sizeof(struct wire_chunk_header) == WIRE_CHUNK_HEADER_SIZE, "format.md 2.2");

#endif
