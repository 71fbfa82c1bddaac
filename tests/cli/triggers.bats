#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# snoopi triggers, on recordings of real programs; what stacks can say is tests/unit/triggers.
load helper

setup_file() {
    [ -x "$SNOOPI_JULIA" ] || return 0
    cd "$BATS_FILE_TMPDIR" || return 1
    cat >program.jl <<'END'
@inline inner(v) = g(v[1])
function outer(v)
    s = 0
    for k in 1:1
        s += inner(v)
    end
    s
end
@noinline g(x) = x + x + 1
outer(Any[1])
outer(Any[1.5])
latest(x) = x - 1
call_latest() = Base.invokelatest(latest, 3)
call_latest()
evaluate() = @eval evaluated(x) = x * 3
use_eval() = (evaluate(); @eval evaluated(2))
use_eval()
wait(@async println("in a task"))
hinted(x) = x ^ 3
precompile(hinted, (Int8,))
asked(x) = x ^ 2
ask(v) = Core.Compiler.return_type(v[1], Tuple{Float32})
ask(Any[asked])
reflected(x) = x ^ 5
code_typed(reflected, (Int16,))
called_back(x) = x + 2
call_back() = ccall(:jl_call1, Any, (Any, Any), called_back, 3)
call_back()
module Loaded
__init__() = (global loaded = 1)
end
promoted(x, y) = x * y
ask_op(v) = Base.promote_op(v[1], Float32, Int8)
ask_op(Any[promoted])
struct Seen end
Base.show(io::IO, ::Seen) = write(io, "seen")
repr(Any[Seen()])
END
    printf 'using Test\n@testset "set" begin\n    @test 1 + 1 == 2\nend\n' >tested.jl
    "$SNOOPI_BIN_DIR/snoopi" record -o tested "$SNOOPI_JULIA" --startup-file=no tested.jl >/dev/null
    "$SNOOPI_BIN_DIR/snoopi" record -o x "$SNOOPI_JULIA" --startup-file=no program.jl >/dev/null
    "$SNOOPI_BIN_DIR/snoopi" record -o dispatch "$SNOOPI_JULIA" --startup-file=no \
        "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
    "$SNOOPI_BIN_DIR/snoopi" record --no-stacks -o without "$SNOOPI_JULIA" --startup-file=no \
        "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
}

setup() {
    need_julia
    in_own_folder
    PATH=$BATS_FILE_TMPDIR:$PATH
    x=$BATS_FILE_TMPDIR/x
    dispatch=$BATS_FILE_TMPDIR/dispatch
    vector=$(shown 'Vector{Any}')
    # Of statements on one line with semicolons between, some versions note the line before.
    printf 'place() = stacktrace()[2].line\nplace(); print(place() - 2)\n' >place.jl
    line=$((11 + $("$SNOOPI_JULIA" --startup-file=no place.jl)))
}

# The rows of Main, one a line: callee, caller, line, class.
pairs() {
    snoopi triggers --package=Main --format=json "$@" |
        jq -c '.rows[] | [.callee, .caller, .line, .class]' | sort
}

@test "each call that entered inference is told with its caller and line" {
    run pairs "$dispatch"
    assert_line '["i(::Int64)","h(::'"$vector"')",9,"dispatch"]'
    assert_line '["i(::Bool)","h(::'"$vector"')",9,"dispatch"]'
    assert_line '["g(::Int64)",null,'"$line"',"toplevel"]'
    assert_line '["g(::Bool)",null,'"$line"',"toplevel"]'
    assert_equal "${#lines[@]}" 4
}

@test "the site has the whole inlining chain, each place with its line" {
    run -0 json '.rows[] | select(.callee == "g(::Float64)") | [.caller, .line, .class, [.chain[] | [.name, .line, .inlined]]]' \
        snoopi triggers --format=json "$x"
    assert_output '["outer(::'"$vector"')",1,"dispatch",[["inner",1,true],["outer",5,false]]]'
    run -0 snoopi triggers --module=Main "$x"
    assert_line --regexp 'g\(::Float64\) +outer\(::'"${vector//[\{\}]/.}"'\) +.*program.jl:1, inlined at .*program.jl:5 dispatch'
}

