# SPDX-License-Identifier: MIT
# Flame graphs: files of libsnoopi's, and the tree that FlameGraphs.jl has.

"""
    flamegraph(tinf, path; tmin=0.0, mode=nothing)

Writes a flame graph of all that was measured to `path`, and returns it. A name that ends in `.svg` gives a picture that zooms and searches, one in `.html` the viewer
with timeline, flame graph, tables, and who called whom. Both need no network.

What took less than `tmin` seconds is left out. `mode` says what a bar is: an instance (`nothing`, or `:spec`), or all of one `:method`, `:function`, `:module`,
`:package` or `:file`.

    flamegraph(tinf; tmin=0.0, excluded_modules=Set([Main]), mode=nothing)

Where FlameGraphs.jl is loaded, the tree that its consumers take (ProfileView, ProfileSVG, PProf): bars of those that took more than `tmin`, on the
axis of time, from `tinf` on. Red (status 1) are methods of `excluded_modules`, which can't be precompiled, as far as nothing below them could be kept; orange (status 2)
what was inferred for constant arguments. `mode` is `nothing` for names with modules, `:spec` for names with types, or a `Dict` of numbers
by `Method`, which are appended. Otherwise it writes the viewer to a temporary folder, and returns the path.

# Examples
```jldoctest
julia> using Snoopi

julia> square(x) = x^2;

julia> tinf = @snoopi_deep square(1.5);

julia> path = flamegraph(tinf, joinpath(mktempdir(), "square.svg"));

julia> occursin("square(::Float64)", read(path, String))
true
```
"""
function flamegraph(tinf::InferenceTimingNode, path::AbstractString; tmin = 0.0, mode = nothing)
    format = endswith(path, ".svg") ? "svg" : endswith(path, ".html") ? "html" :
             throw(ArgumentError("a flame graph is written as .svg or .html, not $path"))
    mode in (nothing, :spec, :method, :function, :module, :package, :file) || throw(ArgumentError("there is no mode $(repr(mode))"))
    return export_file(tinf, path, format, mode in (nothing, :spec) ? "instance" : string(mode), tmin)
end

function flamegraph(tinf::InferenceTimingNode; tmin = 0.0, excluded_modules = Set([Main]), mode = nothing)
    for (id, package) in Base.loaded_modules
        id.name == "FlameGraphs" && return flame_tree(package, tinf, tmin, excluded_modules, mode)
    end
    return flamegraph(tinf, joinpath(mktempdir(), "snoopi.html"); tmin = tmin, mode = mode)
end

bar_name(node, ::Nothing) = isempty(node.mod) ? node.name : string(node.mod, '.', node.method_instance === nothing ? node.name : node.method_instance.def.name)
function bar_name(node, mode::Symbol)
    mode === :spec || throw(ArgumentError("there is no mode $(repr(mode))"))
    return node.name
end
function bar_name(node, numbers::AbstractDict)
    n = node.method_instance === nothing ? nothing : get(numbers, node.method_instance.def, nothing)
    return n === nothing ? bar_name(node, nothing) : string(bar_name(node, nothing), " (", n, ")")
end

# When a node ended. Of the root: when its last child did, if that is later than its own time says, in which what measuring took is not.
last_ns(node) = max(node.start_ns + node.inclusive_ns, isempty(node.children) ? UInt64(0) : last_ns(node.children[end]))

function flame_tree(package, tinf, tmin, excluded_modules, mode)
    data(node, status) = package.NodeData(
        StackTraces.StackFrame(Symbol(bar_name(node, mode)), Symbol(node.file), node.line, node.method_instance, false, false, 0),
        status, Int(node.start_ns):Int(last_ns(node)))
    top = package.Node(data(tinf, 0x00))
    todo = [(top, tinf, true)]
    while !isempty(todo)
        above, node, is_red = pop!(todo)
        for child in node.children
            inclusive(child) > tmin || continue
            stays_red = is_red && child.method_instance !== nothing && child.method_instance.def.module in excluded_modules
            status = (stays_red ? 0x01 : 0x00) | (:constprop in child.flags ? 0x02 : 0x00)
            push!(todo, (package.addchild(above, data(child, status)), child, stays_red))
        end
    end
    return top
end
