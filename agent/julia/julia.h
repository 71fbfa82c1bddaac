// SPDX-License-Identifier: MIT
#ifndef SNOOPI_AGENT_JULIA_H
#define SNOOPI_AGENT_JULIA_H

/**
 * @file All that the agent uses of Julia: exported C functions, offsets of fields (asked of
 * Julia's own DataTypes at the start, never assumed), and one row of facts per version. Every
 * other file takes what it needs from `julia`, so a test can put a fake there. What a version
 * differs in stands in its row and nowhere else.
 *
 * Only functions that neither allocate in Julia's heap nor reach a safepoint are called from the
 * hook.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Any Julia object. */
typedef void *jl_any;

/** How a frame is told to the hook, and what entering it means. */
enum target_kind {
    TARGET_NONE,
    TARGET_TYPEINF,      /* one call is one frame; returns false when a frame above finishes it */
    TARGET_SEMICONCRETE, /* one call is one frame of semi-concrete evaluation */
    TARGET_ENTRANCE,     /* inference is entered from outside; no frame of its own */
    TARGET_QUERY,        /* the same, for an answer only; a tool's, if that is what is open */
    TARGET_WORLD_CALL, /* jl_call_in_typeinf_world: what a tool asks, or return_type, comes through it */
    /* where frames take turns (turns.h): */
    TARGET_LOOP,           /* works on a frame and on all below it, by turns */
    TARGET_STEP,           /* works on the frame from now on */
    TARGET_STEP_OF_RESULT, /* the same; told by the InferenceResult of the frame */
    TARGET_FINISH,         /* works on it, and ends it when it returns */
    TARGET_FINISH_CYCLE    /* ends all frames of a cycle when it returns */
};

enum { TARGETS_MAX = 16, TARGET_ARGS_MAX = 6 };

static inline bool target_is_entrance(enum target_kind kind)
{
    return kind == TARGET_ENTRANCE || kind == TARGET_QUERY || kind == TARGET_WORLD_CALL;
}

/** A function of the compiler to hook: chosen by its name and the names of its arguments' types. */
struct julia_target {
    enum target_kind kind;
    const char *function;
    /* names of the types of its first arguments; NULL-terminated */
    const char *args[TARGET_ARGS_MAX];
    /* which integer argument register holds the frame: 0 = rdi. The vector of frames of a
     * TARGET_FINISH_CYCLE, which is followed by the index of the first one that it ends. */
    int frame_register;
};

/**
 * Where a yes or no is written: a field as Julia's reflection names it, and the bits of its first
 * byte.
 */
struct julia_flag {
    const char *field;
    uint8_t mask;
};

/** What differs by version. */
struct julia_row {
    int major;
    int minor;
    struct julia_target targets[TARGETS_MAX];
    /* Functions whose call of a target means "entered from outside": told by the hook's return
     * address. Rows with targets that are entrances need none. */
    const char *entrances[8];
    /* A task may switch while it infers. If not, frames of a task that is no longer current
     * were left. */
    bool inference_may_switch;
    bool can_be_redefined;    /* override.jl was tried on it */
    bool takes_turns;         /* one call of typeinf works on many frames (turns.h) */
    bool has_small_type_tags; /* type tags below 1024 index jl_small_typeof */
    bool array_has_memory;    /* Array is a reference into a Memory */
    bool shows_aliases;       /* types are shown by the names that modules give them */
    bool vararg_is_object;    /* Vararg{T,N} is an object of two fields, not a DataType */
    /* `is_abstract` and `is_mutable` stand in the TypeName, not in the DataType */
    bool kind_in_typename;
    /* the size of a type's values is the first word (32 bits) of its layout */
    bool size_in_layout;
    struct julia_flag is_abstract, is_mutable, is_concrete, is_bits;
    struct julia_flag is_specsig; /* of a CodeInstance: its code takes arguments in registers */
    /* A CodeInstance has an owner: `nothing`, or that of another compiler. */
    bool code_has_owner;
    /* The field that holds a thunk's CodeInfo: of its MethodInstance, or else (NULL) of the
     * frame. */
    const char *thunk_source;
    const char *frame_source;
    /* jl_binding_t: offsets of value, owner, and of the byte with its flags. Where it has partitions, owner is the first of
     * these, and masks and `constant` are of no use. */
    struct {
        size_t value, owner, flags;
        uint8_t exported, deprecated; /* masks */
        uint8_t listed;               /* by names(module): exported, or public */
        uint8_t constant;             /* in the byte at: */
        size_t constant_at;
        /* the owner is the binding that has the value, not a module */
        bool owner_is_binding;
        /* its GlobalRef, where the module's table does not hold names */
        size_t globalref;
    } binding;
    /* What a binding is stands in its partitions, one for each range of worlds (binding.c). */
    bool binding_has_partitions;
    /* All methods are in one table, by the type of what is called. */
    bool one_method_table;
    /* Lines of code are in its DebugInfo, not in a table of LineInfoNodes. */
    bool has_debuginfo;
    /* An interpreter is passed as its data and its references: in two registers. */
    bool interpreter_is_split;
    /* The compiler stands on its own, as a package does, though Base holds it. */
    bool compiler_is_root;
    size_t module_bindings;       /* jl_module_t: offset of its table of bindings */
    bool module_bindings_is_svec; /* a SimpleVector of bindings; else a hash table of pairs, */
    size_t module_lock;           /* which is changed under this lock: offset of its owner */
};

