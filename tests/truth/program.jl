# SPDX-License-Identifier: MIT
#
# What those that note frames have in common: the program, and how an instance is written. No function here may be compiled for
# the first time between the marks.

const program = ARGS[1]
const in_module = length(ARGS) > 1 # as Julia's own test suite runs its files
popfirst!(ARGS)

function include_program(program)
    if in_module
        mod = Module(:TestMain)
        Core.eval(mod, :(using Test, Random; include(path) = Base.include($mod, path)))
        Base.include(mod, program)
    else
        Base.include(Main, program)
    end
    return nothing
end

# As Julia's show gives it, whatever Main has imported; a line.
function shown(mi)
    text = sprint(show, mi, context = :module => Module(:fresh))
    text = replace(replace(text, "MethodInstance for " => ""), r"(?<![\w.!])Main\." => "")
    return replace(replace(replace(text, '\\' => "\\\\"), '\n' => "\\n"), '\t' => "\\t")
end
