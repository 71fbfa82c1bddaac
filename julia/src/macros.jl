# SPDX-License-Identifier: MIT
# The macros.

# `ex` between the two calls, in the scope where it stands. At top level a statement with a loop would be compiled as a whole, and with it what it
# calls be inferred before the window opens. A statement that holds a quoted expression is interpreted instead; that is what the one here is for.
function measuring(ex, finish)
    window = gensym("window")
    block = Expr(:tryfinally, Expr(:block, esc(ex), nothing), Expr(:call, Recorder.end_window, window))
    return Expr(:block,
        Expr(:local, window),
        Expr(:(=), window, Expr(:call, Recorder.begin_window, Expr(:quote, :(this.is.interpreted)))),
        block,
        Expr(:call, finish, window))
end

"""
    tinf = @snoopi_deep ex

Runs `ex` and returns what type inference did meanwhile: the root of a tree, an [`InferenceTimingNode`](@ref).

Code that was inferred before shows nothing, so a second run of the same is empty. That holds also for what the compiler had to infer to get
here: in the body of a function, all that is called by name and with known types was inferred with the function. At top
level each call is inferred when it is reached, in loops too (they run slowly there, as they are not compiled).

When `ex` throws, the exception goes on; [`Snoopi.last`](@ref) gives the tree nevertheless. Blocks may stand inside of others and run in several tasks: each has
all that was inferred in the process while it ran, but for what Snoopi itself took.

In a process that `snoopi record` records, the block is marked in that recording too: `snoopi list --mark='@snoopi_deep 1'`.

# Examples
```jldoctest
julia> using Snoopi

julia> double(x) = 2x;

julia> tinf = @snoopi_deep double(1.5);

julia> Snoopi.name(tinf.children[1])
"double(::Float64)"

julia> isempty((@snoopi_deep double(2.5)).children)
true
```
"""
macro snoopi_deep(ex)
    return measuring(ex, result)
end

"""
    tinf = @snoop_inference ex

The same as [`@snoopi_deep`](@ref), by the name that newer versions of SnoopCompile have for it.
"""
macro snoop_inference(ex)
    return measuring(ex, result)
end

"""
    @snoopi [tmin=0.0] ex

Runs `ex` and returns a vector of `(seconds, MethodInstance)`, the longest last: how long each entrance into inference took, those of at least
`tmin` seconds. Entrances from inside of inference are part of the one that they happened in; SnoopCompile counts them twice.

# Examples
```jldoctest
julia> using Snoopi

julia> treble(x) = 3x;

julia> seconds, mi = first(@snoopi treble(1.5));

julia> mi.def.name
:treble
```
"""
macro snoopi(args...)
    isempty(args) && throw(ArgumentError("@snoopi takes an expression"))
    tmin = 0.0
    for arg in args[1:end-1]
        arg isa Expr && arg.head === :(=) && arg.args[1] === :tmin ||
            throw(ArgumentError("@snoopi takes tmin=SECONDS and an expression, not $arg"))
        tmin = esc(arg.args[2])
    end
    return Expr(:call, entrances, measuring(args[end], result), tmin)
end
