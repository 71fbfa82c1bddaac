# SPDX-License-Identifier: MIT
# Definitions whose names are odd, for dump_graph.jl: each statement here is there because of one rule of printing. The calls at the
# end make the instances.

module Bestiary

# operators, and names that need var""
⊞(x, y) = x
⊕₁(x, y) = x
var"odd name"(x) = x
var"#hash"(x) = x
var"true"(x) = x
var"quote\"d\$"(x) = x
var"'"(x) = x
var"β\u200bzero"(x) = x
αβγ!(x) = x
==ᵃ(x, y) = x
√ₐ = identity

# functors
struct Functor{T}
    x::T
end
(f::Functor)(y) = y
(f::Functor{Int})(y::Float64) = y
struct Plain end
(::Plain)(x) = x
abstract type Callable <: Function end
struct Sub{N} <: Callable end
(::Sub{N})(x) where {N} = N
struct Direct <: Function end
(::Direct)(x) = x
const direct = Direct()

# constructors
struct Inner{T,N}
    x::NTuple{N,T}
    Inner{T,N}(x) where {T,N} = new{T,N}(x)
    Inner{T}(x::Tuple) where {T} = new{T,length(x)}(x)
end
Inner(x::T...) where {T} = Inner{T,length(x)}(x)
struct var"odd type"{T} end
struct var"#type" end
mutable struct Node{T,S<:Union{Nothing,T}}
    next::S
end

# closures, generators, keywords
adder(x) = y -> x + y
function named_inner(x)
    inner(y) = x + y
    inner2(y; k = 1) = y + k
    (inner, inner2)
end
kw(x; a = 1, b = 2.0) = x + a + b
kw_rest(x; a = 1, rest...) = (x, a, rest)
kw_typed(x::T; a::S = one(T)) where {T,S} = x + a
@generated gen(x::T, ::Val{N}) where {T,N} = :(x, N)
@generated function gen_kw(x; k = 1)
    :(x)
end
opt(x, y = 1, z = 2) = x + y + z
macro made(x)
    esc(x)
end

# signatures
va(x...) = x
va_typed(x::Int...) = x
va_n(x::Vararg{T,N}) where {T,N} = x
nested_where(x::Vector{<:Vector{<:T}}) where {T<:Real} = x
bounds(x::T, y::S) where {Int<:T<:Real,S<:AbstractArray{T}} = x
lower(x::Vector{T}) where {T>:Int} = x
diagonal(x::T, y::T) where {T} = x
types(::Type{T}) where {T} = T
types2(::Type{Vector{T}}, ::Type{<:Integer}) where {T} = T
unions(x::Union{Int,Float64,Nothing}) = x
strided(x::StridedArray) = x
strided2(x::StridedVecOrMat{T}) where {T} = x
strided3(x::StridedMatrix{Float64}) = x
strided4(x::Union{StridedArray{T,N},BitArray{N}}) where {T,N} = x
strided5(x::Union{StridedVector{T},StridedMatrix{T},Nothing}) where {T} = x
strided6(x::Union{Array{T,1},BitArray{1}}) where {T} = x
nt(x::NamedTuple{(:a, :b)}) = x
keyed(x::Val{:a}) = x
@nospecialize
nospec(x, y::Type, z::Function) = x
@specialize
anytuple(x::Tuple) = x
anytuple(x::Tuple{Vararg{T}}) where {T} = x
anytuple(x::Tuple{Int,Vararg{Any}}) = x
const RealVector = (t = TypeVar(:T, Real); UnionAll(t, Vector{t}))
shadow(x::Vector{T}, y::Ref{Tuple{T,S} where S<:RealVector}) where {T} = x

module Deep
module Deeper
struct T{A} end
f(x) = x
⊗(x, y) = x
(==)(x, y) = x
end
end
baremodule Bare
struct Int64 end
f(x) = x
primitive type Word 24 end
end

@enum Fruit apple banana=7 ἐλαία=9
primitive type Word24 24 end
struct Point{T}
    x::T
    y::T
end
struct Empty end
struct Mixed
    a::Int
    b::Tuple{Float32,Char}
    c::Point{Int8}
end

apply(f, xs...) = f(xs...)
val(::Val{V}) where {V} = V
two(::Val{A}, ::Val{B}) where {A,B} = (A, B)

