# SPDX-License-Identifier: MIT
# Writes a C program that compares the structs of capi.jl with the headers':  julia layouts.jl OUT.c
using Snoopi

const C = Snoopi.C
structs = [C.Error => "snoopi_error", C.Arg => "snoopi_arg", C.Frame => "snoopi_frame", C.Instance => "snoopi_instance",
    C.Process => "snoopi_process", C.Place => "snoopi_place", C.Trigger => "snoopi_trigger", C.Scope => "snoopi_scope",
    C.Filter => "snoopi_filter", C.ExportOptions => "snoopi_export_options", C.AdviceOptions => "snoopi_advice_options",
    C.Finding => "snoopi_finding", C.PrecompileOptions => "snoopi_precompile_options", C.Directive => "snoopi_directive",
    C.PrecompileModule => "snoopi_precompile_module"]
c_name = Dict(:func => "function", :mod => "module")

open(ARGS[1], "w") do io
    println(io, "#include <snoopi/snoopi.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n    int n = 0;")
    for (T, name) in structs
        for (i, field) in enumerate(fieldnames(T))
            c = get(c_name, field, string(field))
            println(io, "    _Static_assert(offsetof($name, $c) == $(fieldoffset(T, i)), \"$name.$c\");")
            println(io, "    _Static_assert(sizeof((($name *)0)->$c) == $(sizeof(fieldtype(T, i))), \"size of $name.$c\"); n++;")
        end
        T === C.Process || println(io, "    _Static_assert(sizeof($name) == $(sizeof(T)), \"$name\");")
    end
    println(io, "    printf(\"%d fields agree\\n\", n);\n    return 0;\n}")
end
