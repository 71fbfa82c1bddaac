#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The agent stands between a program and its loader, and neither is to notice.
# shellcheck disable=SC2016 # $ORIGIN is the loader's
load agent_helper

setup_file() {
    need_julia
    in_file_folder
    mkdir -p hidden parts

    # libfound.so is found by the RUNPATH of libfinder.so alone.
    echo 'int found(void) { return 42; }' >found.c
    cat >finder.c <<'END'
#include <dlfcn.h>
#include <stddef.h>
int finder(void)
{
    void *const library = dlopen("libfound.so", RTLD_NOW);
    int (*const found)(void) = library == NULL ? NULL : (int (*)(void))dlsym(library, "found");
    return found == NULL ? -1 : found();
}
END
    # A preloaded library that goes on to the next definition; were dlsym's caller another, that would be its own.
    cat >wrapper.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int puts(const char *text)
{
    int (*const next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "puts");
    printf("wrapped: ");
    return next == NULL || next == puts ? -1 : next(text);
}
END
    cat >program.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
static void tell(const char *what, const void *result)
{
    char text[256] = "";
    const char *const error = dlerror();
    if (error != NULL) {
        strncpy(text, error, sizeof text - 1); /* the next call frees it */
    }
    const char *const again = dlerror();
    printf("%s: %s, %s, %s\n", what, result == NULL ? "null" : "there", error == NULL ? "no error" : text,
           again == NULL ? "told once" : again);
}
int main(void)
{
    void *const finder = dlopen("./libfinder.so", RTLD_NOW);
    tell("libfinder.so", finder);
    printf("by RUNPATH: %d\n", ((int (*)(void))dlsym(finder, "finder"))());
    tell("found without RUNPATH", dlopen("libfound.so.1", RTLD_NOW));
    tell("no such symbol", dlsym(finder, "no_such_symbol"));
    tell("no such symbol by default", dlsym(RTLD_DEFAULT, "no_such_symbol"));
    tell("a symbol", dlsym(RTLD_DEFAULT, "printf"));
    tell("no such library", dlopen("libnosuch.so.9", RTLD_LAZY));
    tell("no such version", dlvsym(RTLD_DEFAULT, "printf", "GLIBC_9"));
    errno = 4711;
    (void)dlsym(RTLD_DEFAULT, "printf");
    printf("errno %d\n", errno);
    (void)dlsym(finder, "no_such_symbol");
    (void)dlsym(finder, "finder"); /* a success leaves no error behind */
    tell("after a success", finder);
    printf("main program: %d\n", dlopen(NULL, RTLD_NOW) != NULL);
    fflush(stdout);
    puts("done");
    return 0;
}
END
    cc -shared -fPIC -o hidden/libfound.so found.c
    cc -shared -fPIC -o libfinder.so finder.c -Wl,--enable-new-dtags,-rpath,'$ORIGIN/hidden' -ldl
    cc -shared -fPIC -o libwrapper.so wrapper.c -ldl
    cc -o program program.c -ldl
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export LC_ALL=C.UTF-8
}

# with_agent BEFORE BEHIND COMMAND…: as a command that is recorded, with these libraries preloaded too.
with_agent() {
    (
        eval "$(snoopi env --dir "$PWD/parts")"
        LD_PRELOAD=$1${1:+:}$LD_PRELOAD${2:+:}$2
        shift 2
        exec "$@"
    )
}

segments() {
    find parts -name '*.seg' | wc -l
}

@test "RUNPATH and dlerror are those of a program without the agent" {
    ./program >plain
    run -0 cat plain
    assert_line 'by RUNPATH: 42'
    assert_line --partial 'no such symbol: null, ./libfinder.so: undefined symbol: no_such_symbol, told once'
    with_agent '' '' ./program >with
    diff plain with
    with_agent '' '' env LD_BIND_NOW=1 ./program >with
    diff plain with
}

@test "RTLD_NEXT is that of its caller, before the agent and behind it" {
    LD_PRELOAD=$PWD/libwrapper.so ./program >plain
    run -0 tail -n 1 plain
    assert_output 'wrapped: done'
    with_agent "$PWD/libwrapper.so" '' ./program >before
    diff plain before
    with_agent '' "$PWD/libwrapper.so" ./program >behind
    diff plain behind
}

@test "programs that are not julia are left alone" {
    # Asked for in earnest: the same leaves one in julia.
    with_agent '' '' "$SNOOPI_JULIA" --startup-file=no -e ''
    [ "$(segments)" = 1 ]
    rm parts/*.seg
    with_agent '' '' cat program.c | cmp - program.c
    run -0 with_agent '' '' python3 -c 'import ctypes; print(ctypes.CDLL(None).getpid() > 0)'
    assert_output True
    run -7 with_agent '' '' sh -c 'echo from a shell; cat </dev/null; exit 7'
    assert_output 'from a shell'
    with_agent '' '' ./program >/dev/null
    [ "$(segments)" = 0 ]
}

@test "julia --version and --help are left alone" {
    run -0 with_agent '' '' "$SNOOPI_JULIA" --version
    assert_output "$("$SNOOPI_JULIA" --version)"
    run -0 with_agent '' '' "$SNOOPI_JULIA" --help
    [ "$(segments)" = 0 ]
}

@test "in julia, what is missing is missed with the same words" {
    cat >missing.jl <<'END'
using Libdl
println(dlopen_e("libnosuch.so.9") == C_NULL)
const h = dlopen("libm.so.6")
println(dlsym_e(h, :no_such_symbol) == C_NULL, " ", dlsym(h, :sin) != C_NULL, " ", dlsym(h, :nope; throw_error = false) === nothing)
told(f) =
    try
        f()
    catch e
        println(typeof(e), ": ", sprint(showerror, e))
    end
told(() -> dlopen("libnosuch.so.9"))
told(() -> dlsym(h, :no_such_symbol))
told(() -> ccall(:no_such_symbol_anywhere, Cint, ()))
told(() -> ccall((:no_such_symbol, "libm.so.6"), Cint, ()))
told(() -> ccall((:sin, "libnosuch.so.9"), Cint, ()))
println(ccall((:cos, "libm.so.6"), Cdouble, (Cdouble,), 0.0))
println(ccall((:found, "libfound.so"), Cint, ()))
END
    LD_LIBRARY_PATH=$PWD/hidden julia missing.jl >plain
    run -0 cat plain
    assert_line --regexp 'ErrorException.*no_such_symbol_anywhere'
    assert_line 42
    LD_LIBRARY_PATH=$PWD/hidden record with missing.jl
    diff plain with.out
    assert_whole with
}
