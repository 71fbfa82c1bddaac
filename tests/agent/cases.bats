#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The programs of tests/cases: what is recorded is what the head comment of each says.
# shellcheck disable=SC2016,SC2154 # jq's variables; main is the helper's
load agent_helper

setup_file() {
    need_julia
    in_file_folder
    local case
    for case in 01_dispatch 02_val_recursion 03_generated 04_keywords 05_names 06_nested_types 08_eval_loop 09_tooling 12_cycles; do
        record "${case%%_*}" "$SNOOPI_SOURCE_DIR/tests/cases/$case.jl"
    done
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

@test "01: runtime dispatch makes separate roots, in order" {
    assert_whole 01
    run -0 frames 01 "$main"
    local vector
    vector=$(shown 'Vector{Any}')
    assert_output '["g(::Int64)",null,""]
["h(::'"$vector"')","g(::Int64)",""]
["i(::Integer)","h(::'"$vector"')",""]
["i(::Int64)",null,""]
["g(::Bool)",null,""]
["i(::Bool)",null,""]'
    run -0 frames 01 '[.[] | select(.module == "Main") | .depth, .line]'
    assert_output '[0,10,1,9,2,8,0,8,0,10,0,8]'
}

@test "02: inference that enters inference is one root, and costs what the root does" {
    assert_whole 02
    run -0 frames 02 '[.[] | select(.module == "Main" and .parent == null) | .name]'
    assert_output '["vf(::Val{200})"]'
    # From 1.6 on inference goes on instead of being entered anew.
    local nested=185
    ! since 1.6 || nested=0
    run -0 frames 02 '(.[] | select(.name == "vf(::Val{200})")) as $root
        | [.[] | select(.begin_ns >= $root.begin_ns and .end_ns <= $root.end_ns and (.flags | index("nested")))]
        | length, (map(select(.parent == null)) | length)'
    assert_output "$nested"$'\n0'
    run -0 frames 02 '[.[] | select(.name | startswith("vf("))] | length, map(.name), map(.below) | if type == "array" then unique | length else . end'
    assert_output $'201\n201\n201'
    # Each below the one before, 201 deep.
    run -0 frames 02 '[.[] | select(.name | startswith("vf("))] | map(.depth) == [range(201)]'
    assert_output true
    run -0 frames 02 '(.[] | select(.name == "vf(::Val{200})")) as $root
        | ([.[] | select(.begin_ns >= $root.begin_ns and .end_ns <= $root.end_ns) | .self_ns] | add) == $root.total_ns'
    assert_output true
}

@test "03: a generator is a frame of its own, flagged; what it throws aborts nothing" {
    assert_whole 03
    run -0 cat 03.out
    assert_output $'6\ncaught ErrorException\n6'
    run -0 frames 03 '[.[] | select(.module == "Main")] | map([(.name | sub("#s[0-9]+#[0-9]+"; "GENERATOR") | sub("var\"GENERATOR\""; "GENERATOR")), .parent, (.flags | join(" "))]) | .[]'
    assert_output '["GENERATOR(::Any, ::Any, ::Any)",null,"generator"]
["gg(::'"$(shown 'NTuple{3,Int}')"')",null,""]
["GENERATOR(::Any, ::Any)",null,"generator"]
["after(::Int64)",null,""]'
    # Just before its function: no root between.
    run -0 frames 03 'map(select(.parent == null)) | map(.name | test("^gg\\(")) | index(true) as $gg | $gg' # its place among roots
    local place=$output
    run -0 frames 03 "map(select(.parent == null))[$place - 1].flags"
    assert_output '["generator"]'
}

@test "04: keyword calls are several instances, and one function" {
    assert_whole 04
    run -0 frames 04 '[.[] | select(.module == "Main" and (.name | test("^([(]::var\"#kw##kw\"[)]|(Core[.])?kwcall)[(]"))) | .instance] | unique | length'
    assert_output 3
    run -0 frames 04 '[.[] | select(.module == "Main" and (.name | test("^(var\")?#kw#[0-9]+\"?[(]"))) | .instance] | unique | length > 1'
    assert_output true
    run -0 json '[.rows[] | [.name, .count]]' snoopi list --by=function --module=Main --format=json 04
    assert_output "[[\"kw\",$(frames 04 'map(select(.module == "Main")) | length')]]"
}

@test "05: odd names survive in every output" {
    local odd='fo"o;x y<z>'
    ! since 1.6 || odd='var"fo\"o;x y<z>"'
    # Which numbers the two closures have is Julia's own word, since some versions make another before them.
    local closures
    (cat "$SNOOPI_SOURCE_DIR/tests/cases/05_names.jl" && echo 'foreach(println, names(Main, all = true))') >told.jl
    julia told.jl | grep -E '^#[0-9]+#[0-9]+$' | sort -V | tail -n 2 >closures
    mapfile -t closures <closures
    local names=('⊕(::Int64, ::Int64)' "$odd(::Int64)" 'Functor{Float64}(::Int64)' '(::Functor{Float64})(::Int64)'
        "(::var\"${closures[0]}\")(::Int64)" "(::var\"${closures[1]}\")(::Float64)" "(::var\"${closures[1]}\")(::Int64)")
    assert_whole 05
    snoopi list --by=instance --limit=0 --module=Main 05 >table
    snoopi list --by=instance --limit=0 --module=Main --format=csv 05 >csv
    snoopi export --to=json -o json 05
    snoopi export --to=csv -o frames.csv 05
    snoopi export --to=folded -o folded 05
    local name
    for name in "${names[@]}"; do
        grep -qF "$name" table
        grep -qF "${name//\"/\"\"}" csv
        grep -qF "${name//\"/\"\"}" frames.csv
        jq -e --arg name "$name" 'any(.rows[]; .name == $name and .module == "Main")' json >/dev/null
        jq -s -e --arg name "$name" 'any(.[]; .name == $name and .module == "Main")' 05.jsonl >/dev/null
        # A semicolon separates frames there: U+037E looks the same.
        grep -qF "${name//;/$'\xcd\xbe'}" folded
    done
    run ! grep -iE '<unknown|unknown>' table csv json folded 05.jsonl
}

@test "06: a name that doubles with each level costs no more than its parts" {
    assert_whole 06
    # The whole name where it is asked for.
    local size
    size=$(julia -e 'include(ARGS[1]); print(length(replace(sprint(show, Tuple{Type{nest(8)}}; context = :module => Module()), "Main." => "")) + length("take(::)") - length("Tuple{}"))' \
        "$SNOOPI_SOURCE_DIR/tests/cases/06_nested_types.jl")
    ((size > 3000))
    run -0 json '[.rows[].name | length] | max' snoopi list --by=instance --module=Main --format=json 06
    assert_output "$size"
    run -0 frames 06 '[.[] | select(.module == "Main" and (.name | startswith("take("))) | .name | length]'
    assert_output "[$size]"
    # A shortened one where there is a width.
    script -qec "stty cols 140; '$SNOOPI_BIN_DIR/snoopi' list --color=never --by=instance --module=Main 06" /dev/null >table </dev/null
    (($(tr -d '\r' <table | wc -L) <= 140))
    grep -qF 'take(::Type{' table
    # The trace holds each part once: against two levels of nesting, less than a kilobyte more.
    sed 's/nest(8)/nest(2)/' "$SNOOPI_SOURCE_DIR/tests/cases/06_nested_types.jl" >small.jl
    record small small.jl
    (($(stat -c %s 06) - $(stat -c %s small) < 1000))
}

@test "08: methods of one place are told apart by world, and what is inferred again is flagged" {
    assert_whole 08
    run -0 frames 08 "$main"
    assert_output '["loopf(::Int64)",null,""]
["loopf(::Int64)",null,""]
["loopf(::Int64)",null,""]
["loopf(::Int64)",null,""]
["loopf(::Int64)",null,""]
["outer(::Int64)",null,""]
["inner(::Int64)","outer(::Int64)",""]
["outer(::Int64)",null,"repeated invalidated"]
["inner(::Int64)","outer(::Int64)",""]'
    run -0 frames 08 '[.[] | select(.name == "loopf(::Int64)")] | map(.method_world) as $w | ($w | unique | length), ($w == ($w | sort)), (map([.file, .line]) | unique | length)'
    assert_output $'5\ntrue\n1'
    run -0 frames 08 '[.[] | select(.name == "inner(::Int64)") | .line]'
    assert_output '[7,10]'
    # One key: they merge.
    run -0 json '[.rows[] | [.name, .line, .count]] | sort' snoopi list --by=instance --module=Main --format=json 08
    assert_output '[["inner(::Int64)",7,1],["inner(::Int64)",10,1],["loopf(::Int64)",4,5],["outer(::Int64)",8,2]]'
}

@test "09: what tools ask for is recorded, and flagged" {
    assert_whole 09
    run -0 frames 09 "$main"
    assert_output '["pf2(::Float32)",null,"tooling"]
["pf(::Float32)","pf2(::Float32)","tooling"]
["pf2(::Int8)",null,"tooling"]
["pf(::Int8)","pf2(::Int8)","tooling"]
["pf2(::Float64)",null,""]
["pf(::Float64)","pf2(::Float64)",""]
["pf2(::Int16)",null,""]
["pf(::Int16)","pf2(::Int16)",""]'
}

@test "12: of functions that call each other the first is on top, and the others are flagged" {
    assert_whole 12
    run -0 frames 12 "$main"
    assert_output '["above(::Float64, ::Int64)",null,""]
["even(::Int64)","above(::Float64, ::Int64)",""]
["odd(::Int64)","even(::Int64)","cycle"]
["first_of(::Float64, ::Int64)","above(::Float64, ::Int64)",""]
["second_of(::Float64, ::Int64)","first_of(::Float64, ::Int64)","cycle"]
["third_of(::Float64, ::Int64)","second_of(::Float64, ::Int64)","cycle"]
["leaf(::Float64)","third_of(::Float64, ::Int64)",""]
["outer(::Int64)",null,""]
["back(::Int64)","outer(::Int64)","cycle"]
["inner(::Int64)","back(::Int64)","cycle"]
["innermost(::Int64)","inner(::Int64)","cycle"]'
    # What the first one finishes of the others is not counted twice.
    run -0 jq -s -c '(group_by(.parent) | map({key: (.[0].parent | tostring), value: (map(.total_ns) | add)}) | from_entries) as $below
        | all(.total_ns == .self_ns + ($below[.id | tostring] // 0))' 12.jsonl
    assert_output true
}
