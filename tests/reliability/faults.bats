#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Each call to the system that snoopi makes fails once. Nothing half-written takes a final name, what went wrong is said, the exit
# status is that of the design, and the recording can still be had.
load reliability_helper
setup() { in_own_folder; }

# A trace without what is another each time it is packed.
facts_of() {
    snoopi export --to=jsonl -o - "$1"
}

# is_old FILE: it is what was there before.
is_old() {
    echo old | cmp -s - "$1"
}

# look: what holds after any of snoopi's failures in $PWD, by $status, out and err. The trace is x; before, it was "old".
look() {
    [ "$status" -lt 126 ] # no signal
    if [ "$status" != 0 ]; then
        grep -q '^snoopi: ' err
    fi
    run ! grep -v '^snoopi: ' err
    # What is there is the old trace or the new one, whole.
    if ! is_old x; then
        is_old x.old
        if [ -e x ] && ! facts_of x | cmp -s - "$good"; then
            # Not all could be read: the trace says so, and the rest is kept.
            run -0 json '.lacks | length > 0' snoopi info --format=json x
            assert_output true
            assert_file_exist x.parts/0.seg
        fi
    fi
}

@test "pack: whatever call fails" {
    "$SNOOPI_TEST_BIN_DIR/make_segments" x.parts 'f(g(h)g)f(g)w|F.' 't(f)!m; *f.'
    snoopi pack x.parts -o good-trace
    good=$PWD/good
    facts_of good-trace >"$good"
    n=$(count_calls fail pack x.parts)
    ((n > 30)) # else this tests nothing
    local failures=0
    for ((call = 1; call <= n; call++)); do
        rm -f x x.old x.tmp-*
        echo old >x
        status=0
        failing fail "$call" pack x.parts >out 2>err || status=$?
        if [ "$status" != 0 ]; then
            ((++failures))
            [ "$status" = 1 ]
            look
        else
            look
            [ -e x ]
        fi
        assert_file_exist x.parts/0.seg
        assert_file_exist x.parts/1.seg
    done
    ((failures > 10))
    rm -f x x.old
    run -0 snoopi recover x
    facts_of x | cmp - "$good"
}

@test "pack: whatever is read or written in halves, the trace is the same" {
    "$SNOOPI_TEST_BIN_DIR/make_segments" x.parts 'f(g(h)g)f(g)w|F.' 't(f)!m; *f.'
    snoopi pack x.parts -o good-trace
    n=$(count_calls short pack x.parts)
    ((n > 10))
    for ((call = 1; call <= n; call++)); do
        failing short "$call" pack x.parts >out 2>err
        cmp x good-trace
    done
}

@test "pack: wherever memory ends" {
    "$SNOOPI_TEST_BIN_DIR/make_segments" x.parts 'f(g(h)g)f(g)w|F.' 't(f)!m; *f.'
    snoopi pack x.parts -o good-trace
    good=$PWD/good
    facts_of good-trace >"$good"
    n=$(count_calls memory pack x.parts)
    ((n > 50))
    local failures=0 step=$((n / 60 + 1))
    for ((call = 1; call <= n; call += step)); do
        rm -f x x.old x.tmp-*
        echo old >x
        status=0
        failing memory "$call" pack x.parts >out 2>err || status=$?
        [ "$status" -le 1 ]
        failures=$((failures + status))
        [ "$status" = 1 ] || [ -e x.old ]
        if [ -s err ] || [ "$status" = 0 ]; then
            look
        fi
    done
    ((failures > 10))
}

@test "record: whatever call fails, the command's status wins and nothing is lost" {
    "$SNOOPI_TEST_BIN_DIR/make_segments" good.parts 'f(g(h)g)f(g)w.'
    snoopi pack good.parts -o good-trace
    good=$PWD/good
    facts_of good-trace >"$good"
    rm -r good.parts
    # The command says that it ran, and ends with a status of its own.
    # shellcheck disable=SC2016
    printf '%s\n' 'touch ran' "$(pretend 'f(g(h)g)f(g)w.')" 'exit $1' >command.sh
    for expected in 3 0; do
        rm -rf x*
        n=$(count_calls fail record -o x sh command.sh "$expected")
        ((n > 40))
        local unsaved=0
        for ((call = 1; call <= n; call++)); do
            rm -rf x x.* ran
            echo old >x
            status=0
            failing fail "$call" record -o x sh command.sh "$expected" >out 2>err || status=$?
            if [ ! -e ran ]; then
                [ "$status" = 125 ] # it never ran, because of snoopi
                is_old x
                grep -q '^snoopi: ' err
                continue
            fi
            if [ "$status" != "$expected" ]; then
                [ "$expected" = 0 ] && [ "$status" = 125 ] # it did well, but was not saved
            fi
            local ended=$status # before others have theirs
            look
            if [ ! -e x ] || is_old x; then
                # Not saved: said, and what there is can be recovered.
                ((++unsaved))
                grep -q 'the recording is kept in .*/x.parts; to save it: snoopi recover' err
                [ "$ended" = 125 ] || [ "$expected" != 0 ]
                run -0 snoopi recover x
                facts_of x | cmp - "$good"
            fi
        done
        ((unsaved > 5))
    done
}
