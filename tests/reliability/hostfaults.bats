#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A call to the system that the agent makes within julia fails. The program does not notice, and what was lost is said. Julia takes
# seconds, so a sample of the calls is tried; HOSTFAULTS_STEP=1 tries each.
load ../agent/agent_helper
load reliability_helper

setup_file() {
    need_julia
    in_file_folder
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
}

# recorded NTH: a julia whose agent's n-th call fails; its words are in out, snoopi's in err.
recorded() {
    rm -rf x x.*
    FAIL_CALLER=libsnoopi-agent FAIL_HOW=fail FAIL_NTH=$1 timeout 120 env LD_PRELOAD="$fail_library" \
        "$SNOOPI_BIN_DIR/snoopi" record -o x "$SNOOPI_JULIA" --startup-file=no program.jl >out 2>err 3>&-
}

@test "whatever call of the agent fails, julia does what it does without" {
    cat >program.jl <<'END'
before(x) = sum(abs2, x)
before([1.0, 2.0])
for T in (Int8, Float32, Bool), f in (sort, sum, maximum, repr, unique)
    Base.return_types(f, (Vector{T},))
end
after(x) = x + 1
println(after(1))
exit(6)
END
    run -6 julia program.jl
    assert_output 2
    status=0
    FAIL_COUNT=$PWD/calls recorded 0 || status=$?
    assert_equal $status 6
    local n step nth lost=0
    n=$(stat -c %s calls)
    ((n > 20)) # else this tests nothing
    step=${HOSTFAULTS_STEP:-$((n / 9 + 1))}
    for ((nth = 1; nth <= n; nth += step)); do
        status=0
        recorded "$nth" || status=$?
        assert_equal $status 6
        assert_equal "$(cat out)" 2
        run ! grep -v '^snoopi: ' err
        if [ ! -e x ]; then
            # There is no segment, so nothing says that julia ran; that nothing was seen is said.
            grep -q 'no julia process was seen\|could not be read' err
            ((++lost))
            continue
        fi
        # It is whole, or it says that it is not. Where a hook for another interpreter is what failed, all of the compiler's own is there.
        run -0 json '.processes[0].complete == (.lacks | all(test("what another interpreter than")))' snoopi info --format=json x
        assert_output true
        if [ "$(json '.processes[0].complete' snoopi info --format=json x)" = true ]; then
            run -0 json '[.rows[] | select(.name | startswith("before(") or startswith("after(")) | .count]' \
                snoopi list --module=Main --by=instance --format=json x
            assert_output '[1,1]'
        else
            ((++lost))
        fi
    done
    ((lost > 0)) # calls matter
}
