# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What tools/demo and tools/test share. Sourced with $me set to the name of the program; goes to the checkout's root.

called_from=$PWD
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1

say() {
    echo "${me:?}: $*" >&2
}

fail() {
    say "$*"
    exit 1
}

# step TEXT: says what begins now.
step() {
    n_step=$((${n_step:-0} + 1))
    echo "== $n_step. $*" >&2
}

# need_packages GROUP...: groups of tools/packages.txt; install-packages has said why when it fails.
need_packages() {
    step "packages of Debian that are missing"
    tools/install-packages "$@" || exit 1
}

# need_julia [PATH]: sets $julia to an absolute path, from the argument, the environment, or tools/get-julia.
need_julia() {
    julia=${1:-${SNOOPI_JULIA:-}}
    if [ -n "$julia" ]; then
        found=$(cd "$called_from" && command -v "$julia") || fail "no such program: $julia"
        case $found in
        /*) julia=$found ;;
        *) julia=$called_from/$found ;;
        esac
        step "julia is $julia"
    else
        step "Julia 1.5.3 in .deps"
        tools/get-julia || exit 1
        julia=$root/.deps/julia-1.5.3/bin/julia
    fi
    "$julia" --startup-file=no -e '' </dev/null || fail "$julia does not run"
}

# build PRESET [CMAKE-OPTION...]
build() {
    preset=$1
    shift
    step "building build/$preset"
    mkdir -p build
    log=build/$preset-configure.log
    cmake --preset "$preset" "$@" >"$log" 2>&1 </dev/null || {
        cat "$log" >&2
        fail "configuring the $preset build failed (above, and in $log)"
    }
    cmake --build --preset "$preset" >&2 </dev/null || fail "the $preset build failed (see above)"
}
