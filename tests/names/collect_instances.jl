# SPDX-License-Identifier: MIT
# What dump_graph.jl prints the names of.

# Packages of the standard library, so that their methods are there. Some Julias come without the libraries that one needs.
const MISSING_PACKAGES = Symbol[]
for name in (:Base64, :CRC32c, :Dates, :DelimitedFiles, :Distributed, :FileWatching, :Future, :InteractiveUtils, :LibGit2, :Libdl,
             :LinearAlgebra, :Logging, :Markdown, :Mmap, :Pkg, :Printf, :Profile, :REPL, :Random, :SHA, :Serialization,
             :SharedArrays, :Sockets, :SparseArrays, :Statistics, :Test, :UUIDs, :Unicode)
    try
        @eval using $name
    catch
        push!(MISSING_PACKAGES, name)
    end
end

include(joinpath(@__DIR__, "all_instances.jl"))

# --- what is made ---

function sparams(m::Method)
    vars = Any[]
    sig = m.sig
    while sig isa UnionAll
        push!(vars, sig.var)
        sig = sig.body
    end
    Core.svec(vars...)
end

instance(m::Method, @nospecialize(sig), sp) =
    ccall(:jl_specializations_get_linfo, Ref{Core.MethodInstance}, (Any, Any, Any), m, sig, sp)

# The method's own signature as an instance: with type variables, bounds and unions, which others rarely have.
generic_instance(m::Method) = instance(m, m.sig, sparams(m))

function of_call(@nospecialize(f), @nospecialize(args...))
    tt = Tuple{map(Core.Typeof, (f, args...))...}
    of_signature(tt)
end

function of_signature(@nospecialize(tt))
    found = Any[]
    for m in Base._methods_by_ftype(tt, -1, VERSION < v"1.6" ? typemax(UInt) : Base.get_world_counter())
        push!(found, VERSION < v"1.6" ? instance(m[3], m[1], m[2]) : instance(m.method, m.spec_types, m.sparams))
    end
    found
end

sorter_of(F) = isdefined(Core, :kwcall) ? typeof(Core.kwcall) : Core.kwftype(F)
with_variable(name, f, bounds...) = (v = TypeVar(name, bounds...); UnionAll(v, f(v)))
nested(n) = n == 0 ? Int : Tuple{nested(n - 1),Vector{nested(n - 1)}}
deep(n) = (t = Int; for _ in 1:n; t = Ref{t}; end; t)

