#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

segments() { "$SNOOPI_TEST_BIN_DIR/make_segments" "$@"; }

@test "pack names the trace by its folder" {
    segments x.parts 'f(g)' 'h'
    run -0 snoopi pack x.parts
    assert_line --index 0 --partial 'snoopi: 2 julia processes, 3 frames'
    assert_file_exist x
    assert_file_exist x.parts/0.seg
    segments y 'f'
    run -0 snoopi pack y
    assert_file_exist snoopi.data
    run -0 snoopi pack y/ -o z
    assert_file_exist z
}

@test "recover takes the folder, or the file that it was for" {
    segments x.snoopi.parts 'f'
    run -0 snoopi recover x.snoopi
    assert_file_exist x.snoopi
    rm x.snoopi
    run -0 snoopi recover x.snoopi.parts/
    assert_file_exist x.snoopi
    run -0 snoopi recover x.snoopi.parts -o y
    assert_file_exist y
    run -0 json '.totals.frames' snoopi list --format=json y
    assert_output 1
}

@test "what was there becomes .old" {
    segments x.parts 'f'
    echo old >x
    run -0 snoopi recover x
    assert_equal "$(cat x.old)" old
}

@test "nothing to recover is an error" {
    run -1 snoopi recover
    assert_output "snoopi: there is no folder snoopi.data.parts: nothing was left of a recording into snoopi.data"
    mkdir x.parts
    run -1 snoopi recover x
    assert_equal "${#lines[@]}" 1
    run -1 snoopi pack nothing
    assert_output "snoopi: nothing: not a folder of segments"
    segments y.parts 'f'
    run -1 snoopi pack y.parts -o /nonexistent/z
    assert_output --partial '/nonexistent/z'
}

@test "a part that is damaged is told, and the others are saved" {
    segments x.parts 'f(g)' 'h'
    echo nonsense >x.parts/2.seg
    run -0 snoopi pack x.parts
    assert_line --partial '2 julia processes, 3 frames'
    assert_line "snoopi: 1 segment could not be read (x.parts/2.seg: not a segment, or not readable)"
    refute_line --partial 'can be removed'
    run -0 json '.lacks' snoopi info --format=json x
    assert_output --partial 'x.parts/2.seg'
}
