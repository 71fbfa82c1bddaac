#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The workflow in examples/: the steps that record and compare are run as they stand.
load ../cli/helper
setup() {
    need_julia
    in_own_folder
    workflow=$SNOOPI_SOURCE_DIR/examples/github-actions.yml
    PATH=$SNOOPI_BIN_DIR:$(dirname "$SNOOPI_JULIA"):$PATH
    export GITHUB_STEP_SUMMARY=$PWD/step_summary JULIA_DEPOT_PATH=$PWD/depot
    mkdir -p base/test head/test
    printf 'f(x) = sum(x .^ 2)\nprintln(f([1, 2, 3]))\n' >base/test/runtests.jl
    touch base/Project.toml head/Project.toml
}

# The script of a step.
step() { awk -v name="- name: $1" 'index($0, name) {is = 1} is && /^$/ {exit} is && script {sub(/^          /, ""); print} is && /run: \|/ {script = 1}' "$workflow"; }
variable() { sed -n "s/^  $1: //p" "$workflow"; }

run_step() {
    WORKLOAD=$(variable WORKLOAD) GATE=$(variable GATE) run bash -eo pipefail -c "$(step "$2")"
    [ "$status" -eq "$1" ] || { echo "$output"; return 1; }
}

@test "a pull request that infers no more passes" {
    cp base/test/runtests.jl head/test
    run_step 0 Record
    assert_file_exist base.snoopi.3
    assert_file_exist head.snoopi.3
    run_step 0 Compare
    assert_file_contains step_summary 'the same frames and instances'
}

@test "one that infers more fails" {
    { cat base/test/runtests.jl; echo 'println(f(Any[1, 2.5, 3]))'; } >head/test/runtests.jl
    run_step 0 Record
    run_step 3 Compare
    assert_file_contains step_summary 'fails'
}
