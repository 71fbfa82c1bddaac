#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

commands() {
    snoopi --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

@test "--help lists the commands, each of which has help" {
    run commands
    assert_line record
    assert_line list
    for command in $(commands); do
        run snoopi "$command" --help
        assert_success
        assert_line --partial "usage: snoopi $command"
    done
}

@test "--version says the version of the build" {
    run snoopi --version
    assert_success
    assert_output "snoopi $(sed -n 's/^project(snoopi VERSION \([0-9.]*\).*/\1/p' "$SNOOPI_SOURCE_DIR/CMakeLists.txt")"
    run snoopi list --version
    assert_success
}

@test "without a command it is a usage error" {
    run -2 snoopi
    assert_output "snoopi: no command given; see snoopi --help"
}

@test "an unknown command is a usage error, which names the nearest one" {
    run -2 snoopi lst
    assert_output "snoopi: unknown command 'lst'; is 'list' meant?; see snoopi --help"
    run -2 snoopi frobnicate
    assert_output "snoopi: unknown command 'frobnicate'; see snoopi --help"
}

@test "wrong options are usage errors that say what is wrong" {
    run -2 snoopi list --frob
    assert_output "snoopi: list: unknown option --frob; see snoopi list --help"
    run -2 snoopi list -z
    assert_output "snoopi: list: unknown option -z; see snoopi list --help"
    run -2 snoopi list --by
    assert_output "snoopi: list: --by needs a value; see snoopi list --help"
    run -2 snoopi tree --inverted=yes
    assert_output --partial "--inverted"
    run -2 snoopi list --by=frob
    assert_output --partial "--by=frob: it is one of frame, instance, method"
    run -2 snoopi list --limit=x
    assert_output --partial "--limit=x: not a whole number"
    run -2 snoopi list --limit=-1
    run -2 snoopi list --tmin=5
    assert_output --partial "--tmin=5: a time is a number with a unit"
    run -2 snoopi list --tmin=5h
    run -2 snoopi list --from=nans
    run -2 snoopi list a b
    assert_output --partial "unexpected 'b'"
    run -2 snoopi pack
    assert_output --partial "it needs DIR"
    run -2 snoopi --frob list
}

@test "options of every command may stand before its name" {
    sample a 'f'
    run -0 snoopi --color=always list a
    assert_output --partial $'\e['
    run -0 snoopi list --color always a
    assert_output --partial $'\e['
    run -0 snoopi --color=never list a
    refute_output --partial $'\e['
}

@test "a pipe gets no colours, nor does a terminal with NO_COLOR" {
    sample a 'f'
    run -0 snoopi list a
    refute_output --partial $'\e['
    if command -v script >/dev/null; then
        export TERM=xterm
        run script -qec "'$SNOOPI_BIN_DIR/snoopi' report a" /dev/null
        assert_output --partial $'\e['
        NO_COLOR=1 run script -qec "'$SNOOPI_BIN_DIR/snoopi' report a" /dev/null
        refute_output --partial $'\e[1'
    fi
}

@test "a full disk at standard output is a failure, a closed pipe is none" {
    sample a 'f(g(h))'
    for command in list tree report info "export --to=jsonl -o -"; do
        # shellcheck disable=SC2086 # words
        run -1 bash -c "'$SNOOPI_BIN_DIR/snoopi' $command a >/dev/full"
        assert_output --partial "No space left on device"
    done
    run -1 bash -c "'$SNOOPI_BIN_DIR/snoopi' list a >&-"
    run -0 bash -c "'$SNOOPI_BIN_DIR/snoopi' record true >&-"
    run bash -c "'$SNOOPI_BIN_DIR/snoopi' list a | true"
    assert_success
    run bash -c "trap '' PIPE; '$SNOOPI_BIN_DIR/snoopi' export --to=jsonl -o - a | true; exit \${PIPESTATUS[0]}"
    assert_success
    refute_output
}
