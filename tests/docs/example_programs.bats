#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load ../cli/helper
setup() {
    in_own_folder
    examples=$SNOOPI_BIN_DIR/../examples
    sample a '@3;f(g(h)g)@7;w.'
}

@test "01_open_trace" {
    run -0 "$examples/01_open_trace" a
    assert_output 'main: 5 frames, 0.000 ms of inference'
    run -1 "$examples/01_open_trace" nothing
    assert_output --partial nothing
}

@test "02_walk_frames" {
    run -0 "$examples/02_walk_frames" a
    assert_output --regexp '^  .*g\(::Int64\) at /src/b.jl:20, 10 ns$'
}

@test "03_sum_by_package" {
    run -0 "$examples/03_sum_by_package" a
    assert_line --index 0 ' 50.0 % Lib'
    assert_line --index 1 ' 50.0 % Main'
    run -0 "$examples/03_sum_by_package" a a.jl:7
    assert_output ' 12.5 % Main'
    run -1 "$examples/03_sum_by_package" a a.jl:8
}
