#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "JSON describes each process with the agreed fields" {
    sample a 'f(g).' 'h'
    run -0 json '.schema, (.processes | length), .processes[0]' snoopi info --format=json a
    assert_line --index 0 '"snoopi.info/1"'
    assert_line --index 1 2
    for field in pid ppid role argv julia hook exit complete frames roots dropped wall_ns inference_ns busy_ns tool_ns \
        agent_start_ns segment_bytes event_bytes world_begin world_end; do
        assert_line --index 2 --partial "\"$field\":"
    done
    run -0 json '.processes[] | [.pid, .hook, .exit, .complete, .frames, .roots, .inference_ns]' snoopi info --format=json a
    assert_line --index 0 '[5000000,"native",{"status":0},true,2,1,30]'
    assert_line --index 1 '[5000001,"native",null,false,1,1,10]'
}

@test "the text says what is lacking, or that nothing is" {
    sample a 'f.'
    run -0 snoopi info a
    assert_line --regexp '^lacks: +nothing$'
    sample b 'f'
    run -0 snoopi info b
    assert_line --regexp '^lacks: +process 0 \(main, pid 5000000\): cut'
}

@test "a cut file is read as far as it goes, and said to be cut" {
    sample a 'f(g).'
    head -c $(($(stat -c %s a) - 10)) a >cut
    run -0 snoopi info cut
    assert_line --regexp '^lacks: +the file is damaged: .*at byte'
    assert_line --partial 'this is not the whole recording'
    run -0 json '[.complete, .totals.frames]' snoopi info --format=json cut
    assert_line '[false,2]'
}
