#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the agent writes of real programs, read by both readers: each segment, and the trace of all.

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset LD_PRELOAD SNOOPI_RECORD SNOOPI_AGENT_PATH JULIA_NUM_THREADS
    export JULIA_DEPOT_PATH=$BATS_TEST_TMPDIR/depot
    [ -x "$SNOOPI_JULIA" ] || { echo "no julia at $SNOOPI_JULIA" && return 1; }
}

compare() {
    python3 -B "$SNOOPI_SOURCE_DIR/tests/decoder/compare_readers.py" "$SNOOPI_TEST_BIN_DIR/trace_tool" "$@"
}

# recorded COMMAND…: runs it so that its segments stay, and compares; fails if they hold no frame.
recorded() {
    (
        eval "$("$SNOOPI_BIN_DIR/snoopi" env --dir parts)"
        exec "$@"
    ) || true
    compare parts/*.seg
    "$SNOOPI_TEST_BIN_DIR/trace_tool" pack parts all.snoopi
    run compare all.snoopi
    [ "$status" -eq 0 ] || { echo "$output" && return 1; }
    [[ $output =~ ^all.snoopi:\ [1-9][0-9]*\ frames$ ]]
}

@test "arguments, collections, lines and tasks of a program" {
    recorded "$SNOOPI_JULIA" -e '
        f(x) = sum(x .* 2); f(rand(3)); GC.gc()
        @generated g(x) = :(x + 1); g(1); g(1.0)
        @sync for i in 1:3; @async string(i, [1, 2.0]); end
        h(::Val{n}) where n = n == 0 ? 0 : h(Val(n - 1)); h(Val(30))'
}

@test "threads" {
    JULIA_NUM_THREADS=2 recorded "$SNOOPI_JULIA" -e '
        using Base.Threads
        @threads for i in 1:8; Base.invokelatest(map, eval(:(x -> x + $i)), [1, 2]); end'
}

@test "a worker, which is a process of its own" {
    recorded "$SNOOPI_JULIA" -e 'using Distributed; addprocs(1); remotecall_fetch(x -> map(sin, x), 2, rand(3))'
    [ "$(find parts -name '*.seg' | wc -l)" -ge 2 ] # and one more where Distributed is precompiled first
}

@test "a program that is killed inside inference" {
    # Once it is about to begin one that has no end.
    # shellcheck disable=SC2016 # of the shell that is recorded
    recorded sh -c '"$0" -e "$1" & while [ ! -e ready ] && kill -0 $!; do sleep 0.05; done; sleep 1; kill -KILL $!; wait' "$SNOOPI_JULIA" \
        'e(x) = x + 1; e(1); touch("ready"); h(::Val{n}) where n = h(Val(n + 1)); h(Val(1))'
}
