# SPDX-License-Identifier: MIT
# Structs of include/snoopi/, field by field in their order (test/layouts.jl compares them to what the C compiler says), and the calls
# that open, walk and write traces.
module C

using ..Recorder: libsnoopi

struct Error
    status::Cint
    sys_errno::Cint
    text::NTuple{240,UInt8}
    Error() = new(0, 0, ntuple(_ -> 0x00, 240))
end

struct Arg
    position::UInt32
    node::UInt32
end

struct Frame
    id::UInt64
    parent::Int64
    depth::UInt32
    process::UInt32
    thread::UInt32
    task::UInt32
    instance::UInt32
    flags::UInt32
    begin_ns::UInt64
    end_ns::UInt64
    total_ns::UInt64
    self_ns::UInt64
    gc_ns::UInt64
    n_args::UInt32
    args::Ptr{Arg}
    line_file::UInt32
    line::UInt32
    n_stack::UInt32
    stack::Ptr{UInt32}
    is_stack_cut::Bool
end

struct Instance
    id::UInt32
    is_toplevel::Bool
    method::UInt32
    agent_id::UInt32
    method_world::UInt64
    name::Cstring
    method_name::Cstring
    func::Cstring
    mod::Cstring
    package::Cstring
    file::Cstring
    raw_file::Cstring
    line::Int32
    result::UInt32
end

# The first fields of snoopi_process, up to the last that is read.
struct Process
    index::UInt32
    pid::UInt32
    ppid::UInt32
    parent::Int64
    begin_ns::UInt64
    begin_real_ns::UInt64
    wall_ns::UInt64
    inference_ns::UInt64
    busy_ns::UInt64
    outside_ns::UInt64
    tool_ns::UInt64
end

struct Place
    name::Cstring
    file::Cstring
    raw_file::Cstring
    line::UInt32
    instance::UInt32
    is_inlined::Bool
    is_c::Bool
    is_toplevel::Bool
    is_entrance::Bool
end

struct Trigger
    trigger_class::Cint
    is_near::Bool
    callee::UInt32
    caller::UInt32
    file::Cstring
    line::UInt32
    n_places::UInt32
    places::Ptr{Place}
    depth::UInt32
end

struct Scope
    process::Cstring
    from_ns::UInt64
    to_ns::UInt64
    after::Cstring
    mark::Cstring
    progress::Ptr{Cvoid}
    payload::Ptr{Cvoid}
    Scope() = new(C_NULL, 0, typemax(UInt64), C_NULL, C_NULL, C_NULL, C_NULL)
end

struct Filter
    mod::Cstring
    package::Cstring
    file::Cstring
    Filter() = new(C_NULL, C_NULL, C_NULL)
end

struct ExportOptions
    format::Cint
    by::Cint
    weight::Cint
    tmin_ns::UInt64
    scope::Scope
    filter::Filter
    base::Ptr{Cvoid}
    has_stacks::Bool
end

struct AdviceOptions
    is_all::Bool
    tmin_ns::UInt64
    limit::UInt64
    scope::Scope
    filter::Filter
end

struct Finding
    kind::Cint
    name::Cstring
    mod::Cstring
    file::Cstring
    line::UInt32
    saved_ns::UInt64
    count::UInt64
    what::Cstring
    change::Cstring
    evidence::Ptr{Cstring}
    n_evidence::Csize_t
end

struct PrecompileOptions
    tmin_ns::UInt64
    mod::Cstring
    scope::Scope
end

struct Directive
    text::Cstring
    instance::UInt32
    total_ns::UInt64
    count::UInt64
end

struct PrecompileModule
    mod::Cstring
    package::Cstring
    file::Cstring
    total_ns::UInt64
    covered_ns::UInt64
    n_directives::Csize_t
    directives::Ptr{Directive}
end

text(s::Cstring) = s == C_NULL ? "" : unsafe_string(s)

# Throws what the library said.
function check(status::Integer, err::Ref{Error})
    if status < 0
        bytes = UInt8[b for b in err[].text]
        stop = findfirst(==(0x00), bytes)
        error("Snoopi: ", String(bytes[1:(stop === nothing ? end : stop - 1)]))
    end
    return status
end

function pack_window(segment, begin_ns, end_ns, path)
    err = Ref(Error())
    check(ccall((:snoopi_pack_window, libsnoopi), Cint, (Cstring, UInt64, UInt64, Cstring, Ptr{Cvoid}, Ref{Error}),
            segment, begin_ns, end_ns, path, C_NULL, err), err)
end

function open_trace(path)
    err = Ref(Error())
    trace = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall((:snoopi_trace_open, libsnoopi), Cint, (Ref{Ptr{Cvoid}}, Cstring, Ref{Error}), trace, path, err), err)
    return trace[]
end

close_trace(trace) = ccall((:snoopi_trace_close, libsnoopi), Cvoid, (Ptr{Cvoid},), trace)

# Calls f(frame) for each frame of a trace.
function walk(f, trace)
    err = Ref(Error())
    at = Ref{Ptr{Cvoid}}(C_NULL)
    frame = Ref{Frame}()
    check(ccall((:snoopi_walk_open, libsnoopi), Cint, (Ref{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ref{Error}), at, trace, -1, err), err)
    try
        while check(ccall((:snoopi_walk_next, libsnoopi), Cint, (Ptr{Cvoid}, Ref{Frame}, Ref{Error}), at[], frame, err), err) == 1
            f(frame)
        end
    finally
        ccall((:snoopi_walk_close, libsnoopi), Cvoid, (Ptr{Cvoid},), at[])
    end
end

function instance(trace, id)
    found = ccall((:snoopi_trace_instance, libsnoopi), Ptr{Instance}, (Ptr{Cvoid}, UInt32), trace, id)
    found == C_NULL && throw(OutOfMemoryError())
    return unsafe_load(found)
end

n_processes(trace) = ccall((:snoopi_trace_n_processes, libsnoopi), UInt32, (Ptr{Cvoid},), trace)
process(trace, index) =
    unsafe_load(ccall((:snoopi_trace_process, libsnoopi), Ptr{Process}, (Ptr{Cvoid}, UInt32), trace, index))
damage(trace) = text(ccall((:snoopi_trace_damage, libsnoopi), Cstring, (Ptr{Cvoid},), trace))
frame_text(trace, frame) = text(ccall((:snoopi_trace_frame_text, libsnoopi), Cstring, (Ptr{Cvoid}, Ref{Frame}), trace, frame))

# The number of a word: of those that `name(i)` gives from 0 on.
function number_of(name, word)
    i = 0
    while true
        found = text(name(i))
        found == word && return i
        isempty(found) && i > 0 && return nothing
        i += 1
    end
end

end
