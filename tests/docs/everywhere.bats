#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The lines of docs/everywhere.md, run as they stand, with a julia started by what they wrote.
load ../cli/helper
setup() {
    need_julia
    in_own_folder
    PATH=$SNOOPI_BIN_DIR:$PATH
    unset LD_PRELOAD
}

# The lines of the N-th block of shell.
block() { awk -v n="$1" '/^```$/ {is = 0} is {print} /^```sh$/ {is = ++count == n}' "$SNOOPI_SOURCE_DIR/docs/everywhere.md"; }

# What a trace has of f, once.
assert_has_f() {
    run -0 json '[.rows[] | [.name, .count]]' snoopi list --module=Main --by=instance --format=json "$1"
    assert_output --partial '["f(::Int64)",1]'
}

program='f(x) = x + 1; f(1)'

@test "a CI action" {
    export GITHUB_ENV=$PWD/github_env
    bash -euo pipefail -c "$(block 1)"
    env -S "$(tr '\n' ' ' <github_env)" "$SNOOPI_JULIA" --startup-file=no -e "$program"
    run -0 bash -euo pipefail -c "$(block 2)"
    assert_output --partial 'inference'
    assert_has_f tests.snoopi
}

@test "a notebook's kernel" {
    jq -n --arg julia "$SNOOPI_JULIA" --arg program "$program" \
        '{display_name: "Julia", argv: [$julia, "--startup-file=no", "-e", $program], env: {JULIA_NUM_THREADS: "1"}}' >kernel.json
    bash -euo pipefail -c "$(block 3)"
    # As a server starts it: argv with env.
    python3 - <<'END'
import json, os, subprocess
kernel = json.load(open("kernel.json"))
assert kernel["env"]["JULIA_NUM_THREADS"] == "1"
subprocess.run(kernel["argv"], env={**os.environ, **kernel["env"]}, check=True)
END
    snoopi pack -o kernel.snoopi segments
    assert_has_f kernel.snoopi
}

@test "a service" {
    bash -euo pipefail -c "$(block 4)"
    # NAME=VALUE lines without a shell's quotes, as systemd takes them.
    run ! grep -vE '^(LD_PRELOAD|SNOOPI_RECORD)=[^"'\'' ]+$' snoopi.env
    env -S "$(tr '\n' ' ' <snoopi.env)" "$SNOOPI_JULIA" --startup-file=no -e "$program"
    snoopi pack -o service.snoopi segments
    assert_has_f service.snoopi
}
