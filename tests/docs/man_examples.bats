#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The EXAMPLES of each man page are run as they stand, in a folder with a program, a recording of it, and one that was killed.
load ../cli/helper

setup_file() {
    need_julia
    cd "$BATS_FILE_TMPDIR" || return 1
    printf 'f(x) = sum(x .^ 2)\nprintln(f([1, 2, 3]))\n' >program.jl
    "$SNOOPI_BIN_DIR/snoopi" record "$SNOOPI_JULIA" --startup-file=no program.jl
    "$SNOOPI_TEST_BIN_DIR/make_segments" left.snoopi.parts 'f(g)'
}

setup() {
    need_julia
    in_own_folder
    cp -r "$BATS_FILE_TMPDIR"/{program.jl,snoopi.data,left.snoopi.parts} .
    PATH=$SNOOPI_BIN_DIR:$(dirname "$SNOOPI_JULIA"):$PATH
}

# Runs the lines of a page that begin with a tab and "$ ", one after the other in one folder.
run_examples() {
    local page=$1 line n=0
    while IFS= read -r line; do
        bash -euo pipefail -c "$line" </dev/null >out 2>&1 || {
            echo "failed: $line"
            cat out
            return 1
        }
        n=$((n + 1))
    done < <(sed -n '/^# EXAMPLES/,/^# SEE/s/^\t\$ //p' "$SNOOPI_SOURCE_DIR/docs/man/$page.1.scd")
    [ "$n" -gt 0 ]
}

@test "snoopi(1)" { run_examples snoopi; }
@test "snoopi-diff(1)" { run_examples snoopi-diff; }
@test "snoopi-advise(1)" { run_examples snoopi-advise; }
@test "snoopi-doctor(1)" { run_examples snoopi-doctor; }
@test "snoopi-env(1)" { run_examples snoopi-env; }
@test "snoopi-export(1)" { run_examples snoopi-export; }
@test "snoopi-flamegraph(1)" { run_examples snoopi-flamegraph; }
@test "snoopi-info(1)" { run_examples snoopi-info; }
@test "snoopi-list(1)" { run_examples snoopi-list; }
@test "snoopi-merge(1)" { run_examples snoopi-merge; }
@test "snoopi-pack(1)" { run_examples snoopi-pack; }
@test "snoopi-precompile(1)" { run_examples snoopi-precompile; }
@test "snoopi-record(1)" { run_examples snoopi-record; }
@test "snoopi-recover(1)" { run_examples snoopi-recover; }
@test "snoopi-report(1)" { run_examples snoopi-report; }
@test "snoopi-tree(1)" { run_examples snoopi-tree; }
@test "snoopi-triggers(1)" { run_examples snoopi-triggers; }
@test "snoopi-view(1)" { run_examples snoopi-view; }
