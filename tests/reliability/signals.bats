#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Ways to end that only the kernel or a terminal has, and all of tests/cases/11_endings.sh: the status is the command's, frames that
# ended are there, what was cut is said.
load ../agent/agent_helper

setup_file() {
    need_julia
    in_file_folder
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
    PATH=$(dirname "$SNOOPI_JULIA"):$PATH
    unset COLUMNS NO_COLOR
}

# A julia that has one frame of its own, says so by a file, and waits. By another file it says that it ends in order: that its exit hooks ran.
# All is compiled before: Julia 1.5.3 at times ends by SIGSEGV if it is asked to end while it compiles (5 of 60 times, not recorded).
waiting='hook() = touch("hooks"); precompile(hook, ()); atexit(hook); e1(x) = sum(abs2, x); e1([1.0, 2.0])
stay() = (sleep(0.01); touch("ready"); while true; sleep(0.1); end); stay()'

# true or false, of the last julia that was to say so.
ended_in_order() {
    [ -e hooks ] && echo true || echo false
}

# How a julia that is not recorded ends at SIGTERM: by exit with a status of its own, or, as newer versions, of the signal.
end_at_term() {
    rm -f ready hooks
    python3 - "$SNOOPI_JULIA" --startup-file=no -e "$waiting" 2>/dev/null 3>&- <<'END'
import os, subprocess, sys, time
julia = subprocess.Popen(sys.argv[1:])
while not os.path.exists("ready") and julia.poll() is None:
    time.sleep(0.05)
julia.terminate()
status = julia.wait()
print('{"signal":%d}' % -status if status < 0 else '{"status":%d}' % status)
END
    rm -f ready
}

until_ready() {
    for ((wait = 0; wait < 1200; wait++)); do
        [ -e ready ] && return
        sleep 0.05
    done
    return 1
}

# Julia's end at a signal, which comes over the first thread wherever that is, can get stuck, as its source says: seen on 1.8 and 1.9 without
# us. Such a one is tried again.
record_ending() {
    local tries=0 status
    while true; do
        status=0
        timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o "$1" sh "$SNOOPI_SOURCE_DIR/tests/cases/11_endings.sh" "$1" 3>&- || status=$?
        [ "$1" = term ] && [ $status = 124 ] && ((++tries < 3)) || return $status
    done
}

# The frame is in NAME, whole; the process is complete, or it is cut.
assert_frame() {
    run -0 json '[.rows[] | select(.name == "e1(::'"$(shown 'Vector{Float64}')"')") | .count]' snoopi list --module=Main --format=json "$1"
    assert_output '[1]'
    run -0 json '.processes[0].complete' snoopi info --format=json "$1"
    assert_output "$2"
}

@test "11: each ending keeps its status, the frames that ended, and a word on what was cut" {
    local at_term
    end_at_term >/dev/null
    at_term=$(ended_in_order)
    while read -r case status complete frame; do
        run "-$status" --separate-stderr record_ending "$case"
        printf '%s\n' "${stderr_lines[@]}" >"$case.err"
        if [ "$complete" = none ]; then
            [ ! -e "$case" ]
            grep -q 'no julia process was seen' "$case.err"
        elif [ "$frame" = yes ]; then
            assert_frame "$case" "$complete"
        else
            run -0 json '.processes[0].complete' snoopi info --format=json "$case"
            assert_output "$complete"
        fi
        [ "$complete" != false ] || grep -q 'cut' "$case.err"
    done <<END
normal 0 true yes
exit3 3 true yes
throw 1 true yes
c_exit 5 true yes
c__exit 6 true yes
abort 134 false yes
term 143 $at_term yes
kill 137 false yes
overflow 1 true yes
noinfer 0 true no
empty 0 true no
version 0 none no
END
    grep -q 'inference was off' noinfer.err
}

@test "^C at a terminal ends julia, and the recording is kept" {
    rm -f ready
    cat >type.py <<'END'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
def drain():
    try:
        while os.read(terminal, 4096):
            pass
    except OSError: # the last one that had it has gone
        pass
import threading
threading.Thread(target=drain, daemon=True).start()
deadline = time.monotonic() + 60
while not os.path.exists("ready") and time.monotonic() < deadline:
    time.sleep(0.05)
# The terminal sends SIGINT to all that is in its foreground: julia, and snoopi. One that meets a julia which waits may end a task of
# its own instead of the program, with or without us; so it is typed again, as people do.
ended = 0
while not ended and time.monotonic() < deadline + 40:
    os.write(terminal, b"\x03")
    for _ in range(40):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.05)
print(os.waitstatus_to_exitcode(status) if ended else "it did not end")
END
    run -0 timeout 120 python3 type.py "$SNOOPI_BIN_DIR/snoopi" record -o typed "$SNOOPI_JULIA" --startup-file=no -e "$waiting"
    # As without: an InterruptException ends a script with 130 by signal, or 1 by its message.
    [ "$output" = 1 ] || [ "$output" = 130 ]
    [ ! -e typed.parts ]
    run -0 json '[.rows[] | select(.name == "e1(::'"$(shown 'Vector{Float64}')"')") | .count]' snoopi list --module=Main --format=json typed
    assert_output '[1]'
}

@test "a terminal that goes away takes julia with it, and the recording is kept" {
    rm -f ready
    setsid "$SNOOPI_BIN_DIR/snoopi" record -o hup "$SNOOPI_JULIA" --startup-file=no -e "$waiting" >/dev/null 2>hup.err 3>&- &
    local pid=$! status=0
    until_ready
    kill -HUP $pid
    wait $pid || status=$?
    assert_equal $status 129
    assert_frame hup false
}

