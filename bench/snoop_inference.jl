# SPDX-License-Identifier: MIT
# FOLDER PROGRAM: runs a program under @snoop_inference of the SnoopCompileCore that lies in FOLDER, and leaves what it measured where it is.
pushfirst!(LOAD_PATH, popfirst!(ARGS))
using SnoopCompileCore
const program = popfirst!(ARGS)
const tinf = @snoop_inference include(program)
