#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --hook=override: the compiler redefined in Julia tells what its patched code tells.
load agent_helper

setup_file() {
    need_julia
    in_file_folder
    local case
    for case in 01_dispatch 02_val_recursion; do
        record "native${case%%_*}" "$SNOOPI_SOURCE_DIR/tests/cases/$case.jl"
        overridden "override${case%%_*}" "$SNOOPI_SOURCE_DIR/tests/cases/$case.jl"
    done
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

# As record, with the override.
overridden() {
    local name=$1
    shift
    timeout 300 "$SNOOPI_BIN_DIR/snoopi" record --hook=override -o "$name" "$SNOOPI_JULIA" --startup-file=no "$@" >"$name.out" 2>"$name.log" 3>&-
    snoopi export --to=jsonl -o "$name.jsonl" "$name"
}

# Whether there is an override. On later versions of Julia it is refused, which is seen to be told.
has_override() {
    since 1.6 || return 0
    run -0 json '.processes[0] | .hooked, .frames, (.reason | contains("redefines the compiler of Julia 1.5 only"))' snoopi info --format=json override01
    assert_output $'null\n0\ntrue'
    return 1
}

# What the override compiled for itself is not inferred again, so frames of Base may be fewer.
of_main='[.[] | select(.module == "Main") | {name, below, depth, line, flags, args}]'

@test "frames of a program are those of the native hook, nested ones too" {
    has_override || return 0
    local case
    for case in 01 02; do
        frames "native$case" "$of_main" >native
        frames "override$case" "$of_main" >override
        [ "$(jq length native)" -ge 6 ]
        diff native override
        run -0 frames "override$case" 'map(select(.flags | index("aborted") or index("unfinished"))) | length'
        assert_output 0
        diff "native$case.out" "override$case.out"
    done
    run -0 frames override02 '[.[] | select(.flags | index("nested"))] | length'
    assert_output 185
}

@test "so are those who caused them" {
    has_override || return 0
    local rows='[.rows[] | {callee, caller, file, line, class, count}] | sort_by(.callee)'
    json "$rows" snoopi triggers --module=Main --limit=0 --format=json native01 >native
    json "$rows" snoopi triggers --module=Main --limit=0 --format=json override01 >override
    grep -q dispatch native
    diff native override
}

@test "the recording, info and report say that Julia code was run" {
    has_override || return 0
    run -0 cat override01.log
    assert_output --partial '--hook=override redefined its compiler'
    run -0 json '.processes[0].hook, .processes[0].hooked' snoopi info --format=json override01
    assert_output $'"override"\n"redefined in Julia"'
    run -0 snoopi report override01
    assert_output --partial '--hook=override redefined its compiler'
    run -0 json '.processes[0].hook' snoopi info --format=json native01
    assert_output '"native"'
    run -1 grep redefined native01.log
}

@test "a process that makes an image keeps its compiler, and says so" {
    has_override || return 0
    image=$(julia -e 'print(unsafe_string(Base.JLOptions().image_file))')
    overridden image -J "$image" --output-ji image.ji --output-incremental=yes -e 'module M end'
    run -0 json '.processes[0].reason' snoopi info --format=json image
    assert_output '"a redefined compiler would get into the image that this process makes"'
    ! [ -s image.jsonl ]
}
