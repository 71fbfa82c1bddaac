# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of reliability share.

load ../cli/helper

fail_library=$SNOOPI_TEST_BIN_DIR/../lib/libfail_nth.so

# failing HOW NTH COMMAND…: snoopi with the n-th of its calls failing; see fail_nth.c.
failing() {
    local how=$1 nth=$2
    shift 2
    FAIL_PROGRAM=snoopi FAIL_HOW=$how FAIL_NTH=$nth LD_PRELOAD=$fail_library ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 \
        "$SNOOPI_BIN_DIR/snoopi" "$@"
}

# How many calls there are to fail.
count_calls() {
    local how=$1
    shift
    rm -f calls
    FAIL_COUNT=$PWD/calls failing "$how" 0 "$@" >/dev/null 2>&1 || true
    stat -c %s calls
}
