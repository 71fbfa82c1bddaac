#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "a table has a line for each row and the sums of the recording" {
    sample a 'f(g(h)g)f(g)w'
    run -0 snoopi list --by=method a
    assert_output - <<'END'
 SELF SHARE  TOTAL COUNT NAME    MODULE  WHERE
50 ns  45 % 100 ns     2 f       Main    /src/a.jl:10
40 ns  36 %  50 ns     3 g       Lib     /src/b.jl:20
10 ns 9.1 %  10 ns     1 a;b "c" Main    /src/a.jl:40
10 ns 9.1 %  10 ns     1 h       Lib.Sub /src/b.jl:30
recording: inference 110 ns of 1.13 µs (9.7 %), 7 frames of 4 instances
END
}

@test "JSON has schema, rows with the agreed fields, and totals" {
    sample a 'f(g)' 'f.'
    run -0 json '.schema, .by, (.rows[0] | [.name, .module, .package, .file, .line, .self_ns, .total_ns, .gc_ns, .count, .roots])' \
        snoopi list --format=json a
    assert_line '"snoopi.list/1"'
    assert_line '"instance"'
    assert_line '["f(::Int64)","Main","Main","/src/a.jl",10,30,40,0,2,2]'
    run -0 json '.totals | keys_unsorted' snoopi list --format=json a
    assert_output '["wall_ns","elapsed_ns","inference_ns","busy_ns","outside_ns","gc_ns","tool_ns","frames","roots","instances"]'
    run -0 json '.totals | [.inference_ns, .busy_ns, .frames, .roots, .instances]' snoopi list --format=json a
    assert_output '[40,40,3,2,2]'
}

@test "self adds up to inference by every key" {
    sample a 't f(g(f(h)F)h*) F |g(g)h' 'f(f(f))w'
    for by in frame instance method function module package file root process thread; do
        run -0 json '([.rows[].self_ns] | add) == .totals.inference_ns, ([.rows[].count] | add) == .totals.frames' \
            snoopi list --by=$by --format=json a
        assert_output $'true\ntrue'
    done
}

@test "a field that a key has not is null" {
    sample a 'f'
    run -0 json '.rows[0] | [.name, .module, .package, .file, .line]' snoopi list --by=package --format=json a
    assert_output '["Main",null,"Main",null,null]'
    run -0 json '.rows[0] | [.process, .thread, .module]' snoopi list --by=thread --format=json a
    assert_output '[0,0,null]'
}

@test "frames have an id, times and flags" {
    sample a 'f(g)f'
    run -0 json '.rows[] | [.id, .parent, .depth, .process, .begin_ns, .end_ns, .flags]' snoopi list --by=frame --format=json a
    assert_line '[0,null,0,0,2000,2030,["unfinished"]]' || assert_line '[0,null,0,0,2000,2030,[]]'
    assert_line '[1,0,1,0,2010,2020,[]]'
    assert_line '[2,null,0,0,2040,2050,["repeated"]]'
}

@test "csv and tsv quote what would be read otherwise" {
    sample a 'w'
    run -0 snoopi list --by=method --format=csv a
    assert_line --index 0 'self_ns,total_ns,count,roots,gc_ns,name,module,package,file,line'
    assert_line --index 1 '10,10,1,1,0,"a;b ""c""",Main,Main,/src/a.jl,40'
    run -0 snoopi list --by=method --format=tsv a
    assert_line --index 1 $'10\t10\t1\t1\t0\ta;b "c"\tMain\tMain\t/src/a.jl\t40'
    assert_equal "${#lines[@]}" 2
}

@test "the limit is 30 rows of a table, and none for programs" {
    sample a 'f f f f f f f f f f f f f f f f f f f f f f f f f f f f f f f f'
    run -0 snoopi list --by=frame a
    assert_line --index 31 '… 2 more rows; --limit=0 shows all'
    run -0 snoopi list --by=frame --limit=0 a
    assert_equal "${#lines[@]}" 34
    run -0 json '[(.rows | length), .found]' snoopi list --by=frame --format=json a
    assert_output '[32,32]'
    run -0 json '[(.rows | length), .found]' snoopi list --by=frame --format=json --limit=5 a
    assert_output '[5,32]'
}

@test "--sort chooses the order, --tmin cuts by it" {
    sample a 'f(g(h(*)))w w'
    run -0 json '[.rows[].name]' snoopi list --by=method --sort=total --format=json a
    assert_output '["f","g","a;b \"c\"","h"]'
    run -0 json '[.rows[].name]' snoopi list --by=method --sort=name --format=json a
    assert_output '["a;b \"c\"","f","g","h"]'
    run -0 json '.rows[0].name' snoopi list --by=method --sort=count --format=json a
    assert_output '"a;b \"c\""'
    run -0 json '.rows[0].name' snoopi list --by=method --sort=gc --format=json a
    assert_output '"h"'
    run -0 json '[.rows[].name]' snoopi list --by=method --sort=total --tmin=30ns --format=json a
    assert_output '["f","g"]'
}

@test "filters keep rows and leave totals" {
    sample a 'f(g(h))w'
    run -0 json '[.rows[].name], .totals.inference_ns' snoopi list --by=method --format=json --package=Lib --sort=name a
    assert_output $'["g","h"]\n60'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --module=Lib a
    assert_output '["g"]'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --file=a.jl --sort=name a
    assert_output '["a;b \"c\"","f"]'
    run -0 snoopi list --module=Nowhere a
    assert_line 'no rows'
}

@test "scopes choose roots, and their own sums stand beside the totals" {
    sample a '@3;f(g)!ready;@7;h' 'w'
    run -0 json '[.rows[].name], .totals.frames, .scope.frames, .scope.inference_ns' \
        snoopi list --by=method --format=json --after=a.jl:7 --process=0 a
    assert_output $'["h"]\n4\n1\n10'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --mark=ready --process=0 a
    assert_output '["h"]'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --from=1.01us --process=0 a
    assert_output '["h"]'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --to=1001ns --process=0 --sort=name a
    assert_output '["f","g"]'
    run -0 json '[.rows[].name]' snoopi list --by=method --format=json --process=1 a
    assert_output '["a;b \"c\""]'
    run -0 snoopi list --process=1 a
    assert_line --partial 'this part: inference 10 ns'
}

@test "a scope that means nothing is an error that says so" {
    sample a 'f'
    run -1 snoopi list --after=b.jl:1 a
    assert_output "snoopi: no root was recorded at a toplevel line 'b.jl:1'"
    run -1 snoopi list --mark=never a
    assert_output "snoopi: there is no mark 'never' in the recording (it has 0)"
    run -1 snoopi list --process=7 a
    assert_output "snoopi: no process is '7': it is an index below 1, or a role"
}

@test "a segment and a folder of segments open like a trace" {
    "$SNOOPI_TEST_BIN_DIR/make_segments" x.parts 'f(g)' 'h'
    run -0 json '.totals.frames' snoopi list --format=json x.parts/0.seg
    assert_output 2
    run -0 json '.totals.frames' snoopi list --format=json x.parts
    assert_output 3
    assert_file_exist x.parts/1.seg
    assert_file_not_exist x
}

@test "without a name it reads snoopi.data" {
    sample snoopi.data 'f'
    run -0 json '.totals.frames' snoopi list --format=json
    assert_output 1
}

@test "names stay UTF-8 in the C locale" {
    sample a 'f f'
    LC_ALL=C run -0 snoopi list --limit=1 --by=frame a
    assert_line '… 1 more rows; --limit=0 shows all'
    assert_line --partial 'µs'
}
