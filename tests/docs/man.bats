#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The man pages say what the programs do: same commands, same options.
load ../cli/helper
setup() { pages=$SNOOPI_SOURCE_DIR/docs/man; }

commands() {
    snoopi --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort
}

# "-o --output" and the like, of what --help prints.
options_of_help() {
    snoopi "$@" --help | grep -oE '^ +(-[a-zA-Z], +)?--[a-z-]+' | grep -oE -- '--?[a-zA-Z][a-z-]*' | sort
}

options_of_page() {
    sed -n '/^# OPTIONS/,/^# [A-NP-Z]/p' "$1" | grep '^\*-' | grep -oE -- '\*--?[a-zA-Z][a-z-]*' | tr -d '*' | sort
}

@test "each command has a page, and each page a command" {
    run commands
    assert_output "$(cd "$pages" && ls snoopi-*.1.scd | sed 's/^snoopi-\(.*\)\.1\.scd/\1/' | sort)"
}

@test "each page has the options of its command" {
    for command in $(commands); do
        run options_of_page "$pages/snoopi-$command.1.scd"
        assert_output "$(options_of_help "$command")"
    done
    run options_of_page "$pages/snoopi.1.scd"
    assert_output "$(options_of_help)"
}

@test "each command is in the overview, and each page has examples" {
    for command in $(commands); do
        grep -q "\*$command\*" "$pages/snoopi.1.scd"
        grep -q "snoopi-$command\*(1)" "$pages/snoopi.1.scd"
        sed -n '/^# EXAMPLES/,$p' "$pages/snoopi-$command.1.scd" | grep -q "^	\\$ .*snoopi $command"
    done
}

@test "scdoc takes each page" {
    command -v scdoc >/dev/null || { echo "scdoc is not there" && return 1; }
    for page in "$pages"/*.scd; do
        scdoc <"$page" >/dev/null
    done
}
