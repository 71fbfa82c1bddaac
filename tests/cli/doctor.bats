#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "a julia that can be recorded" {
    need_julia
    run -0 snoopi doctor --julia "$SNOOPI_JULIA"
    assert_line --partial "ok    machine: $(uname -m | sed 's/x86_64/amd64/')"
    assert_line --partial 'ok    julia: julia version'
    assert_line --partial 'ok    hook: native'
    assert_line 'This julia can be recorded.'
    assert_equal "$(ls)" ''
}

@test "what is no julia" {
    run -1 snoopi doctor --julia /nonexistent/julia
    assert_line "FAIL  julia: '/nonexistent/julia --version' does not run; --julia PATH names another"
    run -1 snoopi doctor --julia true
    run -1 env SNOOPI_AGENT_PATH=/nonexistent "$SNOOPI_BIN_DIR/snoopi" doctor --julia true
    assert_line --partial 'FAIL  agent'
}