"Values that can be parameters of types."
values_of_all_kinds() = Any[
    1, -1, typemin(Int64), typemax(Int64), Int8(-5), Int16(-300), Int32(7), Int128(2)^100, -Int128(2)^120, typemin(Int128),
    typemin(Int8), 0x01, 0xabcd, 0x00000001, UInt64(5), UInt128(2)^90, true, false, 'a', '\'', '"', '\\', '\n', '\0', '\a',
    '\u200b', 'β', '∀', '😀', '\ud800', '\U10ffff', "\xff"[1], '\x7f', '\e', '\u00ad', '\u85', reinterpret(Char, 0xc0800000),
    1.0, -1.0, 0.0, -0.0, 1.5, 1e100, 1e-100, 123456.0, 1234567.0, 999999.0, 1e6, 1e5, 1e-5, 0.0001, 0.00012345, NaN, -NaN, Inf,
    -Inf, 5e-324, floatmax(), floatmin(), pi * 1, 1 / 3, 2.0^-44, 9007199254740993.0, 1f0, -1.5f0, 1f10, 1f-10, NaN32, Inf32,
    -Inf32, 0f0, -0f0, 16777216f0, 123456f0, 1234567f0, Float16(1), Float16(-0.1), Float16(999), Float16(1000), Float16(0),
    Float16(-0.0), NaN16, Inf16, -Inf16, Float16(6e-8),
    :x, :+, Symbol("a b"), :(==), Symbol("="), Symbol(":"), Symbol("::"), :(=>), :(===), Symbol(":="), Symbol(""), :var, :end, Symbol("true"), Symbol("'"), Symbol(".+"),
    Symbol("+₁"), Symbol(".."), Symbol("..."), Symbol("1a"), :a!, :β, Symbol("#1#2"), Symbol("@m"), Symbol("a\nb\$c\"d\\e\0"[1:end-1]),
    Symbol("\xff"), Symbol("in"), Symbol("isa"), Symbol("->"), Symbol("&&"), Symbol("÷="), Symbol("x\u200b"), Symbol("=>₁"),
    (), (1,), (1, 2), (1, (2, 3.0, (:a,))), (true, 0x01), ((),), (1, 2, 3, 4, 5), (Int, :a, nothing),
    (a = 1,), (a = 1, b = 2.0), NamedTuple(), (a = (b = 1,),), NamedTuple{(:a,),Tuple{Real}}((1,)), (x = :y, z = nothing),
    nothing, missing, sin, +, identity, kw, adder(1), Base.Iterators.flatten, Base.Broadcast.broadcasted, getfield,
    ⊞, Base.:(==), Core.Intrinsics.add_int, Core.arraysize, isequal(1), Base.Fix1(+, 2.0), Plain(), direct, Sub{2}(), Colon(),
    Point(1, 2), Point(1.0f0, 2.0f0), Empty(), Mixed(1, (2f0, 'c'), Point(Int8(1), Int8(-1))), Val(1), Val{Val(:a)}(),
    1//2, -3//4, 1 + 2im, 1 - 2im, 1.0 - 0.0im, 1.0 + NaN * im, complex(1, typemin(Int)), im, complex(true, true), 1f0 + Inf32 * im,
    complex(0x01, 0x02), complex(1//2, 3//4), Point(1//2, 3//4),
    1:3, 1:2:9, Base.OneTo(4), 'a':'c', CartesianIndex(1, 2), CartesianIndex(), 1 => 2, 1 => (2 => 3), (+) => 1, Pair{Any,Int}(1, 2),
    Ptr{Cvoid}(0), Ptr{Int}(4096), apple, banana, Fruit(9), reinterpret(Word24, [0x01, 0x02, 0xff])[1],
    reinterpret(Bare.Word, [0x01, 0x02, 0x03])[1], Base.UUID(UInt128(1) << 100 + 77), pi, MathConstants.e, undef,
    Main, Base, Core, Base.Iterators, Deep, Deep.Deeper, Core.Compiler, Some(1), Base.RefValue, Base.Order.Forward,
    Float64, Vector, Vector{Int}, Union{}, Union{Int,Nothing}, Tuple{Int,Vararg{Any}}, Type{<:Real}, AbstractArray{<:Any,2},
]

end

module Bestiary2
using ..Bestiary
f(x) = x
end

# In Main itself, whose name is never shown.
main_function(x) = x
⊡(x, y) = x
struct MainType{T} end
(::MainType{T})(x) where {T} = x