# Types that are not only odd but rare as arguments.
odd_types() = Any[
    (:SparseArrays in MISSING_PACKAGES ? () : (SparseMatrixCSC{Float64,Int},))...,
    Tuple{}, Tuple{Int}, NTuple{3,Int}, NTuple{4,Int}, NTuple{4,Any}, Tuple{Int,Int,Int,Float64}, NTuple{5,Vector{Int}},
    NTuple{4,Vector}, Tuple{Vararg{Int}}, Tuple{Int,Vararg{Int,N} where N}, NTuple{N,Int} where N, NTuple, Tuple, Vararg,
    Vararg{Int}, Vararg{Int,3}, Tuple{T,T,T,T} where T,
    Tuple{Vector{T} where T,Vector{T} where T,Vector{T} where T,Vector{T} where T}, NTuple{4,Vector{<:Real}},
    Array, Vector, Matrix, Array{Int}, Array{T,N} where {N,T}, Array{T,2} where {T<:Real}, Array{S,2} where {S<:Bestiary.RealVector},
    AbstractVector, Vector{<:Real}, Pair{<:Real,<:Real}, with_variable(:_, v -> Vector{v}), with_variable(:_, v -> Pair{v,Vector{v}}),
    with_variable(:_, v -> with_variable(:_, w -> Pair{v,w})), with_variable(:T, v -> with_variable(:T, w -> Pair{v,w})),
    with_variable(:T, v -> with_variable(:T, w -> with_variable(:T, u -> Tuple{v,w,u}))),
    with_variable(:T, v -> with_variable(:T1, w -> with_variable(:T, u -> Tuple{v,w,u}))),
    with_variable(:T, v -> with_variable(:T, w -> Ref{w}, v)), with_variable(:T, v -> Tuple{v,with_variable(:T, w -> Ref{w})}),
    with_variable(Symbol("odd var"), v -> Vector{v}), with_variable(:T, v -> with_variable(:T, w -> Pair{v,w}, Union{}, Real), Int, Real),
    Vector{T} where {T<:Bestiary.RealVector}, Ref{Vector{T} where T>:S} where S>:Int, Ref{T} where {Int<:T<:Real},
    Ref{T} where T>:Bestiary.RealVector, Tuple{Vector{T},(Set{T} where T)} where T, Dict{T,Vector{S} where S<:T} where T,
    UnionAll(TypeVar(:T), UnionAll(TypeVar(:T), Dict)), Union{}, Union{Int,Nothing}, Union{Nothing,Int,Float64,String},
    Union{Vector{T},Set{T}} where T, Union{Vector{T} where T,Int}, Type, Type{Int}, Type{<:Real}, Type{T} where {T<:Vector},
    Type{Type{Int}}, Type{Union{}}, Type{Tuple{Int,Float64}}, Type{Union{Int,Nothing}}, DataType, UnionAll, Union, Core.TypeofBottom,
    typeof(Union), typeof(sin), typeof(+), typeof(==), typeof(Base.:(:)), typeof(Bestiary.:(⊞)), typeof(Bestiary.kw),
    typeof(Bestiary.var"odd name"), typeof(Bestiary.var"#hash"), typeof(Bestiary.var"'"), typeof(Bestiary.var"true"),
    typeof(Bestiary.Deep.Deeper.f), typeof(Bestiary.Deep.Deeper.:⊗), typeof(Bestiary.Deep.Deeper.:(==)),
    typeof(Base.Iterators.flatten), typeof(Core.getfield), typeof(Core.Intrinsics.add_int), sorter_of(typeof(Bestiary.kw)),
    typeof(Bestiary.:(==ᵃ)), typeof(Bestiary.:(⊕₁)), typeof(getfield(Bestiary, Symbol("@made"))), typeof(main_function), typeof(⊡),
    typeof(Bestiary.adder(1)), typeof(Bestiary.named_inner(1)[1]), typeof(Bestiary.named_inner(1)[2]), Bestiary.Functor,
    Bestiary.Functor{Int}, Bestiary.Sub, Bestiary.Sub{3}, Bestiary.Direct, Bestiary.Plain, Bestiary.var"odd type",
    Bestiary.var"odd type"{Int}, Bestiary.var"#type", Bestiary.Deep.Deeper.T{Int}, Bestiary.Bare.Int64, Bestiary.Node,
    Bestiary.Node{T,T} where T, Bestiary.Fruit, MainType, MainType{MainType{Int}}, NamedTuple, NamedTuple{(:a,)},
    NamedTuple{(:a, :b),Tuple{Int,Float64}}, NamedTuple{(),Tuple{}}, NamedTuple{names,T} where {names,T<:Tuple{Vararg{Int}}},
    Val{:a}, Val{(1, :b, 2.0)}, Val{Val{1}}, Val{T} where T, Function, Core.Builtin, Any, AbstractString,
    StridedArray, StridedVector, StridedMatrix, StridedVecOrMat, StridedArray{Float64}, StridedArray{Int,2}, StridedVecOrMat{Int},
    Union{Nothing,StridedVecOrMat{Int}}, Union{Nothing,StridedVecOrMat{T}} where T<:Real, Union{Nothing,StridedVecOrMat},
    Union{Nothing,StridedVector{Int},Array{Int}}, Union{Nothing,StridedVector{T},Array{T}} where T<:Real,
    Union{AbstractSet{Int},Vector{Int},Vector{T}} where T<:Real, Union{AbstractSet{Int},Vector{T},Vector{Int}} where T,
    Union{AbstractSet{Int},Vector{String},Vector{T}} where T<:Real, Union{Vector{Int},Vector{T}} where T<:Real,
    Union{Int,Vector{Int},Vector{T},Matrix{T}} where T<:Real, Union{BitVector,Vector,Matrix}, Union{Int,Vector,AbstractMatrix},
    DenseArray, Union{DenseArray{Int,1},Int}, Union{StridedArray{T,2},BitArray{2}} where T, nested(3), deep(3), deep(50), Ptr{Cvoid},
    Ref, Base.RefValue{Int}, Base.Generator{UnitRange{Int},typeof(identity)},
    Base.Broadcast.Broadcasted{Base.Broadcast.DefaultArrayStyle{1},Tuple{Base.OneTo{Int}},typeof(+),Tuple{Vector{Int},Int}},
    Base.Iterators.Zip, Iterators.Filter{typeof(isodd),UnitRange{Int}}, Core.Compiler.InferenceState, Core.Compiler.UnitRange{Int},
    Core.SimpleVector, Symbol, Module, Method, Core.MethodInstance, Dates.Date, Period, SubArray,
    SubArray{T,1} where {T<:(Union{Int,S} where S)}, typeof(Bestiary.gen), Bestiary.Inner{Int,2}, Bestiary.Inner{T,2} where T,
]

