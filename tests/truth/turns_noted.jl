# SPDX-License-Identifier: MIT
#
# An independent record of inference, made in Julia, for Julia 1.12: the loop of the compiler's `typeinf` is redefined with notes of which
# frame has its turn and which is finished, what gives a frame its parent with a note of that, and what calls semi-concrete evaluation with
# notes around. Then Julia compiles its compiler anew and is switched to it. The agent hooks that new compiler, other functions of it for
# the most part, so both record the same inference in the same process by means that share nothing.
#
#     SNOOPI_TRUTH=OUT julia turns_noted.jl PROGRAM [module]
#
# runs PROGRAM (in a fresh module when the second argument says so, as Julia's own test suite runs its files) and writes a line per frame to
# OUT, each before those below it: depth, 1 if it had constant arguments, the instance as Julia's show gives it, all its flags, and the compiler's own
# time_infer_self in ns where that means the same as self, else nothing.

# In a module of its own, so that Main is the program's.
module Truth

const CC = Base.Compiler

include("program.jl")

mutable struct Noted
    parent::Int
    depth::Int
    mi::Core.MethodInstance
    flags::Vector{Symbol}
    code::Any # its CodeInstance, once it is finished
    is_recursive::Bool # inference was entered anew below it: the compiler's own time holds that as well
end

const is_on = Ref(false)
const frames = Noted[]
const numbers = IdDict{Any,Int}() # of what is open
const parents = IdDict{Any,Any}() # of what was not begun yet
const open_states = Any[]
const running = Ref(0)

# Nothing that began before the notes did is known.
number_of(state) = get(numbers, state, 0)

function begin_frame(state, mi, flags)
    given = pop!(parents, state, nothing)
    parent = given === nothing ? running[] : number_of(given)
    push!(frames, Noted(parent, parent == 0 ? 0 : frames[parent].depth + 1, mi, flags, nothing, false))
    given === nothing && parent != 0 && push!(flags, :nested)
    push!(open_states, state)
    numbers[state] = length(frames)
    running[] = length(frames)
    return nothing
end

function end_frame(state)
    n = number_of(state)
    delete!(numbers, state)
    filter!(s -> s !== state, open_states)
    return n
end

# Called by the compiler from here on.

function assigned(child, parent)
    is_on[] && (parents[child] = parent)
    return nothing
end

function turn(frame)
    is_on[] || return nothing
    n = number_of(frame)
    n == 0 || return (running[] = n; nothing)
    constants = frame.result.overridden_by_const
    return begin_frame(frame, frame.linfo, constants !== nothing && any(constants) ? [:constprop] : Symbol[])
end

function finished(frame)
    n = end_frame(frame)
    n == 0 && return nothing
    isdefined(frame.result, :ci) && (frames[n].code = frame.result.ci)
    running[] = frames[n].parent
    return nothing
end

function finished_cycle(members)
    for frame in members
        n = end_frame(frame)
        if frame === members[1]
            n == 0 || (running[] = frames[n].parent)
        elseif n != 0
            push!(frames[n].flags, :cycle)
        end
    end
    return nothing
end

function enter()
    running[] == 0 || (frames[running[]].is_recursive = true)
    return (running[], length(open_states))
end

# What the loop leaves open was given up in a cycle.
function leave((before, n_open))
    while length(open_states) > n_open
        n = end_frame(open_states[end])
        n == 0 || push!(frames[n].flags, :cycle)
    end
    running[] = before
    return nothing
end

function evaluate(evaluation, interp, state)
    is_on[] || return evaluation(interp, state)
    before = enter()
    begin_frame(state, state.mi, [:semiconcrete])
    result = evaluation(interp, state)
    end_frame(state)
    leave(before)
    return result
end

# The function of the compiler whose head begins so, from the source that Julia ships, with `change` made to each expression in it.
function redefine(change, file, head)
    path = joinpath(Sys.BINDIR, "..", "share", "julia", "Compiler", "src", file)
    count = 0
    edit(x) = x
    function edit(ex::Expr)
        new = change(ex)
        new === nothing && return Expr(ex.head, map(edit, ex.args)...)
        count += 1
        return new
    end
    for ex in Meta.parse("begin\n" * read(path, String) * "\nend").args
        if ex isa Expr && ex.head === :function && startswith(string(ex.args[1]), head)
            Core.eval(CC, edit(ex))
            count > 0 || error(head, " in ", path, " is not what it was")
            return count
        end
    end
    error(head, " is not in ", path)
