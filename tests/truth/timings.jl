# SPDX-License-Identifier: MIT
#
# Julia's own record of inference, for Julia 1.6 to 1.11: Core.Compiler.Timings notes each call of typeinf in the very process that
# is recorded, by means that share nothing with the agent.
#
#     SNOOPI_TRUTH=OUT julia timings.jl PROGRAM [module]
#
# runs PROGRAM (in a fresh module when the second argument says so, as Julia's own test suite runs its files) and writes a line per
# frame to OUT, in begin order: depth, 1 if it had constant arguments, and the instance as Julia's show gives it. Semi-concrete
# evaluation is timed by Julia as well.

include("program.jl")

const CC = Core.Compiler
const Timings = CC.Timings

# Compiled before it counts: nothing of its own may be inferred between the marks.
function run_timed(program)
    Timings.reset_timings()
    try
        ccall(:snoopi_agent_mark, Cvoid, (Cstring,), "truth-begin")
        CC.__set_measure_typeinf(true)
        include_program(program)
    finally
        CC.__set_measure_typeinf(false)
        ccall(:snoopi_agent_mark, Cvoid, (Cstring,), "truth-end")
        Timings.close_current_timer()
    end
end

same(ours, theirs) = ours === theirs
same(ours::Core.Const, theirs) = theirs isa Core.Const && theirs.val === ours.val
same(ours::Core.PartialStruct, theirs) =
    theirs isa Core.PartialStruct && length(theirs.fields) == length(ours.fields) && all(map(same, ours.fields, theirs.fields))

# Whether an argument's type says more than the instance's signature alone would: it is no Type but an element of the compiler's
# lattice (a constant, a struct with constant fields, a Bool that tells of another argument). The types were copied when the frame began.
function has_constant_arguments(info)
    info.mi.def isa Method || return false
    plain = CC.InferenceResult(info.mi).argtypes
    for i in 1:min(info.nargs, length(plain), length(info.slottypes))
        ours = info.slottypes[i]
        ours isa Type || same(ours, plain[i]) || return true
    end
    return false
end

function write_frames(io, frames, depth)
    for frame in frames
        println(io, depth, '\t', Int(has_constant_arguments(frame.mi_info)), '\t', shown(frame.mi_info.mi))
        write_frames(io, frame.children, depth + 1)
    end
end

mktemp((empty, _) -> run_timed(empty))
try
    run_timed(program)
finally
    open(io -> write_frames(io, Timings._timings[1].children, 0), ENV["SNOOPI_TRUTH"], "w")
end
