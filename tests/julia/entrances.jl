# SPDX-License-Identifier: MIT
#
#     julia entrances.jl tutorial.jl MODULE
#
# How often report of that module enters the compiler, as Core.Compiler.Timings (Julia 1.6 to 1.11) counts it, in a session that nothing records.
const Timings = Core.Compiler.Timings

include(ARGS[1])
const program = getfield(Main, Symbol(ARGS[2]))
readings = [program.Reading(sensor, values) for (sensor, values) in input()]
Timings.reset_timings()
Core.Compiler.__set_measure_typeinf(true)
program.report(readings)
Core.Compiler.__set_measure_typeinf(false)
Timings.close_current_timer()
print(length(Timings._timings[1].children))
