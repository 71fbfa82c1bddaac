#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "a merged tree shows paths" {
    sample a 'f(g(h)g)f(g)w'
    run -0 snoopi tree --by=method a
    assert_output - <<'END'
    TOTAL      SELF     COUNT  NAME
   100 ns     50 ns         2  f  Main /src/a.jl:10
    50 ns     40 ns         3    g  Lib /src/b.jl:20
    10 ns     10 ns         1      h  Lib.Sub /src/b.jl:30
    10 ns     10 ns         1  a;b "c"  Main /src/a.jl:40
recording: inference 110 ns of 1.13 µs (9.7 %), 7 frames of 4 instances
END
}

@test "JSON rows have id, parent and depth, and self adds up to inference" {
    sample a 'f(g(h)g)f(g)w'
    run -0 json '.schema, .order, [.rows[] | [.id, .parent, .depth, .total_ns]], ([.rows[].self_ns] | add) == .totals.inference_ns' \
        snoopi tree --format=json a
    assert_output - <<'END'
"snoopi.tree/1"
"merged"
[[0,null,0,100],[1,0,1,50],[2,1,2,10],[3,null,0,10]]
true
END
}

@test "--depth, --root and --inverted" {
    sample a 'f(h)g(h)'
    run -0 json '[.rows[] | [.name, .depth]]' snoopi tree --by=method --depth=1 --format=json a
    assert_output '[["f",0],["g",0]]'
    run -0 json '[.rows[] | [.name, .depth]]' snoopi tree --by=method --root=g --format=json a
    assert_output '[["g",0],["h",1]]'
    run -0 json '.order, [.rows[] | [.name, .depth, .count]]' snoopi tree --by=method --inverted --root=h --format=json a
    assert_output $'"inverted"\n[["h",0,2],["f",1,1],["g",1,1]]'
    run -2 snoopi tree --inverted --time a
}

@test "--time shows each frame with its flags" {
    sample a 'f(g)f(g)'
    run -0 snoopi tree --time a
    assert_line --regexp '^    30 ns     20 ns  f\(::Int64\)  Main /src/a.jl:10  \[repeated\]$'
    run -0 json '.order, [.rows[] | [.id, .parent, .depth, .begin_ns]]' snoopi tree --time --format=json a
    assert_output $'"time"\n[[0,null,0,2000],[1,0,1,2010],[2,null,0,2040],[3,2,1,2050]]'
}

@test "a limit is told" {
    sample a 'f(g(h(w)))'
    run -0 snoopi tree --limit=2 a
    assert_line '… 2 more nodes; --limit=0 shows all'
    run -0 snoopi tree --time --limit=2 a
    assert_line '… there may be more; --limit=0 shows all'
}
