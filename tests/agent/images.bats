#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A system image may hold a function once for each of several processors; Julia takes those that suit. Whichever run are hooked.
load agent_helper

setup() {
    need_julia
    in_own_folder
    export LC_ALL=C.UTF-8
}

# Where on its page the code of each typeinf begins, in the image as this processor gets it.
places_of_typeinf() {
    julia -C "$1" -e 'for m in methods(Core.Compiler.typeinf), i in 1:length(m.specializations)
        isassigned(m.specializations, i) && isdefined(m.specializations[i], :cache) &&
            print(UInt(m.specializations[i].cache.specptr) % 4096, " ")
    end'
}

@test "for each processor that the image was compiled for the frames are the same" {
    local processor rows='[.rows[] | [.callee, .caller, .file, .line, .class, .chain]] | sort[]'
    local places=() runs=()
    for processor in native generic sandybridge haswell; do
        julia -C "$processor" -e 1 2>/dev/null || continue # it is not in the image
        record "$processor" -C "$processor" "$SNOOPI_SOURCE_DIR/tests/cases/02_val_recursion.jl"
        assert_whole "$processor"
        runs+=("$processor")
        jq -c '[.depth, .name, .flags]' "$processor.jsonl" >"frames.$processor"
        (($(wc -l <"frames.$processor") >= 201)) # those of the program; some versions infer others too
        cmp "frames.${runs[0]}" "frames.$processor"
        # Callers in the image are in other copies of its code, too.
        snoopi triggers --limit=0 --format=json "$processor" | jq -c "$rows" >"callers.$processor"
        cmp "callers.${runs[0]}" "callers.$processor"
        if julia -e 'exit(VERSION < v"1.6-" ? 0 : 1)'; then
            places+=("$(places_of_typeinf "$processor")")
        fi
    done
    echo "run: ${runs[*]}; places: ${places[*]}"
    [ "${runs[0]}" = native ]
    # Debian's 1.5.3 holds three copies of each; native is one of those.
    if ((${#places[@]} > 0)); then
        [ "$(printf '%s\n' "${places[@]}" | sort -u | wc -l)" = 3 ]
    fi
}

@test "an image without debug information is recorded like any, but for callers in it" {
    local name rows='[.rows[] | [.callee, .class]] | sort[]'
    local image
    image=$(julia -e 'print(unsafe_string(Base.JLOptions().image_file))')
    objcopy --strip-debug "$image" stripped.so
    for name in whole stripped; do
        [ "$name" = whole ] || image=$PWD/stripped.so
        record "$name" -J "$image" "$SNOOPI_SOURCE_DIR/tests/cases/01_dispatch.jl"
        assert_whole "$name"
        jq -c '[.depth, .name, .flags]' "$name.jsonl" >"frames.$name"
        snoopi triggers --limit=0 --format=json "$name" >"$name.json"
        jq -c "$rows" "$name.json" >"rows.$name"
    done
    (($(wc -l <frames.whole) >= 15))
    cmp frames.whole frames.stripped
    # Where a function of the image called, that is still told apart from what the runtime began.
    cmp rows.whole rows.stripped
    local unknown='[.rows[] | select(.class == "dispatch" and .caller == null and .chain == [])] | length'
    run -0 jq "$unknown" whole.json
    assert_output 0
    run -0 jq "$unknown" stripped.json
    echo "callers not known: $output"
    if julia -e 'exit(VERSION < v"1.6-" ? 0 : 1)'; then
        [ "$output" = 3 ] # two loggers' and displays' __init__, and reinit_displays
    fi
}
