# SPDX-License-Identifier: MIT
#
# An independent record of inference, made in Julia, for Julia 1.5: the compiler's `typeinf(frame)` is redefined as a wrapper that
# notes each call around a copy of its own body, and Julia is switched to it (jl_set_typeinf_func). The agent hooks that same new
# typeinf, so both record the same calls in the same process, by means that share nothing.
#
#     SNOOPI_TRUTH=OUT julia injected_timer.jl PROGRAM [module]
#
# runs PROGRAM (in a fresh module when the second argument says so, as Julia's own test suite runs its files) and writes a line per
# frame to OUT, in begin order: depth, 1 if it had constant arguments, and the instance as Julia's show gives it. Without
# SNOOPI_TRUTH it only keeps that, and needs no agent: what a timer in Julia costs (bench/run).

# In a module of its own, so that Main is the program's.
module Truth

include("program.jl")

const CC = Core.Compiler

# The body of typeinf(frame::InferenceState), from the source that Julia ships.
function original_typeinf()
    path = joinpath(Sys.BINDIR, "..", "share", "julia", "base", "compiler", "typeinfer.jl")
    for ex in Meta.parse("begin\n" * read(path, String) * "\nend").args
        if ex isa Expr && ex.head === :function && string(ex.args[1]) == "typeinf(frame::InferenceState)"
            return ex
        end
    end
    error("typeinf(frame::InferenceState) is not in ", path)
end

function rename(ex::Expr, name)
    ex = copy(ex)
    ex.args[1] = Expr(:call, name, ex.args[1].args[2:end]...)
    return ex
end

Core.eval(CC, :(const truth_log = Array{Any,1}()))
Core.eval(CC, :(const truth_times = Array{UInt64,1}()))
Core.eval(CC, :(const truth_depth = Array{Int,1}(undef, 1)))
Core.eval(CC, :(const truth_on = Array{Bool,1}(undef, 1)))
CC.truth_depth[1] = 0
CC.truth_on[1] = false
Core.eval(CC, rename(original_typeinf(), :typeinf_body))
const world_before = Base.get_world_counter()
Core.eval(CC, quote
    function typeinf(frame::InferenceState)
        if truth_on[1]
            push!(truth_log, truth_depth[1])
            chunks = frame.result.overridden_by_const.chunks
            push!(truth_log, length(chunks) > 0 && chunks[1] != 0)
            push!(truth_log, frame.linfo)
            push!(truth_times, ccall(:jl_hrtime, UInt64, ()))
        end
        truth_depth[1] += 1
        done = typeinf_body(frame)
        truth_depth[1] -= 1
        if truth_on[1]
            push!(truth_times, ccall(:jl_hrtime, UInt64, ()))
        end
        return done
    end
end)

# Everything that was invalidated by that must be compiled before inference is asked to run in the new world, or it would
# need itself to compile itself.
function each_specialization(f)
    for name in names(CC, all = true)
        isdefined(CC, name) || continue
        value = getfield(CC, name)
        value isa Function || continue
        for m in methods(value), i in 1:length(m.specializations)
            isassigned(m.specializations, i) || continue
            mi = m.specializations[i]
            mi isa Core.MethodInstance && f(mi)
        end
    end
end

function was_invalidated(mi)
    isdefined(mi, :cache) || return false
    code = mi.cache
    newest = typemin(UInt)
    while true
        code.max_world == typemax(UInt) && return false
        newest = max(newest, code.max_world)
        isdefined(code, :next) || break
        code = code.next
    end
    return newest >= world_before # what ended earlier serves the compiler's own, older world
end

function compile_invalidated()
    stale = Any[]
    each_specialization(mi -> was_invalidated(mi) && push!(stale, mi.specTypes))
    for types in stale
        ccall(:jl_compile_hint, Int32, (Any,), types)
    end
    return length(stale)
end

# Some specializations can't be compiled by their signature; none of those is called as such.
let left = typemax(Int)
    while (now = compile_invalidated()) < left && now > 0
        left = now
    end
end
for types in (Tuple{typeof(CC.typeinf),CC.InferenceState}, Tuple{typeof(CC.typeinf_body),CC.InferenceState},
              Tuple{typeof(CC.typeinf_ext),Core.MethodInstance,UInt})
    ccall(:jl_compile_hint, Int32, (Any,), types)
end

# Nothing of what follows the program may be inferred by the recorded compiler while it is noted.
function write_log(path)
    open(path, "w") do io
        for i in 1:3:length(CC.truth_log)
            println(io, CC.truth_log[i], '\t', Int(CC.truth_log[i+1]), '\t', shown(CC.truth_log[i+2]))
        end
    end
end

ccall(:jl_set_typeinf_func, Cvoid, (Any,), CC.typeinf_ext)
const out = get(ENV, "SNOOPI_TRUTH", "")
isempty(out) || ccall(:snoopi_agent_rescan, Cint, ()) == 0 || error("the agent did not rescan")
mark(name) = isempty(out) || ccall(:snoopi_agent_mark, Cvoid, (Cstring,), name)

try
    mark("truth-begin")
    CC.truth_on[1] = true
    include_program(program)
finally
    CC.truth_on[1] = false
    mark("truth-end")
    isempty(out) || write_log(out)
end

end # module
