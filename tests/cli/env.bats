#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "env prints what a shell can evaluate, and makes the folder" {
    run -0 --separate-stderr snoopi env --dir "a 'b'"
    assert_dir_exist "a 'b'"
    assert_equal "$(stat -c %a "a 'b'")" 700
    eval "$output"
    assert_equal "$SNOOPI_RECORD" "v1:$PWD/a 'b'"
    [ -e "$LD_PRELOAD" ]
    unset LD_PRELOAD
}

@test "what is preloaded already stays in front" {
    run -0 env LD_PRELOAD=/lib/nothing.so "$SNOOPI_BIN_DIR/snoopi" env --dir d
    assert_line --regexp '^export LD_PRELOAD=/lib/nothing.so:.*/libsnoopi-agent.so$'
}

@test "options of the recording are in the variable" {
    run -0 snoopi env --no-args --no-stacks --hook=native
    assert_line "export SNOOPI_RECORD=v1,noargs,nostacks,hook=native:$PWD/snoopi.data.parts"
    run -0 snoopi env --hook=override
    assert_line "export SNOOPI_RECORD=v1,hook=override:$PWD/snoopi.data.parts"
}

@test "a folder that cannot be made is an error" {
    : >file
    run -1 snoopi env --dir file
    assert_output --partial 'file: not a folder'
    run -1 snoopi env --dir /nonexistent/d
    assert_output --partial '/nonexistent/d'
}

@test "a path that LD_PRELOAD cannot hold is reached by a link" {
    mkdir 'a b'
    cp "$SNOOPI_LIB_DIR/libsnoopi-agent.so" 'a b/'
    run -0 env "SNOOPI_AGENT_PATH=$PWD/a b/libsnoopi-agent.so" "$SNOOPI_BIN_DIR/snoopi" env --dir d
    preload=$(sed -n 's/^export LD_PRELOAD=//p' <<<"$output")
    case $preload in *' '*) false ;; esac
    assert_equal "$(readlink "$preload")" "$PWD/a b/libsnoopi-agent.so"
    rm -r "$(dirname "$preload")"
    run -1 env SNOOPI_AGENT_PATH=/nonexistent "$SNOOPI_BIN_DIR/snoopi" env --dir d
    assert_output --partial 'SNOOPI_AGENT_PATH=/nonexistent'
}
