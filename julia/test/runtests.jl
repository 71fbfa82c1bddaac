# SPDX-License-Identifier: MIT
# The tests of the package:  julia --project=julia julia/test/runtests.jl, with SNOOPI_LIBDIR or a build tree.
# Arguments name some of its parts. Some need a process of their own: tests/julia/*.bats runs those.
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
    for part in (isempty(ARGS) ? ["demonstrations", "windows", "analysis", "docstrings"] : ARGS)
        include(string(part, ".jl"))
    end
end
