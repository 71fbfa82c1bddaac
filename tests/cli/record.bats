#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# record with commands that only pretend to be julia; with a real one: julia.bats.
load helper
setup() { in_own_folder; }

@test "a recording becomes a trace, and its folder goes" {
    run -0 snoopi record -o x sh -c "$(pretend 'f(g).')"
    assert_output --partial 'snoopi: 1 julia process, 2 frames, inference 30 ns of'
    assert_output --partial ' in x'
    assert_equal "$(ls)" x
    run -0 json '[.command, .exit]' snoopi info --format=json x
    assert_output --partial '{"status":0}'
}

@test "the command's output, input and arguments are its own" {
    # shellcheck disable=SC2016
    run -0 --separate-stderr snoopi record sh -c 'cat; echo "$# $1"' sh --help <<<'in'
    assert_output $'in\n1 --help'
    run -0 --separate-stderr snoopi record -- echo -o x
    assert_output -- '-o x'
}

@test "the command's status wins" {
    run -3 snoopi record sh -c 'exit 3'
    run -137 snoopi record sh -c 'kill -9 $$'
    run -130 snoopi record sh -c 'kill -INT $$'
    run -125 snoopi record sh -c 'exit 125'
}

@test "a command that cannot be run" {
    run -127 snoopi record nothing-of-that-name
    assert_output 'snoopi: nothing-of-that-name: no such command in PATH'
    run -127 snoopi record ./nothing
    echo text >text
    run -126 snoopi record ./text
    assert_output --partial 'Permission denied'
    run -126 snoopi record .
    assert_equal "$(ls)" text
}

@test "no julia is told, with reasons, and leaves nothing" {
    run -0 snoopi record true
    assert_line --index 0 'snoopi: no julia process was seen in true, so there is nothing to save'
    assert_line --index 1 --partial 'setuid'
    assert_equal "$(ls)" ''
    echo old >snoopi.data
    run -0 snoopi record true
    assert_line 'snoopi: snoopi.data is of an earlier recording'
}

@test "what a killed recording left is moved aside" {
    mkdir x.parts
    echo kept >x.parts/0.seg
    run -0 snoopi record -o x sh -c "$(pretend f.)"
    assert_line --index 0 --partial 'x.parts was left by an earlier recording; moved to'
    assert_equal "$(cat x.parts.1/0.seg)" kept
    assert_file_exist x
    mkdir x.parts
    run -0 snoopi record -o x true
    assert_dir_exist x.parts.2
}

@test "two recordings into one file at a time are refused" {
    # shellcheck disable=SC2016
    run -0 snoopi record -o x sh -c 'env -u LD_PRELOAD "$SNOOPI_BIN_DIR/snoopi" record -o x touch ran; echo "status $?"'
    assert_line --partial 'x.parts is in use by a recording that still runs'
    assert_line 'status 125'
    assert_file_not_exist ran
}

@test "an output that cannot be written is told before the command runs" {
    run -125 snoopi record -o /nonexistent/x touch ran
    assert_output --partial '/nonexistent/x.parts'
    run -125 snoopi record -o . touch ran
    mkdir d
    run -125 snoopi record -o d touch ran
    assert_output --partial 'd: it is a folder'
    run -2 snoopi record -o - touch ran
    run -2 snoopi record -o '' touch ran
    run -2 snoopi record
    run -2 snoopi record -o x
    assert_file_not_exist ran
}

@test "a trace that cannot be saved keeps the folder, and fails only if the command did well" {
    # The command makes the file's name a folder.
    run -125 snoopi record -o x sh -c "$(pretend f.); mkdir x"
    assert_line --partial 'snoopi recover'
    assert_dir_exist x.parts
    assert_file_exist x.parts/0.seg
    rmdir x
    run -3 snoopi record -o y sh -c "$(pretend f.); mkdir y; exit 3"
    run -0 snoopi recover x
    assert_file_exist x
}

@test "an old trace becomes .old" {
    snoopi record -o x sh -c "$(pretend f.)"
    cp x first
    snoopi record -o x sh -c "$(pretend 'f(g).')"
    cmp x.old first
}

@test "the folder of segments is private" {
    # shellcheck disable=SC2016
    run -0 --separate-stderr snoopi record -o x sh -c 'stat -c %a x.parts'
    assert_output 700
    snoopi record -o x sh -c "$(pretend f.)"
    assert_equal "$(stat -c %a x)" 600
}

@test "the variable says what to record" {
    # shellcheck disable=SC2016
    print='echo "$SNOOPI_RECORD"'
    run -0 --separate-stderr snoopi record -o x sh -c "$print"
    assert_output "v1:$PWD/x.parts"
    run -0 --separate-stderr snoopi record -o x --no-args --no-stacks sh -c "$print"
    assert_output "v1,noargs,nostacks:$PWD/x.parts"
    # shellcheck disable=SC2016
    run -0 --separate-stderr snoopi record -o x --no-children sh -c "$print"' $$'
    assert_output --regexp "^v1,pid=([0-9]+):$PWD/x.parts \1$"
    run -0 --separate-stderr snoopi record -o x --hook=override sh -c "$print"
    assert_output "v1,hook=override:$PWD/x.parts"
}

@test "SIGTERM reaches the command, and what it left is packed" {
    # shellcheck disable=SC2016
    "$SNOOPI_BIN_DIR/snoopi" record -o x sh -c "$(pretend f.)"'; trap "exit 9" TERM; touch ready; while :; do sleep 0.05; done' 3>&- &
    pid=$!
    for ((i = 0; i < 200; i++)); do [ -e ready ] && break; sleep 0.05; done
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    assert_equal $status 9
    assert_file_exist x
}

@test "^C ends the command, not the packing" {
    # Both get the signal, as from a terminal.
    setsid --wait bash -c 'trap : INT
        "$SNOOPI_BIN_DIR/snoopi" record -o x sh -c '\''env -u LD_PRELOAD "$SNOOPI_TEST_BIN_DIR/make_segments" "${SNOOPI_RECORD#*:}" f.; touch ready; sleep 20'\'' &
        for ((i = 0; i < 200; i++)); do [ -e ready ] && break; sleep 0.05; done
        trap "" INT; kill -INT 0; wait $!' 3>&- || true
    sleep 0.2
    assert_file_exist x
    assert_file_not_exist x.parts
}

@test "--repeat makes a file for each run, and moves what would be taken for one" {
    sample x 'f'
    sample x.3 'f'
    sample x.4 'f'
    run -0 snoopi record --repeat=2 -o x sh -c "$(pretend 'f(g)')"
    assert_line --partial 'in x.1'
    assert_line --partial 'in x.2'
    assert_equal "$(echo x*)" 'x.1 x.2 x.3.old x.4.old x.old'
    run -1 snoopi list x
    assert_output 'snoopi: x: no such file, but x.1 is, of a recording that was repeated; name that'
    run -0 json '[.old.recordings, .new.recordings, .new.is_steady]' snoopi diff --format=json x.1 x
    assert_output '[1,2,true]'
}

@test "--repeat ends with the first run that fails" {
    run -7 snoopi record --repeat=5 -o x sh -c "$(pretend 'f'); echo >>runs; [ \$(wc -l <runs) -lt 2 ] || exit 7"
    assert_line 'snoopi: run 2 of 5 ended with status 7; no more are made'
    assert_equal "$(echo x*)" 'x.1 x.2'
}
