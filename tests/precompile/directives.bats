#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# snoopi precompile, and what Julia makes of its files: they parse, hold nothing but directives, these hold, and they spare a
# package's users inference.
load ../cli/helper

setup() {
    export TMPDIR=$BATS_TEST_TMPDIR
    need_julia
    in_own_folder
    cases=$SNOOPI_SOURCE_DIR/tests/cases
    examples=$SNOOPI_SOURCE_DIR/examples
}

julia() { "$SNOOPI_JULIA" --startup-file=no "$@"; }
check() { julia "$SNOOPI_SOURCE_DIR/tests/precompile/check_directives.jl" "$@"; }

# A package of that name from standard input, which is there to be loaded.
make_package() {
    mkdir -p "packages/$1/src"
    printf 'name = "%s"\nuuid = "%s"\n[deps]\nDates = "ade2ca70-3891-5945-98fb-dc099432e06a"\n' "$1" "$2" >"packages/$1/Project.toml"
    cat >"packages/$1/src/$1.jl"
    export JULIA_LOAD_PATH="@stdlib:$PWD/packages" JULIA_DEPOT_PATH=$PWD/depot
}

@test "directives of the case programs parse, and hold" {
    shopt -s nullglob
    for case in 01_dispatch 03_generated 04_keywords 05_names 06_nested_types; do
        snoopi record -o "$case" "$SNOOPI_JULIA" --startup-file=no "$cases/$case.jl" >/dev/null
        snoopi precompile -o "$case.out" "$case" >/dev/null
    done
    run -0 check --run ./*.out/*.jl
    assert_output --regexp '^[1-9][0-9]+ directives in'
}

@test "names of all kinds: operators, odd ones, keywords, modules below modules, values" {
    make_package Naming 5a6fd31c-0b8a-4e3b-8f8a-2f6d3b1c9e03 <<'END'
module Naming
import Dates
struct T1{S,N} end
struct Box{T<:Real,F<:Function}
    x::T
    f::F
end
⊕(a, b) = a + b
Base.:(+)(a::Box, b::Box) = a.x + b.x
Base.:(\)(a::Box, b::Box) = a.x + b.x
var"odd name"(x) = x
var"end"(x) = x
function keyed(x; a = 1, b::String = "b")
    string(x, a, b)
end
(b::Box)(y; z = 1) = b.x + y + z
Box(x; f) = Box(x, f)
when(d::Dates.Date) = Dates.year(d)
open(x::Vector{<:Real}) = length(x)
many(xs...) = length(xs)
closing(x) = map(y -> y + x, [1, 2])
@noinline kind(::Type{T}) where {T} = T
module Inner
struct Box end
import ..Naming: T1
dig(::Box, t::T1) = t
module Deeper
dig(x::Ref{Any}) = x[]
end
end
use(x) = (x[]; x[](1))
end
END
    cat >use.jl <<'END'
using Naming, Dates
N = Naming
call(f, xs...; kw...) = Base.invokelatest(f, xs...; kw...)
call(N.:⊕, 1, 2.0)
b = N.Box(1, sin)
call(+, b, b)
call(\, b, b)
call(N.var"odd name", 3)
call(N.var"end", 0x03)
call(N.keyed, 1; a = 2)
call(N.keyed, "x"; b = "c", a = 3)
call(N.keyed, 'x')
call(b, 2; z = 3)
call(N.Box, 1; f = cos)
call(N.when, Date(2020))
call(N.open, [1])
call(N.many, 1, 2, 3, 4, 5)
call(N.closing, 1)
call(N.kind, Union{Int,Missing})
call(N.kind, Vector{T} where T<:Real)
call(N.Inner.dig, N.Inner.Box(), N.T1{:a,(1, 0x02, Int8(-3), true, Symbol("b c"))}())
call(N.Inner.Deeper.dig, Ref{Any}(1))
call(N.many, nothing, missing, 1 => 2, (a = 1, b = "x"), Val(:x), N.Box)
END
    julia -e 'using Naming'
    snoopi record -o data "$SNOOPI_JULIA" --startup-file=no use.jl
    run -0 snoopi precompile -o out --module='Naming*' --format=json data
    files=(out/*.jl)
    run cat out/precompile_Naming.jl
    for part in 'typeof(Naming.:(⊕)),' 'typeof(Base.:(\)),Box' 'typeof(Naming.var"odd name"),' 'typeof(Naming.var"end"),' 'typeof(keyed),' \
        'Dates === nothing || Base.precompile(Tuple{typeof(when),Dates.Date})' 'typeof(kind),Type{Union{Base.Missing,Int64}}'; do
        assert_output --partial "$part"
    done
    run cat out/precompile_Naming.Inner.jl
    assert_output --partial 'Naming.T1{:a,(1,0x02,Int8(-3),true,Symbol("b c"))}'
    assert_file_exist out/precompile_Naming.Inner.Deeper.jl
    run -0 julia -e 'using Naming; include(popfirst!(ARGS))' "$SNOOPI_SOURCE_DIR/tests/precompile/check_directives.jl" \
        --run "${files[@]}"
    assert_output --regexp '^[1-9][0-9]+ directives in 3 files$'
    # They compile into the package as they are, and spare inference.
    sed -i 's|^end$|&|; $d' packages/Naming/src/Naming.jl
    printf 'include("%s")\n_precompile_()\nend\n' "$PWD/out/precompile_Naming.jl" >>packages/Naming/src/Naming.jl
    julia -e 'using Naming'
    snoopi record -o after "$SNOOPI_JULIA" --startup-file=no use.jl
    before=$(snoopi list --by=package --package=Naming --format=json data | jq '.rows[0].count')
    after=$(snoopi list --by=package --package=Naming --format=json after | jq '.rows[0].count')
    [ "$after" -lt "$((before / 2))" ]
}

@test "what can't be covered is told by reason, and all adds up" {
    snoopi record -o data "$SNOOPI_JULIA" --startup-file=no "$cases/05_names.jl" >/dev/null
    run -0 json '.covered_ns + ([.left[].self_ns] | add) == .totals.inference_ns, .covered_ns == ([.rows[].covered_ns] | add)' \
        snoopi precompile -o out --format=json data
    assert_output $'true\ntrue'
    run -0 json '.schema, ([.left[].reason] | index("main") != null), (.rows[0].directives[0] | keys)' \
        snoopi precompile -o out --format=json data
    assert_line --index 0 '"snoopi.precompile/1"'
    assert_line --index 1 true
    assert_line --index 2 '["count","directive","name","total_ns"]'
    run -0 json '[.rows[].count] | add' snoopi precompile -o out2 --tmin=3600s --format=json data
    assert_output null
    run -0 snoopi precompile -o out --format=csv data
    assert_line --index 0 'total_ns,covered_ns,count,module,package,file,directives'
    run -2 snoopi precompile data
    run -1 snoopi precompile -o out nothing
}

@test "a stranger's names do not get out of their quotes" {
    for seed in $(seq 0 120); do
        "$SNOOPI_TEST_BIN_DIR/make_stranger" "$seed" segment
        snoopi precompile -o "out.$seed" segment >/dev/null 2>&1
    done
    files=(out.*/*.jl)
    [ "${#files[@]}" -gt 20 ]
    run -0 check "${files[@]}"
    assert_output --regexp '^[1-9][0-9]{2} directives in'
    run -0 bash -c 'cd .. && find . -path "*/out.*" -type f ! -name "precompile_*.jl"'
    assert_output ''
}

