#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every julia of a command is in one trace, whoever started it, with its parent and its role; and what they make is what they make without.
# shellcheck disable=SC2016 # jq's variables
load ../agent/agent_helper

setup_file() {
    need_julia
    in_file_folder
    cases=$SNOOPI_SOURCE_DIR/tests/cases
    export cases
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8 JULIA=$SNOOPI_JULIA
    unset COLUMNS NO_COLOR
}

# Each process: role without its number, the index of its parent, frames, as lines in order of begin.
processes() {
    json '.processes[] | [(.role | sub(":[0-9]+$"; "")), .parent, .frames > 0, .complete]' snoopi info --format=json "$1"
}

# in_depot DEPOT COMMAND…: with an empty depot of its own, and the package of the case in the load path.
in_depot() {
    local depot=$1
    shift
    mkdir -p "$depot"
    JULIA_DEPOT_PATH=$PWD/$depot JULIA_LOAD_PATH="@stdlib:$cases/10_processes/depot_src" "$@"
}

@test "10: three kinds of process, their parents, and what precompilation inferred" {
    in_depot depot timeout 240 "$SNOOPI_BIN_DIR/snoopi" record -o ten "$SNOOPI_JULIA" --startup-file=no "$cases/10_processes/main.jl" >out 2>log 3>&-
    assert_equal "$(cat out)" $'12.0\n2'
    run -0 json '.processes[].role | select(startswith("precompile:"))' snoopi info --format=json ten
    assert_equal "$(tr -d '"' <<<"$output" | sort)" "$(precompiled depot)"
    run -0 json '.processes[] | select(.role | startswith("precompile:")) | .frames > 0, .complete' snoopi info --format=json ten
    assert_equal "$(sort -u <<<"$output")" true
    run -0 json '.processes[] | select(.role | startswith("precompile:") | not) | [(.role | sub(":[0-9]+$"; "")), .parent, .frames > 0, .complete]' \
        snoopi info --format=json ten
    assert_output '["main",null,true,true]
["worker",0,true,true]
["worker",0,true,true]'
    run -0 json '.processes[] | select(.role == "precompile:PkA") | .parent' snoopi info --format=json ten
    assert_output 0
    # area(::Int64) was inferred where the package was precompiled; main found it in the image, and inferred what it calls it from.
    run -0 json '[.rows[].name] | sort' snoopi list --package=PkA --process=precompile:PkA --by=instance --format=json ten
    assert_output "$(in_depot depot julia -e 'using PkA
        names = [sprint(show, Core.Compiler.specialize_method(which(area, (T,)), Tuple{typeof(area), T}, Core.svec())) for T in (Float64, Int)]
        print(replace(repr(replace.(names, "MethodInstance for " => "")), ", " => ","))')"
    run -0 json '.rows | length' snoopi list --package=PkA --process=main --by=instance --format=json ten
    refute_output 2
    # Each worker inferred the function that was sent to it.
    run -0 json '[.rows[] | select(.name == "busy(::Int64)")] | length' snoopi list --process='worker*' --by=instance --format=json ten
    assert_output 1
    run -0 json '.rows[] | select(.name == "busy(::Int64)") | .count' snoopi list --process='worker*' --by=instance --format=json ten
    assert_output 2
}

