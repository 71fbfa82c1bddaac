#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

@test "folded weighs paths by self time" {
    sample a 'f(g(h)g)f(g)'
    run -0 snoopi export --to=folded -o - a
    assert_line 'f(::Int64) 50'
    assert_line --regexp '^f\(::Int64\);.*g\(::Int64\) 40$'
    assert_equal "${#lines[@]}" 3
}

@test "jsonl has a parent before its children, and the fields of the design" {
    sample a 'f(g(h))' 'w'
    run -0 snoopi export --to=jsonl -o out a
    refute_output
    run -0 jq -s -c '.[0] | keys_unsorted' out
    assert_output '["id","parent","depth","process","thread","name","module","file","line","begin_ns","end_ns","total_ns","self_ns","gc_ns","flags","instance","args","method_world"]'
    run -0 jq -s -c 'map([.id, .parent, .depth, .process])' out
    assert_output '[[0,null,0,0],[1,0,1,0],[2,1,2,0],[3,null,0,1]]'
}

@test "json is one document" {
    sample a 'f(g)'
    run -0 json '.schema, (.rows | length), .totals.frames, (.processes | length), .damage' snoopi export --to=json -o - a
    assert_output $'"snoopi.export/1"\n2\n2\n1\nnull'
}

@test "csv is read by others" {
    sample a 'w(f)'
    snoopi export --to=csv -o out.csv a
    run -0 python3 - <<'END'
import csv
rows = list(csv.DictReader(open("out.csv", newline="")))
print(len(rows), rows[1]["parent"], rows[0]["name"].startswith('a;b "c"') or 'a;b "c"' in rows[0]["name"], rows[0]["self_ns"])
END
    assert_output '2 0 True 20'
}

@test "what was there stays when an export fails" {
    sample a 'f'
    echo old >out
    run -1 snoopi export --to=jsonl --mark=never -o out a
    assert_equal "$(cat out)" old
    run -1 snoopi export --to=jsonl -o /nonexistent/out a
    assert_output --partial '/nonexistent/out'
    run -1 snoopi export --to=jsonl -o . a
    assert_equal "$(ls)" $'a\nout'
}

@test "format and place are needed" {
    sample a 'f'
    run -2 snoopi export -o out a
    assert_output --partial '--to is needed'
    run -2 snoopi export --to=folded a
    assert_output --partial '-o is needed'
    run -2 snoopi export --to=frob -o out a
}

@test "equal exports are equal to the byte" {
    sample a 'f(g(h)g)f(g)w' 't(f)'
    for to in folded json jsonl csv; do
        snoopi export --to=$to -o 1 a
        snoopi export --to=$to -o 2 a
        cmp 1 2
    done
}
