# SPDX-License-Identifier: MIT
# Who caused inference, and what to do about it.

"""
    InferenceTrigger

The call that entered inference for a child of the root: see [`inference_triggers`](@ref).

| field | |
|---|---|
| `node` | the [`InferenceTimingNode`](@ref) that was inferred |
| `class` | how the call was made: `:dispatch`, `:toplevel`, `:task`, `:return_type`, …; `:unknown` |
| `caller` | `MethodInstance` of the caller; `nothing` for top-level code, or when it is not known |
| `caller_name` | its name |
| `file`, `line` | of the call; `""` and 0 when not known |
| `callerframes` | names of the functions at that place: the direct caller, and what that was inlined into |
"""
struct InferenceTrigger
    node::InferenceTimingNode
    class::Symbol
    caller::Union{Nothing,Core.MethodInstance}
    caller_name::String
    file::String
    line::Int
    callerframes::Vector{String}
end

"""
    callerinstance(trigger)

`MethodInstance` of the method that made the call, or `nothing`.
"""
callerinstance(trigger::InferenceTrigger) = trigger.caller

function read_trigger(trace, node, t::C.Trigger)
    word = ccall((:snoopi_trigger_class_name, libsnoopi), Cstring, (Cint,), t.trigger_class)
    caller, caller_name = nothing, ""
    if t.caller != 0
        about = subject(trace, t.caller, node.recording.is_temporary)
        caller, caller_name = about.method_instance, about.name
    end
    places = [C.text(unsafe_load(t.places, i).name) for i in 1:Int(t.n_places)]
    return InferenceTrigger(node, word == C_NULL ? :unknown : Symbol(unsafe_string(word)), caller, caller_name, C.text(t.file), Int(t.line), places)
end

"""
    inference_triggers(tinf; exclude_toplevel=true)

The call that caused each child of the root, as an [`InferenceTrigger`](@ref). With `exclude_toplevel` those that were not called by a function (but by
top-level code, `eval`, `include`, or the loading of packages) are left out.

It is told from the native stack that each entrance into inference was recorded with.

# Examples
```jldoctest
julia> using Snoopi

julia> @noinline callee(x) = x; calls(v) = callee(v[1]);

julia> tinf = @snoopi_deep calls(Any['x']);

julia> trigger = inference_triggers(tinf)[end];

julia> trigger.node.name
"callee(::Char)"

julia> trigger.class, trigger.caller.def.name
(:dispatch, :calls)
```
"""
function inference_triggers(tinf::InferenceTimingNode; exclude_toplevel::Bool = true)
    isroot(tinf) || throw(ArgumentError("triggers are of the root of a tree; this is the node of $(tinf.name)"))
    trace = tinf.recording.trace
    nodes = Dict(node.id => node for node in tinf.children)
    triggers = InferenceTrigger[]
    err = Ref(C.Error())
    finder = Ref{Ptr{Cvoid}}(C_NULL)
    found = Ref{C.Trigger}()
    C.check(ccall((:snoopi_trigger_finder_new, libsnoopi), Cint, (Ref{Ptr{Cvoid}}, Ptr{Cvoid}, Bool, Ref{C.Error}), finder, trace, false, err), err)
    try
        C.walk(trace) do frame
            node = get(nodes, frame[].id, nothing)
            node === nothing && return
            C.check(ccall((:snoopi_trigger_find, libsnoopi), Cint, (Ptr{Cvoid}, Ref{C.Frame}, Ref{C.Trigger}, Ref{C.Error}),
                    finder[], frame, found, err), err)
            push!(triggers, read_trigger(trace, node, found[]))
        end
    finally
        ccall((:snoopi_trigger_finder_free, libsnoopi), Cvoid, (Ptr{Cvoid},), finder[])
    end
    return exclude_toplevel ? filter(t -> t.class ∉ (:toplevel, :eval, :load, :unknown), triggers) : triggers
end

