#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "sums of the whole are the sums of the parts" {
    sample a '@3;f(g(h)g)!ready;w.' 'f'
    sample b 'f(g)|f f'
    run -0 snoopi merge -o all a b
    assert_line --index 0 --regexp '^snoopi: 3 julia processes, 10 frames, .* in all$'
    run -0 json '.totals.frames, .totals.inference_ns, [.rows[] | [.name, .count]]' snoopi list --by=method --sort=name --format=json all
    assert_line --index 2 '[["a;b \"c\"",1],["f",5],["g",3],["h",1]]'
    assert_line --index 0 10
    run -0 json '.scope.frames' snoopi list --format=json --process=2 all
    assert_output 4
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --mark=ready --process=0 all
    assert_output '["a;b \"c\""]'
    run -0 snoopi report all
    run -0 snoopi tree all
}

@test "one recording merged is the same recording" {
    sample a 't f(g(f(h)F)h*) !x;F |g(g)h@7;w' 'f(f(f))w.'
    snoopi merge -o b a
    diff <(snoopi export --to=jsonl -o - a) <(snoopi export --to=jsonl -o - b)
    diff <(snoopi info --format=json a | jq 'del(.file, .recorded)' ) <(snoopi info --format=json b | jq 'del(.file, .recorded)')
}

@test "a thousand small recordings" {
    sample a 'f(g(h)g)f(g)w'
    mkdir many
    for i in {1..1000}; do ln a many/$i; done
    run -0 snoopi merge -o all many/*
    assert_output --partial '1000 julia processes, 7,000 frames'
    run -0 json '.totals.frames, .rows[0].count' snoopi list --by=method --format=json all
    assert_output $'7000\n2000'
    run -0 snoopi report all
    assert_line --partial '7,000 frames'
}

@test "what many recordings lack does not fill the screen" {
    sample a 'f(g'
    mkdir many
    for i in {1..20}; do ln a many/$i; done
    run -0 snoopi merge -o all many/*
    assert_equal "$(grep -c 'cut: it was killed' <<<"$output")" 8
    assert_line 'snoopi: … and 12 more; snoopi info tells them all'
    run -0 snoopi report all
    assert_line '! … and 12 more; snoopi info tells them all'
    run -0 snoopi info all
    assert_equal "$(grep -c 'cut: it was killed' <<<"$output")" 20
}

@test "what is wrong is told, and nothing written" {
    sample a 'f'
    run -2 snoopi merge a
    assert_output --partial '-o is needed'
    run -2 snoopi merge -o all
    run -1 snoopi merge -o all a nothing
    assert_output 'snoopi: nothing: No such file or directory'
    echo text >text
    run -1 snoopi merge -o all a text
    assert_output 'snoopi: text: not a snoopi trace'
    assert_file_not_exist all
}
