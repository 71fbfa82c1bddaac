# SPDX-License-Identifier: MIT
#
# Julia is told to infer by its compiler as it is in this world. What is inferred after that is a tool's by its code: the trace says that
# the compiler was replaced.
before(x) = x + 1
after(x) = x * 2
before(2.0)
compiler = isdefined(Core.Compiler, :typeinf_ext_toplevel) ? Core.Compiler.typeinf_ext_toplevel : Core.Compiler.typeinf_ext
ccall(:jl_set_typeinf_func, Cvoid, (Any,), compiler)
after(2.0)
println("done")