/** Offset of a field in bytes. Small, as all that is used at each frame: the compiler has emptied the caches. */
typedef uint16_t julia_offset;

/** The same, found. */
struct julia_bits {
    julia_offset offset;
    uint8_t mask;
};

/** jl_codeloc_t */
struct julia_code_place {
    int32_t line;
    int32_t to;
    int32_t statement;
};

struct julia_api {
    const struct julia_row *row; /* NULL: not bound */
    int major;
    int minor;
    int patch;

    /* Functions. */
    int (*is_initialized)(void);
    jl_any (*get_current_task)(void);
    void ***(*gc_stack)(void); /* the head of the list of roots on the current task's stack */
    size_t (*get_world_counter)(void);
    jl_any (*get_global)(jl_any module, jl_any symbol);
    jl_any (*symbol_lookup)(const char *name);
    const char *(*symbol_name)(jl_any symbol);
    jl_any (*module_name)(jl_any module);
    jl_any (*module_parent)(jl_any module);
    /* jl_binding_t. Julia before 1.10 knows no `make` and ignores it. */
    void *(*get_module_binding)(jl_any module, jl_any symbol, int make);
    int (*field_index)(jl_any datatype, jl_any symbol, int err);
    size_t (*get_field_offset)(jl_any datatype, int field);
    void (*gc_set_cb_pre_gc)(void (*callback)(int), int enable);
    void (*gc_set_cb_post_gc)(void (*callback)(int), int enable);
    const char *(*ver_string)(void);
    /* For stacks; NULL where there is no such function. */
    void *(*task_stack_buffer)(jl_any task, size_t *size, int *tid);
    void (*active_task_stack)(jl_any task, char **active_begin, char **active_end,
                              char **total_begin, char **total_end); /* since 1.12 instead */
    jl_any (*lookup_code_address)(void *address, int skip_c);
    jl_any (*eqtable_get)(jl_any table, jl_any key, jl_any other);
    struct julia_code_place (*uncompress_code_place)(jl_any places, size_t statement);
    const char *(*intrinsic_name)(int);
    char *options; /* jl_options */
    const int *n_threads;

    /* Variables. */
    const char *const *filename; /* of the toplevel code that is run by the interpreter */
    const int *lineno;
    jl_any *small_typeof;

    /* Modules and types. */
    jl_any core, base, main, compiler;
    jl_any frame_type, result_type, semiconcrete_type; /* what targets are given */
    jl_any return_type_function; /* that asks for a program, not for a tool; NULL: there is none */
    jl_any datatype_type, unionall_type, uniontype_type, tvar_type, symbol_type, string_type,
        module_type, method_type, int64_type, simplevector_type, typeofbottom_type,
        method_instance_type, typemap_entry_type, code_instance_type, vararg_type, typename_type,
        function_type, array_any_type, line_type, intrinsic_type, const_type, partialstruct_type,
        bottom, code_info_type, nothing;
    jl_any tuple_typename, type_typename, unionall_typename, namedtuple_typename, vararg_typename;

    /* Offsets of fields. */
    struct {
        julia_offset dt_name, dt_super, dt_parameters, dt_types, dt_instance, dt_layout, dt_size;
        struct julia_bits dt_abstract, dt_mutable, dt_concrete, dt_isbits;
        julia_offset tn_name, tn_module, tn_wrapper, tn_mt, tn_names;
        julia_offset mt_name, mt_defs;
        julia_offset tme_next, tme_sig, tme_func;
        julia_offset vararg_type, vararg_count;
        julia_offset ua_var, ua_body, un_a, un_b, tv_name, tv_lower, tv_upper;
        julia_offset mi_def, mi_spec, mi_cache, mi_source;
        julia_offset ci_next, ci_min_world, ci_max_world, ci_invoke, ci_specptr, ci_rettype,
            ci_inferred, ci_owner;
        struct julia_bits ci_specsig;
        julia_offset m_name, m_module, m_file, m_line, m_world, m_sig, m_specializations, m_nargs,
            m_isva, m_generator;
        julia_offset frame_instance, frame_result, frame_source, result_argtypes, result_overridden,
            bitvector_chunks;
        julia_offset frame_callstack, frame_parentid, irsv_callstack, irsv_parentid;
        julia_offset irsv_instance, irsv_ir, ir_argtypes; /* of semi-concrete evaluation */
        bool irsv_ir_is_inline;
        julia_offset option_bindir, option_image, option_compile;
        julia_offset globalref_name;
        julia_offset const_val, partial_type, partial_fields;
        julia_offset codeinfo_linetable, line_file, line_line;
        size_t line_line_size;
        julia_offset codeinfo_debuginfo, debuginfo_def, debuginfo_table, debuginfo_places;
        julia_offset partition_restriction, partition_min_world, partition_max_world,
            partition_next, partition_kind;
        julia_offset ci_def;
    } at;
};