@test "the example: directives spare the users of a package four fifths of the inference and more" {
    SNOOPI=$SNOOPI_BIN_DIR/snoopi JULIA=$SNOOPI_JULIA run -0 "$examples/precompile_rainfall" work
    assert_line --regexp '^before +recording: inference .*'
    assert_line --regexp '^after +recording: inference .*'
    # What is inferred for the package's calls. The rest depends on Julia's image: one with little code in it infers much at the end of any program.
    frames() {
        snoopi export --to=jsonl -o - "work/$1.snoopi" | jq -n 'reduce inputs as $f ({}; .[$f.id | tostring] = if $f.parent == null then $f.module else .[$f.parent | tostring] end)
            | [.[] | select(startswith("Rainfall"))] | length'
    }
    all_frames() { snoopi list --format=json "work/$1.snoopi" | jq .totals.frames; }
    local before
    before=$(frames before)
    [ "$before" -gt 100 ]
    [ "$(frames after)" -le $((before / 5)) ]
    # It is not inferred for other calls instead.
    [ "$(all_frames after)" -le $(($(all_frames before) - before / 2)) ]
    run -0 check work/Rainfall/src/precompile_*.jl
}

# A package of two functions, and its first use, recorded.
make_checked() {
    make_package Checked 5a6fd31c-0b8a-4e3b-8f8a-2f6d3b1c9e04 <<'END'
module Checked
kept(x) = x * 2 + sum([x, x])
gone(x) = x * 3 + sum([x, x])
end
END
    cat >use.jl <<'END'
using Checked
println(Checked.kept(1), Checked.gone(2))
touch("was run")
END
    julia -e 'using Checked'
    snoopi record -o data "$SNOOPI_JULIA" --startup-file=no use.jl
}

