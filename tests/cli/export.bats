#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper
setup() { in_own_folder; }

# Every format that there is, as the message about one that is none lists them.
formats() {
    snoopi export --to=none -o x 2>&1 | sed 's/.*one of //; s/;.*//; s/,//g'
}

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
    assert_output '["id","parent","depth","process","thread","name","module","file","line","begin_ns","end_ns","total_ns","self_ns","gc_ns","flags","instance","args","method_world","result"]'
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
    for to in $(formats); do
        for more in --by=instance '--by=method --weight=count --tmin=20ns'; do
            # shellcheck disable=SC2086 # a list
            snoopi export --to=$to $more -o 1 a
            # shellcheck disable=SC2086
            snoopi export --to=$to $more -o - a >2
            cmp 1 2
        done
    done
}

@test "frames go by the key that is asked for" {
    sample a 'f(F(g(h)))w'
    run -0 snoopi export --to=folded --by=function -o - a
    assert_output $'a\xcd\xbeb "c" 10\nf 20\nf;f 20\nf;f;g 20\nf;f;g;h 10'
    run -0 snoopi export --to=folded --by=package -o - a
    assert_output $'Main 30\nMain;Main 20\nMain;Main;Lib 20\nMain;Main;Lib;Lib 10'
    run -0 json '[.name, .module, .file, .line]' snoopi export --to=jsonl --by=module -o - a
    assert_line '["Lib.Sub","Lib.Sub","",0]'
    snoopi export --to=chrome --by=file -o out a
    run -0 jq -c '[.traceEvents[] | select(.ph == "X") | .name]' out
    assert_output '["/src/a.jl","/src/a.jl","/src/b.jl","/src/b.jl","/src/a.jl"]'
    snoopi export --to=sqlite --by=file -o out a
    run -0 sqlite3 out 'SELECT name, self_ns, total_ns FROM rows'
    assert_output $'/src/a.jl|50|80\n/src/b.jl|30|30'
    run -2 snoopi export --to=folded --by=frame -o - a
}

@test "weights are times or numbers of frames" {
    sample a 'f(g(h)g)'
    run -0 snoopi export --to=folded --weight=count -o - a
    assert_output $'f(::Int64) 1\nf(::Int64);g(::Int64) 2\nf(::Int64);g(::Int64);h(::Int64) 1'
    snoopi export --to=chrome --weight=count -o out a
    run -0 jq -c '[.traceEvents[] | select(.ph == "B" or .ph == "E") | .ph, .ts]' out
    assert_output '["B",0,"B",1,"B",2,"E",3,"E",3,"B",3,"E",4,"E",4]'
    snoopi export --to=svg --weight=count -o out a
    run -0 grep -o 'data-x="[0-9]*" data-w="[0-9]*" data-d="[0-9]*"' out
    assert_output $'data-x="0" data-w="4" data-d="0"\ndata-x="0" data-w="4" data-d="1"\ndata-x="0" data-w="3" data-d="2"\ndata-x="0" data-w="1" data-d="3"'
    snoopi export --to=speedscope --weight=count -o out a
    run -0 jq -c '[.profiles[0] | .unit, .endValue]' out
    assert_output '["none",4]'
}

@test "what tmin leaves out is its caller's own time" {
    sample a 'f(g(h)g)F'
    run -0 snoopi export --to=folded -o - --tmin=15ns a
    assert_output $'f(::Int64) 30\nf(::Int64);g(::Int64) 40' # of two g, with h, as one node
    run -0 json '.id' snoopi export --to=jsonl --tmin=15ns -o - a
    assert_output $'0\n1'
    snoopi export --to=sqlite --tmin=15ns -o out a
    run -0 sqlite3 out 'SELECT id, parent FROM frames'
    assert_output $'0|\n1|0'
}

