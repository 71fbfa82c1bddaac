# SPDX-License-Identifier: MIT
# Programs in the shape of those that SnoopCompile's documentation demonstrates itself with, and what it says of them.

# Runtime dispatch: the types of what a container holds are known only when it runs.
module Dispatch
twice(x::Real) = 2x
twice_of(x) = twice(x)
@noinline first_twice(box) = twice_of(box[1])
from_every(boxes) = (for box in boxes; first_twice(box); end)
end

@testset "runtime dispatch with two types" begin
    boxes = Any[[0x1], Float32[2.0]]
    tinf = @snoopi_deep Dispatch.from_every(boxes)
    # The caller, and one root for each type that it met.
    @test methods_of(tinf.children) == [:from_every, :first_twice, :first_twice]
    for (root, type) in zip(tinf.children[2:3], (UInt8, Float32))
        @test root.method_instance.specTypes === Tuple{typeof(Dispatch.first_twice),Vector{type}}
        below = root.children[findlast(c -> c.method_instance.def.name === :twice_of, root.children)]
        @test below.method_instance.specTypes === Tuple{typeof(Dispatch.twice_of),type}
        @test below.parent === root
        @test below.children[1].method_instance.specTypes === Tuple{typeof(Dispatch.twice),type}
    end
    # One trigger for each, from the caller's line.
    triggers = inference_triggers(tinf)
    @test [t.node for t in triggers] == tinf.children[2:3]
    @test all(t -> t.class === :dispatch, triggers)
    @test all(t -> t.caller.def.name === :from_every, triggers)
    @test all(t -> t.line == first(methods(Dispatch.from_every)).line && endswith(t.file, "demonstrations.jl"), triggers)
    @test occursin(r"^Inference triggered to call .*first_twice\(.* from from_every \(.*demonstrations.jl:\d+\) with specialization .*from_every\(",
        string(triggers[1]))
    # The flat list has each node once, and the root.
    flat = flatten(tinf)
    @test tinf in flat
    @test methods_of(flat, (:from_every,)) == [:from_every]
    @test length(unique(flat)) == length(flat)
    @test issorted(flat; by = exclusive)
    @test sum(node -> node.exclusive_ns, flat) == tinf.inclusive_ns
    # Nothing is new the second time.
    again = @snoopi_deep Dispatch.from_every(boxes)
    @test isempty(again.children)
    @test flatten(again) == [again]
end

# A chain of calls, at the end of which a field is taken: getproperty is inferred for the field's name.
module Chain
struct MyType{T}
    x::T
end
extract(y::MyType) = y.x
domath(x) = x + x
dostuff(y) = domath(extract(y))
packintype(x) = dostuff(MyType{Int}(x))
end

@testset "a chain with constant propagation of a field's name" begin
    tinf = @snoopi_deep Chain.packintype(1)
    @test methods_of(tinf.children) == [:packintype]
    chain = tinf.children[1]
    @test Set(methods_of(chain.children)) == Set([:MyType, :dostuff])
    dostuff = find_node(tinf, :dostuff)
    @test methods_of(dostuff.children) == [:extract, :domath]
    property = find_node(tinf, :extract).children
    constant = filter(c -> :constprop in c.flags || :semiconcrete in c.flags, property)
    @test length(constant) == 1
    @test occursin(r"getproperty\(::.*MyType\{Int64\}, x::Symbol\)$", constant[1].name)
    @test constant[1].method_instance.specTypes === Tuple{typeof(getproperty),Chain.MyType{Int},Symbol}
    @test !any(c -> occursin("x::Symbol", c.name), setdiff(property, constant))
    # Top-level code called it.
    @test isempty(inference_triggers(tinf))
    @test [t.class for t in inference_triggers(tinf; exclude_toplevel = false)] == [:toplevel]
end

# A function that is an argument of map.
module Mapped
double(x::Real) = 2x
@noinline doubles(c) = map(double, c) # else some Julias inline it
over(cs) = (out = Any[]; for c in cs; push!(out, doubles(c)); end; out)
end

@testset "a map over a function argument" begin
    tinf = @snoopi_deep Mapped.over(Any[[1f0], [0x2]])
    roots = [t.node.method_instance.specTypes for t in inference_triggers(tinf)]
    for type in (Float32, UInt8)
        @test count(==(Tuple{typeof(Mapped.doubles),Vector{type}}), roots) == 1
    end
    # double is inferred below map, for each type.
    found = collect_for(first(methods(Mapped.double)), tinf)
    @test [node.method_instance.specTypes.parameters[2] for node in unique(n -> n.method_instance, found)] == [Float32, UInt8]
    for node in found
        above = Symbol[]
        while !Snoopi.isroot(node.parent)
            node = node.parent
            push!(above, node.method_instance.def.name)
        end
        @test :map in above && above[end] === :doubles
    end
end
