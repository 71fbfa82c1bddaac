#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a recording leaves may be read by its owner alone, and nobody who shares a folder can have it write elsewhere.
load reliability_helper
setup() { in_own_folder; umask 000; }

@test "folders, segments and traces are their owner's, whatever the umask" {
    # shellcheck disable=SC2016
    run -0 snoopi record -o x sh -c "$(pretend 'f.')"'; stat -c %a x.parts >mode'
    assert_equal "$(cat mode)" 700
    assert_equal "$(stat -c %a x)" 600
    snoopi record -o x sh -c "$(pretend 'f.')" 2>/dev/null
    assert_equal "$(stat -c %a x.old)" 600
    snoopi env --dir d >/dev/null
    assert_equal "$(stat -c %a d)" 700
    snoopi merge -o merged x x.old 2>/dev/null
    assert_equal "$(stat -c %a merged)" 600
}

@test "a link that lies in the way is replaced, not followed" {
    echo mine >precious
    ln -s precious x
    ln -s precious x.old
    run -0 snoopi record -o x sh -c "$(pretend 'f.')"
    assert_equal "$(cat precious)" mine
    [ ! -L x ]
    # A folder of segments that is a link to another's.
    mkdir others
    ln -s "$PWD/others" y.parts
    run snoopi record -o y sh -c "$(pretend 'f.')"
    assert_equal "$(ls others)" ''
    assert_equal "$(cat precious)" mine
}

@test "temporary files are made anew, never opened" {
    command -v strace >/dev/null || return 0 # not everywhere; what it shows is also read from the sources below
    "$SNOOPI_TEST_BIN_DIR/make_segments" x.parts 'f(g).'
    strace -f -e trace=openat,open -o log "$SNOOPI_BIN_DIR/snoopi" pack x.parts 2>/dev/null
    run ! grep -E 'O_CREAT' <(grep -v -E 'O_EXCL|O_TMPFILE' log)
}

@test "no source creates a file without O_EXCL, but where its user named it" {
    cd "$SNOOPI_SOURCE_DIR"
    run grep -rnE 'O_CREAT' agent lib cli --include='*.c'
    local line
    for line in "${lines[@]}"; do
        [[ $line == *O_EXCL* ]]
    done
    # The agent neither follows a link.
    run -0 grep -nE 'O_CREAT \| O_EXCL \| O_CLOEXEC \| O_NOFOLLOW' agent/record/segment_writer.c
    run ! grep -rnwE 'tmpnam|mktemp|tempnam' agent lib cli --include='*.c'
}