extern struct julia_api julia;

/**
 * Finds libjulia in the process. Binds no more than is needed to ask whether Julia is initialized.
 * False while it is not loaded.
 */
bool julia_find(void);

/**
 * Whether Julia is initialized so far that a current task and the modules of the system image exist. While it is being
 * initialized to be asked only on the thread that does so: others have no task, or one that is half made.
 */
bool julia_is_ready(void);

/**
 * Whether all of the system image is there, its native code too, which comes last: until then Julia has its collector off, in all of
 * 1.5 to 1.12. To be asked while Julia is being initialized; later a program may turn the collector off itself.
 */
bool julia_is_restored(void);

/** Has `callback` called before each collection, or no more. False when Julia has no way to. */
bool julia_watch_collections(void (*callback)(int), bool is_wanted);

/** A function or variable of libjulia; NULL when there is none. To be asked after julia_find(). */
void *julia_symbol(const char *name);

/** Binds the rest. False with a reason (static text) when this Julia can't be recorded. */
bool julia_bind(const char **reason);

/**
 * The row of a version, or of the newest one that is older: what is newer than all rows is tried with the last.
 * NULL for what is older than all, or of another major version.
 */
const struct julia_row *julia_row_near(int major, int minor);

/** Whether this version has no row of its own. */
bool julia_is_guess(void);

/**
 * A reason why nothing is recorded, as it is told: for a version without a row of its own that comes first. The text is one
 * that the next call overwrites.
 */
const char *julia_reason(const char *reason);

/* Reading of objects. */

static inline jl_any load_ptr(jl_any object, size_t offset)
{
    return *(jl_any *)(void *)((char *)object + offset);
}

static inline uint64_t load_u64(jl_any object, size_t offset)
{
    return *(uint64_t *)(void *)((char *)object + offset);
}

static inline int32_t load_i32(jl_any object, size_t offset)
{
    return *(int32_t *)(void *)((char *)object + offset);
}

static inline uint8_t load_u8(jl_any object, size_t offset)
{
    return *(uint8_t *)((char *)object + offset);
}

static inline bool load_flag(jl_any object, struct julia_bits bits)
{
    return (load_u8(object, bits.offset) & bits.mask) != 0;
}

/** The type of an object: the word before it, without the collector's bits. */
static inline jl_any type_of(jl_any object)
{
    const uintptr_t tag = ((uintptr_t *)object)[-1] & ~(uintptr_t)15;
    if (julia.row->has_small_type_tags && tag < 1024) {
        return julia.small_typeof[tag / sizeof(jl_any)];
    }
    return (jl_any)tag;
}

/* Where a DataType says what kind of type it is. */
static inline jl_any kind_of(jl_any datatype)
{
    return julia.row->kind_in_typename ? load_ptr(datatype, julia.at.dt_name) : datatype;
}

static inline bool datatype_is_mutable(jl_any datatype)
{
    return load_flag(kind_of(datatype), julia.at.dt_mutable);
}

static inline bool datatype_is_abstract(jl_any datatype)
{
    return load_flag(kind_of(datatype), julia.at.dt_abstract);
}

/** Size of the values of a type; 0 when that is not known. */
static inline int32_t datatype_size(jl_any datatype)
{
    if (!julia.row->size_in_layout) {
        return load_i32(datatype, julia.at.dt_size);
    }
    jl_any const layout = load_ptr(datatype, julia.at.dt_layout);
    return layout == NULL ? 0 : load_i32(layout, 0);
}

/* SimpleVector: a length, then the elements. */
static inline size_t svec_length(jl_any svec)
{
    return *(size_t *)svec;
}

static inline jl_any svec_at(jl_any svec, size_t i)
{
    return ((jl_any *)svec)[1 + i];
}

/* One-dimensional Array: data and length. */
static inline void *array_data(jl_any array)
{
    return *(void **)array;
}

static inline size_t array_length(jl_any array)
{
    return ((size_t *)array)[julia.row->array_has_memory ? 2 : 1];
}

#endif
