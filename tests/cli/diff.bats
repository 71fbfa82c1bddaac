#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "a table has the sums, then the rows that changed" {
    sample a 'f(g)h'
    sample b 'f(g(g))w'
    run -0 snoopi diff --by=method a b
    assert_output - <<'END'
SUM         OLD   NEW CHANGE     %
frames        3     4     +1 +33 %
instances     3     3      0   0 %
roots         2     2      0   0 %
inference 40 ns 60 ns +20 ns +50 %

 SELF   NOW CHANGE      % COUNT NOW CHANGE NAME    WHERE
10 ns 30 ns +20 ns +200 %     1   2     +1 g       /src/b.jl:20
 0 ns 10 ns +10 ns    new     0   1     +1 a;b "c" /src/a.jl:40
10 ns  0 ns −10 ns   gone     1   0     −1 h       /src/b.jl:30
1 appeared, 1 vanished
END
}

@test "JSON has schema, sides and rows with the agreed fields" {
    sample a 'f(g)h'
    sample b 'f(g(g))w'
    run -0 json '.schema, .by, .found, .appeared, .vanished, .gate, .old.totals.frames, .new.totals.frames' \
        snoopi diff --by=method --format=json a b
    assert_output $'"snoopi.diff/1"\n"method"\n4\n1\n1\nnull\n3\n4'
    run -0 json '.rows[] | [.state, .name, .old_self_ns, .new_self_ns, .delta_self_ns, .old_count, .new_count, .delta_count, .line, .old_line, .is_clear]' \
        snoopi diff --by=method --format=json a b
    assert_line '["both","f",20,20,0,1,1,0,10,10,null]'
    assert_line '["both","g",10,30,20,1,2,1,20,20,null]'
    assert_line '["appeared","a;b \"c\"",0,10,10,0,1,1,40,null,null]'
    assert_line '["vanished","h",10,0,-10,1,0,-1,30,30,null]'
}

@test "files match by their names, and others are no partners for want of one" {
    sample a 'f'
    sample b 'g'
    run -0 json '.rows[] | [.state, .name]' snoopi diff --by=file --format=json a b
    assert_line '["appeared","/src/b.jl"]'
    assert_line '["vanished","/src/a.jl"]'
}

@test "CSV and TSV have the same fields" {
    sample a 'f'
    run -0 snoopi diff --by=method --format=csv a a
    fields=${lines[0]}
    run -0 snoopi diff --by=method --format=tsv a a
    assert_equal "$(tr '\t' ',' <<<"${lines[0]}")" "$fields"
    run -0 json '.rows[0] | keys_unsorted | join(",")' snoopi diff --by=method --format=json a a
    assert_output "\"$fields\""
}

@test "markdown is a headline, the sums, the gate and the rows" {
    sample a 'f(g)'
    sample b 'f(g(g))w'
    run -3 --separate-stderr snoopi diff --by=method --format=markdown --fail-if='roots>+0 or frames>+5' a b
    assert_line --index 0 '### Type inference: +1 instances, +2 frames; time +100 %'
    assert_line '| roots | 1 | 2 | +1 | +100 % |'
    assert_line '- ❌ **fails** `roots>+0`: 1 → 2'
    assert_line '- ✅ passes `frames>+5`: 2 → 4'
    assert_line '|  | 10 ns | +10 ns | new | +1 | `a;b "c"` | `/src/a.jl:40` |'
    assert_equal "$stderr" 'snoopi: gate: roots>+0 holds: roots was 1, is 2'
    run -0 snoopi diff --format=markdown a a
    assert_line --index 0 '### Type inference: the same frames and instances; time 0 %'
    assert_line 'No row changed.'
}

@test "a gate decides the exit status" {
    sample a 'f(g)'
    sample b 'f(g(g))'
    while read -r status gate; do
        run "-$status" snoopi diff --fail-if="$gate" a b
    done <<'END'
3 frames>+0
0 frames>+1
3 frames>+1 or inference>+10%
0 instances>+0
3 instances>=+0
0 frames<-0
END
    run -0 json '.gate' snoopi diff --format=json --fail-if='frames > +0 or roots>+0' a b
    assert_line '[{"condition":"frames > +0","holds":true,"old":2,"new":3},{"condition":"roots>+0","holds":false,"old":1,"new":1}]'
}

@test "a gate that cannot be read is shown with the place" {
    sample a 'f'
    run -2 snoopi diff --fail-if='frames>+0 and roots>+0' a a
    assert_output - <<'END'
snoopi: diff: --fail-if: at character 11: expected 'or', or the end; see snoopi diff --help
snoopi:   frames>+0 and roots>+0
snoopi:             ^
END
}

@test "several recordings of a side have a spread" {
    sample old.1 'f(g( ))'
    sample old.2 'f(g)'
    sample old.3 'f(g(    ))'
    sample new.1 'f(g(         ))'
    sample new.2 'f(g(          ))'
    run -0 snoopi diff --by=method old new
    assert_line --regexp '^ *SELF +NOW +CHANGE +% CLEAR COUNT NOW'
    assert_line --regexp '^20 ns +105 ns .* yes .* g '
    run -0 json '[.old.recordings, .old.is_steady], (.rows[] | select(.name == "g") | [.old_self_ns, .old_self_min_ns, .old_self_max_ns, .new_self_min_ns, .is_clear])' \
        snoopi diff --by=method --format=json old new
    assert_output $'[3,true]\n[20,10,50,100,true]'
    sample new.3 'f(g g)'
    run -0 --separate-stderr snoopi diff old new
    assert_equal "$stderr" 'snoopi: frames, roots or instances differ between recordings of one side: a gate on them can go either way; medians are compared'
}

@test "filters and scopes hold for sums and gates" {
    sample a 'f(g)'
    sample b 'f(f(g))'
    run -0 snoopi diff --package=Lib --fail-if='frames>+0' a b
    run -3 snoopi diff --package=Main --fail-if='frames>+0' a b
    run -1 snoopi diff --mark=never a b
    assert_output --partial "there is no mark 'never'"
}

@test "what cannot be compared is told" {
    sample a 'f'
    run -2 snoopi diff a
    assert_output --partial 'it needs OLD NEW'
    run -2 snoopi diff --by=frame a a
    run -1 snoopi diff a nothing
    assert_output --partial 'nothing: no such file'
}
