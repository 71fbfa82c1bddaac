#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# snoopi advise: for each kind a program that has the fault, and one that has not. In each pair the functions have the same names.
load helper

record() {
    local name=$1
    cat >"$name.jl"
    "$SNOOPI_BIN_DIR/snoopi" record -o "$name" "$SNOOPI_JULIA" --startup-file=no "$name.jl" >/dev/null
}

# A package that is there only to be loaded and called, from files of this name.
make_package() {
    mkdir -p "$1/Weighing/src"
    printf 'name = "Weighing"\nuuid = "5a6fd31c-0b8a-4e3b-8f8a-2f6d3b1c9e01"\n' >"$1/Weighing/Project.toml"
    cat >"$1/Weighing/src/Weighing.jl"
}

record_package() {
    JULIA_DEPOT_PATH=$PWD/$1.depot JULIA_LOAD_PATH="@stdlib:$PWD/$1" "$SNOOPI_BIN_DIR/snoopi" record -o "$2" \
        "$SNOOPI_JULIA" --startup-file=no -e 'using Weighing; Weighing.weigh([1, 2, 3])' >/dev/null
}

setup_file() {
    [ -x "$SNOOPI_JULIA" ] || return 0
    cd "$BATS_FILE_TMPDIR" || return 1
    record faulty <<'END'
@noinline weigh(x) = x == x ? 1.0 : 2.0
function total(v)
    s = 0.0
    for x in v
        s += weigh(x)
    end
    s
end
total(Any[1, 2.0, "three", 'c'])
specialized(x) = (x, x)
for x in (1, 2.0, "three", 'c', 0x05, nothing)
    specialized(x)
end
many(args...) = length(args)
call_many(x) = many(x) + many(x, x) + many(x, x, x) + many(x, x, x, x)
call_many(1)
keyed(; a = 1, b = 2, c = 3) = a + b + c
keyed(a = 1); keyed(b = 1); keyed(a = 1, c = 2); keyed(c = 2, a = 1)
switched(x, n) = n > 2 ? x + n : x - n
switch(x) = switched(x, 1) + switched(x, 2) + switched(x, 3) + switched(x, 4) + switched(x, 5)
switch(2)
for k in 1:4
    @eval redefined(x) = x + $k
    Base.invokelatest(redefined, 1)
end
inner(x) = x + 1
outer(x) = inner(x) * 2
outer(1)
inner(x) = x + 1.5
outer(1)
@generated function summed(x::NTuple{N,Any}) where {N}
    ex = :(0)
    for k in 1:N
        ex = :($ex + x[$k])
    end
    ex
end
summed((1, 2, 3))
function boxing(v)
    n = 0
    count_up = function (x)
        n += x
    end
    foreach(count_up, v)
    n
end
boxing([1, 2, 3])
function hold(v::AbstractArray{T,1}) where {T}
    s = 0.0
    for a in v
        s += measure(a)
    end
    s
end
@noinline measure(a) = a[1] * 2.0
hold(AbstractArray{Int,1}[[1, 2], 1:3])
struct Odd
    v::Int
end
Base.show(io::IO, odd::Odd) = print(io, odd.v)
telling(odd) = println(IOBuffer(), odd, "x", 1.5, 'c', :d, 0x01, 1//2)
telling(Odd(1))
grow(x, n) = n == 0 ? x : grow((x,), n - 1)
grow(1, 3)
const SETTINGS = Dict{Symbol,Any}(:a => 1, :b => 2.5, :c => "three")
@noinline setting(name) = SETTINGS[name]
@noinline local_setting(name) = setting(name)
@noinline doubled(x) = (x, x)
use_setting(name) = doubled(local_setting(name))
foreach(use_setting, (:a, :b, :c))
@noinline chosen(v) = v[1]
@noinline tripled(x) = (x, x, x)
use_chosen(v) = tripled(chosen(v))
use_chosen(Any[1, 2])
using DelimitedFiles
@noinline first_cell(m) = m[1] * 2
cells(text) = first_cell(readdlm(IOBuffer(text)))
cells("1 2")
END
    record sound <<'END'
@noinline weigh(x) = x == x ? 1.0 : 2.0
function total(v)
    s = 0.0
    for x in v
        s += weigh(x)
    end
    s
end
total([1.0, 2.0, 3.0])
specialized(x) = (x, x)
for x in (1, 2.0)
    specialized(x)
end
many(args...) = length(args)
many(1, 2, 3); many(4, 5, 6)
keyed(; a = 1, b = 2, c = 3) = a + b + c
keyed(a = 1, b = 2); keyed(a = 3, b = 4)
switched(x, n) = n > 2 ? x + n : x - n
switch(x, n) = switched(x, n) + switched(x, n)
switch(2, 1)
redefined(x, k) = x + k
for k in 1:4
    redefined(1, k)
end
inner(x) = x + 1.5
outer(x) = inner(x) * 2
outer(1)
outer(2)
summed(x) = x[1] + x[2] + x[3]
summed((1, 2, 3))
function boxing(v)
    n = Ref(0)
    count_up = function (x)
        n[] += x
    end
    foreach(count_up, v)
    n[]
end
boxing([1, 2, 3])
function hold(v::AbstractArray{T,1}) where {T}
    s = 0.0
    for a in v
        s += measure(a)
    end
    s
end
@noinline measure(a) = a[1] * 2.0
hold([[1, 2], [3, 4]])
struct Odd
    v::Int
end
telling(odd) = write(IOBuffer(), odd.v)
telling(Odd(1))
grow(x, n) = n == 0 ? x : grow(x + 1, n - 1)
grow(1, 3)
const SETTINGS = Dict{Symbol,Any}(:a => 1, :b => 2, :c => 3)
@noinline setting(name) = SETTINGS[name]
@noinline local_setting(name) = name === :a ? 1 : name === :b ? 2.5 : nothing
@noinline doubled(x) = (x, x)
use_setting(name) = doubled(local_setting(name))
foreach(use_setting, (:a, :b, :c))
@noinline chosen(v) = v[1]
@noinline tripled(x) = (x, x, x)
use_chosen(v) = tripled(chosen(v))
use_chosen([1, 2])
use_asserted(name) = tripled(setting(name)::Int)
use_asserted(:a)
using DelimitedFiles
@noinline first_cell(m) = m[1] * 2
cells(text) = first_cell(readdlm(IOBuffer(text))::Array{Float64,2})
cells("1 2")
END
    make_package faulty_package <<'END'
module Weighing
weigh(x) = sum(k -> k * 2.0, x)
end
END
    make_package sound_package <<'END'
module Weighing
weigh(x) = sum(k -> k * 2.0, x)
precompile(weigh, (Vector{Int},))
end
END
    # What is recorded is the second start: the first one precompiles.
    record_package faulty_package first && record_package faulty_package faulty_package.data
    record_package sound_package first && record_package sound_package sound_package.data
}

setup() {
    need_julia
    in_own_folder
    faulty=$BATS_FILE_TMPDIR/faulty
    sound=$BATS_FILE_TMPDIR/sound
}

# The finding of a kind about a function, as [file:line, count, what, evidence…, change].
finding() {
    snoopi advise --tmin=0 --format=json "$1" | jq -r --arg kind "$2" --arg name "$3" \
        '.rows[] | select(.kind == $kind and .name == $name) |
        (.file | split("/") | last) + ":" + (.line | tostring), .count, .what, .evidence[], .change'
}

@test "a call with arguments of unknown type: which arrive, and from where" {
    run finding "$faulty" dispatch total
    assert_line --index 0 faulty.jl:5
    assert_line --index 1 4
    assert_line --index 2 'total calls weigh by dispatch, with 4 sets of argument types'
    assert_line --regexp 'argument 1 arrives as 4 types: .*(Int64|Float64|String|Char), .*'
    local vector
    vector=$(shown 'Vector{Any}')
    assert_line "argument 1 of total is of type $vector, in which Any is abstract"
    assert_line --partial "give total a value of a concrete type, or with concrete elements, instead of $vector; or branch"
    run finding "$sound" dispatch total
    assert_output ''
}

@test "a method that is compiled for many types: which argument varies" {
    run finding "$faulty" specialization specialized
    assert_line --index 0 faulty.jl:10
    assert_line --index 1 6
    assert_line 'specialized is compiled for 6 sets of argument types'
    assert_line --regexp 'argument 1 takes 6 types: .* and 2 more'
    assert_line --partial '@nospecialize argument 1'
    run finding "$sound" specialization specialized
    assert_output ''
}

@test "a method that is compiled for many numbers of arguments" {
    run finding "$faulty" vararg many
    assert_line --index 0 faulty.jl:14
    assert_line 'many is compiled anew for each of 4 numbers of arguments'
    assert_line 'from 1 to 4 arguments'
    run finding "$sound" vararg many
    assert_output ''
}

@test "a function that is called with many sets of keywords" {
    run finding "$faulty" keywords keyed
    assert_line --index 0 faulty.jl:17
    assert_line 'keyed is called with 4 different sets of keywords'
    assert_line --partial '(:a, :c)'
    run finding "$sound" keywords keyed
    assert_output ''
}

@test "a method that is inferred again for constants" {
    run finding "$faulty" constprop switched
    assert_line --index 0 faulty.jl:19
    assert_line 'switched is inferred again for constant arguments, 5 times'
    run finding "$sound" constprop switched
    assert_output ''
}

@test "a definition that is run several times" {
    run finding "$faulty" redefined redefined
    assert_line --index 0 faulty.jl:23
    assert_line 'redefined is defined 4 times by the same line; each definition is inferred anew'
    run finding "$sound" redefined redefined
    assert_output ''
}

@test "an instance that is inferred again, as its result was not kept" {
    run finding "$faulty" repeated grow
    assert_line --index 0 faulty.jl:63
    assert_line --regexp '^grow is inferred again for the same argument types, [0-9]+ times$'
    assert_line --partial 'its result was not kept'
    run finding "$sound" repeated grow
    assert_output ''
    run finding "$faulty" repeated outer # which was invalidated
    assert_output ''
}

@test "what a function of Julia returned is to be declared where it is called" {
    run finding "$faulty" dispatch cells
    assert_line --index 0 faulty.jl:77
    assert_line 'cells calls first_cell by dispatch, with 1 set of argument types'
    assert_line --partial 'readdlm, which cells calls, returns '
    assert_line --partial 'declare its type where it is called (readdlm(…)::T)'
    run finding "$sound" dispatch cells
    refute_line --partial first_cell
}

@test "a definition that invalidated what had been inferred" {
    run finding "$faulty" invalidated inner
    assert_line --index 0 faulty.jl:29
    assert_line 'defining inner(::Int64) invalidated the code of 1 instance, which was inferred again'
    assert_line --regexp '^most of it: outer\(::Int64\) of Main, '
    assert_line --partial 'define methods before the first call of what uses them'
    run finding "$sound" invalidated inner
    assert_output ''
}

@test "a closure that captures a variable in a box" {
    run json '.rows[] | select(.kind == "boxed") | [(.file | split("/") | last), .line, .count > 0, (.what | contains("captures n in a box"))]' \
        snoopi advise --tmin=0 --format=json "$faulty"
    assert_output '["faulty.jl",41,true,true]'
    run json '.rows[] | select(.kind == "boxed")' snoopi advise --tmin=0 --format=json "$sound"
    assert_output ''
}

@test "a function of Julia that loses types is not to be annotated" {
    run finding "$faulty" dispatch telling
    assert_line --regexp '^telling through print(ln)? calls .* by dispatch'
    assert_line --partial 'does not keep the types that it is given'
    refute_line --partial 'annotate it'
    run -0 json '[.rows[] | select(.name | startswith("telling(")) | .count]' snoopi list --by=instance --format=json "$sound"
    assert_output '[1]'
    run finding "$sound" dispatch telling
    assert_output ''
}

@test "an abstract type with parameters, as elements of a container" {
    run finding "$faulty" dispatch hold
    assert_line --partial ", in which $(shown 'AbstractVector{Int}') is abstract"
    run -0 json '[.rows[] | select(.name | startswith("hold(")) | .count]' snoopi list --by=instance --format=json "$sound"
    assert_output '[1]'
    run finding "$sound" dispatch hold
    assert_output ''
}

@test "a function that returns what is not concrete" {
    run finding "$faulty" result local_setting
    assert_line --index 0 faulty.jl:67
    assert_line --index 1 3
    assert_line 'local_setting returns Any: its callers call by dispatch with that'
    assert_line --regexp '^it calls setting \(.*/faulty.jl:66\), which returns the same and may be the cause$'
    assert_line 'use_setting (faulty.jl:69), which calls it, calls doubled by dispatch, with 3 sets of argument types'
    assert_line --regexp '^argument 1 arrives as 3 types: .*(Int64|Float64|String), .*'
    assert_line --partial 'have local_setting return one concrete type'
    run finding "$faulty" dispatch use_setting # it is told once
    assert_output ''
    # It is called, a Union of a few types is split, and what is asserted is known.
    run -0 json '[.rows[] | select(.name | startswith("use_setting(") or startswith("use_asserted(")) | .count]' \
        snoopi list --by=instance --format=json "$sound"
    assert_output '[1,1]'
    run json '.rows[] | select(.kind == "result")' snoopi advise --tmin=0 --format=json "$sound"
    assert_output ''
}

@test "what was given to the caller is at fault before what it calls" {
    run finding "$faulty" dispatch use_chosen
    assert_line "argument 1 of use_chosen is of type $(shown 'Vector{Any}'), in which Any is abstract"
    run finding "$faulty" result chosen
    assert_output ''
}

@test "generators of generated functions" {
    run json '.rows[] | select(.kind == "generated") | [(.file | split("/") | last), .line, .count]' \
        snoopi advise --tmin=0 --format=json "$faulty"
    assert_output '["faulty.jl",31,1]'
    run json '.rows[] | select(.kind == "generated")' snoopi advise --tmin=0 --format=json "$sound"
    assert_output ''
}

@test "roots of a package that could be precompiled" {
    run finding "$BATS_FILE_TMPDIR/faulty_package.data" precompile Weighing
    assert_line --index 0 Weighing.jl:2
    assert_line '1 instances of Weighing are inferred at run time, and could be when it is precompiled'
    assert_line --partial "weigh(::$(shown 'Vector{Int}')), "
    assert_line --partial 'most of it: '
    run finding "$BATS_FILE_TMPDIR/sound_package.data" precompile Weighing
    assert_output ''
}

@test "findings are ranked by what they could save, and can be limited and filtered" {
    run -0 json '[.rows[].saved_ns] | . == (sort | reverse), length > 6' snoopi advise --tmin=0 --format=json "$faulty"
    assert_output $'true\ntrue'
    run -0 json '.rows | length, (map(.kind) | length)' snoopi advise --tmin=0 --limit=2 --format=json "$faulty"
    assert_output $'2\n2'
    run -0 json '.rows | length' snoopi advise --module=Nothing.Such --format=json "$faulty"
    assert_output 0
    run -0 snoopi advise --tmin=3600s "$faulty"
    assert_line 'nothing was found that could save this much'
    run -0 snoopi advise --tmin=0 --limit=1 "$faulty"
    assert_line --index 0 --regexp '^1\. up to .*s: '
    assert_line --index 1 --regexp '^   at .*:[0-9]+$'
    assert_line --partial '   → '
    assert_line --regexp '^… [0-9]+ more findings; --limit=0 shows all$'
}

@test "csv has a line for each finding" {
    run -0 snoopi advise --tmin=0 --format=csv "$faulty"
    assert_line --index 0 'kind,saved_ns,count,name,module,file,line,what,change,evidence'
}
