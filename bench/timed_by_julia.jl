# SPDX-License-Identifier: MIT
# Runs a program while Julia (1.6 to 1.11) times its own inference, as SnoopCompile's @snoop_inference has it do, and leaves what it
# measured where it is.
const program = popfirst!(ARGS)
Core.Compiler.Timings.reset_timings()
Core.Compiler.__set_measure_typeinf(true)
try
    include(program)
finally
    Core.Compiler.__set_measure_typeinf(false)
    Core.Compiler.Timings.close_current_timer()
end
