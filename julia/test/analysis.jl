# SPDX-License-Identifier: MIT
# What is made of a tree.

module A
f(n::Int) = n <= 0 ? 0 : g(n - 1)
g(n) = n <= 0 ? 1 : f(n - 1)
h(x) = (k(x), k([x]))
@noinline k(x) = x
dispatches(v) = k(v[1])
end

tinf = @snoopi_deep A.h(1.5)

@testset "times add up" begin
    for node in flatten(tinf)
        @test node.inclusive_ns == node.exclusive_ns + sum(Int[c.inclusive_ns for c in node.children])
        @test all(c -> c.parent === node, node.children)
    end
    @test issorted(tinf.children; by = Snoopi.start_time)
    @test Snoopi.start_time(tinf) == 0
end

@testset "printing" begin
    @test occursin(r"^InferenceTimingNode: \d+\.\d{6}/\d+\.\d{6} on ROOT\(\) with 1 direct child$", string(tinf))
    text = sprint((io, t) -> print_tree(io, t; maxdepth = typemax(Int)), tinf)
    @test length(split(chomp(text), '\n')) == length(flatten(tinf))
    @test occursin("h(::Float64)", text)
    shallow = sprint((io, t) -> print_tree(io, t; maxdepth = 1), tinf)
    @test occursin("… $(length(flatten(tinf)) - 2) below", shallow)
    # Children by iteration, as tree packages take them.
    @test collect(tinf) == tinf.children && length(tinf) == 1 && eltype(tinf) === InferenceTimingNode
end

@testset "flat lists" begin
    @test flatten(tinf; sortby = nothing)[1] === tinf
    @test issorted(flatten(tinf; sortby = inclusive); by = inclusive)
    @test flatten(tinf; sortby = inclusive)[end] === tinf
    some = exclusive(flatten(tinf)[2])
    @test length(flatten(tinf; tmin = some)) == length(flatten(tinf)) - 1
    @test last.(flatten_times(tinf)) == flatten(tinf)
end

@testset "sums by source" begin
    flat = flatten(tinf)
    k = first(methods(A.k))
    for T in (Method, Core.MethodInstance, Function, Module)
        sums = accumulate_by_source(T, flat)
        @test issorted(sums; by = first)
        @test sum(first, sums) ≈ sum(exclusive, filter(n -> !Snoopi.isroot(n), flat))
    end
    @test only(filter(p -> p[2] === k, accumulate_by_source(flat)))[1] ≈ sum(exclusive, collect_for(k, tinf))
    @test A.k in last.(accumulate_by_source(Function, flat))
    @test A in last.(accumulate_by_source(Module, flat))
    # Recursion is not counted twice.
    recursive = @snoopi_deep A.f(3)
    for (time, source) in accumulate_by_source(flatten(recursive); by = inclusive)
        @test time <= sum(inclusive, recursive.children) * (1 + 1e-9)
    end
    @test collect_for(tinf.children[1].method_instance, tinf) == [tinf.children[1]]
end

@testset "advice" begin
    advice = suggest(@snoopi_deep A.dispatches(Any["x"]))
    @test any(f -> f.kind === :dispatch && f.line == first(methods(A.dispatches)).line, advice.findings)
    @test occursin("dispatch: ", sprint(show, MIME("text/plain"), advice))
    @test_throws ArgumentError inference_triggers(tinf.children[1])
end

@testset "precompile directives" begin
    tinf = @snoopi_deep Dates.DateTime("2020-02-28T1", dateformat"y-m-dTH")
    ttot, pcs = parcel(tinf)
    @test ttot ≈ sum(inclusive, tinf.children)
    @test issorted(pcs; by = p -> p.time)
    dates = only(filter(p -> p.mod == "Dates", pcs))
    @test dates.file == "precompile_Dates.jl" && issorted(dates.directives; by = first)
    for (time, instance, text) in dates.directives
        @test time <= ttot
        @test instance.def.module === Dates || VERSION >= v"1.8"
        # Julia reads it as the types of that instance.
        types = Core.eval(Dates, Meta.parse(text).args[2])
        @test types === instance.specTypes
    end
    mktempdir() do folder
        redirect_stdout(() -> Snoopi.write(folder, pcs), open(joinpath(folder, "said"), "w"))
        @test sort(filter(endswith(".jl"), readdir(folder))) == sort([p.file for p in pcs])
        @test occursin("_precompile_()", read(joinpath(folder, "precompile_Dates.jl"), String))
    end
end

# What FlameGraphs.jl has of a tree, as far as it is asked for.
module FlameGraphs
struct NodeData
    sf::StackTraces.StackFrame
    status::UInt8
    span::UnitRange{Int}
end
struct Node
    data::NodeData
    children::Vector{Node}
    Node(data) = new(data, Node[])
end
addchild(node, data) = (push!(node.children, Node(data)); node.children[end])
end

@testset "trees of FlameGraphs" begin
    tree(; kwargs...) = Snoopi.flame_tree(FlameGraphs, tinf, get(kwargs, :tmin, 0.0), get(kwargs, :excluded, Set([A])), get(kwargs, :mode, nothing))
    all_bars(node) = vcat(node, map(all_bars, node.children)...)
    bars = all_bars(tree())
    @test length(bars) == length(flatten(tinf))
    @test length(all_bars(tree(tmin = exclusive(flatten(tinf)[end-1])))) < length(bars)
    for bar in bars, child in bar.children
        @test first(child.data.span) >= first(bar.data.span) && last(child.data.span) <= last(bar.data.span)
    end
    h = bars[1].children[1].data
    @test h.sf.linfo === tinf.children[1].method_instance && endswith(string(h.sf.func), "A.h") && h.status == 0x01
    @test all(bar -> bar.data.status & 0x01 == 0x00, all_bars(tree(excluded = Set())))
    @test occursin("h(::Float64)", string(tree(mode = :spec).children[1].data.sf.func))
    @test endswith(string(tree(mode = Dict(first(methods(A.h)) => 7)).children[1].data.sf.func), "A.h (7)")
    @test_throws ArgumentError tree(mode = :none)
    @test endswith(flamegraph(tinf), ".html")
end

@testset "files" begin
    mktempdir() do folder
        path = joinpath(folder, "t.snoopi")
        Snoopi.save(path, tinf)
        loaded = Snoopi.load(path)
        shape(node) = (node.name, node.exclusive_ns, node.inclusive_ns, node.start_ns, node.flags, shape.(node.children))
        @test shape(loaded) == shape(tinf)
        @test all(n -> n.method_instance === nothing, flatten(loaded))
        @test sum(first, accumulate_by_source(flatten(loaded))) > 0
        @test occursin("<svg", read(flamegraph(tinf, joinpath(folder, "t.svg")), String))
        @test occursin("<html", read(flamegraph(tinf, joinpath(folder, "t.html"); mode = :method), String))
        @test read(pprof(tinf, joinpath(folder, "p.gz")))[1:2] == [0x1f, 0x8b]
        @test_throws ArgumentError flamegraph(tinf, "t.png")
        err = try; Snoopi.load(joinpath(folder, "none")); catch e; e; end
        @test err isa ErrorException && occursin("no such file", lowercase(err.msg))
    end
end
