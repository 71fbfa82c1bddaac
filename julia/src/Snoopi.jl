# SPDX-License-Identifier: MIT
"""
What Julia's type inference spends its time on, in the session that you sit in.

    using Snoopi
    tinf = @snoopi_deep f(1)

measures a block and gives a tree: see [`@snoopi_deep`](@ref) and [`InferenceTimingNode`](@ref). [`flatten`](@ref), [`accumulate_by_source`](@ref),
[`flamegraph`](@ref), [`inference_triggers`](@ref), [`suggest`](@ref) make something of it, [`Snoopi.save`](@ref) writes it for the
program `snoopi`, and [`Snoopi.load`](@ref) reads what `snoopi record` wrote.

Names and meanings are those of SnoopCompile; where one of its results misleads, the docstring says what is done instead.
"""
module Snoopi

export @snoopi_deep, @snoop_inference, @snoopi
export InferenceTimingNode, exclusive, inclusive, print_tree
export flatten, flatten_times, accumulate_by_source, collect_for
export flamegraph, pprof, inference_triggers, suggest, parcel

include("Recorder.jl")
using .Recorder: Window, libsnoopi
include("capi.jl")
include("tree.jl")
include("print.jl")
include("flat.jl")
include("triggers.jl")
include("precompile.jl")
include("files.jl")
include("flamegraph.jl")
include("macros.jl")

end
