#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "a report is one screen of text" {
    sample a 'f(g(h)g)f(g)w.' 'h(F).'
    run -0 snoopi report a
    assert_line --partial 'inference     140 ns'
    assert_line 'Processes'
    assert_line --partial 'Instances'
    assert_line 'Methods'
    assert_line 'Packages'
    refute_line --regexp '^!'
    [ "${#lines[@]}" -lt 50 ]
    for line in "${lines[@]}"; do
        [ "${#line}" -le 120 ]
    done
}

@test "what is missing comes first" {
    sample a 'f(g'
    run -0 snoopi report a
    assert_line --index 0 --partial '! process 0 (main, pid 5000000): cut'
}

@test "JSON has the parts as lists, and what is missing" {
    sample a 'f(g)'
    run -0 json '.schema, .totals.frames, (.lacks | length), .packages[0].name, (.instances | length), .methods[0].line' \
        snoopi report --format=json a
    assert_output $'"snoopi.report/1"\n2\n1\n"Main"\n2\n10'
}

@test "a report of nothing says so" {
    sample a '.'
    run -0 snoopi report a
    assert_line --partial '0 frames of 0 instances'
}