function bestiary_instances()
    B = Bestiary
    found = Any[]
    add(x) = append!(found, x)
    for f in (B.:⊞, B.:⊕₁, B.:(==ᵃ), ⊡, B.Deep.Deeper.:⊗, B.Deep.Deeper.:(==), B.diagonal, B.bounds, Base.:(==), *)
        add(of_call(f, 1, 2))
    end
    for f in (B.var"odd name", B.var"#hash", B.var"true", B.var"quote\"d\$", B.var"'", B.var"β\u200bzero", B.αβγ!, B.Functor(1),
              B.Functor("x"), B.Plain(), B.Sub{2}(), B.direct, B.adder(1), B.adder(1)(2) === 3 ? B.adder('a') : 0, B.named_inner(1)...,
              B.kw, B.opt, B.va, B.va_typed, B.va_n, B.lower, B.Deep.Deeper.f, B.Bare.f, main_function, MainType{Int}(), B.Inner, B.Inner{Int},
              B.Inner{Int,1}, Bestiary2.f, B.anytuple, B.unions, B.types, B.val, isequal(1), Base.Fix1(+, 1), Vector, Int, Val)
        for x in (1, 2.0, "s", (1,), (1, 2, 3, 4), [1], Int, sin, nothing, :a, Val(1), Dict(1 => 2))
            add(of_call(f, x))
        end
    end
    for v in B.values_of_all_kinds()
        for w in (v, (v, v))
            # what can't be a parameter is a TypeError
            try
                add(of_call(B.val, Val(w)))
                add(of_call(B.two, Val(w), Val((w, 1))))
            catch
            end
        end
        v isa Type && (add(of_call(B.types, v)); add(of_call(v, 1)))
        add(of_call(B.apply, v, 1))
    end
    for t in odd_types()
        if Base.isvarargtype(t)
            add(of_signature(Tuple{typeof(B.anytuple),Tuple{t}}))
            continue
        end
        t === Union{} || add(of_signature(Tuple{typeof(B.apply),typeof(identity),t}))
        add(of_signature(Tuple{typeof(B.types),Type{t}}))
        add(of_signature(Tuple{typeof(B.apply),typeof(B.types),Type{t},Vararg{Any}}))
        add(of_signature(Tuple{Type{t},Int}))
    end
    add(of_signature(Tuple{typeof(B.strided),StridedArray}))
    add(of_signature(Tuple{sorter_of(typeof(B.kw)),NamedTuple{(:a,),Tuple{Int}},typeof(B.kw),Int}))
    add(of_signature(Tuple{sorter_of(typeof(B.kw_rest)),NamedTuple{(:a, :c),Tuple{Int,Int}},typeof(B.kw_rest),Int}))
    found
end

