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
    local processor
    local places=() runs=()
    for processor in native generic sandybridge haswell; do
        julia -C "$processor" -e 1 2>/dev/null || continue # it is not in the image
        record "$processor" -C "$processor" "$SNOOPI_SOURCE_DIR/tests/cases/02_val_recursion.jl"
        assert_whole "$processor"
        runs+=("$processor")
        jq -c '[.depth, .name, .flags]' "$processor.jsonl" >"frames.$processor"
        (($(wc -l <"frames.$processor") >= 201)) # those of the program; some versions infer others too
        cmp "frames.${runs[0]}" "frames.$processor"
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
