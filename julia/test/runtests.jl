# SPDX-License-Identifier: MIT
# The tests of the package:  julia --project=julia julia/test/runtests.jl, with SNOOPI_LIBDIR or a build tree.
# Some need a process of their own: tests/julia/*.bats runs those.
using Test
using Snoopi
using Dates

# The methods' names of a tree's nodes, in the order of inference; of `wanted` ones alone.
function methods_of(nodes, wanted = nothing)
    found = [node.method_instance.def.name for node in nodes if node.method_instance !== nothing]
    return wanted === nothing ? found : filter(in(wanted), found)
end

find_node(tinf, name) = first(node for node in Snoopi.preorder(tinf) if node.method_instance !== nothing && node.method_instance.def.name === name)

@testset "Snoopi" begin
    include("demonstrations.jl")
    include("windows.jl")
    include("analysis.jl")
    include("docstrings.jl")
end