@test "each class is told" {
    run pairs "$x"
    assert_line '["latest(::Int64)","call_latest()",13,"eval"]'
    assert_line '["evaluated(::Int64)","use_eval()",16,"eval"]'
    assert_line '["hinted(::Int8)",null,20,"precompile"]'
    assert_line '["asked(::Float32)","ask(::'"$vector"')",22,"return_type"]'
    assert_line '["promoted(::Float32, ::Int8)","ask_op(::'"$vector"')",33,"return_type"]'
    assert_line '["reflected(::Int16)",null,25,"reflection"]'
    assert_line '["called_back(::Int64)","call_back()",27,"ccallback"]'
    assert_line --regexp '^\["(Loaded\.)?__init__\(\)",null,30,"load"\]$'
    assert_line --regexp '#.*,null,18,"task"'
}

@test "the Test package is no caller, unless all are wanted" {
    in_test='[.rows[] | select(.file != null and (.file | endswith("/Test.jl")))] | length > 0'
    run -0 json "$in_test" snoopi triggers --format=json "$BATS_FILE_TMPDIR/tested"
    assert_output false
    run -0 json "$in_test" snoopi triggers --all --format=json "$BATS_FILE_TMPDIR/tested"
    assert_output true
}

@test "totals of all pairs, and of each other key, are the inference of the recording" {
    for by in pair site callee method tree; do
        run -0 json '([.rows[].total_ns] | add) == .totals.inference_ns, ([.rows[].count] | add) == .totals.roots' \
            snoopi triggers --by=$by --format=json "$x"
        assert_output $'true\ntrue'
    done
}

@test "callees and callers are counted" {
    run -0 json '.rows[] | select(.caller == "inner") | [.count, .callees, .callers]' \
        snoopi triggers --by=site --module=Main --format=json "$x"
    assert_output '[2,2,1]'
    run -0 json '.rows[] | select(.caller == "h") | [.callee, .line, .count, .callees, .callers, .class]' \
        snoopi triggers --by=method --format=json "$dispatch"
    assert_output '[null,9,2,2,1,"dispatch"]'
}

@test "below a trigger stands what was triggered while its callee ran" {
    run -0 json '.rows as $r | $r[] | select(.callee | startswith("i(")) | [.callee, $r[.parent].callee, .depth]' \
        snoopi triggers --by=tree --format=json "$dispatch"
    assert_line '["i(::Int64)","g(::Int64)",1]'
    assert_line '["i(::Bool)","g(::Bool)",1]'
}

@test "a caller in the system image has name, file and line, though Julia was not asked" {
    run -0 json '[.rows[] | select(.caller != null and (.caller | contains("show_delim_array")) and .line > 0 and (.file | endswith(".jl")))]
        | length > 0' snoopi triggers --format=json "$x"
    assert_output true
    run -0 json '[.rows[].stack[] | select(.name == "_start" and .line > 0)] | length > 0' \
        snoopi triggers --stack --format=json "$x"
    assert_output true
}

@test "the whole stack is there when it is asked for" {
    run -0 json '.rows[] | select(.callee == "i(::Int64)") | [.stack[] | select(.name == "h" or .name == "g") | .line]' \
        snoopi triggers --stack --format=json "$dispatch"
    assert_output '[9,10]'
    run -0 snoopi triggers --stack --limit=0 "$dispatch"
    assert_line --regexp '^    h at .*01_dispatch.jl:9$'
    run -0 json '.rows[0] | has("stack")' snoopi triggers --format=json "$dispatch"
    assert_output false
}

@test "a recording without stacks says that callers are not known" {
    run -0 snoopi triggers "$BATS_FILE_TMPDIR/without"
    assert_line 'no stacks were recorded: callers are not known'
    run -0 json '[.rows[].caller] | unique' snoopi triggers --format=json "$BATS_FILE_TMPDIR/without"
    assert_output '[null]'
    run -0 json '.rows[] | select(.callee == "i(::Int64)") | [.line, .class]' snoopi triggers --format=json "$BATS_FILE_TMPDIR/without"
    assert_output "[$line,null]"
}

@test "a process that was killed shows its callers" {
    printf 'i(x) = x + 5\nh(a) = i(a[1])\nh(Any[1])\nh(Any[2.5])\nccall(:kill, Cint, (Cint, Cint), getpid(), 9)\n' >killed.jl
    run -137 snoopi record -o x "$SNOOPI_JULIA" --startup-file=no killed.jl
    run pairs x
    assert_line '["i(::Int64)","h(::'"$vector"')",2,"dispatch"]'
}
