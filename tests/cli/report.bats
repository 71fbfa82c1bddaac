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

@test "a report has the triggers, and the three findings worth most" {
    need_julia
    # i takes long to infer, so that no image's own triggers come before it.
    printf 'i(x) = length(repr(Dict(x => [x])))\nh(a) = i(a[1])\nh(Any[1])\nh(Any[2.5])\n' >program.jl
    snoopi record -o a "$SNOOPI_JULIA" --startup-file=no program.jl
    run -0 snoopi report a
    assert_line 'Triggers: the calls that entered the compiler'
    assert_line --regexp ' i[(]::Int64[)] +h[(]::(Array|Vector).*program.jl:2 +dispatch'
    assert_line 'Advice worth most'
    assert_line --regexp '^[1-3]\. up to .*: h calls i by dispatch, with 2 sets of argument types$'
    run -0 json '(.triggers[] | select(.callee == "i(::Int64)") | .caller), ([.advice[].kind] | index("dispatch") != null), (.advice | length <= 3)' \
        snoopi report --format=json a
    assert_output "\"h(::$(shown 'Vector{Any}'))\""$'\ntrue\ntrue'
}
