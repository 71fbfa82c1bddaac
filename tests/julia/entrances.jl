# SPDX-License-Identifier: MIT
#
#     julia entrances.jl tutorial.jl MODULE
#
# How often report of that module enters the compiler, in a session that nothing records: as Core.Compiler.Timings (Julia 1.6 to 1.11)
# counts it, and from 1.12 on, where these are empty, as a function counts that Julia is told to infer with.
include(ARGS[1])
const program = getfield(Main, Symbol(ARGS[2]))
readings = [program.Reading(sensor, values) for (sensor, values) in input()]

if VERSION < v"1.12-"
    const Timings = Core.Compiler.Timings
    Timings.reset_timings()
    Core.Compiler.__set_measure_typeinf(true)
    program.report(readings)
    Core.Compiler.__set_measure_typeinf(false)
    Timings.close_current_timer()
    print(length(Timings._timings[1].children))
else
    const entrances = Ref(0)
    function infer(instance, world, source_mode, trim_mode)
        entrances[] += 1
        return Base.Compiler.typeinf_ext_toplevel(instance, world, source_mode, trim_mode)
    end
    precompile(infer, (Core.MethodInstance, UInt, UInt8, UInt8))
    ccall(:jl_set_typeinf_func, Cvoid, (Any,), infer)
    before = entrances[]
    program.report(readings)
    print(entrances[] - before)
end
