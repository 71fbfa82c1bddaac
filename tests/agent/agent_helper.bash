# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of the agent in a real julia share.

load ../cli/helper

# These tests are about a julia, so one that is missing is a failure.
need_julia() {
    if ! [ -x "$SNOOPI_JULIA" ]; then
        echo "no julia at '$SNOOPI_JULIA'; tools/get-julia unpacks one" >&2
        return 1
    fi
}

# For setup_file: in_own_folder without a test. Recordings that several tests look at lie in the folder that it goes to.
in_file_folder() {
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR in_own_folder
}

# How long a julia may take, in seconds.
patience=$((120 * ${SNOOPI_TEST_PATIENCE:-1}))

# A julia that is not recorded, and does not run for ever.
julia() {
    timeout -k 10 "$patience" "$SNOOPI_JULIA" --startup-file=no "$@"
}

# record NAME ARGUMENT…: a julia with these arguments, as NAME and NAME.jsonl; its output is NAME.out.
record() {
    local name=$1
    shift
    local status=0
    timeout -k 10 "$patience" "$SNOOPI_BIN_DIR/snoopi" record -o "$name" "$SNOOPI_JULIA" --startup-file=no "$@" >"$name.out" 2>"$name.log" 3>&- || status=$?
    snoopi export --to=jsonl -o "$name.jsonl" "$name" || return 1
    return $status
}

# frames NAME FILTER: what jq's FILTER makes of the array of all frames, each with its parent's name as .below.
frames() {
    jq -s -c "(map({key: (.id | tostring), value: .}) | from_entries) as \$by
        | map(.below = (if .parent == null then null else \$by[.parent | tostring].name end)) | $2" "$1.jsonl"
}

# Frames of Main, a line each: name, the name of the frame above it, flags.
# shellcheck disable=SC2016,SC2034 # a filter of jq
main='.[] | select(.module == "Main") | [.name, .below, (.flags | join(" "))]'

# Nothing is missing of NAME, and no frame was left.
assert_whole() {
    run -0 json '.complete, .lacks' snoopi info --format=json "$1"
    assert_output $'true\n[]'
    run -0 frames "$1" 'map(select(.flags | index("aborted") or index("unfinished"))) | length'
    assert_output 0
}
