# SPDX-License-Identifier: MIT
# Lists and sums.

# Pre-order, without recursion: trees of inference are deep.
function preorder(tinf::InferenceTimingNode)
    nodes = InferenceTimingNode[]
    todo = InferenceTimingNode[tinf]
    while !isempty(todo)
        node = pop!(todo)
        push!(nodes, node)
        append!(todo, Iterators.reverse(node.children))
    end
    return nodes
end

"""
    flatten(tinf; tmin=0.0, sortby=exclusive)

The nodes of a tree as a vector, the root included: those for which `sortby(node)` is at least `tmin` seconds, the greatest last. `sortby` is
[`exclusive`](@ref), [`inclusive`](@ref), or `nothing` for the order of inference (`tmin` is of exclusive time then).

# Examples
```jldoctest
julia> using Snoopi

julia> inner(x) = x; outer(x) = inner([x][1]);

julia> tinf = @snoopi_deep outer(0x1);

julia> "inner(::UInt8)" in [Snoopi.name(node) for node in flatten(tinf)]
true

julia> flatten(tinf, sortby=nothing)[1] === tinf
true
```
"""
function flatten(tinf::InferenceTimingNode; tmin = 0.0, sortby = exclusive)
    by = sortby === nothing ? exclusive : sortby
    nodes = filter(node -> by(node) >= tmin, preorder(tinf))
    return sortby === nothing ? nodes : sort!(nodes; by = by)
end

"""
    flatten_times(tinf; tmin_secs=0.0)

Pairs of exclusive time and node, the longest last: the list of [`flatten`](@ref) with its times.
"""
flatten_times(tinf::InferenceTimingNode; tmin_secs = 0.0) =
    [(exclusive(node), node) for node in flatten(tinf; tmin = tmin_secs)]

# What a node is added to: the Method, or the node itself where there is none.
source_key(::Type{Method}, node) = node.method_instance === nothing ? node.name : node.method_instance.def
source_key(::Type{Core.MethodInstance}, node) = node.method_instance === nothing ? node.name : node.method_instance
function source_key(::Type{Function}, node)
    node.method_instance === nothing && return node.name
    signature = Base.unwrap_unionall(node.method_instance.def.sig)
    callee = signature.parameters[1]
    return isdefined(callee, :instance) ? callee.instance : callee
end
source_key(::Type{Module}, node) = node.method_instance === nothing ? Symbol(node.mod) : node.method_instance.def.module

# Whether a node above, within the same key, has the node's time in its own.
function is_counted_above(::Type{T}, node, key) where {T}
    above = node.parent
    while above !== nothing
        isroot(above) || source_key(T, above) !== key || return true
        above = above.parent
    end
    return false
end

"""
    accumulate_by_source([Method,] nodes; tmin=0.0, by=exclusive)
    accumulate_by_source(MethodInstance, nodes; …)
    accumulate_by_source(Function, nodes; …)
    accumulate_by_source(Module, nodes; …)

Sums of `by` over the nodes of a vector, such as [`flatten`](@ref) gives, by what they are of: `(seconds, source)`, the greatest last, those of at least
`tmin`. The root is left out. What has no method (top-level code, recordings of other processes) is named by text.

With `by=inclusive` a node counts only if none above it is of the same source, so that recursion is not counted twice; and equal instances add
up. In SnoopCompile both are otherwise.

# Examples
```jldoctest
julia> using Snoopi

julia> callee(x) = x; caller(x) = (callee(x); callee([x]));

julia> tinf = @snoopi_deep (caller(1.0); caller(1f0));

julia> sums = accumulate_by_source(flatten(tinf));

julia> issubset(methods(callee), last.(sums))
true
```
"""
accumulate_by_source(nodes::AbstractVector{InferenceTimingNode}; kwargs...) = accumulate_by_source(Method, nodes; kwargs...)
function accumulate_by_source(::Type{T}, nodes::AbstractVector{InferenceTimingNode}; tmin = 0.0, by = exclusive) where {T}
    sums = Dict{Any,Float64}()
    for node in nodes
        isroot(node) && continue
        key = source_key(T, node)
        by === inclusive && is_counted_above(T, node, key) && continue
        sums[key] = get(sums, key, 0.0) + by(node)
    end
    return sort!([(time, key) for (key, time) in sums if time >= tmin]; by = first)
end

"""
    collect_for(method, tinf)
    collect_for(method_instance, tinf)

All nodes of a tree that are of a `Method` or `MethodInstance`, in the order of inference.
"""
collect_for(method::Method, tinf::InferenceTimingNode) =
    filter(node -> node.method_instance !== nothing && node.method_instance.def === method, preorder(tinf))
collect_for(instance::Core.MethodInstance, tinf::InferenceTimingNode) =
    filter(node -> node.method_instance === instance, preorder(tinf))

entrances(tinf::InferenceTimingNode, tmin) =
    sort!([(inclusive(node), node.method_instance) for node in tinf.children if inclusive(node) >= tmin && node.method_instance !== nothing];
        by = first)