# Instances as programs make them: what inference compiles for some calls of the standard library.
function exercise()
    B = Bestiary
    B.kw(1, a = 2); B.kw_rest(1, c = 2); B.kw_typed(1, a = 2); B.gen(1, Val(2)); B.gen_kw(1, k = 2); B.opt(1); B.va(1, 2); B.va_n(1, 2)
    B.named_inner(1)[2](1, k = 3); B.adder(1)(2); B.Inner(1, 2); map(B.adder(1), 1:3); sort([3, 1, 2], by = x -> -x, rev = true)
    A = rand(4, 4)
    (A * A, A \ A, inv(A), svd(A), eigen(A), lu(A), qr(A), det(A), A', sum(A, dims = 1))
    :SparseArrays in MISSING_PACKAGES || sprand(5, 5, 0.5) * rand(5)
    (string(now()), Date(2020, 1, 1) + Day(3), Dates.format(now(), "yyyy-mm-dd"), @sprintf("%.3f %d %s", 1.0, 2, "x"))
    (split("a,b,c", ','), join([1, 2], ", "), replace("abc", "b" => "x"), parse(Int, "12"), match(r"a(b)", "ab"), repr(Dict(1 => [1, 2])))
    (collect(zip(1:3, "abc")), [x^2 for x in 1:10 if isodd(x)], Dict(i => string(i) for i in 1:3), reduce(+, 1:10), foldl(-, [1, 2, 3]))
    (mean([1, 2]), Set([1, 2]), unique([1, 1]), broadcast(+, [1, 2], 3), [1, 2] .+ [1 2], big(2)^100, 1 // 3 + 2 // 3, rand(Int, 3))
    nothing
end

function collect_instances()
    exercise()
    found = IdDict{Any,Nothing}()
    list = Core.MethodInstance[]
    add(mi) = haskey(found, mi) || (found[mi] = nothing; push!(list, mi))
    foreach(add, bestiary_instances())
    for m in all_methods()
        foreach(add, specializations(m))
        add(generic_instance(m))
    end
    list
end

struct Lcg
    state::Base.RefValue{UInt64}
end
next!(r::Lcg) = r.state[] = r.state[] * 6364136223846793005 + 1442695040888963407

# Values as arguments: all of Float16, some of the others; strings, characters, symbols.
function collect_values()
    values = copy(Bestiary.values_of_all_kinds())
    r = Lcg(Ref(UInt64(1)))
    append!(values, reinterpret(Float16, UInt16(0):UInt16(0xffff)))
    for _ in 1:5000
        bits = next!(r)
        push!(values, reinterpret(Float64, bits), reinterpret(Float32, (bits >> 32) % UInt32), (bits >> 40) / 8, Float32(bits >> 50) / 100)
    end
    for e in -1074:1023
        push!(values, ldexp(1.0, e), prevfloat(ldexp(1.0, e)), nextfloat(ldexp(1.0, e)))
    end
    for e in -149:127
        push!(values, ldexp(1f0, e), prevfloat(ldexp(1f0, e)), nextfloat(ldexp(1f0, e)))
    end
    for c in vcat(0:0x2fff, 0xd7f0:0xe010, 0xfe00:0xffff, 0x1d400:0x1d800, 0x1f000:0x1f100, 0xe0000:0xe0010)
        ch = Char(c)
        push!(values, ch)
        c == 0 || 0xd800 <= c < 0xe000 || push!(values, Symbol(ch), Symbol("a", ch), Symbol("+", ch), string("a", ch, "1"), Symbol(".", ch))
    end
    for a in "!\$%&'*+-./:<=>?\\^|~", b in "!\$%&'*+-./:<=>?\\^|~=", c in ("", "=", ".", ">", "₁", "₁x")
        push!(values, Symbol(a, b, c))
    end
    append!(values, Any["", "a\"b\$c\\d", "\0001", "\0a", "\e[0m", "tab\tnl\n", "\xff\xfe", "\xe2\x88", "β∀😀", "\u200b1", "\u200bz", "\U0010ffff1"])
    append!(values, odd_types())
    values
end
