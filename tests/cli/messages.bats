#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is said about bad input: one line, what and where, and what to do.
load helper
setup() { in_own_folder; }

readers=(list tree report info)

@test "no such file" {
    for command in "${readers[@]}"; do
        run -1 snoopi "$command" nothing
        assert_output "snoopi: nothing: no such file; snoopi record COMMAND makes one"
    done
    mkdir snoopi.data.parts
    run -1 snoopi list
    assert_output --partial "snoopi recover snoopi.data.parts"
    assert_equal "${#lines[@]}" 1
}

@test "files that are no trace" {
    : >empty
    echo "hello, this is text" >text
    head -c 5000 /dev/urandom >noise
    mkdir folder
    for file in empty text noise folder /dev/null; do
        for command in "${readers[@]}"; do
            run -1 snoopi "$command" "$file"
            assert_equal "${#lines[@]}" 1
            assert_output --regexp "^snoopi: .*${file##*/}"
        done
    done
}

@test "a newer format" {
    sample a 'f'
    printf '\x09' | dd of=a bs=1 seek=8 conv=notrunc status=none
    run -1 snoopi list a
    assert_equal "${#lines[@]}" 1
    assert_output --regexp "version|newer"
}

@test "every cut of a trace gives an answer or an error, never a crash" {
    sample a 'f(g(h)g)f(g)w' 't(f)'
    size=$(stat -c %s a)
    for ((n = 0; n < size; n += 7)); do
        head -c "$n" a >cut
        run snoopi list --format=json cut
        [ "$status" -le 1 ]
    done
}

@test "control characters of a name do not reach the terminal" {
    run -1 snoopi list $'bad\e[31mname'
    refute_output --partial $'\e'
    run -2 snoopi list --by=$'\e[31m' a
    refute_output --partial $'\e'
}

@test "a file that may not be read" {
    # Root may read all, unless it gave that up.
    local -a without=()
    [ "$(id -u)" != 0 ] || without=(setpriv --bounding-set=-dac_override,-dac_read_search)
    sample a 'f'
    chmod 0 a
    run -1 "${without[@]}" "$SNOOPI_BIN_DIR/snoopi" list a
    assert_output --partial "Permission denied"
}
