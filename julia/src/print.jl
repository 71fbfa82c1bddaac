# SPDX-License-Identifier: MIT
# How nodes are printed.

seconds(t) = lpad(Base.Ryu.writefixed(t, 6), 8)

function print_node(io::IO, node::InferenceTimingNode)
    n = length(node.children)
    print(io, "InferenceTimingNode: ", seconds(exclusive(node)), '/', seconds(inclusive(node)), " on ", node.name,
        " with ", n, n == 1 ? " direct child" : " direct children")
end

"""
    print_tree([io,] tinf; maxdepth=5)

Prints a tree down to `maxdepth` levels below `tinf`, a line for each node; what lies deeper is counted. Long names are cut.
"""
print_tree(tinf::InferenceTimingNode; kwargs...) = print_tree(stdout, tinf; kwargs...)
function print_tree(io::IO, tinf::InferenceTimingNode; maxdepth::Integer = 5)
    print_node(io, tinf)
    println(io)
    print_below(io, tinf, "", maxdepth)
end

function print_below(io::IO, node::InferenceTimingNode, indent::String, levels::Integer)
    if levels <= 0
        isempty(node.children) || println(io, indent, "└─ … ", count_below(node), " below")
        return
    end
    for child in node.children
        is_last = child === node.children[end]
        print(io, indent, is_last ? "└─ " : "├─ ")
        print(io, seconds(exclusive(child)), '/', seconds(inclusive(child)), " on ", shortened(child.name))
        println(io)
        print_below(io, child, string(indent, is_last ? "   " : "│  "), levels - 1)
    end
end

function count_below(node::InferenceTimingNode)
    n = 0
    todo = InferenceTimingNode[node]
    while !isempty(todo)
        children = pop!(todo).children
        n += length(children)
        append!(todo, children)
    end
    return n
end

shortened(text, limit = 200) = length(text) <= limit ? text : string(first(text, limit), '…')
