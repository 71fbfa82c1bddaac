# SPDX-License-Identifier: MIT
#
# Julia is told to infer by its compiler as it is in this world (from 1.6 on; 1.5 has no copy for that). What is inferred after that is a tool's by its code:
# the trace says that the compiler was replaced.
before(x) = x + 1
after(x) = x * 2
before(2.0)
ccall(:jl_set_typeinf_func, Cvoid, (Any,), Core.Compiler.typeinf_ext_toplevel)
after(2.0)
println("done")
