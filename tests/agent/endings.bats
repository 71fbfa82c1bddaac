#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Inference that is left by a jump, processes that die in it, and hosts that take the agent's files away.
# shellcheck disable=SC2016 # jq's variables
load agent_helper

setup_file() {
    need_julia
    in_file_folder
    # Infers much, so that the segment grows several times.
    cat >much.jl <<'END'
much() = for T in (Int8, Int16, Float32, Float64, Bool), f in (sort, sum, maximum, repr, string, unique, reverse, issorted)
    Base.return_types(f, (Vector{T},))
end
END
    # A hundred functions, each a root.
    cat >hundred.jl <<'END'
for k in 1:100
    name = Symbol("next", k)
    @eval $name(x) = x + $k
    @eval $name(1)
end
END
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
}

# The hundred functions of hundred.jl are there in order, each alone and whole.
assert_hundred() {
    run -0 frames "$1" '[.[] | select(.module == "Main" and (.name | startswith("next")))] | map([.name, .parent, .flags]) == [range(1; 101) | ["next\(.)(::Int64)", null, []]]'
    assert_output true
}

@test "a stack overflow in inference aborts what it left, and nothing else" {
    # The stack of a task is small, so that it is soon over. Later versions need less of it for a level.
    local levels=60
    ! since 1.6 || levels=200
    echo 'bottom() = 0' >bottom.jl
    # From 1.12 on inference needs no stack for a level. There types are compared at the last one, which are too deep for it.
    ! since 1.12 || cat >bottom.jl <<'END'
nest(T, n) = (for _ in 1:n; T = Ref{T}; end; T)
const deep = nest(Int, 3000)
const other_deep = nest(Bool, 3000)
either(b) = b ? deep : other_deep
bottom() = either(true) === deep ? 0 : 1
END
    cat >overflow.jl <<'END'
include("bottom.jl")
vf(::Val{0}) = bottom()
vf(::Val{N}) where {N} = 1 + vf(Val(N - 1))
deeper(n, f) = n == 0 ? Base.invokelatest(f) : deeper(n - 1, f) + 1
fresh1() = 1.5
fresh2() = 2.5
function overflow()
    println(vf(Val(LEVELS)))
    deeper(300, fresh1) # where frames that were left had been
    fresh2()
    include("hundred.jl")
end
before() = 1
before()
t = Task(overflow, 256 * 1024)
schedule(t)
wait(t)
println("end")
END
    sed -i "s/LEVELS/$levels/" overflow.jl
    record overflow overflow.jl
    run -0 cat overflow.out
    assert_output "$levels"$'\nend'
    grep -qE 'StackOverflowError|stack overflow' overflow.log # else this tests nothing
    run -0 frames overflow '[.[] | select(.flags | index("aborted"))] | length > 20, all(.flags | index("unfinished") | not), (map(select(.parent == null)) | map(.name))'
    assert_line --index 0 true
    assert_line --index 1 true
    # From 1.6 to 1.11 each call that is then made at run time is inferred, and has the next overflow.
    local roots='^\["overflow\(\)"\]$'
    ! since 1.6 || since 1.12 || roots='^\["overflow\(\)"(,"vf\(::Val\{[0-9]+\}\)")+\]$'
    assert_line --index 2 --regexp "$roots"
    # What was left of a root is one path, and what is below it that is not on the path had ended.
    run -0 frames overflow 'map(select(.flags | index("aborted"))) | map(.depth) as $d
        | [range($d | length) as $i | $d[$i] == 0 or $d[$i] == $d[$i - 1] + 1] | all'
    assert_output true
    run -0 frames overflow '[.[] | select(.name == "before()" or .name == "fresh1()" or .name == "fresh2()" or (.name | startswith("deeper("))) | [.name, .parent, .flags]]'
    assert_output '[["before()",null,[]],["deeper(::Int64, ::Function)",null,[]],["fresh1()",null,[]],["fresh2()",null,[]]]'
    assert_hundred overflow
    run -0 json '.complete, .processes[0].dropped' snoopi info --format=json overflow
    assert_output $'true\n0'
}

