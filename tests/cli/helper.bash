# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of the command line share. Traces are made by make_segments from scripts (tests/unit/tree/scripttrace.h).

bats_load_library bats-support
bats_load_library bats-assert
bats_load_library bats-file
bats_require_minimum_version 1.5.0

snoopi() {
    "$SNOOPI_BIN_DIR/snoopi" "$@"
}

# A folder of its own, and nothing of the caller's environment that changes what is printed or recorded.
in_own_folder() {
    cd "$BATS_TEST_TMPDIR" || return 1
    unset LD_PRELOAD SNOOPI_RECORD SNOOPI_AGENT_PATH NO_COLOR COLUMNS
    export LC_ALL=C.UTF-8 TERM=dumb
}

# sample FILE SCRIPT…: a trace, a process for each script.
sample() {
    local file=$1
    shift
    "$SNOOPI_TEST_BIN_DIR/make_segments" "$file.parts" "$@"
    snoopi pack "$file.parts" 2>/dev/null
    rm -r "$file.parts"
}

# A command that does what a recorded julia does, as far as snoopi sees: leaves a segment where it was told to. Programs with
# sanitizers do not start when something is preloaded before these.
pretend() {
    local script=$1
    # shellcheck disable=SC2016 # for the shell that is recorded
    printf '%s' 'env -u LD_PRELOAD "$SNOOPI_TEST_BIN_DIR/make_segments" "${SNOOPI_RECORD#*:}" "'"$script"'"'
}

# json FILTER COMMAND…: what jq makes of its output.
json() {
    local filter=$1
    shift
    "$@" | jq -c "$filter"
}

# since 1.N: whether the julia that is tested is of that version, or newer.
since() {
    local version
    version=$("$SNOOPI_JULIA" --version)
    version=${version#julia version 1.}
    ((${version%%.*} >= ${1#1.}))
}

# shown TYPE: as the julia that is tested shows it, in a fresh module.
shown() {
    "$SNOOPI_JULIA" --startup-file=no -e 'print(sprint(show, eval(Meta.parse(ARGS[1])); context = :module => Module()))' "$1"
}

# precompiled DEPOT: the roles of the processes that made what is in it, a line each. Which packages a program has precompiled besides its own
# differs: a version of Julia has more of its standard library in its system image than another.
precompiled() {
    local file
    find "$1" -name '*.ji' | while read -r file; do
        echo "precompile:$(basename "$(dirname "$file")")"
    done | sort
}

need_julia() {
    [ -x "$SNOOPI_JULIA" ] || fail "no julia at '$SNOOPI_JULIA'"
}
