#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Exports, read by programs that others wrote (tools/get-consumers), of recordings with names that break tools: those of case 05, and the nested
# types of case 06.
load ../cli/helper

setup_file() {
    need_julia
    "$SNOOPI_SOURCE_DIR/tools/get-consumers"
    cd "$BATS_FILE_TMPDIR" || return 1
    local case
    for case in 05_names 06_nested_types; do
        "$SNOOPI_BIN_DIR/snoopi" record -o "$case" -- "$SNOOPI_JULIA" --startup-file=no "$SNOOPI_SOURCE_DIR/tests/cases/$case.jl"
        tell "$case" "$case"
    done
    tell 05_names.part 05_names --package=Base
    tell 06_nested_types.part 06_nested_types --package=Main # newer versions infer nothing of Base there
    "$SNOOPI_BIN_DIR/snoopi" record -o 01_dispatch -- "$SNOOPI_JULIA" --startup-file=no "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
}

# tell NAME TRACE OPTION...: what snoopi itself says, as NAME.jsonl and NAME.KEY.list
tell() {
    local by
    "$SNOOPI_BIN_DIR/snoopi" export --to=jsonl -o "$1.jsonl" "${@:2}"
    for by in instance method function module package file process thread; do
        "$SNOOPI_BIN_DIR/snoopi" list --by=$by --format=json --limit=0 "${@:2}" >"$1.$by.list"
    done
    "$SNOOPI_BIN_DIR/snoopi" triggers --stack --format=json --limit=0 "${@:2}" >"$1.triggers"
}

setup() {
    in_own_folder
    consumers=$SNOOPI_SOURCE_DIR/.deps/consumers
}

# check FORMAT FILE CASE
check() {
    python3 "$SNOOPI_SOURCE_DIR/tests/consumers/check_export.py" "$1" "$2" "$BATS_FILE_TMPDIR/$3.jsonl" \
        "$BATS_FILE_TMPDIR/$3".{instance,method,function,module,package,file,process,thread}.list \
        "$BATS_FILE_TMPDIR/$3.triggers"
}

# each FUNCTION: runs it on both recordings
each() {
    local case
    for case in 05_names 06_nested_types; do
        "$1" "$case" "$BATS_FILE_TMPDIR/$case"
    done
}

in_pprof() {
    snoopi export --to=pprof -o profile "$2"
    "$consumers/bin/pprof" -raw profile >raw
    check pprof raw "$1"
    # -top shows whole names: a function's arguments are not cut
    "$consumers/bin/pprof" -top -nodecount=1000000 -nodefraction=0 profile >top
    jq -r 'select(.module == "Main") | .name' "$2.jsonl" | while read -r name; do
        grep -qF -- "  $name" top || { echo "pprof does not show $name"; return 1; }
    done
}
@test "Google's pprof reads samples, names and labels" {
    each in_pprof
}

@test "Google's pprof reads the stacks above the frames, and the sums stay" {
    local trace=$BATS_FILE_TMPDIR/05_names
    snoopi export --to=pprof --stacks -o profile "$trace"
    "$consumers/bin/pprof" -raw profile >raw
    check pprof raw 05_names
    snoopi export --to=pprof --stacks -o again "$trace"
    cmp profile again
    # Who called what is inferred at run time is who snoopi says it is.
    trace=$BATS_FILE_TMPDIR/01_dispatch
    snoopi export --to=pprof --stacks -o profile "$trace"
    "$consumers/bin/pprof" -traces profile >traces
    run -0 awk '/^ .* i\(::Bool\)$/ { inside = 1 } /^---/ { if (inside) print callers; inside = 0; callers = "" }
        inside && $NF ~ /^[hg]$/ { callers = callers $NF }' traces
    assert_equal "$(sort -u <<<"$output")" hg
    "$consumers/bin/pprof" -peek '^h$' profile >peek
    run -0 grep -F '| ' peek
    assert_line --regexp '[|] h$'
    assert_line --regexp '[|]   g$'
}

@test "protoc decodes every field of pprof, and system_name is another one" {
    snoopi export --to=pprof -o profile "$BATS_FILE_TMPDIR/05_names"
    zcat profile | protoc --decode=perftools.profiles.Profile \
        --proto_path=/usr/share/gocode/src/github.com/google/pprof/proto profile.proto >text
    run -1 grep -nE '^ *[0-9]+:' text # fields that it does not know
    run -0 awk '/^function/ { inside = 1 } /^  name:/ && inside { name = $2 } /^  system_name:/ && inside { n++; same += $2 == name; inside = 0 } END { print (n > 100), same + 0 }' text
    assert_output '1 0'
    run -0 grep -c '^string_table' text
    run -0 grep -m 1 '^string_table' text
    assert_output 'string_table: ""'
}