@test "precompiled files are what they are without" {
    cat >content.jl <<'END'
# What a package's file brought: each specialization, what was inferred of it, and its code as it is stored.
using PkA
specializations(m::Method) = m.specializations isa Core.SimpleVector ?
    [m.specializations[k] for k in 1:length(m.specializations) if isassigned(m.specializations, k)] : walk(m.specializations)
walk(::Nothing) = []
walk(e::Core.TypeMapEntry) = vcat(Any[e.func], walk(e.next))
walk(l::Core.TypeMapLevel) = mapreduce(walk, vcat, filter(x -> x isa Union{Core.TypeMapEntry, Core.TypeMapLevel}, vcat(l.list, l.any,
    l.arg1 isa Array ? l.arg1 : [], l.targ isa Array ? l.targ : [])); init = Any[])
# The time at which the module was made, which newer versions put into code.
made = bytes2hex(reinterpret(UInt8, [Base.module_build_id(PkA) % UInt64]))
for m in methods(PkA.area), i in unique(specializations(m))
    i isa Core.MethodInstance && isdefined(i, :cache) || continue
    code = i.cache
    inferred = code.inferred # bytes, which from 1.9 on are in a String
    text = inferred isa Union{Vector{UInt8}, String} ? bytes2hex(Vector{UInt8}(inferred)) : string(inferred)
    println(i.specTypes, " ", code.rettype, " ", replace(text, made => "0"^16))
end
END
    local program='using PkA; println(area(2))' name
    # One depot, made anew: its path is in the files.
    for name in plain control recorded; do
        rm -rf depot-ji
        if [ $name = recorded ]; then
            in_depot depot-ji timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o ji "$SNOOPI_JULIA" --startup-file=no -e "$program" >/dev/null 2>&1 3>&-
        else
            in_depot depot-ji julia -e "$program" >/dev/null
        fi
        find depot-ji -name '*.ji' -exec cp {} "$name.ji" \;
        # Read by a julia that is not recorded, and not made again.
        in_depot depot-ji julia content.jl | sort >"$name.content"
        find depot-ji -name '*.ji' -exec cmp {} "$name.ji" \;
    done
    run -0 json '[.processes[].role]' snoopi info --format=json ji
    assert_output '["main","precompile:PkA"]'
    run -0 cat plain.content
    assert_output --regexp 'Tuple\{.*area.*, ?Float64\} Float64 [0-9a-f]+'
    assert_output --regexp 'Tuple\{.*area.*, ?Int64\} Float64 [0-9a-f]+'
    diff plain.content recorded.content
    # Byte for byte, where Julia is deterministic. Versions that order what they write by where it lies in memory are not.
    [ "$(stat -c %s plain.ji)" = "$(stat -c %s recorded.ji)" ]
    if cmp -s plain.ji control.ji; then
        cmp plain.ji recorded.ji
    fi
}

@test "julias of a shell, of make, of another julia, in turn and at once" {
    cat >Makefile <<'END'
all: a b
a b:
	$(JULIA) --startup-file=no -e 'f_$@(x) = x + 1; f_$@(1)'
END
    cat >all.sh <<'END'
"$JULIA" --startup-file=no -e 'g(x) = x; g(1)'
"$JULIA" --startup-file=no -e 'h(x) = x; h(1); run(`$(ENV["JULIA"]) --startup-file=no -e "k(x) = x; k(1)"`)' &
make -s -j2 JULIA="$JULIA" all
wait
END
    timeout 240 "$SNOOPI_BIN_DIR/snoopi" record -o several sh all.sh 2>log 3>&-
    run -0 json '[.processes[] | [.role, .complete]] | unique' snoopi info --format=json several
    assert_output '[["main",true]]'
    run -0 json '[.rows[].name] | sort' snoopi list --module=Main --by=function --format=json several
    assert_output '["f_a","f_b","g","h","k"]'
    # Only the one that a julia started has a parent in the trace.
    run -0 json '[.processes[].parent | select(. != null)] | length' snoopi info --format=json several
    assert_output 1
    run -0 json '.processes as $p | $p[] | select(.parent != null) | [.argv[-1], $p[.parent].argv[-1][:4]]' snoopi info --format=json several
    assert_output '["k(x) = x; k(1)","h(x)"]'
    # Each is a process of its own: none lies in another's frames.
    run -0 json '.totals.frames == ([.rows[].count] | add)' snoopi list --by=process --format=json several
    assert_output true
}

