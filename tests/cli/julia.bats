#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The whole thread with a real julia, on the programs in tests/cases.
load helper
setup() {
    need_julia
    in_own_folder
    cases=$SNOOPI_SOURCE_DIR/tests/cases
    PATH=$(dirname "$SNOOPI_JULIA"):$PATH
    export JULIA_NUM_THREADS=4
}

julia() { "$SNOOPI_JULIA" --startup-file=no "$@"; }
record() { snoopi record "$@"; }

# Nothing is missing, and the sums are what the design says.
assert_whole() {
    run -0 json '.complete, .lacks' snoopi info --format=json "$1"
    assert_output $'true\n[]'
    run -0 json '.totals.frames > 0, ([.rows[].self_ns] | add) == .totals.inference_ns, ([.rows[].count] | add) == .totals.frames,
        .totals.busy_ns <= .totals.wall_ns' snoopi list --format=json "$1"
    assert_output $'true\ntrue\ntrue\ntrue'
}

@test "each case is recorded whole, and prints what it prints without" {
    for case in "$cases"/*.jl; do
        name=$(basename "$case" .jl)
        julia "$case" >plain 2>/dev/null || true
        snoopi record -o "$name" "$SNOOPI_JULIA" --startup-file=no "$case" >recorded 2>log
        # Cases may print times or addresses: those are compared by tests/truth.
        [ -s plain ] && [ -s recorded ] || [ ! -s plain ]
        assert_whole "$name"
        snoopi report "$name" >/dev/null
        snoopi tree --depth=3 "$name" >/dev/null
        snoopi export --to=jsonl -o - "$name" | jq -s -e 'length > 0' >/dev/null
    done
}

@test "endings: the status is the command's, and frames that ended are there" {
    while read -r case status complete; do
        run "-$status" --separate-stderr snoopi record -o "$case" sh "$cases/11_endings.sh" "$case"
        run -0 json '[.processes[0].complete, .processes[0].frames > 10]' snoopi info --format=json "$case"
        assert_output "[$complete,true]"
    done <<'END'
normal 0 true
exit3 3 true
throw 1 true
c_exit 5 true
c__exit 6 true
abort 134 false
kill 137 false
END
}

@test "inference that is off is told" {
    run -0 snoopi record -o x sh "$cases/11_endings.sh" noinfer
    assert_line --partial 'inference was off: julia ran with --compile=min'
    run -0 snoopi report x
    assert_line --index 1 --partial 'inference was off'
}

@test "processes of three kinds are in one trace, and --no-children records the first alone" {
    mkdir depot
    export JULIA_DEPOT_PATH=$PWD/depot JULIA_LOAD_PATH="@stdlib:$cases/10_processes/depot_src"
    snoopi record -o x "$SNOOPI_JULIA" --startup-file=no "$cases/10_processes/main.jl" >/dev/null
    run -0 jq -r '.processes[].role | sub(":[0-9]+$"; "")' <(snoopi info --format=json x)
    assert_equal "$(sort <<<"$output")" "$(printf '%s\n' main "$(precompiled depot)" worker worker)"
    precompiled depot | grep -qx precompile:PkA
    assert_whole x
    snoopi record --no-children -o y "$SNOOPI_JULIA" --startup-file=no "$cases/10_processes/main.jl" >/dev/null
    run -0 json '[.processes[].role]' snoopi info --format=json y
    assert_output '["main"]'
}

@test "env and pack do without a prefix" {
    eval "$(snoopi env --dir d)"
    julia -e 'f(x) = x + 1; f(1)'
    unset LD_PRELOAD SNOOPI_RECORD
    snoopi pack d -o x
    assert_whole x
}

@test "a recording whose snoopi was killed is recovered" {
    "$SNOOPI_BIN_DIR/snoopi" record -o x "$SNOOPI_JULIA" --startup-file=no -e 'f(x) = x + 1; f(1); touch("ready"); sleep(60)' 3>&- &
    pid=$!
    for ((i = 0; i < 400; i++)); do [ -e ready ] && break; sleep 0.05; done
    child=$(pgrep -P $pid)
    kill -KILL $pid
    wait $pid || true
    run -0 snoopi list x.parts
    kill -KILL "$child"
    run -0 snoopi recover x
    run -0 json '.totals.frames > 0, .rows[].name' snoopi list --module=Main --format=json x
    assert_line true
    assert_line '"f(::Int64)"'
}

@test "a process that outlives its command is told and packed" {
    run -0 snoopi record -o x sh -c "'$SNOOPI_JULIA' --startup-file=no -e 'f(x) = x + 1; f(1); touch(\"ready\"); sleep(8)' >/dev/null 2>&1 3>&- &
        for i in \$(seq 200); do [ -e ready ] && break; sleep 0.05; done"
    assert_line --partial 'waiting for julia, which the command left running: 1 process'
    assert_line --partial 'packing what is recorded so far'
    run -0 json '.processes[0] | [.complete, .frames > 0]' snoopi info --format=json x
    assert_output '[false,true]'
}