end

expect(n, count) = n == count || error("this compiler is not the one that is known")

is_call(ex, name) = ex.head === :call && ex.args[1] === name

function redefine_all()
    for kind in ("InferenceState", "IRInterpretationState")
        redefine("inferencestate.jl", "assign_parentchild!(child::$kind") do ex
            ex.head === :function || return nothing
            return Expr(:function, ex.args[1], Expr(:block, ex.args[2].args..., :($assigned(child, parent))))
        end
    end
    semiconcrete(ex) = is_call(ex, :ir_abstract_constant_propagation) ? Expr(:call, evaluate, ex.args...) : nothing
    redefine(semiconcrete, "abstractinterpretation.jl", "semi_concrete_eval_call(")
    redefine(semiconcrete, joinpath("ssair", "irinterp.jl"), "concrete_eval_invoke(")
    edits = redefine("abstractinterpretation.jl", "typeinf(interp") do ex
        if ex == :(interp = callee.interp)
            return Expr(:block, ex, :($turn(callee)))
        elseif is_call(ex, :finish_nocycle)
            return Expr(:block, ex, :($finished(callee)))
        elseif is_call(ex, :finish_cycle)
            return Expr(:block, :(members = callstack[callee.cycleid:end]), ex, :($finished_cycle(members)))
        elseif ex == :(time_before = _time_ns()) # its first line
            return Expr(:block, :(before = $enter()), ex)
        elseif ex.head === :return
            return Expr(:block, :($leave(before)), ex)
        end
        return nothing
    end
    expect(edits, 5)
end

# A thunk is shown with its place as long as what is to be inferred comes first of its code: so it was when its frame began.
function show_as_begun(mi)
    code = mi.def isa Module && isdefined(mi, :cache) ? mi.cache : nothing
    while code !== nothing && code.owner !== :uninferred
        code = isdefined(code, :next) ? code.next : nothing
    end
    code === nothing || (@atomic mi.cache = code)
    return shown(mi)
end

# Each before those below it: frames of a cycle take turns, so what begins next may be another's.
function in_preorder()
    children = [Int[] for _ in 0:length(frames)] # of 0: the roots
    for (n, frame) in enumerate(frames)
        push!(children[frame.parent + 1], n)
    end
    order = Int[]
    left = reverse(children[1])
    while !isempty(left)
        n = pop!(left)
        push!(order, n)
        append!(left, reverse(children[n + 1]))
    end
    return order
end

function write_frames(path)
    open(path, "w") do io
        for frame in frames[in_preorder()]
            constants = !isdisjoint(frame.flags, (:constprop, :semiconcrete))
            own = ""
            if frame.code !== nothing && !frame.is_recursive
                own = string(round(Int, 1e9 * reinterpret(Float16, getfield(frame.code, :time_infer_self))))
            end
            println(io, frame.depth, '\t', Int(constants), '\t', show_as_begun(frame.mi), '\t', join(sort!(frame.flags), ' '), '\t', own)
        end
    end
end

mark(name) = ccall(:snoopi_agent_mark, Cvoid, (Cstring,), name)

function run_noted(program)
    try
        mark("truth-begin")
        is_on[] = true
        include_program(program)
    finally
        is_on[] = false
        mark("truth-end")
    end
end

redefine_all()
Base.invokelatest(CC.bootstrap!)
# What of that the compiler calls by dispatch is compiled when it is called first, which must not be while it counts.
mktemp() do warming, io
    write(io, "@generated f(x) = :(sum(abs2, x) + length(sort!(map(string, x)))); f(UInt16[1, 2])")
    close(io)
    Base.invokelatest(run_noted, warming)
end
empty!(frames)
ccall(:snoopi_agent_rescan, Cint, ()) == 0 || error("the agent did not rescan")
try
    Base.invokelatest(run_noted, program)
finally
    Base.invokelatest(write_frames, ENV["SNOOPI_TRUTH"])
end

end # module