@test "pprof's default is what was asked to weigh by" {
    snoopi export --to=pprof --weight=count -o profile "$BATS_FILE_TMPDIR/06_nested_types"
    run -0 "$consumers/bin/pprof" -top profile
    assert_output --partial 'Type: frames'
    run -0 "$consumers/bin/pprof" -top -sample_index=inference -tagfocus=process=main profile
    assert_output --partial 'Type: inference'
    run -0 "$consumers/bin/pprof" -comments profile
    assert_output --partial '06_nested_types.jl'
}

@test "what tmin leaves out stays in pprof as its caller's own" {
    sample a 'f(g(h)g)F'
    snoopi export --to=pprof --tmin=15ns -o profile a
    "$consumers/bin/pprof" -raw profile >raw
    run -0 sed -n '/^Samples/,/^Locations/p' raw
    assert_line --regexp '^ +30 +1: 1 $'
    assert_line --regexp '^ +30 +2: 2 1 $' # the first g, with its h
    assert_line --regexp '^ +10 +1: 2 1 $' # the second, which is of other flags
}

in_speedscope() {
    local weight
    for weight in time count; do
        snoopi export --to=speedscope --weight=$weight -o out.json "$2"
        "$consumers/npm/node_modules/.bin/ajv" validate --spec=draft7 --strict=false -s "$consumers/speedscope.schema.json" -d out.json
        check speedscope out.json "$1"
    done
}
@test "speedscope's schema holds, events nest, times add up" {
    each in_speedscope
}

in_chrome() {
    local weight
    for weight in time count; do
        snoopi export --to=chrome --weight=$weight -o out.json "$2"
        check chrome out.json "$1"
    done
}
@test "chrome's events are strict JSON and nest on each track" {
    each in_chrome
}

in_folded() {
    snoopi export --to=folded -o out "$2"
    perl "$consumers/bin/flamegraph.pl" --minwidth 0 --hash --countname ns out >out.svg
    check folded out.svg "$1"
}
@test "flamegraph.pl draws folded stacks" {
    each in_folded
}

in_svg() {
    snoopi export --to=svg -o out.svg "$2"
    check svg out.svg "$1"
    snoopi flamegraph -o - "$2" | cmp - out.svg
}
@test "svg is XML without anything of the trace's in its script" {
    each in_svg
}

# every CASE NAME OPTION...: each format of the case against what tell NAME has
every() {
    local form
    for form in folded json jsonl csv chrome speedscope pprof svg html sqlite; do
        snoopi export --to=$form "${@:3}" -o out "$BATS_FILE_TMPDIR/$1"
        case $form in
        folded) perl "$consumers/bin/flamegraph.pl" --minwidth 0 --hash --countname ns out >read ;;
        pprof) "$consumers/bin/pprof" -raw out >read ;;
        *) cp out read ;;
        esac
        check $form read "$2" || { echo "$form ${*:3}"; return 1; }
        rm out read
    done
}
@test "totals in every format are those of list" {
    every 05_names 05_names
    every 06_nested_types 06_nested_types
}

@test "totals in every format are those of list where a part was asked for" {
    every 05_names 05_names.part --package=Base
    every 06_nested_types 06_nested_types.part --package=Main
}

in_sqlite() {
    snoopi export --to=sqlite -o out.db "$2"
    run -0 sqlite3 out.db 'PRAGMA integrity_check; PRAGMA foreign_key_check'
    assert_output ok
    check sqlite out.db "$1"
}
@test "sqlite is whole, and its views are what list says" {
    each in_sqlite
}

@test "several threads and processes keep their tracks" {
    # Process 0 has two threads that infer at the same time; on thread 0 of process 1 nothing overlaps.
    sample a 'f(g(h)g) w(f)|f(gh) h' 't(f)'
    snoopi export --to=speedscope -o out.json a
    "$consumers/npm/node_modules/.bin/ajv" validate --spec=draft7 --strict=false -s "$consumers/speedscope.schema.json" -d out.json
    run -0 jq -c '[.profiles[] | [.name, (.events | length)]]' out.json
    assert_output '[["process 0 main, thread 0",12],["process 0 main, thread 1",8],["process 1 main, thread 0",4]]'
    snoopi export --to=chrome -o out.json a
    run -0 jq -c '[.traceEvents[] | select(.name == "thread_name") | [.pid, .tid, .args.name]]' out.json
    assert_output '[[1,1,"thread 0"],[1,2,"thread 1"],[2,1,"thread 0"]]'
}

@test "the queries of docs/sqlite.md run, and their answers add up" {
    snoopi export --to=sqlite -o out.db "$BATS_FILE_TMPDIR/05_names"
    run -0 python3 "$SNOOPI_SOURCE_DIR/tests/consumers/run_queries.py" "$SNOOPI_SOURCE_DIR/docs/sqlite.md" out.db
    assert_output --regexp '^1[0-9] queries'
}