@test "filters and scopes hold for every format" {
    sample a 'f(g(h)w)' 't(f)'
    run -0 json '[.name, .parent]' snoopi export --to=jsonl --package=Lib -o - a
    assert_output $'["g(::Int64)",null]\n["h(::Int64)",1]'
    run -0 snoopi export --to=folded --package=Lib -o - a
    assert_output $'g(::Int64) 20\ng(::Int64);h(::Int64) 10'
    snoopi export --to=sqlite --package=Lib -o out a
    run -0 sqlite3 out 'SELECT id, parent, depth FROM frames'
    assert_output $'1||0\n2|1|1'
    snoopi export --to=chrome --process=1 -o out a
    run -0 jq -c '[.traceEvents[] | select(.ph == "X") | [.pid, .args.id]]' out
    assert_output '[[2,4],[2,5]]'
    for to in $(formats); do
        snoopi export --to=$to --module=None -o out a # nothing is left, and that is no failure
        run -1 snoopi export --to=$to --mark=never -o - a
    done
}

@test "flamegraph writes a picture" {
    sample snoopi.data 'f(g)'
    run -0 --separate-stderr snoopi flamegraph
    refute_output
    assert_equal "$stderr" 'snoopi: flamegraph.svg is there; a browser shows it'
    run -0 snoopi flamegraph -o -
    assert_output "$(cat flamegraph.svg)"
    snoopi flamegraph -o out.html
    snoopi export --to=html -o - | cmp - out.html
}

@test "a database replaces what was there when it is whole" {
    sample a 'f(g)'
    echo old >out
    run -1 snoopi export --to=sqlite --mark=never -o out a
    assert_equal "$(cat out)" old
    run -1 snoopi export --to=sqlite -o /nonexistent/out a
    assert_output --partial '/nonexistent/out: No such file'
    ln -s out link
    snoopi export --to=sqlite -o link a
    assert_equal "$(ls)" $'a\nlink\nout'
    run -0 sqlite3 out 'SELECT count(*) FROM frames'
    assert_output 2
    run -1 snoopi export --to=sqlite -o /dev/full a
    assert_output --partial 'No space left'
}

@test "a page compared to another recording has both, and equal ones are equal to the byte" {
    sample old 'f(g(h)h)g(h h h)w'
    sample new 'f(g(h h h)h)g(h)'
    snoopi export --to=html --base=old -o a.html new
    snoopi flamegraph --base=old -o b.html new
    cmp a.html b.html
    assert_equal "$(grep -c 'class="base-frames"' a.html)" 1
    assert_equal "$(grep -c 'id="base"' a.html)" 1
    snoopi export --to=html -o alone.html new
    run ! grep 'class="base-frames"' alone.html
    run -1 snoopi export --to=html --base=no_such -o c.html new
    assert_not_exist c.html
    run -1 snoopi export --to=html --base=old --after=no_such.jl -o c.html new
    assert_not_exist c.html
}

@test "a flame graph compared to another recording: red grew, blue shrank" {
    sample old 'f(g(h)h)g(h h h)w'
    sample new 'f(g(h h h)h)g(h)'
    snoopi export --to=svg --base=old -o out.svg new
    run -0 xmllint --noout out.svg
    # f grew by g, the root g shrank, h below f stayed; w is gone.
    assert_equal "$(grep -c 'fill="#eeeeee"/>' out.svg)" 1
    assert_equal "$(grep -c 'fill="#f05040"/>' out.svg)" 3 # f, g below it, and the legend's
    run -0 sed -n 's/.*compared to/compared to/p' out.svg
    assert_output --partial 'compared to 170 ns, 9 frames, of which no more: 10 ns'
    assert_file_contains out.svg 'was 30 ns (+200.0 %)'
    assert_file_contains out.svg 'more than before'
    snoopi export --to=svg --base=old -o again.svg new
    cmp out.svg again.svg
    run -2 snoopi export --to=folded --base=old -o out new
    assert_output --partial '--base is for --to=svg'
    run -1 snoopi export --to=svg --base=nothing -o out new
    assert_output --partial 'nothing: no such file'
    snoopi flamegraph --base=old new
    cmp out.svg flamegraph.svg
}
