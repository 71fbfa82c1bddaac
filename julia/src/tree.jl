# SPDX-License-Identifier: MIT
# The tree of a window: what its trace has, as Julia objects.

# An open trace. The file goes with it when it is of a window.
mutable struct Recording
    trace::Ptr{Cvoid}
    path::String
    is_temporary::Bool
end

function close_recording(recording::Recording)
    C.close_trace(recording.trace)
    recording.trace = C_NULL
    recording.is_temporary && ccall(:unlink, Cint, (Cstring,), recording.path)
    return
end

function open_recording(path, is_temporary)
    # The collector calls it, maybe inside of a block that is measured: it is not to be inferred there.
    precompile(close_recording, (Recording,))
    recording = Recording(C.open_trace(path), path, is_temporary)
    finalizer(close_recording, recording)
    return recording
end

"""
    InferenceTimingNode

One run of type inference over one method instance, or the root of all that was measured. Its fields:

| field | |
|---|---|
| `method_instance` | the `MethodInstance`; `nothing` of the root, of top-level code, and where the recording is of another process |
| `name` | what was inferred, as Julia shows it: `f(::Int64)`; with arguments that were constant: `getproperty(::P, x::Symbol)` |
| `children`, `parent` | what was inferred for it, in order; the parent of the root is `nothing` |
| `start_time` | seconds since the measurement began |
| `flags` | words that say what is special about it: `:constprop`, `:nested`, `:cycle`, … |

[`exclusive`](@ref) and [`inclusive`](@ref) tell its time. Iterating over a node iterates over its children.

The root is `ROOT()`. Its exclusive time is what was not inference: running, generating code, loading. Its inclusive time is all the time that was
measured, without what measuring took.
"""
mutable struct InferenceTimingNode
    recording::Recording
    id::Int64 # of the frame in the trace; −1: ROOT
    method_instance::Union{Nothing,Core.MethodInstance}
    name::String
    mod::String
    file::String
    line::Int
    flags::Vector{Symbol}
    start_ns::UInt64
    inclusive_ns::UInt64
    exclusive_ns::UInt64
    children::Vector{InferenceTimingNode}
    parent::Union{Nothing,InferenceTimingNode}
end

isroot(node::InferenceTimingNode) = node.id < 0

"""
    exclusive(node)

Seconds that inference spent on the node itself, without its children. Of the root: seconds that were not spent in inference.
"""
exclusive(node::InferenceTimingNode) = node.exclusive_ns / 1e9

"""
    inclusive(node)

Seconds that inference spent on the node and all that it caused. Of the root: the time of the block, without what measuring took.
"""
inclusive(node::InferenceTimingNode) = node.inclusive_ns / 1e9

start_time(node::InferenceTimingNode) = node.start_ns / 1e9

"""
    Snoopi.name(node)

What was inferred: `f(::Int64)`.
"""
name(node::InferenceTimingNode) = node.name

children(node::InferenceTimingNode) = node.children

# Words of the flags, by bit; the same vector for the same flags.
function flag_words(known::Dict{UInt32,Vector{Symbol}}, flags::UInt32)
    get!(known, flags) do
        words = Symbol[]
        for bit in 0:31
            if flags >> bit & 1 == 1
                word = ccall((:snoopi_flag_name, libsnoopi), Cstring, (UInt32,), UInt32(1) << bit)
                word == C_NULL || push!(words, Symbol(unsafe_string(word)))
            end
        end
        words
    end
end

# What nodes of one instance share.
struct Subject
    method_instance::Union{Nothing,Core.MethodInstance}
    name::String
    mod::String
    file::String
    line::Int
end

function subject(trace, id, is_live)
    i = C.instance(trace, id)
    method_instance = is_live && i.agent_id != 0 ? Recorder.instance(i.agent_id) : nothing
    return Subject(method_instance, C.text(i.name), C.text(i.mod), C.text(i.file), Int(i.line))
end

# `is_live`: it was recorded in this process.
function tree_of(recording::Recording, is_live::Bool)
    trace = recording.trace
    outside = wall = UInt64(0)
    origin = typemax(UInt64)
    for index in 0:Int(C.n_processes(trace))-1
        process = C.process(trace, index)
        outside += process.outside_ns
        origin = min(origin, process.begin_ns)
    end
    root = InferenceTimingNode(recording, -1, nothing, "ROOT()", "", "", 0, Symbol[], 0, 0, outside, InferenceTimingNode[], nothing)
    path = [root] # the node at each depth
    subjects = Dict{UInt32,Subject}()
    words = Dict{UInt32,Vector{Symbol}}()
    C.walk(trace) do at
        frame = at[]
        about = get!(() -> subject(trace, frame.instance, is_live), subjects, frame.instance)
        resize!(path, frame.depth + 1)
        parent = path[end]
        name = frame.n_args == 0 ? about.name : C.frame_text(trace, at)
        node = InferenceTimingNode(recording, frame.id, about.method_instance, name, about.mod, about.file, about.line,
            flag_words(words, frame.flags), frame.begin_ns - origin, frame.total_ns, frame.self_ns, InferenceTimingNode[], parent)
        push!(parent.children, node)
        push!(path, node)
    end
    damage = C.damage(trace)
    isempty(damage) || @warn "Snoopi: the recording is not whole: $damage"
    root.inclusive_ns = outside
    for child in root.children
        root.inclusive_ns += child.inclusive_ns
    end
    return root
end

function measured(window::Window)
    if window.result === nothing
        path = joinpath(Recorder.session.folder, string("window-", window.number, ".snoopi"))
        C.pack_window(Recorder.segment(), window.begin_ns, window.end_ns, path)
        window.result = tree_of(open_recording(path, true), true)
    end
    extend_base()
    return window.result
end

# The tree of a window. It is not looked through by inference before it is needed, and what it takes is not measured.
function result(window::Window)
    Recorder.begin_own()
    try
        return Base.invokelatest(measured, window)
    finally
        Recorder.end_own()
    end
end

# The methods of Base that nodes have. They invalidate code of Base's, so they come when the first block has been measured.
const is_extended = Ref(false)
function extend_base()
    if !is_extended[] && !ccall(:jl_is_in_pure_context, Bool, ())
        is_extended[] = true
        Base.include(Snoopi, joinpath(@__DIR__, "extend_base.jl"))
    end
end

"""
    Snoopi.last()

The tree of the block that was measured last, also when it threw an exception.
"""
function last()
    window = Recorder.session.last
    window === nothing && error("Snoopi: nothing was measured yet")
    return result(window)
end
