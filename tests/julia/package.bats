#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The Julia package, in sessions of its own: its tests, and what needs a fresh process.
load ../agent/agent_helper

setup_file() {
    need_julia
    in_file_folder
    export JULIA_DEPOT_PATH=$BATS_FILE_TMPDIR/depot JULIA_LOAD_PATH=$SNOOPI_SOURCE_DIR/julia:@stdlib
    export SNOOPI_LIBDIR=$SNOOPI_LIB_DIR
    julia -e 'using Snoopi' # precompiles
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

@test "its own tests" {
    JULIA_LOAD_PATH=$SNOOPI_SOURCE_DIR/julia:@stdlib run -0 timeout 600 "$SNOOPI_JULIA" --startup-file=no "$SNOOPI_SOURCE_DIR/julia/test/runtests.jl"
}

@test "windows of a process that is recorded anyway" {
    record windows "$SNOOPI_SOURCE_DIR/julia/test/runtests.jl" windows
    # All is in that recording too, but for what Snoopi did for itself.
    run -0 frames windows '[.[] | select(.name | test("^W\\.throws\\(|^throws\\("))] | length'
    assert_output 1
    run -0 frames windows '[.[] | select(.name | startswith("tree_of("))] | length'
    assert_output 0
}

@test "structs are laid out as the C compiler lays them out" {
    run -0 julia "$SNOOPI_SOURCE_DIR/julia/test/layouts.jl" layouts.c
    cc -std=c17 -I "$SNOOPI_SOURCE_DIR/include" -o layouts layouts.c
    run -0 ./layouts
    assert_output --partial 'fields agree'
}

@test "loading it infers nothing of its own, and changes nothing of Base" {
    record loading -e 'using Snoopi'
    run -0 frames loading 'map(select(.package == "Snoopi" or (.name | test("Snoopi")))) | length'
    assert_output 0
    run -0 julia "$SNOOPI_SOURCE_DIR/julia/test/loading.jl"
    assert_output 'unchanged'
}

@test "the same frames as snoopi record has" {
    local program="$SNOOPI_SOURCE_DIR/julia/test/same_frames.jl"
    # A session without, one that is recorded, and the recording of the latter from the block's mark on, which begins with it.
    julia "$program" >plain
    record recorded "$program"
    diff plain recorded.out
    assert [ "$(wc -l <plain)" -gt 100 ]
    snoopi export --to=jsonl --mark='@snoopi_deep 1' -o marked.jsonl recorded
    jq -r '"\(.depth) \(.name)"' marked.jsonl | head -n "$(wc -l <plain)" >marked
    diff plain marked
}

@test "a file goes both ways" {
    julia -e 'using Snoopi; f(x) = [x][1]; Snoopi.save("t.snoopi", @snoopi_deep f(1.5))'
    run -0 json '.rows[] | select(.name == "f(::Float64)") | .count' snoopi list --by=instance --limit=0 --format=json t.snoopi
    assert_output 1
    record program -e 'g(x) = x; g(2.5)'
    run -0 julia -e 'using Snoopi; println(count(n -> n.name == "g(::Float64)", flatten(Snoopi.load("program"))))'
    assert_output 1
}

@test "libraries that are not there are said to be so" {
    SNOOPI_LIBDIR=$BATS_TEST_TMPDIR run -1 julia -e 'using Snoopi; @snoopi_deep 1'
    assert_output --partial "libsnoopi.so.0 was not found in $BATS_TEST_TMPDIR"
    assert_output --partial SNOOPI_LIBDIR
}

@test "what kept it from starting can be mended" {
    run -0 julia -e 'using Snoopi; f(x) = x; GC.enable(false)
        try; @snoopi_deep 1; catch err; println(err.msg); end
        GC.enable(true)
        println(length((@snoopi_deep f(1)).children))'
    assert_output "Snoopi: the hook on the compiler can't be set while garbage collection is off
1"
}

@test "a session leaves no files" {
    mkdir tmp
    TMPDIR=$PWD/tmp julia -e 'using Snoopi; f(x) = x; @snoopi_deep f(1); println(length(readdir(tempdir())))' >seen
    run -0 cat seen
    assert_output 1
    run -0 ls tmp
    assert_output ''
}

@test "the tutorial's program waits for what the tutorial says" {
    # shellcheck disable=SC2016 # Julia's
    local program='using Snoopi; include(ARGS[1]); m = getfield(Main, Symbol(ARGS[2]))
        readings = [m.Reading(s, v) for (s, v) in input()]
        tinf = @snoopi_deep m.report(readings)
        println(length(tinf), " ", count(t -> t.line == 13, inference_triggers(tinf)))'
    run -0 julia -e "$program" "$SNOOPI_SOURCE_DIR/examples/tutorial.jl" Slow
    # The tutorial shows 1.5.3. Others do not find the same of Base in their image.
    local entrances=11
    if since 1.6; then
        entrances=$(julia "$SNOOPI_SOURCE_DIR/tests/julia/entrances.jl" "$SNOOPI_SOURCE_DIR/examples/tutorial.jl" Slow)
    fi
    assert_output "$entrances 9"
    run -0 julia -e "$program" "$SNOOPI_SOURCE_DIR/examples/tutorial.jl" Fast
    assert_output '1 0'
}