@test "an interrupt that is insisted on aborts what it left, and nothing else" {
    # What Julia does at the fourth SIGINT in a second, once and at a time of our choice: it throws from wherever it is.
    cat >interrupt.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
static void throw_here(int signal)
{
    void (*const jl_throw)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "jl_throw");
    (void)signal;
    jl_throw(*(void **)dlsym(RTLD_DEFAULT, "jl_interrupt_exception"));
}
void interrupt_in(long us)
{
    const struct sigaction action = {.sa_handler = throw_here, .sa_flags = SA_NODEFER};
    const struct itimerval once = {.it_value = {.tv_usec = us}};
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &once, NULL);
}
END
    cc -shared -fPIC -o libinterrupt.so interrupt.c -ldl
    # Nothing but inference: a jump out of code generation is too much for Julia.
    cat >interrupt.jl <<'END'
include("much.jl")
function interrupted()
    try
        ccall((:interrupt_in, "./libinterrupt.so"), Cvoid, (Clong,), 100000)
        much()
        return "not interrupted"
    catch e
        return string("caught ", typeof(e))
    end
end
Base.return_types(sum, (Vector{Complex{Int8}},))
println(interrupted())
include("hundred.jl")
println("end")
END
    # It is not safe for Julia, with or without us. One that crashed, waits for a lock that was jumped out of (of the code generator, seen on
    # 1.11), or caught the exception in between, is tried again.
    local tries=0
    until patience=$((patience / 4)) record interrupt interrupt.jl && grep -q 'caught InterruptException' interrupt.out && grep -q aborted interrupt.jsonl; do
        ((++tries < 10))
    done
    run -0 cat interrupt.out
    assert_output $'caught InterruptException\nend'
    run -0 frames interrupt 'map(select(.flags | index("aborted"))) | length > 0, (map(.depth) | . == [range(length)])'
    assert_output $'true\ntrue'
    assert_hundred interrupt
    run -0 json '.complete, .processes[0].dropped' snoopi info --format=json interrupt
    assert_output $'true\n0'
}

@test "frames that are open when the process is killed are unfinished" {
    cat >kill.jl <<'END'
@generated function deadly(x)
    ccall(:kill, Cint, (Cint, Cint), getpid(), 9)
    return :(x)
end
middle(x) = deadly(x) + 1
outer(x) = middle(x) * 2
before(x) = x + 1
before(1)
outer(1)
END
    run -137 record kill kill.jl
    run -0 frames kill '.[] | select(.module == "Main" and (.flags | index("generator") | not)) | [.name, .below, .flags]'
    assert_output '["before(::Int64)",null,[]]
["outer(::Int64)",null,["unfinished"]]
["middle(::Int64)","outer(::Int64)",["unfinished"]]'
    run -0 json '.processes[0] | .complete, .exit' snoopi info --format=json kill
    assert_output $'false\n{"signal":9}'
    run -0 snoopi info kill
    assert_output --partial 'cut by signal 9 (Killed); what had ended is here, frames that were open are marked unfinished'
}