function print_trigger(io::IO, trigger::InferenceTrigger)
    print(io, "Inference triggered to call ", shortened(trigger.node.name))
    if isempty(trigger.callerframes)
        print(io, " from ", trigger.class === :unknown ? "what is not known" : string(trigger.class))
    else
        print(io, " from ", trigger.callerframes[1])
    end
    isempty(trigger.file) || print(io, " (", trigger.file, ':', trigger.line, ')')
    for outer in Iterators.drop(trigger.callerframes, 1)
        print(io, " inlined into ", outer)
    end
    isempty(trigger.caller_name) || print(io, " with specialization ", shortened(trigger.caller_name))
end

"""
    Finding

Something that could be changed so that less is inferred: its `kind`, the `name` of what it is about, `file` and `line`, `what` was seen, the `change` to make, how
many seconds it could save at most (`saved`), how many nodes it is about (`count`), and `evidence`.
"""
struct Finding
    kind::Symbol
    name::String
    file::String
    line::Int
    saved::Float64
    count::Int
    what::String
    change::String
    evidence::Vector{String}
end

# So that a list of findings prints as text.
struct Advice
    findings::Vector{Finding}
end

function read_finding(f::C.Finding)
    kind = ccall((:snoopi_advice_kind_name, libsnoopi), Cstring, (Cint,), f.kind)
    evidence = [C.text(unsafe_load(f.evidence, i)) for i in 1:Int(f.n_evidence)]
    return Finding(Symbol(C.text(kind)), C.text(f.name), C.text(f.file), Int(f.line), f.saved_ns / 1e9, Int(f.count), C.text(f.what),
        C.text(f.change), evidence)
end

"""
    suggest(tinf; tmin=0.0, limit=0, all=false)

What could be changed so that less is inferred, what could save most first: prints as text, and has `findings`. Those that could save less than
`tmin` seconds are left out, at most `limit` are kept (0: all), and `all` adds what is wrong with Julia's own code. The same as `snoopi
advise`, of all that was measured.

# Examples
```jldoctest
julia> using Snoopi

julia> @noinline area(x) = x * x; total(shapes) = area(shapes[1]) + area(shapes[2]);

julia> advice = suggest(@snoopi_deep total(Any[1, 2.0]));

julia> any(f -> f.kind === :dispatch && f.name == "total", advice.findings)
true
```
"""
function suggest(tinf::InferenceTimingNode; tmin = 0.0, limit::Integer = 0, all::Bool = false)
    err = Ref(C.Error())
    advice = Ref{Ptr{Cvoid}}(C_NULL)
    options = Ref(C.AdviceOptions(all, nanoseconds(tmin), limit, C.Scope(), C.Filter()))
    C.check(ccall((:snoopi_advice_new, libsnoopi), Cint, (Ref{Ptr{Cvoid}}, Ptr{Cvoid}, Ref{C.AdviceOptions}, Ref{C.Error}),
            advice, tinf.recording.trace, options, err), err)
    try
        n = ccall((:snoopi_advice_n_findings, libsnoopi), Csize_t, (Ptr{Cvoid},), advice[])
        return Advice([read_finding(unsafe_load(ccall((:snoopi_advice_finding, libsnoopi), Ptr{C.Finding}, (Ptr{Cvoid}, Csize_t), advice[], i)))
                       for i in 0:Int(n)-1])
    finally
        ccall((:snoopi_advice_free, libsnoopi), Cvoid, (Ptr{Cvoid},), advice[])
    end
end

nanoseconds(seconds) = round(UInt64, seconds * 1e9)

function print_advice(io::IO, advice::Advice)
    isempty(advice.findings) && print(io, "nothing to suggest")
    for (i, f) in enumerate(advice.findings)
        i > 1 && println(io)
        print(io, f.kind, ": ", f.name)
        isempty(f.file) || print(io, " (", f.file, ':', f.line, ')')
        println(io, ", at most ", Base.Ryu.writefixed(f.saved * 1e3, 2), " ms")
        println(io, "  ", f.what)
        print(io, "  ", f.change)
        for line in f.evidence
            print(io, "\n    ", line)
        end
    end
end
