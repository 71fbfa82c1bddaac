# SPDX-License-Identifier: MIT
#
# Completion at the prompt asks inference what an expression is. Up to 1.9 that is a question like return_type's. From 1.10 on it has an interpreter of its own:
# where its code is in the system image ("image") its frames are recorded and flagged as a tool's; where REPL is loaded ("loaded"),
# they are not, and the trace says so.
using REPL
println(isdefined(REPL.REPLCompletions, :REPLInterpreter) ? (Base.in_sysimage(Base.PkgId(REPL)) ? "image" : "loaded") : "none")
REPL.REPLCompletions.completions("(1 => 2).fir", 12)
mine(x) = x + 1
mine(2.0)
