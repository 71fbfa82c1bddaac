#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Other compilers than the one that was found at the start: what they infer is recorded and told apart, or is said to be missing.
load agent_helper

setup() {
    need_julia
    in_own_folder
    export LC_ALL=C.UTF-8
}

# version_is CONDITION: of VERSION, in Julia
version_is() {
    julia -e "exit(($1) ? 0 : 1)"
}

said='its compiler was replaced while it ran'
lacking="what another interpreter than the compiler's own inferred is not recorded"

process() {
    json "$1" snoopi info --format=json "$2"
}

@test "a compiler whose functions were redefined is noticed" {
    version_is 'VERSION < v"1.6-"' || return 0 # the timer is one for 1.5; the next one is for all
    # Redefines typeinf and switches to it; without SNOOPI_TRUTH it does not tell the agent.
    record redefined "$SNOOPI_SOURCE_DIR/tests/truth/injected_timer.jl" "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
    run -0 cat redefined.log
    assert_output --partial "$said"
    run -0 process '.processes[0].compiler_replaced, (.complete)' redefined
    assert_output $'true\ntrue'
    run -0 snoopi report redefined
    assert_output --partial "$said"
    # What came before is there, the program is not.
    run -0 frames redefined '[.[] | select(.name == "original_typeinf()")] | length'
    assert_output 1
    run -0 frames redefined '[.[] | select(.name == "g(::Int64)")] | length'
    assert_output 0
}

@test "a compiler that was switched to another world is noticed" {
    record switched "$SNOOPI_SOURCE_DIR/tests/agent/compilers/switched_compiler.jl"
    run -0 cat switched.out
    assert_output done
    run -0 cat switched.log
    assert_output --partial "$said"
    run -0 process '.processes[0].compiler_replaced' switched
    assert_output true
    run -0 frames switched '[.[] | select(.name == "before(::Float64)") | .flags]'
    assert_output '[[]]'
    run -0 frames switched '[.[] | select(.name == "after(::Float64)") | .flags] | . == [] or . == [["tooling"]]'
    assert_output true
}

@test "a compiler that is the one that was found is not said to be replaced" {
    record plain "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
    run -0 process '.processes[0].compiler_replaced, .processes[0].reason' plain
    assert_output $'false\nnull'
    run -1 grep -e "$said" -e "$lacking" plain.log
}

@test "an interpreter of a package's own is told to be missing" {
    record own "$SNOOPI_SOURCE_DIR/tests/agent/compilers/own_interpreter.jl"
    run -0 frames own '[.[] | select(.name == "mine(::Float64)") | .flags]'
    assert_output '[[]]'
    run -0 process '.processes[0].compiler_replaced' own
    assert_output false
    if version_is 'VERSION < v"1.6-"'; then
        run -0 cat own.out
        assert_output none
        run -1 grep "$lacking" own.log
    else
        run -0 cat own.out
        assert_output 'own Int64'
        run -0 cat own.log
        assert_output --partial "$lacking"
        run -0 process '.processes[0].reason' own
        assert_output --partial "$lacking"
        # Its copy of the compiler was inferred by the compiler's own, and that is there.
        run -0 frames own 'any(.[]; .name | test("^((Core\\.)?Compiler\\.)?_?typeinf\\(::OwnInterpreter,"))'
        assert_output true
    fi
}

@test "completion at the prompt is recorded as a tool's, or told to be missing" {
    record completion "$SNOOPI_SOURCE_DIR/tests/agent/compilers/completion.jl"
    run -0 frames completion '[.[] | select(.name == "mine(::Float64)") | .flags]'
    assert_output '[[]]'
    case $(cat completion.out) in
    none)
        run -1 grep -e "$said" -e "$lacking" completion.log
        assert_whole completion
        ;;
    image)
        run -1 grep -e "$said" -e "$lacking" completion.log
        run -0 frames completion 'any(.[]; .flags == ["toplevel", "tooling"])'
        assert_output true
        ;;
    loaded)
        run -0 cat completion.log
        assert_output --partial "$lacking"
        ;;
    *)
        cat completion.out
        return 1
        ;;
    esac
}