@test "--no-args leaves no value of an argument in the file" {
    cat >secret.jl <<'END'
secret(a; key = 0x5eC3e7ed5eC3e7ed, word = "hunter2hunter2") = a + key + length(word)
secret(1)
END
    LD_PRELOAD='' record with secret.jl
    run -0 frames with '[.[].args[].value] | map(select(test("hunter2hunter2|5ec3e7ed5ec3e7ed"))) | unique | length'
    refute_output 0 # else this tests nothing
    mkdir -p args noargs
    (
        eval "$(snoopi env --dir "$PWD/args")"
        julia secret.jl
    )
    (
        eval "$(snoopi env --no-args --dir "$PWD/noargs")"
        julia secret.jl
    )
    # In the raw file: the text, the number's bytes.
    local number=$'\xed\xe7\xc3\x5e\xed\xe7\xc3\x5e'
    LC_ALL=C grep -qaF hunter2hunter2 args/*.seg || LC_ALL=C grep -qaF "$number" args/*.seg
    run -1 env LC_ALL=C grep -aF -e hunter2hunter2 -e "$number" noargs/*.seg
    timeout 60 "$SNOOPI_BIN_DIR/snoopi" record --no-args -o without "$SNOOPI_JULIA" --startup-file=no secret.jl
    snoopi export --to=jsonl -o without.jsonl without
    run -0 frames without '([.[].args[]?] | length), any(.[]; .flags | index("constprop") or index("semiconcrete"))'
    assert_output $'0\ntrue'
}

@test "a forked child records nothing, and its parent goes on" {
    # Julia's code generation does not work in the child, but its inference does.
    cat >fork.jl <<'END'
before(x) = x + 1
before(1)
in_child(x) = x + 2
after(x) = x + 3
function go(functions)
    pid = Cint(-1)
    for f in functions # the first makes code of all that the second runs
        pid = f === in_child ? ccall(:fork, Cint, ()) : Cint(-1)
        found = Base.return_types(f, (Int,)) == Any[Int]
        pid == 0 && ccall(:_exit, Cvoid, (Cint,), found ? 23 : 24)
    end
    status = Ref{Cint}(0)
    ccall(:waitpid, Cint, (Cint, Ptr{Cint}, Cint), pid, status, 0)
    return Int(status[]) >> 8
end
println(go(Any[before, in_child]))
after(1)
END
    record fork fork.jl
    run -0 cat fork.out
    assert_output 23
    assert_whole fork
    run -0 frames fork '[.[] | select(.module == "Main") | .name]'
    assert_output '["before(::Int64)","go(::'"$(shown 'Vector{Any}')"')","in_child(::Int64)","after(::Int64)"]'
    run -0 json '.processes | length' snoopi info --format=json fork
    assert_output 1
}

@test "a host that closes all descriptors goes on being recorded" {
    # All but the one that Julia writes its code through, and those by which its threads wake each other, which it has several of from 1.12 on.
    cat >closes.jl <<'END'
include("much.jl")
before(x) = x + 1
before(1)
function close_all()
    for fd in 3:255
        target = try readlink("/proc/self/fd/$fd") catch; "" end
        is_julias = endswith(target, "/mem") || (VERSION >= v"1.12-" && endswith(target, "[eventfd]"))
        is_julias || ccall(:close, Cint, (Cint,), fd)
    end
    return count(fd -> ispath("/proc/self/fd/$fd"), 3:255)
end
open_left = close_all()
much()
after(x) = x + 2
after(1)
ccall(:printf, Cint, (Cstring, Cint...), "%d\n", open_left)
ccall(:fflush, Cint, (Ptr{Cvoid},), C_NULL)
ccall(:_exit, Cvoid, (Cint,), 5)
END
    run -5 julia closes.jl
    printf '%s\n' "${lines[@]}" >plain
    run -5 record closes closes.jl
    diff plain closes.out # and nothing is open that is the agent's
    assert_whole closes
    run -0 frames closes '[.[] | select(.module == "Main" and (.name | test("^(before|after)"))) | .name], length > 2000'
    assert_output $'["before(::Int64)","after(::Int64)"]\ntrue'
    run -0 json '.processes[0].segment_bytes > 200000' snoopi info --format=json closes # it was opened again
    assert_output true
}

@test "at the limit of a file's size the program goes on, and the trace tells" {
    cat >limit.jl <<'END'
include("much.jl")
before(x) = x + 1
before(1)
much()
println("end")
exit(6)
END
    run -6 --separate-stderr timeout 60 "$SNOOPI_BIN_DIR/snoopi" record -o limit sh -c "ulimit -f 200; exec '$SNOOPI_JULIA' --startup-file=no limit.jl"
    assert_output end
    snoopi export --to=jsonl -o limit.jsonl limit
    run -0 frames limit '[.[] | select(.name == "before(::Int64)") | .flags]'
    assert_output '[[]]'
    run -0 json '.processes[0].complete, .processes[0].dropped > 100, (.lacks | length > 0)' snoopi info --format=json limit
    assert_output $'false\ntrue\ntrue'
}

@test "where the folder is removed the program goes on" {
    cat >removed.jl <<'END'
include("much.jl")
rm(last(split(ENV["SNOOPI_RECORD"], ":")); recursive = true)
much()
println("end")
exit(7)
END
    mkdir gone
    eval "$(snoopi env --dir "$PWD/gone")"
    run -7 julia removed.jl
    unset LD_PRELOAD SNOOPI_RECORD
    assert_output end
    [ ! -e gone ]
}