@test "--check: which directives hold, which fail and why, and what they save" {
    make_checked
    run -0 json '.check | .count, .held, .failed, .with_frames < .without_frames' \
        snoopi precompile -o out --module=Checked --check --yes --format=json data
    assert_output $'2\n2\n[]\ntrue'
    run -0 snoopi precompile -o out --module=Checked --check --yes --julia="$SNOOPI_JULIA" data
    assert_line --regexp '^checked: 2 of 2 directives hold; the program then infers for .* is saved$'
    # The package is changed after it was recorded.
    sed -i 's/^gone/renamed/' packages/Checked/src/Checked.jl
    sed -i 's/gone/renamed/' use.jl
    run -0 json '.check | .held, .failed[]' snoopi precompile -o out --module=Checked --check --yes --format=json data
    assert_line --index 0 1
    assert_line --index 1 --partial '"directive":"Base.precompile(Tuple{typeof(gone),Int64})"'
    assert_line --index 1 --regexp 'gone`? not defined'
    # It is not there any more.
    mv packages elsewhere
    printf 'println(1)\n' >use.jl
    run -0 snoopi precompile -o out --module=Checked --check --yes data
    assert_line --partial "in Checked: Checked can't be loaded: "
    assert_line --partial 'checked: 0 of 2 directives hold'
    # The program does not get that far.
    run -1 snoopi precompile -o out --check --yes --julia=/bin/false data
    assert_line --partial 'did not come to the end of the check'
    run -0 bash -c 'find "${TMPDIR:-/tmp}" -maxdepth 1 -name "snoopi-check-*" -newer data -user "$(id -u)" | wc -l'
    assert_output 0
}

@test "--check runs nothing that a recording from elsewhere names, unless it is trusted" {
    make_checked
    rm 'was run'
    if [ "$(wc -c </etc/machine-id)" -ge 32 ]; then
        run -0 snoopi precompile -o out --check data
        assert_file_exist 'was run'
    else # a machine that can't be told from others
        run -1 snoopi precompile -o out --check data
        assert_file_not_exist 'was run'
    fi
    "$SNOOPI_TEST_BIN_DIR/make_stranger" 0 segment
    run -1 snoopi precompile -o elsewhere --check segment
    assert_output --partial 'does not show that it was made here by you'
    assert_file_not_exist elsewhere
}
