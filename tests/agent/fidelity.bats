#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A recorded program does what it does without: it prints the same, ends the same, and has made the same definitions.
# shellcheck disable=SC2016 # jq's variables
load agent_helper

setup_file() {
    need_julia
    in_file_folder
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8 JULIA_NUM_THREADS=1
}

# The frames without what is another each time: times, and addresses that are constants.
frames_of() {
    jq -c 'del(.begin_ns, .end_ns, .total_ns, .self_ns, .gc_ns)' "$1.jsonl" | sed 's/\(@\|Ptr{[^"]*}(\)0x[0-9a-f]*/\1/g'
}

# same FILE: FILE as a program, without and with. It ends with its world counter, and a status that is no other's.
same() {
    local name
    name=$(basename "$1" .jl)
    local program="include(\"$1\"); println(\"world \", Base.get_world_counter()); exit(17)"
    local status=0
    julia -e "$program" >"$name.plain" 2>"$name.err" 3>&- &
    local plain=$!
    record "$name" -e "$program" || status=$?
    [ "$status" = 17 ]
    status=0
    wait $plain || status=$?
    [ "$status" = 17 ]
    grep -q '^world [0-9]' "$name.plain"
    diff "$name.plain" "$name.out"
    assert_whole "$name"
}

# again FILE: recorded once more, it has the same frames.
again() {
    local name
    name=$(basename "$1" .jl)
    mkdir -p again
    record "again/$name" -e "include(\"$1\"); println(\"world \", Base.get_world_counter()); exit(17)" || true
    frames_of "$name" >first
    frames_of "again/$name" >second
    [ -s first ]
    cmp first second
}

@test "the cases are the same with and without" {
    local case
    for case in 01_dispatch 02_val_recursion 03_generated 04_keywords 05_names 06_nested_types 08_eval_loop 09_tooling; do
        same "$SNOOPI_SOURCE_DIR/tests/cases/$case.jl"
    done
}

@test "two recordings have the same frames" {
    again "$SNOOPI_SOURCE_DIR/tests/cases/03_generated.jl"
    again "$SNOOPI_SOURCE_DIR/tests/cases/08_eval_loop.jl"
}

@test "a first session is the same with and without, and has the same frames each time" {
    same "$SNOOPI_SOURCE_DIR/examples/first_use.jl"
    again "$SNOOPI_SOURCE_DIR/examples/first_use.jl"
    run -0 frames first_use 'length > 5000'
    assert_output true
}

@test "with several threads it is the same, and each thread's frames nest" {
    export JULIA_NUM_THREADS=4
    same "$SNOOPI_SOURCE_DIR/tests/cases/07_threads.jl"
    # Bodies of tasks are roots, and no frame lies across the end of the one it is below.
    run -0 frames 07_threads '[.[] | select(.module == "Main" and (.name | test("^work\\("))) | .below] | length >= 4, all(. == null or (test("^work\\(") | not))'
    assert_output $'true\ntrue'
    run -0 jq -s -c '(map({key: (.id | tostring), value: .}) | from_entries) as $by
        | map(select(.parent != null)) | all($by[.parent | tostring] as $p | $p.begin_ns <= .begin_ns and .end_ns <= $p.end_ns
            and $p.thread == .thread and $p.depth + 1 == .depth)' 07_threads.jsonl
    assert_output true
}

@test "what is written to stderr is the same" {
    local program='println(stderr, "a line"); @warn "careful"; f(x) = error("not ", x); f(2)'
    run -1 julia -e "$program"
    printf '%s\n' "${lines[@]}" >plain
    run -1 timeout 60 "$SNOOPI_BIN_DIR/snoopi" record -o err "$SNOOPI_JULIA" --startup-file=no -e "$program"
    printf '%s\n' "${lines[@]}" | grep -v '^snoopi: ' >with
    diff plain with
}

@test "no page is both writable and executable that is not without" {
    local program='f(x) = sum(abs2, x); f([1.0, 2.0]); for line in eachline("/proc/self/maps")
        occursin(r" rwx", line) && println("rwx")
        occursin(r" .w.. .*libsnoopi-agent", line) && occursin(r" ..x. ", line) && println(line)
    end; println("read")'
    julia -e "$program" >plain
    record maps -e "$program"
    diff plain maps.out
    run -0 tail -n 1 plain
    assert_output read
    assert_whole maps
}
