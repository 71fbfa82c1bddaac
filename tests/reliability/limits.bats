#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What runs out, and what is too much. The program does what it would without; what was lost is counted and said.
# shellcheck disable=SC2016 # jq's variables
load ../agent/agent_helper
load reliability_helper

setup_file() {
    need_julia
    in_file_folder
    cat >much.jl <<'END'
before(x) = x + 1
before(1)
for T in (Int8, Int16, Float32, Float64, Bool), f in (sort, sum, maximum, repr, string, unique, reverse, issorted)
    Base.return_types(f, (Vector{T},))
end
after(x) = x + 2
after(1)
println("end")
exit(6)
END
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

# The program's own words and status, whatever became of the recording.
assert_unharmed() {
    assert_equal "$status" 6
    assert_equal "$output" end
}

# A disk of so many kilobytes at "disk". Without the right to mount one, the agent's calls fail as they would on it.
mount_disk() {
    mkdir -p disk
    mount -t tmpfs -o size="$1k" tmpfs disk
}

teardown() {
    if mountpoint -q disk 2>/dev/null; then
        umount disk
    fi
}

@test "a full disk is no SIGBUS: frames that were written are there, the others are counted" {
    local folder=$PWD/disk
    if mount_disk 100 2>/dev/null; then
        run -6 --separate-stderr timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o disk/full "$SNOOPI_JULIA" --startup-file=no much.jl 3>&-
    else
        # The fourth chunk and all after it: as the shim fails one call, a limit of the file's size stands for the rest.
        run -6 --separate-stderr timeout 120 sh -c 'ulimit -f 200; exec "$0" record -o disk/full "$1" --startup-file=no much.jl' "$SNOOPI_BIN_DIR/snoopi" "$SNOOPI_JULIA" 3>&-
    fi
    assert_unharmed
    # There is no room for the trace either, as a rule: then the parts are kept, and saved elsewhere.
    [[ $stderr == *'could not be written'* || $stderr == *'No space left'* || $stderr == *'File too large'* ]]
    [ -e disk/full ] || run -0 snoopi recover "$folder/full.parts" -o full
    [ ! -e disk/full ] || cp disk/full full
    run -0 json '.processes[0] | .complete, .dropped > 100, .exit' snoopi info --format=json full
    assert_line --index 0 false
    assert_line --index 1 true
    run -0 json '[.rows[] | [.name, .count]]' snoopi list --module=Main --by=instance --format=json full
    assert_output --partial '["before(::Int64)",1]'
    # What it says in words.
    run -0 snoopi report full
    assert_output --partial 'could not be written'
}

@test "no file descriptor is left: the program is unharmed, and it is said" {
    # All that are free are taken before the agent needs its second chunk.
    cat >taken.jl <<'END'
while ccall(:dup, Cint, (Cint,), 0) >= 0 end
for T in (Int8, Int16, Float32, Float64, Bool), f in (sort, sum, maximum, repr, string, unique, reverse, issorted)
    Base.return_types(f, (Vector{T},))
end
ccall(:puts, Cint, (Cstring,), "end")
ccall(:fflush, Cint, (Ptr{Cvoid},), C_NULL)
ccall(:_exit, Cvoid, (Cint,), 6)
END
    run -6 --separate-stderr timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o taken sh -c 'ulimit -n 64; exec "$0" --startup-file=no taken.jl' "$SNOOPI_JULIA" 3>&-
    assert_unharmed
    [[ $stderr == *'frames could not be written'* ]]
    run -0 json '.processes[0] | .complete, .dropped > 100' snoopi info --format=json taken
    assert_output $'false\ntrue'
}

@test "an output that may not be written is told before, and the program does not run" {
    mkdir -p closed
    # Root may write all; what no one may write into is a folder that is not there.
    run -125 snoopi record -o closed/none/x touch ran
    [ ! -e ran ]
    assert_output --partial 'cannot make the folder'
    if mount_disk 100 2>/dev/null && mount -o remount,ro disk; then
        run -125 snoopi record -o disk/x touch ran
        assert_output --partial 'Read-only file system'
        [ ! -e ran ]
    fi
}

@test "without a folder for temporary files, all but what needs one goes on" {
    run -6 --separate-stderr env TMPDIR=/nonexistent timeout 120 "$SNOOPI_BIN_DIR/snoopi" record -o notmp "$SNOOPI_JULIA" --startup-file=no much.jl 3>&-
    assert_unharmed
    snoopi export --to=jsonl -o notmp.jsonl notmp
    assert_whole notmp
    run -0 env TMPDIR=/nonexistent "$SNOOPI_BIN_DIR/snoopi" list notmp
    # A segment that is looked at directly is packed into a temporary file.
    mkdir -p one
    (
        eval "$(snoopi env --dir "$PWD/one")"
        julia -e 'f(x) = x; f(1)'
    )
    run -1 env TMPDIR=/nonexistent "$SNOOPI_BIN_DIR/snoopi" list one/*.seg
    assert_output --partial '/nonexistent: no temporary file'
    run -1 env TMPDIR=/nonexistent "$SNOOPI_BIN_DIR/snoopi" list one
    assert_output --partial '/nonexistent'
}

@test "a wall clock that steps changes no duration" {
    # The shim has the clock go back an hour in the middle of the program.
    cat >step.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static int calls;
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    }
    const int status = next(clock, t);
    if (clock == CLOCK_REALTIME && ++calls % 2 == 0) {
        t->tv_sec -= 3600;
    }
    return status;
}
END
    cc -shared -fPIC -o libstep.so step.c -ldl
    run -6 --separate-stderr timeout 120 env LD_PRELOAD="$PWD/libstep.so" ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" "$SNOOPI_BIN_DIR/snoopi" record -o stepped "$SNOOPI_JULIA" --startup-file=no much.jl 3>&-
    assert_unharmed
    run -0 json '.processes[0] | .wall_ns < 300000000000, .inference_ns <= .wall_ns' snoopi info --format=json stepped
    assert_output $'true\ntrue'
    snoopi export --to=jsonl -o stepped.jsonl stepped
    run -0 frames stepped 'all(.begin_ns <= .end_ns)'
    assert_output true
}

@test "ten thousand levels are shown as deep as they are, by everything that reads them" {
    "$SNOOPI_TEST_BIN_DIR/make_hostile" deep.parts deep
    snoopi pack deep.parts -o deep 2>/dev/null
    local to
    for to in folded json jsonl csv chrome speedscope pprof svg html; do
        snoopi export --to=$to -o deep.$to deep
        [ -s deep.$to ]
    done
    run -0 jq -s 'map(.depth) | max' deep.jsonl
    assert_output 9999
    run -0 json '.totals | .frames, .inference_ns' snoopi list --format=json deep
    assert_output $'10000\n199990'
    # Inclusive times of a recursion are counted once.
    run -0 json '[.rows[].total_ns] | max' snoopi list --format=json --by=instance deep
    assert_output 199990
    snoopi tree --limit=0 deep >/dev/null
    snoopi tree --inverted deep >/dev/null
    snoopi diff deep deep >/dev/null
    snoopi report deep >/dev/null
}

@test "names of a megabyte are told apart, and cut to the width of a terminal" {
    "$SNOOPI_TEST_BIN_DIR/make_hostile" names.parts names
    snoopi pack names.parts -o names 2>/dev/null
    run -0 json '.rows | length, (map(.name | length) | unique), (map(.name[:1]) | sort)' snoopi list --by=method --format=json names
    assert_output $'4\n[1048576]\n["a","b","c","d"]'
    local to
    for to in folded jsonl csv chrome speedscope svg html; do
        snoopi export --to=$to -o names.$to names
    done
    # A terminal gets a line of its width for each.
    script -qec "stty cols 100; '$SNOOPI_BIN_DIR/snoopi' list --color=never --by=method names" /dev/null >table </dev/null
    (($(tr -d '\r' <table | wc -L) <= 100))
}

@test "a million instances are packed and listed in bounded memory" {
    [ -z "$SNOOPI_SANITIZE" ] || return 0 # sanitizers take memory of their own
    "$SNOOPI_TEST_BIN_DIR/make_hostile" wide.parts wide
    # Of address space: definitions of a million instances are 150 MB, their keys as much again.
    (
        ulimit -v 2000000
        snoopi pack wide.parts -o wide 2>/dev/null
        snoopi list --by=instance --limit=3 --format=json wide >wide.json
    )
    run -0 jq -c '.totals.frames, .totals.instances, (.rows | length)' wide.json
    assert_output $'1000000\n1000000\n3'
    rm -r wide.parts wide
}