@test "SIGTERM is passed on, and the status is that of the signal" {
    local expected
    expected=$(end_at_term)
    rm -f hooks
    "$SNOOPI_BIN_DIR/snoopi" record -o terminated "$SNOOPI_JULIA" --startup-file=no -e "$waiting" >/dev/null 2>terminated.err 3>&- &
    local pid=$! status=0
    until_ready
    kill -TERM $pid
    wait $pid || status=$?
    assert_equal $status 143
    assert_frame terminated "$(ended_in_order)"
    run -0 json '.exit' snoopi info --format=json terminated
    assert_output "$expected"
}

@test "a julia that ends in order at a signal is whole, and tells itself how it ended" {
    # Behind a shell that goes on: record sees the end of the command alone. A script, for which ^C is no exception.
    cat >asked.jl <<'END'
last(x) = x + 1
atexit(() -> (last(1); touch("hooks")))
run(`sh end.sh $(ARGS[1]) $(getpid())`; wait = false)
sleep(60)
END
    cat >end.sh <<'END'
exec >/dev/null 2>&1
sleep 0.5
kill "-$1" "$2"
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 1
    kill -0 "$2" || exit
done
kill -KILL "$2" # it is stuck
END
    ulimit -c 0
    for signal in INT QUIT TERM; do
        local expected='{"signal":9}' tries=0
        until [ "$expected" != '{"signal":9}' ]; do
            ((++tries < 4))
            run -0 python3 -c 'import subprocess, sys
status = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
print("{\"signal\":%d}" % -status if status < 0 else "{\"status\":%d}" % status)' "$SNOOPI_JULIA" --startup-file=no asked.jl $signal
            expected=$output
        done
        for tries in 1 2 3; do
            rm -f hooks
            run -7 timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o asked sh -c '"$0" --startup-file=no asked.jl "$1"; exit 7' "$SNOOPI_JULIA" $signal 3>&-
            [ -e hooks ] && ! grep -q cut <<<"$output" && break # else it may be that it was stuck
        done
        run -0 json '.processes[0].complete' snoopi info --format=json asked
        assert_output "$(ended_in_order)"
        [ -e hooks ] || continue # Julia 1.11.1 ends by the signal without
        run -0 json '.processes[0].exit' snoopi info --format=json asked
        assert_output "$expected"
        run -0 json '[.rows[] | select(.name == "last(::Int64)") | .count > 0]' snoopi list --module=Main --format=json asked
        assert_output '[true]'
    done
}

@test "a signal that is raised and does not end julia is no end" {
    # Loaded before all else, so that it finds raise where julia itself does. Julia blocks SIGTERM in all of its threads but one.
    echo '#include <signal.h>
int raises(int signal) { return raise(signal); }' >raises.c
    cc -shared -fPIC -o libraises.so raises.c
    cat >raises.jl <<'END'
println(ccall((:raises, "./libraises.so"), Cint, (Cint,), 15))
later(x) = x + 1
later(1)
ccall(:kill, Cint, (Cint, Cint), getpid(), 9)
END
    LD_PRELOAD=$PWD/libraises.so run -137 --separate-stderr timeout 60 "$SNOOPI_BIN_DIR/snoopi" record -o raises "$SNOOPI_JULIA" --startup-file=no raises.jl
    assert_output 0
    run -0 json '.processes[0] | .complete, .exit' snoopi info --format=json raises
    assert_output $'false\n{"signal":9}'
    run -0 json '[.rows[] | select(.name == "later(::Int64)") | .count]' snoopi list --module=Main --format=json raises
    assert_output '[1]'
}

@test "a snoopi that is killed leaves the program running, and recover saves all of it" {
    rm -f ready go
    "$SNOOPI_BIN_DIR/snoopi" record -o killed "$SNOOPI_JULIA" --startup-file=no -e 'e1(x) = sum(abs2, x); e1([1.0, 2.0]); touch("ready")
        while !ispath("go"); sleep(0.05); end; later(x) = x + 1; later(2); touch("done")' >/dev/null 2>&1 3>&- &
    local pid=$!
    until_ready
    kill -KILL $pid
    wait $pid || true
    [ ! -e killed ]
    touch go
    for ((wait = 0; wait < 1200; wait++)); do
        [ -e done ] && break
        sleep 0.05
    done
    # It ends in order some time after its last word.
    for ((wait = 0; wait < 200; wait++)); do
        snoopi recover killed >/dev/null 2>recover.err
        [ "$(json '.processes[0].complete' snoopi info --format=json killed)" = true ] && break
        sleep 0.05
    done
    assert_frame killed true
    run -0 json '[.rows[].name]' snoopi list --module=Main --format=json --by=function killed
    assert_output --partial 'later'
    # Its own status was told by julia itself.
    run -0 json '.processes[0].exit' snoopi info --format=json killed
    assert_output '{"status":0}'
}

@test "a daemon that outlives the command does not make record wait for ever" {
    # In a session of its own, without a terminal or parent, as daemons are.
    run -7 --separate-stderr timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o daemon sh -c 'setsid "$0" --startup-file=no -e "e1(x) = sum(abs2, x); e1([1.0, 2.0]); touch(\"up\"); sleep(20)" </dev/null >/dev/null 2>&1 3>&- &
        while [ ! -e up ]; do sleep 0.05; done; exit 7' "$SNOOPI_JULIA"
    [[ $stderr == *'the command left julia running: 1 process (pid '*'packing what is recorded so far'* ]]
    assert_frame daemon false
    run -0 json '.processes[0].pid' snoopi info --format=json daemon
    kill -KILL "$output" 2>/dev/null || true
}