@test "--no-children records the first alone, also behind a shell that becomes it" {
    timeout 120 "$SNOOPI_BIN_DIR/snoopi" record --no-children -o alone sh -c 'exec "$JULIA" --startup-file=no -e "f(x) = x; f(1); run(\`\$(ENV[\"JULIA\"]) --startup-file=no -e 1\`)"' 2>log 3>&-
    run -0 processes alone
    assert_output '["main",null,true,true]'
    # One that it starts is no process of its own.
    run -0 --separate-stderr timeout 120 "$SNOOPI_BIN_DIR/snoopi" record --no-children -o none sh -c '"$JULIA" --startup-file=no -e 1; true' 3>&-
    [ ! -e none ]
}

@test "a process that becomes another program, or another julia" {
    # exec keeps the pid: the julia before it was cut, as nothing could end it.
    timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o became "$SNOOPI_JULIA" --startup-file=no -e 'f(x) = x + 1; f(1)
        ccall(:setenv, Cint, (Cstring, Cstring, Cint), "AGAIN", "1", 1)
        ccall(:execvp, Cint, (Cstring, Ptr{Cstring}), ENV["JULIA"],
            [Base.unsafe_convert(Cstring, s) for s in ("julia", "--startup-file=no", "-e", "g(x) = x; g(1); exit(4)")] |> a -> push!(a, Cstring(C_NULL)))' 2>log 3>&- && status=0 || status=$?
    assert_equal "$status" 4
    run -0 json '[.processes[] | .complete]' snoopi info --format=json became
    assert_output '[false,true]'
    run -0 json '[.processes[].pid] | unique | length' snoopi info --format=json became
    assert_output 1
    run -0 json '[.rows[].name] | sort' snoopi list --module=Main --by=instance --format=json became
    assert_line --partial '"f(::Int64)","g(::Int64)"'
}

@test "tasks and threads: each is a root of its own, and sums are thread time" {
    cat >tasks.jl <<'END'
using Base.Threads
function spin(x) # a task infers while others wait
    s = zero(x)
    for i in 1:100
        s += x * i
        i % 10 == 0 && yield()
    end
    return string(s)
end
tasks = Any[]
for x in (1, 1.0, 1f0, 0x01, big(1))
    push!(tasks, @async spin(x))
    push!(tasks, Threads.@spawn spin((x + x) * 2))
end
foreach(wait, tasks)
println(nthreads(), " ", length(tasks))
END
    JULIA_NUM_THREADS=1 record tasks -t 4 tasks.jl
    assert_equal "$(cat tasks.out)" "$(JULIA_NUM_THREADS=1 julia -t 4 -e 'print(Threads.nthreads())') 10"
    assert_whole tasks
    run -0 frames tasks '[.[] | select(.name | startswith("spin("))] | (length >= 5), (all(.flags | index("aborted") | not))'
    assert_output $'true\ntrue'
    # Frames nest on their own thread, whatever ran beside them.
    run -0 jq -s -c '(map({key: (.id | tostring), value: .}) | from_entries) as $by | map(select(.parent != null))
        | all($by[.parent | tostring] as $p | $p.begin_ns <= .begin_ns and .end_ns <= $p.end_ns and $p.thread == .thread)' tasks.jsonl
    assert_output true
    run -0 json '.totals.busy_ns <= .totals.inference_ns + .totals.tool_ns, ([.rows[].self_ns] | add) == .totals.inference_ns' snoopi list --by=thread --format=json tasks
    assert_output $'true\ntrue'
    # busy is the union of the roots' intervals.
    run -0 jq -s '[.[] | select(.parent == null) | [.begin_ns, .end_ns]] | sort
        | reduce .[] as $i ({sum: 0, to: 0}; ([.to, $i[0]] | max) as $from | if $i[1] > $from then .sum += $i[1] - $from | .to = $i[1] else . end) | .sum' tasks.jsonl
    assert_output "$(json '.totals.busy_ns' snoopi list --format=json tasks)"
}
